"""Changsha mahjong, "258". The numbers (CS-01 ...) are those of the rules specification.

Where the document contradicts itself, its payout tables and worked figures were preferred to its
prose, and the readings that remain are options. Six Six Straight asks for "two identical triplets",
which four copies of a tile do not allow; two triplets are meant (CS-29d). Heaven and Earth count
for nothing without a General pair, although a row says "regardless of contents" (CS-21k, CS-21l).

Terms: Generals (将) are the 2s, 5s and 8s; birds (扎鸟) are two tiles turned after a win.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache, partial

from table_assist.languages.words import (
    AND,
    NOTHING,
    PLUS,
    Plural,
    Words,
    WordsError,
    joined,
    same,
    with_value,
)
from table_assist.rules import win as patterns
from table_assist.rules.options import Options, read_asked, read_book
from table_assist.rules.play_rules import (
    FOURS,
    BirdRule,
    HandResult,
    Opening,
    RollCounted,
    WallPlan,
)
from table_assist.rules.ruleset import RuleSet, Total
from table_assist.rules.settlement import Owed, Payment, collect, pay_agreed_penalty
from table_assist.rules.shown import SEAT_COUNT, Circumstance, ShownHand, Situation
from table_assist.rules.verdict import NO_TRANSFERS, Birds, Counted
from table_assist.rules.win import Condition, Pattern, Predicate, Shape, Win
from table_assist.tiles.divide import Division, kinds_in, kinds_of, pair_bits
from table_assist.tiles.melds import MeldKind, tile_words
from table_assist.tiles.tile import HONOURS, SUITED, Tile

_ASKED = read_asked("changsha")

GENERALS = (2, 5, 8)
# One payer's debt for a Small Win, or for each unit of a Big Win (CS-23).
SMALL_WIN, SMALL_WITH_DEALER = 1, 2
BIG, BIG_WITH_DEALER = 6, 7
BIRDS = 2
_NO_BIRDS = Birds((), (), hits=0, multiplier=1, factors=(1, 1, 1, 1))
LUXURIOUS = "luxurious_seven_pairs"


# --- Shapes (CS-18)


def _generals_only(shown: ShownHand, counts: int, options: Options) -> tuple[Division, ...]:
    if kinds_in(counts) & _NO_GENERALS or options["all_generals_needs_sets"]:
        return ()
    if not all(_is_general(tile) for tile in shown.tiles):
        return ()
    return (Division("generals_only", (), 0),)


# --- What counts (CS-20, CS-21)


def _is_general(tile: Tile) -> bool:
    return tile.is_suited and tile.number in GENERALS


# Every kind that is no General, and the pairs of those that are.
_NO_GENERALS = kinds_of(tile for tile in SUITED + HONOURS if not _is_general(tile))
_GENERAL_PAIRS = pair_bits(filter(_is_general, SUITED))


def _all_generals(win: Win) -> bool:
    return not win.kinds & _NO_GENERALS


def _full_beggar(win: Win) -> bool:
    """All in melds of others' tiles, the last tile too."""
    if not patterns.fully_claimed(win) or win.shown.discarder is None:
        return False
    kongs = any(meld.kind.is_kong for meld in win.shown.melds)
    return not kongs or bool(win.options["beggar_kongs"])


def _luxurious_units(win: Win) -> int:
    if win.options["luxurious_two_quads"] == "once":
        return 2
    return 2 * patterns.fours_in_pairs(win)


def _general_pair(win: Win) -> bool:
    """A pair of 2s, 5s or 8s; all tiles being Generals has it by itself (CS-19, CS-21b)."""
    if not win.parts & _GENERAL_PAIRS:
        return _all_generals(win)
    if patterns.seven_pairs(win) and not win.options["generals_in_seven_pairs"]:
        return _all_generals(win)
    return True


# Big Wins that need no General pair.
_FREE: tuple[Predicate, ...] = (
    patterns.all_pungs,
    _all_generals,
    patterns.full_flush,
    _full_beggar,
    patterns.seven_pairs,
)


def _at_seabed(won: Situation) -> bool:
    """The last tile of the wall, unless a kong's replacement took it (CS-17)."""
    return won.came_by(Circumstance.LAST_TILE) and not (
        won.came_by(Circumstance.LAST_TILE_WAS_KONG_REPLACEMENT)
        or won.came_by(Circumstance.AFTER_KONG)
        or won.came_by(Circumstance.AFTER_KONG_DISCARD)
    )


