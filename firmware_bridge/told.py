"""The inputs that go with the events of the virtual board."""

from firmware_bridge.events import (
    DiceReport,
    Dome,
    EventContent,
    KeyPressed,
    LiftKeyPressed,
    LiftMoved,
    TrayWeighed,
    WallReady,
)
from firmware_bridge.messages import (
    DOME_BIT,
    LIFT_BIT,
    LIFT_KEY_BIT,
    TRAY_BIT,
    WALL_BIT,
    dice_key_bit,
    key_bit,
)

HELD_MS = 120  # how long a pressed key stays down


class ToldInputs:
    """Levels that follow from events, so that snapshots agree with them."""

    def __init__(self) -> None:
        self._levels = 0
        self._held_until_ms: dict[int, int] = {}

    def follow(self, content: EventContent, now_ms: int) -> None:
        """Move the inputs as this event says."""
        match content:
            case DiceReport(side):
                self._held_until_ms[dice_key_bit(side)] = now_ms + HELD_MS
            case KeyPressed(seat, key):
                self._held_until_ms[key_bit(seat, key)] = now_ms + HELD_MS
            case LiftKeyPressed(lift_key):
                self._held_until_ms[LIFT_KEY_BIT + lift_key] = now_ms + HELD_MS
            case WallReady():
                self._levels |= 1 << WALL_BIT
            case LiftMoved(side, is_up):
                self._set(LIFT_BIT + side, is_up)
            case TrayWeighed(seat):
                self._levels |= 1 << TRAY_BIT + seat
            case Dome(is_open):
                self._set(DOME_BIT, is_open)
                if is_open:  # the tiles go in: the wall that stood is used up
                    self._set(WALL_BIT, False)
            case _:
                pass

    def levels(self, now_ms: int) -> int:
        """The bits of a snapshot."""
        held = [bit for bit, until_ms in self._held_until_ms.items() if now_ms < until_ms]
        return self._levels | sum(1 << bit for bit in held)

    def _set(self, bit: int, level: bool) -> None:
        self._levels = self._levels & ~(1 << bit) | level << bit
