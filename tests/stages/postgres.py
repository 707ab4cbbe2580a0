"""PostgreSQL from Debian, started by the tests themselves: a free port, a folder of its own."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

from tests.stages.free_port import free_port


def programs() -> Path:
    """Where Debian puts its programs; the newest version's."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not found:
        pytest.fail("no PostgreSQL: apt-get install postgresql")
    return found[-1].parent


@dataclass
class Cluster:
    """One server. It refuses root, so it runs as another user where the tests run as root."""

    folder: Path
    port: int

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def run(self, program: str, *arguments: str) -> str:
        return subprocess.run(
            [*_as_nobody(), str(programs() / program), *arguments],
            check=True, capture_output=True, text=True, cwd=self.folder,
        ).stdout  # fmt: skip

    def start(self, *options: str) -> None:
        given = f"-p {self.port} -k {self.folder} -h 127.0.0.1 {' '.join(options)}"
        log = str(self.folder / "log")
        self.run("pg_ctl", "-D", str(self.data), "-w", "-l", log, "-o", given, "start")

    def stop(self) -> None:
        self.run("pg_ctl", "-D", str(self.data), "-m", "fast", "-w", "stop")

    def kill(self) -> None:
        """As a power cut of its machine."""
        every = self._processes()
        for each in every:
            with suppress(ProcessLookupError):
                os.kill(each, signal.SIGKILL)
        until = time.monotonic() + 10
        while any(Path(f"/proc/{each}").exists() for each in every):
            assert time.monotonic() < until
            time.sleep(0.01)
        (self.data / "postmaster.pid").unlink()

    def freeze(self) -> None:
        """All of it stands still, and its connections stay open."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """It goes on."""
        self._signal(signal.SIGCONT)

    def limit_files(self, size: int | None) -> None:
        """No file may grow beyond so many bytes, as on a full disk; None: any may."""
        limit = "unlimited" if size is None else str(size)
        for each in self._processes():  # by their own user: root in a container may not
            given = ["prlimit", "--pid", str(each), f"--fsize={limit}:"]
            subprocess.run([*_as_nobody(), *given], check=False, stderr=subprocess.DEVNULL)

    def say(self, *statements: str) -> None:
        """As its administrator."""
        with psycopg.connect(self.address(), autocommit=True) as line:
            for each in statements:
                line.execute(each)

    def copy_to(self, data: Path, *options: str) -> None:
        """A base backup; with `-R` it starts as a standby of this one."""
        self.run(
            "pg_basebackup", "-h", "127.0.0.1", "-p", str(self.port), "-U", "postgres",
            "-D", str(data), "-X", "stream", "-c", "fast", *options,
        )  # fmt: skip

    def take_back(self, copied: Path) -> None:
        """A copy's files are its own again."""
        subprocess.run(
            [*_as_nobody(), "cp", "-a", str(copied), str(self.data)], check=True, cwd=self.folder
        )

    @property
    def is_up(self) -> bool:
        """Whether it was started, and neither stopped nor killed."""
        return (self.data / "postmaster.pid").exists()

    def _processes(self) -> list[int]:
        pid = int((self.data / "postmaster.pid").read_text().split()[0])
        found = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True).stdout
        return [pid, *[int(each) for each in found.split()]]

    def _signal(self, number: int) -> None:
        for each in self._processes():
            with suppress(ProcessLookupError):
                os.kill(each, number)

    def promote(self) -> None:
        """Of a standby: it is the primary from now on."""
        self.run("pg_ctl", "-D", str(self.data), "-w", "promote")

    def address(self, base: str = "postgres") -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/{base}"


def _as_nobody() -> list[str]:
    if os.geteuid() != 0:
        return []
    return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]


@contextmanager
def new_cluster(*options: str) -> Iterator[Cluster]:
    """An empty server, which is started; without options it does not wait for the disk."""
    cluster = Cluster(Path(tempfile.mkdtemp(prefix="table-assist-pg-")), free_port())
    try:
        if os.geteuid() == 0:
            shutil.chown(cluster.folder, "postgres", "postgres")
        cluster.run(
            "initdb", "-D", str(cluster.data), "-U", "postgres", "-A", "trust", "-E", "UTF8",
            "--locale=C", "-N", "--wal-segsize=1",
        )  # fmt: skip
        cluster.start(*(options or ("-c fsync=off",)))
        yield cluster
    finally:
        if (cluster.data / "postmaster.pid").exists():
            cluster.stop()
        shutil.rmtree(cluster.folder, ignore_errors=True)


PAIR = (
    "-c wal_level=replica -c max_wal_senders=4 -c wal_keep_size=64MB "
    "-c synchronous_standby_names=* -c synchronous_commit=on"
)


@contextmanager
def replicated() -> Iterator[tuple[Cluster, Cluster]]:
    """A primary, and a standby that has everything before a commit is told."""
    with new_cluster() as primary:
        primary.stop()
        with (primary.data / "pg_hba.conf").open("a") as rules:
            rules.write("host replication postgres 127.0.0.1/32 trust\n")
        primary.start()
        standby = Cluster(primary.folder.with_name(f"{primary.folder.name}-2"), free_port())
        standby.folder.mkdir(mode=0o700)
        try:
            shutil.chown(standby.folder, *(primary.folder.owner(), primary.folder.group()))
            primary.copy_to(standby.data, "-R")
            standby.start()
            primary.stop()
            primary.start(PAIR)
            yield primary, standby
        finally:
            if (standby.data / "postmaster.pid").exists():
                standby.stop()
            shutil.rmtree(standby.folder, ignore_errors=True)


def address_of(primary: Cluster, standby: Cluster) -> str:
    """Of both: whichever may write is used."""
    return f"postgresql://postgres@127.0.0.1:{primary.port},127.0.0.1:{standby.port}/postgres"
