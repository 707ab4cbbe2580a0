"""The outcome of a hand: wins, kongs and eggs, dealt hands, the chase, the next dealer.

``end_of_hand(state)`` reckons with the hands as shown, or with a drawn hand where none is shown.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from table_assist.game.events import Settled, WallExhausted
from table_assist.game.in_force import rules_in_force
from table_assist.game.offered import who_won
from table_assist.game.side_payments import SidePayments, side_payments
from table_assist.game.state import SEATS, TableState
from table_assist.game.win import declared_hand, is_mark_unsure, melds_as_marked, noted_of
from table_assist.languages.words import COMMA, Words, joined, phrase
from table_assist.rules import play_rules
from table_assist.rules.reckoning import next_dealer
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.settlement import Payment, add
from table_assist.rules.verdict import NO_TRANSFERS, Settlement, Transfers, Verdict
from table_assist.tiles.melds import Meld, MeldKind, tile_noted
from table_assist.tiles.tile import Tile

# The four hands at the end where all of them are valued, the losers' too.

# More than any hand is worth: the settlement itself reduces it to the limit.
LIMIT_HAND = 1 << 40


@dataclass(frozen=True, slots=True)
class Valued:
    """The settlement of four hands by their values.

    Attributes:
        missing: seats whose hands must still be laid down: the payment is not final.
    """

    payment: Payment
    missing: tuple[int, ...] = ()


def settle_hands(rules: RuleSet, state: TableState, winner: int, value: int) -> Valued:
    """The winner's hand of known value against the three others, and those among each other."""
    losers = [seat for seat in SEATS if seat != winner]
    hands = {seat: losing_worth(rules, state, seat) for seat in losers}
    values = {seat: worth.value for seat, (worth, _) in hands.items()} | {winner: value}
    payment = _settled(rules, state, winner, values)
    # Further points of the hand change the payment, or nobody need see them.
    missing = tuple(
        seat
        for seat, (_, known) in hands.items()
        if not known
        and _settled(rules, state, winner, values | {seat: 0}).transfers
        != _settled(rules, state, winner, values | {seat: LIMIT_HAND}).transfers
    )
    steps = tuple(step for worth, known in hands.values() if known for step in worth.steps)
    return Valued(Payment(payment.transfers, steps + payment.steps), missing)


def _settled(rules: RuleSet, state: TableState, winner: int, values: dict[int, int]) -> Payment:
    assert rules.settle_values is not None, f"{rules.id} does not settle by the hands' values"
    dead = {
        seat: reason
        for seat in SEATS
        if seat != winner and (reason := state.seats[seat].dead) is not None
    }
    a, b, c, d = (values[seat] for seat in SEATS)
    return rules.settle_values(
        play_rules.HandValues((a, b, c, d), winner, state.dealer, dead=dead), rules.chosen
    )


def losing_worth(rules: RuleSet, state: TableState, seat: int) -> tuple[play_rules.HandValue, bool]:
    """A losing hand's known value, and whether that is all of it."""
    hand, known = losing_hand(rules, state, seat)
    if rules.lost_value is None:
        return play_rules.HandValue(0), False
    return rules.lost_value(hand, rules.chosen), known


def losing_hand(rules: RuleSet, state: TableState, seat: int) -> tuple[play_rules.LosingHand, bool]:
    """The open tiles of a losing hand, and whether that is all of it.

    A live hand of another number of tiles than it must have was misread, or is dead and nobody has
    said so: its value is not known.
    """
    own = state.seats[seat]
    melds, taken_back = _melds_kept(rules, state, seat)
    laid_down = next((hand for hand in state.laid_down if hand.seat == seat), None)
    held = own.concealed if laid_down is None else laid_down.concealed
    tiles = (*(held or ()), *taken_back)
    open_tiles = [*tiles, *own.bonus, *(tile for meld in melds for tile in meld.tiles)]
    known = held is not None and not is_mark_unsure(rules, state, seat)
    known = known and all(tile.is_face for tile in open_tiles)
    if own.dead is None:
        known = known and len(tiles) == 13 - 3 * len(melds)
    concealed = tiles if known else taken_back
    told = [each for hand in state.told if hand.seat == seat for each in hand.circumstances]
    laid_so = noted_of(state, seat) | set(told)
    hand = play_rules.LosingHand(
        concealed, melds, own.bonus, seat, state.dealer, state.prevailing, laid_so
    )
    return hand, known


