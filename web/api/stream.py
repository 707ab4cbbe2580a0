"""Live views by server-sent events.

One viewer holds one server thread, so their number is limited. A viewer gets only the newest
view: what it was too slow to see is skipped, so nothing queues up. Events:

``hello``   first of all: the program's run and its clock, so that ages are told by one clock
``view``    the whole view, when anything about the game changed; its id is run.version
``health``  the sources alone, when nothing else changed
``waiting`` the phones that want to be let in, for who may decide
``beat``    every few seconds, so that a page can tell a quiet table from a dead line
"""

import secrets
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from flask import Blueprint, Flask, Response, current_app, request

from table_assist.contract.snapshot import Snapshot
from table_assist.contract.table_source import TableSource
from web.access.pairing import Pairing
from web.access.pairing_sessions import Sessions
from web.access.roles import (
    Role,
    Viewer,
    require,
    viewer,
)
from web.answers import json_answer, to_json
from web.api.pairing_api import waiting_view
from web.secrecy.secrecy import (
    is_secret,
    masked,
)
from web.view import present

__all__ = ["Viewers", "init_app", "to_json"]

blueprint = Blueprint("stream", __name__)

VIEWER_LIMIT = 64  # four phones and a television many times over; each costs a sleeping thread
BEAT_S = 5.0  # a page that hears nothing for more than two of these says so
COMMENT_S = 15.0  # for proxies and tools that look for comments, as the SSE standard advises
LOOK_S = 0.5  # how soon a viewer that left is noticed
LIFETIME_S = 3600.0  # then the page reconnects by itself; nothing can hold a place forever
RETRY_MS = 1000
NOBODY_WAITS = to_json({"waiting": []})


# What a view depends on besides the snapshot: who looks is seen by role and seat alone.
Kind = tuple[Role, int | None, bool]


@dataclass(slots=True)
class Viewers:
    """Counts the live viewers of one app, and keeps the latest view's text for each kind of them.

    Four seats and five roles make a dozen kinds at most, so fifty viewers cost little more than
    one of each kind.
    """

    source: TableSource
    limit: int = VIEWER_LIMIT
    beat_s: float = BEAT_S
    comment_s: float = COMMENT_S
    lifetime_s: float = LIFETIME_S
    run: str = field(default_factory=lambda: secrets.token_hex(4))
    count: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _making: threading.Lock = field(default_factory=threading.Lock)
    _made: tuple[Snapshot | None, dict[Kind, str], str] = (None, {}, "")

    def enter(self) -> bool:
        """Take a place, if there is one."""
        with self._lock:
            if self.count >= self.limit:
                return False
            self.count += 1
            return True

    def leave(self) -> None:
        """Give the place back."""
        with self._lock:
            self.count -= 1

    def texts(self, snapshot: Snapshot, who: Viewer) -> tuple[str, str]:
        """The JSON of the snapshot's table and of its health, made once for each kind of viewer."""
        kind = (who.role, who.seat, is_secret(snapshot, who))
        with self._making:
            if self._made[0] is not snapshot:
                self._made = (snapshot, {}, to_json(present.health(snapshot)))
            tables = self._made[1]
            if kind not in tables:
                tables[kind] = to_json(present.table(masked(snapshot, who), who))
            return tables[kind], self._made[2]


def init_app(app: Flask, source: TableSource) -> None:
    """Give the app its viewers and the stream."""
    app.extensions["viewers"] = Viewers(source)
    app.register_blueprint(blueprint)


@blueprint.get("/api/stream")
@require(Role.TELEVISION)
def stream() -> Response:
    """The live views of one viewer, as server-sent events."""
    viewers: Viewers = current_app.extensions["viewers"]
    if not viewers.enter():
        full = f"All {viewers.limit} places for live viewers are taken; try again in a moment."
        refused = json_answer({"error": full}, 503)
        refused.headers["Retry-After"] = "5"
        return refused
    seen = request.headers.get("Last-Event-ID") or request.args.get("after", "")
    gone = request.environ.get("waitress.client_disconnected", lambda: False)
    desk = _Desk(current_app.extensions["sessions"], current_app.extensions["pairing"], viewer())
    messages = _messages(viewers, seen, gone, desk)
    response = Response(_Leaving(viewers, messages), 200)
    response.mimetype = "text/event-stream"
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    return response


@dataclass(slots=True)
class _Desk:
    """Who looks, and what waits for that viewer's word."""

    sessions: Sessions
    pairing: Pairing
    who: Viewer
    told: str = ""

    @property
    def is_out(self) -> bool:
        """Whether the viewer's session has ended; a stream must not outlive it."""
        return bool(self.who.device) and not self.sessions.is_open(self.who.device)

    def news(self) -> str:
        """The phones that wait, if that changed and is for this viewer; else empty."""
        if not self.who.may(Role.SCORER):
            return ""
        waiting = to_json(waiting_view(self.who, self.sessions, self.pairing))
        if waiting == (self.told or NOBODY_WAITS):
            return ""
        self.told = waiting
        return waiting


class _Leaving:
    """Gives the viewer's place back when the server is done, even if it never began to read."""

    def __init__(self, viewers: Viewers, messages: Iterator[str]) -> None:
        self._viewers, self._messages, self._left = viewers, messages, False

    def __iter__(self) -> Iterator[str]:
        return self._messages

    def close(self) -> None:
        if not self._left:
            self._left = True
            self._viewers.leave()


def _messages(viewers: Viewers, seen: str, gone: Callable[[], bool], desk: _Desk) -> Iterator[str]:
    source, start = viewers.source, time.monotonic()
    version, snapshot = _newest(source)
    last_table = last_health = ""
    if seen == f"{viewers.run}.{version}":
        last_table, last_health = viewers.texts(snapshot, desk.who)
    yield _message("hello", to_json({"run": viewers.run, "now": time.time()}), retry=RETRY_MS)
    beat = comment = time.monotonic()
    while not (gone() or desk.is_out) and time.monotonic() - start < viewers.lifetime_s:
        table, health = viewers.texts(snapshot, desk.who)
        if table != last_table:
            whole = f"{table[:-1]},{health[1:]}"
            yield _message("view", whole, id=f"{viewers.run}.{version}")
        elif health != last_health:
            yield _message("health", health, id=f"{viewers.run}.{version}")
        last_table, last_health = table, health
        if waiting := desk.news():
            yield _message("waiting", waiting)
        if time.monotonic() - beat >= viewers.beat_s:
            beat = time.monotonic()
            yield _message("beat", to_json({"now": time.time()}))
        if time.monotonic() - comment >= viewers.comment_s:
            comment = time.monotonic()
            yield ": here\n\n"
        if source.wait(version, min(LOOK_S, viewers.beat_s)) is not None:
            version, snapshot = _newest(source)


def _newest(source: TableSource) -> tuple[int, Snapshot]:
    """A version and a snapshot that is at least as new, so that none is ever skipped.

    Asked for by `wait`, because a version may be read before its snapshot is in place.
    """
    version = source.version
    return version, source.wait(version - 1, 0) or source.snapshot


def _message(event: str, data: str, *, id: str = "", retry: int = 0) -> str:
    head = (f"retry: {retry}\n" if retry else "") + (f"id: {id}\n" if id else "")
    return f"{head}event: {event}\ndata: {data}\n\n"
