"""The answer on a typed hand in words, English or Chinese, and as JSON."""

from collections.abc import Iterable, Iterator, Mapping

from table_assist.languages.words import (
    AND,
    COMMA,
    OR,
    SEMICOLON,
    SPACED,
    Plural,
    Words,
    joined,
    phrase,
    same,
)
from table_assist.rules.by_hand.typed import JudgedHand
from table_assist.rules.profile import Profile
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.sheet.names import CIRCUMSTANCES
from table_assist.rules.shown import Circumstance, ShownHand
from table_assist.rules.verdict import Completion, Counted, Refusal, Transfers, Verdict
from table_assist.rules.waiting import ReadyHelp
from table_assist.tiles.divide import HandSet, SetKind, set_of
from table_assist.tiles.melds import MELD_NAMES, tile_noted, tiles_words
from table_assist.tiles.tile import Tile, format_tiles

# More ways to read a hand than this only tire the reader; JSON has them all.
_WAYS_TOLD = 12
_EITHER = Words("{one} or {next}", "{one}、{next}")
_TOLD_BESIDE = Words("{one} {next}", "{one}、{next}")


def tell(answer: JudgedHand | ReadyHelp, profile: Profile) -> list[Words]:
    """The whole answer, line by line."""
    rules = profile.rules
    lines = [
        phrase(
            "telling.name_id", name=profile.name, id=rules.id, names=rules.names, id_2=profile.id
        )
    ]
    shown = answer.shown
    lines.append(Words("In hand: {tiles}", "手牌：{tiles}", tiles=tiles_words(shown.concealed)))
    for meld in shown.melds:
        name, text = MELD_NAMES[meld.kind], tiles_words(meld.tiles)
        added = tiles_words(meld.supplements)
        plus = Words(" + {added}", " + {added}", added=added) if meld.supplements else Words("", "")
        lines.append(phrase("telling.meld", name=name, text=text, plus=plus))
    lines += beside_words(shown, rules)
    if rules.next_round is not None and answer.shown.prevailing is None:
        lines.append(Words("Prevailing wind: not given, so none counts.", "圈风：未注明，不计。"))
    if isinstance(answer, JudgedHand):
        lines += _judged(answer)
    else:
        lines += _ready(answer, rules)
    return lines


def to_json(answer: JudgedHand | ReadyHelp, profile: Profile) -> dict[str, object]:
    """The whole answer; words stand in both languages."""
    shown = answer.shown
    head: dict[str, object] = {
        "ruleset": profile.rules.id,
        "profile": profile.id,
        "profile_hash": profile.hash,
        "concealed": format_tiles(shown.concealed),
        "melds": [str(meld) for meld in shown.melds],
        "winner": shown.winner,
        "dealer": shown.dealer,
    }
    if isinstance(answer, JudgedHand):
        winning_tile = None if answer.any_tile else str(shown.winning_tile)
        return head | {"winning_tile": winning_tile} | _verdict_json(answer.verdict)
    waits = [
        {
            "tile": str(wait.tile),
            "unseen": wait.unseen,
            "self_drawn": None if wait.drawn is None else _verdict_json(wait.drawn),
            "discarded": {str(seat): _verdict_json(each) for seat, each in wait.claimed.items()},
        }
        for wait in answer.waits
    ]
    declaring: dict[str, object] = {}
    if answer.declaring is not None:
        declaring["may_declare_ready"] = answer.declaring.ready
        declaring["declaring_refused"] = _refusals_json(answer.declaring.refusals)
    refusals = _refusals_json(answer.refusals)
    return head | {"ready": answer.good, "waits": waits, "refusals": refusals} | declaring


# --- The hand


