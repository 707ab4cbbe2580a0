"""Simulated players decide from what they can see, and decide sensibly."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table_assist.hand.ready import shanten
from table_assist.melds import Meld, MeldKind, parse_meld
from table_assist.tiles import SUITED, Tile, parse_tile, parse_tiles
from table_assist.twin.aims import Aim, count, distances, laid
from table_assist.twin.deal import PIECES, Wall
from table_assist.twin.players import (
    HABITS,
    Habits,
    View,
    choose_claim,
    choose_discard,
    choose_kong,
)
from table_assist.twin.position import Position
from table_assist.twin.table import SimulatedTable

PLAIN = Habits(turns_claimed=False)
SIDES = (14, 13, 14, 13)
DEAL = [(seat, 4) for _ in range(3) for seat in range(4)] + [(seat, 1) for seat in range(4)]


def view(concealed: str, melds: Sequence[Meld] = (), wall_left: int = 40) -> View:
    return View(
        seat=0,
        dealer=1,
        concealed=tuple(sorted(parse_tiles(concealed))),
        melds=(tuple(melds), (), (), ()),
        rivers=((), (), (), ()),
        wall_left=wall_left,
    )


def aim(concealed: str, which: Aim, melds: Sequence[Meld] = ()) -> int | None:
    return dict(distances(count(parse_tiles(concealed)), laid(tuple(melds)))).get(which)


def dealt(pieces: Sequence[int]) -> Position:
    """A position in which the wall's pieces were dealt and seat 0 has drawn."""
    wall = Wall(pieces, SIDES)
    wall.break_at(0, 5)
    position = Position(wall, SimulatedTable(Random(0), [False] * 4), dealer=0)
    for seat, tiles in DEAL:
        position.deal(seat, tiles)
    position.draw(0)
    return position


def slots_of_each_seat() -> list[list[int]]:
    """Which of a wall's pieces, by their place when it was built, each seat is dealt."""
    wall = Wall(PIECES, SIDES)
    wall.break_at(0, 5)
    slots: list[list[int]] = [[], [], [], []]
    for seat, tiles in [*DEAL, (0, 1)]:
        slots[seat] += [wall.draw() for _ in range(tiles)]
    return slots


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 3), st.integers(0, 10**6), st.sampled_from(SUITED))
def test_tiles_a_player_cannot_see_do_not_change_a_decision(
    seat: int, seed: int, tile: Tile
) -> None:
    rng = Random(seed)
    pieces = list(PIECES)
    rng.shuffle(pieces)
    hidden = [slot for slot in PIECES if slot not in slots_of_each_seat()[seat]]
    moved = [pieces[slot] for slot in hidden]
    rng.shuffle(moved)
    others = list(pieces)
    for slot, piece in zip(hidden, moved, strict=True):
        others[slot] = piece
    one, other = dealt(pieces), dealt(others)
    assert one.concealed(seat) == other.concealed(seat)
    assert one.view(seat) == other.view(seat)
    for each in (one, other):
        decisions = [
            choose_claim(each.view(seat), HABITS[seat], tile, may_chow=True),
            choose_kong(each.view(seat), HABITS[seat]),
        ]
        if each is one:
            expected = decisions
    assert decisions == expected


def test_a_view_holds_no_tile_of_another_hand_or_of_the_wall() -> None:
    position = dealt(list(PIECES))
    seen = position.view(2)
    told = [seen.concealed, *seen.rivers, *(m.tiles for own in seen.melds for m in own)]
    assert sum(map(len, told)) == 13


@pytest.mark.parametrize(
    ("hand", "which", "lacking"),
    [
        ("123m 456m 789p 111s 55s", Aim.SMALL, 0),
        ("123m 456m 789p 111s 66s", Aim.SMALL, 2),  # the pair is no General
        ("123m 456m 789p 111s 5s", Aim.SMALL, 1),
        ("11223344556677m", Aim.SEVEN_PAIRS, 0),
        ("111222333m 44p 66s 1p", Aim.TRIPLETS, 1),
        ("12345678999m 111p", Aim.FLUSH, 3),
        ("225588m 225588p 2s 9s", Aim.GENERALS, 1),
        ("", Aim.GENERALS, 14),
    ],
)
def test_distances_count_the_tiles_lacking(hand: str, which: Aim, lacking: int) -> None:
    assert aim(hand, which) == lacking


