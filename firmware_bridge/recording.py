r"""Recordings of what a board sent: a text file with a time and some bytes in each line.

``12.345678 $EV,3,A1B2C3D4,6100,WALL*001A\r\n`` is seconds since the start, a blank, and the bytes
as in a Python string. Lines that start with ``#`` are remarks.
"""

import re
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from firmware_bridge.pseudo_terminal import TerminalLine

POLL_S = 0.02
# A line of 96 bytes takes 8 ms; what comes later than this belongs to another.
LINE_S = 0.25
# [seconds][blank][printable characters, with escapes for the others]
_LINE = re.compile(r"([0-9]{1,9}\.[0-9]{1,9}) ((?:[ -\[\]-~]|\\[\\nrt]|\\x[0-9a-f]{2})*)\n?")


class LineRecordingError(Exception):
    """A file that is no recording; the message names the line."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Bytes that arrived together; ``t_s`` counts from the start of the recording."""

    t_s: float
    data: bytes


class LineRecorder:
    """Gathers bytes to whole lines, which can be read, and writes each with its first byte's time.

    Args:
        write: takes a line of the recording, without its line end.
    """

    def __init__(self, write: Callable[[str], object]) -> None:
        self._write = write
        self._rest = Chunk(0.0, b"")

    def take(self, t_s: float, data: bytes) -> None:
        """Note that bytes have arrived."""
        if self._rest.data and t_s - self._rest.t_s > LINE_S:
            self.flush()  # half a line, and then a pause
        for line in re.findall(rb"[^\n]*\n|[^\n]+", data):
            begun = self._rest if self._rest.data else Chunk(t_s, b"")
            self._rest = Chunk(begun.t_s, begun.data + line)
            if line.endswith(b"\n"):
                self.flush()

    def flush(self) -> None:
        """Write the line that is not complete."""
        if self._rest.data:
            self._write(write_chunk(self._rest))
        self._rest = Chunk(0.0, b"")


def write_chunk(chunk: Chunk) -> str:
    r"""The line of a chunk, without its line end.

    >>> write_chunk(Chunk(1.5, b"\x00$PI"))
    '1.500000 \\x00$PI'
    """
    text = chunk.data.decode("latin-1").encode("unicode_escape").decode("ascii")
    return f"{chunk.t_s:.6f} {text}"


def read_chunks(lines: Iterable[str]) -> Iterator[Chunk]:
    """Read a recording's lines.

    Raises:
        RecordingError: a line is no time and bytes.
    """
    for number, line in enumerate(lines, start=1):
        if line.startswith("#") or not line.strip():
            continue
        match = _LINE.fullmatch(line)
        if match is None:
            raise LineRecordingError(f"Line {number} is no part of a recording: {line[:40]!r}.")
        seconds, text = match.groups()
        yield Chunk(float(seconds), text.encode().decode("unicode_escape").encode("latin-1"))


def play(
    chunks: Iterable[Chunk],
    terminal: TerminalLine,
    *,
    speed: float = 1.0,
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """Send a recording to whoever opens the terminal, beginning when that program first speaks.

    Args:
        chunks: in order of time.
        terminal: where a link is, or will be.
        speed: 2 plays twice as fast.
        sleep: waits so many seconds.
    """
    while not terminal.read(1000):
        sleep(POLL_S)
    played_s = 0.0
    for chunk in chunks:
        sleep(max(0.0, (chunk.t_s - played_s) / speed))
        played_s = max(played_s, chunk.t_s)
        terminal.write(chunk.data)
        terminal.read(1000)