def beside_words(shown: ShownHand, rules: RuleSet) -> Iterator[Words]:
    """Whose hand it is and what lies beside its tiles, a line each."""
    yield phrase("telling.seat_s_hand_seat", winner=shown.winner, dealer=shown.dealer)
    for en, zh, named in (
        ("Wild", "混儿", shown.wilds),
        ("Treasure", "宝牌", shown.treasures),
        ("Flowers and seasons", "花牌", shown.bonus),
        ("Birds", "扎鸟", shown.birds or ()),
        ("Prevailing wind", "圈风", () if shown.prevailing is None else (shown.prevailing,)),
    ):
        if named:
            told = tiles_words(named)
            yield Words("{said}: {told}", "{said}：{told}", said=Words(en, zh), told=told)
    # How far play has come, and what was staked
    if shown.wall_remaining is not None:
        left = shown.wall_remaining
        yield Words("Tiles left in the wall: {left}", "牌墙余牌：{left} 张", left=left)
    if shown.discard_round is not None:
        number = shown.discard_round
        yield Words("Round of discards: {number}", "出牌轮次：第 {number} 轮", number=number)
    if shown.antes.double_down:
        yield Words("The dealer has doubled down.", "庄家已坐庄加倍。")
    for seat, tokens in enumerate(shown.antes.challenges):
        if tokens:
            yield Plural(
                tokens,
                "Seat {seat} challenges the dealer with {n} token.",
                "Seat {seat} challenges the dealer with {n} tokens.",
                "座位 {seat} 用 {n} 个筹码拉庄。",
                seat=seat,
            )
    if shown.circumstances:
        met = [CIRCUMSTANCES[each] for each in CIRCUMSTANCES if each in shown.circumstances]
        said = joined(met).filled(ready=rules.ready_names)
        yield Words("Circumstances: {met}", "情形：{met}", met=said)


# --- A verdict


def _judged(answer: JudgedHand) -> Iterator[Words]:
    yield how_words(answer.shown, any_tile=answer.any_tile)
    yield Words("", "")
    if answer.verdict.valid:
        yield from _won(answer)
    else:
        verdict = answer.verdict
        if "unknown_tile" in {refusal.id for refusal in verdict.refusals}:
            yield Words("CANNOT TELL: tiles are unread.", "无法判定：有牌未能辨认。")
            yield from _indented(each.words for each in verdict.refusals)
        elif answer.unsaid:
            unsaid = joined([_UNSAID[each] for each in _UNSAID if each in answer.unsaid], SEMICOLON)
            yield Words("CANNOT TELL: {unsaid}.", "无法判定：{unsaid}。", unsaid=unsaid)
        else:
            yield Words("NOT A WIN.", "不能和牌。")
            yield from _indented(each.words for each in verdict.refusals)
            if answer.otherwise:
                yield Words("It would be a win otherwise:", "换个和法则成和：")
        yield from _indented(_ways(verdict.completions, answer.shown.winner))
        yield from _indented(_from_each(answer.otherwise, answer.shown.winner))


def how_words(shown: ShownHand, *, any_tile: bool = False) -> Words:
    """How it was won."""
    with_ = Words(" with {tile}", "和牌张{tile}，", tile=tile_noted(shown.winning_tile))
    if any_tile:
        with_ = Words(" with whichever tile came last", "和牌张为任一张均可，")
    if shown.self_drawn:
        return Words("Won{with_}, self-drawn.", "{with_}自摸。", with_=with_)
    if shown.discarder is not None:
        seat = shown.discarder
        if Circumstance.ROBBED_EGG_SUPPLEMENT in shown.circumstances:
            giver = Words("robbed from an egg of seat {seat}", "抢座位 {seat} 的蛋", seat=seat)
        elif Circumstance.ROBBING_KONG in shown.circumstances:
            giver = Words("robbed from a kong of seat {seat}", "抢座位 {seat} 的杠", seat=seat)
        else:
            giver = Words("from seat {seat}", "座位 {seat} 点炮", seat=seat)
        return phrase("telling.won", with_=with_, from_seat=giver)
    if Circumstance.TREASURE_RUSH in shown.circumstances:
        return Words("Won by the treasure alone.", "冲宝。")
    return phrase("telling.won_nobody_said_whose", with_=with_)


