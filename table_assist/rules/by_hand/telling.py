"""The answer on a typed hand in words, English or Chinese, and as JSON."""

from collections.abc import Iterable, Iterator

from table_assist.rules.by_hand.typed import Judged
from table_assist.rules.profile import Profile
from table_assist.rules.ready_help import ReadyHelp, Wait
from table_assist.rules.sheet.names import CIRCUMSTANCES, MELDS, join
from table_assist.rules.shown import ShownHand
from table_assist.rules.verdict import Completion, Counted, Refusal, Verdict
from table_assist.tiles import Tile, format_tiles
from table_assist.words import Words

# More ways to read a hand than this only tire the reader; JSON has them all.
_WAYS_TOLD = 12

Json = dict[str, object]


def tell(answer: Judged | ReadyHelp, profile: Profile) -> list[Words]:
    """The whole answer, line by line."""
    rules = profile.rules
    lines = [Words(f"{profile.name} ({rules.id})", f"{rules.names.zh}（{profile.id}）")]
    lines += _situation(answer.shown)
    if rules.next_round is not None and answer.shown.prevailing is None:
        lines.append(Words("Prevailing wind: not given, so none counts.", "圈风：未注明，不计。"))
    if isinstance(answer, Judged):
        lines += _judged(answer)
    else:
        lines += _ready(answer)
    return lines


def to_json(answer: Judged | ReadyHelp, profile: Profile) -> Json:
    """The whole answer; words stand in both languages."""
    shown = answer.shown
    head: Json = {
        "ruleset": profile.rules.id,
        "profile": profile.id,
        "profile_hash": profile.hash,
        "concealed": format_tiles(shown.concealed),
        "melds": [str(meld) for meld in shown.melds],
        "winner": shown.winner,
        "dealer": shown.dealer,
    }
    if isinstance(answer, Judged):
        winning_tile = None if answer.any_tile else str(shown.winning_tile)
        return head | {"winning_tile": winning_tile} | _verdict_json(answer.verdict)
    waits = [_wait_json(wait) for wait in answer.waits]
    declaring: Json = {}
    if answer.declaring is not None:
        declaring["may_declare_ready"] = answer.declaring.ready
        declaring["declaring_refused"] = _refusals_json(answer.declaring.refusals)
    refusals = _refusals_json(answer.refusals)
    return head | {"ready": answer.good, "waits": waits, "refusals": refusals} | declaring


# --- The hand


def _situation(shown: ShownHand) -> Iterator[Words]:
    tiles = format_tiles(shown.concealed)
    yield Words(f"In hand: {tiles}", f"手牌：{tiles}")
    for meld in shown.melds:
        name, text = MELDS[meld.kind], format_tiles(meld.tiles + meld.supplements)
        yield Words(f"Meld: {name.en} {text}", f"副露：{name.zh} {text}")
    yield Words(
        f"Seat {shown.winner}'s hand; seat {shown.dealer} deals.",
        f"座位 {shown.winner} 的手牌；座位 {shown.dealer} 坐庄。",
    )
    for en, zh, named in (
        ("Wild", "混儿", shown.wilds),
        ("Treasure", "宝牌", shown.treasures),
        ("Flowers and seasons", "花牌", shown.bonus),
        ("Birds", "扎鸟", shown.birds or ()),
        ("Prevailing wind", "圈风", () if shown.prevailing is None else (shown.prevailing,)),
    ):
        if named:
            yield Words(f"{en}: {format_tiles(named)}", f"{zh}：{format_tiles(named)}")
    if shown.circumstances:
        said = join([CIRCUMSTANCES[each] for each in CIRCUMSTANCES if each in shown.circumstances])
        yield Words(f"Circumstances: {said.en}", f"情形：{said.zh}")


# --- A verdict


def _judged(answer: Judged) -> Iterator[Words]:
    shown, verdict = answer.shown, answer.verdict
    if shown.self_drawn:
        how = Words("self-drawn", "自摸")
    elif shown.discarder is not None:
        how = Words(f"from seat {shown.discarder}", f"座位 {shown.discarder} 点炮")
    else:
        how = Words("from nobody that was named", "未注明来自何家")
    if answer.any_tile:
        yield Words(f"Won {how.en}, whichever tile came last.", f"{how.zh}，和牌张为任一张均可。")
    else:
        tile = shown.winning_tile
        yield Words(f"Won with {tile}, {how.en}.", f"和牌张 {tile}，{how.zh}。")
    yield Words("", "")
    yield from _verdict(verdict)


def _verdict(verdict: Verdict) -> Iterator[Words]:
    if verdict.valid:
        yield Words(
            f"A WIN, {verdict.total} from a payer; what each seat pays stands below.",
            f"和牌：基本每家 {verdict.total}，各家实付如下。",
        )
        for each in verdict.patterns:
            yield Words(f"  {each.names.en}: {each.value}", f"  {each.names.zh}：{each.value}")
        yield from _indented(verdict.steps)
        for seat, points in enumerate(verdict.payments):
            yield Words(f"  Seat {seat}: {points:+d}", f"  座位 {seat}：{points:+d}")
        return
    if any(refusal.id == "unknown_tile" for refusal in verdict.refusals):
        yield Words("CANNOT TELL: tiles are unread.", "无法判定：有牌未能辨认。")
    else:
        yield Words("NOT A WIN.", "不能和牌。")
    yield from _refused(verdict.refusals)
    yield from _indented(_ways(verdict.completions))


