"""Looking at a board from the command line; what a recording of it holds."""

import io
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.__main__ import CLEAR, Screen, main
from firmware_bridge.events import (
    DiceReport,
    Dome,
    Fault,
    Key,
    KeyPressed,
    LiftKeyPressed,
    LiftMoved,
    TrayWeighed,
    UnreadableEvent,
    WallReady,
)
from firmware_bridge.frames import BadFrame
from firmware_bridge.line_recording import (
    Chunk,
    LineRecordingError,
    read_chunks,
    write_chunk,
)
from firmware_bridge.link import (
    Ages,
    LinkDown,
    LinkHealth,
    LinkItem,
    LinkStatus,
    LinkUp,
)
from firmware_bridge.messages import BoardSnapshot, Hello, Inputs, OrderDone, Ping
from firmware_bridge.ports import FoundPort, find_ports
from firmware_bridge.receiver import ClockFit, Counters, EventsLost, Reading
from firmware_bridge.view import Narrator, describe_health, describe_inputs
from tests.stages.linked_board import VirtualBoard

PATIENCE_S = 30.0
HELLO = Hello(0, "A1B2C3D4", 5, 0, 1, "uno-0.1.0", ("DICE", "KEY"))


def reading(content: object, seq: int = 3, age_s: float = 0.0) -> Reading:
    return Reading(content, "A1B2C3D4", seq, 1000, 0.0, age_s)  # type: ignore[arg-type]


def snapshot(bits: int, bad_lines: int = 0) -> BoardSnapshot:
    return BoardSnapshot(3, "A1B2C3D4", 1000, 0, Inputs(bits), bad_lines)


@contextmanager
def running(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "firmware_bridge", *arguments]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]
    )
    try:
        yield process
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE_S)


def line_with(process: subprocess.Popen[str], text: str) -> str:
    assert process.stdout is not None
    for line in process.stdout:
        if text in line:
            return line
    raise AssertionError(f"the program ended without saying {text!r}")


@pytest.mark.parametrize(
    ("item", "line"),
    [
        (LinkUp(HELLO), "       up      uno-0.1.0, boot A1B2C3D4, protocol 1, tells DICE KEY"),
        (LinkDown("No."), "       down    No."),
        (BadFrame("noise", b"\xff'"), """       bad     noise: "\\xff'\""""),
        (OrderDone(Ping(), None, 0.003), "       order   Ping: taken after 3.0 ms"),
        (OrderDone(Ping(), "No.", 0.0), "       order   Ping: No."),
        (reading(DiceReport(1, (2, 6))), "    3  dice    side 1: 2 and 6"),
        (reading(DiceReport(1)), "    3  dice    side 1: dice that it cannot read"),
        (reading(WallReady()), "    3  wall    ready"),
        (reading(Dome(open=False)), "    3  dome    closed"),
        (reading(KeyPressed(0, Key.WIN), 65535, 61.04), "65535  key     seat 0: win  (61.0 s ago)"),
        (reading(LiftMoved(2, up=True)), "    3  lift    side 2: up"),
        (reading(LiftMoved(2, up=False)), "    3  lift    side 2: down"),
        (reading(LiftKeyPressed(1)), "    3  key     lift key 1"),
        (reading(TrayWeighed(3, -512)), "    3  tray    seat 3: -512 counts"),
        (reading(Fault("OVEN.7")), "    3  fault   OVEN.7"),
        (
            reading(Fault("WATCHDOG")),
            "    3  fault   WATCHDOG: the board restarted because its program had stopped",
        ),
        (
            reading(Fault("LADDER-1")),
            "    3  fault   LADDER-1: the voltage of seat 1's keypad belongs to no key",
        ),
        (
            reading(UnreadableEvent("LAMP", ("1", "0"), "unknown kind of event 'LAMP'")),
            "    3  ?       unknown kind of event 'LAMP' (1,0)",
        ),
        (reading(EventsLost(4)), "    3  lost    4 events, which the board could not keep"),
        (
            reading(HELLO, 0),
            "       start   the board restarted: "
            "uno-0.1.0, boot A1B2C3D4, protocol 1, tells DICE KEY",
        ),
    ],
)
def test_every_item_is_put_into_words(item: LinkItem | BadFrame, line: str) -> None:
    assert Narrator().lines(item) == [line]


def test_a_board_that_has_just_been_found_is_told_once() -> None:
    view = Narrator()
    assert len(view.lines(LinkUp(HELLO))) == 1
    assert view.lines(reading(HELLO, 0)) == []
    assert len(view.lines(reading(replace(HELLO, boot_id="A1B2C3D5"), 0))) == 1


