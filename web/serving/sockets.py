"""The listening socket: it counts what it accepts, whatever server library stands behind it.

A connection takes its place when it is accepted, before a byte is read or TLS has begun, and gives
it back when its socket is closed. So half-open handshakes and silent connections count, too.
"""

import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from web.access.limits import origin_of
from web.access.trust import plain_address
from web.serving.places import Places

BACKLOG = 1024
HostPort = tuple[str, int]


class _Connection(socket.socket):
    """An accepted connection, which tells when it is closed."""

    __slots__ = ("gone",)
    gone: Callable[[], None] | None

    def close(self) -> None:
        """Close it, and give its place back."""
        gone, self.gone = getattr(self, "gone", None), None
        super().close()
        if gone is not None:
            gone()


class Connections:
    """The places, and the sockets that hold them; any thread.

    Args:
        is_proxy: whether an address is a proxy's, which many are behind.
    """

    def __init__(self, places: Places, is_proxy: Callable[[str], bool]) -> None:
        self._places = places
        self._is_proxy = is_proxy
        self._sockets: dict[object, _Connection] = {}
        self._lock = threading.RLock()

    @property
    def count(self) -> int:
        """Open connections."""
        return self._places.count

    def take(self, connection: _Connection, address: HostPort) -> bool:
        """Give an accepted connection its place; False where there is none."""
        with self._lock:
            to_close = self._places.open(
                address,
                origin_of(address[0]),
                is_own=(str(plain_address(address[0])) in ("127.0.0.1", "::1"))
                and not self._is_proxy(address[0]),
                alone=not self._is_proxy(address[0]),
            )
            for each in to_close:
                self._end(each)
            if address in to_close:
                return False
            self._sockets[address] = connection
        connection.gone = lambda: self._gone(address, connection)
        return True

    def ask(self, address: HostPort) -> None:
        """A request's head has come over the connection."""
        with self._lock:
            self._places.ask(address)

    def answer(self, address: HostPort) -> None:
        """Its answer is sent."""
        with self._lock:
            self._places.answer(address)

    def sweep(self) -> None:
        """End the connections that were idle for too long."""
        with self._lock:
            for address in self._places.overdue():
                self._places.close(address)
                self._end(address)

    def end_all(self) -> None:
        """End every connection."""
        with self._lock:
            for connection in self._sockets.values():
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)

    def _end(self, address: object) -> None:
        connection = self._sockets.pop(address, None)
        if connection is not None:
            connection.gone = None
            with suppress(OSError):  # the server reads the end, and closes it
                connection.shutdown(socket.SHUT_RDWR)

    def _gone(self, address: HostPort, connection: _Connection) -> None:
        with self._lock:
            if self._sockets.get(address) is connection:
                del self._sockets[address]
                self._places.close(address)


class Listening(socket.socket):
    """A listening socket whose connections take places."""

    connections: Connections

    def accept(self) -> tuple[socket.socket, Any]:
        """The next connection that gets a place.

        Raises:
            BlockingIOError: there is none now.
        """
        while True:
            accepted, address = super().accept()
            connection = _Connection(
                accepted.family, accepted.type, accepted.proto, fileno=accepted.detach()
            )
            if self.connections.take(connection, address[:2]):
                return connection, address
            connection.close()


def listen(host: str, port: int, connections: Connections, *, dead_s: float) -> Listening:
    """Listen on an address; port 0 takes a free one.

    Args:
        dead_s: a connection that takes nothing for so long is gone, where the system can tell.

    Raises:
        OSError, OverflowError: the port is taken, or the address is not this machine's.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = Listening(family, socket.SOCK_STREAM)
    listening.connections = connections
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # Accepted connections inherit both. An answer's body does not wait until its head is
        # confirmed: that took 40 ms each.
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, round(dead_s * 1000))
        listening.bind((host, port))
        listening.listen(BACKLOG)
    except (OSError, OverflowError):
        listening.close()
        raise
    return listening
