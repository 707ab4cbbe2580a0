"""The table's side of a board that is not there: hands that move its inputs."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import partial

from firmware_bridge.events import SIDES, Key
from firmware_bridge.sensors import SWITCHES, Sensors

TAP_MS = 120


class TableSide(ABC):
    """Moves the inputs of a board; the methods are those of the simulated chip's ``Board``."""

    def set(self, name: str, *, is_active: bool) -> None:
        """Close or open a switch: ``dice0-3 liftkey0-1 lift0-3 wall dome``.

        Raises:
            ValueError: there is no such switch.
        """
        _expect_switch(name)
        self._move(partial(_set, name, is_active))

    def bounce(self, name: str, *, is_active: bool, changes: int, period_us: int) -> None:
        """Let a switch change so often, beginning now and ending at the level.

        Raises:
            ValueError: there is no such switch.
        """
        _expect_switch(name)

        def start(sensors: Sensors, now_ms: int) -> None:
            for number in range(changes):
                level = is_active == ((changes - number) % 2 == 1)
                at_ms = now_ms + number * period_us // 1000
                sensors.later(at_ms, partial(_set, name, level, sensors))

        self._move(start)

    def hold(self, seat: int, *keys: Key) -> None:
        """Hold these keys of a keypad down, and no others.

        Raises:
            ValueError: there is no such seat.
        """
        _expect_seat(seat)
        self._move(lambda sensors, now_ms: sensors.hold(seat, frozenset(keys), now_ms))

    def weigh(self, seat: int, raw: int | None) -> None:
        """Let a score tray weigh so many counts, 24 bits with sign; None takes its sensor off.

        Raises:
            ValueError: there is no such seat.
        """
        _expect_seat(seat)
        self._move(lambda sensors, now_ms: sensors.weigh(seat, raw, now_ms))

    def tap(self, name: str) -> None:
        """Close a switch for as long as a hand presses a key.

        Raises:
            ValueError: there is no such switch.
        """
        _expect_switch(name)

        def start(sensors: Sensors, now_ms: int) -> None:
            sensors.set(name, now_ms, is_active=True)
            sensors.later(now_ms + TAP_MS, partial(_set, name, False, sensors))

        self._move(start)

    def tap_key(self, seat: int, key: Key) -> None:
        """Press a key of a keypad and let it go.

        Raises:
            ValueError: there is no such seat.
        """
        _expect_seat(seat)

        def start(sensors: Sensors, now_ms: int) -> None:
            sensors.hold(seat, frozenset([key]), now_ms)
            sensors.later(now_ms + TAP_MS, partial(sensors.hold, seat, frozenset()))

        self._move(start)

    @abstractmethod
    def _move(self, move: Callable[[Sensors, int], None]) -> None:
        """Give the board's sensors and the time now, in milliseconds, to this function."""


def _set(name: str, is_active: bool, sensors: Sensors, now_ms: int) -> None:
    sensors.set(name, now_ms, is_active=is_active)


def _expect_switch(name: str) -> None:
    if name not in SWITCHES:
        raise ValueError(f"there is no switch '{name}'; there are {', '.join(SWITCHES)}")


def _expect_seat(seat: int) -> None:
    if not 0 <= seat < SIDES:
        raise ValueError(f"there is no seat {seat}; there are 0 to {SIDES - 1}")
