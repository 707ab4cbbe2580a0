"""The part of JSON Schema in which bodies are described, and what is wrong with a value by it."""

import json
from collections.abc import Mapping
from typing import Any

from table_assist.languages.words import Words, phrase
from table_assist.tiles.tile import Tile

Schema = Mapping[str, Any]

TILE: Schema = {"type": "string", "enum": [str(tile) for tile in Tile]}
FACE: Schema = {"type": "string", "enum": [str(tile) for tile in Tile if tile.is_face]}
FLAG: Schema = {"type": "boolean"}
NULL: Schema = {"type": "null"}
OBJECT: Schema = {"type": "object"}

_TYPES: Mapping[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
}
_BOUNDS = {
    "integer": ("minimum", "maximum"),
    "number": ("minimum", "maximum"),
    "string": ("minLength", "maxLength"),
    "array": ("minItems", "maxItems"),
}
_TYPE_WORDS = {
    "object": Words("a JSON object", "JSON 对象"),
    "boolean": Words("true or false", "true 或 false"),
    "null": Words("null", "null"),
    "integer": Words("a whole number from {span}", "{span} 的整数"),
    "number": Words("a number from {span}", "{span} 的数"),
    "string": Words("a text of {span} characters", "{span} 个字符的文本"),
    "array": Words("a list of {span}", "{span} 项的列表"),
}
_SHOWN = 40  # characters of what was sent


def whole_number(low: int, high: int) -> Schema:
    """A whole number."""
    return {"type": "integer", "minimum": low, "maximum": high}


def short_text(least: int, most: int) -> Schema:
    """A text of so many characters."""
    return {"type": "string", "minLength": least, "maxLength": most}


def list_of(items: Schema, least: int, most: int) -> Schema:
    """A list of so many."""
    return {"type": "array", "items": items, "minItems": least, "maxItems": most}


def either(*schemas: Schema) -> Schema:
    """The schema of a value that fits one of several."""
    return {"anyOf": list(schemas)}


def object_of(properties: Mapping[str, Schema], required: list[str]) -> Schema:
    """An object with these keys and no other."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": required,
        "additionalProperties": False,
    }


def fault(schema: Schema, value: object, at: str = "") -> Words | None:
    """The fault as a sentence without its full stop; None if there is none.

    Args:
        at: where the value lies: keys with dots between them, and a list's places as ``[2]``.
    """
    if "oneOf" in schema:
        # Of several kinds of objects, told apart by their ``type``
        kinds = {each["properties"]["type"]["enum"][0]: each for each in schema["oneOf"]}
        kind = value.get("type") if isinstance(value, dict) else None
        if not isinstance(kind, str) or kind not in kinds:
            return phrase("json_schema.must_be_an_object", at=repr(at), kinds=list(kinds))
        wrong = fault(kinds[kind], value, at)
        return wrong and phrase("json_schema.is", at=repr(at), kind=kind, wrong=wrong)
    if "anyOf" in schema:
        # By the one whose type the value has, if there is one
        faults = [(each, fault(each, value, at)) for each in schema["anyOf"]]
        if any(wrong is None for _, wrong in faults):
            return None
        own = (wrong for each, wrong in faults if _is_of_type(each, value))
        return next(own, None) or _must_be(schema, value, at)
    if not _is_of_type(schema, value):
        return _must_be(schema, value, at)
    if isinstance(value, dict):
        known, others = schema.get("properties", {}), schema.get("additionalProperties", True)
        for key in schema.get("required", ()):
            if key not in value:
                return Words("{at} is missing", "缺少 {at}", at=repr(_under(at, key)))
        for key, each in value.items():
            place = _under(at, key[:_SHOWN])
            told = known.get(key, others)
            if told is False:
                return phrase("json_schema.is_unknown_there", at=repr(place), keys=sorted(known))
            if told is not True and (wrong := fault(told, each, place)):
                return wrong
        return None
    if isinstance(value, list):
        if not _is_within(schema, len(value)):
            return _must_be(schema, value, at)
        found = (fault(schema["items"], each, f"{at}[{n}]") for n, each in enumerate(value))
        return next(filter(None, found), None)
    if "enum" in schema:
        fits = value in schema["enum"]
    else:
        fits = _is_within(schema, len(value) if isinstance(value, str) else value)
    return None if fits else _must_be(schema, value, at)


def _is_of_type(schema: Schema, value: object) -> bool:
    kind = schema["type"]
    return isinstance(value, _TYPES[kind]) and isinstance(value, bool) == (kind == "boolean")


def _is_within(schema: Schema, size: Any) -> bool:
    """A boolean and null have no bounds."""
    low, high = _BOUNDS.get(schema["type"], ("", ""))
    return not low or bool(schema[low] <= size <= schema[high])


def _under(at: str, key: str) -> str:
    return f"{at}.{key}" if at else key


def _must_be(schema: Schema, value: object, at: str) -> Words:
    """With what was sent, unless it is a text of one's own: it may be long, or a password."""
    said = Words("{at} must be {what}", "{at} 应为 {what}", at=repr(at), what=_described(schema))
    if schema.get("type") == "string" and "enum" not in schema:
        return said
    shown = json.dumps(value, ensure_ascii=False)[:_SHOWN]
    return Words("{said}, not {value}", "{said}，现为 {value}", said=said, value=shown)


def _described(schema: Schema) -> Words:
    """The allowed values in words."""
    if "anyOf" in schema:
        one, *others = map(_described, schema["anyOf"])
        for other in others:
            one = Words("{one} or {other}", "{one} 或 {other}", one=one, other=other)
        return one
    if schema in (TILE, FACE):
        return Words("a tile such as '5p'", "'5p' 之类的牌")
    if "enum" in schema:
        return Words("one of {words}", "{words} 之一", words=schema["enum"])
    said = _TYPE_WORDS[schema["type"]]
    low, high = (schema.get(bound, 0) for bound in _BOUNDS.get(schema["type"], ("", "")))
    span = Words("{low} to {high}", "{low} 到 {high}", low=low, high=high)
    return said.filled(span=span if low < high else low)
