"""The holders of connections, and which one goes when there are too many.

No sockets here: a connection is a key, and time is a parameter. An idle connection is one that is
not being answered: it has asked nothing yet, or its last question is answered. Idle ones are cheap
to lose, since a browser opens another by itself; so whoever holds the most idle ones loses one of
them, and one who comes new is let in. Nobody can keep others out by connecting and being silent.
"""

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

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
            to_close.append(self._oldest(self._greatest()) or key)
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

    def _greatest(self) -> str | None:
        """The holder of the most idle connections."""
        return max(self._idle, key=lambda sender: len(self._idle[sender]), default=None)
