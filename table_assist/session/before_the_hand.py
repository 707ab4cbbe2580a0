"""Facts that only people know: a game's beginning, stakes, who deals, which treasure it is."""

from dataclasses import replace

from table_assist.game.course import next_step
from table_assist.game.doubt import Doubt
from table_assist.game.events import (
    AntesPlaced,
    DealerChosen,
    Event,
    GameBegun,
    IndicatorTurned,
    PlayerNamed,
    SeatsChanged,
)
from table_assist.game.in_force import rules_in_force
from table_assist.game.people import Names, alike, is_seating, no_seating, with_gone
from table_assist.game.places import dealing
from table_assist.game.question import QuestionId, QuestionKind
from table_assist.game.state import SEATS, Phase, TableState
from table_assist.game.step import Act, seats_are_due
from table_assist.languages.words import (
    UNSHOWN,
    Words,
    clean_name,
    joined,
    player_at,
    same,
    words_of,
)
from table_assist.record.commands import (
    BeginGame,
    ChangeSeats,
    ChooseDealer,
    NamePlayer,
    PlaceAntes,
    TellTreasure,
)
from table_assist.record.log import Amended
from table_assist.record.record import Record
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.shown import Antes
from table_assist.rules.wall import place_antes
from table_assist.session.command_transaction import CommandTransaction
from table_assist.session.corrections import no_seat
from table_assist.tiles.tile import Tile

MOST_NAMED = 24  # letters of a name: more do not fit beside a score


def game(state: TableState, command: BeginGame) -> GameBegun | Words:
    """The game that begins, or why it cannot."""
    if state.is_running:
        return Words(
            "hand {hand} is running: a game begins between two hands",
            "第 {hand} 局进行中：请在两局之间开始新的一场",
            hand=state.hand,
        )
    if command.points < 0 or command.length < 0:
        return Words(
            "a game of {length} hands from {points} points cannot be",
            "不能以 {points} 分开始、共 {length} 局",
            length=command.length,
            points=command.points,
        )
    if command.floor is not None and command.floor > command.points:
        return Words(
            "the floor of {floor} lies above the {points} points to begin with",
            "底线 {floor} 高于起始的 {points} 分",
            floor=command.floor,
            points=command.points,
        )
    return GameBegun(command.points, command.floor, command.length)


def stakes(rules: RuleSet, state: TableState, command: PlaceAntes) -> AntesPlaced | Words:
    """The stakes for the next hand, or why they cannot be placed."""
    if rules.antes is None:
        return Words("these rules know no stakes", "本规则不下注")
    if state.is_running:
        return Words(
            "hand {hand} is dealt already: stakes are placed before",
            "第 {hand} 局已经发牌：下注须在发牌之前",
            hand=state.hand,
        )
    if state.dealer_next is None:
        return Words(
            "it is not yet said who deals: stakes stand against the dealer",
            "尚未确定庄家：注是对庄家下的",
        )
    left = {seat: rules.antes.tokens - state.spent_now[seat] for seat in SEATS}
    antes = Antes(command.double_down, command.challenges)
    try:
        placed = place_antes(rules, antes, dealer=dealing(state), tokens=left)
    except ValueError as error:
        return words_of(error)
    if placed.refusals:
        return placed.refusals[0].words
    return AntesPlaced(command.double_down, command.challenges)


def seats(state: TableState, command: ChangeSeats) -> SeatsChanged | Words:
    """The seats that the players take between two hands, or why they cannot."""
    if state.is_running:
        return Words(
            "hand {hand} is running: seats are changed between two hands",
            "第 {hand} 局正在进行：须在两局之间换座",
            hand=state.hand,
        )
    if not is_seating(command.came_from):
        return no_seating(command.came_from)
    if command.east is not None and command.east not in SEATS:
        return Words("there is no seat {east}", "没有座位 {east}", east=command.east)
    return SeatsChanged(command.came_from, command.east)


def dealer(rules: RuleSet, state: TableState, command: ChooseDealer) -> DealerChosen | Words:
    """The dealer of the next hand, or why that cannot be chosen."""
    if state.is_running:
        return Words(
            "hand {hand} is running: its dealer is {dealer}",
            "第 {hand} 局进行中：庄家是 {dealer}",
            hand=state.hand,
            dealer=player_at(state.dealer),
        )
    if command.seat not in SEATS:
        return no_seat(command.seat)
    step = next_step(rules, replace(state, phase=Phase.SETTLED))
    if step.act is Act.GAME_OVER:
        return Words("the game is over", "本场已结束")
    if seats_are_due(rules, state):
        return DealerChosen(command.seat)  # who draws East deals, wherever that is
    if step.act not in (Act.CHOOSE_DEALER, Act.ROLL_FOR_DEALER):
        return Words(
            "{dealing} deals the next hand by the rules",
            "按规则下一局由 {dealing} 坐庄",
            dealing=player_at(dealing(state)),
        )
    if command.seat not in step.seats:
        names = [f"{{{seat}}}" for seat in step.seats]
        return Words(
            "one of these deals the next hand: {names}",
            "下一局由其中一人坐庄：{names}",
            names=joined(map(same, names)),
        )
    return DealerChosen(command.seat)


def name(state: TableState, command: NamePlayer, names: Names) -> tuple[PlayerNamed, ...] | Words:
    """The name of the player in the seat, or why not; who is gone leaves a name to who comes.

    Args:
        names: by seat.
    """
    seat = command.seat
    said = clean_name(command.name)[:MOST_NAMED].strip()
    if seat not in SEATS:
        return no_seat(seat)
    if not said:
        return UNSHOWN
    if alike(said, seat, with_gone(names, state.names, state.people, command.gone)):
        return Words("somebody else here is called {said}", "已有人叫{said}", said=said)
    left = [PlayerNamed(other, f"Seat {other + 1}") for other in alike(said, seat, names)]
    return (*left, PlayerNamed(seat, said))


def treasure(
    transaction: CommandTransaction, command: TellTreasure
) -> tuple[Words | None, Doubt | None]:
    """Write down which tile a ready seat has looked at: why not, else None; and what it raises.

    Nothing that is answered or asked names the tile: only those who are ready may know it.
    """
    state = transaction.record.state
    if not state.is_running or rules_in_force(state).treasure is None:
        return Words("there is no treasure to tell", "没有宝牌可报"), None
    if command.seat not in SEATS or not state.seats[command.seat].ready:
        return Words(
            "only who has declared ready may look at the treasure", "只有报听的人可以看宝牌"
        ), None
    if command.tile not in rules_in_force(state).kinds:
        return Words("this set has no such tile", "这副牌里没有这张"), None
    known = state.indicators[-1] if state.indicators else None
    if known is None or state.seeking:
        transaction.write(IndicatorTurned(command.tile, sum(state.seeking)))
    elif known.tile is Tile.UNKNOWN:
        transaction.write(
            Amended(_entry_of(transaction.record, known), replace(known, tile=command.tile))
        )
    elif known.tile is not command.tile:
        return None, _told_otherwise(state, _entry_of(transaction.record, known))
    return None, None


def _entry_of(record: Record, event: Event) -> int:
    return next(seq for seq, each in reversed(record.counting) if each is event or each == event)


def _told_otherwise(state: TableState, seq: int) -> Doubt:
    text = Words(
        "Two players named different tiles as the treasure. Please look again together. Does the "
        "tile that was named first stand?",
        "两家所报的宝牌不同：请一起再看。以先报的为准吗？",
    )
    told = str(len(state.indicators))
    question = QuestionId(state.hand, QuestionKind.TREASURE, subject=told)
    return Doubt(question, text, about=seq, blocks=True)
