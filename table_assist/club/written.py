"""A plan of seats that somebody has written down, as CSV: a line a table."""

import csv
import io
from collections.abc import Mapping

from table_assist.club.seating import SeatingError
from table_assist.club.winds import Plan

MOST = 999
WINDS = ("east", "south", "west", "north")
_HEADERS = {
    "round": "round", "轮": "round", "轮次": "round", "east": "east", "东": "east",
    "south": "south", "南": "south", "west": "west", "西": "west", "north": "north", "北": "north",
}  # fmt: skip
Four = tuple[int, int, int, int]


def read_plan(text: str, players: Mapping[str, int]) -> tuple[int, Plan]:
    r"""The first round, and the rounds of a CSV file with a header; tables stand in their order.

    >>> read_plan("round,east,south,west,north\n2,a,b,c,d\n", {"a": 1, "b": 2, "c": 3, "d": 4})
    (2, (((1, 2, 3, 4),),))

    Args:
        players: the players' own numbers, by what stands in the file.

    Raises:
        SeatingError: a line cannot be read, names nobody, or a player twice in a round.
    """
    rows = list(csv.reader(io.StringIO(text.lstrip("\ufeff"), newline="")))
    header = [_HEADERS.get(each.strip().lower(), "") for each in (rows[0] if rows else [])]
    if not {"round", *WINDS} <= set(header):
        raise SeatingError(
            "line 1: it takes the columns round, east, south, west and north",
            "第 1 行：须有列 轮次、东、南、西、北",
        )
    found: dict[int, list[Four]] = {}
    seen: dict[tuple[int, int], int] = {}
    for place, row in enumerate(rows[1:], start=2):
        if not any(cell.strip() for cell in row):
            continue
        cells = dict(zip(header, (cell.strip() for cell in row), strict=False))
        number = _round(cells.get("round", ""), place)
        a, b, c, d = (_player(cells.get(wind, ""), players, place) for wind in WINDS)
        for player in (a, b, c, d):
            before = seen.setdefault((number, player), place)
            if before != place or (a, b, c, d).count(player) > 1:
                who = next(name for name, each in players.items() if each == player)
                raise SeatingError(
                    "line {place}: {who} sits twice in round {number} (line {before})",
                    "第 {place} 行：{who} 在第 {number} 轮重复入座（第 {before} 行）",
                    place=place,
                    who=who,
                    number=number,
                    before=before,
                )
        found.setdefault(number, []).append((a, b, c, d))
    return _in_order(found)


def _in_order(found: Mapping[int, list[Four]]) -> tuple[int, Plan]:
    if not found:
        raise SeatingError("the plan has no line", "座位表没有内容")
    first, last = min(found), max(found)
    missing = [number for number in range(first, last + 1) if number not in found]
    if missing:
        raise SeatingError("round {missing} is missing", "缺少第 {missing} 轮", missing=missing[0])
    return first, tuple(tuple(found[number]) for number in range(first, last + 1))


def _round(text: str, place: int) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text[:4]) <= MOST:
        raise SeatingError(
            "line {place}: {text} is no round from 1 to {most}",
            "第 {place} 行：{text} 不是 1 至 {most} 的轮次",
            place=place,
            text=f"{text[:20]!r}",
            most=MOST,
        )
    return int(text)


def _player(text: str, players: Mapping[str, int], place: int) -> int:
    if text not in players:
        raise SeatingError(
            "line {place}: nobody has the number or name {text}",
            "第 {place} 行：没有编号或姓名为 {text} 的选手",
            place=place,
            text=f"{text[:40]!r}",
        )
    return players[text]
