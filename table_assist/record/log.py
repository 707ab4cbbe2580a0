"""The log: numbered entries around events, with retraction, correction and insertion."""

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any, NoReturn, cast, get_args

from table_assist.game.events import Event
from table_assist.record.json_rows import from_row, to_row


class Source(StrEnum):
    """The source of an entry."""

    CAMERA = "camera"
    BOARD = "board"
    PERSON = "person"
    RULES = "rules"


@dataclass(frozen=True, slots=True)
class Retracted:
    """An earlier entry no longer counts."""

    seq: int


@dataclass(frozen=True, slots=True)
class Amended:
    """An earlier entry's event should have been this one."""

    seq: int
    event: Event


@dataclass(frozen=True, slots=True)
class Inserted:
    """An event is missing before an earlier entry.

    It counts under its own entry's number, in the place directly before the other, whether that
    one still counts or not; of several before one entry the latest stands nearest to it.
    """

    before: int
    event: Event


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the log.

    Attributes:
        seq: counts from 1 without gaps.
        t: seconds since the epoch, the session's clock.
        confidence: 0-1, of the source.
        origin: the reading behind it, as ``board <boot id> <sequence>``; empty for none. A reading
            that is delivered twice is known by it.
        by: who gave the command that it comes from, with name and role; empty for nobody.
        cause: the entry from which it follows, and with which it is taken back; 0 for none.
        key: of the command that it is the first entry of, by which the same command is known when
            it comes again; empty for none.
    """

    seq: int
    t: float
    source: Source
    event: "Event | Retracted | Amended | Inserted"
    confidence: float = 1.0
    origin: str = ""
    by: str = ""
    cause: int = 0
    key: str = ""


Logged = Event | Retracted | Amended | Inserted


def effective(entries: Iterable[Entry]) -> tuple[tuple[int, Event], ...]:
    """The (seq, event) pairs that count, in the order in which they happened.

    Later retractions, corrections and insertions are applied; a retraction of a retraction brings
    the entry back, as does one of a correction or an insertion.
    """
    entries = tuple(entries)
    told, gone, placed = changed(entries)
    said = {
        entry.seq: entry.event
        for entry in entries
        if not isinstance(entry.event, Retracted | Amended)
    }
    order = in_order(said, placed) if placed else sorted(said)
    return tuple((seq, told.get(seq) or cast(Event, said[seq])) for seq in order if seq not in gone)


def changed(
    entries: Iterable[Entry],
) -> tuple[dict[int, Event], set[int], list[tuple[int, int]]]:
    """By number the events told since, what was taken back, and what was put before what."""
    told: dict[int, Event] = {}
    gone: set[int] = set()
    placed: list[tuple[int, int]] = []
    for entry in reversed(tuple(entries)):
        if entry.seq in gone:
            if isinstance(entry.event, Inserted):
                placed.append((entry.seq, entry.event.before))
            continue
        match entry.event:
            case Retracted(seq) if seq < entry.seq:
                gone.add(seq)
            case Amended(seq, event) if seq < entry.seq:
                told.setdefault(seq, event)
            case Inserted(before, event):
                placed.append((entry.seq, before))
                told.setdefault(entry.seq, event)
            case _:
                pass
    return told, gone, placed


def dropped(entries: Sequence[Entry]) -> frozenset[int]:
    """The numbers of the entries that were taken back, and not brought back."""
    return frozenset(changed(entries)[1])


def in_order(own: Collection[int], placed: Iterable[tuple[int, int]]) -> list[int]:
    """The numbers as their events happened; what was inserted stands before what it names.

    Args:
        own: the numbers in question.
        placed: (number, before which number) of what was inserted, whether it still counts or not.
    """
    before: dict[int, list[int]] = {}
    inserted = set()
    for seq, at in sorted(placed):
        if 0 < at < seq:
            before.setdefault(at, []).append(seq)
            inserted.add(seq)
    found: list[int] = []
    for root in sorted({*own, *before} - inserted):
        if root not in before:
            found.append(root)
            continue
        waiting = [(root, False)]
        while waiting:
            seq, is_due = waiting.pop()
            if is_due or seq not in before:
                found.append(seq)
                continue
            waiting.append((seq, True))
            waiting += [(each, False) for each in reversed(before[seq])]
    return [seq for seq in found if seq in own]


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of a log")


# NaN and Infinity are no JSON, though Python reads and writes them: no page could show them.
strict_json = json.JSONDecoder(parse_constant=_no_number)
compact_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_EVENTS: dict[str, type] = {kind.__name__: kind for kind in get_args(Logged)}


def entry_to_json(entry: Entry) -> str:
    """One line of JSON for one entry."""
    row: dict[str, Any] = {
        "seq": entry.seq,
        "t": entry.t,
        "source": entry.source,
        "confidence": entry.confidence,
        "origin": entry.origin,
        "event": to_row(entry.event),
    }
    if entry.by:
        row["by"] = entry.by
    if entry.cause:
        row["cause"] = entry.cause
    if entry.key:
        row["key"] = entry.key
    return compact_json(row)


def entry_from_json(text: str) -> Entry:
    """The entry of one line.

    Raises:
        ValueError: the line is not an entry; the message says what is wrong.
    """
    return row_and_entry(text)[1]


def row_and_entry(text: str) -> tuple[dict[str, Any], Entry]:
    """A line's JSON, and the entry of it.

    Raises:
        ValueError: the line is not an entry; the message says what is wrong.
    """
    try:
        row = strict_json.decode(text)
        return row, _entry(row, text)
    except RecursionError as error:
        raise ValueError(f"an entry is nested too deep: {text[:40]}") from error


def entries_from_json(lines: Sequence[str]) -> tuple[Entry, ...]:
    """The entries of many lines, read at once.

    Raises:
        ValueError: as `entry_from_json`.
    """
    try:
        rows = strict_json.decode(f"[{','.join(lines)}]")
    except ValueError:
        rows = []
    if len(rows) != len(lines):  # one of them is damaged: say which
        rows = [strict_json.decode(line) for line in lines]
    return tuple([_entry(row, line) for row, line in zip(rows, lines, strict=True)])


_SOURCE_OF = {source.value: source for source in Source}


def _entry(row: dict[str, Any], text: str) -> Entry:
    try:
        source = row["source"]
        return Entry(
            int(row["seq"]),
            float(row["t"]),
            _SOURCE_OF[source] if source in _SOURCE_OF else Source(source),
            event_from_dict(row["event"]),
            float(row["confidence"]),
            str(row["origin"]),
            str(row.get("by", "")),
            int(row.get("cause", 0)),
            str(row.get("key", "")),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"no log entry: {error!r} in {text[:120]!r}") from error


def event_from_dict(row: dict[str, Any]) -> Any:
    """The event of such a dict.

    Raises:
        ValueError: no event has that type.
    """
    if row["type"] in _REPEATED:
        return _read_once(tuple(row.items()))
    return _read(row)


# Most of a log: their fields are numbers and tiles, and equal ones come again and again.
_REPEATED = frozenset({"Discarded", "KongDeclared", "ReadyDeclared", "WallBuilt", "WinDeclared"})
_REMEMBERED = 1024


@lru_cache(maxsize=_REMEMBERED)
def _read_once(items: tuple[tuple[str, Any], ...]) -> Any:
    return _read(dict(items))


def _read(row: dict[str, Any]) -> Any:
    kind = _EVENTS.get(row["type"])
    if kind is None:
        raise ValueError(f"no event {row['type']!r}; there are {sorted(_EVENTS)}")
    return from_row(kind, row)
