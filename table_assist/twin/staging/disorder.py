"""Staged: what goes against the rules, and what people say of it."""

from collections.abc import Iterator

from table_assist.contract.commands import Answer
from table_assist.game.question import QuestionId, QuestionKind
from table_assist.game.state import SEATS
from table_assist.tiles.melds import MeldKind
from table_assist.twin.holdings import LaidGroup
from table_assist.twin.staging.moment import StagedMoment
from table_assist.twin.staging.stage import Stage
from table_assist.twin.steps import TableStep

_LAID = 2


def stand_by(stage: Stage, moment: StagedMoment) -> Iterator[TableStep]:
    """Asked whether it really happened, people say so."""
    yield stage.step("That was against the rules.", 3.0)
    question = QuestionId(moment.after.hand, QuestionKind.IRREGULAR)
    text = "People say that it is what happened."
    yield stage.step(text, 3.0, commands=[Answer(question, "yes")])


def false_start(stage: Stage, moment: StagedMoment) -> Iterator[TableStep]:
    """Two tiles are laid down for the discard, and taken up again."""
    given = moment.after.last_discard
    if given is None:
        return
    seat = stage.table.choose([each for each in SEATS if each != given[0]])
    hand = stage.held.seats[seat]
    held = hand.pieces, hand.drawn
    pieces = tuple(sorted(hand.held)[:_LAID])
    if len(hand.held) < _LAID or hand.drawn is not None:
        return
    hand.pieces = [piece for piece in hand.pieces if piece not in pieces]
    hand.groups.append(LaidGroup(MeldKind.PUNG, pieces))
    reach = stage.melds_reach(seat)
    yield stage.step(f"Seat {seat} lays two tiles down.", 1.5, reach=reach)
    hand.groups.pop()
    hand.pieces, hand.drawn = held
    yield stage.step(f"Seat {seat} takes them up again.", 1.5, reach=reach)
