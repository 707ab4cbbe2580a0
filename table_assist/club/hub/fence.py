"""Of several PostgreSQL servers the newest that may write; never one that was left for it.

A primary that comes back after another was promoted may be written, too, and comes first in the
address. PostgreSQL counts promotions: each begins a **timeline**. The newest one that was seen is
remembered, and a server of an older one is not used any more, not over open connections either.
"""

import os
import socket
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from sqlalchemy import Engine, event
from sqlalchemy.exc import DisconnectionError

# Others wait for the locks of a hub that was stopped in a transaction: not longer than this.
OPTIONS = "-c statement_timeout=20s -c lock_timeout=4s -c idle_in_transaction_session_timeout=3s"
_TIMELINE = "SELECT left(pg_walfile_name(pg_current_wal_lsn()), 8)"
_SEEN = """
SELECT pg_is_in_recovery(),
  CASE WHEN NOT pg_is_in_recovery() THEN left(pg_walfile_name(pg_current_wal_lsn()), 8) END,
  current_setting('synchronous_standby_names') <> '',
  (SELECT count(*) FROM pg_stat_replication WHERE coalesce(sync_state, 'sync') <> 'async'),
  extract(epoch FROM clock_timestamp())::float8
"""


@dataclass(frozen=True, slots=True)
class SeenServer:
    """A server as it was seen.

    Attributes:
        name: as ``db1:5432``.
        timeline: 0 for a standby, and for one that does not answer.
        wants_standby: each commit waits for a standby.
        standbys: so many of them are there.
        now_s: its clock, seconds since the epoch.
    """

    name: str
    answers: bool = False
    timeline: int = 0
    wants_standby: bool = False
    standbys: int = 0
    now_s: float = 0.0


class Fence:
    """Connects to the servers of an address; any thread.

    Args:
        where: ``postgresql://…``, several hosts with commas between them.
        wait_s: for a server that does not answer.
    """

    def __init__(self, where: str, wait_s: int) -> None:
        self._servers = _servers(where)
        self._wait_s = wait_s
        self._newest = 0
        self._last = ""  # the server that was used last
        self._lock = threading.Lock()
        self._lines: WeakKeyDictionary[Any, tuple[int, str]] = WeakKeyDictionary()
        self._silent: frozenset[str] = frozenset()  # at the last look: nobody waits for them

    def connect(self) -> "psycopg.Connection[Any]":
        """A connection to the newest server that may write.

        Raises:
            psycopg.OperationalError: there is none (now).
        """
        best, why = None, list[str]()
        names = sorted(self._servers, key=lambda name: name != self._last)
        for name in names:
            if name in self._silent:
                why.append(f"{name} does not answer")
                continue
            try:
                line, timeline = self._writing_line(name)
            except psycopg.OperationalError as error:
                why.append(str(error).strip())
                continue
            if timeline < max(self._newest, best[0] if best else 0):
                why.append(f"{name} was left for a newer server")
                line.close()
                continue
            if best is not None:
                best[1].close()
            best = (timeline, line, name)
            if self._newest:
                break  # the first look is at all of them
        if best is None:
            raise psycopg.OperationalError("; ".join(why))
        with self._lock:
            self._newest, self._last = max(self._newest, best[0]), best[2]
            self._lines[best[1]] = (best[0], best[2])
        return best[1]

    def _writing_line(self, name: str) -> "tuple[psycopg.Connection[Any], int]":
        line = self.line_to(name, target_session_attrs="read-write", options=OPTIONS)
        try:
            return line, timeline_of(line)
        except psycopg.Error:  # it ends just now
            line.close()
            raise

    def guard(self, engine: Engine) -> None:
        """Have no connection used that leads to a server of an older timeline."""

        def opened(line: Any, record: Any) -> None:
            with self._lock:
                record.info["timeline"] = self._lines[line][0]

        def taken(_: Any, record: Any, __: Any) -> None:
            if record.info["timeline"] < self._newest:
                raise DisconnectionError("another server was promoted")

        event.listen(engine, "connect", opened)
        event.listen(engine, "checkout", taken)

    def inspect(self) -> list[SeenServer]:
        """Every server as it is now; what is newer than before is remembered."""
        found: dict[str, SeenServer] = {}
        looking = [
            threading.Thread(
                target=lambda name=name: found.update({name: self._seen(name)}), daemon=True
            )
            for name in self._servers
        ]
        for each in looking:
            each.start()
        until = time.monotonic() + self._wait_s + 1
        for each in looking:  # one that is frozen answers late, or never
            each.join(max(0.0, until - time.monotonic()))
        seen = [found.get(name, SeenServer(name)) for name in self._servers]
        with self._lock:
            self._newest = max([self._newest, *(each.timeline for each in seen)])
            self._silent = frozenset(each.name for each in seen if not each.answers)
        self._hang_up()
        return seen

    def _hang_up(self) -> None:
        """Cut connections to a server that was left, or that is frozen: nobody waits any longer."""
        with self._lock:
            dead = [
                line
                for line, (timeline, name) in self._lines.items()
                if timeline < self._newest or name in self._silent
            ]
        for line in dead:
            with suppress(OSError, psycopg.Error):  # it is closed already
                end = socket.socket(fileno=os.dup(line.fileno()))
                with end:
                    end.shutdown(socket.SHUT_RDWR)

    @property
    def newest(self) -> int:
        """The timeline that counts; 0 before any was seen."""
        return self._newest

    def line_to(self, name: str, **given: Any) -> "psycopg.Connection[Any]":
        """A connection to one server, whichever it is.

        Raises:
            psycopg.OperationalError: it does not answer.
        """
        return psycopg.connect(
            self._servers[name],
            connect_timeout=self._wait_s,
            keepalives_idle=5,
            tcp_user_timeout=15_000,
            **given,
        )

    def _seen(self, name: str) -> SeenServer:
        with suppress(psycopg.Error), self.line_to(name, autocommit=True) as line:
            row = line.execute(_SEEN).fetchone()
            if row is not None:
                _, timeline, wants, standbys, now_s = row
                return SeenServer(name, True, int(timeline or "0", 16), wants, standbys, now_s)
        return SeenServer(name)


def timeline_of(line: "psycopg.Connection[Any]") -> int:
    """The timeline of a server that may write."""
    row = line.execute(_TIMELINE).fetchone()
    line.rollback()
    assert row is not None
    return int(row[0], 16)


def _servers(where: str) -> Mapping[str, str]:
    """The address of each server, by its name."""
    given = conninfo_to_dict(where)
    hosts = str(given.pop("host", "") or "").split(",")
    ports = str(given.pop("port", "") or "5432").split(",")
    if len(ports) == 1:
        ports *= len(hosts)
    if len(hosts) == 1 or "hostaddr" in given:
        return {f"{hosts[0]}:{ports[0]}": where}
    return {
        f"{host}:{port}": make_conninfo("", **{**given, "host": host, "port": port})
        for host, port in zip(hosts, ports, strict=True)
    }
