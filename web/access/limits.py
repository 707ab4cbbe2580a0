"""How often somebody may try: a small limiter of our own.

Flask-Limiter would bring six packages for what are two tables of numbers in one process.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from typing import Any

from flask import Flask
from werkzeug.exceptions import HTTPException
from werkzeug.http import parse_cookie

from web.access.pairing_sessions import PairingSessions
from web.access.trust import Trust

MOST_KNOWN = 1024  # addresses remembered; the one that was quiet longest is forgotten first
FIRST_DELAY_S = 1.0
LONGEST_DELAY_S = 300.0
FREE_FAILURES = 3  # people mistype


def origin_of(address: str) -> str:
    """The sender's address as it is counted: an IPv4 address, or the /64 network of an IPv6 one.

    >>> origin_of("192.168.1.7"), origin_of("2001:db8::1:2")
    ('192.168.1.7', '2001:db8::/64')
    """
    try:
        found = ip_address(address)
    except ValueError:
        return address[:64]
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return f"{IPv6Address(int(found) >> 64 << 64)}/64"
    return str(found)


class Limiter:
    """So many tries at once, and then so many each minute, for each sender.

    Args:
        burst: tries that may come at once.
        per_minute: how fast they come back.
        now: seconds of any clock that does not go back.
    """

    def __init__(
        self, burst: float, per_minute: float, now: Callable[[], float] = time.monotonic
    ) -> None:
        self.burst = burst
        self.per_minute = per_minute
        self._now = now
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, sender: str) -> float:
        """Use one try up: 0 if there was one, else in how many seconds there will be."""
        with self._lock:
            now = self._now()
            left, then = self._left.pop(sender, (self.burst, now))
            left = min(self.burst, left + (now - then) * self.per_minute / 60)
            wait_s = 0.0 if left >= 1 else (1 - left) * 60 / self.per_minute
            self._left[sender] = (left - 1 if wait_s == 0 else left, now)
            if len(self._left) > MOST_KNOWN:
                self._left.popitem(last=False)
            return wait_s


@dataclass(frozen=True, slots=True)
class _Failures:
    count: int
    until: float


class Delays:
    """Each failure after the first few doubles the time until the next try of the sender."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._failed: OrderedDict[str, _Failures] = OrderedDict()
        self._lock = threading.RLock()

    def wait_s(self, sender: str) -> float:
        """In how many seconds the sender may try again; 0 for now."""
        with self._lock:
            failed = self._failed.get(sender)
            return 0.0 if failed is None else max(0.0, failed.until - self._now())

    def begin(self, sender: str) -> float:
        """Try: 0 where the sender may, else in how many seconds.

        A try counts as a failure until `passed`, so that many at once gain nothing.
        """
        with self._lock:
            wait_s = self.wait_s(sender)
            if not wait_s:
                self.failed(sender)
            return wait_s

    def failed(self, sender: str, more: int = 1) -> None:
        """The sender was wrong; `more` is 0 for a try that was begun: the delay counts from now."""
        with self._lock:
            count = self._failed.pop(sender, _Failures(0, 0.0)).count + more
            over = count - FREE_FAILURES
            delay = min(LONGEST_DELAY_S, FIRST_DELAY_S * 2.0 ** min(over, 20)) if over >= 0 else 0.0
            self._failed[sender] = _Failures(count, self._now() + delay)
            if len(self._failed) > MOST_KNOWN:
                self._failed.popitem(last=False)

    def passed(self, sender: str) -> None:
        """The sender was right: nothing is held against it any more."""
        with self._lock:
            self._failed.pop(sender, None)


REQUEST_LIMIT = 65536  # bytes of a request, where its endpoint says nothing


@dataclass(frozen=True, slots=True)
class Asker:
    """The sender of a request.

    Attributes:
        sender: what counts as one sender.
        is_kept: this machine itself, or a device that was let in: places are kept for them.
        is_at_door: it asks where a club's tables do.
    """

    sender: str
    is_kept: bool
    is_at_door: bool = False


def asker_of(app: Flask, environ: dict[str, Any]) -> Asker:
    """The asker of the request; quick, since the server's loop waits for it."""
    trust: Trust = app.config["TABLE_TRUST"]
    seen = trust.seen(environ)
    sender = origin_of(seen.get("REMOTE_ADDR", ""))
    sessions: PairingSessions | None = app.extensions.get("sessions")
    token = sessions.token(parse_cookie(environ)) if sessions is not None else ""
    known = sessions.find(token) if sessions is not None and token else None
    return Asker(sender, known is not None or trust.is_local(seen))


def is_proxy(app: Flask, address: str) -> bool:
    """Whether many senders are behind this address."""
    trust: Trust = app.config["TABLE_TRUST"]
    return trust.is_proxy(address)


def body_limit_of(app: Flask, environ: dict[str, Any], asker: Asker) -> int:
    """How many bytes the request may have: what its endpoint declares (`web.access.guard.up_to`).

    Strangers never send more than a command.
    """
    if not asker.is_kept:
        return REQUEST_LIMIT
    adapter = app.url_map.bind("table")
    try:
        endpoint, _ = adapter.match(environ["PATH_INFO"], environ["REQUEST_METHOD"])
    except HTTPException:
        return REQUEST_LIMIT
    declared: int = getattr(app.view_functions[endpoint], "body_limit", REQUEST_LIMIT)
    return declared
