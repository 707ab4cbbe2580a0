"""Live views by server-sent events, now or some seconds ago.

A viewer gets only the newest view: what it was too slow to see is skipped, so nothing queues up.
With ``?delay=20`` everything is that many seconds old. The server's loop runs the views, as a task
each; no thread waits for a viewer. Events:

``hello``   first of all: the program's run and its clock, so that ages are told by one clock
``view``    the whole view, when anything about the game changed; its id is run.version
``health``  the sources alone, when nothing else changed
``waiting`` the phones that want to be let in, for who may decide
``beat``    every few seconds, so that a page can tell a quiet table from a dead line
"""

import asyncio
import secrets
import threading
import time
import weakref
from bisect import bisect_right
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from flask import Blueprint, Flask, Response, current_app, request

from table_assist.languages.words import Words, phrase, speaking
from table_assist.live.live_table import LiveTable
from table_assist.record.snapshot import Snapshot
from web.access.limits import origin_of
from web.access.pairing import Pairing
from web.access.pairing_sessions import PairingSessions
from web.access.roles import LOCAL_VIEWER, Role, Viewer, require, viewer
from web.answers import refusal_answer, to_json
from web.api.pairing_api import waiting_view
from web.bridge import LIVE
from web.language import chosen_language
from web.refusal import refuse
from web.view import present
from web.view.secrecy import is_secret, masked
from web.view.sentences import is_unfollowed

LONGEST_STREAM_DELAY_S = 300
Shown = TypeVar("Shown")
NOTHING_YET = -1  # the version of a table of which nothing is old enough


@dataclass(slots=True)
class Past(Generic[Shown]):
    """What was shown in the last seconds, as late as anybody has asked for it; one thread.

    Attributes:
        now: a steady clock, seconds.
        kept: each with when it was new, the oldest first.
    """

    now: Callable[[], float] = time.monotonic
    longest_s: int = 0
    kept: list[tuple[float, Shown]] = field(default_factory=list)

    def ask(self, delay_s: int) -> None:
        """Keep it for so long from now on; at most `LONGEST_STREAM_DELAY_S`."""
        self.longest_s = max(self.longest_s, min(delay_s, LONGEST_STREAM_DELAY_S))

    def keep(self, shown: Shown) -> None:
        """Keep the newest."""
        self.kept.append((self.now(), shown))
        # The newest of those that are old enough for every delay is still shown.
        del self.kept[: max(0, self._at(self.longest_s))]

    def behind(self, delay_s: int) -> Shown | None:
        """So many seconds ago; None where none is so old."""
        found = self._at(delay_s)
        return None if found < 0 else self.kept[found][1]

    def _at(self, delay_s: int) -> int:
        return bisect_right(self.kept, self.now() - delay_s, key=lambda each: each[0]) - 1


class TablePast:
    """Keeps what a table published.

    Args:
        now: a steady clock, seconds.
    """

    def __init__(self, source: "Publisher", now: Callable[[], float] = time.monotonic) -> None:
        self._source = source
        self._past = Past[tuple[int, Snapshot]](now)
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._is_over = False

    def behind(self, delay_s: int) -> "Delayed":
        """The table ``delay_s`` seconds ago, from now on; at most `LONGEST_STREAM_DELAY_S`."""
        with self._changed:
            self._past.ask(delay_s)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="past", daemon=True)
                self._thread.start()
        return Delayed(self, delay_s)

    def end(self) -> None:
        """Keep nothing any more."""
        self._is_over = True

    def keep(self, version: int, snapshot: Snapshot) -> None:
        """Keep the newest snapshot."""
        with self._changed:
            self._past.keep((version, snapshot))
            self._changed.notify_all()

    def newest_before(self, delay_s: int) -> tuple[int, Snapshot | None]:
        """Version and snapshot of so many seconds ago; nothing, where none is so old."""
        with self._changed:
            return self._past.behind(delay_s) or (NOTHING_YET, None)

    def wait_until_due(self, version: int, delay_s: int, timeout_s: float) -> Snapshot | None:
        """Block until something after ``version`` is so old; None on timeout."""
        now, end_s = self._past.now, self._past.now() + timeout_s
        while True:
            known, snapshot = self.newest_before(delay_s)
            if known > version:
                return snapshot
            with self._changed:
                new = (since for since, (each, _) in self._past.kept if each > version)
                left_s = min(end_s, next(new, end_s) + delay_s) - now()
                if now() >= end_s:
                    return None
                self._changed.wait(max(left_s, 0.001))

    def _run(self) -> None:
        version = NOTHING_YET
        while not self._is_over:
            seen = self._source.version  # read first: its snapshot may be newer, never older
            snapshot = self._source.wait(version, STREAM_LOOK_S)
            if snapshot is not None:
                version = seen
                self.keep(seen, snapshot)


