"""The hall live: one thread of a process asks the database what changed, for all who watch.

It asks a few times a second whatever happens, so that a thousand tables cost no more than one.
Events: ``hall`` with the tables that changed (the first time all of them), which there are and
which of them are not heard of; ``beat`` with how old all this is.
"""

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from flask import Blueprint, Flask, Response, current_app, request
from sqlalchemy import Engine, select
from sqlalchemy.exc import SQLAlchemyError

from table_assist.club.hub.base import now_s, reading
from table_assist.club.hub.schema import IN, players, tables
from web.access.roles import Role, require
from web.answers import json_answer, to_json
from web.club.past import HallPast
from web.club.shared import csv_answer
from web.refusal import refuse
from web.serving.bridge import LIVE

blueprint = Blueprint("live", __name__)

LOOK_S = 0.2
QUIET_S = 20.0  # a table speaks every three seconds; after so long it is not heard of
BEAT_S = 5.0
CLOSE_S = 5.0  # for a look that is under way
MOST = 2000  # who watch one process
LIFETIME_S = 3600.0


def init_app(app: Flask, base: Engine) -> None:
    """Give the app its live views."""
    app.extensions["viewers"] = Hall(base)  # the server ends them by this name
    app.register_blueprint(blueprint)


@blueprint.get("/api/hall")
@require(Role.TELEVISION)
def hall() -> Response:
    """All tables of the club, as spectators may see them now."""
    seen = _hall()
    seen.refresh()
    return json_answer(seen.everything())


@blueprint.get("/api/hall.csv")
@require(Role.TELEVISION)
def hall_csv() -> Response:
    """The same for a spreadsheet: a line for each seat of each table."""
    seen = _hall()
    seen.refresh()
    rows = [
        (table["name"], table["view"].get("hand"), seat, name, points)
        for table in seen.everything()["tables"]
        for seat, (name, points) in enumerate(
            zip(table["view"].get("names", ()), table["view"].get("scores", ()), strict=False)
        )
    ]
    return csv_answer(("table", "hand", "seat", "player", "points"), rows)


@blueprint.get("/api/stream")
@require(Role.TELEVISION)
def stream() -> Response:
    """The tables as they change, as server-sent events."""
    seen = _hall()
    if seen.count >= MOST or seen.is_ending:
        refuse(503, "All places for live viewers are taken.", "观看位置已满。")
    seen.begin()
    live = _Watching(seen)
    hand_over = request.environ.get(LIVE)
    if hand_over is None:
        refuse(503, "Live views need the club's own server.", "实时页面需要俱乐部自己的服务器。")
    hand_over(live)
    response = Response((), 200)
    response.mimetype = "text/event-stream"
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    return response