def _discarded(won: Situation) -> bool:
    return not won.self_drawn and not won.came_by(Circumstance.ROBBING_KONG)


_TABLE = "Changsha > Payout Table for Winning Hands"
# A Small Win is never added to a Big Win (CS-22).
_big = partial(patterns.pattern, _TABLE, implies=("small_win",))
_PATTERNS = (
    Pattern("small_win", Words("Small Win", "小胡"), 1,
            lambda win: patterns.sets_and_pair(win) and _general_pair(win), _TABLE),
    _big("all_triplets", "All Triplets", "碰碰胡", patterns.all_pungs),
    _big("all_generals", "All Generals", "将将胡", _all_generals),
    _big("full_flush", "Full Flush", "清一色", patterns.full_flush),
    _big("full_beggar", "Full Beggar's Hand", "全求人", _full_beggar,
         lambda won, options: won.discarder is not None),
    _big("seven_pairs", "Seven Pairs", "七巧对", patterns.seven_pairs),
    _big("last_tile_win", "Last Tile Win", "海底捞月", _general_pair,
         lambda won, options: won.self_drawn and _at_seabed(won)),
    _big("last_tile_discard", "Last Tile Discard", "河底捞鱼", _general_pair,
         lambda won, options: _discarded(won) and _at_seabed(won)),
    _big("after_kong", "After a Kong", "杠上开花", _general_pair, patterns.after_kong),
    _big("after_kong_discard", "Discard after a Kong", "杠上炮", _general_pair,
         lambda won, options: _discarded(won) and won.came_by(Circumstance.AFTER_KONG_DISCARD)),
    _big("robbing_kong", "Robbing the Kong", "抢杠胡", _general_pair, patterns.robbing_kong),
    _big("blessing_of_earth", "Blessing of Earth", "地和", _general_pair,
         lambda won, options: patterns.first_turn(won, options) and won.winner != won.dealer),
    _big("blessing_of_heaven", "Blessing of Heaven", "天和", _general_pair,
         lambda won, options: patterns.first_turn(won, options) and won.winner == won.dealer),
    _big(LUXURIOUS, "Luxurious Seven Pairs", "豪华七小对", patterns.dragon_pairs,
         value=_luxurious_units, implies=("small_win", "seven_pairs")),
)  # fmt: skip

_SHAPES = (
    Shape("sets_and_pair", Words("four sets and a pair", "四组一对"), patterns.four_sets_in,
          _TABLE),
    Shape("seven_pairs", Words("seven pairs", "七对"), patterns.seven_pairs_in, _TABLE),
    Shape("generals_only", Words("fourteen Generals", "将将胡"), _generals_only, _TABLE,
          only_if=("all_generals_needs_sets", False)),
)  # fmt: skip


# --- What it is worth (CS-22 to CS-28)


def _units(counted: tuple[Counted, ...], options: Options) -> int:
    """Big Wins add up; "Big Win x 2" may double them instead. None for a Small Win."""
    units = 0
    factor = 0
    for each in counted:
        if each.id == LUXURIOUS and options["luxurious_combination"] == "doubles_total":
            factor = each.value
        elif each.id != "small_win":
            units += each.value
    return factor * (1 + units) if factor else units


def _rate(units: int, with_dealer: bool) -> int:
    if units == 0:
        return SMALL_WITH_DEALER if with_dealer else SMALL_WIN
    return units * (BIG_WITH_DEALER if with_dealer else BIG)


def _total(win: Win) -> Total:
    units, birds = _units(win.counted, win.options), _birds_of(win)
    figures = {"units": units, "bird_hits": birds.hits, "bird_multiplier": birds.multiplier}
    return Total(_rate(units, False) * birds.multiplier, figures)


def _explain(win: Win, total: Total) -> tuple[Words, ...]:
    units, birds = total.figures["units"], _birds_of(win)
    steps = (_rates(units),) if units == 0 else (_worth(units, win.counted), _rates(units))
    on_payers = [
        Words(
            "A bird is on seat {seat}, who pays times {factor}.",
            "鸟落在座位 {seat}，该家付 {factor} 倍。",
            seat=seat,
            factor=factor,
        )
        for seat, factor in enumerate(birds.factors)
        if factor > birds.multiplier
    ]
    return (*steps, _bird_words(birds), *on_payers) if birds.tiles else steps


