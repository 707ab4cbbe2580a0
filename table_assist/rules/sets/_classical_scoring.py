"""Chinese Classical's scoring. **None of it is in the document**, which ends before its scoring.

The values are those commonly given for the classical game (A. D. Millington), as the rules
specification lists them (CL-75). ``SPECIAL_HANDS`` is the table that a club edits: every row is an
option of its own, ``special_<id>``.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from table_assist.hand.divide import HandSet, SetKind
from table_assist.hand.ready import waits
from table_assist.melds import MeldKind
from table_assist.rules import patterns
from table_assist.rules.options import Option, Options
from table_assist.rules.rounds import own_wind
from table_assist.rules.ruleset import Pattern, Total, Win
from table_assist.rules.shown import Circumstance
from table_assist.rules.verdict import Counted
from table_assist.rules.words import Words
from table_assist.tiles import HONOURS, SUITED, Tile

_SOURCE = "Scoring (not in the document; after A. D. Millington)"
# Points for each (CL-75).
BONUS_TILE, SELF_DRAWN, ONLY_PLACE, SCORING_PAIR = 4, 2, 2, 2
_PUNG, _KONG = 2, 8
ORIGINAL_DOUBLES = 3

ORPHANS = "thirteen_orphans"
_ORPHAN_KINDS = frozenset(tile for tile in SUITED if tile.is_terminal) | frozenset(HONOURS)
_GREEN = frozenset({Tile.S2, Tile.S3, Tile.S4, Tile.S6, Tile.S8, Tile.GREEN})


# --- Points


def _is_concealed(win: Win, part: HandSet) -> bool:
    """Not made with another player's tile; the part that a claimed tile completes was."""
    if part.meld is not None:
        return part.meld.kind is MeldKind.KONG_CONCEALED
    return win.shown.self_drawn or part != win.filled


def _set_points(win: Win) -> tuple[int, ...]:
    """Points of each set, in the order of the sets."""
    return tuple(points_of(part, concealed=_is_concealed(win, part)) for part in win.sets)


def points_of(part: HandSet, *, concealed: bool) -> int:
    """Points of one set: a pung or a kong."""
    if not part.is_triplet:
        return 0
    tile = part.tiles[0]
    points = _KONG if part.kind is SetKind.KONG else _PUNG
    if tile.is_terminal or tile.is_honour:
        points *= 2
    return points * 2 if concealed else points


def _pair_points(win: Win) -> int:
    """Points of the pair: dragons, the own wind, the prevailing wind."""
    if not patterns.sets_and_pair(win):
        return 0
    return pair_points(win.pairs[0].tiles[0], _own(win), win.shown.prevailing)


def pair_points(tile: Tile, own: Tile, prevailing: Tile | None) -> int:
    """Points of a pair of the tile; one that is the own and the prevailing wind scores for both."""
    return SCORING_PAIR * sum((tile.is_dragon, tile is own, tile is prevailing))


def _own(win: Win) -> Tile:
    return own_wind(win.shown.winner, win.shown.dealer)


def _only_place(win: Win) -> bool:
    """One kind of tile alone completed the hand."""
    held = list(win.shown.concealed)
    held.remove(win.shown.winning_tile)
    twins = bool(win.options["special_heavenly_twins"])
    return len(waits(held, len(win.shown.melds), seven_pairs=twins)) == 1


# --- Doubles


def _pung_of(tile: Tile) -> Callable[[Win], bool]:
    return lambda win: _has_pung(win, tile)


def _has_pung(win: Win, tile: Tile) -> bool:
    return any(part.is_triplet and part.tiles[0] is tile for part in win.sets)


def _prevailing_pung(win: Win) -> bool:
    return win.shown.prevailing is not None and _has_pung(win, win.shown.prevailing)


def _bonus_numbers(win: Win, suit: str) -> set[int]:
    return {tile.number for tile in win.shown.bonus if tile.suit == suit}


def _own_bonus(suit: str) -> Callable[[Win], bool]:
    """The flower or season of the own wind; the first one is East's."""
    return lambda win: _own(win) - Tile.EAST + 1 in _bonus_numbers(win, suit)


def _bouquet(suit: str) -> Callable[[Win], bool]:
    return lambda win: len(_bonus_numbers(win, suit)) == 4


def _no_chows(win: Win) -> bool:
    return patterns.all_pungs(win)


def _no_points(win: Win) -> bool:
    chows = patterns.sets_and_pair(win) and not any(part.is_triplet for part in win.sets)
    return chows and _pair_points(win) == 0


def _suits(win: Win) -> set[str]:
    return {tile.suit for tile in win.tiles}


