"""A whole hand that bots have played, staged on the table step by step."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from firmware_bridge.events import DiceReport as BoardDice
from firmware_bridge.events import Dome, Key, WallReady
from table_assist.contract.commands import Answer, ChangeSeats, ChooseDealer, PlaceAntes
from table_assist.game import events as facts
from table_assist.game.places import opened
from table_assist.game.question import QuestionId, QuestionKind
from table_assist.game.state import SEATS, TableState
from table_assist.rules import wall
from table_assist.rules.ruleset import RuleSet
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tiles
from table_assist.twin.holdings import Holdings, LaidGroup, PieceSet, PieceWall
from table_assist.twin.river import BONUS_FIRST_R, on_table
from table_assist.twin.staging import turns
from table_assist.twin.staging.turns import (
    Stage,
    StagedMoment,
    StagingError,
    moments,
    put_back,
    revealed,
)
from table_assist.twin.table import ArmReach, SimulatedTable, Steps

# Staged: everything up to the first discard.

# Tiles that everybody takes together before the next turn round the table.
_ROUND = 16
_WHAT_FOR = {
    facts.Throw.DEALER: " for the first dealer",
    facts.Throw.BREAK: " to break the wall",
    facts.Throw.SECOND_BREAK: " again to break the wall",
    facts.Throw.EXCHANGE: " for where the tiles go",
    facts.Throw.INDICATOR: " for the tile to turn",
    facts.Throw.REPLACEMENT: " for the replacement",
}


def roll(stage: Stage, moment: StagedMoment, event: facts.DiceRolled) -> Steps:
    """Dice are thrown; before those for an exchange everyone lays the tiles down."""
    then = moment.then
    if event.throw is facts.Throw.EXCHANGE and isinstance(then, facts.TilesExchanged):
        for seat in SEATS:
            hand = stage.held.seats[seat]
            hand.passing = list(stage.held.take(seat, then.given[seat]))
        yield stage.step(f"Everyone lays {len(then.given[0])} tiles face down.", 5.0)
    stage.table.roll(event.values)
    shown = " and ".join(map(str, event.values))
    text = f"Seat {event.seat} rolls {shown}{_WHAT_FOR.get(event.throw, '')}."
    yield stage.step(text, 3.0, *moment.truth, signals=[BoardDice(event.seat, event.values)])
    if event.throw is facts.Throw.INDICATOR and moment.before.treasures:
        question = QuestionId(moment.before.hand, QuestionKind.SEEK)
        text = "Asked what for, people say: for another treasure."
        yield stage.step(text, 2.0, commands=[Answer(question, "yes")])


def deal(stage: Stage, moment: StagedMoment, event: facts.HandStarted) -> Steps:
    """Everybody takes tiles in turn; the dealer's last one stands apart."""
    held, rules = stage.held, stage.rules
    breach, seats = rules.wall.breach, wall.dealt_in_order(rules, event.dealer)
    if breach is not None:
        held.wall.lift_out(*breach.loose(rules.chosen))
        yield stage.step("The wall is broken.", 2.0)
    for number, seat in enumerate(seats, start=1):
        held.draw(seat, held.wall.front(), apart=False)
        if number % _ROUND == 0 and number < len(seats):
            yield stage.step("Everybody takes tiles.", 3.0)
    for seat in SEATS:
        dealt = held.seats[seat].pieces
        assert held.faces(dealt) == tuple(sorted(event.hands[seat]))
    if len(event.hands[event.dealer]) > len(event.hands[(event.dealer + 1) % 4]):
        held.put_apart(event.dealer, event.hands[event.dealer][-1])
    yield stage.step("The hand is dealt.", 3.0, *moment.truth)


def exchange(stage: Stage, moment: StagedMoment, event: facts.TilesExchanged) -> Steps:
    """Pass on the tiles that lie face down."""
    seats = stage.held.seats
    passing = [hand.passing for hand in seats]
    for seat, hand in enumerate(seats):
        hand.pieces += passing[(seat - event.seats_on) % len(SEATS)]
        hand.passing = []
    yield stage.step("The tiles are passed on.", 5.0, *moment.truth)