def _melds_kept(
    rules: RuleSet, state: TableState, seat: int
) -> tuple[tuple[Meld, ...], tuple[Tile, ...]]:
    """The seat's melds, and what goes back to its hand, once the winner has robbed its kong."""
    melds = list(melds_as_marked(rules, state, seat))
    robbed = state.robbable
    claimed = any(not (hand.self_drawn or hand.rush) for hand in state.shown)
    if robbed is None or robbed.seat != seat or not claimed:
        return tuple(melds), ()
    for at, meld in enumerate(melds):
        if meld.kind is robbed.kind and robbed.tile in meld.tiles:
            if meld.kind is MeldKind.KONG_ADDED:
                melds[at] = Meld(MeldKind.PUNG, meld.tiles[:3])
                return tuple(melds), ()
            if meld.kind is MeldKind.KONG_CONCEALED:
                del melds[at]
                return tuple(melds), meld.tiles[:3]
    return tuple(melds), ()


@dataclass(frozen=True, slots=True)
class HandEnd:
    """The outcome of a hand.

    Attributes:
        settlement: of the hands shown, with the verdict on each of them.
        wins: what the hands alone move.
        laid: what kongs and eggs move, whoever won; those paid at once are in it.
        opening: what dealt hands scored.
        total: all together, without what `Penalised` has moved already.
        steps: the arithmetic, every part named.
        dealer_next: the seats of which one deals next; none once the game is over.
        prevailing: the wind of the next hand.
        wind_passes: it is another than in this hand.
        missing: seats whose hands must still be laid down: then nothing here is final.
        unsure: what else is not known, or stands in the way of an end.
    """

    settlement: Settlement
    wins: Transfers
    laid: Transfers
    opening: Transfers
    chase: Transfers
    total: Transfers
    steps: tuple[Words, ...]
    dealer_next: tuple[int, ...]
    prevailing: Tile
    wind_passes: bool = False
    game_over: bool = False
    missing: tuple[int, ...] = ()
    unsure: tuple[Words, ...] = ()

    @property
    def verdicts(self) -> Mapping[int, Verdict]:
        """By seat, on every hand shown."""
        return self.settlement.verdicts

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that are paid, the nearest after the discarder first; empty after a draw."""
        return self.settlement.winners

    @property
    def final(self) -> bool:
        """Everything is known that the points rest on."""
        return not (self.missing or self.unsure)


@dataclass(frozen=True, slots=True)
class _Won:
    """The outcome by the hands alone."""

    transfers: Transfers = NO_TRANSFERS
    steps: tuple[Words, ...] = ()
    missing: tuple[int, ...] = ()


def end_of_hand(state: TableState, rules: RuleSet | None = None) -> HandEnd:
    """Reckon everything that the hand moves, and who deals next.

    Args:
        rules: with the options in force; without, those that the hand was started with.

    Raises:
        ValueError: the hands shown cannot have been won together.
    """
    rules = rules_in_force(state) if rules is None else rules
    settlement = who_won(rules, state)
    follows = next_after(rules, state, settlement.winners)
    won = _won(rules, state, settlement, limit_hand=follows.limit_hand)
    others = side_payments(rules, state, settlement.winners, over=True)
    total = add((won.transfers, others.laid, others.opening, others.chase))
    return HandEnd(
        settlement=settlement,
        wins=won.transfers,
        laid=others.laid,
        opening=others.opening,
        chase=others.chase,
        total=total,
        steps=(*others.steps, *won.steps, *_in_all(others, total)),
        dealer_next=follows.dealers,
        prevailing=follows.prevailing,
        wind_passes=follows.prevailing is not state.prevailing,
        game_over=follows.game_over,
        missing=won.missing,
        unsure=(*_unsure(rules, state, settlement), *others.unsure),
    )


def settled_event(ended: HandEnd) -> Settled:
    """The end of a hand that was won."""
    return Settled(
        ended.winners,
        ended.total,
        _only(ended.dealer_next),
        ended.steps,
        ended.prevailing if ended.wind_passes else None,
        ended.game_over,
    )


def exhausted_event(ended: HandEnd) -> WallExhausted:
    """The end of a hand that nobody won."""
    return WallExhausted(
        _only(ended.dealer_next),
        ended.total,
        ended.steps,
        ended.prevailing if ended.wind_passes else None,
        ended.game_over,
    )


def due_now(state: TableState) -> Payment:
    """The payments earned at once so far; a win that is shown may cancel some of them."""
    rules = rules_in_force(state)
    try:
        winners = who_won(rules, state).winners
    except ValueError:
        winners = ()  # what is wrong with these wins is said at the end of the hand
    paid = side_payments(rules, state, winners, over=False)
    return Payment(add((paid.laid, paid.opening, paid.chase)), paid.steps)


@dataclass(frozen=True, slots=True)
class After:
    """The next hand's dealer and wind.

    Attributes:
        dealers: the seats of which one deals next; none once the game is over.
        limit_hand: the dealer has won so often that the hand counts as a limit hand.
    """

    dealers: tuple[int, ...]
    prevailing: Tile
    game_over: bool = False
    limit_hand: bool = False


def next_after(rules: RuleSet, state: TableState, winners: tuple[int, ...]) -> After:
    """The dealer of the next hand, and the wind."""
    if rules.next_round is not None:
        return _next_round(rules, state, winners)
    everybody_passed = len(set(state.passed_on)) == len(SEATS)
    won = (declared_hand(state, hand) for hand in state.shown if hand.seat in winners)
    result = play_rules.HandResult(
        state.dealer,
        winners,
        next((shown.discarder for shown in won if shown.discarder is not None), None),
        last_drawer=None if everybody_passed else state.last_drawer,
        last_offered=state.passed_on[-1] if state.passed_on else None,
    )
    return After(next_dealer(rules, result), state.prevailing)


def _next_round(rules: RuleSet, state: TableState, winners: tuple[int, ...]) -> After:
    assert rules.next_round is not None
    result = play_rules.RoundResult(
        state.dealer,
        state.first_east,
        state.prevailing,
        winners[0] if winners else None,
        state.east_wins,
    )
    follows: play_rules.RoundNext = rules.next_round(result, rules.chosen)
    dealers = () if follows.east is None else (follows.east,)
    return After(dealers, follows.prevailing, follows.game_over, follows.limit_hand)


# --- The hands


def _won(rules: RuleSet, state: TableState, settlement: Settlement, *, limit_hand: bool) -> _Won:
    if not settlement.winners:
        return _Won()
    if rules.settle_values is None:
        steps = tuple(
            step
            for seat in settlement.winners
            for step in (heading(seat), *settlement.verdicts[seat].steps)
        )
        return _Won(settlement.payments, steps)
    winner = settlement.winners[0]
    verdict = settlement.verdicts[winner]
    valued = settle_hands(rules, state, winner, LIMIT_HAND if limit_hand else verdict.total)
    # The verdict's last steps are what each of the others would pay if no other hand counted.
    worth = verdict.steps[: -(len(SEATS) - 1)]
    if limit_hand:
        worth = (*worth, _LIMIT_HAND)
    return _Won(
        valued.payment.transfers,
        (heading(winner), *worth, *valued.payment.steps),
        valued.missing,
    )


_LIMIT_HAND = phrase("outcome.dealer_has_won")


def heading(seat: int) -> Words:
    """The line above what a winner's hand is made of."""
    return Words("The winning hand of seat {seat}:", "座位 {seat} 和牌：", seat=seat)


