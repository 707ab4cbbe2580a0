"""Events at the table's board, how a line says them (``KIND,field,...``), and who else may.

Nothing here knows a game: a side is a side of the table, a key is a key.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from importlib.metadata import entry_points
from typing import Protocol, assert_never

SIDES = 4
MOST_DICE = 4  # at most; tables have two or three
LIFT_KEYS = 2  # on the console in the middle: one raises the dome and lifts, one lowers them
WEIGHT_MIN, WEIGHT_MAX = -(1 << 23), (1 << 23) - 1  # counts of an HX711, which has 24 bits

_NUMBER = re.compile(r"0|[1-9][0-9]{0,9}")
_WEIGHT = re.compile(r"0|-?[1-9][0-9]{0,7}")
_KEY_NAMES = ("READY", "WIN", "KONG", "PASS")


class Key(StrEnum):
    """The keys of a seat's keypad, in the order of their bits in a snapshot."""

    READY = "ready"
    WIN = "win"
    KONG = "kong"
    PASS = "pass"


@dataclass(frozen=True, slots=True)
class DiceReport:
    """A dice key was pressed.

    Attributes:
        side: whose dice key, 0-3 counter-clockwise.
        values: 1-6 each, at most four dice; empty where the board cannot read the dice.
    """

    side: int
    values: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class WallReady:
    """The table has pushed up the next wall."""


@dataclass(frozen=True, slots=True)
class Dome:
    """The dome in the table's middle opened (the tiles go in) or closed."""

    open: bool


@dataclass(frozen=True, slots=True)
class KeyPressed:
    """A key of a seat's keypad was pressed; seats 0-3 counter-clockwise."""

    seat: int
    key: Key


@dataclass(frozen=True, slots=True)
class LiftMoved:
    """The plate that lifts a side's wall reached its upper end, or left it."""

    side: int
    up: bool


@dataclass(frozen=True, slots=True)
class LiftKeyPressed:
    """A lift key of the console was pressed; keys 0 and 1."""

    key: int


@dataclass(frozen=True, slots=True)
class TrayWeighed:
    """A seat's score tray came to rest at a new weight.

    Attributes:
        raw: counts of the tray's converter, not yet calibrated: neither zero nor unit are known.
    """

    seat: int
    raw: int


@dataclass(frozen=True, slots=True)
class Fault:
    """The board found something wrong with itself or a sensor; the kind is the board's word."""

    kind: str


@dataclass(frozen=True, slots=True)
class UnreadableEvent:
    """An event that arrived undamaged, but whose kind or fields this version does not know.

    It keeps its place in the sequence and is acknowledged like the others: what a newer board says
    must not block the events that are understood.
    """

    kind: str
    fields: tuple[str, ...]
    reason: str


EventContent = (
    DiceReport
    | WallReady
    | Dome
    | KeyPressed
    | LiftMoved
    | LiftKeyPressed
    | TrayWeighed
    | Fault
    | UnreadableEvent
)


def read_event(kind: str, fields: tuple[str, ...]) -> EventContent:
    """Read an event's kind and fields. Never raises.

    >>> read_event("KEY", ("2", "WIN"))
    KeyPressed(seat=2, key=<Key.WIN: 'win'>)
    >>> read_event("DICE", ("0", "3", "7")).reason
    "a die is '7', not a number from 1 to 6"
    """
    try:
        return _read(kind, fields)
    except ValueError as error:
        return UnreadableEvent(kind, fields, str(error))


def write_event(content: EventContent) -> tuple[str, ...]:
    """The kind and fields of an event, as ``read_event`` takes them."""
    match content:
        case DiceReport(side, values):
            return ("DICE", str(side), *(str(value) for value in values))
        case WallReady():
            return ("WALL",)
        case Dome(is_open):
            return ("DOME", str(int(is_open)))
        case KeyPressed(seat, key):
            return ("KEY", str(seat), key.upper())
        case LiftMoved(side, is_up):
            return ("LIFT", str(side), str(int(is_up)))
        case LiftKeyPressed(lift_key):
            return ("LIFTKEY", str(lift_key))
        case TrayWeighed(seat, raw):
            return ("TRAY", str(seat), str(raw))
        case Fault(kind):
            return ("FAULT", kind)
        case UnreadableEvent(kind, fields):
            return (kind, *fields)
        case _:
            assert_never(content)