@dataclass(frozen=True, slots=True)
class Delayed:
    """A table's publications, so many seconds late."""

    past: TablePast
    delay_s: int

    @property
    def version(self) -> int:
        """Of what is shown now."""
        return self.past.newest_before(self.delay_s)[0]

    @property
    def snapshot(self) -> Snapshot | None:
        """The snapshot that is shown now; None where nothing is old enough."""
        return self.past.newest_before(self.delay_s)[1]

    def wait(self, after: int, timeout_s: float) -> Snapshot | None:
        """As `LiveTable.wait`, late."""
        return self.past.wait_until_due(after, self.delay_s, timeout_s)


Publisher = LiveTable | Delayed  # what viewers watch


VIEWER_LIMIT = 512  # four phones and a television many times over; each costs a task
PLACES_KEPT = 128  # of them for this machine and for devices that were let in
OWN_VIEWS = 8  # of one stranger, or of one device
LOCAL_VIEWS = 32
BEAT_S = 5.0  # a page that hears nothing for more than two of these says so
COMMENT_S = 15.0  # for proxies and tools that look for comments, as the SSE standard advises
STREAM_LOOK_S = 0.5  # how soon a session that has ended is noticed
LIFETIME_S = 3600.0  # then the page reconnects by itself; nothing can hold a place forever

# The dependencies of a view beside the snapshot: role, seat and language, no more.
ViewerKind = tuple[Role, int | None, bool, str]


@dataclass(frozen=True, slots=True)
class _Watching:
    loop: asyncio.AbstractEventLoop
    who: Viewer


