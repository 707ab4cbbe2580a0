"""Which of the board's sensors have been seen to change, so that a person can try them all."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from firmware_bridge.events import (
    LIFT_KEYS,
    SIDES,
    DiceReport,
    Dome,
    Key,
    KeyPressed,
    LiftKeyPressed,
    LiftMoved,
    TrayWeighed,
    WallReady,
)
from firmware_bridge.messages import BoardSnapshot, Inputs
from firmware_bridge.receiver import Reading

# The events that show each kind of sensor, in the order in which a person would try it.
_SENSORS: dict[str, tuple[str, ...]] = {
    "KEY": tuple(f"seat {seat} {key}" for seat in range(SIDES) for key in Key),
    "DICE": tuple(f"dice key {side}" for side in range(SIDES)),
    "LIFTKEY": tuple(f"lift key {key}" for key in range(LIFT_KEYS)),
    "LIFT": tuple(f"lift {side}" for side in range(SIDES)),
    "WALL": ("wall ready",),
    "DOME": ("dome",),
    "TRAY": tuple(f"tray {seat}" for seat in range(SIDES)),
}


def sensors_of(capabilities: Iterable[str]) -> tuple[str, ...]:
    """The names of the sensors that a board with these kinds of event has.

    >>> sensors_of(("WALL", "FAULT"))
    ('wall ready',)
    """
    told = set(capabilities)
    return tuple(name for kind, names in _SENSORS.items() if kind in told for name in names)


@dataclass(slots=True)
class SensorTicks:
    """Notes which sensors have changed.

    Attributes:
        names: those that the board has.
        seen: those that have changed, in that order.
    """

    names: tuple[str, ...]
    seen: list[str] = field(default_factory=list)
    _before: Inputs | None = None

    @property
    def missing(self) -> tuple[str, ...]:
        """The sensors that have not been seen to change."""
        return tuple(name for name in self.names if name not in self.seen)

    def note(self, reading: Reading) -> list[str]:
        """The sensors that changed for the first time by this reading."""
        content = reading.content
        if isinstance(content, BoardSnapshot):
            before, self._before = self._before, content.inputs
            changed = [] if before is None else _changed(before, content.inputs)
        else:
            changed = _told(content)
        new = [name for name in changed if name in self.names and name not in self.seen]
        self.seen += new
        return new


def _told(content: object) -> list[str]:
    match content:
        case KeyPressed(seat, key):
            return [f"seat {seat} {key}"]
        case DiceReport(side):
            return [f"dice key {side}"]
        case LiftKeyPressed(key):
            return [f"lift key {key}"]
        case LiftMoved(side):
            return [f"lift {side}"]
        case WallReady():
            return ["wall ready"]
        case Dome():
            return ["dome"]
        case TrayWeighed(seat):
            return [f"tray {seat}"]
        case _:
            return []


def _changed(before: Inputs, now: Inputs) -> list[str]:
    """The inputs whose levels differ between two snapshots."""
    was, levels = _levels(before), _levels(now)
    return [name for name in levels if levels[name] != was[name]]


def _levels(inputs: Inputs) -> dict[str, bool]:
    levels = {f"seat {s} {key}": inputs.key(s, key) for s in range(SIDES) for key in Key}
    levels |= {f"dice key {side}": inputs.dice_key(side) for side in range(SIDES)}
    levels |= {f"lift key {key}": inputs.lift_key(key) for key in range(LIFT_KEYS)}
    levels |= {f"lift {side}": inputs.lift_up(side) for side in range(SIDES)}
    levels |= {f"tray {seat}": inputs.tray_present(seat) for seat in range(SIDES)}
    return levels | {"wall ready": inputs.wall_ready, "dome": inputs.dome_open}
