"""Tianjin mahjong. The numbers (TJ-01 ...) are those of the rules specification.

The document says both that a win must be self-drawn and, in a footnote, that a tile added to a kong
may be won "as if it was discarded": the footnote is followed for that one tile (TJ-28). Its text on
winning with a discard belongs to other games and is not followed.

Terms: hun'er (混儿) is a wild tile, the turned one's kind or the next; zhuo wu'er (捉五儿) captures
the five of characters between four and six; la zhuang (拉庄) challenges the dealer, zuo zhuang
(坐庄) is the dealer's doubling down.
"""

from collections.abc import Mapping
from functools import partial
from math import prod
from typing import NamedTuple

from table_assist.languages.words import PLUS, Plural, Words, joined, with_value
from table_assist.rules import play_rules
from table_assist.rules import win as patterns
from table_assist.rules.options import Options, read_asked, read_book
from table_assist.rules.ruleset import RuleSet, Total
from table_assist.rules.sets.tianjin.wild import (
    DOUBLE,
    DRAGON,
    DRAGONS,
    FIVE,
    FOUR_FIVE_SIX,
    SINGLE,
    divisions,
)
from table_assist.rules.settlement import (
    Laid,
    LaidIn,
    LaidKind,
    Owed,
    Payment,
    collect,
    kong_payers,
    pay_agreed_penalty,
    pay_for_false_win,
    together,
)
from table_assist.rules.shown import SEAT_COUNT, Antes, Call, Circumstance, Situation
from table_assist.rules.verdict import NO_TRANSFERS, Counted
from table_assist.rules.wall import first_dealer_counted, fours_in_turn
from table_assist.rules.win import Condition, Shape, Win
from table_assist.tiles.divide import CHOWS, SetKind, copies
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import HONOURS, SUITED, Tile

_ASKED = read_asked("tianjin")

# Tianjin's payments beside the win: by stakes, for kongs, for the chase.

# --- Antes (TJ-04 to TJ-08)


def stake_factor(antes: Antes, dealer: int, one: int, other: int, options: Options) -> int:
    """Payments between the dealer and another are doubled by what either staked."""
    if dealer not in (one, other):
        return 1
    tokens = antes.challenges[other if one == dealer else one]
    factors = ([2] if antes.double_down else []) + ([1 << tokens] if tokens else [])
    if options["challenge_stack"] == "sum":
        return sum(factors) or 1
    return prod(factors)


# --- Kongs and the chase (TJ-27 to TJ-29)

_KONG_POINTS: Mapping[LaidKind, int] = {
    LaidKind.KONG_CONCEALED: 2,
    LaidKind.KONG_EXPOSED: 1,
    LaidKind.KONG_ADDED: 1,
    LaidKind.GOLDEN_KONG: 8,
}


def pay_laid(laid: tuple[Laid, ...], hand: LaidIn, options: Options) -> Payment:
    """The payment for all kongs of a hand."""
    return together(_pay_kong(kong, hand, options) for kong in laid)


def _pay_kong(kong: Laid, hand: LaidIn, options: Options) -> Payment:
    points = _KONG_POINTS.get(kong.kind)
    if points is None:
        raise ValueError(f"tianjin has no {kong.kind}")
    payers = kong_payers(kong)
    if kong.robbed_by is not None:
        words = Words(
            "The kong of seat {seat} was robbed and is not paid.",
            "座位 {seat} 的杠被抢，不计分。",
            seat=kong.seat,
        )
        return Payment(NO_TRANSFERS, (words,))

    def owed(payer: int) -> Owed:
        factor = stake_factor(hand.antes, hand.dealer, payer, kong.seat, options)
        others = hand.dealer not in (payer, kong.seat) and hand.antes.double_down
        if others and options["double_down_kong_scope"] == "all":
            factor = 2
        return Owed(points * factor, (points, factor) if factor > 1 else ())

    return collect(kong.seat, payers, owed)


def chase(
    discards: tuple[Tile, ...], dealer: int, antes: Antes, options: Options
) -> Payment | None:
    """If all others discard what the dealer discarded first, the dealer pays each of them 1."""
    first, *others = discards
    if len(others) != SEAT_COUNT - 1 or any(tile != first for tile in others):
        return None

    def paid(seat: int) -> Payment:
        owed = Owed(stake_factor(antes, dealer, dealer, seat, options))
        return collect(seat, (dealer,), lambda payer: owed)

    return together(paid(seat) for seat in range(SEAT_COUNT) if seat != dealer)