def _refused(refusals: Iterable[Refusal]) -> Iterator[Words]:
    for each in refusals:
        yield Words(f"  {each.id}: {each.words.en}", f"  {each.id}：{each.words.zh}")


def _ways(completions: tuple[Completion, ...]) -> list[Words]:
    """The faces that make a win, those of one worth together."""
    alike: dict[tuple[object, ...], list[Completion]] = {}
    for each in completions:
        alike.setdefault((each.total, each.payments, each.patterns), []).append(each)
    told = []
    for ways in list(alike.values())[:_WAYS_TOLD]:
        faces = list(dict.fromkeys(format_tiles(way.tiles) for way in ways))
        en, zh = " or ".join(faces), "或 ".join(faces)
        names = _named(ways[0].patterns)
        told.append(
            Words(
                f"With {en} a win of {ways[0].total}{names.en}.",
                f"若为 {zh}，和牌，计 {ways[0].total}{names.zh}。",
            )
        )
    if len(alike) > _WAYS_TOLD:
        more = len(alike) - _WAYS_TOLD
        told.append(Words(f"And wins of {more} other worths.", f"另有 {more} 种和法。"))
    return told


def _named(patterns: tuple[Counted, ...]) -> Words:
    if not patterns:
        return Words("", "")
    names = join([each.names for each in patterns])
    return Words(f" ({names.en})", f"（{names.zh}）")


def _indented(lines: Iterable[Words]) -> Iterator[Words]:
    for each in lines:
        yield Words(f"  {each.en}", f"  {each.zh}")


# --- Ready help


def _ready(answer: ReadyHelp) -> Iterator[Words]:
    yield Words("", "")
    if not answer.good:
        yield Words("NOT READY.", "未听牌。")
        yield from _refused(answer.refusals)
        return
    tiles = format_tiles(wait.tile for wait in answer.waits)
    copies = sum(wait.unseen for wait in answer.waits)
    yield Words(
        f"READY: waits for {tiles}, {copies} of them unseen.",
        f"听牌：{tiles}，余 {copies} 张未见。",
    )
    for wait in answer.waits:
        yield from _wait(wait)
    if answer.declaring is None:
        return
    if answer.declaring.ready:
        yield Words("Ready may be declared.", "可以报听。")
    else:
        yield Words("Ready may not be declared.", "不可报听。")
        yield from _refused(answer.declaring.refusals)


def _wait(wait: Wait) -> Iterator[Words]:
    yield Words(f"  {wait.tile}, {wait.unseen} unseen", f"  {wait.tile}，余 {wait.unseen} 张")
    if wait.drawn is not None:
        names = _named(wait.drawn.patterns)
        yield Words(
            f"    self-drawn {wait.drawn.total}{names.en}: {_payments(wait.drawn)}",
            f"    自摸 {wait.drawn.total}{names.zh}：{_payments(wait.drawn)}",
        )
    for seat, verdict in wait.claimed.items():
        names = _named(verdict.patterns)
        yield Words(
            f"    from seat {seat} {verdict.total}{names.en}: {_payments(verdict)}",
            f"    座位 {seat} 点炮 {verdict.total}{names.zh}：{_payments(verdict)}",
        )


def _payments(verdict: Verdict) -> str:
    return " ".join(f"{points:+d}" for points in verdict.payments)


# --- JSON


def _verdict_json(verdict: Verdict) -> Json:
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
                "tiles": _list(each.tiles),
                "winning_tile": str(each.winning_tile),
                "total": each.total,
                "payments": list(each.payments),
                "patterns": _patterns_json(each.patterns),
            }
            for each in verdict.completions
        ],
    }


def _wait_json(wait: Wait) -> Json:
    return {
        "tile": str(wait.tile),
        "unseen": wait.unseen,
        "self_drawn": None if wait.drawn is None else _verdict_json(wait.drawn),
        "discarded": {str(seat): _verdict_json(each) for seat, each in wait.claimed.items()},
    }


def _patterns_json(patterns: tuple[Counted, ...]) -> list[Json]:
    return [
        {"name": each.id, "value": each.value, "names": _words_json(each.names)}
        for each in patterns
    ]


def _refusals_json(refusals: tuple[Refusal, ...]) -> list[Json]:
    return [{"id": each.id, "words": _words_json(each.words)} for each in refusals]


def _words_json(words: Words) -> Json:
    return {"en": words.en, "zh": words.zh}


def _list(tiles: tuple[Tile, ...]) -> list[str]:
    return [str(tile) for tile in tiles]