def _one_suit_with_honours(win: Win) -> bool:
    return "z" in _suits(win) and len(_suits(win)) == 2


def _all_honours(win: Win) -> bool:
    return _suits(win) == {"z"}


def _all_terminals(win: Win) -> bool:
    return all(tile.is_terminal for tile in win.tiles)


def _terminals_and_honours(win: Win) -> bool:
    return all(tile.is_terminal or tile.is_honour for tile in win.tiles)


def _last_tile(win: Win) -> bool:
    return win.came_by(Circumstance.LAST_TILE) and win.shown.self_drawn


def _last_discard(win: Win) -> bool:
    robbed = win.came_by(Circumstance.ROBBING_KONG)
    return win.came_by(Circumstance.LAST_TILE) and not win.shown.self_drawn and not robbed


def _loose_tile(win: Win) -> bool:
    return win.came_by(Circumstance.AFTER_KONG) and win.shown.self_drawn


def _robbing(win: Win) -> bool:
    return win.came_by(Circumstance.ROBBING_KONG) and not win.shown.self_drawn


def _original_call(win: Win) -> bool:
    standing = win.options["standing_hand"] == "allowed"
    return standing and win.came_by(Circumstance.READY_DECLARED)


def _first_fourteen(win: Win) -> bool:
    return win.came_by(Circumstance.FIRST_TURN) and win.shown.self_drawn


def _is_east(win: Win) -> bool:
    return win.shown.winner == win.shown.dealer


def _original_hand(win: Win) -> bool:
    match win.options["original_hand"]:
        case "east_only":
            return _first_fourteen(win) and _is_east(win)
        case "any_first_14":
            return _first_fourteen(win)
        case _:
            return False


def _double(
    id: str,
    en: str,
    zh: str,
    predicate: Callable[[Win], bool],
    value: int | Callable[[Win], int] = 1,
    implies: tuple[str, ...] = (),
) -> Pattern:
    """So many doubles."""
    return Pattern(id, Words(en, zh), value, predicate, _SOURCE, implies)


def _bouquet_value(win: Win) -> int:
    return int(win.options["bouquet_doubles"])


# Doubles that the One-Double game does not ask for: those of flowers and seasons.
FLOWER_DOUBLES = ("own_flower", "own_season", "all_flowers", "all_seasons")

# Doubles of any hand; the rest are the winner's alone.
ANY_HAND_DOUBLES = (
    _double("red_dragon", "Pung of Red Dragons", "中刻", _pung_of(Tile.RED)),
    _double("green_dragon", "Pung of Green Dragons", "发刻", _pung_of(Tile.GREEN)),
    _double("white_dragon", "Pung of White Dragons", "白刻", _pung_of(Tile.WHITE)),
    _double("own_wind", "Pung of the own wind", "门风刻", lambda win: _has_pung(win, _own(win))),
    _double("prevailing_wind", "Pung of the prevailing wind", "圈风刻", _prevailing_pung),
    _double("own_flower", "Own flower", "正花", _own_bonus("f")),
    _double("own_season", "Own season", "正季", _own_bonus("q")),
    _double("all_flowers", "All four flowers", "四花齐", _bouquet("f"), _bouquet_value),
    _double("all_seasons", "All four seasons", "四季齐", _bouquet("q"), _bouquet_value),
)

DOUBLES = (
    *ANY_HAND_DOUBLES,
    _double("no_chows", "No chows", "对对胡", _no_chows),
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
    _double("terminals_and_honours", "All terminals and honours", "混幺九", _terminals_and_honours),
    _double("last_tile", "Last tile of the wall", "海底捞月", _last_tile),
    _double("last_discard", "Last discard", "河底捞鱼", _last_discard),
    _double("loose_tile", "Loose tile", "杠上开花", _loose_tile),
    _double("robbing_a_kong", "Robbing a kong", "抢杠", _robbing),
    _double("original_call", "Original call", "立牌", _original_call),
    _double("original_hand", "Original hand", "天和", _original_hand, ORIGINAL_DOUBLES),
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
    return sum(part.kind is SetKind.KONG for part in win.sets) == 4


def _three_scholars(win: Win) -> bool:
    return all(_has_pung(win, tile) for tile in (Tile.RED, Tile.GREEN, Tile.WHITE))


def _four_blessings(win: Win) -> bool:
    return all(_has_pung(win, tile) for tile in HONOURS if tile.is_wind)


def _imperial_jade(win: Win) -> bool:
    return set(win.tiles) <= _GREEN


def _robs_two_bamboo(win: Win) -> bool:
    return _robbing(win) and win.shown.winning_tile is Tile.S2


def _plum_blossom(win: Win) -> bool:
    return _loose_tile(win) and win.shown.winning_tile is Tile.P5


def _moon(win: Win) -> bool:
    last = _last_tile(win) or _last_discard(win)
    return last and win.shown.winning_tile is Tile.P1


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
    SpecialHand("carrying_pole", Words("Scratching a Carrying Pole", "二索抢杠"), _robs_two_bamboo),
    SpecialHand("plum_blossom", Words("Plum Blossom on the Roof", "杠上梅花"), _plum_blossom),
    SpecialHand("moon", Words("Moon from the Bottom of the Sea", "海底捞月（一筒）"), _moon),
    SpecialHand("imperial_jade", Words("Imperial Jade", "绿一色"), _imperial_jade, played=False),
    SpecialHand(
        "heavenly_twins", Words("Heavenly Twins", "七对"), patterns.seven_pairs, played=False
    ),
)


