"""The parts of a trial: instructions, each with the true tiles."""

from dataclasses import dataclass
from enum import StrEnum

from firmware_bridge.events import Key
from table_assist.contract.commands import Command
from table_assist.game.events import Event
from table_assist.game.people import Names
from table_assist.languages.words import Words, same, with_players
from table_assist.tiles.tile import Tile
from table_assist.twin.disturb import CameraMoment


class TrialAct(StrEnum):
    """A part of a trial, which can be done by itself."""

    HAND = "hand"  # a short hand, to its settlement
    TROUBLE = "trouble"  # what happens at a table beside the play


ACTS: dict[TrialAct, Words] = {
    TrialAct.HAND: Words("A short hand", "一局短牌"),
    TrialAct.TROUBLE: Words("Trouble", "意外情形"),
}


def named(words: Words, names: Names) -> Words:
    """The players' names where seats were.

    >>> named(Words("{1}: ready", "{1}：听"), ("Ann", "Bo", "Chen", "Du")).en
    'Bo: ready'
    """
    return with_players(words, map(same, names))


@dataclass(frozen=True, slots=True)
class Instruction:
    """One step of a trial.

    Attributes:
        says: what to do, with hands and eyes; ``{0}`` to ``{3}`` stand for the players' names.
        look: the table when it is done, as the twin lays it.
        events: the truth: what a perfect observer would record.
        taps: what the person tells the program with it, as in a game.
        key: a seat and the key that is pressed there, where the table has a board.
        tiles: those that are laid, in their order.
        seat: before whom something is laid; None for nobody.
        is_mistake: it is against the rules, and the table does right to ask from then on.
    """

    act: TrialAct
    says: Words
    look: CameraMoment
    events: tuple[Event, ...] = ()
    taps: tuple[Command, ...] = ()
    key: tuple[int, Key] | None = None
    tiles: tuple[Tile, ...] = ()
    seat: int | None = None
    is_mistake: bool = False


@dataclass(frozen=True, slots=True)
class Script:
    """A whole trial.

    Attributes:
        rules: the rule set's id.
        seed: makes it again, with the same rules, acts and board.
        has_board: keys are pressed there and not tapped.
    """

    rules: str
    seed: int
    acts: tuple[TrialAct, ...]
    has_board: bool
    steps: tuple[Instruction, ...]
