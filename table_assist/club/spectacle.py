"""A table's view for spectators, as the hub takes it: known fields, each of its own kind.

Whatever is drawn for the whole hall was made by one table's program. One that sends a text where
four scores belong must not break the page of all.
"""

from collections.abc import Callable, Mapping
from typing import Any

MOST_LETTERS = 400
MOST_NUMBER = 1 << 53

Kind = Callable[[Any], bool]


def is_spectacle(view: Mapping[str, Any]) -> bool:
    """Whether every field is known and of its kind; any may be missing."""
    return all(name in FIELDS and FIELDS[name](value) for name, value in view.items())


def _text(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= MOST_LETTERS


def _number(value: Any) -> bool:
    return type(value) is int and abs(value) <= MOST_NUMBER


def _moment(value: Any) -> bool:
    return type(value) in (int, float) and abs(value) <= MOST_NUMBER


def _four(kind: Kind) -> Kind:
    return lambda value: isinstance(value, list) and len(value) == 4 and all(map(kind, value))


def _maybe(kind: Kind) -> Kind:
    return lambda value: value is None or kind(value)


def _record(**kinds: Kind) -> Kind:
    def fits(value: Any) -> bool:
        return isinstance(value, dict) and all(
            name in kinds and kinds[name](each) for name, each in value.items()
        )

    return fits


_words = _record(en=_text, zh=_text)
FIELDS: dict[str, Kind] = {
    "hand": _number,
    "phase": _text,
    "headline": _words,
    "names": _four(_text),
    "scores": _four(_number),
    "dealer": _maybe(_number),
    "wall": _maybe(_number),
    "rules": _words,
    "profile": _text,  # of the last hand: a hash
    "house": _text,  # by which the next hand is played
    "questions": _number,
    "behind": _number,  # entries of its log that may leave and are not here yet
    "call": _maybe(_record(key=_text, reason=_text, seat=_number)),
    "pictures": lambda value: value is True,  # the club may ask for those of won hands
    "made": _moment,  # by the table's clock
}