def _worth(units: int, counted: tuple[Counted, ...]) -> Words:
    if units == 1:
        return Words("Big Win: {names}.", "大胡：{names}。", names=counted[0].names)
    values = {each.id: each.value for each in counted}
    if units == sum(values.values()):
        doubled = NOTHING
    else:  # it counts as one, and doubles all
        doubled = Words(", times {by}", "，乘 {by}", by=values[LUXURIOUS])
        values[LUXURIOUS] = 1
    return Words(
        "Big Wins: {parts}{doubled} = {units}.",
        "大胡：{parts}{doubled} = {units}。",
        parts=joined([with_value(each.names, values[each.id]) for each in counted], PLUS),
        doubled=doubled,
        units=units,
    )


@cache
def _rates(units: int) -> Words:
    plain, dealer = _rate(units, False), _rate(units, True)
    small_en, small_zh = ("Small Win: ", "小胡：") if units == 0 else ("Worth ", "计 ")
    return Words(
        "{small}{plain}, or {dealer} where the dealer pays or is paid.",
        "{small}{plain}，庄家付或收为 {dealer}。",
        small=Words(small_en, small_zh),
        plain=plain,
        dealer=dealer,
    )


def _bird_words(birds: Birds) -> Words:
    return Plural(
        len(birds.seats),
        "Bird {birds}: seat {seats}; {hits}, times {factor}.",
        "Birds {birds}: seats {seats}; {hits}, times {factor}.",
        "扎鸟 {birds}：座位 {seats}；{hits}，乘 {factor}。",
        birds=joined([tile_words(tile) for tile in birds.tiles], _STARTS_BESIDE),
        seats=joined([same(str(seat)) for seat in birds.seats], AND),
        hits=Plural(birds.hits, "{n} hit", "{n} hits", "中 {n} 只"),
        factor=birds.multiplier,
    )


_STARTS_BESIDE = Words("{one}, {next}", "{one} {next}")


def _pay(win: Win, total: Total) -> Payment:
    """The discarder pays alone, all three on a self-draw (CS-24)."""
    shown, units, factors = win.shown, total.figures["units"], _birds_of(win).factors

    def owed(payer: int) -> Owed:
        with_dealer = shown.dealer in (payer, shown.winner)
        rate, factor = _rate(units, with_dealer), factors[payer]
        unit = BIG_WITH_DEALER if with_dealer else BIG
        return Owed(rate * factor, (units, unit, factor) if units else (rate, factor))

    return collect(shown.winner, shown.payers, owed)


def _birds_of(win: Win) -> Birds:
    shown = win.shown
    if not shown.birds:
        return _NO_BIRDS
    return _birds(
        shown.birds,
        dealer=shown.dealer,
        winner=shown.winner,
        discarder=shown.discarder,
        options=win.options,
    )


def _birds(
    birds: tuple[Tile, ...], *, dealer: int, winner: int, discarder: int | None, options: Options
) -> Birds:
    """Each bird on the winner or the discarder adds one to the multiplier (CS-26, CS-27)."""
    if len(birds) < BIRDS and options["bird_shortage"] == "none":
        birds = ()
    origin = winner if options["bird_origin"] == "winner" else dealer
    seats = tuple((origin + tile.number - 1) % SEAT_COUNT for tile in birds)
    hits = sum(seat in (winner, discarder) for seat in seats)
    factors = [1 + hits] * SEAT_COUNT
    if discarder is None and options["bird_self_draw_payer"] == "doubles_that_payer":
        factors = [1 + hits + (seat != winner) * seats.count(seat) for seat in range(SEAT_COUNT)]
    first, second, third, fourth = factors
    return Birds(birds, seats, hits, 1 + hits, (first, second, third, fourth))


# --- The dealt hand (CS-29, CS-30)


def _six_six(hand: Iterable[Tile], options: Options) -> bool:
    enough = (3, 4) if options["quad_is_triplet_for_six_six"] else (3,)
    return sum(count in enough for count in Counter(hand).values()) >= 2


def _three_same(hand: Iterable[Tile], options: Options) -> bool:
    paired = [tile.number for tile, count in Counter(hand).items() if count >= 2]
    return any(paired.count(number) == 3 for number in paired)


_STARTING = "Changsha > Starting Hand Instant Win Conditions"


