"""The four hands at the end where all of them are valued, the losers' too."""

from dataclasses import dataclass

from table_assist.game.marked import is_mark_unsure, melds_as_marked, noted_of
from table_assist.game.state import SEATS, TableState
from table_assist.rules.rounds import HandValue, HandValues, LosingHand
from table_assist.rules.ruleset import Payment, RuleSet
from table_assist.tiles.melds import Meld, MeldKind
from table_assist.tiles.tile import Tile

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
    hands = {seat: _worth(rules, state, seat) for seat in losers}
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
        HandValues((a, b, c, d), winner, state.dealer, dead=dead), rules.chosen
    )


def _worth(rules: RuleSet, state: TableState, seat: int) -> tuple[HandValue, bool]:
    """A losing hand's known value, and whether that is all of it."""
    hand, known = losing_hand(rules, state, seat)
    if rules.lost_value is None:
        return HandValue(0), False
    return rules.lost_value(hand, rules.chosen), known


def losing_hand(rules: RuleSet, state: TableState, seat: int) -> tuple[LosingHand, bool]:
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
    hand = LosingHand(concealed, melds, own.bonus, seat, state.dealer, state.prevailing, laid_so)
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
