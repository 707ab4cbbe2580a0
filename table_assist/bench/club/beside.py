"""What PostgreSQL alone takes: the hub's own writes set by set, by pgbench, on the same server."""

import re
import shutil
import subprocess
import tempfile
from pathlib import Path

SET = 256  # batches of one transaction
LINES = 2
_MAKE = f"""
DROP SCHEMA IF EXISTS beside CASCADE;
CREATE SCHEMA beside;
SET search_path = beside;
CREATE TABLE tables (
  id int PRIMARY KEY, turn bigint, log int, seen float, view text, changed bigint);
CREATE TABLE logs (id int PRIMARY KEY, have int, seal text);
CREATE TABLE entries (
  log int REFERENCES logs, seq int, seal text, line text, PRIMARY KEY (log, seq));
INSERT INTO tables SELECT n, 0, n, 0, '', 0 FROM generate_series(0, {LINES * SET - 1}) AS n;
INSERT INTO logs SELECT n, 0, '' FROM generate_series(0, {LINES * SET - 1}) AS n;
"""
_SET = f"""
\\set first :client_id * {SET}
BEGIN;
SELECT id FROM beside.tables WHERE id >= :first AND id < :first + {SET} FOR UPDATE;
INSERT INTO beside.entries
  SELECT id, have + 1, repeat('5', 64), repeat('x', 150) FROM beside.logs
  WHERE id >= :first AND id < :first + {SET};
UPDATE beside.logs SET have = have + 1, seal = repeat('5', 64)
  WHERE id >= :first AND id < :first + {SET};
UPDATE beside.tables SET turn = turn + 1, seen = 1.5, view = repeat('v', 110), changed = changed + 1
  WHERE id >= :first AND id < :first + {SET};
COMMIT;
"""
_TRANSACTIONS = re.compile(r"^tps = ([0-9.]+)", re.MULTILINE)


class BesideError(RuntimeError):
    """PostgreSQL's own programs are not here, or do not run; the message is one sentence."""


def batches_alone(base: str, seconds: int) -> float:
    """Batches a second of PostgreSQL without a hub, two connections that write sets of them.

    Raises:
        BesideError: it cannot be measured.
    """
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as script:
        script.write(_SET)
        script.flush()
        _run("psql", "-q", "-d", base, "-c", _MAKE)
        try:
            given = ("-n", "-c", str(LINES), "-j", str(LINES), "-T", str(seconds))
            said = _run("pgbench", *given, "-f", script.name, base)
        finally:
            _run("psql", "-q", "-d", base, "-c", "DROP SCHEMA beside CASCADE")
    found = _TRANSACTIONS.search(said)
    if found is None:
        raise BesideError("pgbench says no figure")
    return SET * float(found[1])


def _run(program: str, *arguments: str) -> str:
    try:
        done = subprocess.run(
            [_found(program), *arguments], check=True, capture_output=True, text=True
        )
    except subprocess.CalledProcessError as error:
        raise BesideError(f"{program}: {error.stderr.strip()[-300:]}") from error
    return done.stdout


def _found(program: str) -> str:
    """Debian keeps them beside the server."""
    own = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{program}"))
    found = str(own[-1]) if own else shutil.which(program)
    if not found:
        raise BesideError(f"there is no {program}: apt install postgresql")
    return found
