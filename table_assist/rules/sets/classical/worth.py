"""A Chinese Classical hand's worth: points, doubled, up to the limit."""

from table_assist.languages.words import NONE, NOTHING, PLUS, Words, joined, with_value
from table_assist.rules.ruleset import Total, Win
from table_assist.rules.sets.classical.limits import LIMIT_HANDS, LIMIT_IDS
from table_assist.rules.sets.classical.scoring import (
    BONUS_TILE,
    DOUBLES,
    FLOWER_DOUBLES,
    ONLY_PLACE,
    SELF_DRAWN,
    only_place,
    points_of_pair,
    set_points,
    shown_at_once,
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
_FLOWERS, _DRAWN, _ONLY = (
    Words("flowers", "花"),
    Words("self-drawn", "自摸"),
    Words("only place", "独听"),
)


def _points(win: Win) -> tuple[tuple[Words, int], ...]:
    """The points before doubling, and what for."""
    earned = shown_at_once(win)
    return (
        (_GOING_OUT, int(win.options["going_out_points"])),
        (_SETS, set_points(win)),
        (_PAIR, points_of_pair(win)),
        (_FLOWERS, BONUS_TILE * len(win.shown.bonus)),
        (_DRAWN, SELF_DRAWN * (earned and win.shown.self_drawn)),
        (_ONLY, ONLY_PLACE * (earned and only_place(win))),
    )


def _points_words(win: Win) -> Words:
    parts = [(names, amount) for names, amount in _points(win) if amount]
    points = sum(amount for _, amount in parts)
    said = joined([with_value(names, amount) for names, amount in parts], PLUS)
    return Words("Points: {said} = {points}.", "底：{said} = {points}。", said=said, points=points)


def scores_a_double(win: Win) -> bool:
    """One double at least that is not of flowers or seasons; a limit hand has enough (CL-65)."""
    wanted = [each for each in (*DOUBLES, *LIMIT_HANDS) if each.id not in FLOWER_DOUBLES]
    return any(each.met(win) for each in wanted)