def read_number(text: str, low: int, high: int, name: str) -> int:
    """Read a decimal field without sign or leading zeros.

    Raises:
        ValueError: it is no such number, or out of range.
    """
    if not _NUMBER.fullmatch(text) or not low <= (number := int(text)) <= high:
        raise ValueError(f"{name} is '{text}', not a number from {low} to {high}")
    return number


_FIELDS = {"WALL": 0, "DOME": 1, "KEY": 2, "LIFT": 2, "LIFTKEY": 1, "TRAY": 2, "FAULT": 1}


def _read(kind: str, fields: tuple[str, ...]) -> EventContent:
    """As `read_event`.

    Raises:
        ValueError: the kind is unknown, or a field is out of its range.
    """
    match (kind, *fields):
        case ("DICE", side, *values) if len(values) <= MOST_DICE:
            thrown = read_number(side, 0, SIDES - 1, "side")
            return DiceReport(thrown, tuple(read_number(each, 1, 6, "a die") for each in values))
        case ("WALL",):
            return WallReady()
        case ("DOME", is_open):
            return Dome(bool(read_number(is_open, 0, 1, "dome")))
        case ("KEY", seat, key):
            pressed = read_number(seat, 0, SIDES - 1, "seat")
            if key not in _KEY_NAMES:
                raise ValueError(f"key is '{key}', not one of READY, WIN, KONG, PASS")
            return KeyPressed(pressed, Key(key.lower()))
        case ("LIFT", side, is_up):
            lift = read_number(side, 0, SIDES - 1, "side")
            return LiftMoved(lift, bool(read_number(is_up, 0, 1, "lift")))
        case ("LIFTKEY", key):
            return LiftKeyPressed(read_number(key, 0, LIFT_KEYS - 1, "lift key"))
        case ("TRAY", seat, raw):
            if not _WEIGHT.fullmatch(raw) or not WEIGHT_MIN <= (weight := int(raw)) <= WEIGHT_MAX:
                raise ValueError(
                    f"the weight is '{raw}', not a number from {WEIGHT_MIN} to {WEIGHT_MAX}"
                )
            return TrayWeighed(read_number(seat, 0, SIDES - 1, "seat"), weight)
        case ("FAULT", name):
            if not 1 <= len(name) <= 16:
                raise ValueError(f"the fault's name has {len(name)} characters, not 1 to 16")
            return Fault(name)
        case ("DICE", *_):
            raise ValueError(
                f"DICE has {len(fields)} fields, not a side and up to {MOST_DICE} dice"
            )
    if kind in _FIELDS:
        raise ValueError(f"{kind} has {len(fields)} fields, not {_FIELDS[kind]}")
    raise ValueError(f"unknown kind of event '{kind}'")


ENTRY_POINTS = "table_assist.board_sources"
SERIAL_LINE, RADIO_DICE = "serial", "radio-dice"


class SourceError(Exception):
    """A source that cannot be used; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class SourceCondition:
    """How a source is, in one sentence.

    Attributes:
        is_good: all of it answers, or is in reach.
    """

    is_good: bool
    en: str
    zh: str


class BoardSource(Protocol):
    """A thread that delivers events, and keeps nothing: what nobody hears is not said again.

    Attributes:
        tells_dice: it says what was thrown, so the camera need not.
    """

    tells_dice: bool

    def start(self) -> None:
        """Begin."""

    def stop(self) -> None:
        """End the thread."""

    def condition(self) -> SourceCondition:
        """How it is now."""


MakeSource = Callable[[str, Callable[[EventContent], None]], BoardSource]


def find_source(kind: str) -> MakeSource:
    """The class that an installed package brings under this name.

    Raises:
        SourceError: none does, or it cannot be loaded.
    """
    found = {each.name: each for each in entry_points(group=ENTRY_POINTS)}
    if kind not in found:
        there = ", ".join([SERIAL_LINE, *sorted(found)])
        raise SourceError(f"no installed package brings the board {kind!r}; there are: {there}")
    try:
        make: MakeSource = found[kind].load()
    except Exception as error:  # whatever a stranger's module does
        raise SourceError(f"the package of the board {kind!r} cannot be loaded: {error}") from error
    return make
