"""The JSON body of a command, events in it too: one declaration checks and describes it.

``@takes(whole("seq", 1, 99))`` above an endpoint's function checks the request, reads the body
and passes the values by name; the same fields become the endpoint's description.
"""

import json
import re
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields, is_dataclass, replace
from enum import Enum
from functools import cache, partial, reduce, wraps
from operator import or_
from types import UnionType
from typing import Annotated, Any, Union, cast, get_args, get_origin, get_type_hints

from flask import Response, current_app, request

from table_assist.game import events
from table_assist.game.told_facts import with_implied
from table_assist.languages.words import Words, WordsError, words_of
from table_assist.record.log import event_from_dict
from table_assist.rules.registry import find_rules
from table_assist.rules.shown import Antes
from table_assist.tiles.tile import Tile, parse_tile
from web.access import guard
from web.api.json_schema import (
    FACE,
    FLAG,
    NULL,
    OBJECT,
    TILE,
    Schema,
    either,
    fault,
    list_of,
    object_of,
    short_text,
    whole_number,
)
from web.refusal import RefusedRequest, refuse

# Made up by the page for each command: the same command that comes again is known by it.
KEY_HEADER = "Idempotency-Key"
_KEY = re.compile(r"[A-Za-z0-9-]{16,64}")


def key_given() -> str:
    """The key that the page made up for this very command; empty for none."""
    key = request.headers.get(KEY_HEADER, "")
    if key and not _KEY.fullmatch(key):
        refuse(
            400,
            "{key_header} must be 16 to 64 letters, digits and dashes.",
            "{key_header} 应为 16 到 64 个字母、数字或连字符。",
            key_header=KEY_HEADER,
        )
    return key


LONGEST_TEXT = 200  # characters of a question's id or an answer; ours are far shorter


class BodyError(WordsError):
    """A body cannot be understood; the sentence has the key in it."""


@dataclass(frozen=True, slots=True)
class Field:
    """One key of a body.

    Attributes:
        schema: what its value is checked against, and how it is described.
        convert: what fits as the command wants it; may raise BodyError all the same.
        default: for a key that may be left out.
    """

    name: str
    schema: Schema
    convert: Callable[[Any], Any] = lambda value: value
    required: bool = True
    default: Any = None


Fields = tuple[Field, ...]


def takes(*fields: Field) -> Callable[[Callable[..., Response]], Callable[..., Response]]:
    """Guard a POST endpoint and give its function the body's values by name."""

    def declare(view: Callable[..., Response]) -> Callable[..., Response]:
        @wraps(view)
        def reading(**named: Any) -> Response:
            guard.check_post()
            try:
                given = read_fields(_parsed(request.get_data()), fields)
            except BodyError as error:
                raise RefusedRequest(400, error.words) from error
            once = current_app.extensions.get("once")  # a hub's
            do = partial(view, **named, **given)
            return do() if once is None else cast(Response, once(do))

        reading.__dict__["body"] = fields
        return reading

    return declare


def _parsed(content: bytes) -> object:
    """The JSON value; None, which is no body, where there is none.

    Half a character (a lone surrogate) is none: it can be said in JSON and written nowhere.
    """
    try:
        parsed: object = json.loads(content, parse_float=_number)
        json.dumps(parsed, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return None
    return parsed


def _number(text: str) -> float | int:
    """A number with a fraction; to JSON Schema 2.0 is as whole as 2."""
    number = float(text)
    return int(number) if number.is_integer() else number


def read_fields(body: object, fields: Fields) -> dict[str, Any]:
    """The values of a body.

    Raises:
        BodyError: it is no object, lacks a key, has one too many, or a value is none.
    """
    if not isinstance(body, dict):
        raise BodyError("A command must be a JSON object.", "命令必须是一个 JSON 对象。")
    if wrong := fault(schema_of(fields), body):
        raise BodyError("{wrong}.", "{wrong}。", wrong=wrong)
    return {
        field.name: field.convert(body[field.name]) if field.name in body else field.default
        for field in fields
    }


def schema_of(fields: Fields) -> Schema:
    """The JSON Schema of a body."""
    required = [field.name for field in fields if field.required]
    return object_of({field.name: field.schema for field in fields}, required)


def optional(field: Field, default: Any = None) -> Field:
    """The field, which may also be left out."""
    return replace(field, required=False, default=default)


def or_none(field: Field) -> Field:
    """The field, or null."""

    def convert(value: Any) -> Any:
        return None if value is None else field.convert(value)

    return replace(field, schema=either(field.schema, NULL), convert=convert)


def whole(name: str, low: int, high: int, *, default: int | None = None) -> Field:
    """A whole number."""
    return Field(name, whole_number(low, high), required=default is None, default=default)


def seat(name: str = "seat") -> Field:
    """A seat."""
    return whole(name, 0, 3)


def text(name: str, limit: int = LONGEST_TEXT, *, least: int = 1) -> Field:
    """A text that is no longer than it needs to be."""
    return Field(name, short_text(least, limit))


def choice(name: str, *choices: str) -> Field:
    """One of some words."""
    return Field(name, {"type": "string", "enum": list(choices)})


def flag(name: str) -> Field:
    """Yes or no."""
    return Field(name, FLAG)


def face(name: str) -> Field:
    """A tile whose face is known, as text such as ``5p``."""
    return Field(name, FACE, parse_tile)


def faces(name: str, most: int) -> Field:
    """A list of tiles whose faces are known."""
    return Field(name, list_of(FACE, 1, most), lambda value: tuple(map(parse_tile, value)))


def four(name: str, low: int, high: int) -> Field:
    """Four whole numbers, one for each seat."""
    return Field(name, list_of(whole_number(low, high), 4, 4), tuple)


def texts(name: str, most: int, limit: int = LONGEST_TEXT) -> Field:
    """A list of short texts."""
    return Field(name, list_of(short_text(0, limit), 0, most), tuple)


def wholes(name: str, least: int, most: int, high: int) -> Field:
    """A list of so many whole numbers from 1 on."""
    return Field(name, list_of(whole_number(1, high), least, most))


def mapping(name: str) -> Field:
    """An object whose content is checked by who reads it."""
    return Field(name, OBJECT)


def antes(name: str, most: int = 99) -> Field:
    """The field of the stakes before the deal."""
    parts = (flag("double_down"), four("challenges", 0, most))
    return Field(name, schema_of(parts), lambda value: Antes(**read_fields(value, parts)))


# Facts of the table. What the program says itself (questions, answers, the board's own words) and
# what follows from a ruling (`Rule` makes it) is not for people to write.
TOLD_EVENTS: tuple[type, ...] = get_args(events.Fact)
TEXT = short_text(0, 400)
MOST_TILES, MOST_ITEMS = 20, 200  # a hand has 14 tiles; a settlement's steps are the longest list
# A type's own schema; `game.events` says more.
_PLAIN_SCHEMAS: dict[Any, Schema] = {
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
    return Field(
        name, {"oneOf": [event_schema(each) for each in TOLD_EVENTS]}, partial(_made, name)
    )


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
    if hint in _PLAIN_SCHEMAS:
        return _PLAIN_SCHEMAS[hint]
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