def turn_indicator(stage: Stage, moment: StagedMoment, event: facts.IndicatorTurned) -> Steps:
    """A wild tile stays face up where it stands; a treasure is looked at and laid face down."""
    held, before = stage.held, moment.before
    spot = held.wall.in_column(event.column)
    roller = (before.dice.seat if before.dice is not None else before.dealer) % len(SEATS)
    reach = stage.wall_reach(roller, spot)
    if stage.rules.wilds is None:
        stage.expect(held.lay_aside(spot), event.tile)
        text = f"Seat {roller} looks at the tile in column {event.column} and lays it aside."
    else:
        held.wall.turn(spot, stays=True)
        text = f"{event.tile} is turned up in column {event.column}."
    yield stage.step(text, 3.0, *moment.truth, reach=reach)


def show_starting_hand(stage: Stage, moment: StagedMoment, event: facts.StartingHandShown) -> Steps:
    """The dealt hand lies face up for a moment, then stands again."""
    held, seat = stage.held, event.seat
    hand = held.seats[seat]
    left = list(event.tiles)
    shown = []
    for piece in hand.held:
        face = held.set.face(piece)
        if face in left:
            left.remove(face)
            shown.append(piece)
    hand.shown = frozenset(shown)
    reach = stage.own_reach(seat)
    yield stage.step(f"Seat {seat} shows the dealt hand.", 4.0, *moment.truth, reach=reach)
    hand.shown = frozenset()
    yield stage.step(f"Seat {seat} takes it back.", 2.0, reach=reach)


# Staged: wins, hands laid down, birds, settlement, and the tiles back into the machine.


def declare_win(stage: Stage, moment: StagedMoment, event: facts.WinDeclared) -> Steps:
    """A key; the secret tile is turned up for those who may profit from it."""
    yield from put_back(stage, moment.before, event.seat)
    yield stage.press(event.seat, Key.WIN, *moment.truth)
    if isinstance(moment.then, facts.HandShown):
        secret = revealed(moment.after)
        if secret is not None and stage.held.looked_at[-1] not in stage.held.revealed:
            # The tile that was laid aside last is turned up where it lies
            held = stage.held
            held.revealed.add(held.looked_at[-1])
            reach = ArmReach(event.seat, *stage.table.fit.birds[len(held.looked_at) - 1])
            yield stage.step(f"The treasure was {secret.tile}.", 3.0, secret, reach=reach)


def show_hand(stage: Stage, moment: StagedMoment, event: facts.HandShown) -> Steps:
    """The hand lies face up; what another gave lies where it was put, or among the winner's."""
    held, seat = stage.held, event.seat
    if event.self_drawn:
        held.put_apart(seat, event.winning_tile)
    else:
        held.tidy(seat)
        # The winner's manner may be to take the discard; the next winner finds it gone
        before, given = moment.before, moment.before.last_discard
        if given is not None and before.robbable is None and not (event.rush or before.shown):
            river = held.seats[given[0]].river
            lies = river and held.set.face(river[-1]) is event.winning_tile
            if lies and stage.table.manners.takes_won[seat]:
                held.seats[seat].drawn = river.pop()
    hand = held.seats[seat]
    hand.shown = frozenset(hand.held)
    text = f"Seat {seat} shows a win with {event.winning_tile}."
    yield stage.step(text, 4.0, *moment.truth, reach=stage.own_reach(seat))


def turn_bird(stage: Stage, moment: StagedMoment, event: facts.BirdTurned) -> Steps:
    """A tile of the wall lies face up in the middle."""
    held, rules = stage.held, stage.rules
    from_tail = rules.chosen.get("bird_source") == "wall_tail"
    spot = held.wall.tail() if from_tail else held.wall.front()
    stage.expect(held.turn_bird(spot), event.tile)
    place = stage.table.fit.birds[len(held.birds) - 1]
    reach = ArmReach(moment.before.declared[0], *place)
    yield stage.step(f"The bird is {event.tile}.", 3.0, *moment.truth, reach=reach)


def _close(stage: Stage) -> Steps:
    yield stage.step("The dome opens.", 1.0, signals=[Dome(open=True)])
    stage.holdings = None
    stage.table.clear()
    yield stage.step("The tiles go into the machine.", 5.0)
    yield stage.step("The dome closes.", 1.0, signals=[Dome(open=False)])


def _moved(transfers: tuple[int, int, int, int]) -> str:
    return ", ".join(f"{points:+d}" for points in transfers)


