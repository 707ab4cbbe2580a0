"""Staged: wins, hands laid down, birds, settlement, and the tiles back into the machine."""

from collections.abc import Iterator

from firmware_bridge.events import Dome, Key
from table_assist.contract.commands import Answer, Command, Rule
from table_assist.game.events import (
    BirdTurned,
    HandLaidDown,
    HandShown,
    IndicatorTurned,
    IrregularityNoted,
    Penalised,
    Settled,
    WallExhausted,
    WinDeclared,
    WinRefused,
)
from table_assist.game.question import QuestionId, QuestionKind
from table_assist.languages.words import Words
from table_assist.twin.staging.moment import StagedMoment
from table_assist.twin.staging.stage import Stage
from table_assist.twin.staging.truth import revealed
from table_assist.twin.staging.turns import put_back
from table_assist.twin.steps import ArmReach, TableStep


def declare_win(stage: Stage, moment: StagedMoment, event: WinDeclared) -> Iterator[TableStep]:
    """A key; the secret tile is turned up for those who may profit from it."""
    yield from put_back(stage, moment.before, event.seat)
    yield stage.press(event.seat, Key.WIN, *moment.truth)
    if isinstance(moment.then, HandShown):
        secret = revealed(moment.after)
        if secret is not None and stage.held.looked_at[-1] not in stage.held.revealed:
            yield _reveal(stage, event.seat, secret)


def _reveal(stage: Stage, seat: int, secret: IndicatorTurned) -> TableStep:
    """The tile that was laid aside last is turned up where it lies."""
    held = stage.held
    held.revealed.add(held.looked_at[-1])
    place = stage.table.fit.birds[len(held.looked_at) - 1]
    return stage.step(f"The treasure was {secret.tile}.", 3.0, secret, reach=ArmReach(seat, *place))


def show_hand(stage: Stage, moment: StagedMoment, event: HandShown) -> Iterator[TableStep]:
    """The hand lies face up; what another gave lies where it was put, or among the winner's."""
    held, seat = stage.held, event.seat
    if event.self_drawn:
        held.put_apart(seat, event.winning_tile)
    else:
        held.tidy(seat)
        _take_won(stage, moment, event)
    hand = held.seats[seat]
    hand.shown = frozenset(hand.held)
    text = f"Seat {seat} shows a win with {event.winning_tile}."
    yield stage.step(text, 4.0, *moment.truth, reach=stage.own_reach(seat))
    if isinstance(moment.then, WinRefused):
        yield stage.step("Everybody looks at it.", 4.0)
        yield stage.step("Somebody counts it again.", 4.0)


def _take_won(stage: Stage, moment: StagedMoment, event: HandShown) -> None:
    """The winner's manner may be to take the discard; the next winner finds it gone."""
    given = moment.before.last_discard
    is_robbed = moment.before.robbable is not None
    if given is None or is_robbed or event.rush or isinstance(moment.then, WinRefused):
        return
    river = stage.held.seats[given[0]].river
    lies = river and stage.held.set.face(river[-1]) is event.winning_tile
    if lies and not moment.before.shown and stage.table.takes_won(event.seat):
        stage.held.seats[event.seat].drawn = river.pop()


def refuse_win(stage: Stage, moment: StagedMoment, event: WinRefused) -> Iterator[TableStep]:
    """People agree that it is no win, and the hand is taken up again."""
    question = QuestionId(moment.before.hand, QuestionKind.REFUSE, event.seat)
    text = f"The hand of seat {event.seat} does not win."
    yield stage.step(text, 4.0, *moment.truth, commands=[Answer(question, "yes")])
    stage.held.seats[event.seat].shown = frozenset()
    reach = stage.own_reach(event.seat)
    yield stage.step(f"Seat {event.seat} takes the hand up again.", 3.0, reach=reach)


def note_irregularity(
    stage: Stage, moment: StagedMoment, event: IrregularityNoted
) -> Iterator[TableStep]:
    """The consequences of a refused win that the program knows; else a referee says them."""
    commands: tuple[Command, ...] = ()
    if not moment.before.refused or moment.before.refused[-1].seat != event.seat:
        reason = Words(event.irregularity, event.irregularity)
        commands = (Rule(event.seat, event.irregularity, (0, 0, 0, 0), reason, event.dead),)
    text = f"Seat {event.seat}: {event.irregularity}."
    yield stage.step(text, 2.0, *moment.truth, commands=commands)


def penalise(stage: Stage, moment: StagedMoment, event: Penalised) -> Iterator[TableStep]:
    """Points move at once."""
    yield stage.step(f"Points move: {_moved(event.transfers)}.", 2.0, *moment.truth)


def lay_down_hand(stage: Stage, moment: StagedMoment, event: HandLaidDown) -> Iterator[TableStep]:
    """The hand of somebody who has not won lies face up."""
    stage.held.tidy(event.seat)
    hand = stage.held.seats[event.seat]
    hand.shown = frozenset(hand.held)
    text = f"Seat {event.seat} lays the hand down."
    yield stage.step(text, 3.0, *moment.truth, reach=stage.own_reach(event.seat))


def turn_bird(stage: Stage, moment: StagedMoment, event: BirdTurned) -> Iterator[TableStep]:
    """A tile of the wall lies face up in the middle."""
    held, rules = stage.held, stage.rules
    from_tail = rules.chosen.get("bird_source") == "wall_tail"
    spot = held.wall.tail() if from_tail else held.wall.front()
    stage.expect(held.turn_bird(spot), event.tile)
    place = stage.table.fit.birds[len(held.birds) - 1]
    reach = ArmReach(moment.before.declared[0], *place)
    yield stage.step(f"The bird is {event.tile}.", 3.0, *moment.truth, reach=reach)


def settle(stage: Stage, moment: StagedMoment, event: Settled) -> Iterator[TableStep]:
    """Points move, and the tiles go."""
    text = f"The hand is settled: {_moved(event.transfers)}."
    yield stage.step(text, 4.0, *moment.truth)
    yield from _close(stage)


def exhaust(stage: Stage, moment: StagedMoment, event: WallExhausted) -> Iterator[TableStep]:
    """Nobody has won. Where there is nothing to show, the dome says it."""
    yield stage.step("The wall is empty and nobody has won.", 4.0, *moment.truth)
    yield from _close(stage)


def _close(stage: Stage) -> Iterator[TableStep]:
    yield stage.step("The dome opens.", 1.0, signals=[Dome(open=True)])
    stage.holdings = None
    stage.table.clear()
    yield stage.step("The tiles go into the machine.", 5.0)
    yield stage.step("The dome closes.", 1.0, signals=[Dome(open=False)])


def _moved(transfers: tuple[int, int, int, int]) -> str:
    return ", ".join(f"{points:+d}" for points in transfers)
