"""The Debian package in a fresh bookworm: installed, run, upgraded, downgraded, removed, purged.

`python -m tests.packages.debian_root` needs root, mmdebstrap and an index; part of `make packages`.
The unit's own command runs under its user and groups: systemd itself does not run in a chroot.
"""

import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.packages.journey import address, fetch, wait
from tests.packages.wheels import ROOT, build
from tools import build_deb

UNIT = "lib/systemd/system/table-assist.service"
EVENING = ROOT / "tests" / "fixtures" / "before_the_move" / "evening.sqlite"
LOG = "var/lib/table-assist/table-assist.sqlite"
# What installing and removing any package leaves behind.
USUAL = ("var/lib/dpkg", "var/log", "var/cache", "var/lib/systemd", "etc/passwd", "etc/group",
         "etc/shadow", "etc/gshadow", "etc/subuid", "etc/subgid", "tmp", "proc", "run")  # fmt: skip


class Root:
    """A bookworm of its own in a folder."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def run(self, *command: str, user: str = "root", code: int | None = 0) -> str:
        """What a command says in there."""
        done = subprocess.run(
            [*self.inside(user), *command], capture_output=True, text=True, timeout=600
        )
        assert code is None or done.returncode == code, (command, done.stdout, done.stderr)
        return done.stdout + done.stderr

    def inside(self, user: str) -> list[str]:
        """The words before a command that run it as that user, with all the user's groups."""
        clean = ["env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8"]
        clean += ["DEBIAN_FRONTEND=noninteractive"]
        if user != "root":
            clean += ["setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups"]
        return ["chroot", str(self.path), *clean]

    def files(self) -> set[str]:
        """Every path that is somebody's own."""
        found = set()
        for folder, folders, names in os.walk(self.path):
            here = Path(folder).relative_to(self.path)
            folders[:] = [each for each in folders if not str(here / each).startswith(USUAL)]
            found |= {str(here / name) for name in [*names, *folders]}
        return {path for path in found if not path.startswith(USUAL) and "__pycache__" not in path}


@contextmanager
def fresh_root(folder: Path, architecture: str = "amd64") -> Iterator[Root]:
    """A bookworm as mmdebstrap makes it, with what a small server has."""
    options = [f"--architectures={architecture}", "--variant=minbase"]
    options.append("--include=python3,systemd,udev,adduser,util-linux")
    tree = folder / "root"
    subprocess.run(["mmdebstrap", "-q", *options, "bookworm", str(tree)], check=True)
    subprocess.run(["mount", "--bind", "/proc", str(tree / "proc")], check=True)
    try:
        yield Root(tree)
    finally:
        subprocess.run(["umount", str(tree / "proc")], check=True)


def unit_command(root: Root) -> list[str]:
    """What the unit would start, with its environment."""
    lines = (root.path / UNIT).read_text(encoding="utf-8").splitlines()
    said = {line.partition("=")[0]: line.partition("=")[2] for line in lines if "=" in line}
    words = [word for word in shlex.split(said["ExecStart"]) if word != "$OPTIONS"]
    return ["env", "-C", said["WorkingDirectory"], *shlex.split(said["Environment"]), *words]


def serves(root: Root) -> str:
    """Start the unit's command; the state of the table that its page shows."""
    command = [*root.inside("table-assist"), *unit_command(root), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as program:
        try:
            url = address(program, "Dashboard: ")
            wait(lambda: b"<html" in fetch(url), "the page")
            return fetch(f"{url}api/table").decode()
        finally:
            program.terminate()
            program.wait(60)


def scores(root: Root) -> list[int]:
    """The seats' scores, by the page."""
    return [seat["score"] for seat in json.loads(serves(root))["seats"]]


def install(root: Root, package: Path) -> None:
    """As `apt install ./FILE` does where everything else is there."""
    shutil.copy(package, root.path / "tmp" / package.name)
    root.run("dpkg", "-i", f"/tmp/{package.name}")


def understands_udev(root: Root) -> None:
    """That system's own udev reads the rules, and complains of none."""
    system = root.path / "sys"
    subprocess.run(["mount", "--bind", "/sys", str(system)], check=True)
    try:
        said = root.run("udevadm", "test", "/sys/class/mem/null", code=None)
    finally:
        subprocess.run(["umount", str(system)], check=True)
        shutil.rmtree(root.path / "dev" / "char", ignore_errors=True)  # the trial's own link
    named = [line for line in said.splitlines() if "70-table-assist.rules" in line]
    assert len(named) == 1, named
    assert named[0].startswith("Reading rules file"), named


def lives(root: Root, before: Path, now: Path) -> dict[str, float]:
    """The package's whole life in a root."""
    clean, took = root.files(), {}
    began_s = time.monotonic()
    install(root, before)
    took["install_s"] = time.monotonic() - began_s
    assert "dialout" in root.run("id", "table-assist")
    assert "video" in root.run("id", "table-assist")
    understands_udev(root)
    serves(root)
    shutil.copy(EVENING, root.path / LOG)
    root.run("chown", "table-assist:", f"/{LOG}")
    kept = scores(root)
    assert any(kept)
    settings = root.path / "etc/table-assist/table.toml"
    settings.write_text(settings.read_text() + '[seats]\nnames = ["A", "B", "C", "D"]\n')
    for package in (now, before, now):  # upgrade, downgrade, upgrade
        install(root, package)
        assert scores(root) == kept
        assert '"A"' in settings.read_text()
    root.run("dpkg", "-r", "table-assist")
    assert (root.path / LOG).exists(), "remove keeps the record"
    install(root, now)
    assert scores(root) == kept
    began_s = time.monotonic()
    root.run("dpkg", "-P", "table-assist")
    took["purge_s"] = time.monotonic() - began_s
    left = sorted(root.files() - clean)
    assert not left, left
    assert "table-assist" not in (root.path / "etc/passwd").read_text()
    return {name: round(seconds, 1) for name, seconds in took.items()}


def main() -> None:
    """Build two versions, and try them."""
    with tempfile.TemporaryDirectory(prefix="debian-") as name:
        folder = Path(name)
        wheel = build(folder / "built").wheel
        packages = [
            build_deb.build(wheel, folder, "amd64", version, "none") for version in ("0.0.9", "")
        ]
        with fresh_root(folder) as root:
            took = lives(root, *packages)
    print(json.dumps({"debian": "bookworm", "architecture": "amd64", **took}))


if __name__ == "__main__":
    sys.exit(main())
