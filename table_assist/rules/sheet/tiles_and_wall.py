"""The rule sheet's first part: the tiles, the wall, the deal, and what is put down before it."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from table_assist.hand.tile_words import MELDS
from table_assist.rules import wall
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.sheet.in_words import tiles_kept_back
from table_assist.rules.sheet.names import join, suits_of
from table_assist.rules.sheet.rows import NOTHING, Row
from table_assist.words import Words

_SEATS = (
    Words("dealer", "庄家"),
    Words("right", "下家"),
    Words("opposite", "对家"),
    Words("left", "上家"),
)


def set_rows(rules: RuleSet) -> Iterator[Row]:
    """At the options in force; seats are named from the dealer."""
    suits, bonus = suits_of(rules.kinds), rules.bonus_tiles
    extra = suits_of(bonus) if bonus else NOTHING
    yield _fact(
        "tiles",
        "Tiles",
        "牌",
        f"{rules.tiles_in_wall}: {suits.en}, {rules.copies} of each"
        + (f"; {extra.en}, one of each." if bonus else "."),
        f"{rules.tiles_in_wall} 张：{suits.zh}，各 {rules.copies} 张"
        + (f"；{extra.zh}，各一张。" if bonus else "。"),
    )
    melds = join([MELDS[kind] for kind in MELDS if kind in rules.meld_kinds])
    yield _fact("melds", "Melds", "副露", f"{melds.en}.", f"{melds.zh}。")
    if rules.wall.is_built(rules.chosen):
        yield from _wall(rules)
    yield _deal(rules)
    together = rules.settles_together(rules.chosen)
    yield _fact(
        "winners",
        "Winners on one tile",
        "同时和牌",
        "All of them." if together else "The first of them alone.",
        "都和。" if together else "只有优先的一家。",
    )
    if rules.birds is not None:
        count = rules.birds.count
        yield _fact("birds", "Birds", "扎鸟", f"{count} are turned.", f"翻 {count} 张。")
    if rules.exchange is not None:
        count = rules.exchange.count
        yield _fact(
            "exchange",
            "Exchange",
            "换牌",
            f"{count} tiles of one suit are passed on.",
            f"换 {count} 张同门牌。",
        )
    if rules.antes is not None:
        tokens = rules.antes.tokens
        yield _fact(
            "antes",
            "Antes",
            "拉庄",
            f"{tokens} challenge tokens to each player.",
            f"每人 {tokens} 个拉庄筹码。",
        )


def _wall(rules: RuleSet) -> Iterator[Row]:
    stacks = wall.stacks_of(rules, 0)
    left, dead = wall.tiles_after_deal(rules), tiles_kept_back(rules)
    yield _fact(
        "wall",
        "Wall",
        "牌墙",
        f"Stacks of two: {_by_seat(stacks).en}. {left} tiles are left after the deal"
        + (f", the last {dead} of which are not drawn in turn." if dead else "."),
        f"每墩两张：{_by_seat(stacks).zh}。发牌后余 {left} 张"
        + (f"，其中最后 {dead} 张不依次摸取。" if dead else "。"),
    )
    if rules.wall.clockwise(rules.chosen):
        way = Words("clockwise", "顺时针")
    else:
        way = Words("counter-clockwise", "逆时针")
    first = _SEATS[rules.wall.first_side(rules.chosen)]
    yield _fact(
        "break",
        "Break",
        "开牌",
        f"The dice are counted {way.en}; the {first.en}'s side is one.",
        f"骰子{way.zh}数，{first.zh}的牌墙为一。",
    )


def _deal(rules: RuleSet) -> Row:
    blocks = wall.deal(rules, dealer=0)
    sizes = [sum(count for taker, count in blocks if taker == seat) for seat in range(4)]
    held, rounds = _by_seat(sizes), [Words(*texts) for texts in _rounds(blocks)]
    taken = join(rounds, "; ", "；")
    return _fact(
        "deal", "Deal", "发牌", f"{held.en} tiles: {taken.en}.", f"{held.zh} 张：{taken.zh}。"
    )


def _rounds(blocks: tuple[tuple[int, int], ...]) -> Iterator[tuple[str, str]]:
    """Who takes how many, in English and Chinese, equal rounds as one."""
    rounds: list[list[tuple[int, int]]] = []
    for taker, count in blocks:
        if taker == 0 or not rounds:
            rounds.append([])
        rounds[-1].append((taker, count))
    for each, same in groupby(rounds):
        times = len(list(same))
        en = ", ".join(f"{_SEATS[taker].en} {count}" for taker, count in each)
        zh = "、".join(f"{_SEATS[taker].zh} {count}" for taker, count in each)
        yield (f"{times} × ({en})", f"{times} ×（{zh}）") if times > 1 else (en, zh)


def _by_seat(numbers: Iterable[int]) -> Words:
    named = list(zip(_SEATS, numbers, strict=True))
    return Words(
        ", ".join(f"{seat.en} {number}" for seat, number in named),
        "、".join(f"{seat.zh} {number}" for seat, number in named),
    )


def _fact(id: str, name_en: str, name_zh: str, en: str, zh: str) -> Row:
    return Row(id, Words(name_en, name_zh), words=(Words(en[0].upper() + en[1:], zh),))
