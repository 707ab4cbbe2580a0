"""Events in commands: which ones people may put into the record, and what each may hold.

The description is made from the events' own fields, and what comes in is held against it before it
becomes an event: `record.log` reads the program's own log and is more lenient.
"""

from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import cache
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from table_assist.game import events
from table_assist.game.told_facts import with_implied
from table_assist.record.log import event_from_dict
from table_assist.rules.registry import find_rules
from table_assist.tiles import Tile
from table_assist.words import Words
from web.api.bodies import BodyError, Field

Schema = dict[str, Any]

# Facts of the table. What the program says itself (questions, answers, the board's own words) and
# what follows from a ruling (`Rule` makes it) is not for people to write.
TOLD: tuple[type, ...] = get_args(events.Fact)
SEAT: Schema = {"type": "integer", "minimum": 0, "maximum": 3}
POINTS: Schema = {"type": "integer", "minimum": -1_000_000, "maximum": 1_000_000}
TEXT: Schema = {"type": "string", "maxLength": 400}
TILE: Schema = {"type": "string", "enum": [str(tile) for tile in Tile]}
MOST_ITEMS = 200  # the steps of a settlement are the longest list; a hand has 14 tiles


def _number(low: int, high: int) -> Schema:
    return {"type": "integer", "minimum": low, "maximum": high}


def _list(items: Schema, least: int = 0, most: int = MOST_ITEMS) -> Schema:
    return {"type": "array", "items": items, "minItems": least, "maxItems": most}


# What a field's name says beyond its type.
_NAMED: Mapping[str, Schema] = {
    "seat": SEAT,
    "dealer": SEAT,
    "discarder": SEAT,
    "first_east": SEAT,
    "hand": _number(1, 9999),
    "wall_left": _number(0, 144),
    "column": _number(0, 72),
    "egg": _number(0, 9),
    "seats_on": _number(1, 3),
    "claimed_from": _list({"anyOf": [SEAT, {"type": "null"}]}, 0, 4),
    "length": _number(0, 9999),
    "values": _list(_number(1, 6), 1, 4),
    "came_from": _list(SEAT, 4, 4),
    "challenges": _list(_number(0, 99), 4, 4),
    "winners": _list(SEAT, 0, 4),
    "transfers": _list(POINTS, 4, 4),
    "hands": _list(_list(TILE, 0, 20), 0, 4),
    "given": _list(_list(TILE, 0, 20), 0, 4),
    "tiles": _list(TILE, 0, 20),
    "concealed": _list(TILE, 0, 20),
    "options": _list(
        {
            "type": "array",
            "items": {"anyOf": [TEXT, {"type": "boolean"}, _number(-MOST_ITEMS * 5000, 1_000_000)]},
            "minItems": 2,
            "maxItems": 2,
        }
    ),
}
_NAMED_IN: Mapping[tuple[str, str], Schema] = {
    ("SeatsChanged", "east"): {"anyOf": [SEAT, {"type": "null"}]},
    ("GameBegun", "points"): _number(0, 1_000_000),
    ("HandStarted", "dead"): _number(0, 144),
    ("Settled", "dealer_next"): {"anyOf": [SEAT, {"type": "null"}]},
    ("HandTold", "discarder"): {"anyOf": [SEAT, {"type": "null"}]},
    ("HandTold", "wall_left"): {"anyOf": [_number(0, 144), {"type": "null"}]},
    ("HandTold", "broken"): _list(_number(0, 3), 0, 4),
    ("HandTold", "undoes"): _list(TILE, 0, 20),
    ("HandTold", "discard_round"): {"anyOf": [_number(1, 99), {"type": "null"}]},
    ("WallExhausted", "dealer_next"): {"anyOf": [SEAT, {"type": "null"}]},
}


def told_hand(name: str) -> Field:
    """A hand that people tell, as its event without a ``type``."""
    schema = event_schema(events.HandTold)
    any_event = event(name)

    def read(value: object) -> events.HandTold:
        body = {**value, "type": "HandTold"} if isinstance(value, dict) else value
        made = any_event.read(body)
        assert isinstance(made, events.HandTold)
        return with_implied(made)

    named = {key: each for key, each in schema["properties"].items() if key != "type"}
    required = [key for key in schema["required"] if key != "type"]
    return Field(name, read, {**schema, "properties": named, "required": required})


def event(name: str) -> Field:
    """An event as a JSON object with its name under ``type``."""

    def read(value: object) -> events.Event:
        kind = value.get("type") if isinstance(value, dict) else None
        known = {each.__name__: each for each in TOLD}
        if not isinstance(value, dict) or not isinstance(kind, str) or kind not in known:
            raise BodyError(
                "{name} must be an event: an object with a type of {list}.",
                "{name} 应为一个事件：type 为 {list} 之一的对象。",
                name=f"{name!r}",
                list=list(known),
            )
        wrong = fault(event_schema(known[kind]), value)
        if wrong:
            raise BodyError(
                "{name} is no {kind}: {wrong}.",
                "{name} 不是 {kind}：{wrong}。",
                name=f"{name!r}",
                kind=kind,
                wrong=wrong,
            )
        try:
            made: events.Event = event_from_dict(value)
            _check(made)
        except (ValueError, TypeError, KeyError) as error:
            why = str(error)[:200]
            raise BodyError(
                "{name} is no {kind}: {why}.",
                "{name} 不是 {kind}：{why}。",
                name=f"{name!r}",
                kind=kind,
                why=why,
            ) from error
        return made

    return Field(name, read, {"oneOf": [event_schema(each) for each in TOLD]})


