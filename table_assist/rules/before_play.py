"""Before the first discard: the first dealer, stakes, exchanged and turned tiles.

``first_dealer``, ``place_antes``, ``exchange``, ``refuse_selection``, ``make_wild``; and ``chase``
for the first round of discards.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from table_assist.languages.words import WordsError
from table_assist.rules.ruleset import Payment, RuleSet
from table_assist.rules.shown import SEATS, Antes, check_seat
from table_assist.rules.verdict import Refusal
from table_assist.rules.wall import sum_of_dice, tiles_after_deal
from table_assist.tiles.tile import Tile, format_tiles

NO_ANTES = Antes()


@dataclass(frozen=True, slots=True)
class PlacedIndicator:
    """Stakes as they lie on the table.

    Attributes:
        tokens_left: by seat, what those who have tokens have left.
        factors: by seat, what payments between it and the dealer are multiplied by.
        refusals: why the stakes are not allowed; then nothing has changed hands.
    """

    tokens_left: Mapping[int, int]
    factors: Mapping[int, int]
    refusals: tuple[Refusal, ...] = ()


@dataclass(frozen=True, slots=True)
class Exchanged:
    """Tiles passed on.

    Attributes:
        seats_on: how many seats on they went: 1 to the right, 2 across, 3 to the left.
        received: by seat, what it was given.
    """

    seats_on: int
    received: Mapping[int, tuple[Tile, ...]]


@dataclass(frozen=True, slots=True)
class Wild:
    """The wild tiles that a turned tile makes.

    Attributes:
        kinds: the wild kinds, the turned one first.
        live: wild tiles in play, without the turned one.
    """

    kinds: tuple[Tile, ...]
    live: int


def first_dealer(rules: RuleSet, roller: int, dice: Sequence[int]) -> int:
    """The seat that the dice make the first dealer.

    Raises:
        ValueError: the rules choose otherwise, the roller is no seat or the dice cannot fall so.
    """
    check_seat("roller", roller)
    if rules.first_dealer is None:
        raise ValueError(f"{rules.id} does not roll for the first dealer")
    return rules.first_dealer(roller, sum_of_dice(dice), rules.chosen)


def place_antes(
    rules: RuleSet,
    antes: Antes,
    *,
    dealer: int,
    tokens: Mapping[int, int] | None = None,
    after_deal: bool = False,
) -> PlacedIndicator:
    """Stake tokens against the dealer, and the dealer's doubling down.

    Args:
        tokens: what each seat has left this round; a seat that is not named has spent none.
        after_deal: the tiles are dealt already.

    Raises:
        ValueError: the rules know no stakes, a seat is none, or a number of tokens cannot be.
    """
    if rules.antes is None:
        raise ValueError(f"{rules.id} has no antes")
    check_seat("dealer", dealer)
    left = dict(tokens or {})
    for seat, count in left.items():
        check_seat("seat", seat)
        if not 0 <= count <= rules.antes.tokens:
            raise WordsError.told("tokens", seat=seat, count=count, tokens=rules.antes.tokens)
    if min(antes.challenges) < 0:
        least = min(antes.challenges)
        raise WordsError("{least} tokens cannot be put down", "不能下 {least} 枚筹码", least=least)
    for seat, spent in enumerate(antes.challenges):
        if seat in left or spent:
            left[seat] = left.get(seat, rules.antes.tokens) - spent
    refusals = tuple(_refuse_antes(antes, dealer, left, after_deal))
    if refusals:
        return PlacedIndicator(dict(tokens or {}), {}, refusals)
    factors = {
        seat: rules.antes.factor(antes, dealer, seat, dealer, rules.chosen)
        for seat in range(SEATS)
        if seat != dealer
    }
    return PlacedIndicator(left, factors)


def _refuse_antes(
    antes: Antes, dealer: int, left: Mapping[int, int], after_deal: bool
) -> list[Refusal]:
    found = []
    if after_deal and antes != NO_ANTES:
        found.append(Refusal.of("before_the_deal_only"))
    if antes.challenges[dealer]:
        found.append(Refusal.of("dealer_cannot_challenge"))
    for seat, count in left.items():
        if count < 0 and seat != dealer:
            found.append(Refusal.of("not_enough_tokens", seat=seat, value=-count))
    return found


def exchange(rules: RuleSet, die: int, passed: Mapping[int, tuple[Tile, ...]]) -> Exchanged:
    """Pass the laid tiles on, as the die says.

    Raises:
        ValueError: the rules exchange no tiles, the die cannot fall so, or what is passed is not
            what each of the four may pass.
    """
    if rules.exchange is None:
        raise ValueError(f"{rules.id} exchanges no tiles")
    if sorted(passed) != list(range(SEATS)):
        raise ValueError(f"tiles are passed by all four seats, not by {sorted(passed)}")
    for seat, tiles in passed.items():
        refusal = refuse_selection(rules, tiles, tiles)
        if refusal is not None:
            raise ValueError(f"seat {seat} cannot pass {format_tiles(tiles)}: {refusal.words}")
    seats_on = rules.exchange.passed_to(sum_of_dice([die]), rules.chosen)
    return Exchanged(seats_on, {(seat + seats_on) % SEATS: passed[seat] for seat in passed})


def refuse_selection(
    rules: RuleSet, selection: Sequence[Tile], hand: Sequence[Tile] | None
) -> Refusal | None:
    """Why these tiles of a hand may not be passed on; None if they may, as far as is known.

    Args:
        selection: unread ones may be any.
        hand: None where it is not followed.

    Raises:
        ValueError: the rules exchange no tiles.
    """
    if rules.exchange is None:
        raise ValueError(f"{rules.id} exchanges no tiles")
    count = rules.exchange.count
    if len(selection) != count:
        return Refusal.of("not_three_tiles", count=count)
    read = [tile for tile in selection if tile.is_face]
    if len({tile.suit for tile in read}) > 1 or not all(tile.is_suited for tile in read):
        return Refusal.of("not_one_suit")
    if hand is not None and Tile.UNKNOWN not in hand and Counter(read) - Counter(hand):
        return Refusal.of("tiles_not_held")
    return None


def make_wild(rules: RuleSet, turned: Tile) -> Wild:
    """The wild tiles that a turned tile makes.

    Raises:
        ValueError: the rules turn none, or no tile of theirs.
    """
    if rules.wilds is None:
        raise ValueError(f"{rules.id} has no wild tiles")
    if turned not in rules.kinds:
        raise ValueError(f"{turned} cannot be turned up in {rules.id}")
    kinds = rules.wilds.kinds(turned)
    return Wild(kinds, rules.copies * len(kinds) - 1)


def drawable_tiles(rules: RuleSet, column: int) -> int:
    """Tiles to draw after the deal, in front of the turned tile's column from the tail."""
    return tiles_after_deal(rules) - 2 * column


def chase(
    rules: RuleSet, discards: Sequence[Tile], *, dealer: int, antes: Antes = NO_ANTES
) -> Payment | None:
    """The payment for the first discard of each player, the dealer's first; none if nothing.

    Raises:
        ValueError: the rules know no chase, the dealer is no seat, there are more discards than
            players, or a tile nobody could read decides.
    """
    if rules.chase is None:
        raise ValueError(f"{rules.id} has no chase")
    check_seat("dealer", dealer)
    if len(discards) > SEATS:
        raise ValueError(f"{len(discards)} discards in the first round")
    if len({tile for tile in discards if tile.is_face}) < 2:
        if any(not tile.is_face for tile in discards):
            raise ValueError("a discard of the first round could not be read")
        return rules.chase(tuple(discards), dealer, antes, rules.chosen)
    return None
