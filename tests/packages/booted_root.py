"""The Debian package where systemd itself runs: a bookworm that systemd-nspawn boots.

`python -m tests.packages.booted_root` needs root, mmdebstrap, systemd-nspawn and an index; part of
`make packages`. The unit is started by systemd with everything that hardens it, restarted when it
is killed, and again by an upgrade.
"""

import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.packages.debian_root import Root, fresh_root, install
from tests.packages.wheels import build
from tools import build_deb

START_S = 90.0
UNIT = "table-assist.service"
ASK = "import urllib.request as u; print(u.urlopen('http://127.0.0.1:8000/').status)"


@dataclass
class Booted:
    """A running system: what its first process sees."""

    leader: int

    def run(self, *command: str, code: int | None = 0) -> str:
        """What a command says in there."""
        inside = ["nsenter", "-t", str(self.leader), "-a", *command]
        done = subprocess.run(inside, capture_output=True, text=True, timeout=300)
        assert code is None or done.returncode == code, (command, done.stdout, done.stderr)
        return done.stdout.strip()

    def main_pid(self) -> int:
        """The service's process, as that system numbers it; 0 while there is none."""
        return int(self.run("systemctl", "show", UNIT, "-p", "MainPID", "--value"))

    def serves(self) -> bool:
        """Whether the page is there."""
        python = "/usr/lib/table-assist/bin/python3"
        return self.run(python, "-c", ASK, code=None) == "200"


@contextmanager
def booted(root: Root) -> Iterator[Booted]:
    """The root as a system of its own, without a network."""
    command = ["systemd-nspawn", "--register=no", "--keep-unit", "--private-network", "-q", "-b"]
    with subprocess.Popen(
        [*command, "-D", str(root.path)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    ) as program:
        try:
            listed = ["pgrep", "-P", str(program.pid)]
            found = until(lambda: subprocess.run(listed, capture_output=True, text=True).stdout)
            yield Booted(int(found.split()[0]))
        finally:
            program.terminate()  # it shuts the system down
            program.wait(60)


def until(what: "object") -> str:
    """What a function says as soon as it says something."""
    assert callable(what)
    end_s = time.monotonic() + START_S
    while not (said := what()):
        assert time.monotonic() < end_s, what
        time.sleep(0.5)
    return str(said)


def lives(root: Root, before: Path, now: Path) -> dict[str, object]:
    """Boot, look, kill, upgrade, stop."""
    install(root, before)
    began_s = time.monotonic()
    with booted(root) as system:
        until(system.serves)
        served_s = time.monotonic() - began_s
        assert system.run("systemctl", "is-active", UNIT) == "active"
        first = system.main_pid()
        owner = system.run("ps", "-o", "user=", "-p", str(first), code=None)
        status = system.run("cat", f"/proc/{first}/status")
        assert owner in ("", "table-assist", "table-a+"), owner
        assert "CapEff:\t0000000000000000" in status, status
        assert "NoNewPrivs:\t1" in status
        assert "Seccomp:\t2" in status
        said = system.run("journalctl", "-u", UNIT, "--no-pager")
        assert "Dashboard: http://127.0.0.1:8000/" in said
        assert "mode is different" not in said
        system.run("systemctl", "kill", "-s", "KILL", UNIT)
        until(lambda: system.main_pid() not in (0, first) and system.serves())
        second = system.main_pid()
        shutil.copy(now, root.path / "var" / "tmp" / now.name)
        system.run("env", "DEBIAN_FRONTEND=noninteractive", "dpkg", "-i", f"/var/tmp/{now.name}")
        until(lambda: system.main_pid() not in (0, second) and system.serves())
        system.run("systemctl", "stop", UNIT)
        assert system.run("systemctl", "is-failed", UNIT, code=None) == "inactive"
        system.run("dpkg", "-P", "table-assist")
        assert "table-assist" not in system.run("systemctl", "list-unit-files", "--no-pager")
    return {"boot_to_page_s": round(served_s, 1)}


def main() -> None:
    """Build two versions, boot, print one JSON line."""
    if shutil.which("systemd-nspawn") is None:
        sys.exit("The package was not booted: systemd-nspawn is not here (systemd-container).")
    with tempfile.TemporaryDirectory(prefix="booted-", dir="/var/tmp") as name:
        folder = Path(name)
        wheel = build(folder / "built").wheel
        packages = [
            build_deb.build(wheel, folder, "amd64", version, "none") for version in ("0.0.9", "")
        ]
        with fresh_root(folder) as root:
            subprocess.run(["umount", str(root.path / "proc")], check=True)
            try:
                took = lives(root, *packages)
            finally:
                subprocess.run(["mount", "--bind", "/proc", str(root.path / "proc")], check=True)
    print(json.dumps({"debian": "bookworm, booted", **took}))


if __name__ == "__main__":
    main()
