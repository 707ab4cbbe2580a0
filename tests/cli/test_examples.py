"""Every command's help ends with two examples, and each of them does what it says."""

import argparse
import io
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import cv2
import pytest

from firmware_bridge import flashing
from table_assist.cli.arguments import COMMAND_EXAMPLES, build_parser, commands_of
from table_assist.cli.main import main
from table_assist.cli.shared_arguments import PASSED_ON
from table_assist.live.manifest import current_weights
from table_assist.rules.registry import find_rules
from table_assist.twin.lens import Lens
from table_assist.upkeep.demo import make_renderer
from tests.packages.journey import WON
from tests.stages.dealt import LAID
from tests.stages.drawn_hands import draw_row
from tests.stages.linked_board import VirtualBoard

pytestmark = pytest.mark.slow

SAMPLES = Path(__file__).parents[1] / "fixtures" / "before_the_move"
# These go on until they are told to end.
SERVING = ("run", "club --base", "score", "demo", "trial")
# What there is to say no to: a board that nobody presses, a set whose pictures are one.
FAILING = {"firmware test": 1, "doctor --config": 1, "verify old-dispute": 1}
SLOW = ("calibrate", "enrol home", "replay")
RUN = [
    pytest.param(line, marks=pytest.mark.slow if line.startswith((*SLOW, *SERVING)) else ())
    for told in COMMAND_EXAMPLES.values()
    for line in dict.fromkeys(told)
]


def leaves(parser: argparse.ArgumentParser, name: str = "") -> Iterator[tuple[str, str]]:
    """Each command that does something, and its help."""
    below = commands_of(parser)
    if not below:
        yield name, parser.format_help()
    for word, command in below.items():
        yield from leaves(command, f"{name} {word}".strip())


def test_every_help_ends_with_its_examples() -> None:
    seen = set()
    for name, told in leaves(build_parser()):
        if name.removeprefix("firmware ") in PASSED_ON and name.startswith("firmware"):
            continue  # the board's own program has its own help
        seen.add(name)
        lines = list(dict.fromkeys(COMMAND_EXAMPLES[name]))
        assert told.endswith("".join(f"  table-assist {line}\n" for line in lines)), name
        assert all(line.startswith(name) for line in lines)
        assert len(lines) == 2
    assert seen == set(COMMAND_EXAMPLES)


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of somebody who has played an evening."""
    folder = tmp_path_factory.mktemp("evening") / "table"
    shutil.copytree(SAMPLES, folder)
    shutil.copytree(SAMPLES / "recording", folder / "evening")
    manifest = folder / "evening" / "manifest.json"
    told = json.loads(manifest.read_text(encoding="utf-8"))
    manifest.write_text(json.dumps(told | {"weights": current_weights()}), "utf-8")  # of today
    shutil.copytree(folder / "evening", folder / "tried" / "recording-1")
    shutil.copy(SAMPLES / "evening.sqlite", folder / "table-assist.sqlite")
    shutil.copy(SAMPLES / "table.tablebackup", folder / "old.tablebackup")
    shutil.copy(SAMPLES / "dispute.zip", folder / "old-dispute.zip")
    shutil.copy(folder / "table.toml", folder / "cellar.toml")
    cv2.imwrite(str(folder / "hand.jpg"), draw_row(WON))
    lens = Lens(size_wh=(1280, 720), px_per_mm=0.85)
    seen = make_renderer(find_rules("changsha"), seed=3, lens=lens).picture(LAID)
    (folder / "pictures").mkdir()
    for path in ("table.jpg", "pictures/1.jpg"):
        cv2.imwrite(str(folder / path), seen)
    return folder


@pytest.fixture
def table(evening: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it, which is where we are."""
    folder = Path(shutil.copytree(evening, tmp_path / "table"))
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    return folder


@pytest.fixture
def board(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """A board that is the only one there is, and avrdude's part played by a script."""
    avrdude = tmp_path / "bin" / "avrdude"
    avrdude.parent.mkdir()
    avrdude.write_text("#!/bin/sh\nexit 0\n")
    avrdude.chmod(0o755)
    monkeypatch.setenv("PATH", str(avrdude.parent), prepend=os.pathsep)
    with VirtualBoard() as virtual:
        monkeypatch.setattr(flashing, "choose_port", lambda named, found: virtual.port)
        monkeypatch.setattr(
            "table_assist.cli.firmware.choose_port", lambda named, found: virtual.port
        )
        yield


@pytest.mark.parametrize("line", RUN)
@pytest.mark.usefixtures("board")
def test_an_example_does_what_it_says(
    line: str, table: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if line.startswith(SERVING):
        serve(line)
        return
    monkeypatch.setattr("sys.stdin", io.StringIO("a long enough word\n"))
    code = main(shlex.split(line))
    wanted = next((code for name, code in FAILING.items() if line.startswith(name)), 0)
    assert code == wanted, capsys.readouterr()


def serve(line: str) -> None:
    """Start it beside whatever uses its usual ports, until it says where its pages are."""
    words = shlex.split(line)
    if "--port" not in words:
        words += ["--port", "0"]
    if "--tls" in words:
        words += ["--tls-port", "0"]
    command = [sys.executable, "-m", "table_assist", *words]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    environment["PYTHONPATH"] = str(Path(__file__).parents[2])
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as program:
        assert program.stdout is not None
        said = ""
        for row in program.stdout:
            said += row
            if "http" in row:
                break
        program.send_signal(signal.SIGTERM)
        said += program.communicate(timeout=60)[0]
    assert program.returncode == 0, said
    assert "http" in said
