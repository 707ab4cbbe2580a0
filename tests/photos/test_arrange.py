"""A photo of a declared hand: which tiles are the hand, its melds, its winning tile."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table_assist.photos.arrange import ArrangedHand, Side, arrange_hand
from table_assist.tiles.tile import Tile, format_tiles, parse_tiles
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


def told(hand: ArrangedHand) -> tuple[str, list[str], str]:
    return (
        format_tiles(hand.concealed),
        sorted(str(meld) for meld in hand.melds),
        str(hand.winning_tile),
    )


def has_doubt(hand: ArrangedHand, words: str) -> bool:
    return any(words in doubt.en for doubt in hand.doubts)


CLOSED = "123456m 234p 678s EE"


def test_no_tiles_no_hand() -> None:
    hand = arrange_hand(readings())
    assert told(hand) == ("", [], "None")
    assert [doubt.en for doubt in hand.doubts] == ["there are no tiles in the picture"]


def test_in_a_closed_row_no_tile_is_known_to_have_come_last() -> None:
    hand = arrange_hand(readings(row(CLOSED)))
    assert told(hand) == ("123456m 234p 678s EE", [], "None")
    assert [doubt.en for doubt in hand.doubts] == [
        "no tile is set apart: which one came last cannot be seen"
    ]
    assert hand.left_out == ()


def test_the_tile_set_apart_is_the_winning_tile() -> None:
    assert told(arrange_hand(readings(row("123456m 234p 678s E | E")))) == (
        "123456m 234p 678s EE",
        [],
        "E",
    )
    first = arrange_hand(readings(row("4m | 12356m 234p 678s EE")))
    assert (told(first)[2], first.doubts) == ("4m", ())
    assert first.concealed[-1] is Tile.M4


def test_sets_apart_from_the_concealed_tiles_are_melds() -> None:
    hand = arrange_hand(readings(row("234p 67s EE | 123m | 999p | 8s")))
    assert told(hand) == ("234p 67s EE 8s", ["chow 123m", "pung 999p"], "8s")
    assert hand.doubts == ()


@pytest.mark.parametrize("kong", ["#55p#", "5p##5p", "555p#", "#5p##"])
def test_four_tiles_with_backs_are_a_concealed_kong(kong: str) -> None:
    hand = arrange_hand(readings(row(f"123m 234p 678s EE | {kong}")))
    assert told(hand)[1] == ["kong_concealed 5555p"]
    assert told(hand)[0] == "123m 234p 678s EE"


def test_a_concealed_kong_without_a_face_is_doubted() -> None:
    hand = arrange_hand(readings(row("123m 234p 678s EE | ####")))
    assert told(hand)[1] == ["kong_concealed ????"]
    assert has_doubt(hand, "shows no face")


def test_a_kong_face_up_may_be_claimed_or_not() -> None:
    hand = arrange_hand(readings(row("123m 234p 678s EE | 5555p")))
    assert told(hand)[1] == ["kong_exposed 5555p"]
    assert has_doubt(hand, "whether it was concealed or added cannot be seen")


def test_fifteen_tiles_in_a_closed_row_hold_a_kong_where_four_are_alike() -> None:
    assert told(arrange_hand(readings(row("123m 5555p 234p 678s EE")))) == (
        "123m 234p 678s EE",
        ["kong_exposed 5555p"],
        "None",
    )
    fourteen = arrange_hand(readings(row("123m 5555p 34p 678s EE")))
    assert told(fourteen)[:2] == ("123m 555534p 678s EE", []), "fourteen tiles hold none"


def test_when_every_set_lies_apart_none_is_known_to_be_claimed() -> None:
    hand = arrange_hand(readings(row("123m | 456m | 234p | 678s | EE")))
    assert told(hand) == ("123456m 234p 678s EE", [], "None")
    assert has_doubt(hand, "does not tell which were claimed")


def claims(hand: ArrangedHand) -> dict[str, str]:
    return {str(meld): str(side) for meld, side in zip(hand.melds, hand.claimed_from, strict=True)}


@pytest.mark.parametrize(
    ("pung", "side"), [("(9p) 99p", "left"), ("9p (9p) 9p", "across"), ("99p (9p)", "right")]
)
def test_the_turned_tile_tells_from_whom_a_meld_was_claimed(pung: str, side: str) -> None:
    hand = arrange_hand(readings(row(f"123m 234p 67s EE | {pung} | 8s")))
    assert told(hand) == ("123m 234p 67s EE 8s", ["pung 999p"], "8s")
    assert claims(hand) == {"pung 999p": side}
    assert hand.doubts == ()


def test_a_kong_with_a_turned_tile_is_surely_claimed() -> None:
    hand = arrange_hand(readings(row("123m 234p 67s EE | 5p (5p) 55p | 8s")))
    assert claims(hand) == {"kong_exposed 5555p": "across"}
    assert hand.doubts == ()


def test_sides_are_seats_counter_clockwise() -> None:
    """Play goes to the right: who sits to the left played just before."""
    assert [[side.seat(winner) for side in Side] for winner in (0, 3)] == [[3, 2, 1], [2, 1, 0]]


def test_melds_to_the_right_without_a_gap_are_told_by_their_turned_tiles() -> None:
    hand = arrange_hand(readings(row("123m 67s EE (7p) 89p F (F) F | 8s")))
    assert told(hand) == ("123m 67s EE 8s", ["chow 789p", "pung FFF"], "8s")
    assert claims(hand) == {"chow 789p": "left", "pung FFF": "across"}


@pytest.mark.parametrize("text", ["123456m 234p 678s E (E)", "123m (4m) 56m 234p 678s EE"])
def test_a_turned_tile_of_the_closed_row_is_the_winning_one(text: str) -> None:
    hand = arrange_hand(readings(row(text)))
    assert hand.melds == ()
    assert str(hand.winning_tile) == ("E" if "(E)" in text else "4m")
    assert sorted(hand.concealed) == sorted(parse_tiles("123456m 234p 678s EE"))


def test_two_turned_tiles_are_doubted() -> None:
    hand = arrange_hand(readings(row("12345m (6m) 234p 678s E (E)")))
    assert hand.winning_tile is None
    assert has_doubt(hand, "more than one tile is turned: 6m E")


def test_every_set_apart_and_one_with_a_turned_tile_is_claimed() -> None:
    hand = arrange_hand(readings(row("123m | 456m | 2p (2p) 2p | 678s | EE")))
    assert told(hand)[1] == ["pung 222p"]
    assert has_doubt(hand, "every set lies apart (123m, 456m, 678s)")


def test_melds_in_a_second_row_above_the_hand() -> None:
    above = row("(3s) 45s | N (N) N", x=1.5, y=-1.6)
    hand = arrange_hand(readings(row("123m 67p 55p | 8p"), above))
    assert told(hand) == ("123m 67558p", ["chow 345s", "pung NNN"], "8p")
    assert claims(hand) == {"chow 345s": "left", "pung NNN": "across"}


@settings(max_examples=60, deadline=None)
@given(degrees=st.floats(-28, 28), tilt=st.floats(-0.3, 0.3))
def test_a_turned_tile_is_seen_in_a_slanted_row_and_in_perspective(
    degrees: float, tilt: float
) -> None:
    things = readings(row("234p 67s EE | 1m (1m) 1m | 999p | 8s"), degrees=degrees, tilt=tilt)
    assert claims(arrange_hand(things)) == {"pung 111m": "across", "pung 999p": "None"}


@settings(max_examples=60, deadline=None)
@given(degrees=st.floats(-90, 90), tilt=st.floats(-0.3, 0.3))
def test_no_turned_tile_is_made_up_at_any_angle(degrees: float, tilt: float) -> None:
    things = readings(row(CLOSED), degrees=degrees, tilt=tilt)
    assert not any(turned(things, each) for each in all_rows(things))


def test_flowers_beside_the_hand_are_not_of_the_fourteen() -> None:
    hand = arrange_hand(readings(row("1f 3q 123456m 234p 678s E | E")))
    assert told(hand) == ("123456m 234p 678s EE", [], "E")
    assert hand.bonus == parse_tiles("1f3q")
    assert hand.doubts == ()


def test_a_hand_in_two_rows() -> None:
    hand = arrange_hand(readings(row("99p 678s", x=2), row("111m 888m EEE", y=1.5)))
    assert told(hand)[0] == "99p 678s 111888m EEE"
    assert hand.left_out == ()


def test_a_broken_row_is_one_hand_with_what_lies_below_it_apart() -> None:
    things = [row("555p 666s"), row("EEE", x=5.6, y=0.9), row("SSSWW", x=8.8, y=-0.2)]
    hand = arrange_hand(readings(*things))
    assert sorted(hand.concealed) == sorted(parse_tiles("555p 666s SSS WW"))
    assert told(hand)[1] == ["pung EEE"]


def test_a_river_and_a_wall_are_left_out_and_told() -> None:
    river = [*row("19m N 4p", x=4, y=-5), *row("28s W 3p F", x=4, y=-6.5)]
    wall = row("#" * 17, x=-2, y=-9)
    hand = arrange_hand(readings(row("123456m 234p 678s E | E"), river, wall))
    assert told(hand) == ("123456m 234p 678s EE", [], "E")
    assert len(hand.left_out) == 9 + 17
    assert [doubt.en for doubt in hand.doubts] == [
        "other tiles in the picture, not taken as part of the hand: 26"
    ]


def test_an_unread_tile_is_a_doubt_with_its_candidates() -> None:
    hand = arrange_hand(readings(row("123456m 234p 6s?8s EE")))
    assert hand.concealed[10] is Tile.UNKNOWN
    assert has_doubt(hand, "a tile of the hand was not read: 7s (50%) or 9s (40%)")


def test_an_unread_tile_in_a_meld_stays_unread() -> None:
    hand = arrange_hand(readings(row("123456m 234p EE | 6s?8s")))
    assert told(hand)[1] == ["chow 6s ? 8s"]
    assert has_doubt(hand, "was not read")


def test_a_tile_short_there_is_no_winning_tile() -> None:
    hand = arrange_hand(readings(row("123456m 234p 678s E")))
    assert hand.winning_tile is None
    assert has_doubt(hand, "the hand has 13 tiles")


def test_a_lone_tile_beside_a_hand_that_lacks_one_is_taken_with_a_doubt() -> None:
    hand = arrange_hand(readings(row("123456m 234p 678s E"), row("E", x=12, y=-1.6)))
    assert told(hand) == ("123456m 234p 678s EE", [], "E")
    assert has_doubt(hand, "E lies beside the hand")


def test_five_alike_are_doubted() -> None:
    assert has_doubt(arrange_hand(readings(row("11111m 234p 678s EEE"))), "5 tiles were read as 1m")


def test_a_group_apart_that_is_no_set_is_concealed_and_doubted() -> None:
    hand = arrange_hand(readings(row("123m 234p 678s EE | 124s")))
    assert told(hand)[:2] == ("123m 234p 678s EE 124s", [])
    assert has_doubt(hand, "124s lie apart and are not a set")


def test_something_unread_at_the_end_of_a_full_row_is_left_out_with_a_doubt() -> None:
    hand = arrange_hand(readings(row("?" + CLOSED + "?")))
    assert told(hand)[0] == "123456m 234p 678s EE"
    assert len(hand.left_out) == 2
    assert has_doubt(hand, "left out: 2")
    with_kong = arrange_hand(readings(row("?123m 5555p 234p 678s E")))
    assert with_kong.concealed[0] is Tile.UNKNOWN, "with a kong the row is not too long"


def test_a_flower_whose_number_was_not_read_is_a_flower() -> None:
    things = readings(row("?" + CLOSED))
    flowers = (Candidate("2f", 0.5), Candidate("3f", 0.4))
    things = replace(things, candidates=(flowers, *things.candidates[1:]))
    hand = arrange_hand(things)
    assert told(hand)[0] == "123456m 234p 678s EE"
    assert hand.bonus == (Tile.UNKNOWN,)
    assert has_doubt(hand, "was not read: 2f (50%) or 3f (40%)")


@settings(max_examples=40, deadline=None)
@given(degrees=st.floats(-80, 80), tilt=st.floats(-0.3, 0.3))
def test_the_hand_is_found_in_any_direction_and_in_perspective(degrees: float, tilt: float) -> None:
    things = readings(row("234p 67s EE | 123m | 999p | 8s"), degrees=degrees, tilt=tilt)
    hand = arrange_hand(things)
    assert sorted(hand.concealed) == sorted(parse_tiles("234p 678s EE"))
    assert sorted(format_tiles(sorted(meld.tiles)) for meld in hand.melds) == ["123m", "999p"]
    assert str(hand.winning_tile) == "8s"


labels = st.sampled_from(["1m", "5p", "9s", "E", "back", "?", "1f", "d2"])
heaps = st.lists(st.tuples(labels, st.floats(0, 15), st.floats(0, 15), st.booleans()), max_size=40)


@settings(max_examples=60, deadline=None)
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
