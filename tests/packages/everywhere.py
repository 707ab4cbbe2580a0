"""`make packages`: the wheel on every Python here, with the oldest and the locked libraries.

Each combination is an environment of its own, installed from the index; the journey is made in an
empty folder. One JSON line each: how long from the installation to the first verdict, how large.
`--quick` leaves the simulated hands out.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from tests.packages.journey import STEPS, Journey, check, demo, travel
from tests.packages.wheels import ROOT, Built, build

PYTHONS = ("3.11", "3.12", "3.13")
LIBRARIES = ("lock", "lowest")


def pythons() -> Iterator[Path]:
    """The Pythons of this machine that the program runs on."""
    for version in PYTHONS:
        found: list[object] = [shutil.which(f"python{version}")]
        # pyenv has those that are not chosen now too, but does not start them by name.
        found += sorted((Path.home() / ".pyenv" / "versions").glob(f"{version}.*/bin/python"))
        for path in filter(None, found):
            command = [str(path), "-c", "import sys; print(sys.executable)"]
            told = subprocess.run(command, capture_output=True, text=True)
            if told.returncode == 0:
                yield Path(told.stdout.strip())
                break


def find_uv(folder: Path) -> Path:
    """Resolves the oldest versions within the bounds; pip only knows the newest. With pipx."""
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    pip = [str(folder / "bin" / "pip"), "install", "-q", "--disable-pip-version-check"]
    subprocess.run([*pip, "uv", "pipx"], check=True)
    return folder / "bin" / "uv"


def oldest(uv: Path, python: Path, out: Path) -> Path:
    """The oldest versions within pyproject.toml's bounds that have wheels for this Python."""
    command = [uv, "pip", "compile", "-q", "--resolution", "lowest-direct", "--python", python,
               "--only-binary", ":all:", "--no-annotate", "--no-header",
               "--no-emit-index-url", "--no-emit-find-links", "-o", out,
               ROOT / "pyproject.toml"]  # fmt: skip
    subprocess.run([str(word) for word in command], check=True)
    return out


def try_one(
    python: Path, libraries: Path, *, built: Built, folder: Path, quick: bool
) -> dict[str, object]:
    """Install and travel; what it took."""
    began_s = time.monotonic()
    venv = folder / "venv"
    subprocess.run([str(python), "-m", "venv", str(venv)], check=True)
    pip = [str(venv / "bin" / "python"), "-I", "-m", "pip", "install", "-q",
           "--disable-pip-version-check", "--progress-bar", "off"]  # fmt: skip
    hashes = ["--require-hashes"] if "--hash" in libraries.read_text(encoding="utf-8") else []
    subprocess.run([*pip, *hashes, "-r", str(libraries)], check=True)
    subprocess.run([*pip, "--no-deps", str(built.wheel)], check=True)
    installed_s = time.monotonic()
    empty = folder / "empty"
    empty.mkdir()
    journey = Journey([str(venv / "bin" / "table-assist")], built.picture, empty)
    check(journey)
    verdict_s = time.monotonic()
    travel(journey, [step for step in STEPS if not (quick and step is demo)])
    (packages,) = (venv / "lib").glob("python*/site-packages")
    size = sum(path.lstat().st_size for path in packages.rglob("*") if path.is_file())
    return {
        "install_s": round(installed_s - began_s, 1),
        "to_first_verdict_s": round(verdict_s - began_s, 1),
        "site_packages_mb": round(size / 1e6),
        "steps_s": journey.took_s,
    }


def by_tool(name: str, bin_folder: Path, *, built: Built, folder: Path) -> dict[str, object]:
    """As people install it: by pipx, or by uvx without installing; with nothing in their caches."""
    own = {"PIPX_HOME": "pipx", "PIPX_BIN_DIR": "bin"}
    own |= {"UV_CACHE_DIR": "cache", "PIP_CACHE_DIR": "pip"}
    env = {**os.environ, **{key: str(folder / value) for key, value in own.items()}}
    empty = folder / "empty"
    empty.mkdir(parents=True)
    began_s = time.monotonic()
    if name == "pipx":
        install = [str(bin_folder / "pipx"), "install", "--python", sys.executable]
        subprocess.run([*install, str(built.wheel)], check=True, env=env, capture_output=True)
        program = [str(folder / "bin" / "table-assist")]
    else:
        program = [str(bin_folder / "uvx"), "--from", str(built.wheel), "table-assist"]
    done = subprocess.run(
        [*program, "check", str(built.picture), "--rules", "changsha"],
        cwd=empty, env=env, capture_output=True, text=True,
    )  # fmt: skip
    assert "A WIN" in done.stdout, done.stderr[-2000:]
    verdict_s = time.monotonic() - began_s
    (packages,) = {path.parent for path in folder.rglob("site-packages/table_assist")}
    size = sum(path.lstat().st_size for path in packages.rglob("*") if path.is_file())
    return {
        "to_first_verdict_s": round(verdict_s, 1),
        "site_packages_mb": round(size / 1e6),
    }


def main() -> None:
    """Try every combination; the exit code is 1 where one failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--python", action="append", help="such as 3.12; default: all there are")
    options = parser.parse_args()
    failed = False
    os.environ.pop("PYTHONPATH", None)  # pip would find the clone there, and install nothing
    with tempfile.TemporaryDirectory(prefix="packages-") as name:
        folder = Path(name)
        built = build(folder / "built")
        uv = find_uv(folder / "uv")
        sizes = {"wheel_mb": built.wheel.stat().st_size / 1e6}
        sizes["sdist_mb"] = built.sdist.stat().st_size / 1e6
        print(json.dumps({name: round(size, 1) for name, size in sizes.items()}), flush=True)
        for tool in ("pipx", "uvx"):
            work = partial(by_tool, tool, uv.parent, built=built, folder=folder / tool)
            failed |= attempted({"by": tool}, work)
        for python in pythons():
            for libraries in LIBRARIES:
                version = subprocess.run([str(python), "-V"], capture_output=True, text=True)
                told: dict[str, object] = {"python": version.stdout.split()[-1]}
                told["libraries"] = libraries
                if options.python and not str(told["python"]).startswith(tuple(options.python)):
                    continue
                place = folder / f"{told['python']}-{libraries}"
                place.mkdir()
                listed = ROOT / "requirements" / "light.txt"
                if libraries == "lowest":
                    listed = oldest(uv, python, place / "lowest.txt")
                work = partial(
                    try_one, python, listed, built=built, folder=place, quick=options.quick
                )
                failed |= attempted(told, work)
                shutil.rmtree(place, ignore_errors=True)
    sys.exit(failed)


def attempted(told: dict[str, object], work: Callable[[], dict[str, object]]) -> bool:
    """Do it, print one line of what it took; whether it failed."""
    try:
        told |= work()
    except (AssertionError, subprocess.SubprocessError) as error:
        told["failed"] = str(error)[:2000]
    print(json.dumps(told), flush=True)
    return "failed" in told


if __name__ == "__main__":
    main()
