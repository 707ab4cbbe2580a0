"""Live views by server-sent events.

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
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field

from flask import Blueprint, Flask, Response, current_app, request

from table_assist.contract.snapshot import Snapshot
from table_assist.live.live_table import LiveTable
from web.access.limits import origin_of
from web.access.pairing import Pairing
from web.access.pairing_sessions import PairingSessions
from web.access.roles import Role, Viewer, require, viewer
from web.answers import refusal_answer, to_json
from web.api.pairing_api import waiting_view
from web.api.viewers import LONGEST_S, Viewers, newest
from web.language import chosen_language
from web.refusal import refuse
from web.serving.bridge import LIVE
from web.view.sentences import is_unfollowed

__all__ = ["Viewers", "init_app", "to_json"]

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
    if not (said.isascii() and said.isdigit() and len(said) < 4 and int(said) <= LONGEST_S):
        refuse(
            400,
            "delay must be whole seconds from 0 to {longest_s}.",
            "delay 须为 0 到 {longest_s} 的整数秒。",
            longest_s=LONGEST_S,
        )
    return int(said)


@dataclass(slots=True)
class _Desk:
    """The viewer, and the questions that wait for that viewer's word."""

    sessions: PairingSessions
    pairing: Pairing
    who: Viewer
    told: str = ""

    @property
    def is_out(self) -> bool:
        """Whether the viewer's session has ended, or its player has moved: the stream ends then."""
        return bool(self.who.device) and not self.sessions.knows(self.who)

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
        viewers = self.viewers
        too_long = time.monotonic() - self._started >= viewers.lifetime_s
        return too_long or viewers.is_ending or self.desk.is_out

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