def _earthly(win: Win) -> bool:
    """Won with East's first discard (CL-29)."""
    first = win.came_by(Circumstance.FIRST_TURN) and win.shown.discarder == win.shown.dealer
    return first and win.options["earthly_first_discard"] == "limit"


def _blessing(win: Win) -> bool:
    """East's original hand where that is a limit hand (CL-27)."""
    return win.options["original_hand"] == "limit" and _first_fourteen(win) and _is_east(win)


def _special_pattern(special: SpecialHand) -> Pattern:
    def counts(win: Win) -> bool:
        return bool(win.options[special.option]) and special.predicate(win)

    return Pattern(f"limit_{special.id}", special.names, 0, counts, _SOURCE)


LIMIT_HANDS = (
    Pattern(
        "limit_heavenly_blessing",
        Words("Heavenly Blessing", "天和"),
        0,
        _blessing,
        "Classical > Special starts 1",
    ),
    Pattern(
        "limit_first_discard",
        Words("Won on East's first discard", "地和"),
        0,
        _earthly,
        "Classical > Special starts 3",
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


def value(win: Win, counted: tuple[Counted, ...]) -> Total:
    """Points, doubled for every double, up to the limit; a limit hand is worth the limit."""
    limit = int(win.options["limit"])
    special = [each for each in counted if each.id in _LIMIT_IDS]
    points, words = _points(win)
    doubles = sum(each.value for each in counted)
    figures = {"points": points, "doubles": doubles, "limit": limit}
    if special:
        en = ", ".join(each.names.en for each in special)
        zh = "、".join(each.names.zh for each in special)
        step = Words(f"Limit hand ({en}): {limit}.", f"封顶牌（{zh}）：{limit}。")
        return Total(limit, (step,), figures)
    whole = points << doubles
    named_en = ", ".join(f"{each.names.en} {each.value}" for each in counted) or "none"
    named_zh = "、".join(f"{each.names.zh} {each.value}" for each in counted) or "无"
    capped_en, capped_zh = ("", "") if whole <= limit else (f", limit {limit}", f"，封顶 {limit}")
    steps = (
        words,
        Words(
            f"Doubles: {named_en}. {points} × 2^{doubles} = {whole}{capped_en}.",
            f"番：{named_zh}。{points} × 2^{doubles} = {whole}{capped_zh}。",
        ),
    )
    return Total(min(limit, whole), steps, figures)


def _points(win: Win) -> tuple[int, Words]:
    """The points before doubling, and how they come about."""
    parts = (
        ("going out", "和牌", int(win.options["going_out_points"])),
        ("sets", "刻杠", sum(_set_points(win))),
        ("pair", "将", _pair_points(win)),
        ("flowers", "花", BONUS_TILE * len(win.shown.bonus)),
        ("self-drawn", "自摸", SELF_DRAWN * win.shown.self_drawn),
        ("only place", "独听", ONLY_PLACE * _only_place(win)),
    )
    points = sum(amount for _, _, amount in parts)
    en = " + ".join(f"{name} {amount}" for name, _, amount in parts if amount)
    zh = " + ".join(f"{name} {amount}" for _, name, amount in parts if amount)
    return points, Words(f"Points: {en} = {points}.", f"底：{zh} = {points}。")


def scores_a_double(win: Win) -> bool:
    """One double at least that is not of flowers or seasons; a limit hand has enough (CL-65)."""
    wanted = [each for each in (*DOUBLES, *LIMIT_HANDS) if each.id not in FLOWER_DOUBLES]
    return any(each.predicate(win) for each in wanted)


def divides_as_orphans(tiles: tuple[Tile, ...], options: Options) -> bool:
    """Each of the thirteen terminals and honours, one of them twice."""
    played = bool(options["special_thirteen_unique_wonders"])
    return played and len(tiles) == 14 and set(tiles) == _ORPHAN_KINDS
