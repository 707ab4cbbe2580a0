"""Dice that tell how they lie, put together to a throw. No radio, no clock."""

from dataclasses import dataclass, replace
from enum import StrEnum

from firmware_bridge.events import DiceReport

# The dice of one throw come to rest within this time.
THROW_S = 15.0


class DieMotion(StrEnum):
    """A die's motion; only one that has settled shows a value."""

    UNKNOWN = "unknown"
    HANDLED = "handled"  # in a hand, or laid down by one
    ROLLING = "rolling"
    CROOKED = "crooked"  # it rests, but leans on something
    SETTLED = "settled"


@dataclass(frozen=True, slots=True)
class Die:
    """One die.

    Attributes:
        value: 1-6 while it has settled; else None.
        battery: percent; None before it has told.
    """

    name: str
    motion: DieMotion = DieMotion.UNKNOWN
    value: int | None = None
    battery: int | None = None
    is_connected: bool = False


class DiceSet:
    """The dice of one table.

    A throw is told when every die has rolled and settled since the last one. A die that was only
    turned over, that leans or that is in a hand is no part of a throw.
    """

    def __init__(self, names: tuple[str, ...], *, side: int) -> None:
        """Know the dice by name.

        Args:
            names: in the order in which their values are told.
            side: what the reading says; radio dice do not know who has thrown them.
        """
        self._dice = {name: Die(name) for name in names}
        self._side = side
        self._rolled_s: dict[str, float] = {}  # when each die last rolled, since the last throw

    @property
    def dice(self) -> tuple[Die, ...]:
        """How they lie now, and their batteries."""
        return tuple(self._dice.values())

    def move(
        self, name: str, motion: DieMotion, value: int | None, now_s: float
    ) -> DiceReport | None:
        """Note how a die lies now; the throw that this completes, if it does."""
        if motion is not DieMotion.SETTLED or value not in range(1, 7):
            motion = DieMotion.UNKNOWN if motion is DieMotion.SETTLED else motion
            value = None
        self._dice[name] = replace(self._dice[name], motion=motion, value=value)
        if motion is DieMotion.ROLLING:
            self._rolled_s[name] = now_s
        return self._throw(now_s)

    def tell_battery(self, name: str, percent: int) -> None:
        """Note how full a die's battery is."""
        self._dice[name] = replace(self._dice[name], battery=percent)

    def connect(self, name: str, *, is_connected: bool) -> None:
        """Note that a die was found or lost; a lost one shows nothing."""
        known = (
            self._dice[name]
            if is_connected
            else replace(self._dice[name], motion=DieMotion.UNKNOWN, value=None)
        )
        self._dice[name] = replace(known, is_connected=is_connected)
        if not is_connected:
            self._rolled_s.pop(name, None)

    def _throw(self, now_s: float) -> DiceReport | None:
        recent = [name for name, at_s in self._rolled_s.items() if now_s - at_s <= THROW_S]
        values = tuple(die.value for die in self.dice if die.value is not None)
        if len(recent) < len(self._dice) or len(values) < len(self._dice):
            return None
        self._rolled_s.clear()
        return DiceReport(self._side, values)