def test_melds_close_the_aims_they_contradict() -> None:
    chow = parse_meld("chow", "123m")
    other = parse_meld("pung", "555p")
    assert aim("11p", Aim.SEVEN_PAIRS, [chow]) is None
    assert aim("11p", Aim.TRIPLETS, [chow]) is None
    assert aim("11p", Aim.FLUSH, [chow]) is not None
    assert aim("11p", Aim.FLUSH, [chow, other]) is None
    assert aim("1p", Aim.BEGGAR, [chow, other, chow, other]) == 1


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(sorted(PIECES)), min_size=13, max_size=13, unique=True))
def test_small_wins_are_never_nearer_than_any_four_sets_and_a_pair(pieces: list[int]) -> None:
    tiles = [SUITED[piece // 4] for piece in pieces]
    lacking = dict(distances(count(tiles), laid(())))[Aim.SMALL]
    assert lacking >= shanten(tiles, 0, seven_pairs=False) + 1


def test_the_lone_tile_is_discarded() -> None:
    assert choose_discard(view("123m 456m 789p 11s 55p 9s"), PLAIN) is parse_tile("9s")


def test_the_wait_with_more_tiles_is_kept() -> None:
    # Without the 9p the hand waits for 1, 4 and 7s; without the 3s or 6s for less.
    assert choose_discard(view("55m 123p 789m 9p 23456s"), PLAIN) is parse_tile("9p")


def test_a_pung_that_makes_the_hand_ready_is_claimed() -> None:
    claim = choose_claim(view("55m 77p 123p 456p 3s 46s"), PLAIN, parse_tile("7p"), may_chow=False)
    assert claim is not None
    assert claim.kind is MeldKind.PUNG
    assert claim.tiles == parse_tiles("77p")


def test_a_chow_is_not_claimed_out_of_turn() -> None:
    hand = view("55m 13p 456m 456p 3s 46s")
    assert choose_claim(hand, PLAIN, parse_tile("2p"), may_chow=False) is None
    claim = choose_claim(hand, PLAIN, parse_tile("2p"), may_chow=True)
    assert claim is not None
    assert claim.tiles == parse_tiles("13p")


def test_a_useless_discard_is_left() -> None:
    assert (
        choose_claim(view("55m 123p 456m 456p 46s"), PLAIN, parse_tile("9m"), may_chow=True) is None
    )


def test_three_of_a_kind_take_the_fourth_as_a_kong_while_tiles_are_left() -> None:
    hand = view("55m 777p 123p 456m 46s")
    claim = choose_claim(hand, PLAIN, parse_tile("7p"), may_chow=False)
    assert claim is not None
    assert claim.kind is MeldKind.KONG_EXPOSED
    empty = choose_claim(replace(hand, wall_left=0), PLAIN, parse_tile("7p"), may_chow=False)
    assert empty is None or not empty.kind.is_kong


def test_four_of_a_kind_are_laid_down_unless_they_are_needed_apart() -> None:
    assert choose_kong(view("1111m 456p 789p 55s 6s 4s"), PLAIN) == (
        MeldKind.KONG_CONCEALED,
        parse_tile("1m"),
    )
    assert choose_kong(view("1111m 2233p 4455s 99s"), PLAIN) is None  # seven pairs


def test_a_drawn_fourth_tile_is_added_to_the_pung() -> None:
    pung = parse_meld("pung", "777p")
    hand = view("55m 7p 123p 456m 4s 6s", [pung])
    assert choose_kong(hand, PLAIN) == (MeldKind.KONG_ADDED, parse_tile("7p"))
    assert choose_kong(replace(hand, wall_left=0), PLAIN) is None
