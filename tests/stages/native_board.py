"""The firmware's core as a program on this computer: pins moved and time stepped by the test."""

import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Self

import pytest

from firmware_bridge.frames import BadFrame, Frame, FrameDecoder, encode
from firmware_bridge.messages import (
    Acknowledge,
    BoardSnapshot,
    Event,
    Hello,
    Message,
    acknowledge_frame,
    parse,
)

DEVICE = Path(__file__).parents[2] / "firmware_bridge" / "device"
# Switch inputs, as in docs/BOARD.md.
DICE_KEY, LIFT_KEY, LIFT, WALL, DOME = 0, 4, 6, 10, 11
NO_KEY = 1023  # a keypad's voltage
# How long an input must be steady, in milliseconds.
PRESSED, RELEASED, LIMIT_SWITCH, WALL_READY, WALL_GONE = 8, 40, 50, 150, 500


@cache
def built() -> Path:
    """Build the native programs, unless they are newer than their sources; their folder."""
    make = ["make", "-s", "-C", str(DEVICE), "native"]
    done = subprocess.run(make, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return DEVICE / "build" / "native"


class NativeBoard:
    """A board at its start. Use it as a context: at the end its program must have no complaint.

    Attributes:
        sent: what the board has sent, with the millisecond.
        lights: when its light went on (True) and off.
    """

    def __init__(self, program: str = "board") -> None:
        self.sent: list[tuple[int, bytes]] = []
        self.lights: list[tuple[int, bool]] = []
        self._seen: set[tuple[str, int]] = set()
        self._process = subprocess.Popen(
            [built() / program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        _, complaint = self._process.communicate(timeout=30)
        if error is None:
            assert (self._process.returncode, complaint) == (0, "")

    def do(self, command: str) -> list[str]:
        """Give a command of the native program; its answer, less what the board sent."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(command + "\n")
        self._process.stdin.flush()
        answer = []
        while (line := self._process.stdout.readline()) != ".\n":
            assert line, self._process.communicate(timeout=30)[1]
            name, *words = line.split()
            if name == "sent":
                self.sent.append((int(words[0]), bytes.fromhex(words[1])))
            elif name == "light":
                self.lights.append((int(words[0]), words[1] == "1"))
            else:
                answer.append(line.rstrip("\n"))
        return answer

    def start(self, at_ms: int = 0, cause: str = "") -> Hello:
        """Power on, reset or restart; returns the board's greeting."""
        self.do(f"start {at_ms} {cause}")
        hello, snapshot = self.messages()
        assert isinstance(hello, Hello)
        assert isinstance(snapshot, BoardSnapshot)
        return hello

    def run(self, milliseconds: int) -> list[Message]:
        """Let time pass; what the board said in it."""
        self.do(f"run {milliseconds}")
        return self.messages()

    def events(self, milliseconds: int) -> list[str]:
        """Let time pass; the events in it, in words, without repetitions: ``["KEY,2,WIN"]``."""
        self.do(f"run {milliseconds}")
        events = [frame for frame in self.frames() if frame.type == "EV"]
        new = {
            (frame.fields[0], frame.seq): ",".join(frame.fields[2:])
            for frame in events
            if (frame.fields[0], frame.seq) not in self._seen
        }
        self._seen.update(new)
        return list(new.values())

    def frames(self) -> list[Frame]:
        """What the board has sent since the last look: nothing of it may be damaged."""
        found = FrameDecoder().feed(b"".join(data for _, data in self.sent))
        self.sent = []
        frames = [frame for frame in found if not isinstance(frame, BadFrame)]
        assert frames == found
        return frames

    def messages(self) -> list[Message]:
        """The same, as messages; answers to orders are left out."""
        messages = (parse(frame) for frame in self.frames())
        return [
            message for message in messages if isinstance(message, Hello | Event | BoardSnapshot)
        ]

    def snapshot(self) -> BoardSnapshot:
        """Let time pass up to the next snapshot."""
        for message in self.run(500):
            if isinstance(message, BoardSnapshot):
                last = message
        return last

    def receive(self, *lines: bytes) -> list[Frame]:
        """Lines arrive at once; what the board answers."""
        self.do(f"receive {b''.join(lines).hex()}")
        return self.frames()

    def acknowledge(self, seq: int, boot_id: str) -> list[Frame]:
        """The host acknowledges an event."""
        return self.receive(encode(acknowledge_frame(Acknowledge(seq, boot_id))))


@pytest.fixture
def board() -> Iterator[NativeBoard]:
    with NativeBoard() as board:
        yield board