# The least that a hand must score (TJ-24).
MINIMUM = 2
TOKENS = 2
# By how much an opening hand of the dealer, or another's first draw, is multiplied (TJ-35, TJ-36).
HEAVENLY, EARTHLY = 6, 4
# The chows of each Dragon, as ``Division.parts`` has them.
_DRAGON_BITS = tuple(sum(1 << CHOWS + chow[0] for chow in chows) for chows in DRAGONS)


# --- Shapes (TJ-23)

_SHAPES = (
    Shape("sets_and_pair", Words("four sets and a pair", "四组一对"), divisions,
          "Tianjin > Winning"),
)  # fmt: skip


# --- What counts (TJ-31)


def _wild_final(win: Win) -> bool:
    return win.shown.winning_tile in win.shown.wilds


def _single_wait(win: Win) -> bool:
    """The final tile makes the pair with a wild that was waiting alone."""
    part = win.filled
    if part is None or part.kind is not SetKind.PAIR:
        return False
    if _wild_final(win):
        return len(part.wilds) == 2 and bool(win.options["single_wait_wild_pair"])
    return len(part.wilds) == 1


def _double_wait(win: Win) -> bool:
    """The final tile makes a set with two wilds."""
    part = win.filled
    if part is None or part.kind is SetKind.PAIR:
        return False
    return len(part.wilds) == (3 if _wild_final(win) else 2)


def _capture_five(win: Win) -> bool:
    part, options = win.filled, win.options
    if options["capture_five_wild"] == "any_wild_as_five" and any(
        each.meld is None and each.tiles == FOUR_FIVE_SIX and 1 in each.wilds for each in win.sets
    ):
        return True
    if part is None or part.tiles != FOUR_FIVE_SIX:
        return False
    if win.shown.winning_tile is Tile.M5:
        return (1 in part.wilds) == _wild_final(win)
    return _wild_final(win) and 1 in part.wilds and options["capture_five_wild"] == "final_tile"


def _first_hand(win: Win) -> bool:
    """A Heavenly or Earthly Hand."""
    return patterns.first_turn(win.shown.situation, win.options)


def _blossom(win: Win) -> bool:
    """Never beside a Heavenly or Earthly Hand (TJ-35)."""
    after = win.shown.self_drawn and win.came_by(Circumstance.AFTER_KONG)
    return after and not _first_hand(win)


def _concealed_blossom(win: Win) -> bool:
    """That kong was concealed; where its kind was not said, all kongs of the hand were."""
    if not _blossom(win):
        return False
    kongs = [meld for meld in win.shown.melds if meld.kind.is_kong]
    concealed = [meld for meld in kongs if meld.kind is MeldKind.KONG_CONCEALED]
    golden = bool(concealed) and concealed[-1].tiles[0] in win.shown.wilds  # the last one laid
    if golden and not win.options["golden_kong_is_concealed"]:
        return False
    if win.came_by(Circumstance.AFTER_KONG_CONCEALED):
        return True
    said = win.came_by(Circumstance.AFTER_KONG_EXPOSED) or win.came_by(
        Circumstance.AFTER_KONG_ADDED
    )
    return not said and bool(kongs) and concealed == kongs


_TABLE = "Tianjin > Points and Payout Table"
_FACTORS = ("heavenly_hand", "earthly_hand")

_points = partial(patterns.pattern, _TABLE)
_PATTERNS = (
    _points("pure_hand", "Pure Hand", "素", value=2,
            predicate=lambda win: not any(copies(win.counts, wild) for wild in win.shown.wilds)),
    _points(SINGLE, "Wild Card Single Wait", "混儿吊", _single_wait, value=2),
    _points(DOUBLE, "Double Wild Card Set Wait", "双混儿吊", _double_wait, value=2),
    _points(FIVE, "Capturing the Five", "捉五儿", _capture_five, value=3),
    _points(DRAGON, "Dragon", "龙", value=4,
            predicate=lambda win: any(win.parts & chows == chows for chows in _DRAGON_BITS)),
    _points("kong_blossom", "Kong Blossom", "杠开", _blossom, patterns.after_kong),
    _points("heavenly_hand", "Heavenly Hand", "天和", value=HEAVENLY, is_factor=True,
            when=lambda won, options: patterns.first_turn(won, options)
            and won.winner == won.dealer),
    _points("earthly_hand", "Earthly Hand", "地和", value=EARTHLY, is_factor=True,
            when=lambda won, options: patterns.first_turn(won, options)
            and won.winner != won.dealer),
)  # fmt: skip
# --- What must be met (TJ-18, TJ-24)


def _drawn_or_robbed(won: Situation, options: Options) -> bool:
    robbed = won.came_by(Circumstance.ROBBING_KONG)
    return won.self_drawn or (robbed and options["rob_add_on_kong"] != "forbidden")


