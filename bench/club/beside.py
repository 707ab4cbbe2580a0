"""PostgreSQL alone: the hub's own writes set by set, by pgbench, on the same server."""

import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
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
_RATE = re.compile(r"^tps = ([0-9.]+)", re.MULTILINE)
_SETS = re.compile(r"actually processed: ([0-9]+)")


class BesideError(RuntimeError):
    """PostgreSQL's own programs are not here, or do not run; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class Alone:
    """PostgreSQL's figures without a hub.

    Attributes:
        each_second: batches.
        processor_us: of the server, a batch; 0 where it is on another machine.
    """

    each_second: float
    processor_us: float


def measure_alone(base: str, seconds: int) -> Alone:
    """PostgreSQL without a hub: two connections write sets of batches.

    Raises:
        BesideError: it cannot be measured.
    """
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as script:
        script.write(_SET)
        script.flush()
        _run("psql", "-q", "-d", base, "-c", _MAKE)
        try:
            given = ("-n", "-c", str(LINES), "-j", str(LINES), "-T", str(seconds))
            before = server_processor_s(base)
            said = _run("pgbench", *given, "-f", script.name, base)
            used_s = server_processor_s(base) - before
        finally:
            _run("psql", "-q", "-d", base, "-c", "DROP SCHEMA beside CASCADE")
    rate, sets = _RATE.search(said), _SETS.search(said)
    if rate is None or sets is None:
        raise BesideError("pgbench says no figure")
    return Alone(SET * float(rate[1]), 1e6 * used_s / (SET * int(sets[1])))


def server_processor_s(base: str) -> float:
    """Seconds of processor that the server has used; 0 where it is on another machine."""
    asking = subprocess.Popen(
        [_found("psql"), "-qAt", "-d", base],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert asking.stdin is not None
    assert asking.stdout is not None
    with asking, asking.stdin:
        asking.stdin.write("SELECT pg_backend_pid();\n")
        asking.stdin.flush()
        try:
            server = _stat(int(asking.stdout.readline()))[1]  # it lives as long as it is asked
            family = [pid for pid in _processes() if _stat(pid)[1] == server]
            ended_s = _stat(server)[3]
            return ended_s + sum(_stat(pid)[2] for pid in (server, *family))
        except (OSError, ValueError):
            return 0.0


def _processes() -> list[int]:
    return [int(each) for each in os.listdir("/proc") if each.isdigit()]


def _stat(pid: int) -> tuple[int, int, float, float]:
    """A process's number, its parent's, its seconds of processor, those of its ended children."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except FileNotFoundError:
        return pid, 0, 0.0, 0.0  # it has ended
    fields = text.rsplit(")", 1)[1].split()
    ticks = os.sysconf("SC_CLK_TCK")
    own, ended = int(fields[11]) + int(fields[12]), int(fields[13]) + int(fields[14])
    return pid, int(fields[1]), own / ticks, ended / ticks


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
