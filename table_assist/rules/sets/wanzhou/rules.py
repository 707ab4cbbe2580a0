"""Wanzhou mahjong, "Change Three". The numbers (WZ-01 ...) are those of the rules specification.

The document states two ways to read the die of the exchange, builds the wall of 136 tiles where 108
are played with, and breaks it both ways round; each reading is an option, the default the one that
its worked figures or its own section support. "Hit Big Hand" (撞大胡): a hand with a fan or more is
a Big Hand, and only such a hand may take another player's tile.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from math import prod

from table_assist.languages.words import PLUS, Words, WordsError, joined, with_value
from table_assist.rules import play_rules
from table_assist.rules import win as patterns
from table_assist.rules.calls import default_rank
from table_assist.rules.options import Options, read_asked, read_book
from table_assist.rules.ruleset import RuleSet, Total
from table_assist.rules.settlement import (
    Laid,
    LaidKind,
    Owed,
    Payment,
    collect,
    formula_of,
    kong_payers,
    pay_agreed_penalty,
    together,
)
from table_assist.rules.shown import (
    SEAT_COUNT,
    Call,
    Circumstance,
    Claim,
    Offer,
    ReadyHand,
    Situation,
)
from table_assist.rules.verdict import NO_TRANSFERS
from table_assist.rules.wall import first_dealer_counted, fours_in_turn
from table_assist.rules.win import Condition, Shape, Win
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import SUITED

_ASKED = read_asked("wanzhou")

# One payer's debt for a Basic Hand, and for the first fan of a Big Hand (WZ-23, WZ-24).
BASIC, BIG_DRAWN, BIG_CLAIMED = 2, 8, 12
# Discards and rounds of discards that are "the first four" (WZ-15, WZ-26g).
FIRST_DISCARDS = 4
EXCHANGED_TILES = 3


# --- Shapes (WZ-17)


# --- What counts (WZ-26)


def _pure_triple_match(win: Win) -> bool:
    """A flush, three exposed triplets, and two pairs in hand of which one became a pung."""
    held, melds = win.shown.concealed, win.shown.melds
    return (
        patterns.full_flush(win)
        and len(melds) == 3
        and all(each.kind.is_claimed and each.kind is not MeldKind.CHOW for each in melds)
        and {held.count(tile) for tile in held} == {2, 3}
        and held.count(win.shown.winning_tile) == 3
    )


def _first_four(win: Win) -> bool:
    number = win.shown.discard_round
    return number is not None and 1 <= number <= FIRST_DISCARDS


def _last_four(win: Win) -> bool:
    left = win.shown.wall_remaining
    enough = 4 if win.options["last_four_threshold"] == "four_or_fewer" else 3
    return left is not None and left <= enough


def _shoot_after_kong(won: Situation, options: Options) -> bool:
    discarded = not won.self_drawn and not won.came_by(Circumstance.ROBBING_KONG)
    return discarded and won.came_by(Circumstance.AFTER_KONG_DISCARD)


_TABLE = "Wanzhou > Points and Payout Table"
# What one implies is counted beside it where the option says so.
_fan = partial(
    patterns.pattern, _TABLE, implies_if=lambda options: not options["implied_patterns_stack"]
)
_PATTERNS = (
    _fan("all_pungs", "All Pungs", "全碰", patterns.all_pungs),
    _fan("full_flush", "Full Flush", "清一色", patterns.full_flush),
    _fan("seven_pairs", "Seven Pairs", "七对", patterns.seven_pairs),
    _fan("dragon_seven_pairs", "Dragon Seven Pairs", "龙七对", patterns.dragon_pairs,
         value=patterns.fours_in_pairs),
    _fan("golden_single_wait", "Golden Single Wait", "金单等", patterns.fully_claimed,
         implies=("all_pungs",)),
    _fan("pure_triple_match", "Pure Triple Match", "清三搭", _pure_triple_match,
         implies=("all_pungs", "full_flush")),
    _fan("first_four_win", "First Four Win", "前四", _first_four),
    _fan("last_four_win", "Last Four Win", "后四", _last_four),
    _fan("robbing_kong", "Robbing the Kong", "抢杠", when=patterns.robbing_kong),
    _fan("shoot_after_kong", "Shoot After Kong", "杠上炮", when=_shoot_after_kong),
    _fan("ready_declaration", "Ready Hand Declaration", "报叫",
         when=lambda won, options: won.came_by(Circumstance.READY_DECLARED)),
)  # fmt: skip

_SHAPES = (
    Shape("sets_and_pair", Words("four sets and a pair", "四组一对"), patterns.four_sets_in,
          _TABLE),
    Shape("seven_pairs", Words("seven pairs", "七对"), patterns.seven_pairs_in, _TABLE),
)  # fmt: skip


# --- What it is worth (WZ-23 to WZ-25, WZ-27)


def _robs(win: Win) -> bool:
    return patterns.robbing_kong(win.shown.situation, win.options)


def _pays_as_drawn(win: Win) -> bool:
    """Self-drawn, or robbed where the table pays that by the self-draw's formula."""
    as_claimed = win.options["robbing_kong_payment"] == "robbed_pays_discard_x2"
    return win.shown.self_drawn or (_robs(win) and not as_claimed)