def _worth(win: Win) -> int:
    """Points towards the minimum: neither antes nor the bonus for a concealed kong (TJ-24)."""
    points = sum([each.value for each in win.counted if each.id not in _FACTORS])
    if _blossom(win):
        return 2 * points
    if points == 0 and _first_hand(win):
        return 1
    return points


def _reaches_minimum(win: Win) -> bool:
    if _first_hand(win) and win.options["heavenly_minimum"] == "multiplied_counts":
        return True
    return _worth(win) >= MINIMUM


# --- What it is worth (TJ-30, TJ-32 to TJ-36)


class _Base(NamedTuple):
    """A hand's base before it is multiplied.

    Attributes:
        different: so many different patterns, ``bonus`` points for them.
        own: a point that is no pattern's: a first hand's own, or for the concealed kong.
    """

    added: tuple[Counted, ...]
    different: int = 0
    bonus: int = 0
    own: int = 0

    @property
    def points(self) -> int:
        return sum([each.value for each in self.added]) + self.bonus + self.own


def _base(win: Win) -> _Base:
    scored = tuple([each for each in win.counted if each.id not in _FACTORS])
    return _first_base(scored, win.options) if _first_hand(win) else _usual_base(win, scored)


def _usual_base(win: Win, scored: tuple[Counted, ...]) -> _Base:
    """Points of the patterns, one for each different pattern, one for a concealed kong."""
    own = int(_concealed_blossom(win))
    others = tuple([each for each in scored if each.id != "kong_blossom"])
    counting = win.options["kong_blossom_counting"]
    different = len(scored if counting == "as_pattern" else others)
    # With nothing but the doubling, the Kong Blossom is worth its own point.
    added = others if counting == "multiplier_only" and others else scored
    return _Base(added, different, _bonus(different, win.options), own)


def _first_base(scored: tuple[Counted, ...], options: Options) -> _Base:
    """The base of a Heavenly or Earthly Hand; its own point if there is no other."""
    if not scored:
        return _Base((), own=1)
    if options["heavenly_base"] == "highest_single":
        return _Base((max(scored, key=lambda each: each.value),))
    own = int(options["heavenly_base"] == "adds_own_fan")
    return _Base(scored, len(scored), _bonus(len(scored), options), own)


def _bonus(different: int, options: Options) -> int:
    if different == 1 and options["pattern_bonus"] == "only_when_multiple":
        return 0
    return different


def _factor_of(win: Win) -> int:
    if _first_hand(win):
        return HEAVENLY if win.shown.winner == win.shown.dealer else EARTHLY
    return 2 if _blossom(win) else 1


def _explain(win: Win, total: Total) -> tuple[Words, ...]:
    base, factor, points = _base(win), _factor_of(win), total.points
    sum_of = _sum_of(base, first=_first_hand(win))
    if factor == 1:
        return (
            Words(
                "{sum_of} = {points}.", "{sum_of} = {points}。", sum_of=sum_of, points=base.points
            ),
        )
    ids = _FACTORS if _first_hand(win) else ("kong_blossom",)
    by = next(each.names for each in win.counted if each.id in ids)
    if not base.added:
        return (Words("{by}: {factor}.", "{by}：{factor}。", by=by, factor=factor),)
    return (
        Words(
            "{sum_of} = {points}, times {factor} for the {by} = {points_2}.",
            "{sum_of} = {points}，{by}乘 {factor} = {points_2}。",
            sum_of=sum_of,
            points=base.points,
            factor=factor,
            by=by,
            points_2=points,
        ),
    )


def _sum_of(base: _Base, *, first: bool) -> Words:
    words = [with_value(each.names, each.value) for each in base.added]
    if base.own and first:
        words.append(Words("1 of its own", "本身 1"))
    if base.bonus:
        words.append(
            Plural(
                base.different,
                "{bonus} for {n} pattern",
                "{bonus} for {n} patterns",
                "{n} 种番型 {bonus}",
                bonus=base.bonus,
            )
        )
    if base.own and not first:
        words.append(Words("1 for the concealed kong", "暗杠 1"))
    return joined(words, PLUS)


def _pay(win: Win, total: Total) -> Payment:
    """All three pay, each by what was staked against the winner (TJ-05, TJ-07, TJ-37)."""
    shown, payers = win.shown, win.shown.payers
    if win.options["rob_add_on_kong"] == "all_pay":
        payers = tuple(seat for seat in range(SEAT_COUNT) if seat != shown.winner)

    def owed(payer: int) -> Owed:
        factor = stake_factor(shown.antes, shown.dealer, payer, shown.winner, win.options)
        return Owed(total.points * factor, (total.points, factor) if factor > 1 else ())

    return collect(shown.winner, payers, owed)


