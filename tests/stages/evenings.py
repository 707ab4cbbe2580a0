"""Evenings as a real table records them, right or with a mistake in them, settled by the rules."""

from dataclasses import dataclass, replace
from functools import cache
from random import Random

from table_assist.contract.commands import Command, Correct, Insert, Undo
from table_assist.game.course import due_end
from table_assist.game.events import (
    BirdTurned,
    Claimed,
    Discarded,
    Drew,
    End,
    Event,
    HandAbandoned,
    HandShown,
    HandStarted,
    IndicatorTurned,
    KongDeclared,
    ReadyDeclared,
    TilesExchanged,
    WallBuilt,
    WallExhausted,
)
from table_assist.game.fold import apply
from table_assist.game.state import TableState
from table_assist.record.log import Entry, Source
from table_assist.record.record import Record
from table_assist.rules.profile import plain_profile
from table_assist.rules.registry import find_rules
from table_assist.session.command_handler import CommandHandler
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile
from table_assist.twin.play.hand import play_hand

NAMES = ("Ann", "Bo", "Chen", "Du")
RULE_SETS = ("changchun", "changsha", "wanzhou", "tianjin", "classical")
_MAY_BE_MISSED = (Claimed, KongDeclared, ReadyDeclared, BirdTurned, IndicatorTurned, HandShown)


@cache
def played(rules: str, seed: int, hands: int) -> tuple[Event, ...]:
    """What happens in so many hands; nobody sees what the players hold."""
    random, state = Random(f"{rules} {seed}"), TableState()
    seen: list[Event] = []
    for _ in range(hands):
        if state.game_over:
            break
        events, state = play_hand(find_rules(rules), state, random)
        seen += [_as_seen(event) for event in events if not isinstance(event, Drew)]
    seen.append(WallBuilt())  # the table goes on
    return tuple(seen)


def _as_seen(event: Event) -> Event:
    match event:
        case HandStarted():
            return replace(event, hands=())
        case TilesExchanged():
            return replace(event, given=())
        case _:
            return event


def settled(events: tuple[Event, ...]) -> tuple[Event, ...]:
    """The same with each hand ended as the rules have it; given up where it cannot be settled."""
    state, found = TableState(), list[Event]()
    for event in events:
        if isinstance(event, End):
            due = due_end(state, drawn=isinstance(event, WallExhausted))
            event = due.end or HandAbandoned()
        state = apply(state, event)
        found.append(event)
    return tuple(found)


def record_of(events: tuple[Event, ...]) -> Record:
    entries = [
        Entry(seq, float(seq), Source.RULES if isinstance(event, End) else Source.CAMERA, event)
        for seq, event in enumerate(events, start=1)
    ]
    return Record(None, lambda: 1.0, entries)


def handler_of(rules: str, record: Record) -> CommandHandler:
    return CommandHandler(plain_profile(find_rules(rules)), NAMES, record)


@dataclass(frozen=True, slots=True)
class Mistake:
    """A log with a mistake, and the command that puts it right."""

    events: tuple[Event, ...]
    remedy: Command


def mistake(events: tuple[Event, ...], random: Random) -> Mistake:
    """One event misread, missed or made up, anywhere in the evening."""
    kind = random.choice(("misread", "missed", "made up"))
    inside = range(_first_hand(events), len(events) - 1)
    if kind == "missed":
        places = [i for i in inside if isinstance(events[i], _MAY_BE_MISSED)]
        if places:
            at = random.choice(places)
            wrong = (*events[:at], *events[at + 1 :])
            return Mistake(settled(wrong), Insert(at + 1, events[at]))
    if kind == "made up":
        at = random.choice([i for i in inside if isinstance(events[i], Discarded)])
        made_up = random.choice((_kong(random), ReadyDeclared(random.randrange(4))))
        wrong = (*events[:at], made_up, *events[at:])
        return Mistake(settled(wrong), Undo(at + 1))
    places = [i for i in inside if isinstance(events[i], Discarded | HandShown | BirdTurned)]
    shown = [i for i in places if not isinstance(events[i], Discarded)]
    at = random.choice(shown if shown and random.random() < 0.7 else places)
    wrong = (*events[:at], _misread(events[at], random), *events[at + 1 :])
    return Mistake(settled(wrong), Correct(at + 1, events[at]))


def _first_hand(events: tuple[Event, ...]) -> int:
    return next(i for i, event in enumerate(events) if isinstance(event, HandStarted)) + 1


def _kong(random: Random) -> KongDeclared:
    return KongDeclared(random.randrange(4), MeldKind.KONG_CONCEALED, _other(None, random))


def _misread(event: Event, random: Random) -> Event:
    match event:
        case Discarded(_, tile) | BirdTurned(tile):
            return replace(event, tile=_other(tile, random))
        case HandShown(_, concealed, _, self_drawn):
            if random.random() < 0.2:
                return replace(event, self_drawn=not self_drawn)
            at = random.randrange(len(concealed))
            tiles = (*concealed[:at], _other(concealed[at], random), *concealed[at + 1 :])
            return replace(event, concealed=tuple(sorted(tiles)))
        case _:
            raise AssertionError(event)


def _other(tile: Tile | None, random: Random) -> Tile:
    faces = [each for each in Tile if each.is_suited and each is not tile]
    return random.choice((Tile.UNKNOWN, *faces))
