"""The hall for everybody: its pages, live views, the television wall, overlays for streams."""

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from flask import Blueprint, Response, current_app, request
from sqlalchemy import Engine, select
from sqlalchemy.exc import SQLAlchemyError

from table_assist.club.hub.database import TABLE_IN, now_at, now_s, players, reading, tables
from table_assist.club.hub.desk import hall, hall_clock
from table_assist.club.hub.files import kept_pictures
from table_assist.club.hub.ledger import Ledger, latest_heads
from table_assist.club.hub.rounds import plan_of_hall
from table_assist.club.standing import DrawnHand, latest_results, won_hands
from table_assist.club.standing import great as great_of
from table_assist.languages.words import words_view
from web.access.guard import framed
from web.access.roles import Role, require
from web.answers import of_app, to_json
from web.api.openapi import describe
from web.api.stream import Past, asked_delay
from web.bridge import LIVE
from web.club import shared
from web.club.shared import Listed, Told, base, ledger, names, shown_sessions
from web.club.standings_pages import drawn_view, won_view
from web.language import page_words
from web.pages.shell import FACES_PATH, faces, render
from web.refusal import refuse

blueprint = Blueprint("hall", __name__)
blueprint.get(FACES_PATH)(faces)
shown = partial(shared.shown, blueprint)
listed = partial(shared.listed, blueprint)


@blueprint.get("/")
@require(Role.TELEVISION)
def hall_page() -> str:
    """All tables live, and the standings that are published."""
    return render("hall.html", words=page_words("hall", "clock", "profile", "plan"), view="hall")


@blueprint.get("/desk")
@require(Role.REFEREE)
def desk() -> str:
    """Where directors and referees work."""
    counted = {why: words_view(words) for why, words in page_words("refused").items()}
    words = page_words(
        "hall", "club_desk", "seating", "clock", "roster", "rounds", "profile", "standings",
        "plan", "files",
    )  # fmt: skip
    return render("hall_desk.html", words=words, view="desk", counted=counted)


def _page(view: str, *words: str) -> Callable[[], str]:
    """A page that asks for all that it shows."""
    return require(Role.TELEVISION)(
        lambda: render(f"hall_{view}.html", words=page_words("hall", *words), view=view)
    )


# Where such a page is, and which words its script needs.
PLAIN_PAGES = {
    "enter": ("club_desk",),  # where a link of the staff's leads; the link stands behind the #
    "standings": ("standings", "profile"),  # `?session=1`, `?series=1`
    "ratings": ("standings",),
    "seating": ("seating",),  # large: for the television and for paper
    "seals": ("seals",),  # compares the seals behind the #, which a phone's own page has put there
}
for _path, _words in PLAIN_PAGES.items():
    blueprint.add_url_rule(f"/{_path}", _path, _page(_path, *_words))


@listed("/api/heads", "minute", "table", "epoch", "entries", "seal")
def noted() -> Listed:
    """How far every log had come in the latest minute, signed by the hub: for who notes it."""
    found = latest_heads(base())
    if found is None:
        refuse(404, "Nothing is noted yet.", "尚无记录。")
    return found, ((found["minute"], *each) for each in found["heads"])


@shown("/api/openapi.json", Role.TELEVISION)
def description() -> Told:
    """This API's description."""
    return describe(current_app)


MOST_KEPT = 32  # tables of which one process keeps the past


HALL_LOOK_S = 0.2
QUIET_S = 20.0  # a table speaks every three seconds; after so long it is not heard of
BEAT_S = 5.0
CLOSE_S = 5.0  # for a look that is under way
MOST_WATCHERS = 2000  # who watch one process
LIFETIME_S = 3600.0


@listed("/api/hall", "table", "hand", "seat", "player", "points")
def tables_now() -> Listed:
    """All tables of the club, as spectators may see them now."""
    seen = _hall()
    seen.refresh()
    found = seen.everything()
    rows = (
        (table["name"], table["view"].get("hand"), *row)
        for table in found["tables"]
        for row in _seats(table["view"])
    )
    return found, rows


def _seats(view: Mapping[str, Any]) -> list[tuple[object, ...]]:
    """Seat, player and points of a table that is shown."""
    rows = zip(view.get("names", ()), view.get("scores", ()), strict=False)
    return [(seat, *row) for seat, row in enumerate(rows)]