# --- Claims (TJ-17, TJ-21)


# --- Between the hands (TJ-09 to TJ-13, TJ-19, TJ-20)


def _next_dealer(result: play_rules.HandResult, options: Options) -> tuple[int, ...]:
    if not result.winners or result.dealer in result.winners:
        return (result.dealer,)
    if options["next_dealer_after_loss"] == "winner":
        return tuple(sorted(result.winners))
    return ((result.dealer + 1) % SEAT_COUNT,)


def _false_win(seat: int, dealer: int, options: Options) -> Payment:
    """The document names a penalty and no amount (TJ-25)."""
    if options["false_win_penalty"] == "pay_minimum_to_each":
        return pay_for_false_win(seat, MINIMUM)
    if options["false_win_penalty"] == "custom":
        return pay_agreed_penalty(seat, dealer, options)
    if options["false_win_penalty"] == "dead_hand":
        words = Words(
            "False win: the hand of seat {seat} is dead.",
            "诈和：座位 {seat} 本局不能再和。",
            seat=seat,
        )
        return Payment(NO_TRANSFERS, (words,))
    return Payment(NO_TRANSFERS)


def _replacement(replacement: play_rules.Replacement, options: Options) -> tuple[int, int]:
    """From behind the turned tile's column as long as something lies there (TJ-26)."""
    behind = options["kong_replacement_source"] == "tail" and replacement.dead > 2
    if behind:
        return replacement.live, replacement.dead - 1
    return replacement.live - 1, replacement.dead


_WALL = play_rules.WallPlan(
    stacks=lambda dealer, options: (17, 17, 17, 17),
    first_side=lambda options: 0,
    deal=fours_in_turn(),
    deal_by=lambda options: fours_in_turn(
        dealer_eight=options["deal_first_block"] == "dealer_eight"
    ),
    clockwise=lambda options: options["break_direction"] == "clockwise",
    replacement=_replacement,
    replaced_from=play_rules.replaced_from_option,
)


def _both(options: Options) -> Words:
    """Doubling down and two tokens together."""
    return Words("6", "六") if options["challenge_stack"] == "sum" else Words("8", "八")


_OPTIONS, _LAWS = read_book("tianjin", both=_both)

RULES = RuleSet(
    id="tianjin",
    names=Words("Tianjin", "天津麻将"),
    source="Tianjin",
    kinds=SUITED + HONOURS,
    melds=frozenset(MeldKind) - {MeldKind.LUCKY_EGG, MeldKind.CHOW},
    shapes=_SHAPES,
    conditions=(
        Condition(
            "self_draw_only",
            patterns.no_tiles,
            *_ASKED["self_draw_only"],
            needs_reading=False,
            unless=_drawn_or_robbed,
        ),
        Condition(
            "two_fan_minimum",
            _reaches_minimum,
            Words(
                "The patterns make fewer than {minimum} points.",
                "番型不足 {minimum} 番。",
                minimum=MINIMUM,
            ),
            "Tianjin > Winning in Tianjin Mahjong",
        ),
    ),
    patterns=_PATTERNS,
    total=lambda win: Total(_base(win).points * _factor_of(win), {"points": _worth(win)}),
    explain_total=_explain,
    pay=_pay,
    next_dealer=_next_dealer,
    wall=_WALL,
    starting_tiles=lambda is_dealer, options: 14 if is_dealer else 13,
    settles_together=lambda options: False,
    places_winning_tile=True,
    false_win=_false_win,
    dead_by_false_win=lambda options: (
        "false_win" if options["false_win_penalty"] == "dead_hand" else None
    ),
    laid=play_rules.LaidRule(pay_laid, at_once=True),
    claim_conditions=(
        play_rules.ClaimCondition(
            "wild_not_claimable",
            lambda offer, claim, options: (
                offer.seat != claim.seat
                and offer.tile in offer.wilds
                and claim.call in (Call.PUNG, Call.KONG)
            ),
            *_ASKED["wild_not_claimable"],
        ),
    ),
    first_dealer=first_dealer_counted,
    wilds=play_rules.WildRule(
        kinds=lambda tile: (tile, play_rules.following(tile)),
        roller=2,
        melds=frozenset({MeldKind.KONG_CONCEALED}),
    ),
    antes=play_rules.AnteRule(TOKENS, stake_factor),
    first_turn_ends_with_a_call=True,
    chase=chase,
    points=_worth,
    unit=Words("points", "番"),
    laws=_LAWS,
    options=_OPTIONS,
    argued=(
        "rob_add_on_kong",
        "pattern_bonus",
        "next_dealer_after_loss",
        "wild_discard_allowed",
        "single_wait_wild_pair",
        "false_win_penalty",
    ),
)
