"""The virtual board: the firmware's core, compiled here, on told time; and a line that damages."""

import ctypes
import random
import shutil
import subprocess
import tempfile
from collections import deque
from enum import StrEnum
from functools import cache
from pathlib import Path

from firmware_bridge.events import EventContent, write_event
from firmware_bridge.frames import Frame, FrameDecoder, encode

DEVICE = Path(__file__).parents[1] / "firmware_bridge" / "device"
RECEIVE_BUFFER = 64  # bytes, as in the Arduino core for this chip
KEPT_EVENTS = 32
ANY_KIND = 7  # of event: the core keeps it, and what it says is put in as it is sent


@cache
def built() -> Path:
    """Build the native programs, unless they are newer than their sources; their folder."""
    make = ["make", "-s", "-C", str(DEVICE), "native"]
    done = subprocess.run(make, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return DEVICE / "build" / "native"


class Board:
    """One board, whose boot id begins with what was drawn and counts the starts.

    Time is told by the caller, in milliseconds of any steady clock. Its sensors are at rest: what
    happens comes by `happen`, dice with their values, too.
    """

    def __init__(self, drawn: int, now_ms: int) -> None:
        with tempfile.TemporaryDirectory() as folder:  # loaded under its own name: its own memory
            self._core = ctypes.CDLL(shutil.copy(built() / "board.so", folder))
        self._core.events_last.restype = ctypes.c_uint16
        self._core.events_pending.restype = ctypes.c_uint8
        self._now = ctypes.c_uint32.in_dll(self._core, "now")
        self._sent = (ctypes.c_uint8 * 8192).in_dll(self._core, "sent")
        self._count = ctypes.c_uint.in_dll(self._core, "sent_count")
        ctypes.c_uint32.in_dll(self._core, "next_random").value = drawn
        self._contents: dict[int, EventContent] = {}
        self.start(now_ms)

    def start(self, now_ms: int) -> None:
        """Power on or reset: all is lost, and the boot id is the next."""
        self._now.value = self._started_ms = now_ms
        self._core.board_start()
        self._hello = b""
        self._hello = self.step(now_ms) or b""

    def happen(self, content: EventContent, now_ms: int) -> None:
        """Something happens at the table."""
        self._core.events_add(ANY_KIND, 0, 0, ctypes.c_uint32(now_ms - self._started_ms))
        self._contents[self._core.events_last()] = content

    def receive(self, data: bytes) -> None:
        """Bytes arrive: as many as there is room for are kept, the rest is counted and lost."""
        for byte in data:
            self._core.arrive(byte)

    def step(self, now_ms: int) -> bytes | None:
        """One pass of the main loop: the next line to send, or None if there is nothing to say."""
        hello, self._hello = self._hello, b""
        if hello:
            return hello
        self._now.value = now_ms
        self._core.board_pass()
        line, self._count.value = bytes(self._sent[: self._count.value]), 0
        for frame in FrameDecoder().feed(line):
            assert isinstance(frame, Frame)
            if frame.type == "HI":
                self.boot_id = frame.fields[0]
                self._started_ms = now_ms - int(frame.fields[1])
            elif frame.type == "EV":
                said = write_event(self._contents[frame.seq])
                line = encode(Frame("EV", frame.seq, (*frame.fields[:2], *said)))
        return line or None

    @property
    def pending(self) -> int:
        """How many events it keeps."""
        return int(self._core.events_pending())


class LineFault(StrEnum):
    """Damage to one frame on its way."""

    DROP = "drop"
    GARBLE = "garble"  # one to three bits flipped, anywhere in the line
    NOISE = "noise"  # up to 40 random bytes in front of it
    DUPLICATE = "duplicate"
    REORDER = "reorder"  # it arrives after the next frame
    HALF = "half"  # the rest of the line, and its end, are missing


class FaultyLine:
    """Carries lines; does to each what was ordered, if anything. The damage comes from the seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._script: deque[LineFault] = deque()
        self._held = b""

    def harm(self, fault: LineFault, frames: int = 1) -> None:
        """Order a fault for as many frames, after those that are ordered already."""
        self._script.extend([fault] * frames)

    def carry(self, line: bytes) -> bytes:
        """The bytes that arrive when this line is sent."""
        fault = self._script.popleft() if self._script else None
        if fault is LineFault.REORDER:
            arriving, self._held = self._held, line
            return arriving
        arriving, self._held = self._damage(line, fault) + self._held, b""
        return arriving

    def _damage(self, line: bytes, fault: LineFault | None) -> bytes:
        match fault:
            case LineFault.DROP:
                return b""
            case LineFault.GARBLE:
                damaged = bytearray(line)
                for _ in range(self._random.randint(1, 3)):
                    damaged[self._random.randrange(len(line))] ^= 1 << self._random.randrange(8)
                return bytes(damaged)
            case LineFault.NOISE:
                return self._random.randbytes(self._random.randint(1, 40)) + line
            case LineFault.DUPLICATE:
                return line + line
            case LineFault.HALF:
                return line[: self._random.randrange(1, len(line) - 2)]
            case _:
                return line