@dataclass(slots=True, weakref_slot=True, eq=False)
class Viewers:
    """Counts the live viewers of one app, and keeps the latest view's text for each kind of them.

    Four seats and five roles make a dozen kinds at most, so fifty viewers cost little more than
    one of each kind. One thread waits for the table, for all of them.

    Attributes:
        delay_s: how old what they see is, on purpose.
        now: the clock of that, seconds; steady.
    """

    source: Publisher
    delay_s: int = 0
    limit: int = VIEWER_LIMIT
    beat_s: float = BEAT_S
    comment_s: float = COMMENT_S
    lifetime_s: float = LIFETIME_S
    now: Callable[[], float] = time.monotonic
    run: str = field(default_factory=lambda: secrets.token_hex(4))
    count: int = 0
    is_ending: bool = False
    _of: Counter[str] = field(default_factory=Counter)
    _strangers: int = 0
    _watching: dict[asyncio.Event, _Watching] = field(default_factory=dict)
    _thread: threading.Thread | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _making: threading.Lock = field(default_factory=threading.Lock)
    _made: tuple[Snapshot | None, dict[ViewerKind, str], dict[str, str]] = (None, {}, {})
    _past: TablePast | None = None
    _late: "weakref.WeakValueDictionary[int, Viewers]" = field(
        default_factory=weakref.WeakValueDictionary
    )

    def behind(self, delay_s: int) -> "Viewers":
        """Those who see all this so many seconds late; the same ones as long as there are any.

        They have their places here: `enter` and `leave` are these viewers' own.
        """
        if not delay_s:
            return self
        with self._lock:
            found = self._late.get(delay_s)
            if found is None:
                self._past = self._past or TablePast(self.source, self.now)
                source = self._past.behind(delay_s)
                found = Viewers(
                    source, delay_s, self.limit, self.beat_s, self.comment_s, run=self.run
                )
                self._late[delay_s] = found
            return found

    @property
    def pause_s(self) -> float:
        """How long to wait for a change at the most, before other things are looked at."""
        return min(STREAM_LOOK_S, self.beat_s)

    def enter(self, who: Viewer, sender: str) -> Words | None:
        """Take a place: None if there was one, else why not."""
        name, own = _holder(who, sender)
        with self._lock:
            if self._of[name] >= own:
                return phrase("stream.live_views", own=own)
            strangers = self.limit - min(PLACES_KEPT, self.limit // 2)
            if self.count >= self.limit or (_is_stranger(who) and self._strangers >= strangers):
                return phrase("stream.all_places_for_live", limit=self.limit)
            self._of[name] += 1
            self._strangers += _is_stranger(who)
            self.count += 1
            return None

    def leave(self, who: Viewer, sender: str) -> None:
        """Give the place back."""
        name, _ = _holder(who, sender)
        with self._lock:
            self._of[name] -= 1
            if not self._of[name]:
                del self._of[name]
            self._strangers -= _is_stranger(who)
            self.count -= 1

    def watches(self, device: str) -> bool:
        """Whether a page of the device is open."""
        return self._of[f"device {device}"] > 0

    def texts(self, snapshot: Snapshot, who: Viewer, language: str = "en") -> tuple[str, str]:
        """The JSON of the snapshot's table and of its health, made once for each kind of viewer.

        English and Chinese are in it, and the viewer's language beside them.
        """
        beside = "" if language in ("en", "zh") else language
        kind = (who.role, who.seat, is_secret(snapshot, who), beside)
        with self._making, speaking(language):
            if self._made[0] is not snapshot:
                self._made = (snapshot, {}, {})
            _, tables, healths = self._made
            if beside not in healths:
                healths[beside] = to_json(present.health(snapshot))
            if kind not in tables:
                tables[kind] = to_json(present.table(masked(snapshot, who), who))
            return tables[kind], healths[beside]

    def watch(self, changed: asyncio.Event, who: Viewer) -> None:
        """Have the event set whenever there may be news; called in the loop that waits for it."""
        with self._lock:
            self._watching[changed] = _Watching(asyncio.get_running_loop(), who)
            if self._thread is None:
                self._thread = threading.Thread(target=self._follow, name="viewers", daemon=True)
                self._thread.start()

    def unwatch(self, changed: asyncio.Event) -> None:
        """No more of it."""
        with self._lock:
            del self._watching[changed]

    def end_all(self) -> None:
        """End every live view, and begin none."""
        self.is_ending = True
        if self._past is not None:
            self._past.end()
        for late in list(self._late.values()):
            late.end_all()
        with self._lock:
            _set_all(self._watching)

    def _follow(self) -> None:
        version = -1
        while True:
            with self._lock:
                kinds = {each.who for each in self._watching.values()}
                if not kinds:
                    self._thread = None
                    return
            if self.source.wait(version, self.pause_s) is not None:
                version, snapshot = newest(self.source)
                if snapshot is not None:
                    # The texts, before anybody asks for them
                    for who in kinds:
                        self.texts(snapshot, who)
            with self._lock:
                _set_all(self._watching)


def newest(source: Publisher) -> tuple[int, Snapshot | None]:
    """A version and a snapshot that is at least as new, so that none is ever skipped.

    Asked for by `wait`, because a version may be read before its snapshot is in place.
    """
    version = source.version
    return version, source.wait(version - 1, 0) or source.snapshot


def _is_stranger(who: Viewer) -> bool:
    return who is not LOCAL_VIEWER and not who.device


def _holder(who: Viewer, sender: str) -> tuple[str, int]:
    """The holder of a viewer's place, and how many places one may hold."""
    if who is LOCAL_VIEWER:
        return "local", LOCAL_VIEWS
    return (f"device {who.device}" if who.device else f"sender {sender}"), OWN_VIEWS


def _set_all(watching: dict[asyncio.Event, _Watching]) -> None:
    """Set the events, each in its own loop."""
    by_loop: dict[asyncio.AbstractEventLoop, list[asyncio.Event]] = {}
    for changed, each in watching.items():
        by_loop.setdefault(each.loop, []).append(changed)
    for loop, events in by_loop.items():
        if not loop.is_closed():
            loop.call_soon_threadsafe(_set, events)


def _set(events: Iterable[asyncio.Event]) -> None:
    for event in events:
        event.set()


blueprint = Blueprint("stream", __name__)

RETRY_MS = 1000
NOBODY_WAITS = to_json({"waiting": []})


def init_app(app: Flask, source: LiveTable) -> None:
    """Give the app its viewers and the stream."""
    viewers = app.extensions["viewers"] = Viewers(source)
    sessions: PairingSessions = app.extensions["sessions"]
    app.extensions["pairing"].there = lambda: {
        device.seat for device, _ in sessions.devices if viewers.watches(device.id)
    }
    app.register_blueprint(blueprint)


@blueprint.get("/api/stream")
@require(Role.TELEVISION)
def stream() -> Response:
    """The live views of one viewer, as server-sent events."""
    viewers: Viewers = current_app.extensions["viewers"]
    delay = asked_delay()
    who, sender = viewer(), origin_of(request.remote_addr or "")
    full = viewers.enter(who, sender)
    if full:
        refused = refusal_answer(full, 503)
        refused.headers["Retry-After"] = "5"
        return refused
    seen = request.headers.get("Last-Event-ID") or request.args.get("after", "")
    desk = _Desk(current_app.extensions["sessions"], current_app.extensions["pairing"], who)
    late = viewers.behind(delay)
    language = chosen_language()
    live = LiveStream(late, viewers, seen, desk, sender, language)
    snapshot = newest(late.source)[1]
    if snapshot is not None:
        late.texts(snapshot, who, language)  # made in this thread, not in the server's loop
    hand_over = request.environ.get(LIVE)
    if hand_over is not None:
        hand_over(live)
    response = Response(live if hand_over is None else (), 200)
    response.mimetype = "text/event-stream"
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    return response


def asked_delay() -> int:
    """How many seconds old what this request gets is to be: ``?delay=20``; 0 where it says none."""
    said = request.args.get("delay", "0")
    if not (
        said.isascii() and said.isdigit() and len(said) < 4 and int(said) <= LONGEST_STREAM_DELAY_S
    ):
        refuse(
            400,
            "delay must be whole seconds from 0 to {longest_s}.",
            "delay 须为 0 到 {longest_s} 的整数秒。",
            longest_s=LONGEST_STREAM_DELAY_S,
        )
    return int(said)


@dataclass(slots=True)
class _Desk:
    """The viewer, and the questions that wait for that viewer's word."""

    sessions: PairingSessions
    pairing: Pairing
    who: Viewer
    told: str = ""

    def news(self, snapshot: Snapshot | None) -> str:
        """The phones that wait, if that changed and is for this viewer; else empty."""
        if not self.who.may(Role.SEAT):
            return ""
        players = snapshot is not None and is_unfollowed(snapshot)
        waiting = to_json(waiting_view(self.who, self.sessions, self.pairing, players=players))
        if waiting == (self.told or NOBODY_WAITS):
            return ""
        self.told = waiting
        return waiting


@dataclass(slots=True)
class LiveStream:
    """One viewer's messages: those that are due, and when there may be more.

    ``viewers`` make the views, ``places`` count who watches.

    Iterated by a thread (a test's), or by `messages` in the server's loop. Closing gives the
    viewer's place back, even if nobody ever began to read.
    """

    viewers: Viewers
    places: Viewers
    seen: str
    desk: _Desk
    sender: str
    language: str = "en"
    _started: float = field(default_factory=time.monotonic)
    _beat: float = field(default_factory=time.monotonic)
    _comment: float = field(default_factory=time.monotonic)
    _table: str = ""
    _health: str = ""
    _version: int = -1
    _is_left: bool = False

    def __iter__(self) -> Iterator[str]:
        yield self._hello()
        while not self._is_over:
            yield from self._due()
            self.viewers.source.wait(self._version, self.viewers.pause_s)

    async def messages(self) -> AsyncIterator[str]:
        """As iterated, for the server's loop."""
        changed = asyncio.Event()
        self.viewers.watch(changed, self.desk.who)
        try:
            yield self._hello()
            while not self._is_over:
                changed.clear()
                for part in self._due():
                    yield part
                await changed.wait()
        finally:
            self.viewers.unwatch(changed)

    def close(self) -> None:
        """Give the viewer's place back; any number of times."""
        if not self._is_left:
            self._is_left = True
            self.places.leave(self.desk.who, self.sender)

    @property
    def _is_over(self) -> bool:
        viewers, who = self.viewers, self.desk.who
        too_long = time.monotonic() - self._started >= viewers.lifetime_s
        # The viewer's session has ended, or its player has moved
        is_out = bool(who.device) and not self.desk.sessions.knows(who)
        return too_long or viewers.is_ending or is_out

    def _hello(self) -> str:
        version, snapshot = newest(self.viewers.source)
        if snapshot is not None and self.seen == f"{self.viewers.run}.{version}":
            self._table, self._health = self.viewers.texts(snapshot, self.desk.who, self.language)
        return _message(
            "hello", to_json({"run": self.viewers.run, "now": self._clock()}), retry=RETRY_MS
        )

    def _due(self) -> Iterator[str]:
        """The messages that the viewer has not seen yet."""
        self._version, snapshot = newest(self.viewers.source)
        if snapshot is not None:
            table, health = self.viewers.texts(snapshot, self.desk.who, self.language)
            id = f"{self.viewers.run}.{self._version}"
            if table != self._table:
                yield _message("view", f"{table[:-1]},{health[1:]}", id=id)
            elif health != self._health:
                yield _message("health", health, id=id)
            self._table, self._health = table, health
        if waiting := self.desk.news(snapshot):
            yield _message("waiting", waiting)
        if time.monotonic() - self._beat >= self.viewers.beat_s:
            self._beat = time.monotonic()
            yield _message("beat", to_json({"now": self._clock()}))
        if time.monotonic() - self._comment >= self.viewers.comment_s:
            self._comment = time.monotonic()
            yield ": here\n\n"

    def _clock(self) -> float:
        """Seconds since the epoch: of who sees everything late, the clock is late as well."""
        return time.time() - self.viewers.delay_s


def _message(event: str, data: str, *, id: str = "", retry: int = 0) -> str:
    head = (f"retry: {retry}\n" if retry else "") + (f"id: {id}\n" if id else "")
    return f"{head}event: {event}\ndata: {data}\n\n"
