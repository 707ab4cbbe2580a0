"""Chinese Classical's scoring. **None of it is in the document**, which ends before its scoring.

The values are those commonly given for the classical game (A. D. Millington), as the rules
specification lists them (CL-75). ``SPECIAL_HANDS`` is the table that a club edits: every row is an
option of its own, ``special_<id>``.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from table_assist.hand.counts import copies, count_tiles, kinds_in, kinds_of, tiles_in
from table_assist.hand.divide import PAIRS, HandSet, SetKind, triplet_bits
from table_assist.hand.ready import completing, waits
from table_assist.melds import MeldKind
from table_assist.rules import patterns
from table_assist.rules.options import Option, Options
from table_assist.rules.rounds import own_wind
from table_assist.rules.ruleset import Pattern, Total, Win
from table_assist.rules.shown import Circumstance, Situation
from table_assist.rules.win import always
from table_assist.tiles import COPIES, HONOURS, SUITED, Tile
from table_assist.words import Words

_SOURCE = "Scoring (not in the document; after A. D. Millington)"
# Points for each (CL-75).
BONUS_TILE, SELF_DRAWN, ONLY_PLACE, SCORING_PAIR = 4, 2, 2, 2
_PUNG, _KONG = 2, 8
ORIGINAL_DOUBLES = 3

ORPHANS = "thirteen_orphans"
_ORPHAN_KINDS = frozenset(tile for tile in SUITED if tile.is_terminal) | frozenset(HONOURS)
_GREEN = frozenset({Tile.S2, Tile.S3, Tile.S4, Tile.S6, Tile.S8, Tile.GREEN})

# The same as bits, of kinds and of sets.
_ALL_BITS = kinds_of(SUITED + HONOURS)
_ORPHANS_BITS = kinds_of(_ORPHAN_KINDS)
_HONOUR_KINDS, _SUITED_KINDS = kinds_of(HONOURS), kinds_of(SUITED)
_SUITS = tuple(kinds_of(tile for tile in SUITED if tile.suit == suit) for suit in "mps")
_SIMPLES = _ALL_BITS & ~_ORPHANS_BITS
_NO_TERMINALS = _SIMPLES | _HONOUR_KINDS
_NOT_GREEN = _ALL_BITS & ~kinds_of(_GREEN)
_TRIPLETS = triplet_bits(SUITED + HONOURS)
_HONOURS = triplet_bits(HONOURS)
_DRAGON_PUNGS = triplet_bits(tile for tile in HONOURS if tile.is_dragon)
_WIND_PUNGS = triplet_bits(tile for tile in HONOURS if tile.is_wind)


# --- Points


def _is_concealed(win: Win, part: HandSet) -> bool:
    """Not made with another player's tile; the part that a claimed tile completes was."""
    if part.meld is not None:
        return part.meld.kind is MeldKind.KONG_CONCEALED
    return win.shown.self_drawn or part != win.filled


def _set_points(win: Win) -> int:
    """Points of all sets."""
    if not win.parts & _TRIPLETS:
        return 0
    triplets = [part for part in win.sets if part.is_triplet]
    return sum([points_of(part, concealed=_is_concealed(win, part)) for part in triplets])


def points_of(part: HandSet, *, concealed: bool) -> int:
    """Points of one set: a pung or a kong."""
    if not part.is_triplet:
        return 0
    points = _KONG if part.kind is SetKind.KONG else _PUNG
    if part.tiles[0] in _ORPHAN_KINDS:
        points *= 2
    return points * 2 if concealed else points


def _pair_points(win: Win) -> int:
    """Points of the pair: dragons, the own wind, the prevailing wind."""
    pairs = win.parts >> PAIRS
    if not pairs & _HONOURS or not patterns.sets_and_pair(win):
        return 0
    return pair_points(win.pairs[0].tiles[0], _own(win), win.shown.prevailing)


def pair_points(tile: Tile, own: Tile, prevailing: Tile | None) -> int:
    """Points of a pair of the tile; one that is the own and the prevailing wind scores for both."""
    return SCORING_PAIR * sum((tile.is_dragon, tile is own, tile is prevailing))


def _own(win: Win) -> Tile:
    return own_wind(win.shown.winner, win.shown.dealer)


def _only_place(win: Win) -> bool:
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


def _pung_of(tile: Tile) -> Callable[[Win], bool]:
    bit = 1 << tile
    return lambda win: bool(win.parts & bit)


def _has_pung(win: Win, tile: Tile) -> bool:
    return bool(win.parts & 1 << tile)


def _own_pung(win: Win) -> bool:
    return bool(win.parts & _WIND_PUNGS) and _has_pung(win, _own(win))


def _prevailing_pung(win: Win) -> bool:
    return win.shown.prevailing is not None and _has_pung(win, win.shown.prevailing)


