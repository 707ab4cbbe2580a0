"""Chinese Classical's limit hands, a hand's worth up to the limit, and its irregularities.

``SPECIAL_HANDS`` is the table that a club edits: every row is an option of its own,
``special_<id>``.
"""

from collections import Counter
from dataclasses import dataclass

from table_assist.languages.words import NONE, NOTHING, PLUS, Words, joined, with_value
from table_assist.rules import win as patterns
from table_assist.rules.options import Option, Options
from table_assist.rules.play_rules import IrregularityRule
from table_assist.rules.ruleset import Total
from table_assist.rules.sets.classical import scoring
from table_assist.rules.shown import Circumstance, Situation
from table_assist.rules.verdict import book_data
from table_assist.rules.win import Pattern, Predicate, When, Win, always
from table_assist.tiles.divide import kinds_of, triplet_bits
from table_assist.tiles.tile import HONOURS, SUITED, Tile

_GREEN = frozenset({Tile.S2, Tile.S3, Tile.S4, Tile.S6, Tile.S8, Tile.GREEN})
_NOT_GREEN = kinds_of(SUITED + HONOURS) & ~kinds_of(_GREEN)
_DRAGON_PUNGS = triplet_bits(tile for tile in HONOURS if tile.is_dragon)


@dataclass(frozen=True, slots=True)
class SpecialHand:
    """A row of the table of limit hands.

    Attributes:
        played: whether it counts unless a club says otherwise.
    """

    id: str
    names: Words
    predicate: Predicate
    when: When = always
    played: bool = True

    @property
    def option(self) -> str:
        """The name of the setting that puts the row in force."""
        return f"special_{self.id}"


def _nine_gates(win: Win) -> bool:
    """1112345678999 of one suit and any tile of it, all concealed."""
    if win.shown.melds or not patterns.full_flush(win):
        return False
    numbers = Counter(tile.number for tile in win.tiles)
    return all(numbers[n] >= (3 if n in (1, 9) else 1) for n in range(1, 10))


def _hidden_treasure(win: Win) -> bool:
    """Four triplets without a claimed tile; the pair may be."""
    return patterns.all_pungs(win) and all(scoring.is_concealed(win, part) for part in win.sets)


def _four_kongs(win: Win) -> bool:
    melds = win.shown.melds
    return len(melds) == 4 and all(meld.kind.is_kong for meld in melds)


def _won_with(tile: Tile) -> Predicate:
    return lambda win: win.shown.winning_tile is tile


# The rows that a club may put in force or out of it, one by one.
SPECIAL_HANDS = (
    SpecialHand("thirteen_unique_wonders", Words("Thirteen Unique Wonders", "十三幺"),
                lambda win: win.division.shape == scoring.ORPHANS),
    SpecialHand("nine_gates", Words("Nine Gates", "九莲宝灯"), _nine_gates),
    SpecialHand("hidden_treasure", Words("Hidden Treasure", "四暗刻"), _hidden_treasure),
    SpecialHand("fourfold_plenty", Words("Fourfold Plenty", "四杠"), _four_kongs),
    SpecialHand("three_great_scholars", Words("Three Great Scholars", "大三元"),
                lambda win: win.parts & _DRAGON_PUNGS == _DRAGON_PUNGS),
    SpecialHand("four_blessings", Words("Four Blessings over the Door", "大四喜"),
                lambda win: win.parts & scoring.WIND_PUNGS == scoring.WIND_PUNGS),
    SpecialHand("heads_and_tails", Words("Heads and Tails", "清幺九"),
                lambda win: not win.kinds & scoring.NO_TERMINALS),
    SpecialHand("carrying_pole", Words("Scratching a Carrying Pole", "二索抢杠"),
                _won_with(Tile.S2), patterns.robbing_kong),
    SpecialHand("plum_blossom", Words("Plum Blossom on the Roof", "杠上梅花"), _won_with(Tile.P5),
                patterns.after_kong),
    SpecialHand("moon", Words("Moon from the Bottom of the Sea", "海底捞月（一筒）"),
                _won_with(Tile.P1), scoring.last),
    SpecialHand("imperial_jade", Words("Imperial Jade", "绿一色"),
                lambda win: not win.kinds & _NOT_GREEN, played=False),
    SpecialHand("heavenly_twins", Words("Heavenly Twins", "七对"), patterns.seven_pairs,
                played=False),
)  # fmt: skip


def _earthly(won: Situation, options: Options) -> bool:
    """Won with East's first discard (CL-29)."""
    first = won.came_by(Circumstance.FIRST_TURN) and won.discarder == won.dealer
    return first and options["earthly_first_discard"] == "limit"


def _blessing(won: Situation, options: Options) -> bool:
    """East's original hand where that is a limit hand (CL-27)."""
    east = won.winner == won.dealer
    return east and patterns.first_turn(won, options) and options["original_hand"] == "limit"


def _limit(
    id: str,
    names: Words,
    source: str,
    *,
    predicate: Predicate = patterns.any_tiles,
    when: When,
) -> Pattern:
    return Pattern(f"limit_{id}", names, 0, predicate, source, when=when)


