"""An evening that is known beforehand, and what must be on record of it after a kill."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path

from firmware_bridge.events import EventContent
from table_assist.game.events import (
    Answered,
    Asked,
    Attested,
    BoardSaid,
    Event,
    HandLaidDown,
    HandStarted,
    Ruled,
    Settled,
    StartingHandShown,
)
from table_assist.game.fold import replay
from table_assist.game.state import TableState
from table_assist.record.course import key_of
from table_assist.record.evidence import EVIDENCE_SUFFIX, EvidenceError, EvidenceStore
from table_assist.record.log import Entry, effective
from table_assist.record.store import Store
from table_assist.rules.ruleset import RuleSet
from table_assist.twin.evening import play_evening
from table_assist.twin.table import TableStep

MOST_BYTES = 1_000_000_000  # of pictures: none is thrown away
HANDS = 3  # of one log: then a new evening begins
BOOT_ID = "00C00001"


class LostError(AssertionError):
    """An acknowledged entry is not there, or the state is not the truth's."""


@dataclass(frozen=True, slots=True)
class KillEvening:
    """The events of an evening, whatever becomes of the program.

    Attributes:
        signals: all of the board's, with the step in which they come.
        truth: the events up to the end of each step.
    """

    rules: RuleSet
    seed: int
    steps: tuple[TableStep, ...]
    signals: tuple[tuple[int, EventContent], ...]
    truth: tuple[Event, ...]
    true_after: tuple[int, ...]


@dataclass(slots=True)
class World:
    """The board's and the table's knowledge after a kill.

    Attributes:
        step: the last that has begun.
        sent: so many signals of the board were.
        acknowledged: so many were.
        stored: the last entry that was published.
        done: the keys of the commands of which people were told that they are done.
    """

    step: int = 0
    sent: int = 0
    acknowledged: int = 0
    stored: int = 0
    done: set[str] = field(default_factory=set)


def make_evening(rules: RuleSet, seed: int) -> KillEvening:
    """Some hands, all steps known beforehand."""
    steps = tuple(play_evening(seed, rules, hands=HANDS))
    signals = tuple((i, content) for i, step in enumerate(steps) for content in step.signals)
    truth: list[Event] = []
    true_after = []
    for step in steps:
        truth += step.events
        true_after.append(len(truth))
    return KillEvening(rules, seed, steps, signals, tuple(truth), tuple(true_after))


def check(evening: KillEvening, path: Path, world: World, where: str) -> int:
    """The log after a kill: nothing acknowledged is missing, nothing untrue is in it.

    Returns:
        how many signals of the board are on record.
    """
    if not path.exists():
        if world.acknowledged or world.stored:
            raise LostError(f"{where}: the log is gone")
        return 0
    with Store(path) as store:
        entries = store.load()
    _check_commands(entries, world, where)
    check_pictures(path, entries, where)
    if len(entries) < world.stored:
        raise LostError(f"{where}: {world.stored} entries were published, {len(entries)} are left")
    origins = [entry.origin for entry in entries if entry.origin.startswith("board ")]
    if len(origins) != len(set(origins)):
        raise LostError(f"{where}: a signal of the board was recorded twice")
    for number in range(1, world.acknowledged + 1):
        if f"board {BOOT_ID} {number}" not in origins:
            raise LostError(f"{where}: the board's signal {number} was acknowledged and is lost")
    recorded = len(origins)
    events = events_of(entries)
    keys, true = [key_of(e) for e in events], [key_of(e) for e in evening.truth]
    if keys != true[: len(keys)]:
        place = next(i for i, key in enumerate(keys) if i >= len(true) or key != true[i])
        wanted = evening.truth[place] if place < len(true) else "nothing"
        raise LostError(f"{where}: recorded {events[place]} where {wanted} is true")
    if _state(events) != _state(evening.truth[: len(events)]):
        raise LostError(f"{where}: the state is not the fold of the truth's {len(events)} events")
    return recorded


def _check_commands(entries: Sequence[Entry], world: World, where: str) -> None:
    """Every command that was called done is on record, and once."""
    found = [key for key, _ in groupby(entry.key for entry in entries) if key]
    if len(found) != len(set(found)):
        raise LostError(f"{where}: a command was done twice")
    for key in world.done - set(found):
        raise LostError(f"{where}: {key} was called done, and is lost")


def check_pictures(path: Path, entries: Sequence[Entry], where: str) -> int:
    """Every picture that the log vouches for is there, as it was.

    Returns:
        how many.
    """
    vouched = {
        f"e{entry.event.fields[0]}": entry.event.fields[1]
        for entry in entries
        if isinstance(entry.event, Attested) and entry.event.kind == "picture"
    }
    file = path.with_name(path.name + EVIDENCE_SUFFIX)
    if not file.exists():
        if vouched:
            raise LostError(f"{where}: the file of {len(vouched)} pictures is gone")
        return 0
    try:
        store = EvidenceStore(file, MOST_BYTES)
    except EvidenceError as error:
        raise LostError(f"{where}: {error}") from error
    try:
        for id, digest in vouched.items():
            found = store.get(id)
            if found is None or found.digest != digest:
                what = "lost" if found is None else "not what it was"
                raise LostError(f"{where}: the picture {id}, for which the log vouches, is {what}")
    finally:
        store.close()
    return len(vouched)


def check_end(evening: KillEvening, path: Path) -> int:
    """Nothing is missing when the evening is over; how many pictures the log vouches for."""
    with Store(path) as store:
        entries = store.load()
    events = events_of(entries)
    if len(events) != len(evening.truth):
        raise LostError(
            f"evening {evening.seed}: {len(events)} events of {len(evening.truth)} at its end"
        )
    return check_pictures(path, entries, f"evening {evening.seed}, its end")


def events_of(entries: Sequence[Entry]) -> tuple[Event, ...]:
    """The events that count, without questions, the board's bare words, and rulings."""
    return tuple(
        event
        for _, event in effective(entries)
        if not isinstance(event, Asked | Answered | BoardSaid | Attested | Ruled)
    )


def _state(events: Sequence[Event]) -> TableState:
    """The state of events; profile, words and the order of tiles in a hand are not compared."""
    return replay([_plain(event) for event in events])


def _plain(event: Event) -> Event:
    match event:
        case HandStarted(hand, rules, dealer, wall_left):
            return HandStarted(hand, rules, dealer, wall_left)
        case Settled():
            return replace(event, steps=())
        case StartingHandShown():
            return replace(event, tiles=tuple(sorted(event.tiles)))
        case HandLaidDown():
            return replace(event, concealed=tuple(sorted(event.concealed)))
        case _:
            return event
