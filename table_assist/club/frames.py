"""Messages over a WebSocket (RFC 6455), which every proxy passes on: whole ones, no extensions.

The tables' clients and the hub's server use the same few lines: nothing here reads or writes.
"""

import base64
import hashlib
from enum import IntEnum

MOST_OF_CONTROL = 125
_ACCEPT = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


class FrameError(ValueError):
    """The bytes are no frame that is taken here."""


class FrameKind(IntEnum):
    """The kinds of frames."""

    MORE = 0
    TEXT = 1
    BINARY = 2
    CLOSE = 8
    PING = 9
    PONG = 10


def accept_of(key: str) -> str:
    """The server's answer to a client's key.

    >>> accept_of("dGhlIHNhbXBsZSBub25jZQ==")
    's3pPLMBiTxaQ9kYGzzhZRbK+xOo='
    """
    return base64.b64encode(hashlib.sha1(key.encode() + _ACCEPT).digest()).decode()


def frame(content: bytes, kind: FrameKind = FrameKind.BINARY, mask: bytes = b"") -> bytes:
    """One message as one frame.

    Args:
        mask: four bytes of chance where a client sends it; empty for a server.
    """
    length, is_masked = len(content), 128 if mask else 0
    if length <= MOST_OF_CONTROL:
        head = bytes((128 | kind, is_masked | length))
    elif length < 1 << 16:
        head = bytes((128 | kind, is_masked | 126)) + length.to_bytes(2, "big")
    else:
        head = bytes((128 | kind, is_masked | 127)) + length.to_bytes(8, "big")
    return head + mask + (_masked(content, mask) if mask else content)


class Frames:
    """Makes messages of what comes.

    Args:
        most: bytes of a message.
        of_client: whether the other side is one, which masks what it sends.
    """

    def __init__(self, most: int, *, of_client: bool) -> None:
        self.most = most
        self._of_client = of_client
        self._came = bytearray()
        self._parts = bytearray()  # of a message that came in several frames
        self._kind = FrameKind.MORE

    def __len__(self) -> int:
        """Bytes that wait for more."""
        return len(self._came) + len(self._parts)

    def feed(self, part: bytes) -> None:
        """More has come."""
        self._came += part

    def next(self) -> tuple[FrameKind, bytes] | None:
        """The next whole message; None where more must come.

        Raises:
            FrameError: it is none.
        """
        while (found := self._frame()) is not None:
            is_last, kind, content = found
            if kind >= FrameKind.CLOSE:
                return kind, content
            if (kind is FrameKind.MORE) != (self._kind is not FrameKind.MORE):
                raise FrameError("a message begins within another")
            if is_last and kind is not FrameKind.MORE:
                return kind, content
            self._kind = self._kind or kind
            self._parts += content
            if len(self._parts) > self.most:
                raise FrameError(f"a message has more than {self.most} bytes")
            if is_last:
                whole, self._parts = bytes(self._parts), bytearray()
                kind, self._kind = self._kind, FrameKind.MORE
                return kind, whole
        return None

    def _frame(self) -> tuple[bool, FrameKind, bytes] | None:
        came = self._came
        if len(came) < 2:
            return None
        kind, length, at = self._head()
        if length < 0:
            return None
        end = at + 4 * self._of_client + length
        if len(came) < end:
            return None
        is_last, mask = bool(came[0] & 128), bytes(came[at : at + 4])
        content = bytes(came[end - length : end])
        del came[:end]
        return is_last, kind, _masked(content, mask) if self._of_client else content

    def _head(self) -> tuple[FrameKind, int, int]:
        """Kind, length (-1: it has not come) and where the head ends."""
        came = self._came
        first, second = came[0], came[1]
        length, at = second & 127, 2
        if length > MOST_OF_CONTROL:
            at = 4 if length == 126 else 10
            length = int.from_bytes(came[2:at], "big") if len(came) >= at else -1
        try:
            kind = FrameKind(first & 15)
        except ValueError:
            raise FrameError("a frame of no known kind") from None
        is_control = kind >= FrameKind.CLOSE
        if first & 112 or bool(second & 128) != self._of_client:
            raise FrameError("a frame with an extension, or without its mask")
        if length > self.most or (is_control and (at > 2 or not first & 128)):
            raise FrameError(f"a frame has more than {self.most} bytes")
        return kind, length, at


def _masked(content: bytes, mask: bytes) -> bytes:
    length = len(content)
    own = int.from_bytes((mask * (length // 4 + 1))[:length], "little")
    return (int.from_bytes(content, "little") ^ own).to_bytes(length, "little")