def reason(name: str) -> Field:
    """The same words in English and Chinese; one of them may be empty."""
    schema = {
        "type": "object",
        "properties": {"en": TEXT, "zh": TEXT},
        "required": ["en", "zh"],
        "additionalProperties": False,
    }

    def read(value: object) -> Words:
        wrong = fault(schema, value)
        if wrong or not isinstance(value, dict):
            raise BodyError(
                "{name} must be the words in en and zh: {wrong}.",
                "{name} 应有 en 和 zh 两种文字：{wrong}。",
                name=f"{name!r}",
                wrong=wrong,
            )
        return Words(value["en"], value["zh"])

    return Field(name, read, schema)


@cache
def event_schema(kind: type) -> Schema:
    """The JSON Schema of one kind of event."""
    hints = get_type_hints(kind)
    found: Schema = {"type": {"const": kind.__name__}}
    required = ["type"]
    for field in fields(kind):
        named = _NAMED_IN.get((kind.__name__, field.name)) or _NAMED.get(field.name)
        found[field.name] = named or _of_hint(hints[field.name])
        if field.default is MISSING and field.default_factory is MISSING:
            required.append(field.name)
    return {
        "type": "object",
        "properties": found,
        "required": required,
        "additionalProperties": False,
    }


def _of_hint(hint: Any) -> Schema:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (UnionType, Union):
        return {"anyOf": [_of_hint(each) for each in arguments]}
    if origin is tuple and arguments[-1] is ...:
        return _list(_of_hint(arguments[0]))
    if origin is tuple:
        return _list(_of_hint(arguments[0]), len(arguments), len(arguments))
    if hint is type(None):
        return {"type": "null"}
    if hint is Tile:
        return TILE
    if hint is Words:
        return _list(TEXT, 2, 2)
    if is_dataclass(hint) and isinstance(hint, type):
        return event_schema(hint)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return {"type": "string", "enum": [member.value for member in hint]}
    plain = {bool: {"type": "boolean"}, int: POINTS, str: TEXT}.get(hint)
    if plain is None:
        raise TypeError(f"no event may hold {hint!r}")
    return plain


_TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "boolean": (bool,),
    "null": (type(None),),
}


_LOW = ("minimum", "minItems", "minLength")
_HIGH = ("maximum", "maxItems", "maxLength")


def fault(schema: Schema, value: object, at: str = "it") -> str:
    """What is wrong with a value by the part of JSON Schema that is used here; empty if nothing."""
    if "anyOf" in schema:
        return "" if any(not fault(each, value) for each in schema["anyOf"]) else f"{at} fits none"
    if "const" in schema:
        return "" if value == schema["const"] else f"{at} must be {schema['const']!r}"
    if not isinstance(value, _TYPES[schema["type"]]) or (
        isinstance(value, bool) and schema["type"] == "integer"
    ):
        return f"{at} must be of the type {schema['type']}"
    if "enum" in schema and value not in schema["enum"]:
        return f"{at} must be one of {schema['enum']}"
    if isinstance(value, dict):
        return _fault_in_object(schema, value)
    if isinstance(value, list):
        return _fault_in_list(schema, value, at)
    low, high = _bounds(schema)
    size = len(value) if isinstance(value, str) else value
    if isinstance(size, int) and not low <= size <= high:
        return f"{at} must be from {low:g} to {high:g}"
    return ""


def _bounds(schema: Schema) -> tuple[float, float]:
    low: float = next((schema[key] for key in _LOW if key in schema), float("-inf"))
    high: float = next((schema[key] for key in _HIGH if key in schema), float("inf"))
    return low, high


def _fault_in_object(schema: Schema, value: dict[str, Any]) -> str:
    for key in schema["required"]:
        if key not in value:
            return f"{key!r} is missing"
    for key, each in value.items():
        if key not in schema["properties"]:
            return f"there is no {key[:40]!r}; there are {sorted(schema['properties'])}"
        if wrong := fault(schema["properties"][key], each, repr(key)):
            return wrong
    return ""


def _fault_in_list(schema: Schema, value: list[Any], at: str) -> str:
    low, high = _bounds(schema)
    if not low <= len(value) <= high:
        return f"{at} must have {low:g} to {high:g} items"
    return next((wrong for each in value if (wrong := fault(schema["items"], each, at))), "")


def _check(made: events.Event) -> None:
    """What the fields together must be; what can be at a table the session says.

    Raises:
        ValueError: with what is wrong.
    """
    if isinstance(made, events.HandStarted):
        find_rules(made.rules).with_options(dict(made.options))