def _won(answer: JudgedHand) -> Iterator[Words]:
    verdict, shown = answer.verdict, answer.shown
    paid = paid_words(verdict.payments, shown.winner)
    if answer.before_birds:
        yield Words("A WIN, before the birds: {paid}.", "和牌，扎鸟之前：{paid}。", paid=paid)
    else:
        yield Words("A WIN: {paid}.", "和牌：{paid}。", paid=paid)
    if verdict.division is not None and verdict.division.sets:
        # The sets: what the hand is made of, eggs with what was added, wild tiles named
        division = verdict.division
        wild = Words("wild", "混儿") if shown.wilds else Words("wild", "宝牌")
        melded = [part for part in division.sets if part.meld is not None]
        melded = melded or [set_of(meld) for meld in shown.melds]
        own = [part for part in division.sets if part.meld is None]
        own.sort(key=lambda part: part.kind is SetKind.PAIR)
        read = joined([_set(part, wild) for part in (*melded, *own)], SPACED)
        yield Words("  Read as: {read}", "  牌型：{read}", read=read)
    yield from _indented(verdict.steps)
    moved = [(seat, points) for seat, points in enumerate(verdict.payments) if points]
    if len(moved) > 1 + bool(shown.discarder is not None):
        said = [
            Words("seat {seat} {points}", "座位 {seat} {points}", seat=seat, points=f"{points:+d}")
            for seat, points in moved
        ]
        yield Words("  In all: {said}.", "  合计：{said}。", said=joined(said, COMMA))


def _set(part: HandSet, wild: Words) -> Words:
    tiles = tiles_words(part.tiles)
    if part.meld is not None and part.meld.supplements:
        added = tiles_words(part.meld.supplements)
        return Words("{tiles}+{added}", "{tiles}+{added}", tiles=tiles, added=added)
    if not part.wilds:
        return tiles
    if Tile.UNKNOWN in part.tiles:
        return Words("({count} {wild})", "（{wild} {count} 张）", count=len(part.wilds), wild=wild)
    stands = tiles_words(part.tiles[place] for place in part.wilds)
    return phrase("telling.tiles_stands_wild", tiles=tiles, stands=stands, wild=wild)


_UNSAID = {
    "discarder": phrase("telling.say_whether"),
    "wild_tiles": Words("say which tiles are wild", "请注明哪些牌是混儿"),
}


def _ways(completions: tuple[Completion, ...], winner: int) -> list[Words]:
    """The faces that make a win, those of one worth together."""
    alike: dict[tuple[object, ...], list[Completion]] = {}
    for each in completions:
        alike.setdefault((each.total, each.payments, each.patterns), []).append(each)
    told = []
    for ways in list(alike.values())[:_WAYS_TOLD]:
        faces = [tiles_words(tiles) for tiles in dict.fromkeys(way.tiles for way in ways)]
        named, paid = named_words(ways[0].patterns), paid_words(ways[0].payments, winner)
        told.append(phrase("telling.with_a_win", either=joined(faces, OR), paid=paid, named=named))
    if len(alike) > _WAYS_TOLD:
        more = len(alike) - _WAYS_TOLD
        told.append(Words("And wins of {more} other worths.", "另有 {more} 种和法。", more=more))
    return told


def _from_each(verdicts: Mapping[int | None, Verdict], winner: int) -> list[Words]:
    """A tile's worth when drawn, and from each seat; seats of one worth together."""
    told = []
    if None in verdicts:
        drawn = verdicts[None]
        paid, named = paid_words(drawn.payments, winner), named_words(drawn.patterns)
        told.append(
            Words("Self-drawn: {paid}{named}.", "自摸：{paid}{named}。", paid=paid, named=named)
        )
    alike: dict[tuple[Words, Words], list[int]] = {}
    for seat, verdict in verdicts.items():
        if seat is not None:
            paid = paid_words(verdict.payments, winner, discarder=seat)
            alike.setdefault((paid, named_words(verdict.patterns)), []).append(seat)
    for (paid, named), seats in alike.items():
        numbers = joined([same(str(seat)) for seat in seats], _EITHER)
        giver = Words("seat {numbers}", "座位 {numbers} ", numbers=numbers)
        told.append(
            Words(
                "From {giver}: {paid}{named}.",
                "{giver}点炮：{paid}{named}。",
                giver=Words("another seat", "任一家") if len(seats) == 3 else giver,
                paid=paid,
                named=named,
            )
        )
    return told


