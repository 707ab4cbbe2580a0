"""What lies under an arm or a glare: it is waited for, asked for late, and asked no more once seen.

No rule of a rule book: nothing may be recorded or asked by what cannot be seen.
"""

from dataclasses import replace

import pytest

from table_assist.following.claimed_tiles import turned_tile
from table_assist.tiles.tile import Tile, parse_tiles
from table_assist.vision.table.unseen import OccludedZone, WhyUnseen
from table_assist.vision.table.zones import Zone, ZoneKind
from tests.following.test_infer import tile

HIDDEN = OccludedZone(Zone(ZoneKind.RIVER, 0), 0.0, WhyUnseen.HIDDEN)


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
