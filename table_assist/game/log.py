"""The log: numbered entries around events, with retraction and correction, as JSON lines."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum, StrEnum
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from table_assist.game.events import Event
from table_assist.tiles import Tile, parse_tile


class Source(StrEnum):
    """Who says so."""

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
class Entry:
    """One line of the log.

    Attributes:
        seq: counts from 1 without gaps.
        t: seconds since the epoch, the session's clock.
        confidence: 0-1, of the source.
        origin: the reading behind it, as ``board <boot id> <sequence>``; empty for none. A reading
            that is delivered twice is known by it.
    """

    seq: int
    t: float
    source: Source
    event: Event | Retracted | Amended
    confidence: float = 1.0
    origin: str = ""


def effective(entries: Iterable[Entry]) -> tuple[tuple[int, Event], ...]:
    """The (seq, event) pairs that count, in order: later retractions and corrections applied.

    A retraction of a retraction brings the entry back.
    """
    events: dict[int, Event] = {}
    dropped: set[int] = set()
    for entry in reversed(tuple(entries)):
        if entry.seq in dropped:
            continue
        match entry.event:
            case Retracted(seq):
                dropped.add(seq)
            case Amended(seq, event):
                events.setdefault(seq, event)
            case event:
                events.setdefault(entry.seq, event)
    return tuple((seq, events[seq]) for seq in sorted(events) if seq not in dropped)


_EVENTS: dict[str, type] = {kind.__name__: kind for kind in (*get_args(Event), Retracted, Amended)}


def entry_to_json(entry: Entry) -> str:
    """One line of JSON for one entry."""
    return json.dumps(
        {
            "seq": entry.seq,
            "t": entry.t,
            "source": entry.source,
            "confidence": entry.confidence,
            "origin": entry.origin,
            "event": event_to_dict(entry.event),
        },
        ensure_ascii=False,
        separators=(",", ":"),
    )


def entry_from_json(text: str) -> Entry:
    """The entry of one line.

    Raises:
        ValueError: the line is not an entry; the message says what is wrong.
    """
    try:
        row = json.loads(text)
        return Entry(
            int(row["seq"]),
            float(row["t"]),
            Source(row["source"]),
            event_from_dict(row["event"]),
            float(row["confidence"]),
            str(row["origin"]),
        )
    except (KeyError, TypeError) as error:
        raise ValueError(f"no log entry: {error!r} in {text[:120]!r}") from error


def event_to_dict(event: object) -> dict[str, Any]:
    """A dict of JSON values with the event's type under ``type``; tiles become text."""
    assert is_dataclass(event)
    row: dict[str, Any] = {"type": type(event).__name__}
    for field in fields(event):
        row[field.name] = _to_json(getattr(event, field.name))
    return row


def event_from_dict(row: dict[str, Any]) -> Any:
    """The event of such a dict.

    Raises:
        ValueError: no event has that type.
    """
    kind = _EVENTS.get(row["type"])
    if kind is None:
        raise ValueError(f"no event {row['type']!r}; there are {sorted(_EVENTS)}")
    hints = get_type_hints(kind)
    given = {name: _from_json(hints[name], value) for name, value in row.items() if name != "type"}
    return kind(**given)


def _to_json(value: Any) -> Any:
    match value:
        case Tile():
            return str(value)
        case Enum():
            return value.value
        case tuple():
            return [_to_json(item) for item in value]
        case _ if is_dataclass(value):
            return event_to_dict(value)
        case _:
            return value


def _from_json(hint: Any, value: Any) -> Any:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (UnionType, Union):
        if value is None:
            return None
        if isinstance(value, dict):
            return event_from_dict(value)
        if type(value) in arguments:
            return value
        return _from_json(next(a for a in arguments if a is not type(None)), value)
    if origin is tuple:
        kinds = [arguments[0]] * len(value) if arguments[-1] is ... else arguments
        return tuple(_from_json(kind, item) for kind, item in zip(kinds, value, strict=True))
    if hint is Tile:
        return parse_tile(value)
    return hint(value)
