"""Chinese Classical's points and doubles, of losers, too; `limits` has the rest and the sum.

**None of it is in the document**, which ends before its scoring. The values are those commonly
given for the classical game (A. D. Millington), as the rules specification lists them (CL-75).
"""

from collections import Counter
from functools import partial

from table_assist.languages.words import NONE, PLUS, Words, joined, with_value
from table_assist.rules import win as patterns
from table_assist.rules.options import Options
from table_assist.rules.play_rules import HandValue, LosingHand, own_wind
from table_assist.rules.shown import Circumstance, ShownHand, Situation
from table_assist.rules.win import Predicate, Win, read_as
from table_assist.tiles.divide import (
    PAIRS,
    HandSet,
    SetKind,
    copies,
    count_tiles,
    division_of,
    kinds_in,
    kinds_of,
    tiles_in,
    triplet_bits,
)
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.ready import completing, waits
from table_assist.tiles.tile import COPIES, HONOURS, SUITED, Tile

SOURCE = "Scoring (not in the document; after A. D. Millington)"
# Points for each (CL-75).
BONUS_TILE, SELF_DRAWN, ONLY_PLACE, SCORING_PAIR = 4, 2, 2, 2
_PUNG, _KONG = 2, 8
ORIGINAL_DOUBLES = 3

ORPHANS = "thirteen_orphans"
_ORPHAN_KINDS = frozenset(tile for tile in SUITED if tile.is_terminal) | frozenset(HONOURS)

# The same as bits, of kinds and of sets.
_ALL_BITS = kinds_of(SUITED + HONOURS)
_ORPHANS_BITS = kinds_of(_ORPHAN_KINDS)
_HONOUR_KINDS, _SUITED_KINDS = kinds_of(HONOURS), kinds_of(SUITED)
_SUITS = tuple(kinds_of(tile for tile in SUITED if tile.suit == suit) for suit in "mps")
_SIMPLES = _ALL_BITS & ~_ORPHANS_BITS
NO_TERMINALS = _SIMPLES | _HONOUR_KINDS
_TRIPLETS = triplet_bits(SUITED + HONOURS)
_HONOUR_BITS = triplet_bits(HONOURS)
WIND_PUNGS = triplet_bits(tile for tile in HONOURS if tile.is_wind)


# --- Points


def is_concealed(win: Win, part: HandSet) -> bool:
    """Not made with another player's tile; the part that a claimed tile completes was."""
    if part.meld is not None:
        return part.meld.kind is MeldKind.KONG_CONCEALED
    if counts_exposed(win.shown.circumstances, win.options):
        return False
    return win.shown.self_drawn or part != win.filled


def counts_exposed(circumstances: frozenset[Circumstance], options: Options) -> bool:
    """Whether the triplets held count as exposed, as they were laid down unmarked (CL-67)."""
    unmarked = Circumstance.TRIPLETS_UNMARKED in circumstances
    return unmarked and options["unmarked_triplets"] == "exposed"


def shown_at_once(win: Win) -> bool:
    """Whether the winning tile earns the points for how it came (CL-67)."""
    into_hand = Circumstance.TILE_INTO_HAND in win.shown.circumstances
    return not into_hand or win.options["tile_into_hand"] == "points_kept"


def set_points(win: Win) -> int:
    """Points of all sets."""
    if not win.parts & _TRIPLETS:
        return 0
    triplets = [part for part in win.sets if part.is_triplet]
    return sum([points_of(part, concealed=is_concealed(win, part)) for part in triplets])


def points_of(part: HandSet, *, concealed: bool) -> int:
    """Points of one set: a pung or a kong."""
    if not part.is_triplet:
        return 0
    points = _KONG if part.kind is SetKind.KONG else _PUNG
    if part.tiles[0] in _ORPHAN_KINDS:
        points *= 2
    return points * 2 if concealed else points


def points_of_pair(win: Win) -> int:
    """Points of the pair: dragons, the own wind, the prevailing wind."""
    pairs = win.parts >> PAIRS
    if not pairs & _HONOUR_BITS or not patterns.sets_and_pair(win):
        return 0
    return pair_points(win.pairs[0].tiles[0], _own(win), win.shown.prevailing)


def pair_points(tile: Tile, own: Tile, prevailing: Tile | None) -> int:
    """Points of a pair of the tile; one that is the own and the prevailing wind scores for both."""
    return SCORING_PAIR * sum((tile.is_dragon, tile is own, tile is prevailing))


