"""The sources that are no board, by the words of a command line; each needs its extra."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol

from firmware_bridge.receiver import Reading
from firmware_bridge.sources.dice_set import Die
from firmware_bridge.sources.modbus_map import MapError, load_map
from firmware_bridge.sources.radio_dice import Follow, RadioDice, follow_godice, follow_pixels


class SourceError(Exception):
    """A source that cannot be used; the message is one sentence."""


class BoardSource(Protocol):
    """A thread that delivers readings."""

    def start(self) -> None:
        """Begin."""

    def stop(self) -> None:
        """End the thread."""


@dataclass(frozen=True, slots=True)
class SourceCondition:
    """How a source is, in one sentence.

    Attributes:
        is_good: all of it answers, or is in reach.
    """

    is_good: bool
    en: str
    zh: str


# Makes a source that delivers to a function; with it, what tells how it is.
MakeSource = Callable[
    [Callable[[Reading], None]], tuple[BoardSource, Callable[[], SourceCondition]]
]

_DICE: dict[str, tuple[str, Follow]] = {
    "godice": ("godice", follow_godice),
    "pixels": ("nat20", follow_pixels),
}


def modbus_source(path: Path) -> tuple[MakeSource, bool]:
    """A Modbus line, by its map; and whether its sensors tell dice.

    Raises:
        SourceError: the map is wrong, or the extra is not installed.
    """
    _expect("pymodbus", "modbus")
    from firmware_bridge.sources.modbus import ModbusSource

    try:
        mapped = load_map(path)
    except MapError as error:
        raise SourceError(str(error)) from error

    def make(
        deliver: Callable[[Reading], None],
    ) -> tuple[BoardSource, Callable[[], SourceCondition]]:
        source = ModbusSource(mapped, deliver)
        return source, lambda: _of_units(source.silent, mapped.port)

    sensors = (one.sensor for one in mapped.inputs)
    return make, any(isinstance(name, str) and name.startswith("dice") for name in sensors)


def _of_units(silent: frozenset[int], port: str) -> SourceCondition:
    if not silent:
        return SourceCondition(True, "Every Modbus unit answers.", "所有 Modbus 设备均有应答。")
    units = ", ".join(map(str, sorted(silent)))
    return SourceCondition(
        False,
        f"No answer from Modbus unit {units} on {port}.",
        f"{port} 上的 Modbus 设备 {units} 没有应答。",
    )


def dice_source(names: list[str]) -> tuple[MakeSource, bool]:
    """Bluetooth dice: ``godice:ADDRESS`` or ``pixels:NAME`` each; they tell dice.

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

    def make(
        deliver: Callable[[Reading], None],
    ) -> tuple[BoardSource, Callable[[], SourceCondition]]:
        source = RadioDice(dice, deliver)
        return source, lambda: _of_dice(source.dice)

    return make, True


def _of_dice(dice: tuple[Die, ...]) -> SourceCondition:
    gone = [die.name for die in dice if not die.is_connected]
    said = "; ".join(map(describe_die, dice)) + "."
    return SourceCondition(not gone, said, f"不在连接范围内的骰子：{'、'.join(gone) or '无'}。")


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
