"""All inputs of the virtual board, as the table moves them, and what a board makes of them.

It is what the firmware's ``inputs.c`` and ``trays.c`` do, with the times of its ``profile.h``: a
level counts when it has lasted, a key that stays down is a fault, and so is a voltage that belongs
to no key. Time is in milliseconds of any steady clock.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from firmware_bridge.events import (
    LIFT_KEYS,
    SIDES,
    DiceReport,
    Dome,
    EventContent,
    Fault,
    Key,
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

# How long a new level must last before it counts: open, and closed.
KEY_MS = (40, 8)
LIMIT_SWITCH_MS = (50, 50)
WALL_MS = (500, 150)
STUCK_MS = 30_000
LADDER_BETWEEN_MS = 100
LADDER_GOOD_MS = 1000
TRAY_SETTLES_MS = 400  # four readings; there are ten in a second
TRAY_NEW = 1000  # counts
TRAY_SILENT_MS = 2000

SWITCHES = (
    *(f"dice{side}" for side in range(SIDES)),
    *(f"liftkey{key}" for key in range(LIFT_KEYS)),
    *(f"lift{side}" for side in range(SIDES)),
    "wall",
    "dome",
)


class Sensors:
    """All inputs of a board, as the table moves them (``set``, ``hold``, ``weigh``)."""

    def __init__(self) -> None:
        self._switches = {name: _switch(name) for name in SWITCHES}
        self._keypads = [_Keypad(seat) for seat in range(SIDES)]
        self._trays = [_Tray(seat) for seat in range(SIDES)]
        self._all: list[_Sensor] = [*self._switches.values(), *self._keypads, *self._trays]
        self._due_ms: int | None = None
        self._later: list[tuple[int, Callable[[int], None]]] = []  # in the order of their times

    def set(self, name: str, now_ms: int, *, is_active: bool) -> None:
        """Close or open a switch; it has one of the names in `SWITCHES`."""
        self._switches[name].show(is_active, now_ms)
        self._due_ms = self._next_ms()

    def hold(self, seat: int, keys: frozenset[Key], now_ms: int) -> None:
        """Hold these keys of a keypad down, and no others."""
        self._keypads[seat].hold(keys, now_ms)
        self._due_ms = self._next_ms()

    def weigh(self, seat: int, raw: int | None, now_ms: int) -> None:
        """Let a score tray weigh so many counts; None takes its sensor off."""
        self._trays[seat].weigh(raw, now_ms)
        self._due_ms = self._next_ms()

    def later(self, at_ms: int, move: Callable[[int], None]) -> None:
        """Let something move at a later time, which it is given."""
        self._later.append((at_ms, move))
        self._later.sort(key=lambda planned: planned[0])
        self._due_ms = self._next_ms()

    @property
    def levels(self) -> int:
        """The bits of a snapshot."""
        return sum(sensor.levels() for sensor in self._all)

    def due_ms(self) -> int | None:
        """When `step` has something to do, if nothing else moves before."""
        return self._due_ms

    def step(self, now_ms: int) -> Iterator[tuple[int, EventContent]]:
        """The events up to now, each with its time, in order."""
        while (due_ms := self._due_ms) is not None and due_ms <= now_ms:
            while self._later and self._later[0][0] == due_ms:
                _, move = self._later.pop(0)
                move(due_ms)
            for sensor in self._all:
                if sensor.due_ms() == due_ms:
                    for content in sensor.settle(due_ms):
                        yield due_ms, content
            self._due_ms = self._next_ms()

    def restart(self, now_ms: int) -> None:
        """Take what the inputs show as given, as a board does that starts."""
        for sensor in self._all:
            sensor.restart(now_ms)
        self._due_ms = self._next_ms()

    def _next_ms(self) -> int | None:
        dues = [due for sensor in self._all if (due := sensor.due_ms()) is not None]
        return min(dues + [at_ms for at_ms, _ in self._later[:1]], default=None)


class _Sensor(Protocol):
    def due_ms(self) -> int | None:
        """When something counts, if nothing moves before."""

    def settle(self, now_ms: int) -> Iterator[EventContent]:
        """The events to be said at that time."""

    def levels(self) -> int:
        """Its bits in a snapshot."""

    def restart(self, now_ms: int) -> None:
        """Begin anew with what it shows."""


@dataclass(slots=True)
class _Switch:
    """A contact.

    Attributes:
        lasts_ms: how long it must be open, and closed, before that counts.
        told: what is said when it closes or opens; None for nothing.
        stuck: the fault of being closed for too long; None where that is none.
        level: what counts.
        showing: what it shows, perhaps only for a moment.
    """

    bit: int
    lasts_ms: tuple[int, int]
    told: Callable[[bool], EventContent | None]
    stuck: Fault | None = None
    level: bool = False
    showing: bool = False
    since_ms: int = 0
    closed_ms: int = 0
    is_stuck: bool = False

    def show(self, closed: bool, now_ms: int) -> None:
        if closed != self.showing:
            self.showing, self.since_ms = closed, now_ms

    def due_ms(self) -> int | None:
        if self.showing != self.level:
            return self.since_ms + self.lasts_ms[self.showing]
        return self.closed_ms + STUCK_MS if self._may_stick() else None

    def settle(self, now_ms: int) -> Iterator[EventContent]:
        if self.showing == self.level:
            self.is_stuck = True
            content: EventContent | None = self.stuck
        else:
            self.level, self.closed_ms, self.is_stuck = self.showing, now_ms, False
            content = self.told(self.level)
        if content is not None:
            yield content

    def levels(self) -> int:
        return self.level << self.bit

    def restart(self, now_ms: int) -> None:
        self.level, self.closed_ms, self.is_stuck = self.showing, now_ms, False

    def _may_stick(self) -> bool:
        return self.level and self.stuck is not None and not self.is_stuck


class _Odd(Enum):
    """A voltage that belongs to no key, and not to none."""

    BETWEEN = "between"


@dataclass(slots=True)
class _Keypad:
    """Four keys on one resistor ladder.

    Attributes:
        key: what counts.
        showing: what the voltage says, perhaps only for a moment.
        held_ms: since when the key counts.
        odd_ms: since when the voltage belongs to a key or to none, or since when it does not.
    """

    seat: int
    key: Key | None = None
    showing: Key | _Odd | None = None
    since_ms: int = 0
    held_ms: int = 0
    odd_ms: int = 0
    is_stuck: bool = False
    is_bad: bool = False

    def hold(self, keys: frozenset[Key], now_ms: int) -> None:
        showing: Key | _Odd | None = next(iter(keys), None)
        if len(keys) > 1:  # the ready key's resistor is 0 ohm: it hides the others
            showing = Key.READY if Key.READY in keys else _Odd.BETWEEN
        if showing != self.showing:
            if _Odd.BETWEEN in (showing, self.showing):
                self.odd_ms = now_ms
            self.showing, self.since_ms = showing, now_ms

    def due_ms(self) -> int | None:
        dues = (self._key_due(), self._stuck_due(), self._ladder_due())
        return min((due for due in dues if due is not None), default=None)

    def settle(self, now_ms: int) -> Iterator[EventContent]:
        if now_ms == self._ladder_due():
            self.is_bad = not self.is_bad
            if self.is_bad:
                yield Fault(f"LADDER-{self.seat}")
        if now_ms == self._key_due() and not isinstance(self.showing, _Odd):
            self.key, self.held_ms, self.is_stuck = self.showing, now_ms, False
            if self.key is not None:
                yield KeyPressed(self.seat, self.key)
        elif now_ms == self._stuck_due():
            self.is_stuck = True
            yield Fault(f"STUCK-K{self.seat}")

    def levels(self) -> int:
        return 0 if self.key is None or self.is_bad else 1 << key_bit(self.seat, self.key)

    def restart(self, now_ms: int) -> None:
        self.key = None if isinstance(self.showing, _Odd) else self.showing
        self.since_ms = self.held_ms = self.odd_ms = now_ms
        self.is_stuck = self.is_bad = False

    def _key_due(self) -> int | None:
        # Between two windows a held key stays held: without a release, no key is pressed anew.
        if self.showing in (self.key, _Odd.BETWEEN):
            return None
        return self.since_ms + KEY_MS[self.key is None]

    def _stuck_due(self) -> int | None:
        return None if self.key is None or self.is_stuck else self.held_ms + STUCK_MS

    def _ladder_due(self) -> int | None:
        if self.is_bad == (self.showing is _Odd.BETWEEN):
            return None
        return self.odd_ms + (LADDER_GOOD_MS if self.is_bad else LADDER_BETWEEN_MS + 1)


@dataclass(slots=True)
class _Tray:
    """A score tray.

    Attributes:
        raw: what it weighs; None where no sensor answers.
        said: the last weight that was told; None for none.
    """

    seat: int
    raw: int | None = None
    since_ms: int = 0
    said: int | None = None
    is_present: bool = False
    is_settled: bool = True

    def weigh(self, raw: int | None, now_ms: int) -> None:
        if raw != self.raw:
            self.raw, self.since_ms, self.is_settled = raw, now_ms, False

    def due_ms(self) -> int | None:
        if self.raw is None:
            return self.since_ms + TRAY_SILENT_MS if self.is_present else None
        return None if self.is_settled else self.since_ms + TRAY_SETTLES_MS

    def settle(self, now_ms: int) -> Iterator[EventContent]:
        if self.raw is None:
            self.is_present, self.said = False, None
            yield Fault(f"TRAY-{self.seat}")
            return
        self.is_present = self.is_settled = True
        if self.said is None or abs(self.raw - self.said) >= TRAY_NEW:
            self.said = self.raw
            yield TrayWeighed(self.seat, self.raw)

    def levels(self) -> int:
        return self.is_present << TRAY_BIT + self.seat

    def restart(self, now_ms: int) -> None:
        self.since_ms, self.said = now_ms, None
        self.is_present = self.is_settled = False


def _switch(name: str) -> _Switch:
    place = int(name[-1]) if name[-1].isdecimal() else 0
    match name.rstrip("0123456789"):
        case "dice":
            dice = DiceReport(place)
            bit = dice_key_bit(place)
            return _Switch(bit, KEY_MS, _on_closing(dice), Fault(f"STUCK-D{place}"))
        case "liftkey":
            key = LiftKeyPressed(place)
            bit = LIFT_KEY_BIT + place
            return _Switch(bit, KEY_MS, _on_closing(key), Fault(f"STUCK-L{place}"))
        case "lift":
            return _Switch(LIFT_BIT + place, LIMIT_SWITCH_MS, lambda up: LiftMoved(place, up))
        case "wall":
            return _Switch(WALL_BIT, WALL_MS, _on_closing(WallReady()))
        case _:
            return _Switch(DOME_BIT, LIMIT_SWITCH_MS, Dome)


def _on_closing(content: EventContent) -> Callable[[bool], EventContent | None]:
    return lambda closed: content if closed else None
