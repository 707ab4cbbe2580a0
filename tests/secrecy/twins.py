"""One simulated hand, told twice: with one treasure, and with another."""

from dataclasses import dataclass, replace
from random import Random

from table_assist.game.events import (
    Drew,
    Event,
    HandShown,
    IndicatorTurned,
    ReadyDeclared,
)
from table_assist.game.state import TableState
from table_assist.rules.ruleset import RuleSet
from table_assist.tiles.tile import Tile
from table_assist.twin.play.hand import play_hand
from tests.stages.evenings import as_seen


@dataclass(frozen=True, slots=True)
class TwinHand:
    """One simulated hand, told twice.

    Attributes:
        before: events that are the same on both servers and come before anybody is ready.
        told: for each server, the events from then on to just before the reveal.
        after: the rest, on the first server only.
        seats: seats that never declare ready before the reveal.
    """

    seed: int
    before: tuple[Event, ...]
    told: tuple[tuple[Event, ...], tuple[Event, ...]]
    after: tuple[Event, ...]
    faces: tuple[Tile, Tile]
    seats: frozenset[int]


def simulate(rules: RuleSet, seed: int) -> TwinHand | None:
    """A hand of bots and its twin with another treasure; None if none was hidden in it."""
    random = Random(seed)
    events, _ = play_hand(rules, TableState(), random)
    if seed % 2:  # at a real table nobody tells the draws
        events = [as_seen(event) for event in events if not isinstance(event, Drew)]
    turned = [event for event in events if isinstance(event, IndicatorTurned)]
    if not turned:
        return None
    ready_at = [n for n, event in enumerate(events) if isinstance(event, ReadyDeclared)]
    shown_at = (n for n, event in enumerate(events) if isinstance(event, HandShown))
    end = next(shown_at, len(events) - 1)
    others = {event.tile: _another(rules, event.tile, random) for event in turned}
    swapped = tuple(
        replace(event, tile=others[event.tile]) if isinstance(event, IndicatorTurned) else event
        for event in events
    )
    start = ready_at[0]
    if not any(isinstance(event, IndicatorTurned) for event in events[start:end]):
        return None
    ready = {event.seat for event in events[:end] if isinstance(event, ReadyDeclared)}
    return TwinHand(
        seed,
        tuple(events[:start]),
        (tuple(events[start:end]), swapped[start:end]),
        tuple(events[end:]),
        (turned[0].tile, others[turned[0].tile]),
        frozenset(range(4)) - ready,
    )


def _another(rules: RuleSet, tile: Tile, random: Random) -> Tile:
    return random.choice([each for each in rules.kinds if each is not tile])
