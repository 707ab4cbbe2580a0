"""Dice in the tray: what they show counts once they have lain still for a second.

``DiceTray.update(t, dice) -> TrayReading``. No clock and no camera: the pictures' times are given.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import hypot

STILL_S = 1.0
# A camera that was silent for longer has not seen that the dice lay still.
LONGEST_SILENCE_S = 2.0
# A die is 12 to 16 mm; the box around one that lies still wanders by one or two.
SAME_DIE_MM = 6.0


@dataclass(frozen=True, slots=True)
class SeenDie:
    """A die in one picture.

    Attributes:
        value: 1-6; None when the reader is not sure.
        x_mm: centre, as ``y_mm``, from the table's centre.
    """

    value: int | None
    x_mm: float
    y_mm: float


class TrayState(StrEnum):
    """The state of the tray."""

    EMPTY = "empty"  # no dice, for a second
    MOVING = "moving"  # or not lying still for long enough yet
    SETTLED = "settled"
    UNSURE = "unsure"  # lying still, and a face is not read, or read in two ways
    COVERED = "covered"


@dataclass(frozen=True, slots=True)
class TrayReading:
    """The tray after one more look.

    Attributes:
        values: in ascending order, what is not sure at the end as None; empty unless the dice lie
            still.
    """

    state: TrayState
    values: tuple[int | None, ...] = ()

    @property
    def settled(self) -> tuple[int, ...]:
        """The values that count; empty unless all of them are sure."""
        if self.state is not TrayState.SETTLED:
            return ()
        return tuple(value for value in self.values if value is not None)


class DiceTray:
    """Follows one tray from look to look. Not for several threads."""

    def __init__(self) -> None:
        # Looks at dice that lie where the newest one's do; the oldest shows that for how long.
        self._looks: deque[tuple[float, tuple[SeenDie, ...]]] = deque()

    def update(self, t: float, dice: Sequence[SeenDie], *, covered: bool = False) -> TrayReading:
        """Take in one look.

        Args:
            t: seconds; a look earlier than the last one begins anew.
            dice: what lies in the tray, in any order.
            covered: the tray cannot be seen, as under a hand or a moving lid.
        """
        if covered:
            self._looks.clear()
            return TrayReading(TrayState.COVERED)
        ordered = self._continued(t, dice)
        if ordered is None:
            self._looks.clear()
            ordered = tuple(dice)
        self._looks.append((t, ordered))
        # The youngest look that is a second old stays: it shows that the second is full.
        while len(self._looks) > 1 and t - self._looks[1][0] >= STILL_S:
            self._looks.popleft()
        if t - self._looks[0][0] < STILL_S:
            return TrayReading(TrayState.MOVING)
        columns = zip(*(dice for _, dice in self._looks), strict=True)
        values = sorted(
            (_agreed([die.value for die in column]) for column in columns),
            key=lambda value: (value is None, value),
        )
        if not values:
            return TrayReading(TrayState.EMPTY)
        state = TrayState.UNSURE if None in values else TrayState.SETTLED
        return TrayReading(state, tuple(values))

    def _continued(self, t: float, dice: Sequence[SeenDie]) -> tuple[SeenDie, ...] | None:
        """The dice in the last look's order; None: they do not lie as they did."""
        if not self._looks:
            return None
        before, last = self._looks[-1]
        if not 0 <= t - before <= LONGEST_SILENCE_S or len(dice) != len(last):
            return None
        free = list(dice)
        ordered: list[SeenDie] = []
        for die in last:
            near = min(free, key=lambda other: _distance(die, other))
            if _distance(die, near) > SAME_DIE_MM:
                return None
            free.remove(near)
            ordered.append(near)
        return tuple(ordered)


def _agreed(values: list[int | None]) -> int | None:
    """The one value that was read; None: none was often enough, or two were."""
    read = [value for value in values if value is not None]
    enough = 2 * len(read) >= len(values)
    return read[0] if enough and len(set(read)) == 1 else None


def _distance(one: SeenDie, other: SeenDie) -> float:
    return hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm)
