"""Looking at a board from the command line; recordings and their replay."""

import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.__main__ import main
from firmware_bridge.board import BoardTiming
from firmware_bridge.events import (
    DiceRolled,
    Fault,
    Key,
    KeyPressed,
    LiftKeyPressed,
    LiftMoved,
    TrayWeighed,
    UnreadableEvent,
)
from firmware_bridge.frames import BadFrame
from firmware_bridge.inflight import OrderDone
from firmware_bridge.link import Item, Link, LinkDown, LinkTiming, LinkUp
from firmware_bridge.messages import Hello, Inputs, Snapshot
from firmware_bridge.orders import Ping
from firmware_bridge.ports import FoundPort, find_ports
from firmware_bridge.pseudo_terminal import PseudoTerminal
from firmware_bridge.receiver import EventsLost, Reading
from firmware_bridge.recording import Chunk, RecordingError, play, read_chunks, write_chunk
from firmware_bridge.simulator import VirtualBoard
from firmware_bridge.view import View

PATIENCE_S = 30.0
QUICK = LinkTiming(poll_s=0.005, ask_s=0.1, first_wait_s=0.05)
HELLO = Hello(0, "A1B2C3D4", 5, 0, 1, "uno-0.1.0", ("DICE", "KEY"))


def reading(content: object, seq: int = 3, age_s: float = 0.0) -> Reading:
    return Reading(content, "A1B2C3D4", seq, 1000, 0.0, age_s)  # type: ignore[arg-type]


def snapshot(bits: int, bad_lines: int = 0) -> Snapshot:
    return Snapshot(3, "A1B2C3D4", 1000, 0, Inputs(bits), bad_lines)


@contextmanager
def running(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "firmware_bridge", *arguments]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[1]
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
    ("item", "lines"),
    [
        (LinkUp(HELLO), ["up      uno-0.1.0, boot A1B2C3D4, protocol 1, tells DICE KEY"]),
        (LinkDown("No."), ["down    No."]),
        (BadFrame("noise", b"\xff"), [r"bad     noise: b'\xff'"]),
        (OrderDone(Ping(), None, 0.003), ["order   Ping() taken after 3.0 ms"]),
        (reading(DiceRolled(1, (2, 6))), ["3       dice    side 1: 2 and 6"]),
        (reading(DiceRolled(1)), ["3       dice    side 1: dice that it cannot read"]),
        (reading(KeyPressed(0, Key.WIN), 12, 61.04), ["12      key     seat 0: win  (61.0 s ago)"]),
        (reading(LiftMoved(2, up=True)), ["3       lift    side 2: up"]),
        (reading(LiftMoved(2, up=False)), ["3       lift    side 2: down"]),
        (reading(LiftKeyPressed(1)), ["3       key     lift key 1"]),
        (reading(TrayWeighed(3, -512)), ["3       tray    seat 3: -512 counts"]),
        (reading(Fault("OVEN.7")), ["3       fault   OVEN.7"]),
        (
            reading(Fault("WATCHDOG")),
            ["3       fault   WATCHDOG: the board restarted because its program had stopped"],
        ),
        (
            reading(Fault("LADDER-1")),
            ["3       fault   LADDER-1: the voltage of seat 1's keypad belongs to no key"],
        ),
        (
            reading(UnreadableEvent("LAMP", ("1", "0"), "unknown kind of event 'LAMP'")),
            ["3       ?       unknown kind of event 'LAMP' (1,0)"],
        ),
        (reading(EventsLost(4)), ["3       lost    4 events, which the board could not keep"]),
        (
            reading(HELLO, 0),
            ["0       start   uno-0.1.0, boot A1B2C3D4, protocol 1, tells DICE KEY"],
        ),
    ],
)
def test_every_item_is_put_into_words(item: Item | BadFrame, lines: list[str]) -> None:
    assert View().lines(item) == lines


def test_a_snapshot_is_shown_when_it_tells_something_new() -> None:
    view = View()
    assert view.lines(reading(snapshot(0))) == ["inputs  wall not ready, dome closed"]
    assert view.lines(reading(snapshot(0))) == []
    assert view.lines(reading(snapshot(1 << 16 | 1 << 5 | 1 << 21))) == [
        "inputs  wall not ready, dome open, held: dice key 0, seat 1 win"
    ]
    assert view.lines(reading(snapshot(1 << 22 | 1 << 25 | 1 << 27 | 1 << 29))) == [
        "inputs  wall not ready, dome closed, lifts up 0 3, trays 1, held: lift key 1"
    ]
    view.lines(reading(snapshot(0)))
    view.lines(reading(snapshot(1 << 16 | 1 << 5 | 1 << 21)))
    assert view.lines(reading(snapshot(1 << 16 | 1 << 5 | 1 << 21, bad_lines=2))) == [
        "line    the board has received 2 bad lines and lost 0 bytes"
    ]


