"""What a user flashes: the committed hex is built from the committed sources, and it is small."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.stages.native_board import DEVICE


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build from nothing, in a folder that has never been built in."""
    folder = tmp_path_factory.mktemp("firmware")
    assert make(f"BUILD={folder}", "-j2", "all").returncode == 0
    return folder


def make(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = ["make", "-s", "-C", str(DEVICE), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_committed_hex_is_what_the_sources_make(build: Path) -> None:
    assert (build / "uno_retrofit.hex").read_bytes() == (DEVICE / "uno_retrofit.hex").read_bytes()
    assert make(f"BUILD={build}", "check").returncode == 0


def test_a_hex_that_is_not_what_the_sources_make_is_refused(tmp_path: Path, build: Path) -> None:
    other = tmp_path / "other.hex"
    other.write_bytes((DEVICE / "uno_retrofit.hex").read_bytes()[:-2])
    refused = make(f"BUILD={build}", f"COMMITTED={other}", "check")
    assert refused.returncode != 0
    assert "is not what the sources make" in refused.stderr


def test_the_firmware_takes_at_most_60_per_cent_of_flash_and_ram(build: Path) -> None:
    done = make(f"BUILD={build}", "size")
    assert done.returncode == 0
    figures = re.search(r"flash \d+ bytes, ([\d.]+) %.*RAM \d+ bytes, ([\d.]+) %", done.stdout)
    assert figures is not None
    assert all(0 < float(per_cent) <= 60 for per_cent in figures.groups())


def test_the_figures_in_the_documentation_are_those_of_the_build(build: Path) -> None:
    figures = re.findall(r"[\d.]+", make(f"BUILD={build}", "size").stdout)
    flash, flash_share, _, ram, ram_share, _ = figures
    page = (DEVICE.parent.parent / "docs" / "BOARD.md").read_text()
    assert f"| flash | {int(flash):,} | {flash_share} % of 32768 |" in page
    assert f"| RAM | {int(ram):,} | {ram_share} % of 2048 |" in page


def test_a_firmware_that_is_too_large_is_refused(build: Path) -> None:
    assert make(f"BUILD={build}", "LIMIT=20", "size").returncode != 0


def test_the_folder_for_the_arduino_ide_has_every_file_of_the_sketch(tmp_path: Path) -> None:
    assert make(f"BUILD={tmp_path}", "sketch").returncode == 0
    names = {path.name for path in (tmp_path / "sketch" / "uno_retrofit").iterdir()}
    sources = [*(DEVICE / "core").iterdir(), *(DEVICE / "uno_retrofit").iterdir()]
    assert names == {path.name for path in sources}


def test_the_core_calls_nothing_of_arduino() -> None:
    for path in (DEVICE / "core").iterdir():
        includes = re.findall(r'#include [<"](.*)[>"]', path.read_text())
        foreign = {name for name in includes if not (DEVICE / "core" / name).exists()}
        assert foreign <= {"stdbool.h", "stdint.h", "avr/pgmspace.h"}