def _bonus_numbers(win: Win, suit: str) -> set[int]:
    return {tile.number for tile in win.shown.bonus if tile.suit == suit}


def _own_bonus(suit: str) -> Callable[[Win], bool]:
    """The flower or season of the own wind; the first one is East's."""

    def held(win: Win) -> bool:
        if not win.shown.bonus:
            return False
        return _own(win) - Tile.EAST + 1 in _bonus_numbers(win, suit)

    return held


def _bouquet(suit: str) -> Callable[[Win], bool]:
    return lambda win: len(_bonus_numbers(win, suit)) == 4


def _no_points(win: Win) -> bool:
    chows = patterns.sets_and_pair(win) and not win.parts & _TRIPLETS
    return chows and _pair_points(win) == 0


def suits_in(win: Win) -> int:
    """How many of the three suits the hand has."""
    return sum([bool(win.kinds & suit) for suit in _SUITS])


def _one_suit_with_honours(win: Win) -> bool:
    return bool(win.kinds & _HONOUR_KINDS) and suits_in(win) == 1


def _all_honours(win: Win) -> bool:
    return not win.kinds & _SUITED_KINDS


def _all_terminals(win: Win) -> bool:
    return not win.kinds & _NO_TERMINALS


def terminals_and_honours(win: Win) -> bool:
    """No suited 2 to 8."""
    return not win.kinds & _SIMPLES


def _last_tile(won: Situation, options: Options) -> bool:
    return won.self_drawn and won.came_by(Circumstance.LAST_TILE)


def _last_discard(won: Situation, options: Options) -> bool:
    robbed = won.came_by(Circumstance.ROBBING_KONG)
    return won.came_by(Circumstance.LAST_TILE) and not won.self_drawn and not robbed


def _last(won: Situation, options: Options) -> bool:
    return _last_tile(won, options) or _last_discard(won, options)


def _loose_tile(won: Situation, options: Options) -> bool:
    return won.self_drawn and won.came_by(Circumstance.AFTER_KONG)


def _robbing(won: Situation, options: Options) -> bool:
    return won.came_by(Circumstance.ROBBING_KONG) and not won.self_drawn


def _original_call(won: Situation, options: Options) -> bool:
    standing = options["standing_hand"] == "allowed"
    return standing and won.came_by(Circumstance.READY_DECLARED)


def _first_fourteen(won: Situation) -> bool:
    return won.self_drawn and won.came_by(Circumstance.FIRST_TURN)


def _original_hand(won: Situation, options: Options) -> bool:
    match options["original_hand"]:
        case "east_only":
            return _first_fourteen(won) and won.winner == won.dealer
        case "any_first_14":
            return _first_fourteen(won)
        case _:
            return False


def _double(
    id: str,
    en: str,
    zh: str,
    predicate: Callable[[Win], bool] = patterns.any_tiles,
    value: int | Callable[[Win], int] = 1,
    when: Callable[[Situation, Options], bool] = always,
    implies: tuple[str, ...] = (),
) -> Pattern:
    """So many doubles."""
    return Pattern(id, Words(en, zh), value, predicate, _SOURCE, implies, when=when)


def _bouquet_value(win: Win) -> int:
    return int(win.options["bouquet_doubles"])


# Doubles that the One-Double game does not ask for: those of flowers and seasons.
FLOWER_DOUBLES = ("own_flower", "own_season", "all_flowers", "all_seasons")

# Doubles of any hand; the rest are the winner's alone.
ANY_HAND_DOUBLES = (
    _double("red_dragon", "Pung of Red Dragons", "中刻", _pung_of(Tile.RED)),
    _double("green_dragon", "Pung of Green Dragons", "发刻", _pung_of(Tile.GREEN)),
    _double("white_dragon", "Pung of White Dragons", "白刻", _pung_of(Tile.WHITE)),
    _double("own_wind", "Pung of the own wind", "门风刻", _own_pung),
    _double("prevailing_wind", "Pung of the prevailing wind", "圈风刻", _prevailing_pung),
    _double("own_flower", "Own flower", "正花", _own_bonus("f")),
    _double("own_season", "Own season", "正季", _own_bonus("q")),
    _double("all_flowers", "All four flowers", "四花齐", _bouquet("f"), _bouquet_value),
    _double("all_seasons", "All four seasons", "四季齐", _bouquet("q"), _bouquet_value),
)

