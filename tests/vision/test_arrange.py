"""A photo of a declared hand: which tiles are the hand, its melds, its winning tile."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table_assist.tiles.tile import Tile, format_tiles, parse_tiles
from table_assist.vision.photos.arrange import ArrangedHand, Side, arrange_hand
from table_assist.vision.reading.readings import Readings, box_readings
from table_assist.vision.reading.recognise import Candidate, Name
from table_assist.vision.reading.rows import all_rows, turned

WIDTH, HEIGHT = 40, 54  # px of a tile
Placed = tuple[str, float, float, bool]  # label, x and y in tile widths, turned by a quarter


def row(text: str, x: float = 0, y: float = 0) -> list[Placed]:
    """Tiles side by side; ``|`` is a gap of three quarters of a tile, ``back`` is ``#``.

    Tiles in brackets are turned by a quarter, their lower edge in line with the others'.
    """
    placed: list[Placed] = []
    for part in text.split("|"):
        for bracket, piece in re.findall(r"(\(?)([^()]+)", part):
            half = 0.675 if bracket else 0.5
            for tile in parse_tiles(piece):
                label = "back" if tile is Tile.BACK else str(tile)
                x += half
                placed.append((label, x, y + 0.675 - 0.5 if bracket else y, bool(bracket)))
                x += half + 0.02
        x += 0.75
    return placed


def readings(*things: list[Placed], degrees: float = 0, tilt: float = 0) -> Readings:
    """What is read of tiles that lie so, the whole turned, and seen with perspective."""
    turn = math.radians(degrees)
    spin = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    boxes, names = [], []
    for label, x, y, across in (thing for group in things for thing in group):
        half_x, half_y = (0.675, 0.5) if across else (0.5, 0.675)
        corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (half_x, half_y) + (x, y)
        corners = corners @ spin.T
        corners = corners / (1 + tilt * corners[:, :1] / 20) * WIDTH + 2000
        boxes.append([*corners.min(axis=0), *corners.max(axis=0)])
        candidates = (Candidate("7s", 0.5), Candidate("9s", 0.4))
        names.append(Name(label, 0.5 if label == "?" else 0.99, candidates))
    return box_readings((4000, 4000), np.array(boxes, np.float32).reshape(-1, 4), names)


def told(hand: ArrangedHand) -> tuple[str, dict[str, str], str]:
    """The concealed tiles, each meld and the side from which it was claimed, the winning tile."""
    return format_tiles(hand.concealed), claims(hand), str(hand.winning_tile)


def claims(hand: ArrangedHand) -> dict[str, str]:
    return {str(meld): str(side) for meld, side in zip(hand.melds, hand.claimed_from, strict=True)}


def doubted(hand: ArrangedHand, words: list[str]) -> bool:
    """Whether these are the doubts, in their order, beside that it is not seen which came last."""
    said = [doubt.en for doubt in hand.doubts]
    last = "no tile is set apart: which one came last cannot be seen"
    others = [each for each in said if each != last]
    whole = len(hand.concealed) + 3 * len(hand.melds) == 14
    return (
        (last in said) == (hand.winning_tile is None and whole)
        and len(others) == len(words)
        and all(word in each for word, each in zip(words, others, strict=True))
    )


CLOSED = "123456m 234p 678s EE"
WAITS = "123m 234p 678s EE"
# What lies there; the hand, its melds with their sides, its winning tile; each of the doubts.
ARRANGED: dict[str, tuple[list[list[Placed]], str, dict[str, str], str, list[str]]] = {
    "no tiles are no hand": ([], "", {}, "None", ["there are no tiles in the picture"]),
    "in a closed row none is known to have come last": (
        [row(CLOSED)], CLOSED, {}, "None", []
    ),
    "the tile set apart is the winning tile": (
        [row("123456m 234p 678s E | E")], CLOSED, {}, "E", []
    ),
    "and comes last": ([row("4m | 12356m 234p 678s EE")], "12356m 234p 678s EE 4m", {}, "4m", []),
    "sets apart from the concealed tiles are melds": (
        [row("234p 67s EE | 123m | 999p | 8s")],
        "234p 67s EE 8s", {"chow 123m": "None", "pung 999p": "None"}, "8s", [],
    ),
    **{
        f"with backs a kong is concealed: {kong}": (
            [row(f"{WAITS} | {kong}")], WAITS, {"kong_concealed 5555p": "None"}, "None",
            [],
        )
        for kong in ("#55p#", "5p##5p", "555p#", "#5p##")
    },
    "a concealed kong without a face is doubted": (
        [row(f"{WAITS} | ####")], WAITS, {"kong_concealed ????": "None"}, "None",
        ["shows no face"],
    ),
    "a kong face up may be claimed or not": (
        [row(f"{WAITS} | 5555p")], WAITS, {"kong_exposed 5555p": "None"}, "None",
        ["whether it was concealed or added cannot be seen"],
    ),
    "fifteen in a closed row hold a kong where four are alike": (
        [row("123m 5555p 234p 678s EE")], WAITS, {"kong_exposed 5555p": "None"}, "None",
        ["whether it was concealed or added cannot be seen"],
    ),
    "fourteen hold none": (
        [row("123m 5555p 34p 678s EE")], "123m 555534p 678s EE", {}, "None", []
    ),
    "when every set lies apart none is known to be claimed": (
        [row("123m | 456m | 234p | 678s | EE")], CLOSED, {}, "None",
        ["does not tell which were claimed"],
    ),
    **{
        f"the turned tile tells from whom a meld was claimed: {side}": (
            [row(f"123m 234p 67s EE | {pung} | 8s")],
            "123m 234p 67s EE 8s", {"pung 999p": side}, "8s", [],
        )
        for pung, side in (("(9p) 99p", "left"), ("9p (9p) 9p", "across"), ("99p (9p)", "right"))
    },
    "a kong with a turned tile is surely claimed": (
        [row("123m 234p 67s EE | 5p (5p) 55p | 8s")],
        "123m 234p 67s EE 8s", {"kong_exposed 5555p": "across"}, "8s", [],
    ),
    "melds without a gap are told by their turned tiles": (
        [row("123m 67s EE (7p) 89p F (F) F | 8s")],
        "123m 67s EE 8s", {"chow 789p": "left", "pung FFF": "across"}, "8s", [],
    ),
    "a turned tile at the end of the closed row won": (
        [row("123456m 234p 678s E (E)")], CLOSED, {}, "E", []
    ),
    "and in it": ([row("123m (4m) 56m 234p 678s EE")], "12356m 234p 678s EE 4m", {}, "4m", []),
    "two turned tiles are doubted": (
        [row("12345m (6m) 234p 678s E (E)")], CLOSED, {}, "None",
        ["more than one tile is turned: 6m E"],
    ),
    "every set lies apart and one with a turned tile is claimed": (
        [row("123m | 456m | 2p (2p) 2p | 678s | EE")],
        "123456m 678s EE", {"pung 222p": "across"}, "None",
        ["every set lies apart (123m, 456m, 678s)"],
    ),
    "melds in a second row above the hand": (
        [row("123m 67p 55p | 8p"), row("(3s) 45s | N (N) N", x=1.5, y=-1.6)],
        "123m 67558p", {"chow 345s": "left", "pung NNN": "across"}, "8p", [],
    ),
    "a hand in two rows": (
        [row("99p 678s", x=2), row("111m 888m EEE", y=1.5)],
        "99p 678s 111888m EEE", {}, "None", [],
    ),
    "a broken row with what lies below it apart": (
        [row("555p 666s"), row("EEE", x=5.6, y=0.9), row("SSSWW", x=8.8, y=-0.2)],
        "SSSWW 555p 666s", {"pung EEE": "None"}, "None", [],
    ),
    "an unread tile is a doubt with its candidates": (
        [row("123456m 234p 6s?8s EE")], "123456m 234p 6s ? 8s EE", {}, "None",
        ["a tile of the hand was not read: 7s (50%) or 9s (40%)"],
    ),
    "an unread tile in a meld stays unread": (
        [row("123456m 234p EE | 6s?8s")], "123456m 234p EE", {"chow 6s ? 8s": "None"}, "None",
        ["was not read"],
    ),
    "a tile short there is no winning tile": (
        [row("123456m 234p 678s E")], "123456m 234p 678s E", {}, "None", ["the hand has 13 tiles"]
    ),
    "a lone tile beside a hand that lacks one is taken with a doubt": (
        [row("123456m 234p 678s E"), row("E", x=12, y=-1.6)], CLOSED, {}, "E",
        ["E lies beside the hand"],
    ),
    "five alike are doubted": (
        [row("11111m 234p 678s EEE")], "11111m 234p 678s EEE", {}, "None",
        ["5 tiles were read as 1m"],
    ),
    "a group apart that is no set is concealed and doubted": (
        [row(f"{WAITS} | 124s")], f"{WAITS} 124s", {}, "None",
        ["124s lie apart and are not a set"],
    ),
    "with a kong the row is not too long": (
        [row("?123m 5555p 234p 678s E")], "? 123m 234p 678s E", {"kong_exposed 5555p": "None"},
        "None", ["whether it was concealed", "was not read"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", ARRANGED)
def test_a_hand_is_told_with_its_melds_its_winning_tile_and_what_is_doubted(case: str) -> None:
    things, concealed, melds, winning, doubts = ARRANGED[case]
    hand = arrange_hand(readings(*things))
    assert told(hand) == (concealed, melds, winning)
    assert doubted(hand, doubts)
    assert (hand.left_out, hand.bonus) == ((), ())


RIVER = [*row("19m N 4p", x=4, y=-5), *row("28s W 3p F", x=4, y=-6.5)]


@pytest.mark.parametrize(
    ("things", "winning", "left_out", "bonus", "doubts"),
    [
        ([row("1f 3q 123456m 234p 678s E | E")], "E", 0, "1f3q", []),
        (
            [row("123456m 234p 678s E | E"), RIVER, row("#" * 17, x=-2, y=-9)],
            "E",
            9 + 17,
            "",
            ["other tiles in the picture, not taken as part of the hand: 26"],
        ),
        (
            [row("?" + CLOSED + "?")],
            "None",
            2,
            "",
            ["left out: 2", "not taken as part of the hand: 2"],
        ),
    ],
    ids=["flowers beside the hand", "a river and a wall", "unread things at a full row's ends"],
)
def test_what_is_none_of_the_fourteen_is_left_out_and_told(
    things: list[list[Placed]], winning: str, left_out: int, bonus: str, doubts: list[str]
) -> None:
    hand = arrange_hand(readings(*things))
    assert told(hand) == (CLOSED, {}, winning)
    assert (len(hand.left_out), hand.bonus) == (left_out, parse_tiles(bonus))
    assert doubted(hand, doubts)


def test_sides_are_seats_counter_clockwise() -> None:
    """Play goes to the right: who sits to the left played just before."""
    assert [[side.seat(winner) for side in Side] for winner in (0, 3)] == [[3, 2, 1], [2, 1, 0]]


@settings(max_examples=60)
@given(degrees=st.floats(-28, 28), tilt=st.floats(-0.3, 0.3))
def test_a_turned_tile_is_seen_in_a_slanted_row_and_in_perspective(
    degrees: float, tilt: float
) -> None:
    things = readings(row("234p 67s EE | 1m (1m) 1m | 999p | 8s"), degrees=degrees, tilt=tilt)
    assert claims(arrange_hand(things)) == {"pung 111m": "across", "pung 999p": "None"}


@settings(max_examples=60)
@given(degrees=st.floats(-90, 90), tilt=st.floats(-0.3, 0.3))
def test_no_turned_tile_is_made_up_at_any_angle(degrees: float, tilt: float) -> None:
    things = readings(row(CLOSED), degrees=degrees, tilt=tilt)
    assert not any(turned(things, each) for each in all_rows(things))


def test_a_flower_whose_number_was_not_read_is_a_flower() -> None:
    things = readings(row("?" + CLOSED))
    flowers = (Candidate("2f", 0.5), Candidate("3f", 0.4))
    things = replace(things, candidates=(flowers, *things.candidates[1:]))
    hand = arrange_hand(things)
    assert told(hand)[0] == "123456m 234p 678s EE"
    assert hand.bonus == (Tile.UNKNOWN,)
    assert doubted(hand, ["was not read: 2f (50%) or 3f (40%)"])


@settings(max_examples=40)
@given(degrees=st.floats(-80, 80), tilt=st.floats(-0.3, 0.3))
def test_the_hand_is_found_in_any_direction_and_in_perspective(degrees: float, tilt: float) -> None:
    things = readings(row("234p 67s EE | 123m | 999p | 8s"), degrees=degrees, tilt=tilt)
    hand = arrange_hand(things)
    assert sorted(hand.concealed) == sorted(parse_tiles("234p 678s EE"))
    assert sorted(format_tiles(sorted(meld.tiles)) for meld in hand.melds) == ["123m", "999p"]
    assert str(hand.winning_tile) == "8s"


labels = st.sampled_from(["1m", "5p", "9s", "E", "back", "?", "1f", "d2"])
heaps = st.lists(st.tuples(labels, st.floats(0, 15), st.floats(0, 15), st.booleans()), max_size=40)


@settings(max_examples=60)
@given(heap=heaps)
def test_no_tile_is_lost_or_made_up_in_any_heap(heap: list[Placed]) -> None:
    things = readings(heap)
    hand = arrange_hand(things)
    tiles = sorted(tile for tile in things.tiles if tile is not None and tile is not Tile.BACK)
    kept = [*hand.concealed, *hand.bonus, *(things.tiles[index] for index in hand.left_out)]
    for meld in hand.melds:
        if meld.kind == "kong_concealed":
            return  # tells faces that lie face down
        kept += meld.tiles
    assert sorted(tile for tile in kept if tile is not None and tile is not Tile.BACK) == tiles
