"""How a serial line's bytes are recorded: as text, with the time of each chunk."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

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
        LineRecordingError: a line is no time and bytes.
    """
    for number, line in enumerate(lines, start=1):
        if line.startswith("#") or not line.strip():
            continue
        match = _LINE.fullmatch(line)
        if match is None:
            raise LineRecordingError(f"Line {number} is no part of a recording: {line[:40]!r}.")
        seconds, text = match.groups()
        yield Chunk(float(seconds), text.encode().decode("unicode_escape").encode("latin-1"))