def _own(win: Win) -> Tile:
    return own_wind(win.shown.winner, win.shown.dealer)


def only_place(win: Win) -> bool:
    """One kind of tile alone could complete the hand: what it holds four of cannot come.

    Those in its own melds count, too: a place that nothing can fill is no possible one (CL-75).
    """
    shown = win.shown
    laid = Counter(tile for meld in shown.melds for tile in meld.tiles)
    if win.options["special_heavenly_twins"]:
        tiles = list(shown.concealed)
        tiles.remove(shown.winning_tile)
        held = Counter(tiles) + laid
        return sum(held[tile] < COPIES for tile in waits(tiles, len(shown.melds))) == 1
    counts = win.counts - count_tiles([shown.winning_tile])
    concealed = win.concealed - count_tiles([shown.winning_tile])
    return len([kind for kind in completing(concealed) if copies(counts, kind) < COPIES]) == 1


# --- Doubles


def _pung_of(tile: Tile) -> Predicate:
    bit = 1 << tile
    return lambda win: bool(win.parts & bit)


def _has_pung(win: Win, tile: Tile) -> bool:
    return bool(win.parts & 1 << tile)


def _bonus_numbers(win: Win, suit: str) -> set[int]:
    return {tile.number for tile in win.shown.bonus if tile.suit == suit}


def _own_bonus(suit: str) -> Predicate:
    """The flower or season of the own wind; the first one is East's."""

    def held(win: Win) -> bool:
        if not win.shown.bonus:
            return False
        return _own(win) - Tile.EAST + 1 in _bonus_numbers(win, suit)

    return held


def _bouquet(suit: str) -> Predicate:
    return lambda win: len(_bonus_numbers(win, suit)) == 4


def _no_points(win: Win) -> bool:
    chows = patterns.sets_and_pair(win) and not win.parts & _TRIPLETS
    return chows and points_of_pair(win) == 0


def suits_in(win: Win) -> int:
    """How many of the three suits the hand has."""
    return sum([bool(win.kinds & suit) for suit in _SUITS])


def terminals_and_honours(win: Win) -> bool:
    """No suited 2 to 8."""
    return not win.kinds & _SIMPLES


def _last_tile(won: Situation, options: Options) -> bool:
    return won.self_drawn and won.came_by(Circumstance.LAST_TILE)


def _last_discard(won: Situation, options: Options) -> bool:
    robbed = won.came_by(Circumstance.ROBBING_KONG)
    return won.came_by(Circumstance.LAST_TILE) and not won.self_drawn and not robbed


def last(won: Situation, options: Options) -> bool:
    """Won with the last tile of the wall, or the discard after it."""
    return _last_tile(won, options) or _last_discard(won, options)


def _original_call(won: Situation, options: Options) -> bool:
    standing = options["standing_hand"] == "allowed"
    return standing and won.came_by(Circumstance.READY_DECLARED)


def _original_hand(won: Situation, options: Options) -> bool:
    match options["original_hand"]:
        case "east_only":
            return patterns.first_turn(won, options) and won.winner == won.dealer
        case "any_first_14":
            return patterns.first_turn(won, options)
        case _:
            return False


_double = partial(patterns.pattern, SOURCE)  # so many doubles


def _bouquet_value(win: Win) -> int:
    return int(win.options["bouquet_doubles"])


# Doubles that the One-Double game does not ask for: those of flowers and seasons.
FLOWER_DOUBLES = ("own_flower", "own_season", "all_flowers", "all_seasons")

# Doubles of any hand; the rest are the winner's alone.
ANY_HAND_DOUBLES = (
    _double("red_dragon", "Pung of Red Dragons", "中刻", _pung_of(Tile.RED)),
    _double("green_dragon", "Pung of Green Dragons", "发刻", _pung_of(Tile.GREEN)),
    _double("white_dragon", "Pung of White Dragons", "白刻", _pung_of(Tile.WHITE)),
    _double("own_wind", "Pung of the own wind", "门风刻",
            lambda win: bool(win.parts & WIND_PUNGS) and _has_pung(win, _own(win))),
    _double("prevailing_wind", "Pung of the prevailing wind", "圈风刻",
            lambda win: win.shown.prevailing is not None and _has_pung(win, win.shown.prevailing)),
    _double("own_flower", "Own flower", "正花", _own_bonus("f")),
    _double("own_season", "Own season", "正季", _own_bonus("q")),
    _double("all_flowers", "All four flowers", "四花齐", _bouquet("f"),
            value=_bouquet_value),
    _double("all_seasons", "All four seasons", "四季齐", _bouquet("q"),
            value=_bouquet_value),
)  # fmt: skip

