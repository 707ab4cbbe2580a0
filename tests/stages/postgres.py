"""PostgreSQL from Debian, started by the tests themselves: a free port, a folder of its own."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest


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
        pid = int((self.data / "postmaster.pid").read_text().split()[0])
        children = _children(pid)
        for each in (pid, *children):
            os.kill(each, signal.SIGKILL)
        until = time.monotonic() + 10
        while any(Path(f"/proc/{each}").exists() for each in (pid, *children)):
            assert time.monotonic() < until
            time.sleep(0.01)
        (self.data / "postmaster.pid").unlink()

    def address(self, base: str = "postgres") -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/{base}"


def _children(pid: int) -> list[int]:
    found = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True).stdout
    return [int(each) for each in found.split()]


def _as_nobody() -> list[str]:
    if os.geteuid() != 0:
        return []
    return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextmanager
def new_cluster() -> Iterator[Cluster]:
    """An empty server, which is started."""
    cluster = Cluster(Path(tempfile.mkdtemp(prefix="table-assist-pg-")), free_port())
    try:
        if os.geteuid() == 0:
            shutil.chown(cluster.folder, "postgres", "postgres")
        cluster.run(
            "initdb", "-D", str(cluster.data), "-U", "postgres", "-A", "trust", "-E", "UTF8",
            "--locale=C", "-N",
        )  # fmt: skip
        cluster.start("-c fsync=off")
        yield cluster
    finally:
        if (cluster.data / "postmaster.pid").exists():
            cluster.stop()
        shutil.rmtree(cluster.folder, ignore_errors=True)
