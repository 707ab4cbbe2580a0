"""Events in commands: which ones people may put into the record, and what each may hold.

What comes in is held against the types of the event's own fields before it becomes an event:
`record.log` reads the program's own log and is more lenient.
"""

from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import cache, partial, reduce
from operator import or_
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from table_assist.game import events
from table_assist.game.told_facts import with_implied
from table_assist.languages.words import Words, words_of
from table_assist.record.log import event_from_dict
from table_assist.rules.registry import find_rules
from table_assist.tiles.tile import Tile
from web.api.bodies import BodyError, Field
from web.api.json_schema import (
    FLAG,
    NULL,
    TILE,
    Schema,
    either,
    list_of,
    object_of,
    short_text,
    whole_number,
)

# Facts of the table. What the program says itself (questions, answers, the board's own words) and
# what follows from a ruling (`Rule` makes it) is not for people to write.
TOLD: tuple[type, ...] = get_args(events.Fact)
TEXT = short_text(0, 400)
MOST_TILES, MOST_ITEMS = 20, 200  # a hand has 14 tiles; a settlement's steps are the longest list
# A type's own schema; `game.events` says more.
_PLAIN: dict[Any, Schema] = {
    bool: FLAG,
    int: whole_number(-1_000_000, 1_000_000),
    str: TEXT,
    type(None): NULL,
    Tile: TILE,
    Words: list_of(TEXT, 2, 2),
    tuple[Tile, ...]: list_of(TILE, 0, MOST_TILES),
}


def event(name: str) -> Field:
    """An event as a JSON object with its name under ``type``."""
    return Field(name, {"oneOf": [event_schema(each) for each in TOLD]}, partial(_made, name))


def told_hand(name: str) -> Field:
    """A hand that people tell, as its event; its ``type`` need not be said."""
    whole, (_, required) = event_schema(events.HandTold), _properties(events.HandTold)
    # The session knows the readings of the photographs, and nobody says them.
    known = {each: said for each, said in whole["properties"].items() if each != "read"}

    def convert(value: dict[str, Any]) -> events.HandTold:
        return with_implied(_made(name, {**value, "type": "HandTold"}))

    return Field(name, object_of(known, required), convert)


def reason(name: str) -> Field:
    """The same words in English and Chinese; one of them may be empty."""
    schema = object_of({"en": TEXT, "zh": TEXT}, ["en", "zh"])
    return Field(name, schema, lambda value: Words(value["en"], value["zh"]))


def _made(name: str, value: dict[str, Any]) -> Any:
    try:
        made = event_from_dict(value)
        if isinstance(made, events.HandStarted):
            find_rules(made.rules).with_options(dict(made.options))
    except (ValueError, TypeError, KeyError) as error:
        kind, why = value["type"], words_of(error)
        raise BodyError(
            "{name} is no {kind}: {why}.",
            "{name} 不是 {kind}：{why}。",
            name=repr(name),
            kind=kind,
            why=why,
        ) from error
    return made


@cache
def event_schema(kind: type) -> Schema:
    """The JSON Schema of one kind of event."""
    found, required = _properties(kind)
    name: Schema = {"type": "string", "enum": [kind.__name__]}
    return object_of({"type": name, **found}, ["type", *required])


def _properties(kind: type) -> tuple[dict[str, Schema], list[str]]:
    """Of each field the schema, and which of them there must be."""
    hints = get_type_hints(kind, include_extras=True)
    needed = [
        each.name
        for each in fields(kind)
        if each.default is MISSING and each.default_factory is MISSING
    ]
    return {each.name: _of_hint(hints[each.name]) for each in fields(kind)}, needed


def _of_hint(hint: Any) -> Schema:
    if hint in _PLAIN:
        return _PLAIN[hint]
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        schema = _of_hint(arguments[0])
        within = arguments[1]
        if schema["type"] == "array":
            return list_of(schema["items"], within.low, within.high)
        return whole_number(within.low, within.high)
    if origin in (UnionType, Union):
        return either(*map(_of_hint, arguments))
    if origin is tuple and arguments[-1] is ...:
        return list_of(_of_hint(arguments[0]), 0, MOST_ITEMS)
    if origin is tuple:
        return list_of(_of_hint(reduce(or_, arguments)), len(arguments), len(arguments))
    if is_dataclass(hint) and isinstance(hint, type):
        return event_schema(hint)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return {"type": "string", "enum": [member.value for member in hint]}
    raise TypeError(f"no event may hold {hint!r}")