DOUBLES = (
    *ANY_HAND_DOUBLES,
    _double("no_chows", "No chows", "对对胡", patterns.all_pungs),
    _double("no_points", "No points", "平胡", _no_points),
    _double("one_suit_with_honours", "One suit with honours", "混一色",
            lambda win: bool(win.kinds & _HONOUR_KINDS) and suits_in(win) == 1),
    _double("one_suit", "One suit", "清一色", patterns.full_flush, value=3),
    _double("all_honours", "All honours", "字一色", lambda win: not win.kinds & _SUITED_KINDS,
            value=3, implies=("terminals_and_honours",)),
    _double("terminals_and_honours", "All terminals and honours", "混幺九", terminals_and_honours),
    _double("last_tile", "Last tile of the wall", "海底捞月", when=_last_tile),
    _double("last_discard", "Last discard", "河底捞鱼", when=_last_discard),
    _double("loose_tile", "Loose tile", "杠上开花", when=patterns.after_kong),
    _double("robbing_a_kong", "Robbing a kong", "抢杠", when=patterns.robbing_kong),
    _double("original_call", "Original call", "立牌", when=_original_call),
    _double("original_hand", "Original hand", "天和", when=_original_hand, value=ORIGINAL_DOUBLES),
)  # fmt: skip


def divides_as_orphans(counts: int, options: Options) -> bool:
    """Each of the thirteen terminals and honours, one of them twice."""
    orphans = kinds_in(counts) == _ORPHANS_BITS and tiles_in(counts) == 14
    return orphans and bool(options["special_thirteen_unique_wonders"])


def lost_value(hand: LosingHand, options: Options) -> HandValue:
    """Points, doubled for every double; the limit is the settlement's."""
    # None is spared for a pair, which always counts for less.
    triplets = tuple(
        HandSet(SetKind.PUNG, (tile,) * 3)
        for tile, count in sorted(Counter(hand.concealed).items())
        if count >= 3
    )
    # As the doubles want to see it; it completes nothing.
    shown = ShownHand(
        concealed=hand.concealed,
        winning_tile=Tile.UNKNOWN,
        winner=hand.seat,
        dealer=hand.east,
        melds=hand.melds,
        bonus=hand.bonus,
        prevailing=hand.prevailing,
    )
    win = read_as(shown, division_of("laid_down", triplets), options)
    exposed = counts_exposed(hand.circumstances, options)
    parts = (
        (Words("sets", "刻杠"), sum(_set_points(part, exposed=exposed) for part in win.sets)),
        (Words("pair", "将"), _best_pair(hand)),
        (Words("flowers", "花"), BONUS_TILE * len(hand.bonus)),
    )
    points = sum(amount for _, amount in parts)
    met = [
        (pattern.names, pattern.value if isinstance(pattern.value, int) else pattern.value(win))
        for pattern in ANY_HAND_DOUBLES
        if pattern.predicate(win)
    ]
    doubles = sum(value for _, value in met)
    whole = points << doubles
    summed = joined([with_value(*part) for part in parts if part[1]], PLUS)
    doubled = joined([with_value(*each) for each in met])
    return HandValue(
        whole,
        (
            Words(
                "The hand of seat {seat}: {said} = {points}.",
                "座位 {seat} 的牌：{said} = {points}。",
                seat=hand.seat,
                said=summed or Words("nothing", "无"),
                points=points,
            ),
            Words(
                "Doubles: {doubled}. {points} × 2^{doubles} = {whole}.",
                "番：{doubled}。{points} × 2^{doubles} = {whole}。",
                doubled=doubled or NONE,
                points=points,
                doubles=doubles,
                whole=whole,
            ),
        ),
    )


def _best_pair(hand: LosingHand) -> int:
    """The one pair that counts for most."""
    own = own_wind(hand.seat, hand.east)
    pairs = (tile for tile, count in Counter(hand.concealed).items() if count == 2)
    return max((pair_points(tile, own, hand.prevailing) for tile in pairs), default=0)


def _set_points(part: HandSet, *, exposed: bool) -> int:
    concealed = not exposed if part.meld is None else part.meld.kind is MeldKind.KONG_CONCEALED
    return points_of(part, concealed=concealed)
