"""Hub processes as an operator starts them, and killed as nobody would."""

import os
import signal
import socket
import subprocess
import sys
from dataclasses import dataclass, field

START_S = 30.0


@dataclass(slots=True)
class Hub:
    """One process; started again on its port after it was killed."""

    base: str
    port: int
    kills: int = 0
    process: "subprocess.Popen[str] | None" = field(default=None, repr=False)

    def start(self) -> None:
        """Start it, and wait until it answers."""
        self.process = subprocess.Popen(
            self.command(),
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        if "The club" not in said:
            raise RuntimeError(f"the hub on port {self.port} does not start: {said}")

    def command(self) -> list[str]:
        """By which it is started."""
        return [
            sys.executable, "-m", "table_assist", "club", "--base", self.base,
            "--port", str(self.port),
        ]  # fmt: skip

    def kill(self) -> None:
        """As a power cut."""
        assert self.process is not None
        self.process.kill()
        self._end()
        self.kills += 1

    def stop(self) -> None:
        """As an operator."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self._end()

    def _end(self) -> None:
        assert self.process is not None
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()

    @property
    def memory_mb(self) -> float:
        """The memory it holds now; 0 where the system does not tell."""
        try:
            with open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:  # type: ignore[union-attr]
                line = next(each for each in file if each.startswith("VmRSS:"))
        except OSError:
            return 0.0
        return int(line.split()[1]) / 1000

    @property
    def processor_s(self) -> float:
        """Seconds of processor so far; 0 where the system does not tell."""
        try:
            with open(f"/proc/{self.process.pid}/stat", encoding="ascii") as file:  # type: ignore[union-attr]
                fields = file.read().rsplit(")", 1)[1].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def free_port() -> int:
    """A port that nobody uses now."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])
