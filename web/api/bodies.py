"""The JSON body of a command: one declaration checks it, refuses it and describes it.

``@takes(whole("seq", 1, 99))`` above an endpoint's function checks the request, reads the body
and passes the values by name; the same fields become the endpoint's description.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial, wraps
from typing import Any, cast

from flask import Response, current_app, request

from table_assist.languages.words import WordsError
from table_assist.rules.shown import Antes
from table_assist.tiles.tile import parse_tile
from web.access import guard
from web.api.json_schema import (
    FACE,
    FLAG,
    NULL,
    OBJECT,
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


TEXT_LIMIT = 200  # characters of a question's id or an answer; ours are far shorter


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


def text(name: str, limit: int = TEXT_LIMIT, *, least: int = 1) -> Field:
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


def texts(name: str, most: int, limit: int = TEXT_LIMIT) -> Field:
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
