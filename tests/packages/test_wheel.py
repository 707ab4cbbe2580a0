"""The built wheel is the product: it is installed, and everything is run from it."""

import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest

from table_assist.parts import VERSION
from tests.packages.journey import STEPS, Journey, demo, travel
from tests.packages.wheels import Built, build, environment_beside_ours

IMPORT_ALL = """
import importlib, importlib.util, pkgutil, sys
import table_assist
assert "site-packages" in table_assist.__file__, table_assist.__file__
for name in ("web", "models", "firmware_bridge"):
    assert importlib.util.find_spec(name) is None, name + " is there too"
names = [m.name for m in pkgutil.walk_packages(table_assist.__path__, "table_assist.")]
for name in names:
    if not name.endswith("__main__"):
        importlib.import_module(name)
print(len(names))
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    return build(tmp_path_factory.mktemp("built"))


@pytest.fixture(scope="module")
def python(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return environment_beside_ours(tmp_path_factory.mktemp("installed") / "venv", built.wheel)


def test_the_wheel_is_one_package_and_says_so(built: Built) -> None:
    with zipfile.ZipFile(built.wheel) as wheel:
        names = wheel.namelist()
        top = {name.split("/")[0] for name in names}
        assert top == {"table_assist", f"table_assist-{VERSION}.dist-info"}
        said = wheel.read(f"table_assist-{VERSION}.dist-info/top_level.txt")
        assert said.decode().split() == ["table_assist"]
    for wanted in (
        "models/weights/detector.onnx", "models/weights/recogniser.onnx",
        "club/designs.json",
        "firmware_bridge/device/uno_retrofit.hex", "firmware_bridge/device/core/board.c",
        "firmware_bridge/device/uno_retrofit/uno_retrofit.ino", "docs/table.example.toml",
        "languages/zh-Hant.po", "web/templates/television.html",
        "web/static/tiles/1m.svg", "twin/rasters/1m.png",
    ):  # fmt: skip
        assert f"table_assist/{wanted}" in names


def test_the_sources_hold_what_builds_and_tests_them(built: Built) -> None:
    with tarfile.open(built.sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    wanted = {"setup.py", "tools/wheel_contents.py", "Makefile", "tests/test_layers.py", "LICENSE"}
    assert wanted <= names
    assert not any("/build/" in name or "__pycache__" in name for name in names)


def test_every_module_can_be_imported_where_nothing_of_the_clone_is(
    python: Path, tmp_path: Path
) -> None:
    done = subprocess.run(
        [python, "-I", "-c", IMPORT_ALL], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 300


def test_the_installed_program_does_what_it_is_for(
    built: Built, python: Path, tmp_path: Path
) -> None:
    """All but the simulated table, which is a test of its own."""
    journey = Journey([str(python.with_name("table-assist"))], built.picture, tmp_path)
    travel(journey, [step for step in STEPS if step is not demo])
    assert f"commit {built.commit}\n" in journey.run("--version")


@pytest.mark.slow
def test_the_installed_program_follows_a_hand(built: Built, python: Path, tmp_path: Path) -> None:
    """Drawn pictures, the networks, a virtual board, the session: all of it from the wheel."""
    demo(Journey([str(python.with_name("table-assist"))], built.picture, tmp_path))
