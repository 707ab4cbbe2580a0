"""What lies under an arm or a glare: it is waited for, asked for late, and asked no more once seen.

No rule of a rule book: nothing may be recorded or asked by what cannot be seen.
"""

from dataclasses import replace

import pytest

from table_assist.following.claimed_tiles import turned_tile
from table_assist.following.infer import step
from table_assist.game.events import Discarded
from table_assist.tiles.tile import Tile, parse_tiles
from table_assist.vision.table.observation import Observation
from table_assist.vision.table.unseen import OccludedZone, WhyUnseen
from table_assist.vision.table.zones import Zone, ZoneKind
from tests.following.test_infer import M1, events, hand, river, tile

HIDDEN = OccludedZone(Zone(ZoneKind.RIVER, 0), 0.0, WhyUnseen.HIDDEN)


def test_what_a_glare_in_a_part_of_the_river_may_hide_is_recorded_unread() -> None:
    """A lamp that is mirrored on a tile or two hides no zone, and yet the next discard."""
    unread = [Discarded(1, Tile.UNKNOWN), Discarded(2, Tile.M2)]
    before, follower = hand(M1, Discarded(1, Tile.S3), *a_round()), river(2, "9p2m")
    others = (*river(0, "1m5s"), *river(3, "9s"), *follower)
    plain = river(1, "3s")
    glared = Observation(0.0, (*others, *plain), partly_hidden=frozenset({Zone(ZoneKind.RIVER, 1)}))
    wiped_out, gone = [replace(plain[0], tile=Tile.UNKNOWN)], [replace(plain[0], age_s=3.0)]
    for seen in (glared, *(Observation(0.0, (*others, *lying)) for lying in (wiped_out, gone))):
        assert [each.event for each in step(before, seen).proposed] == unread
    assert events(before, [*others, *plain]) == [Discarded(2, Tile.M2)]


def a_round() -> list[Discarded]:
    """Of seats 2, 3 and 0: seat 1 is on turn."""
    return [Discarded(2, Tile.P9), Discarded(3, Tile.S9), Discarded(0, Tile.S5)]


@pytest.mark.parametrize("width", [20.0, 26.0, 33.0])
@pytest.mark.parametrize("turned", [None, 0, 1, 2])
@pytest.mark.parametrize("large", [0.95, 1.08])
def test_the_tile_that_lies_sideways_is_known_whatever_the_tiles_size(
    width: float, turned: int | None, large: float
) -> None:
    """Boxes are larger than tiles by some per cent, those of one row alike."""
    found, right = [], 320.0
    for place, face in enumerate(parse_tiles("678m")):
        side = width * (35 / 26 if place == turned else 1.0)
        seen = tile(face, right - side / 2, 300, 3)
        found.append(replace(seen, width_mm=side * large))
        right -= side + 0.4
    told = Tile.UNKNOWN if turned is None else found[turned].tile
    assert turned_tile(found) is told
    crooked = [replace(found[0], width_mm=found[0].width_mm * 1.12), *found[1:]]
    assert turned_tile(crooked) in (told, Tile.UNKNOWN)