def test_a_snapshot_is_shown_when_it_tells_something_new() -> None:
    view = Narrator()
    assert view.lines(reading(snapshot(0))) == ["       inputs  nothing"]
    assert view.lines(reading(snapshot(0))) == []
    assert view.lines(reading(snapshot(1 << 16 | 1 << 5 | 1 << 20))) == [
        "       inputs  + seat 1 win, + dice key 0, + wall ready"
    ]
    assert view.lines(reading(snapshot(1 << 20 | 1 << 21 | 1 << 25 | 1 << 27))) == [
        "       inputs  + dome open, + lift 3 up, + lift key 1, - seat 1 win, - dice key 0"
    ]
    assert describe_inputs(Inputs(1 << 28 | 1 << 31)) == "tray 0, tray 3"
    view.lines(reading(snapshot(0)))
    assert view.lines(reading(snapshot(0, bad_lines=2))) == [
        "       line    the board has received 2 bad lines and lost 0 bytes"
    ]


def test_the_links_health_is_one_line() -> None:
    fresh = LinkHealth(LinkStatus.CONNECTING, "")
    assert describe_health(fresh) == "connecting; 0 lines, 0 bad, 0 events lost"
    known = LinkHealth(
        LinkStatus.LOST,
        "",
        ages=Ages(line_s=4.26),
        counters=Counters(good=812, bad=3, lost=1, restarts=2),
        clock=ClockFit(300.0, 5.0, drift=-43e-6, span_s=600.0, delay_s=0.001),
        connects=4,
    )
    assert describe_health(known) == (
        "lost; last line 4.3 s ago; 812 lines, 3 bad, 1 events lost; "
        "found 4 times, 2 restarts; clock +43 ppm"
    )


def test_the_status_stays_below_what_scrolls_on_a_terminal() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    screen = Screen(terminal)
    screen.status("live " + "x" * 500)
    screen.print("one")
    screen.end("over")
    shown = terminal.getvalue()
    status, one, over = (part for part in shown.split(CLEAR) if part)
    assert status.startswith("live xxx")
    assert len(status) < 500
    assert one == f"one\n{status}"
    assert over == "over\n"
    file = io.StringIO()
    screen = Screen(file)
    screen.status("live")
    screen.print("one")
    screen.end("over")
    assert file.getvalue() == "one\nover\n"


def test_the_monitor_shows_what_happens_and_ends_when_told() -> None:
    with VirtualBoard() as board, running("monitor", board.port) as process:
        line_with(process, f"  up      uno-0.1.0, boot {board.boot_id}")
        board.press(2, Key.WIN)
        assert "    1  key     seat 2: win" in line_with(process, "  key  ")
        board.unplug()
        assert f"The board on {board.port} was unplugged." in line_with(process, "down")
        process.terminate()
        assert "The end: lost; last line" in line_with(process, "The end")
        assert process.wait(PATIENCE_S) == 0


@given(st.lists(st.tuples(st.floats(0, 1e6), st.binary(max_size=40))))
def test_a_recording_holds_any_bytes(pieces: list[tuple[float, bytes]]) -> None:
    chunks = [Chunk(round(t_s, 6), data) for t_s, data in pieces]
    lines = ["# a remark\n", "\n", *(write_chunk(chunk) + "\n" for chunk in chunks)]
    assert list(read_chunks(lines)) == chunks


@pytest.mark.parametrize(
    "line", ["hello", "1.5", "-1.0 x", "1.5 \\q", "1.5 \\x1", "nan x", "1.0 é"]
)
def test_what_is_no_recording_is_refused_with_its_line(line: str) -> None:
    with pytest.raises(LineRecordingError, match="Line 2 is no part of a recording"):
        list(read_chunks(["1.000000 ok\n", line + "\n"]))


def test_a_monitor_for_a_time_says_why_there_is_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["monitor", str(tmp_path / "none"), "--seconds", "0.2"]) == 0
    assert "is not there: is the board plugged in?" in capsys.readouterr().out


def test_ports_are_listed_with_their_usb_ids(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Listed:
        def __init__(self, device: str, vid: int | None, pid: int | None) -> None:
            self.device, self.vid, self.pid = device, vid, pid
            self.description, self.serial_number = "text", "7" if vid else None

    listed = [Listed("/dev/ttyS0", None, None), Listed("/dev/ttyACM0", 0x2341, 0x43)]
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: listed)
    assert find_ports() == (
        FoundPort("/dev/ttyACM0", "text", "2341:0043", "7"),
        FoundPort("/dev/ttyS0", "text", None, None),
    )
    assert main(["ports"]) == 0
    assert "/dev/ttyACM0  2341:0043" in capsys.readouterr().out
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: [])
    assert main(["ports"]) == 0
    assert "There is no serial port" in capsys.readouterr().out
