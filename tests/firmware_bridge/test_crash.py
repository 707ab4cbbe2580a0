"""From key to log: a program killed between receiving and storing loses and doubles nothing."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from firmware_bridge.events import (
    DiceReport,
    Dome,
    EventContent,
    Key,
    KeyPressed,
    LiftMoved,
    WallReady,
)
from firmware_bridge.simulator import VirtualBoard
from table_assist.game.events import DiceRolled as DiceWereRolled
from table_assist.game.events import Throw, WallBuilt, WinDeclared
from table_assist.record.store import Store

PATIENCE_S = 60.0

# The program as `run` starts it, without a camera. It kills itself at its n-th writing of the log,
# just before the writing, just after it, or after it with no acknowledgement sent; 0 is never.
PROGRAM = """
import os, signal, sys
from pathlib import Path
from firmware_bridge.link import Link
from table_assist.twin.demo.demo import demo_config
from table_assist.record.store import Store
from table_assist.live.live_table import LiveTable
from table_assist.twin.lens import Lens

port, log, moment, fatal = *sys.argv[1:4], int(sys.argv[4])
append, writings = Store.append, 0

def deadly_append(self, entries):
    global writings
    writings += 1
    if moment == "before" and writings == fatal:
        os.kill(os.getpid(), signal.SIGKILL)
    append(self, entries)
    if moment != "before" and writings == fatal:
        os.kill(os.getpid(), signal.SIGKILL)

Store.append = deadly_append
if moment == "mute" and fatal:
    Link.acknowledge = lambda link, reading: None
table = LiveTable(demo_config(Lens(), port=port, log=Path(log)), camera=None, reader=None)
table.start()
print("started", flush=True)
sys.stdin.readline()
table.stop()
"""

# Signals that add an entry and signals that add none, all at once: they are received together.
HURRY: tuple[EventContent, ...] = (
    WallReady(),
    DiceReport(2, (3, 4)),
    LiftMoved(0, up=True),
    DiceReport(0, (1, 1)),
    KeyPressed(1, Key.KONG),
    DiceReport(1, (2, 2)),
    Dome(open=False),
    KeyPressed(3, Key.WIN),
)
EXPECTED = [
    WallBuilt(),
    DiceWereRolled(2, (3, 4), Throw.BREAK),
    DiceWereRolled(0, (1, 1)),
    DiceWereRolled(1, (2, 2)),
    WinDeclared(3),
]


@pytest.fixture
def board() -> Iterator[VirtualBoard]:
    with VirtualBoard() as board:
        yield board


@contextmanager
def program(
    board: VirtualBoard, log: Path, moment: str, fatal: int
) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", PROGRAM, board.port, str(log), moment, str(fatal)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "started\n"
        yield process


def board_events(log: Path) -> list[object]:
    """What the log has from the board, and what followed from nobody else."""
    with Store(log) as store:
        events = [entry.event for entry in store.load()]
    return [
        event for event in events if isinstance(event, WallBuilt | DiceWereRolled | WinDeclared)
    ]


@pytest.mark.parametrize(("moment", "writing"), [("before", 2), ("after", 3), ("mute", 4)])
def test_killed_while_storing_nothing_is_lost_and_nothing_doubled(
    moment: str, writing: int, tmp_path: Path, board: VirtualBoard
) -> None:
    log = tmp_path / "log.sqlite"
    for content in HURRY:
        board.happen(content)
    with program(board, log, moment, writing) as process:
        assert process.wait(PATIENCE_S) == -signal.SIGKILL
    assert board.pending
    with program(board, log, moment, 0) as process:
        until_s = time.monotonic() + PATIENCE_S
        while board.pending:
            assert time.monotonic() < until_s, "the board still waits for an acknowledgement"
            time.sleep(0.01)
        process.communicate("end\n", timeout=PATIENCE_S)
    assert process.returncode == 0
    assert board_events(log) == EXPECTED
