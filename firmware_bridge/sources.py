"""A source that takes a board's place: an installed package brings it by an entry point.

    [project.entry-points."table_assist.board_sources"]
    radio-dice = "my_dice:RadioDice"

``[board] kind = "radio-dice"`` makes ``RadioDice(port, deliver)``: the port set, and what takes
its events. Dice that do not know who throws them call themselves ``radio-dice``.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Protocol

from firmware_bridge.events import EventContent

GROUP = "table_assist.board_sources"
SERIAL, RADIO_DICE = "serial", "radio-dice"


class SourceError(Exception):
    """A source that cannot be used; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class SourceCondition:
    """How a source is, in one sentence.

    Attributes:
        is_good: all of it answers, or is in reach.
    """

    is_good: bool
    en: str
    zh: str


class BoardSource(Protocol):
    """A thread that delivers events, and keeps nothing: what nobody hears is not said again.

    Attributes:
        tells_dice: it says what was thrown, so the camera need not.
    """

    tells_dice: bool

    def start(self) -> None:
        """Begin."""

    def stop(self) -> None:
        """End the thread."""

    def condition(self) -> SourceCondition:
        """How it is now."""


MakeSource = Callable[[str, Callable[[EventContent], None]], BoardSource]


def find_source(kind: str) -> MakeSource:
    """The class that an installed package brings under this name.

    Raises:
        SourceError: none does, or it cannot be loaded.
    """
    found = {each.name: each for each in entry_points(group=GROUP)}
    if kind not in found:
        there = ", ".join([SERIAL, *sorted(found)])
        raise SourceError(f"no installed package brings the board {kind!r}; there are: {there}")
    try:
        make: MakeSource = found[kind].load()
    except Exception as error:  # whatever a stranger's module does
        raise SourceError(f"the package of the board {kind!r} cannot be loaded: {error}") from error
    return make
