"""The virtual board: the firmware's core, compiled for this computer, on told time."""

import ctypes
import shutil
import subprocess
import tempfile
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
    """One board. Time is told by the caller, in milliseconds of any steady clock.

    Its sensors are at rest: what happens comes by `happen`, dice with their values, too.

    Args:
        drawn: four hexadecimal digits of it begin the boot id.

    Attributes:
        boot_id: eight hexadecimal digits, the start counted in the last four.
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
