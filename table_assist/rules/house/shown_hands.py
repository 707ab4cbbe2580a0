"""A setting's effect, shown at a hand: ``shown_hands(rules, option) -> tuple[ShownAt, ...]``.

The hands are worked examples without an answer (``shown/ID.jsonl``, a line for each, with the
setting that it shows). What a hand comes to under each value is asked of the rules themselves.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from table_assist.languages.words import COMMA, SPACE, Words, capitalised, joined, phrase
from table_assist.rules.by_hand.telling import beside_words, how_words, named_words, paid_words
from table_assist.rules.calls import award
from table_assist.rules.house.given import (
    Given,
    read_appended,
    read_laid,
    read_laid_hand,
    read_offer,
    read_ready,
    read_values,
    read_win,
)
from table_assist.rules.judge import judge
from table_assist.rules.options import Option, OptionValue
from table_assist.rules.reckoning import false_win, instant_wins, pay_laid, settle_wins
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.settlement import LaidKind
from table_assist.rules.shown import Call, ShownHand, TileSource
from table_assist.rules.verdict import Refusal, Transfers
from table_assist.rules.waiting import declare_ready
from table_assist.tiles.melds import Meld, tile_words, tiles_words
from table_assist.tiles.tile import Tiles, parse_tiles

SHOWN_FOLDER = Path(__file__).parent / "shown"
# An amount is shown at its default and at another.
OTHER_AMOUNTS: Mapping[str, int] = {"base_score": 2, "limit": 100, "false_win_amount": 8}

_CALLS: Mapping[Call, Words] = {
    Call.CHOW: Words("a chow", "吃"),
    Call.PUNG: Words("a pung", "碰"),
    Call.KONG: Words("a kong", "杠"),
    Call.WIN: Words("the win", "和"),
    Call.KONG_CONCEALED: Words("a concealed kong", "暗杠"),
    Call.KONG_ADDED: Words("an added kong", "补杠"),
    Call.EGG_SUPPLEMENT: Words("an egg's supplement", "补蛋"),
}
_LAID: Mapping[LaidKind, Words] = {
    LaidKind.LUCKY_EGG: Words("a lucky egg", "蛋"),
    LaidKind.KONG_CONCEALED: Words("a concealed kong", "暗杠"),
    LaidKind.KONG_EXPOSED: Words("a kong with a discard", "明杠"),
    LaidKind.KONG_ADDED: Words("an added kong", "补杠"),
    LaidKind.GOLDEN_KONG: Words("a Golden Kong", "金杠"),
}


@dataclass(frozen=True, slots=True)
class ShownAt:
    """One hand, and what it comes to at each value of a setting.

    Attributes:
        hands: tiles to draw, hand by hand.
        situation: how it stands, in sentences.
        outcomes: by value, what the rules say; equal words mean that this hand shows no difference.
    """

    hands: tuple[Tiles, ...]
    situation: tuple[Words, ...]
    outcomes: tuple[tuple[OptionValue, Words], ...]


def shown_hands(rules: RuleSet, option: Option) -> tuple[ShownAt, ...]:
    """The hands that show a setting, the other settings as they are in force.

    Where that hides the difference, the others are at their defaults instead.
    """
    found = [_shown(rules, option, row) for row in _rows(rules.id) if row["option"] == option.name]
    if any((len({words for _, words in each.outcomes}) > 1) for each in found):
        return tuple(found)
    plain = rules.with_options({each.name: each.default for each in rules.options})
    return tuple(
        _shown(plain, option, row) for row in _rows(rules.id) if row["option"] == option.name
    )


@cache
def _rows(id: str) -> tuple[Mapping[str, object], ...]:
    path = SHOWN_FOLDER / f"{id}.jsonl"
    if not path.exists():
        return ()
    return tuple(map(json.loads, path.read_text(encoding="utf-8").splitlines()))


def values_shown(rules: RuleSet, option: Option) -> tuple[OptionValue, ...]:
    """The values that are compared: all; of an amount the default, another, and the one chosen."""
    if not isinstance(option.values, range):
        return option.values
    every = (option.default, OTHER_AMOUNTS[option.name], rules.chosen[option.name])
    return tuple(dict.fromkeys(every))


def _shown(rules: RuleSet, option: Option, row: Mapping[str, object]) -> ShownAt:
    kind, given = str(row["kind"]), row["given"]
    assert isinstance(given, dict)
    pinned = given.get("options", {})
    given = {key: value for key, value in given.items() if key != "options"}
    outcomes = tuple(
        (value, _comes_to(rules.with_options({**pinned, option.name: value}), kind, given))
        for value in values_shown(rules, option)
    )
    # By what a case is told: a declared hand, or what else it gives
    sort = next((key for key in _GIVES if key in given), kind)
    if "concealed" in given and kind != "ready":
        sort = "win"
    hands, lines = _SITUATIONS[sort](rules.with_options(pinned), given)
    return ShownAt(hands, tuple(lines), outcomes)


# --- How it stands

_GIVES = ("wins", "values", "hand", "events", "check")
_Given = Mapping[object, object]
_Told = tuple[tuple[Tiles, ...], list[Words]]


def _tiles_of(concealed: Tiles, melds: tuple[Meld, ...]) -> tuple[Tiles, ...]:
    return (tuple(sorted(concealed)), *(meld.tiles + meld.supplements for meld in melds))


def _won(rules: RuleSet, given: _Given) -> _Told:
    shown = read_win(given)
    return _tiles_of(shown.concealed, shown.melds), [*beside_words(shown, rules), how_words(shown)]


def _wins(rules: RuleSet, given: _Given) -> _Told:
    read = Given(given)
    wins = [read_win(each, read.whole("dealer")) for each in read.items("wins")]
    lines = [line for shown in wins for line in (*beside_words(shown, rules), how_words(shown))]
    birds = read.tile_list("birds")
    if birds:
        told = tiles_words(birds)
        lines.append(Words("Birds to turn, in order: {told}", "依次可翻的鸟牌：{told}", told=told))
    hands = (hand for shown in wins for hand in _tiles_of(shown.concealed, shown.melds))
    return tuple(hands), lines


def _valued(rules: RuleSet, given: _Given) -> _Told:
    read = Given(given)
    values, winner, east = read.wholes("values"), read.whole("winner"), read.whole("east")
    named = [
        Words("seat {seat} {value}", "座位 {seat} {value}", seat=seat, value=value)
        for seat, value in enumerate(values)
    ]
    lines = [
        phrase("shown_hands.hands_are_worth_seat", named=joined(named), winner=winner, east=east)
    ]
    lines += [
        Words("Seat {seat} has too few tiles.", "座位 {seat} 少张。", seat=seat)
        for seat in read.object("dead")  # the worked example has a short hand
    ]
    return (), lines


def _dealt(rules: RuleSet, given: _Given) -> _Told:
    read = Given(given)
    hand, seat, dealer = read.tiles("hand"), read.whole("seat"), read.whole("dealer")
    return (tuple(sorted(hand)),), [
        phrase("shown_hands.dealt_hand_of_seat", seat=seat, dealer=dealer)
    ]


def _laid(rules: RuleSet, given: _Given) -> _Told:
    read = Given(given)
    laid, lines = read_laid(read.items("events")), []
    for each in laid:
        name = _LAID[each.kind]
        lines.append(
            Words("Seat {seat} laid {name}.", "座位 {seat}：{name}。", seat=each.seat, name=name)
        )
        if each.robbed:
            lines.append(Words("A tile appended to it was taken.", "补蛋的牌被要走。"))
        if each.won_on_next_discard_by is not None:
            lines.append(Words("The discard after it was won.", "杠后打出的牌被和。"))
    if "result" in read:
        lines.append(Words("The hand is drawn.", "流局。"))
    if "antes" in read:
        lines.append(Words("The dealer, seat 0, has doubled down.", "庄家（座位 0）已坐庄加倍。"))
    return tuple(each.tiles + each.supplements for each in laid if each.tiles), lines


def _appended(rules: RuleSet, given: _Given) -> _Told:
    read = Given(given)
    egg, tile = parse_tiles(read.text("egg_tiles")), read.tile("tile")
    named = tile_words(tile)
    how = Words("discarded by another", "他家打出") if "source" in read else Words("drawn", "自摸")
    return (egg, (tile,)), [phrase("shown_hands.egg_and_the_tile", named=named, how=how)]


def _ready(rules: RuleSet, given: _Given) -> _Told:
    hand = read_ready(Given(given))
    lines = [Words("{ready}.", "{ready}。", ready=rules.ready_names)]
    if hand.discard_number is not None:
        lines = [phrase("shown_hands.with_discard", n=hand.discard_number, ready=rules.ready_names)]
    return _tiles_of(hand.concealed, hand.melds), lines


def _claimed(rules: RuleSet, given: _Given) -> _Told:
    offer, claims = read_offer(rules, Given(given))
    tile = tile_words(offer.tile)
    lines = [phrase("shown_hands.seat_discards", seat=offer.seat, tile=tile)]
    if offer.source is TileSource.OWN_DRAW:
        lines = [phrase("shown_hands.seat_draws", seat=offer.seat, tile=tile)]
    elif offer.source is TileSource.KONG_CONCEALED:
        lines = [phrase("shown_hands.seat_lays_a_concealed", seat=offer.seat, tile=tile)]
    if offer.last_four:
        lines.append(Words("It is one of the last four tiles.", "这是最后四张之一。"))
    for claim in claims:
        lines.append(phrase("shown_hands.seat_claims", seat=claim.seat, call=_CALLS[claim.call]))
        if claim.sacred:
            lines.append(phrase("shown_hands.seat_has_discarded", seat=claim.seat))
    hands = (hand for claim in claims for hand in _tiles_of(claim.hand, claim.melds))
    return ((offer.tile,), *hands), lines


_SITUATIONS: Mapping[str, Callable[[RuleSet, _Given], _Told]] = {
    "win": _won,
    "wins": _wins,
    "values": _valued,
    "hand": _dealt,
    "events": _laid,
    "check": _appended,
    "ready": _ready,
    "call": _claimed,
}


# --- What it comes to


def _comes_to(rules: RuleSet, kind: str, given: _Given) -> Words:
    match kind:
        case "win" | "reject":
            return _judged(rules, read_win(given))
        case "ready":
            verdict = declare_ready(rules, read_ready(Given(given)))
            if not verdict.ready:
                why = joined([each.words for each in verdict.refusals], SPACE)
                return phrase("shown_hands.may_not_be_declared", why=why, ready=rules.ready_names)
            waits = joined([tile_words(tile) for tile in verdict.waits])
            return phrase("shown_hands.may_be_declared", waits=waits, ready=rules.ready_names)
        case "call":
            return joined(list(_awarded(rules, given)), SPACE)
        case "penalty" if "concealed" in given:
            shown = read_win(given)
            if judge(rules, shown).valid:
                return _judged(rules, shown)
            paid = false_win(rules, seat=shown.winner, dealer=shown.dealer)
            steps = joined(list(paid.steps), SPACE) if paid.steps else _NOTED
            refused = _refused(judge(rules, shown).refusals)
            return Words("{refused} {steps}", "{refused}{steps}", refused=refused, steps=steps)
        case "settle" if "wins" in given:
            return _settled(rules, given)
        case "instant" if "hand" in given:
            return _opened(rules, given)
        case _:
            # Whether a tile may be appended to an egg; what values, kongs and eggs move
            read = Given(given)
            if "check" in read and rules.eggs is not None:
                refusal = rules.eggs.refuse(read_appended(read), rules.chosen)
                return Words("Not allowed.", "不可以。") if refusal else Words("Allowed.", "可以。")
            if "values" in read and rules.settle_values is not None:
                return _moved(rules.settle_values(read_values(read), rules.chosen).transfers)
            laid, where = read_laid_hand(read)
            return _moved(pay_laid(rules, laid, where).transfers)


def _judged(rules: RuleSet, shown: ShownHand) -> Words:
    verdict = judge(rules, shown)
    if not verdict.valid:
        return _refused(verdict.refusals)
    paid, named = paid_words(verdict.payments, shown.winner), named_words(verdict.patterns)
    return Words("A win: {paid}{named}.", "和牌：{paid}{named}。", paid=paid, named=named)


def _opened(rules: RuleSet, given: _Given) -> Words:
    """A dealt hand's score."""
    read = Given(given)
    start = instant_wins(
        rules, read.tiles("hand"), seat=read.whole("seat"), dealer=read.whole("dealer")
    )
    if start.refusals:
        why = joined([each.words for each in start.refusals], SPACE)
        return Words("No starting hand: {why}", "不是起手牌：{why}", why=why)
    names = [win.names for win in start.wins]
    moved = _moved(start.payments)
    if not names:
        return moved
    return Words("{scored}. {moved}", "{scored}。{moved}", scored=joined(names), moved=moved)