def test_the_monitor_shows_what_happens_and_ends_when_told() -> None:
    with VirtualBoard() as board, running("monitor", board.port) as process:
        line_with(process, f"up      virtual-1, boot {board.boot_id}")
        board.press(2, Key.WIN)
        assert "1       key     seat 2: win" in line_with(process, "key ")
        board.unplug()
        assert f"The board on {board.port} was unplugged." in line_with(process, "down")
        process.terminate()
        assert process.wait(PATIENCE_S) == 0


def test_a_recording_is_replayed_as_a_port(tmp_path: Path) -> None:
    file = tmp_path / "evening.txt"
    with VirtualBoard(timing=BoardTiming(snapshot_ms=50)) as board:
        with running("record", board.port, str(file)) as process:
            line_with(process, "up ")
            board.roll_dice(3, (1, 4))
            board.press(0, Key.READY)
            line_with(process, "key ")
        boot_id = board.boot_id

    events: queue.SimpleQueue[Reading] = queue.SimpleQueue()

    def deliver(item: Item) -> None:
        if isinstance(item, Reading) and item.is_event:
            events.put(item)

    with running("replay", str(file), "--speed", "10") as process:
        path = line_with(process, "Open ").split()[1].rstrip(";")
        link = Link(path, deliver, timing=QUICK)
        link.start()
        replayed = [events.get(timeout=PATIENCE_S) for _ in range(2)]
        link.stop()
    assert [one.content for one in replayed] == [DiceRolled(3, (1, 4)), KeyPressed(0, Key.READY)]
    assert {one.boot_id for one in replayed} == {boot_id}


def test_a_replay_keeps_the_recorded_times(tmp_path: Path) -> None:
    terminal = PseudoTerminal(str(tmp_path / "port"))
    program = os.open(tmp_path / "port", os.O_RDWR | os.O_NOCTTY)
    os.write(program, b"$RQ")
    waits: list[float] = []
    play([Chunk(1.0, b"a"), Chunk(3.0, b"b")], terminal, speed=2.0, sleep=waits.append)
    assert os.read(program, 1) + os.read(program, 1) == b"ab"
    assert [wait for wait in waits if wait != 0.02] == [0.5, 1.0]
    os.close(program)
    terminal.close()


@given(st.lists(st.tuples(st.floats(0, 1e6), st.binary(max_size=40))))
def test_a_recording_holds_any_bytes(pieces: list[tuple[float, bytes]]) -> None:
    chunks = [Chunk(round(t_s, 6), data) for t_s, data in pieces]
    lines = ["# a remark\n", "\n", *(write_chunk(chunk) + "\n" for chunk in chunks)]
    assert list(read_chunks(lines)) == chunks


@pytest.mark.parametrize(
    "line", ["hello", "1.5", "-1.0 x", "1.5 \\q", "1.5 \\x1", "nan x", "1.0 é"]
)
def test_what_is_no_recording_is_refused_with_its_line(line: str) -> None:
    with pytest.raises(RecordingError, match="Line 2 is no part of a recording"):
        list(read_chunks(["1.000000 ok\n", line + "\n"]))


def test_bad_files_end_with_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing, binary = tmp_path / "missing", tmp_path / "binary"
    binary.write_bytes(bytes(range(256)))
    assert main(["replay", str(missing)]) == 2
    assert main(["replay", str(binary)]) == 2
    assert main(["record", "loop://", str(tmp_path)]) == 2
    first, second, third = capsys.readouterr().err.splitlines()
    assert first == f"{missing} cannot be used: No such file or directory."
    assert second.startswith(f"{binary}: Line ")
    assert third == f"{tmp_path} cannot be used: Is a directory."


def test_a_wrong_speed_is_a_usage_error() -> None:
    with pytest.raises(SystemExit) as ended:
        main(["replay", "x", "--speed", "0"])
    assert ended.value.code == 2


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


def test_no_thread_is_left_behind() -> None:
    before = threading.active_count()
    with VirtualBoard() as board:
        link = Link(board.port, lambda item: None, timing=QUICK)
        link.start()
        link.stop()
    assert threading.active_count() == before
    assert not Path(board.port).parent.exists()
