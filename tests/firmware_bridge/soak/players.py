"""Players in a hurry at a simulated board: random presses, bouncing contacts, weights.

Each action has exactly one event that must follow it; what that is and when, is known beforehand.
"""

import random
from dataclasses import dataclass

from firmware_bridge.events import (
    LIFT_KEYS,
    SIDES,
    DiceReport,
    Dome,
    EventContent,
    Key,
    KeyPressed,
    LiftKeyPressed,
    LiftMoved,
    TrayWeighed,
    WallReady,
)
from tests.stages.simavr import SteppedBoard

# How long a level must last until the board believes it, in milliseconds: on, and off
# (docs/BOARD.md has the same times).
KEY_MS = (8, 40)
SWITCH_MS = (50, 50)
WALL_MS = (150, 500)
TRAY_MS = (1400, 1400)  # its converter's start, four equal values, and none of them half old
# How much later the board may have said it: it looks once a millisecond, and a round of
# repetitions may come first.
SAID_MS = 160
BOUNCE_US = (200, 1500)
BOUNCES = 4  # there and back, at most
STARTING_MS = 150  # the board takes what it finds at its start as given


@dataclass(frozen=True, slots=True)
class Expected:
    """An event that the board must report.

    Attributes:
        steady_us: since when the contact has been steady, by the harness's clock.
        due_us: until when the event must be on the line.
    """

    content: EventContent
    steady_us: int
    due_us: int


@dataclass(slots=True)
class _Input:
    name: str
    lasts_ms: tuple[int, int]
    is_on: bool = False
    key: Key | None = None  # of a keypad: the one that is pressed
    free_us: int = 0  # not to be touched before
    off_us: int | None = None  # to be released then


class Players:
    """Act on a board at random; the same seed acts the same way."""

    def __init__(self, board: SteppedBoard, seed: int) -> None:
        self._board = board
        self._random = random.Random(seed)
        self._weights = [0] * SIDES
        names = [f"key{seat}" for seat in range(SIDES)]
        names += [f"dice{side}" for side in range(SIDES)]
        names += [f"liftkey{key}" for key in range(LIFT_KEYS)]
        inputs = [_Input(name, KEY_MS) for name in names]
        inputs += [_Input(f"lift{side}", SWITCH_MS) for side in range(SIDES)]
        inputs += [_Input("dome", SWITCH_MS), _Input("wall", WALL_MS)]
        inputs += [_Input(f"tray{seat}", TRAY_MS) for seat in range(SIDES)]
        self._inputs = inputs

    def set_trays(self) -> list[Expected]:
        """Put weights on all trays, before the start."""
        return [self._weigh(seat) for seat in range(SIDES)]

    def board_restarts(self) -> list[Expected]:
        """The board has just started: what it must report of itself; inputs rest for a moment."""
        for one in self._inputs:
            lasts_us = max(one.lasts_ms) * 1000
            one.free_us = max(one.free_us, self._now_us + STARTING_MS * 1000 + lasts_us)
        return [self._weighed(seat) for seat in range(SIDES)]

    def release(self) -> None:
        """Let go what was held long enough."""
        for one in self._inputs:
            if one.off_us is not None and one.off_us <= self._now_us:
                one.off_us = None
                self._move(one, is_on=False)

    def act(self) -> Expected | None:
        """Do one thing, if an input drawn at random is free for it."""
        one = self._random.choice(self._inputs)
        if one.free_us > self._now_us or one.off_us is not None:
            return None
        if one.name.startswith("tray"):
            return self._weigh(int(one.name[-1]))
        if one.lasts_ms == SWITCH_MS:
            steady_us = self._move(one, is_on=not one.is_on)
            content: EventContent = Dome(one.is_on)
            if one.name.startswith("lift"):
                content = LiftMoved(int(one.name[-1]), one.is_on)
            return self._expect(content, steady_us, one.lasts_ms[0])
        one.key = key = self._random.choice(list(Key))
        steady_us = self._move(one, is_on=True)
        hold_ms = one.lasts_ms[1] + self._random.uniform(5, 150)
        one.off_us = steady_us + int(hold_ms * 1000)
        place = int(one.name[-1]) if one.name[-1].isdigit() else 0
        content: EventContent = WallReady()
        if one.name.startswith("key"):
            content = KeyPressed(place, key)
        elif one.name.startswith("dice"):
            content = DiceReport(place)
        elif one.name.startswith("liftkey"):
            content = LiftKeyPressed(place)
        return self._expect(content, steady_us, one.lasts_ms[0])

    @property
    def _now_us(self) -> int:
        return self._board.now_us

    def _move(self, one: _Input, *, is_on: bool) -> int:
        """Change an input, often with bounces; since when it will be steady."""
        one.is_on = is_on
        period_us = self._random.randint(*BOUNCE_US)
        changes = 1 + 2 * self._random.choice([0, 0, self._random.randint(1, BOUNCES)])
        for change in range(changes):
            is_there = is_on if change % 2 == 0 else not is_on
            if one.name.startswith("key"):
                command = f"key {one.name[-1]} {one.key if is_there else 'none'}"
            else:
                command = f"set {one.name} {int(is_there)}"
            self._board.command(f"after {change * period_us} {command}")
        steady_us = self._now_us + (changes - 1) * period_us
        one.free_us = steady_us + (max(one.lasts_ms) + self._random.randint(10, 120)) * 1000
        return steady_us

    def _weigh(self, seat: int) -> Expected:
        # Sticks come and go: each change is more than the least that counts.
        step = self._random.choice([-1, 1]) * self._random.randint(1200, 90_000)
        self._weights[seat] = max(-8_000_000, min(8_000_000, self._weights[seat] + step))
        self._board.weigh(seat, self._weights[seat])
        (tray,) = [one for one in self._inputs if one.name == f"tray{seat}"]
        tray.free_us = self._now_us + (TRAY_MS[0] + self._random.randint(300, 3000)) * 1000
        return self._weighed(seat)

    def _weighed(self, seat: int) -> Expected:
        return self._expect(TrayWeighed(seat, self._weights[seat]), self._now_us, TRAY_MS[0])

    def _expect(self, content: EventContent, steady_us: int, lasts_ms: int) -> Expected:
        return Expected(content, steady_us, steady_us + (lasts_ms + SAID_MS) * 1000)