def _additional(fan: int, options: Options) -> int:
    """The factor of the fan beyond the first: 2 for each, multiplied or added up."""
    beyond = max(0, fan - 1)
    if options["additional_fan"] == "linear":
        return 2 * beyond if beyond else 1
    return 1 << beyond


def _factors(win: Win, fan: int) -> tuple[int, ...]:
    """One payer's debt, as a product."""
    if not fan:
        return (BASIC,)
    base = BIG_DRAWN if _pays_as_drawn(win) else BIG_CLAIMED
    factors = (base, _additional(fan, win.options))
    return (*factors, 2) if _robs(win) else factors


def _total(win: Win) -> Total:
    fan = sum([each.value for each in win.counted])
    return Total(prod(_factors(win, fan)), {"fan": fan})


def _explain(win: Win, total: Total) -> tuple[Words, ...]:
    fan, points, counted = total.figures["fan"], total.points, win.counted
    if not fan:
        return (Words("Basic Hand: {basic}.", "小胡：{basic}。", basic=BASIC),)
    product = formula_of(_factors(win, fan))
    parts = [with_value(each.names, each.value) for each in counted]
    return (
        Words(
            "Big Hand: {said} = {fan} fan.",
            "大胡：{said} = {fan} 番。",
            said=joined(parts, PLUS),
            fan=fan,
        ),
        Words(
            "The hand is worth {product} = {points}.",
            "此牌计 {product} = {points}。",
            product=product,
            points=points,
        ),
    )


def _pay(win: Win, total: Total) -> Payment:
    """The discarder or robbed player pays alone, all three on a self-draw (WZ-19, WZ-23, WZ-24)."""
    shown, payers = win.shown, win.shown.payers
    if _robs(win) and win.options["robbing_kong_payment"] == "all_pay_self_draw_x2":
        payers = tuple(seat for seat in range(SEAT_COUNT) if seat != shown.winner)
    return collect(shown.winner, payers, lambda payer: Owed(total.points))


# --- Kongs (WZ-21, WZ-22)

_KONG_POINTS: Mapping[LaidKind, int] = {
    LaidKind.KONG_CONCEALED: 2,
    LaidKind.KONG_EXPOSED: 2,
    LaidKind.KONG_ADDED: 1,
}


def _pay_kong(kong: Laid, options: Options) -> Payment:
    """A kong is paid at once; one that is robbed, or whose next discard is won, is not."""
    points = _KONG_POINTS.get(kong.kind)
    if points is None:
        raise ValueError(f"wanzhou has no {kong.kind}")
    payers = kong_payers(kong)
    won = kong.robbed_by is not None or kong.won_on_next_discard_by is not None
    covered = kong.kind is not LaidKind.KONG_CONCEALED or options["cancel_covers_concealed"]
    if won and covered:
        why = Words("it was robbed", "被抢")
        if kong.robbed_by is None:
            why = Words("the discard after it was won", "杠后打出的牌被和")
        words = Words(
            "The kong of seat {seat} is not paid: {why}.",
            "座位 {seat} 的杠不计分：{why}。",
            seat=kong.seat,
            why=why,
        )
        return Payment(NO_TRANSFERS, (words,))
    return collect(kong.seat, payers, lambda payer: Owed(points))


