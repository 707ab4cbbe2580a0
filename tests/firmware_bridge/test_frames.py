"""Frames: the same frames from the same bytes, however they come, and nothing from noise."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import firmware_bridge.frames
from firmware_bridge.__main__ import COMMANDS, CommandError, help_lines, obey
from firmware_bridge.events import (
    DiceReport,
    Dome,
    EventContent,
    Fault,
    Key,
    KeyPressed,
    LiftKeyPressed,
    LiftMoved,
    TrayWeighed,
    WallReady,
)
from firmware_bridge.frames import MAX_LINE, BadFrame, Frame, FrameDecoder, encode
from firmware_bridge.link import LinkDown, LinkUp
from firmware_bridge.messages import Hello
from firmware_bridge.receiver import Reading
from firmware_bridge.simulator import VirtualBoard
from tests.stages.linked_board import PATIENCE_S, Host, linked
from tests.stages.linked_board import board as board

VECTORS: dict[str, list[dict[str, Any]]] = json.loads(
    (Path(firmware_bridge.frames.__file__).parent / "vectors.json").read_text()
)
STREAMS = VECTORS["streams"]

field_text = st.text("ABCZabcz0189._+-", max_size=8)
frames = st.builds(
    Frame,
    st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ", min_size=2, max_size=2),
    st.integers(0, 65535),
    st.lists(field_text, max_size=7).map(tuple),
)
# Bytes that mean something to the decoder come up often.
noise = st.lists(
    st.one_of(
        st.binary(max_size=20),
        st.sampled_from([b"$", b"*", b"\n", b"\r", b"#", b"\r\n", b"$EV,1*", b"x" * 90]),
        frames.map(encode),
    ),
    max_size=12,
).map(b"".join)


def decode(*chunks: bytes) -> list[Frame | BadFrame]:
    decoder = FrameDecoder()
    return [frame for chunk in chunks for frame in decoder.feed(chunk)]


def bitwise_checksum(body: bytes) -> int:
    """CRC-16/IBM-3740 bit by bit, as its definition says."""
    register = 0xFFFF
    for byte in body:
        register ^= byte << 8
        for _ in range(8):
            carry = register & 0x8000
            register = (register << 1) & 0xFFFF
            register ^= 0x1021 if carry else 0
    return register


@pytest.mark.parametrize("case", STREAMS, ids=lambda case: case["name"])
def test_stream_vectors_whole_and_byte_by_byte(case: dict[str, Any]) -> None:
    data = bytes.fromhex(case["hex"])
    expected = [
        found if found == "bad" else Frame(found["type"], found["seq"], tuple(found["fields"]))
        for found in case["found"]
    ]
    for chunks in ([data], [data[at : at + 1] for at in range(len(data))]):
        found = decode(*chunks)
        assert ["bad" if isinstance(frame, BadFrame) else frame for frame in found] == expected


@given(st.lists(frames, max_size=6), noise)
def test_frames_after_a_line_end_are_read_whatever_came_before(
    sent: list[Frame], before: bytes
) -> None:
    found = decode(before, b"\n", *(encode(frame) for frame in sent))
    assert found[len(found) - len(sent) :] == sent


def test_memory_stays_small_without_a_line_end() -> None:
    for byte in (b"x", b"$", b"#", b"\r", b"*"):
        decoder = FrameDecoder()
        for _ in range(100):
            decoder.feed(byte * 50)
        assert len(decoder._rest) < MAX_LINE, byte


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"hello", "noise outside a frame"),
        (b"$PI,17", "no checksum at the end"),
        (b"$PI,17*0000", "the checksum should be"),
        (b"x" * 200, "longer than 96 bytes"),
        (b"$PI,99999*%04X" % bitwise_checksum(b"PI,99999"), "99999 is above 65535"),
        (b"$pi,1*%04X" % bitwise_checksum(b"pi,1"), "not TYPE,seq,field"),
    ],
)
def test_a_bad_frame_says_why(line: bytes, reason: str) -> None:
    (bad,) = decode(line + b"\r\n")
    assert isinstance(bad, BadFrame)
    assert reason in bad.reason
    assert bad.raw == line[:MAX_LINE]


@pytest.mark.parametrize(
    "frame",
    [
        Frame("E", 1),
        Frame("EVE", 1),
        Frame("ev", 1),
        Frame("EV", -1),
        Frame("EV", 65536),
        Frame("EV", 1, ("a,b",)),
        Frame("EV", 1, ("a*b",)),
        Frame("EV", 1, ("$",)),
        Frame("EV", 1, ("é",)),
        Frame("EV", 1, ("a\n",)),
        Frame("EV", 1, ("A" * 90,)),
    ],
)
def test_what_a_line_cannot_hold_is_not_written(frame: Frame) -> None:
    with pytest.raises(ValueError, match=r"line"):
        encode(frame)


@pytest.fixture
def host(board: VirtualBoard) -> Iterator[Host]:
    with linked(board.port) as host:
        host.next(LinkUp)
        yield host


@pytest.mark.parametrize(
    ("line", "events"),
    [
        ("key 2 win", [KeyPressed(2, Key.WIN)]),
        ("dice 3", [DiceReport(3)]),
        ("dice 3 6 1", [DiceReport(3, (6, 1))]),
        ("liftkey 1", [LiftKeyPressed(1)]),
        ("lift 2 up", [LiftMoved(2, up=True)]),
        ("wall", [WallReady()]),
        ("dome open", [Dome(open=True)]),
        ("tray 1 -52000", [TrayWeighed(1, -52_000)]),
        ("fault WATCHDOG", [Fault("WATCHDOG")]),
    ],
)
def test_a_command_moves_what_it_names(
    line: str, events: list[EventContent], board: VirtualBoard, host: Host
) -> None:
    obey(board, line)
    assert host.next_events(len(events)) == events


def test_a_reset_and_a_pulled_plug(board: VirtualBoard, host: Host) -> None:
    obey(board, "reset")
    while not isinstance(host.next(Reading).content, Hello):
        pass
    port = board.port
    obey(board, "unplug")
    host.next(LinkDown)
    assert not os.path.exists(port)
    obey(board, "plug")
    host.next(LinkUp)
    obey(board, "unplug")
    obey(board, "plug ttyACM7")
    assert Path(board.port).name == "ttyACM7"
    assert os.path.exists(board.port)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("frob", "There is no command 'frob'; help lists them."),
        ("key 2", "It is written 'key SEAT KEY': there are 1 words after the first, not 2."),
        ("key 4 win", "there is no 4; there are 0 to 3"),
        ("key x win", "'x' is no number"),
        ("key 2 chow", "there is no key 'chow'; there are ready, win, kong, pass"),
        ("liftkey 4", "there is no 4; there are 0 to 1"),
        ("dice 0 7", "a die is '7'"),
        ("lift 2 high", "'high' is neither up nor down"),
        ("tray 0 9000000", "9000000 does not fit into the 24 bits"),
        ("fault", "FAULT has 0 fields"),
        ("plug ../x", "'../x' is no name of a port"),
    ],
)
def test_what_cannot_be_obeyed_is_said(line: str, why: str, board: VirtualBoard) -> None:
    with pytest.raises(CommandError) as raised:
        obey(board, line)
    assert why in str(raised.value)


def test_an_empty_line_is_nothing_and_every_command_has_its_help(board: VirtualBoard) -> None:
    obey(board, "")
    obey(board, "   ")
    assert len(help_lines()) == len(COMMANDS)
    assert all(max(map(len, help_lines())) < 100 for _ in COMMANDS)


def test_simulate_makes_a_port_that_a_monitor_can_watch() -> None:
    root = Path(__file__).parents[2]
    command = [sys.executable, "-m", "firmware_bridge"]
    simulate = subprocess.Popen(
        [*command, "simulate"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=root
    )
    assert simulate.stdout is not None
    assert simulate.stdin is not None
    port = simulate.stdout.readline().split()[4].rstrip(".")
    with subprocess.Popen(
        [*command, "monitor", port], stdout=subprocess.PIPE, text=True, cwd=root
    ) as monitor:
        assert monitor.stdout is not None
        assert "virtual-1" in monitor.stdout.readline()
        simulate.stdin.write("key 2 win\n")
        simulate.stdin.flush()
        assert any("seat 2: win" in line for line in monitor.stdout)
        monitor.terminate()
    out, _ = simulate.communicate("frob\nplug ttyACM7\nhelp\nquit\n", timeout=PATIENCE_S)
    assert "There is no command 'frob'" in out
    assert "The board is at" in out
    assert "key SEAT KEY" in out
    assert simulate.returncode == 0
    assert not os.path.exists(port)