class Hall:
    """One process's knowledge of the hall; any thread.

    Attributes:
        count: live viewers.
    """

    def __init__(self, base: Engine) -> None:
        self._base = base
        self._tables: dict[int, dict[str, Any]] = {}
        self._quiet: frozenset[int] = frozenset()
        self._turn = 0
        self._looked = time.monotonic()
        self.past = HallPast()
        self._waiting: dict[asyncio.Event, asyncio.AbstractEventLoop] = {}
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._ends = threading.Event()
        self.count = 0

    def begin(self) -> None:
        """Have the database asked from now on."""
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="hall", daemon=True)
                self._thread.start()

    def refresh(self) -> None:
        """Ask what changed."""
        short = select(tables.c.id, tables.c.name, tables.c.seen, tables.c.changed)
        whole = select(tables.c.id, tables.c.name, tables.c.changed, tables.c.view)
        with self._lock:
            known = {id: row["as_of"] for id, row in self._tables.items()}
        with reading(self._base) as connection:
            there = {row.id: row for row in connection.execute(short.where(tables.c.state == IN))}
            # A row that differs is new: no clock says which it is, hubs may have any.
            new = [id for id, row in there.items() if known.get(id) != (row.changed, row.name)]
            rows = connection.execute(whole.where(tables.c.id.in_(new))).all() if new else []
            secret = select(players.c.name, players.c.number).where(players.c.hidden.is_(True))
            hidden = {name: number for name, number in connection.execute(secret)} if rows else {}
            now = now_s(connection)
        quiet = frozenset(id for id, row in there.items() if now - row.seen > QUIET_S)
        with self._lock:
            self._looked = time.monotonic()
            for row in rows:
                self._note(row, hidden)
            gone = self._tables.keys() - there.keys()
            for id in gone:
                del self._tables[id]
            if rows or gone or quiet != self._quiet:
                self._turn += 1
                self._quiet = quiet
                self._wake()

    def everything(self) -> dict[str, Any]:
        """The hall as it is."""
        with self._lock:
            found = [
                row["shown"] | {"quiet": id in self._quiet} for id, row in self._tables.items()
            ]
        return {"now": time.time(), "tables": sorted(found, key=lambda row: str(row["name"]))}

    def since(self, turn: int) -> tuple[int, list[str], list[int], list[int]]:
        """The turn now, what changed after one as JSON, which there are, which are quiet."""
        with self._lock:
            changed = [row["text"] for row in self._tables.values() if row["turn"] > turn]
            there = sorted(self._tables)
            return self._turn, changed, there, [id for id in there if id in self._quiet]

    @property
    def age_s(self) -> float:
        """How old what is shown may be: the database was asked so long ago."""
        return time.monotonic() - self._looked

    def behind(self, table: int, delay_s: int) -> dict[str, Any] | None:
        """A table so many seconds ago; None where nothing that is known is so old."""
        if not delay_s:
            with self._lock:
                row = self._tables.get(table)
                return None if row is None else row["shown"] | {"changed": row["changed"]}
        with self._lock:
            row = self._tables.get(table)
            if row is not None and self.past.begin(table, delay_s):
                self.past.keep(row["shown"] | {"changed": row["changed"]})
        return self.past.behind(table, delay_s)

    def watch(self, event: asyncio.Event) -> None:
        """Have the event set when something changed; called in its loop."""
        with self._lock:
            self._waiting[event] = asyncio.get_running_loop()
            self.count = len(self._waiting)

    def unwatch(self, event: asyncio.Event) -> None:
        """No more of it."""
        with self._lock:
            self._waiting.pop(event, None)
            self.count = len(self._waiting)

    @property
    def is_ending(self) -> bool:
        """Live viewers are to leave."""
        return self._ends.is_set()

    def end_all(self) -> None:
        """End every live view."""
        self._ends.set()
        with self._lock:
            self._wake()

    def close(self) -> None:
        """The same, and ask the database no more."""
        self.end_all()
        if self._thread is not None:
            self._thread.join(CLOSE_S)

    def _note(self, row: Any, hidden: Mapping[str, str]) -> None:
        view = json.loads(row.view)
        if hidden and "names" in view:  # a table may have been told a name that is hidden since
            view["names"] = [hidden.get(name, name) for name in view["names"]]
        shown = {"id": row.id, "name": row.name, "view": view}
        self._tables[row.id] = {
            "changed": row.changed, "as_of": (row.changed, row.name), "shown": shown,
            "turn": self._turn + 1, "text": to_json(shown),
        }  # fmt: skip
        self.past.keep(shown | {"changed": row.changed})

    def _wake(self) -> None:
        for event, loop in self._waiting.items():
            if not loop.is_closed():
                loop.call_soon_threadsafe(event.set)

    def _run(self) -> None:
        while not self._ends.is_set():
            with suppress(SQLAlchemyError):  # the database is away: what was seen stays
                self.refresh()
            self._ends.wait(LOOK_S)


@dataclass(slots=True)
class _Watching:
    """One viewer."""

    hall: Hall
    _turn: int = -1
    _begun: float = field(default_factory=time.monotonic)

    async def messages(self) -> AsyncIterator[str]:
        """The messages that are due, as they come."""
        changed = asyncio.Event()
        self.hall.watch(changed)
        try:
            yield "retry: 1000\n\n"
            while not self.hall.is_ending and time.monotonic() - self._begun < LIFETIME_S:
                changed.clear()
                turn, texts, there, quiet = self.hall.since(self._turn)
                if turn != self._turn:
                    self._turn = turn
                    lists = f'"there":{there},"quiet":{quiet}'
                    yield f'event: hall\ndata: {{"tables":[{",".join(texts)}],{lists}}}\n\n'
                try:
                    async with asyncio.timeout(BEAT_S):
                        await changed.wait()
                except TimeoutError:
                    beat = {"now": time.time(), "age_s": self.hall.age_s}
                    yield f"event: beat\ndata: {to_json(beat)}\n\n"
        finally:
            self.hall.unwatch(changed)

    def close(self) -> None:
        """Nothing is held but the task."""


def _hall() -> Hall:
    found: Hall = current_app.extensions["viewers"]
    return found