DOUBLES = (
    *ANY_HAND_DOUBLES,
    _double("no_chows", "No chows", "对对胡", patterns.all_pungs),
    _double("no_points", "No points", "平胡", _no_points),
    _double("one_suit_with_honours", "One suit with honours", "混一色", _one_suit_with_honours),
    _double("one_suit", "One suit", "清一色", patterns.full_flush, 3),
    _double(
        "all_honours",
        "All honours",
        "字一色",
        _all_honours,
        3,
        implies=("terminals_and_honours",),
    ),
    _double("terminals_and_honours", "All terminals and honours", "混幺九", terminals_and_honours),
    _double("last_tile", "Last tile of the wall", "海底捞月", when=_last_tile),
    _double("last_discard", "Last discard", "河底捞鱼", when=_last_discard),
    _double("loose_tile", "Loose tile", "杠上开花", when=_loose_tile),
    _double("robbing_a_kong", "Robbing a kong", "抢杠", when=_robbing),
    _double("original_call", "Original call", "立牌", when=_original_call),
    _double("original_hand", "Original hand", "天和", when=_original_hand, value=ORIGINAL_DOUBLES),
)


# --- Limit hands


@dataclass(frozen=True, slots=True)
class SpecialHand:
    """A row of the table of limit hands.

    Attributes:
        played: whether it counts unless a club says otherwise.
    """

    id: str
    names: Words
    predicate: Callable[[Win], bool]
    when: Callable[[Situation, Options], bool] = always
    played: bool = True

    @property
    def option(self) -> str:
        """The name of the setting that puts the row in force."""
        return f"special_{self.id}"


def _thirteen_unique_wonders(win: Win) -> bool:
    return win.division.shape == ORPHANS


def _nine_gates(win: Win) -> bool:
    """1112345678999 of one suit and any tile of it, all concealed."""
    if win.shown.melds or not patterns.full_flush(win):
        return False
    numbers = Counter(tile.number for tile in win.tiles)
    return all(numbers[n] >= (3 if n in (1, 9) else 1) for n in range(1, 10))


def _hidden_treasure(win: Win) -> bool:
    """Four triplets without a claimed tile; the pair may be."""
    return patterns.all_pungs(win) and all(_is_concealed(win, part) for part in win.sets)


def _four_kongs(win: Win) -> bool:
    melds = win.shown.melds
    return len(melds) == 4 and all(meld.kind.is_kong for meld in melds)


def _three_scholars(win: Win) -> bool:
    return win.parts & _DRAGON_PUNGS == _DRAGON_PUNGS


def _four_blessings(win: Win) -> bool:
    return win.parts & _WIND_PUNGS == _WIND_PUNGS


def _imperial_jade(win: Win) -> bool:
    return not win.kinds & _NOT_GREEN


def _won_with(tile: Tile) -> Callable[[Win], bool]:
    return lambda win: win.shown.winning_tile is tile


# What a club may put in force or out of it, row by row.
SPECIAL_HANDS = (
    SpecialHand(
        "thirteen_unique_wonders",
        Words("Thirteen Unique Wonders", "十三幺"),
        _thirteen_unique_wonders,
    ),
    SpecialHand("nine_gates", Words("Nine Gates", "九莲宝灯"), _nine_gates),
    SpecialHand("hidden_treasure", Words("Hidden Treasure", "四暗刻"), _hidden_treasure),
    SpecialHand("fourfold_plenty", Words("Fourfold Plenty", "四杠"), _four_kongs),
    SpecialHand("three_great_scholars", Words("Three Great Scholars", "大三元"), _three_scholars),
    SpecialHand("four_blessings", Words("Four Blessings over the Door", "大四喜"), _four_blessings),
    SpecialHand("heads_and_tails", Words("Heads and Tails", "清幺九"), _all_terminals),
    SpecialHand(
        "carrying_pole",
        Words("Scratching a Carrying Pole", "二索抢杠"),
        _won_with(Tile.S2),
        _robbing,
    ),
    SpecialHand(
        "plum_blossom",
        Words("Plum Blossom on the Roof", "杠上梅花"),
        _won_with(Tile.P5),
        _loose_tile,
    ),
    SpecialHand(
        "moon",
        Words("Moon from the Bottom of the Sea", "海底捞月（一筒）"),
        _won_with(Tile.P1),
        _last,
    ),
    SpecialHand("imperial_jade", Words("Imperial Jade", "绿一色"), _imperial_jade, played=False),
    SpecialHand(
        "heavenly_twins", Words("Heavenly Twins", "七对"), patterns.seven_pairs, played=False
    ),
)


def _earthly(won: Situation, options: Options) -> bool:
    """Won with East's first discard (CL-29)."""
    first = won.came_by(Circumstance.FIRST_TURN) and won.discarder == won.dealer
    return first and options["earthly_first_discard"] == "limit"


def _blessing(won: Situation, options: Options) -> bool:
    """East's original hand where that is a limit hand (CL-27)."""
    east = won.winner == won.dealer
    return east and _first_fourteen(won) and options["original_hand"] == "limit"