# --- Ready (WZ-15, WZ-16)


def _in_time(hand: ReadyHand, options: Options) -> bool:
    """With one of the first four discards; a discard whose number nobody knows passes."""
    return hand.discard_number is None or hand.discard_number <= FIRST_DISCARDS


_READY = play_rules.ReadyRule(
    on_hand=(play_rules.ReadyCondition("too_late", _in_time, *_ASKED["too_late"]),),
    until=FIRST_DISCARDS,
    names=Words("Ready", "报叫"),
)


# --- Between the hands (WZ-03 to WZ-09)


def _next_dealer(result: play_rules.HandResult, options: Options) -> tuple[int, ...]:
    if not result.winners:
        return (result.dealer,)
    if len(result.winners) == 1:
        return result.winners
    if options["multi_win_with_dealer"] == "dealer_stays" and result.dealer in result.winners:
        return (result.dealer,)
    if result.discarder is None:
        seats = list(result.winners)
        raise WordsError.told("discarder", seats=seats)
    return (result.discarder,)


def _rank(offer: Offer, claim: Claim, options: Options) -> int:
    """A win and a pung are equal where the table has no order between them."""
    if claim.call is Call.WIN and not options["win_over_pung"]:
        return default_rank(replace(claim, call=Call.PUNG))
    return default_rank(claim)


def _stacks(dealer: int, options: Options) -> tuple[int, int, int, int]:
    """108 tiles are 54 stacks; the text's 17 a side would need 136 tiles."""
    longer = {dealer: 15}
    if options["wall_layout"] == "dealer_and_opposite_14":
        longer = {dealer: 14, (dealer + 2) % SEAT_COUNT: 14}
    first, second, third, fourth = (longer.get(seat, 13) for seat in range(SEAT_COUNT))
    return first, second, third, fourth


def _passed_to(die: int, options: Options) -> int:
    """How many seats on three tiles are passed: 1 right, 2 across, 3 left (WZ-09)."""
    if options["change_three_die"] == "alternating":
        return (die - 1) % 3 + 1
    return (die + 1) // 2


_WALL = play_rules.WallPlan(
    stacks=_stacks,
    first_side=lambda options: 0,
    deal=fours_in_turn(),
    deal_by=lambda options: fours_in_turn(
        dealer_eight=options["deal_first_block"] == "dealer_eight"
    ),
    clockwise=lambda options: options["break_direction"] == "clockwise",
    replaced_from=play_rules.replaced_from_option,
)


_OPTIONS, _LAWS = read_book("wanzhou")

RULES = RuleSet(
    id="wanzhou",
    names=Words("Wanzhou", "万州麻将"),
    source="Wanzhou",
    kinds=SUITED,
    melds=frozenset(MeldKind) - {MeldKind.LUCKY_EGG, MeldKind.CHOW},
    chows=lambda options: bool(options["chow_claims"]),
    shapes=_SHAPES,
    conditions=(
        Condition(
            "big_hand_required",
            lambda win: bool(win.counted),
            *_ASKED["big_hand_required"],
            unless=lambda won, options: won.self_drawn,
        ),
    ),
    patterns=_PATTERNS,
    total=_total,
    explain_total=_explain,
    pay=_pay,
    next_dealer=_next_dealer,
    wall=_WALL,
    starting_tiles=lambda is_dealer, options: (
        14 if is_dealer and options["exchange_hand"] == "dealer_with_14" else 13
    ),
    settles_together=lambda options: True,
    laid=play_rules.LaidRule(
        lambda laid, hand, options: together(_pay_kong(kong, options) for kong in laid),
        at_once=True,
    ),
    ready=_READY,
    false_win=pay_agreed_penalty,
    claim_rank=_rank,
    first_dealer=first_dealer_counted,
    exchange=play_rules.ExchangeRule(EXCHANGED_TILES, _passed_to),
    unit=Words("fan", "番"),
    laws=_LAWS,
    options=_OPTIONS,
    argued=(
        "multi_win_with_dealer",
        "robbing_kong_payment",
        "win_over_pung",
        "chow_claims",
        "additional_fan",
        "last_four_threshold",
    ),
)