def _refused(refusals: tuple[Refusal, ...]) -> Words:
    why = joined([each.words for each in refusals], SPACE)
    return Words("No win: {why}", "不成和：{why}", why=why)


def _awarded(rules: RuleSet, given: _Given) -> Iterator[Words]:
    offer, claims = read_offer(rules, Given(given))
    result = award(rules, offer, claims)
    for claim in result.awarded:
        call = _CALLS[claim.call]
        yield Words("Seat {seat} gets {call}.", "座位 {seat} {call}。", seat=claim.seat, call=call)
    for claim, refusal in result.refused:
        yield Words("Seat {seat}: {why}", "座位 {seat}：{why}", seat=claim.seat, why=refusal.words)


def _settled(rules: RuleSet, given: _Given) -> Words:
    """Several hands on one tile, with as many of the birds as the rules turn."""
    read = Given(given)
    wins = [read_win(each, read.whole("dealer")) for each in read.items("wins")]
    birds = read.tile_list("birds")
    if birds is not None and rules.birds is not None:
        sets = 1 if rules.birds.shared(rules.chosen) else len(wins)
        birds = birds[: rules.birds.count * sets]
    settlement = settle_wins(rules, wins, birds)
    for verdict in settlement.verdicts.values():
        if not verdict.valid:
            return _refused(verdict.refusals)
    return _moved(settlement.payments)


_NOTED = Words("It is noted as a false win; nobody pays.", "记为诈和，无人付分。")


def _moved(payments: Transfers) -> Words:
    moved = [(seat, points) for seat, points in enumerate(payments) if points]
    if not moved:
        return Words("Nobody pays.", "无人付分。")
    said = [
        Words("seat {seat} {points}", "座位 {seat} {points}", seat=seat, points=f"{points:+d}")
        for seat, points in moved
    ]
    return Words("{said}.", "{said}。", said=capitalised(joined(said, COMMA)))
