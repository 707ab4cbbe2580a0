"""The sources that are no board, by the words of a command line; each needs its extra."""

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol

from firmware_bridge.receiver import Reading
from firmware_bridge.sources.dice_set import Die
from firmware_bridge.sources.modbus_map import MapError, load_map
from firmware_bridge.sources.radio_dice import Follow, RadioDice, follow_godice, follow_pixels


class SourceError(Exception):
    """A source that cannot be used; the message is one sentence."""


class Source(Protocol):
    """A thread that delivers readings."""

    def start(self) -> None:
        """Begin."""

    def stop(self) -> None:
        """End the thread."""


# Makes a source that delivers to a function; with it, what tells how it is in one line.
MakeSource = Callable[[Callable[[Reading], None]], tuple[Source, Callable[[], str]]]

_DICE: dict[str, tuple[str, Follow]] = {
    "godice": ("godice", follow_godice),
    "pixels": ("nat20", follow_pixels),
}


def modbus_source(path: Path) -> MakeSource:
    """A Modbus line, by its map.

    Raises:
        SourceError: the map is wrong, or the extra is not installed.
    """
    _expect("pymodbus", "modbus")
    from firmware_bridge.sources.modbus import ModbusSource

    try:
        mapped = load_map(path)
    except MapError as error:
        raise SourceError(str(error)) from error

    def make(deliver: Callable[[Reading], None]) -> tuple[Source, Callable[[], str]]:
        source = ModbusSource(mapped, deliver)
        return source, lambda: source.trouble or "Every Modbus unit answers."

    return make


def dice_source(names: list[str]) -> MakeSource:
    """Bluetooth dice: ``godice:ADDRESS`` or ``pixels:NAME`` each.

    Raises:
        SourceError: one is neither, or its package is not installed.
    """
    dice: dict[str, Follow] = {}
    for name in names:
        maker, _, address = name.partition(":")
        if maker not in _DICE or not address:
            raise SourceError(f"'{name}' is no die: write godice:ADDRESS or pixels:NAME.")
        package, dice[address] = _DICE[maker]
        _expect(package, "dice")

    def make(deliver: Callable[[Reading], None]) -> tuple[Source, Callable[[], str]]:
        source = RadioDice(dice, deliver)
        return source, lambda: "; ".join(map(describe_die, source.dice)) + "."

    return make


def describe_die(die: Die) -> str:
    """How a die is.

    >>> describe_die(Die("east", battery=81))
    'east out of reach, battery 81 %'
    """
    lies = str(die.motion) if die.value is None else f"{die.motion} on {die.value}"
    battery = "" if die.battery is None else f", battery {die.battery} %"
    return f"{die.name} {lies if die.is_connected else 'out of reach'}{battery}"


def _expect(package: str, extra: str) -> None:
    if find_spec(package) is None:
        raise SourceError(
            f"The package {package} is not installed: pip install 'table-assist[{extra}]'."
        )