def _staged(stage: Stage, moment: StagedMoment) -> Steps:
    """What happens at the table when this happens in the game."""
    truth = moment.truth
    match moment.event:
        case facts.DealerChosen(seat):  # dice say it by themselves; lot and consent must be told
            dice, rules = moment.before.dice, stage.rules
            by_dice = rules.first_dealer is not None and dice is not None
            told = () if by_dice and not moment.before.hand else (ChooseDealer(seat),)
            yield stage.step(f"Seat {seat} deals.", 2.0, *truth, commands=told)
        case facts.SeatsChanged(came_from, east):
            text = f"New seats: they come from {came_from}, and seat {east} is East."
            yield stage.step(text, 8.0, *truth, commands=[ChangeSeats(came_from, east)])
        case facts.AntesPlaced(double_down, challenges):
            down = ", the dealer doubles down" if double_down else ""
            antes = [PlaceAntes(double_down, challenges)]
            yield stage.step(f"Stakes: {challenges}{down}.", 3.0, *truth, commands=antes)
        case facts.WallBuilt():
            stage.holdings = stage.dealt
            yield stage.step("The wall is ready.", 3.0, *truth, signals=[WallReady()])
        case facts.BonusLaid(seat, tiles):  # to the seat's left
            stage.held.seats[seat].bonus += stage.held.take(seat, tiles)
            place = on_table(seat, BONUS_FIRST_R, stage.table.fit.melds_d)
            text = f"Seat {seat} lays {' '.join(map(str, tiles))}."
            yield stage.step(text, 2.0, *truth, reach=ArmReach(seat, *place))
        case facts.EggLaid(seat, tiles):  # where melds lie
            egg = LaidGroup(MeldKind.LUCKY_EGG, stage.held.take(seat, tiles))
            stage.held.seats[seat].groups.append(egg)
            text = f"Seat {seat} lays the egg {' '.join(map(str, tiles))}."
            yield stage.step(text, 2.0, *truth, reach=stage.melds_reach(seat))
        case facts.LastTilePassed(seat):
            yield stage.press(seat, Key.PASS, *truth)
        case facts.ReadyDeclared(seat):
            yield stage.press(seat, Key.READY, *truth)
        case facts.Penalised():
            yield stage.step(f"Points move: {_moved(moment.event.transfers)}.", 2.0, *truth)
        case facts.HandLaidDown(seat):  # of somebody who has not won
            stage.held.tidy(seat)
            hand = stage.held.seats[seat]
            hand.shown = frozenset(hand.held)
            text = f"Seat {seat} lays the hand down."
            yield stage.step(text, 3.0, *truth, reach=stage.own_reach(seat))
        case facts.Settled():
            text = f"The hand is settled: {_moved(moment.event.transfers)}."
            yield stage.step(text, 4.0, *truth)
            yield from _close(stage)
        case facts.WallExhausted():  # where there is nothing to show, the dome says it
            yield stage.step("The wall is empty and nobody has won.", 4.0, *truth)
            yield from _close(stage)
        case event if type(event) in _STAGED:
            yield from _STAGED[type(event)](stage, moment, event)
        case event:
            raise StagingError(f"nobody knows how {event} looks at the table")


# The longer ones. Each takes the event as its own type, which a dictionary cannot say.
_STAGED: dict[type[facts.Event], Callable[[Stage, StagedMoment, Any], Steps]] = {
    facts.DiceRolled: roll,
    facts.HandStarted: deal,
    facts.TilesExchanged: exchange,
    facts.IndicatorTurned: turn_indicator,
    facts.StartingHandShown: show_starting_hand,
    facts.Drew: turns.draw,
    facts.Discarded: turns.discard,
    facts.Claimed: turns.claim,
    facts.KongDeclared: turns.declare_kong,
    facts.EggAppended: turns.append_to_egg,
    facts.WinDeclared: declare_win,
    facts.HandShown: show_hand,
    facts.BirdTurned: turn_bird,
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
    events: tuple[facts.Event, ...]
    drawn: Tiles
    aside: Tiles = ()


def stage_hand(
    played: StagedHand,
    table: SimulatedTable,
    *,
    hand: int = 1,
    game: int = 1,
) -> Steps:
    """Let the hand happen on an empty table.

    Raises:
        StagingError: what happened cannot have happened with the tiles of that wall.
    """
    told = list(moments(played.before, played.events))
    # All pieces as the table raises them: what will be drawn first lies where dice will say
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
    stage = Stage(
        played.rules,
        table,
        Holdings(
            pieces,
            PieceWall(stacks, broken, order[:built]),
            order[built:],
            discards_down=rules.lying(rules.chosen).discards_down,
        ),
        hand,
        game,
    )
    for moment in told:
        yield from _staged(stage, moment)
