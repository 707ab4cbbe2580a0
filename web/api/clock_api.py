"""The table's clock: what time is left for the evening, the round and the turn."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import get_args

from flask import Blueprint, Flask, Response, current_app

from table_assist.game.events import ClockSet, HandStarted, Play
from table_assist.game.state import Phase
from table_assist.languages.words import words_view
from table_assist.record.log import Entry, effective
from table_assist.record.snapshot import Snapshot
from table_assist.tiles.tile import Tile
from web.access.roles import Role, require
from web.answers import json_answer, the_table
from web.view.vocabulary import player

# The table's own clock: what time is left, a fold of what people set and when rounds began.


@dataclass(frozen=True, slots=True)
class ClockStretch:
    """A time that runs.

    Attributes:
        whole_s: from its beginning to its end; 0: without an end.
        gone_s: of it, until ``since``, which is in seconds since the epoch.
    """

    whole_s: int = 0
    gone_s: float = 0.0
    since: float = 0.0

    def left(self, now: float, *, running: bool) -> float | None:
        """Seconds left then, below 0 by how much it is over; None without an end."""
        if not self.whole_s:
            return None
        return self.whole_s - self.gone_s - (max(0.0, now - self.since) if running else 0.0)

    def set(self, whole_s: int, now: float, *, was_running: bool) -> "ClockStretch":
        """Set the stretch: a changed one begins anew; the same goes on."""
        if whole_s != self.whole_s:
            return ClockStretch(whole_s, 0.0, now)
        gone = self.gone_s + (max(0.0, now - self.since) if was_running else 0.0)
        return ClockStretch(whole_s, gone, now)


@dataclass(frozen=True, slots=True)
class TableClock:
    """The clock after some entries."""

    evening: ClockStretch = field(default_factory=ClockStretch)
    round: ClockStretch = field(default_factory=ClockStretch)
    think_s: int = 0
    running: bool = False
    of_round: tuple[Tile, int] | None = None  # its wind, and who dealt first in it

    @property
    def is_set(self) -> bool:
        """Whether anything is limited."""
        return bool(self.evening.whole_s or self.round.whole_s or self.think_s)


def clock_of(entries: Iterable[Entry]) -> TableClock:
    """The clock as a log counts it now."""
    entries = tuple(entries)
    times = {entry.seq: entry.t for entry in entries}
    clock = TableClock()
    for seq, event in effective(entries):
        match event:
            case ClockSet(evening_s, round_s, think_s, running):
                t, was = times[seq], clock.running
                clock = replace(
                    clock,
                    evening=clock.evening.set(evening_s, t, was_running=was),
                    round=clock.round.set(round_s, t, was_running=was),
                    think_s=think_s,
                    running=running,
                )
            case HandStarted(prevailing=wind, first_east=first):
                if clock.of_round not in (None, (wind, first)):
                    begun = ClockStretch(clock.round.whole_s, 0.0, times[seq])
                    clock = replace(clock, round=begun)
                clock = replace(clock, of_round=(wind, first))
            case _:
                pass
    return clock


blueprint = Blueprint("clock", __name__)
_MOVES = (HandStarted, *get_args(Play))


@dataclass(slots=True)
class _Known:
    """The clock as it was after an entry, so that a log is folded once for all who ask."""

    now: Callable[[], float]
    seq: int = -1
    clock: TableClock = field(default_factory=TableClock)


def init_app(app: Flask, now: Callable[[], float] = time.time) -> None:
    """Give the app its clock.

    Args:
        now: seconds since the epoch, by the clock of the log.
    """
    app.extensions["clock"] = _Known(now)
    app.register_blueprint(blueprint)


@blueprint.get("/api/clock")
@require(Role.TELEVISION)
def clock() -> Response:
    """Seconds left (below 0: it is over) for evening, round and turn, and what they are of."""
    source = the_table()
    known: _Known = current_app.extensions["clock"]
    snapshot, now, found = source.snapshot, known.now(), _found()
    return json_answer(
        {
            "is_set": found.is_set,
            "running": found.running,
            "evening_s": found.evening.whole_s,
            "round_s": found.round.whole_s,
            "think_s": found.think_s,
            "evening_left_s": _rounded(found.evening.left(now, running=found.running)),
            "round_left_s": _rounded(found.round.left(now, running=found.running)),
            "turn": _turn(found, snapshot, now),
        }
    )


def is_set() -> bool:
    """Whether there is anything to show."""
    return _found().is_set


def _found() -> TableClock:
    source = the_table()
    known: _Known = current_app.extensions["clock"]
    seq = source.snapshot.seq
    if known.seq != seq:
        known.seq, known.clock = seq, clock_of(source.entries())
    return known.clock


def _turn(clock: TableClock, snapshot: Snapshot, now: float) -> dict[str, object] | None:
    """The seat that thinks, and the time left; None where nobody is waited for or followed."""
    state = snapshot.state
    moves = [entry.t for entry in snapshot.entries if isinstance(entry.event, _MOVES)]
    if not (clock.think_s and clock.running and moves) or state.phase is not Phase.PLAYING:
        return None
    seat = state.turn if state.holder is None else state.holder
    left = clock.think_s - max(0.0, now - moves[-1])
    return {
        "seat": seat,
        "who": words_view(player(snapshot.names, seat)),
        "left_s": round(left, 1),
    }


def _rounded(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 1)
