"""Who deals, and where the tiles of the wall lie: building, breaking, drawing, dealing.

Stacks of two are numbered from 1 at the right-hand end of the player behind that side. Tiles leave
the wall to higher numbers, then from stack 1 of the side before (seat ``s - 1``), the top tile of a
stack first.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from table_assist.languages.words import WordsError
from table_assist.rules.options import Options
from table_assist.rules.play_rules import Deal, HandResult
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.settlement import Payment
from table_assist.rules.shown import SEAT_COUNT, Antes, check_seat
from table_assist.rules.verdict import Refusal
from table_assist.tiles.tile import Tile, Tiles, format_tiles


@dataclass(frozen=True, slots=True)
class WallPlace:
    """A stack of the wall.

    Attributes:
        seat: the side, by the player who sits behind it.
        stack: counts from 1.
    """

    seat: int
    stack: int


@dataclass(frozen=True, slots=True)
class Break:
    """Where the wall is opened.

    Attributes:
        side: the side that the dice named.
        stack: the last stack counted off.
        first_draw: the stack after it, where the live wall begins.
    """

    side: int
    stack: int
    first_draw: WallPlace


def stacks_of(rules: RuleSet, dealer: int) -> tuple[int, int, int, int]:
    """Stacks on each side when the wall is built.

    Raises:
        ValueError: the dealer is no seat.
    """
    check_seat("dealer", dealer)
    return rules.wall.stacks(dealer, rules.chosen)


def break_wall(rules: RuleSet, dealer: int, dice: Sequence[int]) -> Break:
    """Count the dice round the table, then along the side they name.

    Raises:
        ValueError: the dealer is no seat, or a die shows none of 1 to 6.
    """
    check_seat("dealer", dealer)
    total = sum_of_dice(dice)
    sides_on = 1 - total if rules.wall.clockwise(rules.chosen) else total - 1
    side = (dealer + rules.wall.first_side(rules.chosen) + sides_on) % SEAT_COUNT
    return open_at(stacks_of(rules, dealer), side, total)


def sum_of_dice(dice: Sequence[int]) -> int:
    """The sum of the dice.

    Raises:
        ValueError: there are none, or one shows none of 1 to 6.
    """
    for die in dice:
        if type(die) is not int or not 1 <= die <= 6:
            raise ValueError(f"a die shows {die!r}; it is 1 to 6")
    if not dice:
        raise ValueError("no dice were thrown")
    return sum(dice)


def open_at(stacks: tuple[int, int, int, int], side: int, count: int) -> Break:
    """Count off so many stacks of a side, on to the next side if it is shorter.

    Raises:
        ValueError: no such side, or nothing or too much is counted.
    """
    check_seat("side", side)
    if not 1 <= count <= sum(stacks):
        raise ValueError(f"{count} stacks counted off; the wall has {sum(stacks)}")
    counted = stack_after(stacks, WallPlace(side, 1), count - 1)
    return Break(counted.seat, counted.stack, stack_after(stacks, counted, 1))


def stack_after(stacks: tuple[int, int, int, int], place: WallPlace, steps: int) -> WallPlace:
    """The stack so many steps on in the order of drawing; back, if negative."""
    order = _stacks_in_order(stacks)
    return order[(order.index(place) + steps) % len(order)]


@lru_cache(maxsize=64)
def _stacks_in_order(stacks: tuple[int, int, int, int]) -> tuple[WallPlace, ...]:
    return tuple(
        WallPlace(-turn % SEAT_COUNT, stack)
        for turn in range(SEAT_COUNT)
        for stack in range(1, stacks[-turn % SEAT_COUNT] + 1)
    )


def tile_after(
    stacks: tuple[int, int, int, int], first_draw: WallPlace, drawn: int
) -> tuple[WallPlace, str]:
    """Where the next tile lies after so many were drawn: its stack, and ``top`` or ``bottom``.

    Raises:
        ValueError: no tile is left after so many.
    """
    if not 0 <= drawn < 2 * sum(stacks):
        raise ValueError(f"{drawn} tiles drawn; the wall has {2 * sum(stacks)}")
    return stack_after(stacks, first_draw, drawn // 2), "bottom" if drawn % 2 else "top"


def column_from_tail(
    stacks: tuple[int, int, int, int], first_draw: WallPlace, column: int
) -> WallPlace:
    """The stack so many columns from the tail; column 1 is the last stack counted off."""
    return stack_after(stacks, first_draw, -column)


def deal(rules: RuleSet, dealer: int) -> tuple[tuple[int, int], ...]:
    """The numbers of tiles taken in the deal, in order, as (seat, tiles).

    Raises:
        ValueError: the dealer is no seat.
    """
    check_seat("dealer", dealer)
    return tuple(((dealer + offset) % SEAT_COUNT, tiles) for offset, tiles in _blocks(rules))


def dealt_in_order(rules: RuleSet, dealer: int) -> tuple[int, ...]:
    """The seat that gets each tile of the deal, in the order of drawing.

    Raises:
        ValueError: the dealer is no seat.
    """
    seats = [seat for seat, tiles in deal(rules, dealer) for _ in range(tiles)]
    if rules.wall.dealer_jumps(rules.chosen):
        last = len(seats) - 1 - seats[::-1].index(dealer)
        seats.append(seats.pop(last))
    return tuple(seats)


def tiles_after_deal(rules: RuleSet) -> int:
    """Tiles left in the wall when every hand is dealt, a dead wall included."""
    built = 2 * sum(rules.wall.stacks(0, rules.chosen))
    return min(built, rules.tiles_in_wall) - sum(tiles for _, tiles in _blocks(rules))


def dead_tiles(rules: RuleSet, counted: int | None = None) -> int:
    """Tiles of a fresh wall that stay out of play.

    Args:
        counted: the stacks that the dice counted off; none if not known.

    Raises:
        ValueError: it depends on the dice, and they are not known.
    """
    if rules.wall.dead_by is None:
        return rules.wall.dead
    return rules.wall.dead_by(counted, rules.chosen)


def live_after_deal(rules: RuleSet, counted: int | None = None) -> int:
    """Tiles to draw once every hand is dealt.

    Raises:
        ValueError: it depends on the dice, and they are not known.
    """
    return tiles_after_deal(rules) - dead_tiles(rules, counted)


def fours_in_turn(*, dealer_eight: bool = False) -> Deal:
    """Four tiles at a time to 12 each, from the dealer on; then two to the dealer, one to others.

    Args:
        dealer_eight: the dealer begins with eight tiles at once.
    """
    rounds = [(seat, 4) for _ in range(3) for seat in range(SEAT_COUNT)]
    if dealer_eight:
        rounds = [(0, 8), (1, 4), (2, 4), (3, 4), *rounds[:4], *rounds[1:4]]
    return (*rounds, (0, 2), (1, 1), (2, 1), (3, 1))


def first_dealer_counted(roller: int, total: int, options: Options) -> int:
    """The first dealer, counted as the option ``dealer_dice_count_start`` says."""
    start = options["dealer_dice_count_start"] == "roller_is_one"
    return (roller - total + start) % SEAT_COUNT


def stays_or_passes(result: HandResult, options: Options) -> tuple[int, ...]:
    """A dealer who wins deals again, and after a draw as ``draw_dealer`` says."""
    stays = result.dealer in result.winners
    if not result.winners:
        stays = options["draw_dealer"] == "stay"
    return (result.dealer if stays else (result.dealer + 1) % SEAT_COUNT,)


def _blocks(rules: RuleSet) -> Deal:
    return rules.wall.deal if rules.wall.deal_by is None else rules.wall.deal_by(rules.chosen)


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
    received: Mapping[int, Tiles]


@dataclass(frozen=True, slots=True)
class Wild:
    """The wild tiles that a turned tile makes.

    Attributes:
        kinds: the wild kinds, the turned one first.
        live: wild tiles in play, without the turned one.
    """

    kinds: Tiles
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
        for seat in range(SEAT_COUNT)
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


def exchange(rules: RuleSet, die: int, passed: Mapping[int, Tiles]) -> Exchanged:
    """Pass the laid tiles on, as the die says.

    Raises:
        ValueError: the rules exchange no tiles, the die cannot fall so, or what is passed is not
            what each of the four may pass.
    """
    if rules.exchange is None:
        raise ValueError(f"{rules.id} exchanges no tiles")
    if sorted(passed) != list(range(SEAT_COUNT)):
        raise ValueError(f"tiles are passed by all four seats, not by {sorted(passed)}")
    for seat, tiles in passed.items():
        refusal = refuse_selection(rules, tiles, tiles)
        if refusal is not None:
            raise ValueError(f"seat {seat} cannot pass {format_tiles(tiles)}: {refusal.words}")
    seats_on = rules.exchange.passed_to(sum_of_dice([die]), rules.chosen)
    return Exchanged(seats_on, {(seat + seats_on) % SEAT_COUNT: passed[seat] for seat in passed})


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
    if len(discards) > SEAT_COUNT:
        raise ValueError(f"{len(discards)} discards in the first round")
    if len({tile for tile in discards if tile.is_face}) < 2:
        if any(not tile.is_face for tile in discards):
            raise ValueError("a discard of the first round could not be read")
        return rules.chase(tuple(discards), dealer, antes, rules.chosen)
    return None
