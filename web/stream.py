"""Live views by server-sent events.

One viewer holds one server thread, so their number is limited. A viewer gets only the newest
view: what it was too slow to see is skipped, so nothing queues up. Events:

``hello``   first of all: the program's run and its clock, so that ages are told by one clock
``view``    the whole view, when anything about the game changed; its id is run.version
``health``  the sources alone, when nothing else changed
``beat``    every few seconds, so that a page can tell a quiet table from a dead line
"""

import json
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from flask import Blueprint, Flask, Response, current_app, request

from table_assist.snapshot import Snapshot
from web import present
from web.source import TableSource

blueprint = Blueprint("stream", __name__)

VIEWER_LIMIT = 64  # four phones and a television many times over; each costs a sleeping thread
BEAT_S = 5.0  # a page that hears nothing for more than two of these says so
COMMENT_S = 15.0  # for proxies and tools that look for comments, as the SSE standard advises
LOOK_S = 0.5  # how soon a viewer that left is noticed
LIFETIME_S = 3600.0  # then the page reconnects by itself; nothing can hold a place forever
RETRY_MS = 1000


@dataclass(slots=True)
class Viewers:
    """Counts the live viewers of one app, and keeps the latest view's text for all of them."""

    source: TableSource
    limit: int = VIEWER_LIMIT
    beat_s: float = BEAT_S
    comment_s: float = COMMENT_S
    lifetime_s: float = LIFETIME_S
    run: str = field(default_factory=lambda: secrets.token_hex(4))
    count: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _made: tuple[Snapshot, str, str] | None = None

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

    def texts(self, snapshot: Snapshot) -> tuple[str, str]:
        """The JSON of the snapshot's table and of its health, made once for all viewers."""
        with self._lock:
            if self._made is None or self._made[0] is not snapshot:
                self._made = (
                    snapshot,
                    to_json(present.table(snapshot)),
                    to_json(present.health(snapshot)),
                )
            return self._made[1:]


def init_app(app: Flask, source: TableSource) -> None:
    """Give the app its viewers and the stream."""
    app.extensions["viewers"] = Viewers(source)
    app.register_blueprint(blueprint)


@blueprint.get("/api/stream")
def stream() -> Response:
    """The live views of one viewer."""
    viewers: Viewers = current_app.extensions["viewers"]
    if not viewers.enter():
        full = f"All {viewers.limit} places for live viewers are taken; try again in a moment."
        return Response(to_json({"error": full}), 503, {"Retry-After": "5"}, "application/json")
    seen = request.headers.get("Last-Event-ID") or request.args.get("after", "")
    gone = request.environ.get("waitress.client_disconnected", lambda: False)
    response = Response(_Leaving(viewers, _messages(viewers, seen, gone)), 200)
    response.mimetype = "text/event-stream"
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    return response


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


def to_json(view: object) -> str:
    """Compact JSON in one line."""
    return json.dumps(view, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _messages(viewers: Viewers, seen: str, gone: Callable[[], bool]) -> Iterator[str]:
    source, start = viewers.source, time.monotonic()
    version, snapshot = _newest(source)
    last_table = last_health = ""
    if seen == f"{viewers.run}.{version}":
        last_table, last_health = viewers.texts(snapshot)
    yield _message("hello", to_json({"run": viewers.run, "now": time.time()}), retry=RETRY_MS)
    beat = comment = time.monotonic()
    while not gone() and time.monotonic() - start < viewers.lifetime_s:
        table, health = viewers.texts(snapshot)
        if table != last_table:
            whole = f"{table[:-1]},{health[1:]}"
            yield _message("view", whole, id=f"{viewers.run}.{version}")
        elif health != last_health:
            yield _message("health", health, id=f"{viewers.run}.{version}")
        last_table, last_health = table, health
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
