"""Staged: everything up to the first discard."""

from collections.abc import Iterator

from firmware_bridge.events import DiceReport as BoardDice
from firmware_bridge.events import WallReady
from table_assist.contract.commands import Answer, ChangeSeats, ChooseDealer, PlaceAntes
from table_assist.game.events import (
    AntesPlaced,
    BonusLaid,
    DealerChosen,
    DiceRolled,
    EggLaid,
    HandStarted,
    IndicatorTurned,
    SeatsChanged,
    StartingHandShown,
    Throw,
    TilesExchanged,
    WallBuilt,
)
from table_assist.game.question import QuestionId, QuestionKind
from table_assist.game.state import SEATS
from table_assist.rules import wall
from table_assist.tiles.melds import MeldKind
from table_assist.twin.fit import BONUS_FIRST_R
from table_assist.twin.holdings import LaidGroup
from table_assist.twin.places import on_table
from table_assist.twin.staging.moment import StagedMoment
from table_assist.twin.staging.stage import Stage
from table_assist.twin.steps import ArmReach, TableStep

# Tiles that everybody takes together before the next turn round the table.
_ROUND = 16
_WHAT_FOR = {
    Throw.DEALER: " for the first dealer",
    Throw.BREAK: " to break the wall",
    Throw.SECOND_BREAK: " again to break the wall",
    Throw.EXCHANGE: " for where the tiles go",
    Throw.INDICATOR: " for the tile to turn",
    Throw.REPLACEMENT: " for the replacement",
}


def choose_dealer(stage: Stage, moment: StagedMoment, event: DealerChosen) -> Iterator[TableStep]:
    """Dice say it by themselves; lot and consent must be told."""
    dice = moment.before.dice
    by_dice = stage.rules.first_dealer is not None and dice is not None and not moment.before.hand
    commands = () if by_dice else (ChooseDealer(event.seat),)
    text = f"Seat {event.seat} deals."
    yield stage.step(text, 2.0, *moment.truth, commands=commands)


def change_seats(stage: Stage, moment: StagedMoment, event: SeatsChanged) -> Iterator[TableStep]:
    """People get up and sit down elsewhere, and somebody tells it."""
    told = ChangeSeats(event.came_from, event.east)
    text = f"New seats: they come from {event.came_from}, and seat {event.east} is East."
    yield stage.step(text, 8.0, *moment.truth, commands=[told])


def place_antes(stage: Stage, moment: StagedMoment, event: AntesPlaced) -> Iterator[TableStep]:
    """Stakes are told."""
    down = ", the dealer doubles down" if event.double_down else ""
    told = PlaceAntes(event.double_down, event.challenges)
    text = f"Stakes: {event.challenges}{down}."
    yield stage.step(text, 3.0, *moment.truth, commands=[told])


def build_wall(stage: Stage, moment: StagedMoment, event: WallBuilt) -> Iterator[TableStep]:
    """The table raises the wall."""
    stage.holdings = stage.dealt
    yield stage.step("The wall is ready.", 3.0, *moment.truth, signals=[WallReady()])


def roll(stage: Stage, moment: StagedMoment, event: DiceRolled) -> Iterator[TableStep]:
    """Dice are thrown; before those for an exchange everyone lays the tiles down."""
    then = moment.then
    if event.throw is Throw.EXCHANGE and isinstance(then, TilesExchanged):
        for seat in SEATS:
            hand = stage.held.seats[seat]
            hand.passing = list(stage.held.take(seat, then.given[seat]))
        yield stage.step(f"Everyone lays {len(then.given[0])} tiles face down.", 5.0)
    stage.table.roll(event.values)
    shown = " and ".join(map(str, event.values))
    text = f"Seat {event.seat} rolls {shown}{_WHAT_FOR.get(event.throw, '')}."
    yield stage.step(text, 3.0, *moment.truth, signals=[BoardDice(event.seat, event.values)])
    if event.throw is Throw.INDICATOR and moment.before.treasures:
        question = QuestionId(moment.before.hand, QuestionKind.SEEK)
        text = "Asked what for, people say: for another treasure."
        yield stage.step(text, 2.0, commands=[Answer(question, "yes")])


def deal(stage: Stage, moment: StagedMoment, event: HandStarted) -> Iterator[TableStep]:
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


def lay_bonus(stage: Stage, moment: StagedMoment, event: BonusLaid) -> Iterator[TableStep]:
    """Flowers and seasons go to the seat's left."""
    hand = stage.held.seats[event.seat]
    hand.bonus += stage.held.take(event.seat, event.tiles)
    tiles = " ".join(map(str, event.tiles))
    reach = ArmReach(event.seat, *on_table(event.seat, BONUS_FIRST_R, stage.table.fit.melds_d))
    yield stage.step(f"Seat {event.seat} lays {tiles}.", 2.0, *moment.truth, reach=reach)


def exchange(stage: Stage, moment: StagedMoment, event: TilesExchanged) -> Iterator[TableStep]:
    """Pass on the tiles that lie face down."""
    seats = stage.held.seats
    passing = [hand.passing for hand in seats]
    for seat, hand in enumerate(seats):
        hand.pieces += passing[(seat - event.seats_on) % len(SEATS)]
        hand.passing = []
    yield stage.step("The tiles are passed on.", 5.0, *moment.truth)


def turn_indicator(
    stage: Stage, moment: StagedMoment, event: IndicatorTurned
) -> Iterator[TableStep]:
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


def show_starting_hand(
    stage: Stage, moment: StagedMoment, event: StartingHandShown
) -> Iterator[TableStep]:
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


def lay_egg(stage: Stage, moment: StagedMoment, event: EggLaid) -> Iterator[TableStep]:
    """An egg lies where melds lie."""
    held, seat = stage.held, event.seat
    pieces = held.take(seat, event.tiles)
    held.seats[seat].groups.append(LaidGroup(MeldKind.LUCKY_EGG, pieces))
    tiles = " ".join(map(str, event.tiles))
    reach = stage.melds_reach(seat)
    yield stage.step(f"Seat {seat} lays the egg {tiles}.", 2.0, *moment.truth, reach=reach)
