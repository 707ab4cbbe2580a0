"""The rule sheet's first part: the tiles, the wall, the deal, and what is put down before it."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from table_assist.languages.words import SEMICOLON, Words, capitalised, joined, with_value
from table_assist.rules import wall
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.sheet.in_words import tiles_kept_back
from table_assist.rules.sheet.names import suits_of
from table_assist.rules.sheet.rows import NOTHING, SheetRow
from table_assist.tiles.tile_words import MELDS

_SEATS = (
    Words("dealer", "庄家"),
    Words("right", "下家"),
    Words("opposite", "对家"),
    Words("left", "上家"),
)


def set_rows(rules: RuleSet) -> Iterator[SheetRow]:
    """At the options in force; seats are named from the dealer."""
    suits, bonus = suits_of(rules.kinds), rules.bonus_tiles
    each = Words("; {suits}, one of each", "；{suits}，各一张", suits=suits_of(bonus))
    yield _fact(
        "tiles",
        Words("Tiles", "牌"),
        Words(
            "{count}: {suits}, {copies} of each{extra}.",
            "{count} 张：{suits}，各 {copies} 张{extra}。",
            count=rules.tiles_in_wall,
            suits=suits,
            copies=rules.copies,
            extra=each if bonus else NOTHING,
        ),
    )
    melds = joined([MELDS[kind] for kind in MELDS if kind in rules.meld_kinds])
    yield _fact("melds", Words("Melds", "副露"), Words("{melds}.", "{melds}。", melds=melds))
    if rules.wall.is_built(rules.chosen):
        yield from _wall(rules)
    yield _deal(rules)
    together = rules.settles_together(rules.chosen)
    yield _fact(
        "winners",
        Words("Winners on one tile", "同时和牌"),
        Words("All of them.", "都和。")
        if together
        else Words("The first of them alone.", "只有优先的一家。"),
    )
    if rules.birds is not None:
        count = rules.birds.count
        yield _fact(
            "birds",
            Words("Birds", "扎鸟"),
            Words("{count} are turned.", "翻 {count} 张。", count=count),
        )
    if rules.exchange is not None:
        count = rules.exchange.count
        yield _fact(
            "exchange",
            Words("Exchange", "换牌"),
            Words("{count} tiles of one suit are passed on.", "换 {count} 张同门牌。", count=count),
        )
    if rules.antes is not None:
        tokens = rules.antes.tokens
        yield _fact(
            "antes",
            Words("Antes", "拉庄"),
            Words(
                "{tokens} challenge tokens to each player.",
                "每人 {tokens} 个拉庄筹码。",
                tokens=tokens,
            ),
        )


def _wall(rules: RuleSet) -> Iterator[SheetRow]:
    stacks = wall.stacks_of(rules, 0)
    left, dead = wall.tiles_after_deal(rules), tiles_kept_back(rules)
    kept = Words(
        ", the last {dead} of which are not drawn in turn",
        "，其中最后 {dead} 张不依次摸取",
        dead=dead,
    )
    yield _fact(
        "wall",
        Words("Wall", "牌墙"),
        Words(
            "Stacks of two: {stacks}. {left} tiles are left after the deal{kept}.",
            "每墩两张：{stacks}。发牌后余 {left} 张{kept}。",
            stacks=_by_seat(stacks),
            left=left,
            kept=kept if dead else NOTHING,
        ),
    )
    if rules.wall.clockwise(rules.chosen):
        way = Words("clockwise", "顺时针")
    else:
        way = Words("counter-clockwise", "逆时针")
    first = _SEATS[rules.wall.first_side(rules.chosen)]
    yield _fact(
        "break",
        Words("Break", "开牌"),
        Words(
            "The dice are counted {way}; the {first}'s side is one.",
            "骰子{way}数，{first}的牌墙为一。",
            way=way,
            first=first,
        ),
    )


def _deal(rules: RuleSet) -> SheetRow:
    blocks = wall.deal(rules, dealer=0)
    sizes = [sum(count for taker, count in blocks if taker == seat) for seat in range(4)]
    held, rounds = _by_seat(sizes), list(_rounds(blocks))
    taken = joined(rounds, SEMICOLON)
    return _fact(
        "deal",
        Words("Deal", "发牌"),
        Words("{held} tiles: {taken}.", "{held} 张：{taken}。", held=held, taken=taken),
    )


def _rounds(blocks: tuple[tuple[int, int], ...]) -> Iterator[Words]:
    """The numbers of tiles taken, equal rounds as one."""
    rounds: list[list[tuple[int, int]]] = []
    for taker, count in blocks:
        if taker == 0 or not rounds:
            rounds.append([])
        rounds[-1].append((taker, count))
    for each, equal in groupby(rounds):
        times = len(list(equal))
        said = joined([with_value(_SEATS[taker], count) for taker, count in each])
        yield (
            Words("{times} × ({said})", "{times} ×（{said}）", times=times, said=said)
            if times > 1
            else said
        )


def _by_seat(numbers: Iterable[int]) -> Words:
    return joined([with_value(*each) for each in zip(_SEATS, numbers, strict=True)])


def _fact(id: str, name: Words, words: Words) -> SheetRow:
    return SheetRow(id, name, words=(capitalised(words),))
