r"""Frames: bytes to checked lines and back. No port, no clock, no meaning.

A frame is one ASCII line, ``$TYPE,seq,field,...*CRC\r\n``; docs/PROTOCOL.md has the whole format.
"""

import re
from binascii import crc_hqx
from dataclasses import dataclass

# A line with its CR LF. The longest greeting of protocol 1 fills it; what is longer is noise, and
# must not be collected for ever.
MAX_LINE = 96
# Sequence numbers are 16 bits wide and go on from 0.
SEQ_MODULUS = 1 << 16

# [$][two letters][,seq]([,field]...)[*][CRC of everything between $ and *]
_FRAME = re.compile(rb"\$([A-Z]{2},(?:0|[1-9][0-9]{0,4})(?:,[A-Za-z0-9._+-]*)*)\*([0-9A-F]{4})\r?")
_ENDS_IN_CHECKSUM = re.compile(rb"\$([^*]*)\*([0-9A-F]{4})\r?")


@dataclass(frozen=True, slots=True)
class Frame:
    """A line whose checksum is right.

    Attributes:
        type: two capital letters.
        seq: 0-65535; what it counts depends on the type.
        fields: letters, digits and ``. _ + -``; a field may be empty.
    """

    type: str
    seq: int
    fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BadFrame:
    """Bytes that are no frame: counted and dropped, never guessed at.

    Attributes:
        reason: why, in words.
        raw: what was received, without the line end; at most a line's length.
    """

    reason: str
    raw: bytes


def checksum(body: bytes) -> int:
    """CRC-16/IBM-3740 (polynomial 0x1021, start 0xFFFF, nothing reflected).

    >>> hex(checksum(b"123456789"))
    '0x29b1'
    """
    return crc_hqx(body, 0xFFFF)


def encode(frame: Frame) -> bytes:
    r"""Write a frame as a line.

    >>> encode(Frame("PI", 7))
    b'$PI,7*77F8\r\n'

    Raises:
        ValueError: the frame cannot be written so that it would be read back the same.
    """
    body = ",".join((frame.type, str(frame.seq), *frame.fields)).encode()
    line = b"$%b*%04X\r\n" % (body, checksum(body))
    if len(line) > MAX_LINE:
        raise ValueError(f"{frame} makes a line of {len(line)} bytes; the limit is {MAX_LINE}")
    if _read(line[:-2], MAX_LINE) != frame:
        raise ValueError(f"{frame} has a type, number or field that a line cannot hold")
    return line


def line_length(frame: Frame) -> int:
    """How many bytes the frame's line has, with its CR LF.

    >>> line_length(Frame("PI", 7)) == len(encode(Frame("PI", 7)))
    True
    """
    fields = sum(1 + len(field) for field in frame.fields)
    return len("$XX,*0000") + len(str(frame.seq)) + fields + len("\r\n")


class FrameDecoder:
    """Turns chunks of any size into frames; the frames do not depend on the chunking.

    A frame ends at the line end or at the next ``$``, so that a lost line end costs nothing.
    Lines that start with ``#`` are the board's debug text: dropped.
    """

    def __init__(self, max_line: int = MAX_LINE) -> None:
        self._max_line = max_line
        self._rest = b""  # the beginning of a line, below max_line bytes
        self._skipping = False  # inside an overlong piece, up to the next line end or $

    def feed(self, data: bytes) -> list[Frame | BadFrame]:
        """Take the next bytes; return what they complete, in order. Never raises."""
        if self._skipping:
            end = re.search(rb"[\n$]", data)
            if end is None:
                data = b""
            else:
                self._skipping = False
                data = data[end.start() :].removeprefix(b"\n")
        *lines, self._rest = (self._rest + data).split(b"\n")
        found: list[Frame | BadFrame] = []
        for line in lines:
            if line.rfind(b"$") == 0:  # the usual case: a frame and nothing else
                found.append(_read(line, self._max_line))
            elif not line.startswith(b"#"):
                found.extend(_read(piece, self._max_line) for piece in _pieces(line))
        if len(self._rest) >= self._max_line:
            self._shorten_rest(found)
        return found

    def _shorten_rest(self, found: list[Frame | BadFrame]) -> None:
        if self._rest.startswith(b"#"):
            self._rest = b"#"
            return
        *whole, last = _pieces(self._rest)
        found.extend(_read(piece, self._max_line) for piece in whole)
        self._rest = last
        if len(last) >= self._max_line:
            found.append(_read(last, self._max_line))
            self._rest, self._skipping = b"", True


def _pieces(line: bytes) -> list[bytes]:
    """Cut a line before every ``$``; an empty line has no pieces."""
    before, *bodies = line.split(b"$")
    pieces = [b"$" + body for body in bodies]
    if before not in (b"", b"\r"):
        pieces.insert(0, before)
    return pieces


def _read(piece: bytes, max_line: int) -> Frame | BadFrame:
    if len(piece) >= max_line:
        return BadFrame(f"longer than {max_line} bytes", piece[:max_line])
    match = _FRAME.fullmatch(piece)
    if match is None:
        return BadFrame(_why_unreadable(piece), piece.removesuffix(b"\r"))
    body, crc = match.groups()
    if int(crc, 16) != crc_hqx(body, 0xFFFF):
        return BadFrame(_wrong_checksum(body, crc), piece.removesuffix(b"\r"))
    kind, seq, *fields = body.decode().split(",")
    if int(seq) >= SEQ_MODULUS:
        return BadFrame(f"sequence number {seq} is above 65535", piece.removesuffix(b"\r"))
    return Frame(kind, int(seq), tuple(fields))


def _why_unreadable(piece: bytes) -> str:
    if not piece.startswith(b"$"):
        return "noise outside a frame"
    match = _ENDS_IN_CHECKSUM.fullmatch(piece)
    if match is None:
        return "no checksum at the end"
    body, crc = match.groups()
    if checksum(body) != int(crc, 16):
        return _wrong_checksum(body, crc)
    return "the checksum is right, but the line is not TYPE,seq,field,..."


def _wrong_checksum(body: bytes, received: bytes) -> str:
    return f"the checksum should be {checksum(body):04X} and is {received.decode()}"