def paid_words(payments: Transfers, winner: int, discarder: int | None = None) -> Words:
    """The payments in half a sentence.

    Args:
        discarder: what it alone pays is said without its number.
    """
    debts: dict[int, list[int]] = {}
    for seat, points in enumerate(payments):
        if seat != winner and points:
            debts.setdefault(-points, []).append(seat)
    if len(debts) == 1:
        ((points, seats),) = debts.items()
        if len(seats) == 3:
            return Words("each other seat pays {points}", "其余三家各付 {points}", points=points)
        if seats == [discarder]:
            return Words("it pays {points}", "付 {points}", points=points)
    if not debts:
        return Words("nobody pays", "无人付分")
    return joined([_pay(seats, points) for points, seats in debts.items()], COMMA)


def _pay(seats: list[int], points: int) -> Words:
    """These seats pay so much, each of them."""
    if len(seats) == 1:
        return phrase("telling.seat_pays", seats=seats[0], points=points)
    return Words(
        "seats {named} pay {points} each",
        "座位 {named} 各付 {points}",
        named=joined([same(str(seat)) for seat in seats], AND),
        points=points,
    )


def named_words(patterns: tuple[Counted, ...]) -> Words:
    """The patterns that count, in brackets; nothing where none does."""
    if not patterns:
        return Words("", "")
    return Words(" ({names})", "（{names}）", names=joined([each.names for each in patterns]))


def _indented(lines: Iterable[Words]) -> Iterator[Words]:
    for each in lines:
        yield Words("  {each}", "  {each}", each=each)


# --- Ready help


def _ready(answer: ReadyHelp, rules: RuleSet) -> Iterator[Words]:
    yield Words("", "")
    if not answer.good:
        yield Words("NOT READY.", "未听牌。")
        yield from _indented(each.words for each in answer.refusals)
        return
    tiles = joined([tiles_words([wait.tile]) for wait in answer.waits], _TOLD_BESIDE)
    copies = sum(wait.unseen for wait in answer.waits)
    yield phrase("telling.ready_waits_for_unseen", tiles=tiles, copies=copies)
    for wait in answer.waits:
        yield phrase("telling.unseen", tile=tiles_words([wait.tile]), unseen=wait.unseen)
        verdicts: dict[int | None, Verdict] = {} if wait.drawn is None else {None: wait.drawn}
        for seat, verdict in wait.claimed.items():
            verdicts[seat] = verdict
        yield from _indented(_indented(_from_each(verdicts, answer.shown.winner)))
    if answer.declaring is None:
        return
    # With what it has to be declared; how many discards were made is not typed
    until = None if rules.ready is None else rules.ready.until
    if not answer.declaring.ready:
        said = Words("{ready} may not be declared.", "不可{ready}。")
    elif until is None:
        said = Words("{ready} may be declared.", "可以{ready}。")
    elif until == 1:
        said = Words("{ready} may be declared with the first discard.", "可在首次出牌时{ready}。")
    else:
        said = phrase("telling.may_be_declared", until=until)
    yield said.filled(ready=rules.ready_names)
    yield from _indented(each.words for each in answer.declaring.refusals)


# --- JSON


def _verdict_json(verdict: Verdict) -> dict[str, object]:
    return {
        "valid": verdict.valid,
        "refusals": _refusals_json(verdict.refusals),
        "patterns": _patterns_json(verdict.patterns),
        "total": verdict.total,
        "figures": dict(verdict.figures),
        "payments": list(verdict.payments),
        "steps": [_words_json(step) for step in verdict.steps],
        "completions": [
            {
                "tiles": [str(tile) for tile in each.tiles],
                "winning_tile": str(each.winning_tile),
                "total": each.total,
                "payments": list(each.payments),
                "patterns": _patterns_json(each.patterns),
            }
            for each in verdict.completions
        ],
    }


def _patterns_json(patterns: tuple[Counted, ...]) -> list[dict[str, object]]:
    return [
        {"name": each.id, "value": each.value, "names": _words_json(each.names)}
        for each in patterns
    ]


def _refusals_json(refusals: tuple[Refusal, ...]) -> list[dict[str, object]]:
    return [{"id": each.id, "words": _words_json(each.words)} for each in refusals]


def _words_json(words: Words) -> dict[str, object]:
    return {"en": words.en, "zh": words.zh}
