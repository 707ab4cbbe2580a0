"""Connections that stay open (WebSocket, RFC 6455): a message, its answer, the next message.

Of HTTP there is only the beginning. No request, no task and no thread is made for a message, so a
hub answers several times as many as requests. While one is being answered nothing more is read.
"""

import asyncio
from collections.abc import Callable
from email.utils import formatdate
from functools import partial
from typing import Any, Protocol

from table_assist.club.frames import FrameError, FrameKind, Frames, accept_of, frame
from web.serving.sockets import Connections

MOST_WAITING = 1 << 28  # bytes of all messages that have come in part
Reply = Callable[[bytes | None], None]


class LineTalk(Protocol):
    """One open connection's other end.

    Attributes:
        most: bytes of its next message.
    """

    most: int

    def take(self, message: bytes, reply: Reply) -> None:
        """Answer a message, now or later, in the loop; with None the connection ends."""
        ...


class Lines:
    """The connections that may be opened, and how.

    Args:
        path: where.
        talk: begins to talk; None of it: not over such a connection.
    """

    def __init__(
        self, path: str, talk: Callable[[bool], LineTalk | None], connections: Connections
    ) -> None:
        self.path, self.talk, self.connections = path, talk, connections
        self.waiting = 0

    def protocol(self) -> Any:
        """The protocol that uvicorn hands a connection to."""
        return partial(_Line, self)


class _Line(asyncio.Protocol):
    """One connection; uvicorn has read its request, and gives it as the first data."""

    transport: asyncio.Transport

    def __init__(self, lines: Lines, config: Any, server_state: Any, app_state: Any) -> None:
        self._lines, self._others = lines, server_state.connections
        self._frames = Frames(0, of_client=True)
        self._talk: LineTalk | None = None
        self._counted = 0
        self._is_busy = self._is_over = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """It was another protocol's before."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self._address = tuple(transport.get_extra_info("peername", ("", 0))[:2])
        self._others.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """It is over."""
        self._is_over = True
        self._others.discard(self)
        self._count(0)

    def shutdown(self) -> None:
        """The server ends."""
        self._end()

    def data_received(self, data: bytes) -> None:
        """The request, then messages."""
        if self._talk is None:
            self._begin(data)
            return
        self._frames.feed(data)
        if self._is_busy:
            self.transport.pause_reading()
            self._count(len(self._frames))
        else:
            self._go_on()

    def _begin(self, data: bytes) -> None:
        first, *rest = data.decode("latin-1").split("\r\n")
        given = {
            name.lower(): value.strip() for name, _, value in (row.partition(":") for row in rest)
        }
        key, is_tls = given.get("sec-websocket-key"), self.transport.get_extra_info("sslcontext")
        is_it = first.split(" ")[:2] == ["GET", self._lines.path]
        is_it = is_it and given.get("sec-websocket-version") == "13" and key is not None
        self._talk = self._lines.talk(is_tls is not None) if is_it else None
        if self._talk is None or key is None:
            self.transport.write(
                b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
            )
            self.transport.close()
            return
        self.transport.write(
            "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\n"
            f"sec-websocket-accept: {accept_of(key)}\r\n"
            f"date: {formatdate(usegmt=True)}\r\n\r\n".encode()
        )
        self._lines.connections.answer(self._address)  # idle until it speaks

    def _go_on(self) -> None:
        """The next message, where it is here."""
        assert self._talk is not None
        self._frames.most = self._talk.most
        try:
            while not self._is_busy and (found := self._frames.next()) is not None:
                self._heard(*found)
        except FrameError:
            self._end()
        self._count(len(self._frames))

    def _heard(self, kind: FrameKind, content: bytes) -> None:
        assert self._talk is not None
        if kind is FrameKind.CLOSE:
            self._end()
        elif kind is FrameKind.PING:
            self.transport.write(frame(content, FrameKind.PONG))
        elif kind is not FrameKind.PONG:
            self._is_busy = True
            self._lines.connections.ask(self._address)
            self._talk.take(content, self._reply)

    def _reply(self, content: bytes | None) -> None:
        if self._is_over:
            return
        if content is None:
            self._end()
            return
        self.transport.write(frame(content))
        self._lines.connections.answer(self._address)
        self._is_busy = False
        self.transport.resume_reading()
        if len(self._frames):
            self._go_on()

    def _end(self) -> None:
        if not self._is_over:
            self._is_over = True
            self.transport.write(frame(b"", FrameKind.CLOSE))
            self.transport.close()

    def _count(self, now: int) -> None:
        """How much waits here; strangers together may not fill the memory."""
        self._lines.waiting += now - self._counted
        self._counted = now
        if self._lines.waiting > MOST_WAITING and now:
            self._lines.waiting -= now
            self._counted = 0
            self._is_over = True
            self.transport.abort()