@blueprint.get("/api/stream")
@require(Role.TELEVISION)
def stream() -> Response:
    """The tables as they change, as server-sent events."""
    seen = _hall()
    if seen.count >= MOST_WATCHERS or seen.is_ending:
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
        self._tables: dict[int, Told] = {}
        self._quiet: frozenset[int] = frozenset()
        self._turn = 0
        self._looked = time.monotonic()
        self._past: dict[int, Past[Told]] = {}
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
            there = {
                row.id: row for row in connection.execute(short.where(tables.c.state == TABLE_IN))
            }
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

    def everything(self) -> Told:
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

    def behind(self, table: int, delay_s: int) -> Told | None:
        """A table so many seconds ago; None where nothing that is known is so old."""
        with self._lock:
            row = self._tables.get(table)
            if row is None:
                return None
            now: Told = row["shown"] | {"changed": row["changed"]}
            if not delay_s:
                return now
            past = self._past.get(table)
            if past is None:
                if len(self._past) >= MOST_KEPT:
                    refuse(503, "Too many tables are shown late already.", "延迟显示的牌桌已满。")
                past = self._past[table] = Past()
                past.keep(now)
            past.ask(delay_s)
            return past.behind(delay_s)

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
        if (past := self._past.get(row.id)) is not None:
            past.keep(shown | {"changed": row.changed})

    def _wake(self) -> None:
        for event, loop in self._waiting.items():
            if not loop.is_closed():
                loop.call_soon_threadsafe(event.set)

    def _run(self) -> None:
        while not self._ends.is_set():
            with suppress(SQLAlchemyError):  # the database is away: what was seen stays
                self.refresh()
            self._ends.wait(HALL_LOOK_S)


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


LATEST_GREAT = 3  # great hands
RESULTS = 12  # that ended last: more do not end between two looks
_hall = partial(of_app, Hall, "viewers")


@blueprint.get("/wall")
@require(Role.TELEVISION)
@framed
def wall() -> str:
    """The wall for a television: who plays whom, live scores, the clock and the last great hand."""
    return render(
        "hall_wall.html", words=page_words("hall", "player", "clock", "wall"), view="wall"
    )


@blueprint.get("/overlay/<number:table>")
@require(Role.TELEVISION)
@framed
def overlay(table: int) -> str:
    """A table's names and scores on a transparent ground; `?delay=20` seconds late."""
    if all(each.id != table for each in hall(base())):
        refuse(404, "There is no such table.", "没有此牌桌。")
    return render(
        "hall_overlay.html", words=page_words("hall", "wall"), view="hall-overlay", table=table,
        delay=asked_delay(),
    )  # fmt: skip


@listed("/api/table/<number:table>", "seat", "player", "points")
def one_table(table: int) -> Listed:
    """A table as spectators may see it; `?delay=20` seconds ago, once that much is kept."""
    delay = asked_delay()
    seen = _hall()
    seen.begin()
    if not delay:
        seen.refresh()
    shown = seen.behind(table, delay)
    return {"delay": delay, "table": shown}, _seats(shown["view"] if shown else {})


@listed("/api/great", "table", "hand", "player", "points", "tiles")
def great() -> Listed:
    """The latest of the newest session's great hands: the dearest tenth of those won so far."""
    hands = _great()
    rows = (
        (view["table"], view["hand"], view["name"], view["points"], " ".join(view["tiles"]))
        for view in hands
    )
    return {"hands": hands}, rows


@shown("/api/results", Role.TELEVISION)
def results() -> Told:
    """The hands of the newest session that ended last, and the last great one."""
    shown, known = shown_sessions(), names()
    last = latest_results(ledger().logs(), shown[0].id, RESULTS) if shown else []
    hands = [
        drawn_view(each, known) if isinstance(each, DrawnHand) else won_view(each, known, {})
        for each in last
    ]
    return {"hands": hands, "great": next(iter(_great()), None)}


def _great() -> list[Told]:
    """The latest first."""
    shown, known = shown_sessions(), names()
    if not shown:
        return []
    hands = great_of(won_hands(ledger().logs(), {shown[0].id}))
    latest, pictures = (
        sorted(hands, key=lambda one: -one.won.t)[:LATEST_GREAT],
        kept_pictures(base()),
    )
    return [won_view(each, known, pictures) for each in latest]


# -- the clock, and the plan -----------------------------------------------------------------------

VIEW_KEPT_S = 1.0  # however many look


@shown("/api/clock", Role.TELEVISION)
def clock_now() -> Told:
    """Seconds left now (below 0: it is over), whether it runs, and more seconds by table."""
    clock = hall_clock(base())
    return {
        "is_set": clock.at > 0,
        "running": clock.running,
        "left_s": round(clock.left(now_at(base())), 1),
        "extra_s": {str(table): extra for table, extra in clock.extra_s.items()},
    }


class HallPlan:
    """The plan as one process knows it, asked for once a second at most; any thread."""

    def __init__(self, base: Engine, ledger: Ledger) -> None:
        self._base, self._ledger = base, ledger
        self._lock = threading.Lock()
        self._rows: list[Told] = []
        self._until = 0.0

    def rows(self) -> list[Told]:
        """Every table with its place and how it does."""
        with self._lock:
            if time.monotonic() >= self._until:
                self._rows = plan_of_hall(self._base, self._ledger)
                self._until = time.monotonic() + VIEW_KEPT_S
            return self._rows

    def forget(self) -> None:
        """Look again the next time."""
        self._until = 0.0


@listed("/api/plan", "table", "name", "row", "column", "how")
def plan() -> Listed:
    """Where each table stands, and how it does."""
    found: HallPlan = current_app.extensions["hall_plan"]
    rows = found.rows()
    return {"tables": rows}, (list(row.values()) for row in rows)
