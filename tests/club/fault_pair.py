"""Two PostgreSQL servers and two hubs, and what their operator does."""

import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from itertools import product
from pathlib import Path
from threading import Event, Thread

import psycopg

from bench.club.load import Hub
from tests.stages.club_table import Cluster, replicated
from tests.stages.repository_tool import Forwarder, free_port

# Whether a commit waits for the standby is set by the operator, so that it can be changed.
PLAIN = "-c wal_keep_size=64MB"
WAIT_S = 60.0
DESK = ("/api/desk/wrong", "/api/desk")
_TOGETHER = "SELECT 1 FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')"
_AHEAD = """
import runpy, sys, time
real, ahead_s = time.time, float(sys.argv.pop(1))
time.time = lambda: real() + ahead_s
runpy.run_module("table_assist", run_name="__main__", alter_sys=True)
"""


@dataclass(slots=True)
class WrongHub(Hub):
    """A hub whose machine may have a wrong clock."""

    ahead_s: float = 0.0

    def command(self) -> list[str]:
        given = ["club", "--base", self.base, "--port", str(self.port)]
        return [sys.executable, "-c", _AHEAD, str(self.ahead_s), *given]


@dataclass(slots=True)
class Pair:
    """The club's machines.

    Attributes:
        primary, standby: as they are now; they change places.
        cables: from the hubs to each server, by its port.
        copied: yesterday's backup.
    """

    primary: Cluster
    standby: Cluster
    cables: dict[int, Forwarder]
    copied: Path
    hubs: list[WrongHub] = field(default_factory=list)

    @property
    def address(self) -> str:
        """Of both servers, over the cables."""
        ports = [self.cables[port].port for port in sorted(self.cables)]
        hosts = ",".join(f"127.0.0.1:{port}" for port in ports)
        return f"postgresql://postgres@{hosts}/postgres"

    def promote(self) -> None:
        """The standby is the primary; alone, so that commits wait for nobody."""
        self.standby.promote()
        self.primary, self.standby = self.standby, self.primary
        self._wait_for_a_standby("")

    def rejoin(self) -> None:
        """The other server becomes the standby, made anew."""
        if self.standby.is_up:
            self.standby.kill()
        shutil.rmtree(self.standby.data)
        self.primary.copy_to(self.standby.data, "-R")
        self.standby.start(PLAIN)
        self.go_together()

    def go_together(self) -> None:
        """From now on every commit is in both servers."""
        self._wait_for_a_standby("*")
        until = time.monotonic() + WAIT_S
        with psycopg.connect(self.primary.address(), autocommit=True) as line:
            while not line.execute(_TOGETHER).fetchone():
                assert time.monotonic() < until, "the standby does not come"
                time.sleep(0.1)

    def back_up(self) -> None:
        """What will be yesterday's backup."""
        shutil.rmtree(self.copied, ignore_errors=True)
        self.primary.copy_to(self.copied)

    def restore(self) -> None:
        """Everything is as it was then."""
        for hub in self.hubs:
            hub.stop()
        self.standby.kill()
        self.primary.kill()
        shutil.rmtree(self.primary.data)
        self.primary.take_back(self.copied)
        self.primary.start(PLAIN)
        self.rejoin()
        for hub in self.hubs:
            hub.start()

    def _wait_for_a_standby(self, whom: str) -> None:
        self.primary.say(
            f"ALTER SYSTEM SET synchronous_standby_names = '{whom}'", "SELECT pg_reload_conf()"
        )

    def told(self, wanted: str, most_s: float) -> float:
        """Seconds until the desk of one of the hubs says so.

        Raises:
            AssertionError: none does.
        """
        begun, is_told = time.monotonic(), Event()

        def listen(hub: Hub, path: str) -> None:  # each by itself: a frozen hub keeps who asks it
            while not is_told.is_set() and time.monotonic() < begun + most_s:
                if wanted in _got(hub.port, path):
                    is_told.set()
                time.sleep(0.2)

        for hub, path in product(self.hubs, DESK):
            Thread(target=listen, args=(hub, path), daemon=True).start()
        if not is_told.wait(most_s):
            said = [self.desk(hub) for hub in self.hubs]
            raise AssertionError(f"the desk does not say {wanted!r}: {said}")
        return time.monotonic() - begun

    def quiet(self, most_s: float) -> None:
        """Wait until no desk says that anything is wrong.

        Raises:
            AssertionError: one does still.
        """
        begun = time.monotonic()
        while any(self.desk(hub).count('"wrong":[]') < 2 for hub in self.hubs):
            assert time.monotonic() < begun + most_s, [self.desk(hub) for hub in self.hubs]
            time.sleep(0.2)

    def desk(self, hub: Hub) -> str:
        """What a hub's desk shows; nothing where the hub does not answer."""
        return "".join(_got(hub.port, path) for path in DESK)


def _got(port: int, path: str) -> str:
    line = HTTPConnection("127.0.0.1", port, timeout=2)
    try:
        line.request("GET", path)
        return line.getresponse().read().decode()
    except (OSError, HTTPException):
        return ""
    finally:
        line.close()


@contextmanager
def fault_pair() -> Iterator[Pair]:
    """Two servers that wait for the disk, and two hubs, which are started."""
    with replicated() as (primary, standby):
        for each in (standby, primary):
            each.stop()
        for each in (primary, standby):
            each.start(PLAIN)
        cables = {each.port: Forwarder(each.port) for each in (primary, standby)}
        pair = Pair(primary, standby, cables, primary.folder / "yesterday")
        pair.hubs = [WrongHub(pair.address, free_port()) for _ in range(2)]
        try:
            pair.go_together()
            for hub in pair.hubs:
                hub.start()
            yield pair
        finally:
            for hub in pair.hubs:
                if hub.process is not None:
                    hub.kill()
            for cable in cables.values():
                cable.close()
            for server in (primary, standby):
                if server.is_up:
                    server.kill()
