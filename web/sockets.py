"""The listening socket: it counts what it accepts, whatever server library stands behind it.

A connection takes its place when it is accepted, before a byte is read or TLS has begun, and gives
it back when its socket is closed. So half-open handshakes and silent connections count, too.
"""

import socket
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from web.access.limits import origin_of
from web.access.trust import plain_address

Key = Hashable


@dataclass(frozen=True, slots=True)
class PlaceLimits:
    """How many connections, and for how long.

    Attributes:
        total: of all senders together; each costs a file of this process, and some 30 KiB.
        sender: of one sender in the network; a browser opens six, and keeps some that died.
        kept: of the total, for this machine itself.
        first_s: from the connection to the end of its first request's head, TLS included.
        idle_s: from an answer to the end of the next request's head.
    """

    total: int = 2048
    sender: int = 48
    kept: int = 256
    first_s: float = 10.0
    idle_s: float = 20.0


@dataclass(frozen=True, slots=True)
class _Held:
    sender: str
    is_kept: bool  # one of this machine's own


@dataclass(slots=True)
class Places:
    """The open connections; one thread at a time.

    Args:
        now: seconds of a clock that does not go back.
    """

    limits: PlaceLimits = PlaceLimits()
    now: Callable[[], float] = time.monotonic
    _held: dict[Key, _Held] = field(default_factory=dict)
    _count: dict[str, int] = field(default_factory=dict)  # of each sender
    _idle: dict[str, OrderedDict[Key, float]] = field(default_factory=dict)  # until when each may
    _network: int = 0

    @property
    def count(self) -> int:
        """Open connections."""
        return len(self._held)

    def open(self, key: Key, sender: str, *, is_own: bool = False, alone: bool = True) -> list[Key]:
        """A connection came.

        Args:
            is_own: it is this machine's own.
            alone: the sender is one device; False for a proxy, which many are behind.

        Returns:
            Those to be closed for it; itself, where there is no place at all.
        """
        to_close = []
        if alone and not is_own and self._count.get(sender, 0) >= self.limits.sender:
            to_close.append(self._oldest(sender) or key)
        full = len(self._held) >= self.limits.total
        crowded = self._network >= self.limits.total - self.limits.kept
        if not to_close and (full if is_own else crowded):
            # The holder of the most idle connections gives one up
            greatest = max(self._idle, key=lambda each: len(self._idle[each]), default=None)
            to_close.append(self._oldest(greatest) or key)
        for each in to_close:
            self.close(each)
        if key not in to_close:
            self._held[key] = _Held(sender, is_own)
            self._count[sender] = self._count.get(sender, 0) + 1
            self._network += not is_own
            self._idle.setdefault(sender, OrderedDict())[key] = self.now() + self.limits.first_s
        return to_close

    def ask(self, key: Key) -> None:
        """A request's head is complete: the connection is not idle until it is answered."""
        if key in self._held:
            self._not_idle(key)

    def answer(self, key: Key) -> None:
        """The request is answered."""
        if key in self._held:
            self._not_idle(key)
            sender = self._held[key].sender
            self._idle.setdefault(sender, OrderedDict())[key] = self.now() + self.limits.idle_s

    def close(self, key: Key) -> None:
        """The connection is gone; any number of times."""
        held = self._held.get(key)
        if held is None:
            return
        self._not_idle(key)
        del self._held[key]
        self._network -= not held.is_kept
        self._count[held.sender] -= 1
        if not self._count[held.sender]:
            del self._count[held.sender]

    def overdue(self) -> list[Key]:
        """The idle connections whose time is up."""
        now = self.now()
        return [key for idle in self._idle.values() for key, until in idle.items() if until <= now]

    def _not_idle(self, key: Key) -> None:
        sender = self._held[key].sender
        idle = self._idle.get(sender)
        if idle is not None and idle.pop(key, None) is not None and not idle:
            del self._idle[sender]

    def _oldest(self, sender: str | None) -> Key | None:
        idle = self._idle.get(sender) if sender is not None else None
        return next(iter(idle)) if idle else None


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