def _opening(
    id: str, en: str, zh: str, predicate: Callable[[Iterable[Tile], Options], bool]
) -> Opening:
    """A starting-hand win; they are an optional rule as a whole."""

    def played(hand: Iterable[Tile], options: Options) -> bool:
        return bool(options["instant_wins"]) and predicate(hand, options)

    return Opening(id, Words(en, zh), played, _STARTING, only_if=("instant_wins", True))


_OPENINGS = (
    _opening("four_joys", "Four Joys", "四喜", lambda hand, options: 4 in Counter(hand).values()),
    _opening("all_pure", "All Pure", "板板胡",
             lambda hand, options: not any(map(_is_general, hand))),
    _opening("voided_suit", "Voided Suit", "缺一色",
             lambda hand, options: len({tile.suit for tile in hand}) < 3),
    _opening("six_six_straight", "Six Six Straight", "六六顺", _six_six),
    _opening("three_same", "Three Same", "三同", _three_same),
)  # fmt: skip


def _pay_opening(wins: int, seat: int, dealer: int, options: Options) -> Payment:
    """A Small Win for each, from all three others."""
    if wins == 0:
        return Payment(NO_TRANSFERS)
    times = 1 if options["instant_wins_stack"] == "single" else wins

    def owed(payer: int) -> Owed:
        rate = _rate(0, with_dealer=dealer in (payer, seat))
        return Owed(rate * times, (rate, times))

    return collect(seat, [other for other in range(SEAT_COUNT) if other != seat], owed)


# --- Between the hands (CS-04 to CS-08, CS-32)


def _next_dealer(result: HandResult, options: Options) -> tuple[int, ...]:
    if options["dealer_succession"] == "rotate":
        return ((result.dealer + 1) % SEAT_COUNT,)
    if result.winners:
        return tuple(sorted(result.winners))
    if result.last_drawer is not None:
        return (result.last_drawer,)
    if options["draw_no_last_drawer"] == "dealer_stays":
        return (result.dealer,)
    if result.last_offered is None:
        raise WordsError.told("last_drawer")
    return (result.last_offered,)


def _stacks(dealer: int, options: Options) -> tuple[int, int, int, int]:
    """Thirteen a side and fourteen before the dealer hold 106 tiles, so the opposite has 14 too."""
    long = {dealer}
    if options["wall_layout"] == "dealer_and_opposite_14":
        long.add((dealer + 2) % SEAT_COUNT)
    first, second, third, fourth = (14 if seat in long else 13 for seat in range(SEAT_COUNT))
    return first, second, third, fourth


_WALL = WallPlan(
    stacks=_stacks,
    first_side=lambda options: 0 if options["break_count_start"] == "own_wall" else 1,
    deal=(*FOURS, (0, 1), (1, 1), (2, 1), (3, 1), (0, 1)),
    rolled=lambda options: RollCounted(str(options["kong_roll"])),
)


_OPTIONS, _LAWS = read_book("changsha")

RULES = RuleSet(
    id="changsha",
    names=Words("Changsha", "长沙麻将"),
    source="Changsha",
    kinds=SUITED,
    melds=frozenset(MeldKind) - {MeldKind.LUCKY_EGG},
    shapes=_SHAPES,
    conditions=(
        Condition(
            "generals_pair",
            lambda win: _general_pair(win) or any(free(win) for free in _FREE),
            *_ASKED["generals_pair"],
        ),
    ),
    patterns=_PATTERNS,
    total=_total,
    explain_total=_explain,
    pay=_pay,
    next_dealer=_next_dealer,
    wall=_WALL,
    last_tile_may_be_passed=True,
    starting_tiles=lambda is_dealer, options: (
        14 if is_dealer and options["dealer_start_hand"] == 14 else 13
    ),
    settles_together=lambda options: options["multiple_winners"] == "all",
    birds=BirdRule(BIRDS, _birds, shared=lambda options: options["birds_multi_winner"] == "shared"),
    opening=_OPENINGS,
    pay_opening=_pay_opening,
    false_win=pay_agreed_penalty,
    unit=Words("Big Wins", "大胡"),
    laws=_LAWS,
    options=_OPTIONS,
    argued=(
        "multiple_winners",
        "dealer_succession",
        "bird_origin",
        "birds_multi_winner",
        "instant_wins",
        "instant_wins_stack",
    ),
)
