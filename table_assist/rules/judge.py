"""Judges a shown hand: ``judge(rules, shown) -> Verdict``.

It never raises for a bad hand: what is wrong with it is the answer, all of it. Of several readings
the one that pays best counts. A tile that nobody could read is never guessed: the verdict is then
not valid and lists the faces that would make it so.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from table_assist.hand.divide import Division, HandSet
from table_assist.melds import MeldKind
from table_assist.rules.ruleset import Condition, Pattern, RuleSet, WildRule, Win
from table_assist.rules.shown import Circumstance, ShownHand
from table_assist.rules.unread import MOST_UNREAD, completions, places
from table_assist.rules.verdict import Counted, Refusal, Verdict
from table_assist.rules.words import Words
from table_assist.tiles import Tile, format_tiles

_HAND = 14
_NO_READING = Division("none", ())


def judge(rules: RuleSet, shown: ShownHand) -> Verdict:
    """Say whether the hand wins, what counts and who pays; or every reason why not."""
    unread = places(shown)
    if unread:
        return _judge_unread(rules, shown, len(unread))
    refusals = list(_basic_refusals(rules, shown))
    if any(refusal.id == "tile_count" for refusal in refusals):
        return Verdict(valid=False, refusals=tuple(refusals))
    found = readings(rules, shown)
    if not found:
        refusals.append(_structure(rules, shown))
    refusals += _failures(rules, shown, found)
    if refusals:
        return Verdict(False, tuple(refusals), figures=_refused_points(rules, found))
    return max(
        (_score(rules, win) for win in found if not failed_conditions(rules.conditions, win)),
        key=lambda verdict: (
            verdict.payments[shown.winner],
            verdict.total,
            len(verdict.patterns),
        ),
    )


def strange_tiles(strange: Iterable[Tile]) -> Refusal:
    """The refusal of tiles that the game does not have."""
    text = format_tiles(strange)
    return Refusal(
        "tile_set",
        Words(f"{text}: not among the tiles of this game.", f"{text}：本玩法没有这种牌。"),
    )


def too_many_copies(rules: RuleSet, tiles: Iterable[Tile]) -> Iterator[Refusal]:
    """A refusal for each kind of which there are more than the set holds."""
    for tile, count in sorted(Counter(tiles).items()):
        copies = rules.copies_of(tile)
        if 0 < copies < count:
            yield Refusal(
                "tile_limit",
                Words(
                    f"{count} copies of {tile}; the set has {copies}.",
                    f"{tile} 出现 {count} 张，全副牌只有 {copies} 张。",
                ),
            )


def _basic_refusals(rules: RuleSet, shown: ShownHand) -> Iterator[Refusal]:
    """What is wrong with the tiles and melds themselves, whatever the sets are."""
    tiles = shown.tiles + (shown.birds or ()) + shown.bonus
    strange = sorted({tile for tile in tiles if tile.is_face and not rules.copies_of(tile)})
    if strange:
        yield strange_tiles(strange)
    expected = max(0, _HAND - 3 * len(shown.melds))
    held = len(shown.concealed)
    if held != expected or expected < 2:
        yield Refusal(
            "tile_count",
            Words(
                f"{held} tiles in hand beside {len(shown.melds)} melds; a win has {expected}.",
                f"{len(shown.melds)} 组副露外有手牌 {held} 张，和牌应为 {expected} 张。",
            ),
        )
    birds_turned = rules.birds.count if rules.birds else 0
    if len(shown.birds or ()) > birds_turned:
        yield Refusal(
            "tile_count",
            Words(
                f"{len(shown.birds or ())} birds; the rules turn {birds_turned}.",
                f"扎鸟 {len(shown.birds or ())} 张，规则只翻 {birds_turned} 张。",
            ),
        )
    yield from too_many_copies(rules, tiles)
    if shown.winning_tile not in shown.concealed:
        yield Refusal(
            "winning_tile",
            Words(
                f"The winning tile {shown.winning_tile} is not among the tiles in hand.",
                f"和牌张 {shown.winning_tile} 不在手牌中。",
            ),
        )
    yield from _discarder_refusals(shown)
    yield from _meld_refusals(rules, shown)
    if rules.wilds is not None:
        yield from _wild_refusals(rules, rules.wilds, shown)


def _discarder_refusals(shown: ShownHand) -> Iterator[Refusal]:
    if shown.self_drawn and shown.discarder is not None:
        yield Refusal(
            "discarder",
            Words(
                f"Self-drawn, yet seat {shown.discarder} is named as discarder.",
                f"既为自摸，又记座位 {shown.discarder} 点炮。",
            ),
        )
    unclaimed = shown.self_drawn or Circumstance.TREASURE_RUSH in shown.circumstances
    if not unclaimed and shown.discarder is None:
        yield Refusal(
            "discarder",
            Words("It is not known whose tile was won.", "不知道和的是谁打出的牌。"),
        )


def _meld_refusals(rules: RuleSet, shown: ShownHand) -> Iterator[Refusal]:
    for meld in shown.melds:
        if any(not tile.is_face for tile in meld.tiles + meld.supplements):
            continue
        if meld.kind is MeldKind.CHOW and meld.kind not in rules.meld_kinds:
            yield Refusal(
                "chow_meld",
                Words(f"{meld}: this game has no chow melds.", f"{meld}：本玩法不能吃。"),
            )
        elif not rules.is_meld(meld):
            yield Refusal("meld_invalid", Words(f"{meld} is no meld.", f"{meld}：不成副露。"))


def _wild_refusals(rules: RuleSet, rule: WildRule, shown: ShownHand) -> Iterator[Refusal]:
    """Wild tiles unknown or such as no turned tile makes, in wrong melds, or a copy too many."""
    if not shown.wilds:
        words = Words("It is not known which tiles are wild.", "不知道哪些牌是混儿。")
        yield Refusal("wild_tiles", words)
        return
    turned = [each for each in shown.wilds if each in rules.kinds]
    turned = [each for each in turned if set(rule.kinds(each)) == set(shown.wilds)]
    if not turned:
        text = format_tiles(shown.wilds)
        words = Words(f"No turned tile makes {text} wild.", f"没有翻出的牌使 {text} 成为混儿。")
        yield Refusal("wild_tiles", words)
        return
    for meld in shown.melds:
        if meld.kind not in rule.melds and meld.is_well_formed and meld.tiles[0] in shown.wilds:
            words = Words(f"{meld}: wild tiles form no such meld.", f"{meld}：混儿不能如此副露。")
            yield Refusal("wild_in_meld", words)
    if shown.tiles.count(turned[0]) == rules.copies:
        words = Words(
            f"{rules.copies} copies of {turned[0]} beside the one turned up.",
            f"除翻出的一张外，{turned[0]} 还有 {rules.copies} 张。",
        )
        yield Refusal("tile_limit", words)


def _structure(rules: RuleSet, shown: ShownHand) -> Refusal:
    shapes_en = ", ".join(shape.names.en for shape in rules.shapes)
    shapes_zh = "、".join(shape.names.zh for shape in rules.shapes)
    text = format_tiles(sorted(shown.concealed))
    return Refusal(
        "structure",
        Words(
            f"{text} with {len(shown.melds)} melds is none of: {shapes_en}.",
            f"{text}（{len(shown.melds)} 组副露）不成牌型：{shapes_zh}。",
        ),
    )


def readings(rules: RuleSet, shown: ShownHand) -> list[Win]:
    """Every way to read the tiles as a complete hand; whether it wins is not asked."""
    return list(_readings(rules, shown))


def failed_conditions(conditions: Iterable[Condition], win: Win) -> list[Refusal]:
    """What one reading lacks of what is asked."""
    return [
        Refusal(condition.id, condition.words)
        for condition in conditions
        if not condition.predicate(win)
    ]


def _readings(rules: RuleSet, shown: ShownHand) -> Iterator[Win]:
    for shape in rules.shapes:
        for division in shape.divide(shown, rules.chosen):
            if rules.places_winning_tile and division.sets:
                for part in _filled(shown, division):
                    yield Win(shown, division, rules.chosen, part)
            else:
                yield Win(shown, division, rules.chosen)


def _filled(shown: ShownHand, division: Division) -> list[HandSet]:
    """The distinct parts of a division that the winning tile may have completed.

    Where nothing is wild from the start, a wild tile in a division is the winning one.
    """
    stands_in = tuple(part for part in dict.fromkeys(division.sets) if part.wilds)
    if stands_in and not shown.wilds:
        return list(stands_in)
    wild = shown.winning_tile in shown.wilds
    return [
        part
        for part in dict.fromkeys(division.sets)
        if (wild and part.wilds)
        or any(
            tile == shown.winning_tile
            for place, tile in enumerate(part.tiles)
            if place not in part.wilds
        )
    ]


def _failures(rules: RuleSet, shown: ShownHand, found: list[Win]) -> list[Refusal]:
    """The conditions failed by the reading nearest to a win; without one, those that need none."""
    if found:
        return min((failed_conditions(rules.conditions, win) for win in found), key=len)
    on_tiles = (condition for condition in rules.conditions if not condition.needs_reading)
    return failed_conditions(on_tiles, Win(shown, _NO_READING, rules.chosen))


def _refused_points(rules: RuleSet, found: list[Win]) -> dict[str, int]:
    """What the reading nearest to a win would score, where the rule set names it."""
    if rules.points is None or not found:
        return {}
    least = min(len(failed_conditions(rules.conditions, win)) for win in found)
    near = (win for win in found if len(failed_conditions(rules.conditions, win)) == least)
    return {"points": max(map(rules.points, near))}


def _score(rules: RuleSet, win: Win) -> Verdict:
    counted = count_patterns(rules.patterns, win)
    total = rules.total(win, counted)
    payment = rules.pay(win, total)
    assert sum(payment.transfers) == 0, f"{rules.id} pays {payment.transfers}, which is not zero"
    return Verdict(
        valid=True,
        patterns=counted,
        total=total.points,
        payments=payment.transfers,
        figures=total.figures,
        steps=total.steps + payment.steps,
        division=win.division,
    )


def count_patterns(patterns: tuple[Pattern, ...], win: Win) -> tuple[Counted, ...]:
    """The patterns of one reading, less those that another one implies."""
    met = [pattern for pattern in patterns if pattern.predicate(win)]
    implied = {
        other for pattern in met if pattern.implies_if(win.options) for other in pattern.implies
    }
    return tuple(
        Counted(
            pattern.id,
            pattern.names,
            pattern.value if isinstance(pattern.value, int) else pattern.value(win),
        )
        for pattern in met
        if pattern.id not in implied
    )


def _judge_unread(rules: RuleSet, shown: ShownHand, count: int) -> Verdict:
    """The verdict on unread tiles: what is wrong anyway, else what each face would make of it."""
    known = tuple(each for each in _basic_refusals(rules, shown) if each.id != "winning_tile")
    found = () if known else completions(rules, shown, judge)
    if known or found:
        more = Words("", "")
    elif count > MOST_UNREAD:
        more = Words(" That is too many to try every face.", "过多，不逐一试算。")
    else:
        more = Words(" No face makes it a win.", "无论是什么牌都不能和。")
    refusal = Refusal(
        "unknown_tile",
        Words(
            f"{count} tile{'s' if count > 1 else ''} could not be read.{more.en}",
            f"有 {count} 张牌无法辨认。{more.zh}",
        ),
    )
    return Verdict(valid=False, refusals=(refusal, *known), completions=found)