def _in_all(others: SidePayments, total: Transfers) -> tuple[Words, ...]:
    """One line that adds up, where there is more than the hands' own points."""
    if not others.steps:
        return ()
    said = [
        Words("seat {seat} {points}", "座位 {seat} {points}", seat=seat, points=f"{points:+d}")
        for seat, points in enumerate(total)
    ]
    return (Words("In all: {said}.", "合计：{said}。", said=joined(said, COMMA)),)


# --- What stands in the way


def _unsure(rules: RuleSet, state: TableState, settlement: Settlement) -> list[Words]:
    """Doubts that could change the points, though nothing contradicts them."""
    found = []
    if state.shown and not settlement.winners:
        found.append(Words("None of the hands shown wins.", "亮出的牌都不成和。"))
    if state.shown and rules.wilds is not None and not state.wilds:
        found.append(Words("It is not known which tiles are wild.", "混儿未知。"))
    ready = any(state.seats[seat].ready for seat in settlement.winners)
    if ready and state.indicators and rules.treasure is not None and not state.treasures:
        found.append(Words("The treasure is not known.", "宝牌未知。"))
    if ready and state.turned_wrongly:
        found.append(phrase("outcome.treasure_was_thrown"))
    for seat in settlement.winners:
        if is_mark_unsure(rules, state, seat):
            found.append(phrase("outcome.it_is_not_said", seat=seat))
        if not all(tile.is_face for tile in state.seats[seat].bonus):
            found.append(phrase("outcome.flower_of_seat_could", seat=seat))
    return [*found, *_other_tiles(state)]


def _other_tiles(state: TableState) -> list[Words]:
    """Hands shown with another winning tile than the one that was given up."""
    given = state.given_up
    if given is None or not given[1].is_face:
        return []
    return [
        Words(
            "Seat {seat} shows {value} as the winning tile, and {value_2} was given up.",
            "座位 {seat} 的和牌张为{value}，而打出的是{value_2}。",
            seat=hand.seat,
            value=tile_noted(hand.winning_tile),
            value_2=tile_noted(given[1]),
        )
        for hand in state.shown
        if not (hand.self_drawn or hand.rush) and hand.winning_tile is not given[1]
    ]


def _only(seats: tuple[int, ...]) -> int | None:
    return seats[0] if len(seats) == 1 else None