def _limit(
    id: str,
    names: Words,
    source: str,
    *,
    predicate: Callable[[Win], bool] = patterns.any_tiles,
    when: Callable[[Situation, Options], bool],
) -> Pattern:
    return Pattern(f"limit_{id}", names, 0, predicate, source, when=when)


def _special_pattern(special: SpecialHand) -> Pattern:
    def in_force(won: Situation, options: Options) -> bool:
        return bool(options[special.option]) and special.when(won, options)

    return _limit(special.id, special.names, _SOURCE, predicate=special.predicate, when=in_force)


LIMIT_HANDS = (
    _limit(
        "heavenly_blessing",
        Words("Heavenly Blessing", "天和"),
        "Classical > Special starts 1",
        when=_blessing,
    ),
    _limit(
        "first_discard",
        Words("Won on East's first discard", "地和"),
        "Classical > Special starts 3",
        when=_earthly,
    ),
    *(_special_pattern(special) for special in SPECIAL_HANDS),
)
_LIMIT_IDS = frozenset(pattern.id for pattern in LIMIT_HANDS)

SPECIAL_OPTIONS = tuple(
    Option(
        special.option,
        (special.played, not special.played),
        special.played,
        Words(
            f"Whether {special.names.en} is a limit hand.",
            f"{special.names.zh}是否算封顶牌。",
        ),
        _SOURCE,
    )
    for special in SPECIAL_HANDS
)


# --- What a hand is worth


def value(win: Win) -> Total:
    """Points, doubled for every double, up to the limit; a limit hand is worth the limit."""
    counted, limit = win.counted, int(win.options["limit"])
    points = sum([amount for _, amount in _points(win)])
    doubles = sum([each.value for each in counted])
    figures = {"points": points, "doubles": doubles, "limit": limit}
    if any(each.id in _LIMIT_IDS for each in counted):
        return Total(limit, figures)
    return Total(min(limit, points << doubles), figures)


def explain(win: Win, total: Total) -> tuple[Words, ...]:
    """The points, the doubles and the limit, in words."""
    counted = win.counted
    points, doubles, limit = (total.figures[name] for name in ("points", "doubles", "limit"))
    special = [each for each in counted if each.id in _LIMIT_IDS]
    if special:
        en = ", ".join(each.names.en for each in special)
        zh = "、".join(each.names.zh for each in special)
        return (Words(f"Limit hand ({en}): {limit}.", f"封顶牌（{zh}）：{limit}。"),)
    whole = points << doubles
    named_en = ", ".join(f"{each.names.en} {each.value}" for each in counted) or "none"
    named_zh = "、".join(f"{each.names.zh} {each.value}" for each in counted) or "无"
    capped_en, capped_zh = ("", "") if whole <= limit else (f", limit {limit}", f"，封顶 {limit}")
    return (
        _points_words(win),
        Words(
            f"Doubles: {named_en}. {points} × 2^{doubles} = {whole}{capped_en}.",
            f"番：{named_zh}。{points} × 2^{doubles} = {whole}{capped_zh}。",
        ),
    )


_GOING_OUT = Words("going out", "和牌")
_SETS, _PAIR = Words("sets", "刻杠"), Words("pair", "将")
_FLOWERS, _DRAWN, _ONLY = (
    Words("flowers", "花"),
    Words("self-drawn", "自摸"),
    Words("only place", "独听"),
)


def _points(win: Win) -> tuple[tuple[Words, int], ...]:
    """The points before doubling, and what for."""
    return (
        (_GOING_OUT, int(win.options["going_out_points"])),
        (_SETS, _set_points(win)),
        (_PAIR, _pair_points(win)),
        (_FLOWERS, BONUS_TILE * len(win.shown.bonus)),
        (_DRAWN, SELF_DRAWN * win.shown.self_drawn),
        (_ONLY, ONLY_PLACE * _only_place(win)),
    )


def _points_words(win: Win) -> Words:
    parts = [(names, amount) for names, amount in _points(win) if amount]
    points = sum(amount for _, amount in parts)
    en = " + ".join(f"{names.en} {amount}" for names, amount in parts)
    zh = " + ".join(f"{names.zh} {amount}" for names, amount in parts)
    return Words(f"Points: {en} = {points}.", f"底：{zh} = {points}。")


def scores_a_double(win: Win) -> bool:
    """One double at least that is not of flowers or seasons; a limit hand has enough (CL-65)."""
    wanted = [each for each in (*DOUBLES, *LIMIT_HANDS) if each.id not in FLOWER_DOUBLES]
    return any(each.met(win) for each in wanted)


def divides_as_orphans(counts: int, options: Options) -> bool:
    """Each of the thirteen terminals and honours, one of them twice."""
    orphans = kinds_in(counts) == _ORPHANS_BITS and tiles_in(counts) == 14
    return orphans and bool(options["special_thirteen_unique_wonders"])
