"""Patroni promotes by itself while tables send: what is lost, and for how long does nothing come?

`python -m tests.club.patroni_failovers --times 10`: etcd, two servers under Patroni that keep each
commit in both, two hub processes, fifty tables. Each time all processes of the leader's machine are
killed in mid-load, and started again afterwards. One JSON line a time; it ends with 1 if anything
was lost. Needs Debian's packages patroni and etcd-server.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from threading import Thread

from bench.club.load import Came, WantedLoad, run_club, share
from tests.club.failovers import wait_for_load
from tests.stages.free_port import free_port
from tests.stages.postgres import Cluster, programs

SECONDS = 40.0  # Patroni waits for a lease of `TTL_S` to end before it promotes
TTL_S = 20  # the least it takes
WAIT_S = 120.0
_SETTINGS = """
scope: club
name: {name}
restapi: {{listen: '127.0.0.1:{rest}', connect_address: '127.0.0.1:{rest}'}}
etcd3: {{host: '127.0.0.1:{etcd}'}}
bootstrap:
  dcs:
    ttl: {ttl}
    loop_wait: 2
    retry_timeout: 5
    synchronous_mode: true
    synchronous_mode_strict: true
    postgresql:
      use_pg_rewind: true
      parameters: {{wal_level: replica, max_wal_senders: 6, wal_log_hints: 'on'}}
  initdb: [{{encoding: UTF8}}, {{locale: C}}, data-checksums, {{auth: trust}}]
postgresql:
  listen: '127.0.0.1:{port}'
  connect_address: '127.0.0.1:{port}'
  data_dir: '{folder}/data'
  bin_dir: '{programs}'
  pgpass: '{folder}/pgpass'
  pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust']
  parameters: {{unix_socket_directories: '{folder}'}}
  authentication:
    superuser: {{username: postgres}}
    replication: {{username: replicator, password: replicator}}
    rewind: {{username: postgres}}
"""


@dataclass(slots=True)
class Machine:
    """A server and the Patroni that looks after it; both die together."""

    cluster: Cluster
    rest: int
    etcd: int
    process: subprocess.Popen[bytes] | None = field(default=None)

    def start(self) -> None:
        folder = self.cluster.folder
        settings = folder / "patroni.yml"
        settings.write_text(
            _SETTINGS.format(
                name=f"db{self.cluster.port}", rest=self.rest, etcd=self.etcd, ttl=TTL_S,
                port=self.cluster.port, folder=folder, programs=programs(),
            )
        )  # fmt: skip
        settings.chmod(0o644)
        with (folder / "patroni.log").open("ab") as log:
            self.process = subprocess.Popen(
                [*_as_postgres(), "patroni", str(settings)], stdout=log, stderr=log, cwd=folder
            )

    def kill(self) -> None:
        """As a power cut."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()
        if self.cluster.is_up:
            self.cluster.kill()

    @property
    def status(self) -> dict[str, object]:
        """What its Patroni says of it; nothing where it does not answer."""
        found: dict[str, object] = {}
        with (
            suppress(OSError, ValueError),
            urllib.request.urlopen(f"http://127.0.0.1:{self.rest}/patroni", timeout=2) as said,
        ):
            found = json.load(said)
        return found

    @property
    def is_leader(self) -> bool:
        return self.status.get("role") in ("master", "primary")

    @property
    def keeps_each_commit(self) -> bool:
        """Whether it is the standby for which commits wait."""
        return bool(self.status.get("sync_standby"))


@contextmanager
def machines() -> Iterator[list[Machine]]:
    """etcd and two servers, of which one is the leader and the other keeps each commit."""
    folder = Path(tempfile.mkdtemp(prefix="table-assist-patroni-"))
    etcd, peer = free_port(), free_port()
    own, at = f"http://127.0.0.1:{etcd}", f"http://127.0.0.1:{peer}"
    known = subprocess.Popen(
        ["etcd", "--data-dir", str(folder / "etcd"), "--listen-client-urls", own,
         "--advertise-client-urls", own, "--listen-peer-urls", at,
         "--initial-advertise-peer-urls", at, "--initial-cluster", f"default={at}"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    made = [Machine(Cluster(folder / str(n), free_port()), free_port(), etcd) for n in range(2)]
    folder.chmod(0o755)
    try:
        for each in made:
            each.cluster.folder.mkdir()
            if os.geteuid() == 0:
                shutil.chown(each.cluster.folder, "postgres", "postgres")
            each.start()
        wait_until(lambda: are_together(made), "the two servers do not come together")
        yield made
    finally:
        for each in made:
            if each.process is not None and each.process.poll() is None:
                each.process.send_signal(signal.SIGTERM)
                with suppress(subprocess.TimeoutExpired):
                    each.process.wait(20)
            if each.cluster.is_up:
                each.kill()
        known.kill()
        known.wait()
        shutil.rmtree(folder, ignore_errors=True)


def are_together(made: Sequence[Machine]) -> bool:
    """Whether one leads and the other keeps each commit."""
    return any(each.is_leader for each in made) and any(each.keeps_each_commit for each in made)


def wait_until(is_so: Callable[[], bool], else_: str) -> None:
    """Wait for it.

    Raises:
        AssertionError: it does not become so.
    """
    until = time.monotonic() + WAIT_S
    while not is_so():
        assert time.monotonic() < until, else_
        time.sleep(0.2)


def once(made: Sequence[Machine], seed: int) -> tuple[Came, float]:
    """One failover at a random moment of the load; and seconds until the other one leads."""
    leader = next(each for each in made if each.is_leader)
    other = next(each for each in made if each is not leader)
    hosts = ",".join(f"127.0.0.1:{each.cluster.port}" for each in made)
    base = f"club{seed}"
    leader.cluster.say(f"CREATE DATABASE {base}")
    came: list[Came] = []
    wanted = WantedLoad(
        tables=50, seconds=SECONDS, hubs=2, base=f"postgresql://postgres@{hosts}/{base}", seed=seed
    )
    playing = Thread(target=lambda: came.append(run_club(wanted)))
    playing.start()
    wait_for_load(leader.cluster, base)
    time.sleep(5.0 * Random(seed).random())
    leader.kill()
    killed = time.monotonic()
    wait_until(lambda: other.is_leader, "the standby was not promoted")
    took = time.monotonic() - killed
    leader.start()  # commits wait for it: without it nothing is kept in two places
    playing.join()
    assert came, "the load came to no end"
    wait_until(lambda: are_together(made), "the killed server does not come back")
    return came[0], took


def _as_postgres() -> list[str]:
    if os.geteuid() != 0:
        return []
    return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]


def main() -> None:
    """Do it, tell each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    lost = 0
    with machines() as made:
        for seed in range(options.seed, options.seed + options.times):
            came, took = once(made, seed)
            lost += came.lost + came.doubled
            told = {
                "seed": seed, "entries": came.entries, "lost": came.lost, "doubled": came.doubled,
                "promoted_s": round(took, 1), "longest_s": round(share(came.waits_s, 1.0), 1),
            }  # fmt: skip
            print(json.dumps(told), flush=True)
    sys.exit(1 if lost else 0)


if __name__ == "__main__":
    main()
