"""Building sdist and wheel away from the clone, and environments that hold them."""

import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
from dataclasses import dataclass
from pathlib import Path

import cv2

from table_assist.parts import COMMIT, commit
from tests.packages.journey import WON
from tests.stages.drawn_hands import draw_row

ROOT = Path(__file__).parents[2]
_BUILD = "import sys; from setuptools import build_meta as b; getattr(b, sys.argv[1])(sys.argv[2])"


@dataclass(frozen=True, slots=True)
class Built:
    """What was built, of which commit, and a picture to try it with."""

    sdist: Path
    wheel: Path
    picture: Path
    commit: str


def build(folder: Path) -> Built:
    """The sdist of the working tree, and the wheel made of that sdist alone."""
    clone, out = folder / "clone", folder / "dist"
    out.mkdir(parents=True)
    built_of = commit()
    # The files that git knows or would know, as they are now, and which commit they are
    listed = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", "-z", "-co", "--exclude-standard"],
        capture_output=True,
        check=True,
    )
    for name in listed.stdout.decode().rstrip("\0").split("\0"):
        if (ROOT / name).is_file():
            (clone / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, clone / name)
    (clone / "table_assist" / COMMIT).write_text(built_of, encoding="ascii")
    _hook(clone, "build_sdist", out)
    (sdist,) = out.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extractall(folder / "unpacked", filter="data")
    (unpacked,) = (folder / "unpacked").iterdir()
    _hook(unpacked, "build_wheel", out)
    (wheel,) = out.glob("*.whl")
    picture = folder / "hand.png"
    cv2.imwrite(str(picture), draw_row(WON))
    return Built(sdist, wheel, picture, built_of)


def _hook(folder: Path, name: str, out: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _BUILD, name, str(out)], cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]


def environment_beside_ours(folder: Path, wheel: Path) -> Path:
    """The wheel in an environment of its own that finds our libraries, and nothing of the clone.

    A path file of another environment is not followed from here: so the editable installation,
    which would offer `web` and the others, is out of reach.
    """
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    python = folder / "bin" / "python"
    subprocess.run(
        [sys.executable, "-m", "pip", "--python", str(python), "install", "-q", "--no-deps",
         "--no-index", "--disable-pip-version-check", str(wheel)],
        check=True,
        env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
    )  # fmt: skip
    (packages,) = (folder / "lib").glob("python*/site-packages")
    (packages / "libraries.pth").write_text(sysconfig.get_paths()["purelib"] + "\n")
    return python
