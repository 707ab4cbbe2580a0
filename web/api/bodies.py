"""What a command's JSON body may hold: one declaration reads it, refuses it and describes it.

``@takes(whole("seq", 1, 99))`` above an endpoint's function checks the request, reads the body
and passes the values by name; the same fields become the endpoint's description.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial, wraps
from typing import Any, cast

from flask import Response, current_app, request

from table_assist.rules.shown import Antes
from table_assist.tiles import Tile, parse_tile
from table_assist.words import WordsError
from web.access import guard
from web.refusal import RefusedRequest

Read = Callable[[object], Any]
TEXT_LIMIT = 200  # characters of a question's id or an answer; ours are far shorter


class BodyError(WordsError):
    """A body cannot be understood; the sentence has the key in it."""


@dataclass(frozen=True, slots=True)
class Field:
    """One key of a body.

    Attributes:
        read: the value as the command wants it; raises BodyError.
        schema: the same as JSON Schema, never wider than what `read` accepts.
        default: for a key that may be left out.
    """

    name: str
    read: Read
    schema: Mapping[str, Any]
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
    known = {field.name for field in fields}
    for key in body:
        if key not in known:
            raise BodyError(
                "There is no {key} here; there are {known}.",
                "没有 {key}；可用的有 {known}。",
                key=f"{str(key)[:40]!r}",
                known=sorted(known),
            )
    given = {}
    for field in fields:
        if field.name in body:
            given[field.name] = field.read(body[field.name])
        elif field.required:
            raise BodyError("{name} is missing.", "缺少 {name}。", name=f"{field.name!r}")
        else:
            given[field.name] = field.default
    return given


def schema_of(fields: Fields) -> dict[str, Any]:
    """The JSON Schema of a body."""
    return {
        "type": "object",
        "properties": {field.name: dict(field.schema) for field in fields},
        "required": [field.name for field in fields if field.required],
        "additionalProperties": False,
    }


def whole(name: str, low: int, high: int, *, default: int | None = None) -> Field:
    """A whole number."""

    def read(value: object) -> int:
        if type(value) is not int or not low <= value <= high:
            raise BodyError(
                "{name} must be a whole number from {low} to {high}, not {value}.",
                "{name} 应为 {low} 到 {high} 的整数，现为 {value}。",
                name=f"{name!r}",
                low=low,
                high=high,
                value=f"{str(value)[:40]!r}",
            )
        return value

    schema = {"type": "integer", "minimum": low, "maximum": high}
    return Field(name, read, schema, default is None, default)


def seat(name: str = "seat") -> Field:
    """A seat."""

    def read(value: object) -> int:
        if type(value) is not int or not 0 <= value <= 3:
            raise BodyError(
                "{name} must be 0, 1, 2 or 3, not {value}.",
                "{name} 应为 0、1、2 或 3，现为 {value}。",
                name=f"{name!r}",
                value=f"{str(value)[:40]!r}",
            )
        return value

    return Field(name, read, {"type": "integer", "minimum": 0, "maximum": 3})


def text(name: str, limit: int = TEXT_LIMIT, *, least: int = 1) -> Field:
    """A text that is no longer than it needs to be."""

    def read(value: object) -> str:
        if not isinstance(value, str) or not least <= len(value) <= limit:
            raise BodyError(
                "{name} must be a text of {least} to {limit} characters.",
                "{name} 应为 {least} 到 {limit} 个字符的文本。",
                name=f"{name!r}",
                least=least,
                limit=limit,
            )
        return value

    return Field(name, read, {"type": "string", "minLength": least, "maxLength": limit})


def choice(name: str, *choices: str, required: bool = True) -> Field:
    """One of some words."""

    def read(value: object) -> str:
        if not isinstance(value, str) or value not in choices:
            raise BodyError(
                "{name} must be one of {list}, not {value}.",
                "{name} 应为 {list} 之一，现为 {value}。",
                name=f"{name!r}",
                list=list(choices),
                value=f"{str(value)[:40]!r}",
            )
        return value

    return Field(name, read, {"type": "string", "enum": list(choices)}, required)


def flag(name: str) -> Field:
    """Yes or no."""

    def read(value: object) -> bool:
        if not isinstance(value, bool):
            raise BodyError(
                "{name} must be true or false, not {value}.",
                "{name} 应为 true 或 false，现为 {value}。",
                name=f"{name!r}",
                value=f"{str(value)[:40]!r}",
            )
        return value

    return Field(name, read, {"type": "boolean"})


def face(name: str) -> Field:
    """A tile whose face is known, as text such as ``5p``."""
    faces = [str(tile) for tile in Tile if tile.is_face]

    def read(value: object) -> Tile:
        if not isinstance(value, str) or value not in faces:
            raise BodyError(
                "{name} must be a tile such as '5p', not {value}.",
                "{name} 应为一张牌，如 '5p'，现为 {value}。",
                name=f"{name!r}",
                value=f"{str(value)[:40]!r}",
            )
        return parse_tile(value)

    return Field(name, read, {"type": "string", "enum": faces})


def four(name: str, low: int, high: int) -> Field:
    """Four whole numbers, one for each seat."""

    def read(value: object) -> tuple[int, int, int, int]:
        if (
            not isinstance(value, list)
            or len(value) != 4
            or not all(type(each) is int and low <= each <= high for each in value)
        ):
            raise BodyError(
                "{name} must be four whole numbers from {low} to {high}.",
                "{name} 应为四个 {low} 到 {high} 的整数。",
                name=f"{name!r}",
                low=low,
                high=high,
            )
        return value[0], value[1], value[2], value[3]

    each = {"type": "integer", "minimum": low, "maximum": high}
    return Field(name, read, {"type": "array", "items": each, "minItems": 4, "maxItems": 4})


def antes(name: str, most: int = 99) -> Field:
    """What was staked before the deal."""
    parts = (flag("double_down"), four("challenges", 0, most))

    def read(value: object) -> Antes:
        return Antes(**read_fields(value, parts))

    return Field(name, read, schema_of(parts))


def mapping(name: str) -> Field:
    """An object whose content is checked by who reads it."""

    def read(value: object) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise BodyError("{name} must be an object.", "{name} 应为一个对象。", name=f"{name!r}")
        return value

    return Field(name, read, {"type": "object"})


def optional(field: Field, default: Any = None) -> Field:
    """The field, which may also be left out."""
    return Field(field.name, field.read, field.schema, False, default)


def texts(name: str, most: int, limit: int = TEXT_LIMIT) -> Field:
    """A list of short texts."""

    def read(value: object) -> tuple[str, ...]:
        if (
            not isinstance(value, list)
            or len(value) > most
            or not all(isinstance(each, str) and len(each) <= limit for each in value)
        ):
            raise BodyError(
                "{name} must be a list of at most {most} texts.",
                "{name} 须是至多 {most} 段文字。",
                name=f"{name!r}",
                most=most,
            )
        return tuple(value)

    each = {"type": "string", "maxLength": limit}
    return Field(name, read, {"type": "array", "items": each, "maxItems": most})


def faces(name: str, most: int) -> Field:
    """A list of tiles whose faces are known."""
    one = face(name)

    def read(value: object) -> tuple[Tile, ...]:
        if not isinstance(value, list) or not 0 < len(value) <= most:
            raise BodyError(
                "{name} must be a list of 1 to {most} tiles.",
                "{name} 须是 1 至 {most} 张牌。",
                name=f"{name!r}",
                most=most,
            )
        return tuple(one.read(each) for each in value)

    schema = {"type": "array", "items": dict(one.schema), "minItems": 1, "maxItems": most}
    return Field(name, read, schema)


def or_none(field: Field) -> Field:
    """The field, or null."""

    def read(value: object) -> Any:
        return None if value is None else field.read(value)

    return Field(field.name, read, {"anyOf": [dict(field.schema), {"type": "null"}]})
