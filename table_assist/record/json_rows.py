"""Frozen dataclasses as dicts of JSON values and back, by their annotations.

Tiles and questions' ids become text, words a list of English and Chinese, enums their value, a
nested dataclass a dict with its type's name under ``type``.
What reads a class is worked out once: a long evening's log has tens of thousands of lines.
"""

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from table_assist.game.question import QuestionId
from table_assist.languages.words import Words
from table_assist.tiles.tile import Tile, parse_tile

Read = Callable[[Any], Any]
_TILES = {str(tile): tile for tile in Tile}


def to_row(value: object) -> dict[str, Any]:
    """A dict of JSON values with the dataclass's name under ``type``."""
    row: dict[str, Any] = {"type": type(value).__name__}
    kind: Any = type(value)
    for name in _names(kind):
        row[name] = _plain(getattr(value, name))
    return row


def from_row(kind: type, row: dict[str, Any]) -> Any:
    """The value of such a dict; fields that are not given take their defaults.

    Raises:
        ValueError: a value cannot be what the field wants.
        TypeError: a field is unknown or lacks, or its value is of a wrong kind.
    """
    readers = _readers(kind)
    given = {}
    for name, value in row.items():
        if name != "type":
            read = readers.get(name)
            if read is None:
                raise TypeError(f"{kind.__name__} has no {name!r}; it has {sorted(readers)}")
            given[name] = read(value)
    return kind(**given)


@cache
def _names(kind: type) -> tuple[str, ...]:
    if not is_dataclass(kind):
        raise TypeError(f"{kind.__name__} is no dataclass")
    return tuple(field.name for field in fields(kind) if field.init)


@cache
def _readers(kind: type) -> dict[str, Read]:
    hints = get_type_hints(kind)
    return {name: _reader(hints[name]) for name in _names(kind)}


def _plain(value: Any) -> Any:
    match value:
        case str() | int() | float() | None if type(value) in _PLAIN_TYPES:
            return value
        case Tile() | QuestionId():
            return str(value)
        case Words():
            return [value.en, value.zh]
        case Enum():
            return value.value
        case tuple() | frozenset():
            return [_plain(item) for item in value]
        case _:
            return to_row(value) if is_dataclass(value) else value


_PLAIN_TYPES = frozenset({str, int, float, bool, type(None)})


def _reader(hint: Any) -> Read:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (UnionType, Union):
        return _reader_of_union(arguments)
    if origin is frozenset or (origin is tuple and arguments[-1] is ...):
        every = _reader(arguments[0])
        return lambda value: origin([every(item) for item in value])
    if origin is tuple:
        readers = tuple(_reader(argument) for argument in arguments)
        return lambda value: tuple([read(item) for read, item in zip(readers, value, strict=True)])
    if hint is Tile:
        return _read_tile
    if hint is Words:
        return _read_words
    if hint is QuestionId:
        return QuestionId.parse
    if is_dataclass(hint) and isinstance(hint, type):
        return lambda value: from_row(hint, value)
    if isinstance(hint, type) and issubclass(hint, Enum):
        members = {member.value: member for member in hint}
        return lambda value: members[value] if value in members else hint(value)
    return lambda value: value if type(value) is hint else hint(value)


def _reader_of_union(arguments: tuple[Any, ...]) -> Read:
    """None as it is, a dict by its type's name, a plain value by its own type."""
    plain = frozenset(each for each in arguments if each in _PLAIN_TYPES)
    rest = [each for each in arguments if each is not type(None)]
    kinds: dict[str, type] = {
        each.__name__: each for each in rest if isinstance(each, type) and is_dataclass(each)
    }
    first = None if kinds else _reader(rest[0])

    def read(value: Any) -> Any:
        if type(value) in plain:
            return value
        if first is not None:
            return first(value)
        kind = kinds.get(value["type"])
        if kind is None:
            raise ValueError(f"no event {value['type']!r}; there are {sorted(kinds)}")
        return from_row(kind, value)

    return read


def _read_words(value: Any) -> Words:
    en, zh = value
    return Words(str(en), str(zh))


def _read_tile(text: Any) -> Tile:
    tile = _TILES.get(text)
    return parse_tile(text) if tile is None else tile
