"""The Debian package for 64-bit Arm in a bookworm of that kind, under qemu-user: what runs there.

`python -m tests.packages.arm_root` needs root, mmdebstrap, qemu-user-static with binfmt, and an
index; part of `make packages`. The processor is called what a Raspberry Pi 5 has, a Cortex-A76.
Emulation says whether things run and what comes out, and nothing of how fast: a pass of the
detector takes some two hundred times as long as on the machine itself. `--demo` plays a hand
as well, the shortest of 150 seeds.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.packages.debian_root import Root, fresh_root, install
from tests.packages.journey import Journey, check, demo, judge, read, travel, version
from tests.packages.wheels import build
from tools import build_deb

PROCESSOR = "cortex-a76"
STEPS = (version, judge, read, check)
PATIENCE_S = 1800.0
DEMO_S = 8 * 3600.0


@contextmanager
def shared(root: Root, folder: Path) -> Iterator[None]:
    """A folder that has the same name inside, and terminals for the virtual board."""
    inside = root.path / folder.relative_to("/")
    inside.mkdir(parents=True)
    terminals = root.path / "dev" / "pts"
    terminals.mkdir(parents=True, exist_ok=True)
    mounts = [["--bind", str(folder), str(inside)]]
    mounts.append(["-t", "devpts", "-o", "newinstance,ptmxmode=0666", "devpts", str(terminals)])
    for words in mounts:
        subprocess.run(["mount", *words], check=True)
    (root.path / "dev" / "ptmx").unlink(missing_ok=True)
    (root.path / "dev" / "ptmx").symlink_to("pts/ptmx")
    try:
        yield
    finally:
        for words in mounts:
            subprocess.run(["umount", words[-1]], check=True)


def lives(root: Root, package: Path, picture: Path, *, plays: bool) -> dict[str, float]:
    """Install, and go through the steps; how long each took."""
    began_s = time.monotonic()
    install(root, package)
    folder = picture.parent / "empty"
    folder.mkdir()
    with shared(root, picture.parent):
        program = ["chroot", str(root.path), "env", "-i", f"QEMU_CPU={PROCESSOR}",
                   "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8", "PYTHONUNBUFFERED=1",
                   f"HOME={folder}", "table-assist"]  # fmt: skip
        journey = Journey(program, picture, folder, patience_s=PATIENCE_S)
        journey.took_s["install"] = round(time.monotonic() - began_s, 1)
        travel(journey, STEPS)
        if plays:
            journey.patience_s = DEMO_S
            travel(journey, [demo])
    return journey.took_s


def main() -> None:
    """Build, install, run; one JSON line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--demo", action="store_true", help="a simulated hand: takes half an hour or more"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="arm-root-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        built = build(folder / "built")
        package = build_deb.build(built.wheel, folder / "dist", "arm64")
        told: dict[str, object] = {"package_mb": round(package.stat().st_size / 1e6, 1)}
        place = folder / "shared"
        place.mkdir()
        picture = built.picture.rename(place / built.picture.name)
        try:
            with fresh_root(folder, "arm64") as root:
                told["steps_s"] = lives(root, package, picture, plays=options.demo)
                told["machine"] = root.run("uname", "-m").strip()
        except (AssertionError, subprocess.SubprocessError) as error:
            print(json.dumps({**told, "failed": str(error)[:2000]}))
            sys.exit(1)
        print(json.dumps(told))


if __name__ == "__main__":
    main()
