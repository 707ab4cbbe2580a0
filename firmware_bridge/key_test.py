"""Asking for each key and switch of a board in turn: what was wired wrongly shows at once."""

from collections.abc import Iterable
from dataclasses import dataclass

from firmware_bridge.events import SIDES, DiceReport, Dome, EventContent, Key, KeyPressed, WallReady

PARTS = ("keys", "dice", "wall", "dome")


@dataclass(frozen=True, slots=True)
class KeyStep:
    """One thing that somebody is asked to do, and what the board then says."""

    asks: str
    wanted: EventContent

    def is_met(self, content: EventContent) -> bool:
        """Whether this is what was asked for; dice may show anything."""
        if isinstance(content, DiceReport) and isinstance(self.wanted, DiceReport):
            return content.side == self.wanted.side
        return content == self.wanted


def steps(parts: Iterable[str] = PARTS) -> tuple[KeyStep, ...]:
    """The steps, in the order in which one walks around the table."""
    wanted = set(parts)
    asked: list[KeyStep] = []
    for side in range(SIDES):
        if "keys" in wanted:
            asked += [
                KeyStep(f"Press {key.upper()} at seat {side}.", KeyPressed(side, key))
                for key in Key
            ]
        if "dice" in wanted:
            asked.append(KeyStep(f"Press the dice key of side {side}.", DiceReport(side)))
    if "wall" in wanted:
        asked.append(KeyStep("Let the table push up a wall.", WallReady()))
    if "dome" in wanted:
        asked += [
            KeyStep("Open the dome.", Dome(open=True)),
            KeyStep("Close it.", Dome(open=False)),
        ]
    return tuple(asked)


@dataclass(slots=True)
class KeyTest:
    """Where the test is; what is heard goes in, sentences come out.

    Attributes:
        missing: what was asked for and not heard.
    """

    left: list[KeyStep]
    missing: list[KeyStep]
    heard: int = 0

    @classmethod
    def of(cls, parts: Iterable[str] = PARTS) -> "KeyTest":
        """A test from its beginning."""
        return cls(list(steps(parts)), [])

    @property
    def asks(self) -> str | None:
        """The request of the present step; None at the end."""
        return self.left[0].asks if self.left else None

    def hear(self, content: object) -> str | None:
        """The sentence on a reading, or None where it matters to no step."""
        if not self.left or not isinstance(content, DiceReport | KeyPressed | WallReady | Dome):
            return None
        if self.left[0].is_met(content):
            self.left.pop(0)
            self.heard += 1
            return "heard"
        return f"the board said instead: {said(content)}; compare the wiring (docs/BOARD.md)"

    def skip(self) -> None:
        """Nobody did it, or nothing came."""
        self.missing.append(self.left.pop(0))


def said(content: DiceReport | KeyPressed | WallReady | Dome) -> str:
    """The event in words."""
    match content:
        case KeyPressed(seat, key):
            return f"{key.upper()} at seat {seat}"
        case DiceReport(side):
            return f"the dice key of side {side}"
        case Dome(is_open):
            return f"the dome is {'open' if is_open else 'closed'}"
        case WallReady():
            return "the wall is ready"