def _special_pattern(special: SpecialHand) -> Pattern:
    def in_force(won: Situation, options: Options) -> bool:
        return bool(options[special.option]) and special.when(won, options)

    return _limit(
        special.id, special.names, scoring.SOURCE, predicate=special.predicate, when=in_force
    )


LIMIT_HANDS = (
    _limit("heavenly_blessing", Words("Heavenly Blessing", "天和"), "Classical > Special starts 1",
           when=_blessing),
    _limit("first_discard", Words("Won on East's first discard", "地和"),
           "Classical > Special starts 3", when=_earthly),
    *(_special_pattern(special) for special in SPECIAL_HANDS),
)  # fmt: skip
LIMIT_IDS = frozenset(pattern.id for pattern in LIMIT_HANDS)

SPECIAL_OPTIONS = tuple(
    Option(
        special.option,
        (special.played, not special.played),
        special.played,
        Words("Whether {names} is a limit hand.", "{names}是否算封顶牌。", names=special.names),
        scoring.SOURCE,
    )
    for special in SPECIAL_HANDS
)


def value(win: Win) -> Total:
    """Points, doubled for every double, up to the limit; a limit hand is worth the limit."""
    counted, limit = win.counted, int(win.options["limit"])
    points = sum([amount for _, amount in _points(win)])
    doubles = sum([each.value for each in counted])
    figures = {"points": points, "doubles": doubles, "limit": limit}
    if any(each.id in LIMIT_IDS for each in counted):
        return Total(limit, figures)
    return Total(min(limit, points << doubles), figures)


def explain(win: Win, total: Total) -> tuple[Words, ...]:
    """The points, the doubles and the limit, in words."""
    counted = win.counted
    points, doubles, limit = (total.figures[name] for name in ("points", "doubles", "limit"))
    special = [each for each in counted if each.id in LIMIT_IDS]
    if special:
        return (
            Words(
                "Limit hand ({said}): {limit}.",
                "封顶牌（{said}）：{limit}。",
                said=joined([each.names for each in special]),
                limit=limit,
            ),
        )
    whole = points << doubles
    named = joined([with_value(each.names, each.value) for each in counted])
    capped = Words(", limit {limit}", "，封顶 {limit}", limit=limit)
    return (
        _points_words(win),
        Words(
            "Doubles: {named}. {points} × 2^{doubles} = {whole}{capped}.",
            "番：{named}。{points} × 2^{doubles} = {whole}{capped}。",
            named=named or NONE,
            points=points,
            doubles=doubles,
            whole=whole,
            capped=capped if whole > limit else NOTHING,
        ),
    )


_GOING_OUT = Words("going out", "和牌")
_SETS, _PAIR = Words("sets", "刻杠"), Words("pair", "将")
_FLOWERS, _SELF_DRAWN, _ONLY = (
    Words("flowers", "花"),
    Words("self-drawn", "自摸"),
    Words("only place", "独听"),
)


def _points(win: Win) -> tuple[tuple[Words, int], ...]:
    """The points before doubling, and what for."""
    earned = scoring.shown_at_once(win)
    return (
        (_GOING_OUT, int(win.options["going_out_points"])),
        (_SETS, scoring.set_points(win)),
        (_PAIR, scoring.points_of_pair(win)),
        (_FLOWERS, scoring.BONUS_TILE * len(win.shown.bonus)),
        (_SELF_DRAWN, scoring.SELF_DRAWN * (earned and win.shown.self_drawn)),
        (_ONLY, scoring.ONLY_PLACE * (earned and scoring.only_place(win))),
    )


def _points_words(win: Win) -> Words:
    parts = [(names, amount) for names, amount in _points(win) if amount]
    points = sum(amount for _, amount in parts)
    said = joined([with_value(names, amount) for names, amount in parts], PLUS)
    return Words("Points: {said} = {points}.", "底：{said} = {points}。", said=said, points=points)


def scores_a_double(win: Win) -> bool:
    """One double at least that is not of flowers or seasons; a limit hand has enough (CL-65)."""
    wanted = [
        each for each in (*scoring.DOUBLES, *LIMIT_HANDS) if each.id not in scoring.FLOWER_DOUBLES
    ]
    return any(each.met(win) for each in wanted)


def irregularities(options: Options) -> tuple[IrregularityRule, ...]:
    """All of them; what follows three of them is a matter of options."""
    chosen: dict[str, dict[str, bool | int | str]] = {
        "discard_recalled_after_quitting": {
            "discard_taken_back": options["discard_takeback"] == "until_claimed"
        },
        "triplets_not_marked": {"scored_as": f"{options['unmarked_triplets']}_pungs"},
        "winning_tile_into_hand": {
            "place_and_draw_points": options["tile_into_hand"] == "points_kept"
        },
    }
    return tuple(
        IrregularityRule(
            id,
            Words(row["en"], row["zh"]),
            {**row["then"], **chosen.get(id, {})},
            f"Classical > {row['where']}",
            tuple(row.get("also", ())),
        )
        for id, row in book_data("classical/book.toml")["irregularities"].items()
    )
