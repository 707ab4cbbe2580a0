"""Hands dealt from stacked walls end as the rules text says."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from table_assist.game.events import (
    Claimed,
    DiceRolled,
    Discarded,
    Event,
    HandShown,
    KongDeclared,
    Settled,
    WallExhausted,
)
from table_assist.melds import MeldKind
from table_assist.rules.registry import find_rules
from table_assist.rules.ruleset import Condition, Words
from table_assist.tiles import Tile, parse_tile, parse_tiles
from table_assist.twin.deal import PIECES, Wall, face
from table_assist.twin.hands import play_hand
from table_assist.twin.players import Habits
from table_assist.twin.scene import PlacedTile, Pose
from table_assist.twin.steps import Step
from table_assist.vision.zones import to_seat

RULES = find_rules("changsha")
DEALER = 0
SIDES = RULES.wall.stacks(DEALER, RULES.chosen)
PLAIN = (Habits(turns_claimed=False),) * 4
SEED = 8


def play(pieces: Sequence[int]) -> list[Step]:
    wall = Wall(pieces, SIDES)
    return list(
        play_hand(Random(SEED), RULES, dealer=DEALER, hand_number=1, habits=PLAIN, wall=wall)
    )


def events(steps: Sequence[Step]) -> list[Event]:
    return [event for step in steps for event in step.events]


def slots_in_drawing_order() -> list[int]:
    """A wall's pieces in the order drawn from the front, with the dice that the seed throws."""
    (dice,) = [event for event in events(play(PIECES)) if isinstance(event, DiceRolled)]
    wall = Wall(PIECES, SIDES)
    wall.break_at(DEALER, sum(dice.values))
    return [wall.draw() for _ in PIECES]


def stacked(hands: Sequence[str], then: str) -> list[int]:
    """Pieces for a wall that deals 13 tiles to each seat and then gives these tiles in order.

    The rest of the wall is what is left of the set.
    """
    own = [list(parse_tiles(hand)) for hand in hands]
    order = []
    for offset, tiles in RULES.wall.deal[:-1]:
        order += [own[offset].pop(0) for _ in range(tiles)]
    order += parse_tiles(then)
    left = list(PIECES)
    drawn = []
    for tile in order:
        piece = next(piece for piece in left if face(piece) is tile)
        left.remove(piece)
        drawn.append(piece)
    pieces = [0] * len(PIECES)
    for slot, piece in zip(slots_in_drawing_order(), [*drawn, *left], strict=True):
        pieces[slot] = piece
    return pieces


# Three hands that go nowhere near each other's tiles.
OTHERS = ("1479m 1479p 14799s", "258m 369p 1479m 369s", "1369m 258p 147p 258s")


def test_blessing_of_heaven_is_a_big_win_paid_by_all() -> None:
    # The dealer is a party to every payment: 7 each (CS-21l, CS-23); 6 and 3 are no dealer's birds.
    settled = events(play(stacked(["123m 456m 789m 123p 5s", *OTHERS], "5s 6p 3s")))[-1]
    assert isinstance(settled, Settled)
    assert settled.transfers == (21, -7, -7, -7)
    assert settled.dealer_next == DEALER


def test_two_birds_on_the_winner_triple() -> None:
    settled = events(play(stacked(["123m 456m 789m 123p 5s", *OTHERS], "5s 1p 9s")))[-1]
    assert isinstance(settled, Settled)
    assert settled.transfers == (63, -21, -21, -21)


def test_three_seats_win_on_one_discard_and_share_the_birds() -> None:
    hands = [
        "123123123m 88p 46p",
        "456m 456m 789m 55s 23s",
        "456p 789p 567m 88s 23s",
        "789m 567p 789p 22p 23s",
    ]
    happened = events(play(stacked(hands, "1s 3p 7s")))
    settled = happened[-1]
    assert isinstance(settled, Settled)
    assert [event for event in happened if isinstance(event, Discarded)] == [
        Discarded(0, parse_tile("1s"))
    ]
    assert [event.seat for event in happened if isinstance(event, HandShown)] == [1, 2, 3]
    # Small Wins against the dealer are 2 each; 3 and 7 both name seat 2, which is paid threefold.
    assert settled.transfers == (-10, 2, 6, 2)
    assert settled.dealer_next is None


def test_an_added_kong_is_robbed() -> None:
    hands = [
        "123m 123m 88m 79m 46p 5s",
        "55s 777p 999p 13p 1s 9s 2m",
        "46s 456m 789m 22p 1p 3p 9m",
        "1479m 258p 369p 258m 7s",
    ]
    happened = events(play(stacked(hands, "6p 2p 6p 1m 5s 4p 4m")))
    assert Claimed(1, MeldKind.PUNG, parse_tiles("555s"), 0) in happened
    assert KongDeclared(1, MeldKind.KONG_ADDED, parse_tile("5s")) in happened
    (shown,) = [event for event in happened if isinstance(event, HandShown)]
    assert (shown.seat, shown.winning_tile, shown.self_drawn) == (2, parse_tile("5s"), False)
    settled = happened[-1]
    assert isinstance(settled, Settled)
    assert settled.transfers == (0, -6, 6, 0)


def test_nobody_plays_by_tiles_that_the_wall_still_hides() -> None:
    """Two walls that differ only in tiles not yet drawn give the same play until one is drawn."""
    drawn, hidden = 70, 20  # the differing stretch begins after so many draws, and is so long
    order = slots_in_drawing_order()
    pieces = list(PIECES)
    Random(2).shuffle(pieces)
    changed = list(pieces)
    stretch = order[drawn : drawn + hidden]
    for slot, other in zip(stretch, reversed(stretch), strict=True):
        changed[slot] = pieces[other]
    one, other_play = play(pieces), play(changed)
    same = [
        step
        for step in one
        if sum(tile.pose is Pose.STACKED for tile in step.scene.tiles) > (108 - drawn) / 2
    ]
    assert len(same) > 20
    for step, other_step in zip(same, other_play, strict=False):
        assert (step.text, step.events) == (other_step.text, other_step.events)
    assert one != other_play


def test_without_a_win_the_seat_that_drew_the_last_tile_deals_next() -> None:
    never = Condition("never", lambda win: False, Words("Nobody wins.", "无人能和。"), "")
    rules = replace(RULES, conditions=(never,), laws=())
    for seed in range(3):
        steps = list(play_hand(Random(seed), rules, dealer=DEALER, hand_number=1, habits=PLAIN))
        last = events(steps)[-1]
        assert isinstance(last, WallExhausted)
        *_, drew, discarded, _, _, _, _ = steps
        assert not [tile for tile in drew.scene.tiles if tile.pose is Pose.STACKED]
        assert drew.text == f"Seat {last.dealer_next} draws."
        # CS-16: who takes the last tile and cannot win with it must discard it.
        gone = set(drew.scene.tiles) - set(discarded.scene.tiles)
        (event,) = discarded.events
        assert isinstance(event, Discarded)
        assert event.tile is apart(gone, event.seat)


def apart(tiles: set[PlacedTile], seat: int) -> Tile:
    """The tile farthest to the seat's right: the one just drawn."""
    return max(tiles, key=lambda tile: to_seat(tile.x_mm, tile.y_mm, seat)[0]).tile


def test_birds_for_each_winner_are_refused() -> None:
    rules = RULES.with_options({"birds_multi_winner": "each"})
    with pytest.raises(ValueError, match="all winners share"):
        play_hand(Random(SEED), rules, dealer=DEALER, hand_number=1)
