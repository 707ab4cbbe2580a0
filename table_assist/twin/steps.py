"""The steps of a simulated evening: each changes the table, and has the board's signals.

`TableStep.events` is the truth. It is kept beside the pictures and the board's lines to measure the
program by; nothing of it may reach the program.
"""

from dataclasses import dataclass, replace

from firmware_bridge.events import EventContent
from table_assist.contract.commands import Answer, Command
from table_assist.game.events import Event
from table_assist.game.state import TableState
from table_assist.twin.scene import Scene


@dataclass(frozen=True, slots=True)
class ArmReach:
    """Whose hand reached over the table, and how far, to bring the step about."""

    seat: int
    x_mm: float
    y_mm: float


@dataclass(frozen=True, slots=True)
class TableStep:
    """One thing that happened at the table.

    Attributes:
        hand: the hand's number in the evening, from 1.
        scene: the table when the step is done.
        signals: what the board reports, in order, when the step begins.
        events: the truth: what a perfect observer would record.
        text: what happened, for people who follow the simulation.
        seconds: how long people take for it, the pause after it included.
        commands: what people tap on the page, before anything else of the step. The question of an
            `Answer` has the hand, kind and seat of the one that the program asks.
        game: the game's number in the evening, from 1; a new one begins with nothing on record.
    """

    hand: int
    scene: Scene
    text: str
    seconds: float
    signals: tuple[EventContent, ...] = ()
    events: tuple[Event, ...] = ()
    reach: ArmReach | None = None
    commands: tuple[Command, ...] = ()
    game: int = 1


def tapped(command: Command, state: TableState) -> Command | None:
    """The tap on the page: an answer to the question that is open; None if it is not.

    Args:
        state: as the program has it.
    """
    if not isinstance(command, Answer):
        return command
    for question in state.questions:
        if replace(question.question, entry=0, subject="") == command.question:
            return replace(command, question=question.question)
    return None
