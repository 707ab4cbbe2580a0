"""A pseudo-terminal at a path of our choice, as a serial port; and how its bytes are recorded.

Windows has none, nor has a container without /dev/pts: `open_line` then gives a line over TCP on
this machine.
"""

import contextlib
import os
import re
import socket
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

# The device's end of a serial line over TCP on this machine: for where no pseudo-terminal is.

LOCAL = "127.0.0.1"


class SocketLine:
    """Listens at an address of this machine alone; one program at a time opens it.

    Attributes:
        url: what the program opens.
    """

    def __init__(self, url: str = "") -> None:
        port = int(url.rpartition(":")[2]) if url else 0
        self._listening = socket.create_server((LOCAL, port))
        self._listening.setblocking(False)
        self._program: socket.socket | None = None
        self.url = f"socket://{LOCAL}:{self._listening.getsockname()[1]}"

    @property
    def descriptor(self) -> int:
        """Readable when the program has written something, or has come."""
        return (self._program or self._listening).fileno()

    def read(self, size: int) -> bytes:
        """The program's bytes, up to size; empty if there are none."""
        self._accept()
        if self._program is None:
            return b""
        try:
            data = self._program.recv(size)
        except BlockingIOError:
            return b""
        except OSError:
            data = b""
        if not data:
            self._leave()
        return data

    def write(self, data: bytes) -> None:
        """Send to the program; what nobody reads is lost, as on a wire."""
        self._accept()
        if self._program is not None:
            with contextlib.suppress(BlockingIOError):
                try:
                    self._program.send(data)
                except (ConnectionError, TimeoutError):
                    self._leave()

    def close(self) -> None:
        """Hang up: the program's open port fails."""
        self._leave()
        self._listening.close()

    def _accept(self) -> None:
        if self._program is None:
            with contextlib.suppress(BlockingIOError):
                self._program, _ = self._listening.accept()
                self._program.setblocking(False)

    def _leave(self) -> None:
        if self._program is not None:
            self._program.close()
        self._program = None


try:
    import tty
except ImportError:  # Windows
    HAS_TERMINALS = False
else:
    HAS_TERMINALS = hasattr(os, "openpty")


def open_line(path: str) -> "TerminalLine":
    """A line to open by that path, or by the line's own URL where paths cannot be lines.

    Args:
        path: where it is to stand; or the URL that a line had before.
    """
    if HAS_TERMINALS and not path.startswith("socket://"):
        with contextlib.suppress(NoTerminalError):
            return PseudoTerminal(path)
    return SocketLine(path if path.startswith("socket://") else "")


class NoTerminalError(OSError):
    """This machine gives out no pseudo-terminals."""


class PseudoTerminal:
    """The device's end of a serial line; the program's end is opened by the path.

    Attributes:
        descriptor: readable when the program has written something.
        url: the path.
    """

    def __init__(self, path: str) -> None:
        self.url = path
        self._path = Path(path)
        try:
            self.descriptor, self._other_end = os.openpty()
        except OSError as error:
            raise NoTerminalError(*error.args) from error
        # Raw before a program opens it; and our own hold on the other end stays, or else the
        # terminal would echo to itself, and reading would fail whenever nobody has it open.
        tty.setraw(self._other_end)
        os.set_blocking(self.descriptor, False)
        self._path.symlink_to(os.ttyname(self._other_end))

    def read(self, size: int) -> bytes:
        """The program's bytes, up to size; empty if there are none."""
        with contextlib.suppress(BlockingIOError):
            return os.read(self.descriptor, size)
        return b""

    def write(self, data: bytes) -> None:
        """Send to the program; what nobody reads is lost, as on a wire."""
        with contextlib.suppress(BlockingIOError):
            os.write(self.descriptor, data)

    def close(self) -> None:
        """Hang up: the path is gone, and the program's open port fails."""
        self._path.unlink(missing_ok=True)
        os.close(self.descriptor)
        os.close(self._other_end)


TerminalLine = PseudoTerminal | SocketLine


# [seconds][blank][printable characters, with escapes for the others]
_LINE = re.compile(r"([0-9]{1,9}\.[0-9]{1,9}) ((?:[ -\[\]-~]|\\[\\nrt]|\\x[0-9a-f]{2})*)\n?")


class LineRecordingError(Exception):
    """A file that is no recording; the message names the line."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Bytes that arrived together; ``t_s`` counts from the start of the recording."""

    t_s: float
    data: bytes


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
