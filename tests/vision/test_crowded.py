"""What is read beside a hand or a glare: rarely believed, and replaced by the first clear look."""

from dataclasses import replace

import numpy as np

from table_assist.tiles.tile import Tile
from table_assist.vision.reading.limits import Limits
from table_assist.vision.table.observation import Observation, SeenTile
from table_assist.vision.table.occlusion import RESTS_S
from table_assist.vision.table.tile_tracker import CROWDED_LOOK_S, CROWDED_MISS_S, TileTracker
from table_assist.vision.table.zones import Zone, ZoneKind
from tests.vision.test_occlusion import (
    CALIBRATION,
    NOTHING,
    SKIN,
    STILL,
    TILE_AT,
    box,
    felt,
    painted,
    view,
)

RIVER = Zone(ZoneKind.RIVER, 0)
LOOK = 0.25


def seen(face: Tile, confidence: float = 0.99) -> SeenTile:
    return SeenTile(face, confidence, 0.0, 0.0, 26.0, RIVER, ((face, confidence),))


def look(
    follower: TileTracker, t: float, *tiles: SeenTile, crowded: bool = False, hidden: bool = False
) -> tuple[SeenTile, ...]:
    observation = Observation(t, tiles)
    return follower.update(observation, lambda _: hidden, lambda _: crowded).tiles


def test_the_first_clear_look_replaces_what_was_read_under_an_arm() -> None:
    follower = TileTracker(Limits.alike(0.9))
    for number in range(12):
        look(follower, number * LOOK, seen(Tile.S2), crowded=True)
    for number in range(12, 14):
        found = look(follower, number * LOOK, seen(Tile.P9))
    assert [(tile.tile, tile.pictures, tile.is_clear) for tile in found] == [(Tile.P9, 2, True)]


def test_beside_something_a_face_takes_longer_and_an_unread_thing_is_nothing() -> None:
    for face, count in ((Tile.P9, 1), (Tile.UNKNOWN, 0)):
        follower = TileTracker(Limits.alike(0.9))
        look(follower, 0.0, seen(face), crowded=True)
        assert look(follower, CROWDED_LOOK_S / 2, seen(face), crowded=True) == ()
        found = look(follower, CROWDED_LOOK_S, seen(face), crowded=True)
        assert len(found) == count
        assert not any(tile.is_clear for tile in found)


def test_a_tile_beside_which_something_lies_after_its_first_look_is_seen_all_the_same() -> None:
    """Its own side, seen obliquely, or a glare that stays: what is read there is as it was."""
    for face, count in ((Tile.P9, 1), (Tile.UNKNOWN, 0)):
        follower = TileTracker(Limits.alike(0.9))
        look(follower, 0.0, seen(face))
        for number in range(1, 20):
            found = look(follower, number * LOOK, seen(face), crowded=True)
        assert len(found) == count
    assert look(follower, 6.0, seen(Tile.P9), crowded=True) == ()


def test_a_known_tile_is_not_read_otherwise_while_a_hand_lies_beside_it() -> None:
    follower = TileTracker(Limits.alike(0.9))
    for number in range(3):
        look(follower, number * LOOK, seen(Tile.P9))
    for number in range(3, 30):
        (found,) = look(follower, number * LOOK, seen(Tile.WHITE), crowded=True)
    assert (found.tile, found.age_s) == (Tile.P9, 0.0)


def test_half_a_tile_may_be_missed_for_a_while() -> None:
    follower = TileTracker(Limits.alike(0.9))
    for number in range(3):
        look(follower, number * LOOK, seen(Tile.P9))
    since = 3 * LOOK
    assert look(follower, since, crowded=True)
    assert look(follower, since + CROWDED_MISS_S - 0.1, crowded=True)
    assert look(follower, since + CROWDED_MISS_S, crowded=True) == ()


def test_what_was_never_clearly_seen_is_not_kept_by_what_hides_it() -> None:
    follower = TileTracker(Limits.alike(0.9))
    look(follower, 0.0, seen(Tile.WHITE), crowded=True)
    assert look(follower, 1.0, seen(Tile.WHITE), crowded=True)
    look(follower, 1.5, crowded=True, hidden=True)
    assert look(follower, 2.0, crowded=True, hidden=True) == ()


def test_what_rests_hides_what_is_below_it_and_no_more_of_its_zone() -> None:
    place = view()
    cup = painted(felt(1), SKIN, box(90, -150, 70, 70))
    other = (-60.0, -150.0)
    place.update(cup, CALIBRATION, NOTHING, STILL, (), 1.0)
    assert place.hides(other), "of what has just come the edges are not certain"
    place.update(cup, CALIBRATION, NOTHING, STILL, (), 1.0 + RESTS_S)
    assert not place.hides(other)
    assert place.hides((90.0, -150.0))
    assert place.unavailable, "and people are told all the same"


def test_a_place_beside_something_is_crowded_and_one_far_from_it_is_not() -> None:
    place = view()
    arm = painted(felt(1), SKIN, box(50, -130, 40, 300))
    place.update(arm, CALIBRATION, np.zeros((0, 4, 2), np.float32), STILL, (), 1.0)
    assert place.crowds(TILE_AT)
    assert not place.crowds((-80.0, -130.0))


def test_a_small_tile_beside_the_place_of_one_that_was_taken_is_another_tile() -> None:
    """10 mm apart: a usual tile was pushed, a small one is its neighbour."""
    for tile_mm, is_same in ((26.0, True), (18.0, False)):
        follower, ids = TileTracker(Limits.alike(0.9)), []
        for number, x_mm in enumerate((0.0, 0.0, 0.0, 10.0, 10.0, 10.0)):
            tile = replace(seen(Tile.S2), x_mm=x_mm)
            found = follower.update(Observation(number * LOOK, (tile,), tile_mm=tile_mm)).tiles
            ids.append(found[0].id if found else 0)
        assert (ids[-1] == ids[1]) is is_same
