"""A whole hand that bots have played, staged on the table step by step."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from table_assist.contract.commands import Answer
from table_assist.game import events as facts
from table_assist.game.events import Event
from table_assist.game.fold import replay
from table_assist.game.irregular import irregularities
from table_assist.game.places import opened
from table_assist.game.question import QuestionId, QuestionKind
from table_assist.game.state import SEATS, TableState
from table_assist.rules import wall
from table_assist.rules.ruleset import RuleSet
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile
from table_assist.twin.holdings import Holdings, LaidGroup
from table_assist.twin.pieces import PieceSet
from table_assist.twin.staging import ending, opening, turns
from table_assist.twin.staging.moment import StagedMoment
from table_assist.twin.staging.stage import Stage, StagingError
from table_assist.twin.staging.truth import moments
from table_assist.twin.steps import TableStep
from table_assist.twin.table import SimulatedTable
from table_assist.twin.wall import PieceWall

# Staged: what goes against the rules, and what people say of it.

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


# Each takes the event as its own type, which a dictionary cannot say.
_Staged = Callable[[Stage, StagedMoment, Any], Iterator[TableStep]]
_STAGED: dict[type[Event], _Staged] = {
    facts.DealerChosen: opening.choose_dealer,
    facts.SeatsChanged: opening.change_seats,
    facts.AntesPlaced: opening.place_antes,
    facts.WallBuilt: opening.build_wall,
    facts.DiceRolled: opening.roll,
    facts.HandStarted: opening.deal,
    facts.BonusLaid: opening.lay_bonus,
    facts.TilesExchanged: opening.exchange,
    facts.IndicatorTurned: opening.turn_indicator,
    facts.StartingHandShown: opening.show_starting_hand,
    facts.EggLaid: opening.lay_egg,
    facts.Drew: turns.draw,
    facts.LastTilePassed: turns.pass_last_tile,
    facts.ReadyDeclared: turns.declare_ready,
    facts.Discarded: turns.discard,
    facts.Claimed: turns.claim,
    facts.KongDeclared: turns.declare_kong,
    facts.EggAppended: turns.append_to_egg,
    facts.WinDeclared: ending.declare_win,
    facts.HandShown: ending.show_hand,
    facts.WinRefused: ending.refuse_win,
    facts.IrregularityNoted: ending.note_irregularity,
    facts.Penalised: ending.penalise,
    facts.HandLaidDown: ending.lay_down_hand,
    facts.BirdTurned: ending.turn_bird,
    facts.Settled: ending.settle,
    facts.WallExhausted: ending.exhaust,
}


@dataclass(frozen=True, slots=True)
class StagedHand:
    """A hand that was played to its end.

    Attributes:
        before: the state before it.
        events: all of them, hidden faces included.
        drawn: the tiles of the wall in the order of drawing, the dealt ones first.
        aside: those that no side of the wall has room for.
    """

    rules: RuleSet
    before: TableState
    events: tuple[Event, ...]
    drawn: tuple[Tile, ...]
    aside: tuple[Tile, ...] = ()


def stage_hand(
    played: StagedHand,
    table: SimulatedTable,
    *,
    hand: int = 1,
    game: int = 1,
    false_starts: float = 0.0,
) -> Iterator[TableStep]:
    """Let the hand happen on an empty table.

    Args:
        false_starts: of the discards, somebody begins to lay a call down and takes it up again.

    Raises:
        StagingError: what happened cannot have happened with the tiles of that wall.
    """
    told = list(moments(played.before, played.events))
    stage = Stage(played.rules, table, _raised(played, told), hand, game)
    known = played.before
    for moment in told:
        staged = _STAGED.get(type(moment.event))
        if staged is None:
            raise StagingError(f"nobody knows how {moment.event} looks at the table")
        odd = any(irregularities(known, event) for event in moment.truth)
        known = replay(moment.truth, known)
        yield from staged(stage, moment, moment.event)
        if odd:
            yield from stand_by(stage, moment)
        if isinstance(moment.event, facts.Discarded) and table.chance(false_starts):
            yield from false_start(stage, moment)


def _raised(played: StagedHand, told: Sequence[StagedMoment]) -> Holdings:
    """All pieces as the table raises them: what will be drawn first lies where dice will say."""
    rules = played.rules
    dealt = next((m for m in told if isinstance(m.event, facts.HandStarted)), None)
    if dealt is None:
        raise StagingError(f"no hand is dealt in {played.events}")
    stacks = wall.stacks_of(rules, dealt.after.dealer)
    broken = opened(dealt.after)
    if broken is None:
        raise StagingError("no dice say where the wall is broken")
    pieces = PieceSet(rules)
    order = pieces.all_of((*played.drawn, *played.aside))
    built = len(played.drawn)
    return Holdings(
        pieces,
        PieceWall(stacks, broken, order[:built]),
        order[built:],
        discards_down=rules.lying(rules.chosen).discards_down,
    )
