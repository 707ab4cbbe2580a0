"""Which input of a Modbus device is which sensor of the table: a TOML file, read and checked.

::

    port = "/dev/ttyUSB0"    # or "tcp://192.168.1.50:502"
    baud = 19200

    [[input]]
    unit = 1
    table = "discrete"       # discrete inputs, or coils
    address = 0
    sensor = "wall"          # dice0-3 liftkey0-1 lift0-3 wall dome, or "key 2 win"
    inverted = true          # 0 is pressed, up or open; false where it is left out
"""

import re
import tomllib
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from firmware_bridge.events import SIDES, Key
from firmware_bridge.sensors import SWITCHES

T = TypeVar("T")

UNITS = range(1, 248)
ADDRESSES = range(1 << 16)
MOST_BITS = 2000  # in one answer, by the protocol


class MapError(Exception):
    """A file that is no map; the message is one sentence."""


class InputTable(StrEnum):
    """The two tables of single bits."""

    DISCRETE = "discrete"
    COILS = "coils"


@dataclass(frozen=True, slots=True)
class SeatKey:
    """A key of a seat's keypad."""

    seat: int
    key: Key


@dataclass(frozen=True, slots=True)
class MappedInput:
    """One bit of a device.

    Attributes:
        sensor: a switch by its name, or a key of a keypad.
        inverted: 0 means closed.
    """

    unit: int
    table: InputTable
    address: int
    sensor: str | SeatKey
    inverted: bool = False


@dataclass(frozen=True, slots=True)
class ModbusMap:
    """A line with its devices.

    Attributes:
        port: a serial device, or ``tcp://host:port``.
    """

    port: str
    inputs: tuple[MappedInput, ...]
    baud: int = 19200
    parity: str = "N"


def load_map(path: Path) -> ModbusMap:
    """Read a map.

    Raises:
        MapError: it cannot be read, or something in it is not known.
    """
    try:
        return read_map(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise MapError(f"{path} cannot be read: {error.strerror}.") from error
    except MapError as error:
        raise MapError(f"{path}: {error}") from error


def read_map(text: str) -> ModbusMap:
    """Read a map's text.

    Raises:
        MapError: as ``load_map``.
    """
    try:
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise MapError(f"It is no TOML: {error}.") from error
    _expect_keys(table, {"port", "input"}, {"baud", "parity"}, "the file")
    inputs = tuple(_input(entry) for entry in _of_type(table, "input", list))
    places = [(one.unit, one.table, one.address) for one in inputs]
    sensors = [one.sensor for one in inputs]
    for entry in inputs:
        if places.count((entry.unit, entry.table, entry.address)) > 1:
            raise MapError(f"Unit {entry.unit} has {entry.table} {entry.address} twice.")
        if sensors.count(entry.sensor) > 1:
            raise MapError(f"Two inputs are {entry.sensor}.")
    if not inputs:
        raise MapError("There is no input.")
    port = _of_type(table, "port", str)
    if port.startswith("tcp:") and not re.fullmatch(r"tcp://[^/]+:[0-9]{1,5}", port):
        raise MapError(f"port is '{port}', not such as tcp://192.168.1.50:502.")
    parity = _of_type(table, "parity", str, "N")
    if parity not in ("N", "E", "O"):
        raise MapError(f"parity is '{parity}', not N, E or O.")
    baud = _in_range(table, "baud", range(300, 4_000_000), 19200)
    return ModbusMap(port, inputs, baud, parity)


def _input(entry: object) -> MappedInput:
    if not isinstance(entry, dict):
        raise MapError("An input is no table: write [[input]].")
    _expect_keys(entry, {"unit", "table", "address", "sensor"}, {"inverted"}, "an input")
    table = _of_type(entry, "table", str)
    if table not in list(InputTable):
        raise MapError(f"table is '{table}', not discrete or coils.")
    return MappedInput(
        unit=_in_range(entry, "unit", UNITS),
        table=InputTable(table),
        address=_in_range(entry, "address", ADDRESSES),
        sensor=_sensor(_of_type(entry, "sensor", str)),
        inverted=_of_type(entry, "inverted", bool, False),
    )


def _sensor(name: str) -> str | SeatKey:
    if name in SWITCHES:
        return name
    match name.split():
        case ["key", seat, key] if seat in map(str, range(SIDES)) and key in list(Key):
            return SeatKey(int(seat), Key(key))
    raise MapError(f"sensor is '{name}', not one of {', '.join(SWITCHES)} or such as key 2 win.")


def _expect_keys(table: dict[str, object], needed: set[str], allowed: set[str], where: str) -> None:
    for name in sorted(needed - set(table)):
        raise MapError(f"{where} has no {name}.".capitalize())
    for name in sorted(set(table) - needed - allowed):
        raise MapError(f"{where} has a {name}, which is not known.".capitalize())


def _of_type(table: dict[str, object], name: str, kind: type[T], default: T | None = None) -> T:
    value = table.get(name, default)
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is int):
        raise MapError(f"{name} is {value!r}, not of the kind {kind.__name__}.")
    return value


def _in_range(
    table: dict[str, object], name: str, allowed: range, default: int | None = None
) -> int:
    value = _of_type(table, name, int, default)
    if value not in allowed:
        raise MapError(f"{name} is {value}, not from {allowed[0]} to {allowed[-1]}.")
    return value
