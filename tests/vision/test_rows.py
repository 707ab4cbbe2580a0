"""Melds and open hands as an askew camera sees them: their groups stay apart.

A camera that looks askew sees a side of each tile, and its box is wider than the tile.
"""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_assist.following.claimed_tiles import turned_tile
from table_assist.following.seen_table import groups_of, is_last_apart
from table_assist.tiles.tile import Tile
from table_assist.vision.reading.readings import box_readings
from table_assist.vision.reading.recognise import Candidate, Name
from table_assist.vision.table.calibration import Calibration
from table_assist.vision.table.observation import LARGEST_SHARE, SeenTile, observe, overlap_mm
from table_assist.vision.table.zones import Layout, ZoneKind

# One pixel is one millimetre, and seat 0 sits below.
SQUARE = Calibration(((100, 900), (900, 900), (900, 100), (100, 100)))
TILE_MM, LENGTH_MM, GAP_MM = 26.0, 35.0, 8.0


def seen_row(
    kind: ZoneKind, sizes: list[float], side_mm: float, gaps: dict[int, float]
) -> list[SeenTile]:
    """Tiles of those widths from the left, each seen with a side; gaps before some of them."""
    boxes, left = [], 0.0
    for number, wide in enumerate(sizes):
        left += gaps.get(number, 0.0)
        half_side = side_mm / 2
        boxes.append([350 + left - half_side, 785, 350 + left + wide + half_side, 823])
        left += wide
    down = 60 if kind is ZoneKind.HAND else 0
    xyxy = np.array(boxes, np.float32) + np.array([0, down, 0, down], np.float32)
    names = [Name("5m", 0.99, (Candidate("5m", 0.99),))] * len(boxes)
    readings = box_readings((1000, 1000), xyxy, names)
    tiles = observe(readings, SQUARE, Layout(), 0.0).in_zone(kind, 0)
    return sorted(tiles, key=lambda tile: tile.x_mm)


@given(st.floats(0, 7), st.lists(st.sampled_from([3, 4]), min_size=1, max_size=3))
def test_melds_are_told_apart_however_much_of_their_sides_is_seen(
    side_mm: float, sizes: list[int]
) -> None:
    """Changchun's egg to which a tile is put must not grow into the next one."""
    starts = {sum(sizes[:number]): GAP_MM for number in range(1, len(sizes))}
    row = seen_row(ZoneKind.MELDS, [TILE_MM] * sum(sizes), side_mm, starts)
    groups = groups_of(row[::-1], 0)
    assert [len(group) for group in groups] == sizes[::-1]


@pytest.mark.parametrize("side_mm", [0.0, 3.0, 6.0])
def test_a_tile_that_is_set_apart_is_set_apart_for_an_askew_camera_too(side_mm: float) -> None:
    for gap_mm, is_apart in ((0.0, False), (12.0, True)):
        row = seen_row(ZoneKind.HAND, [TILE_MM] * 5, side_mm, {4: gap_mm})
        assert is_last_apart(row, 0) is is_apart


@pytest.mark.parametrize("side_mm", [0.0, 3.0, 6.0])
@pytest.mark.parametrize("turned", range(3))
def test_the_tile_that_lies_sideways_is_known_with_its_side(side_mm: float, turned: int) -> None:
    sizes = [TILE_MM] * 3
    sizes[turned] = LENGTH_MM
    row = seen_row(ZoneKind.MELDS, sizes, side_mm, {})
    assert turned_tile(row[::-1]) is Tile.M5
    assert turned_tile(seen_row(ZoneKind.MELDS, [TILE_MM] * 3, side_mm, {})[::-1]) is Tile.UNKNOWN


@given(st.lists(st.tuples(st.floats(0, 400), st.floats(15, 45)), max_size=8))
def test_no_box_loses_more_than_a_side_can_be(row: list[tuple[float, float]]) -> None:
    found = overlap_mm(row)
    assert 0 <= found <= LARGEST_SHARE * max((wide for _, wide in row), default=0.0) + 1e-9
    places = sorted(row)
    if all(b[0] - a[0] >= (a[1] + b[1]) / 2 for a, b in pairwise(places)):
        assert found == 0
