"""Hands told as events, up to their end: what the tests of the outcome have in common."""

from collections.abc import Sequence

from table_assist.game.events import (
    AntesPlaced,
    Claimed,
    Discarded,
    Event,
    HandShown,
    HandStarted,
    KongDeclared,
    WinDeclared,
)
from table_assist.game.fold import replay
from table_assist.game.outcome import HandEnd, end_of_hand
from table_assist.game.state import TableState
from table_assist.rules.options import OptionValue
from table_assist.rules.registry import find_rules
from table_assist.rules.wall import dead_tiles, live_after_deal
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import parse_tile, parse_tiles


def start(
    rules: str, dealer: int = 0, left: int | None = None, **options: OptionValue
) -> HandStarted:
    """A hand is dealt; of its wall so many tiles are left, all of them if nothing is said."""
    plan = find_rules(rules)
    live = live_after_deal(plan) if left is None else left
    return HandStarted(
        1, rules, dealer, live, dead_tiles(plan), options=tuple(sorted(options.items()))
    )


def discards(first: int, tiles: str) -> list[Event]:
    """One seat after the other discards a tile, drawn for where it held none."""
    return [
        Discarded((first + turn) % 4, parse_tile(tile)) for turn, tile in enumerate(tiles.split())
    ]


def claim(seat: int, kind: str, tiles: str, discarder: int) -> Claimed:
    return Claimed(seat, MeldKind(kind), parse_tiles(tiles), discarder)


def kong(seat: int, kind: str, tile: str) -> KongDeclared:
    return KongDeclared(seat, MeldKind(kind), parse_tile(tile))


def shown(seat: int, concealed: str, tile: str, *, drawn: bool, rush: bool = False) -> list[Event]:
    """A win is declared and the hand lies open."""
    hand = HandShown(seat, parse_tiles(concealed), parse_tile(tile), drawn, rush)
    return [WinDeclared(seat), hand]


def told(*events: Event | Sequence[Event]) -> TableState:
    """The state after events, given one by one or in lists."""
    flat: list[Event] = []
    for each in events:
        flat += each if isinstance(each, Sequence) else [each]
    return replay(flat)


def ended(*events: Event | Sequence[Event]) -> HandEnd:
    """What the hand came to; nothing may be left unknown."""
    result = end_of_hand(told(*events))
    assert result.final, (result.missing, result.unsure)
    return result


def antes(double_down: bool, *challenges: int) -> AntesPlaced:
    a, b, c, d = challenges
    return AntesPlaced(double_down, (a, b, c, d))


NO_POINTS = (0, 0, 0, 0)
ROUND = discards(0, "9m 8p 1s 7m")
# Ends in a General pair; seat 1 or 3 wins it with a tile that stands for no pattern.
SMALL = "123m 456p 789s 234s 55p"
ADDED_BY_1: list[Event] = [
    *discards(0, "1m"),
    claim(1, "pung", "111m", 0),
    *discards(1, "9m 9p 9s 8m"),
    kong(1, "kong_added", "1m"),
]
KONGS_OF_1: dict[str, list[Event]] = {
    "kong_concealed": [*discards(0, "9m"), kong(1, "kong_concealed", "1m")],
    "kong_exposed": [*discards(0, "1m"), claim(1, "kong_exposed", "1111m", 0)],
    "kong_added": ADDED_BY_1,
}
