"""The table's clock: what time is left for the evening, the round and the turn."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import get_args

from flask import Blueprint, Flask, Response, current_app

from table_assist.contract.snapshot import Snapshot
from table_assist.contract.table_source import TableSource
from table_assist.contract.view import words_view
from table_assist.game.events import HandStarted, Play
from table_assist.game.state import Phase
from table_assist.record.clock import TableClock, clock_of
from web.access.roles import Role, require
from web.answers import json_answer
from web.view.names import player

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
    source: TableSource = current_app.extensions["table"]
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
    source: TableSource = current_app.extensions["table"]
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
