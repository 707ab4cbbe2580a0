"""A tile's side and the cloth's seams are no tiles, though they are read as such."""

import numpy as np
import pytest

from table_assist.tiles import Tile
from table_assist.vision.reading.readings import box_readings
from table_assist.vision.reading.recognise import UNKNOWN, Candidate, Name
from table_assist.vision.table.calibration import Calibration
from table_assist.vision.table.observe import observe
from table_assist.vision.table.viewpoint import Viewpoint
from table_assist.vision.table.zones import Layout

SQUARE = Calibration(((100, 900), (900, 900), (900, 100), (100, 100)))
BEHIND_SEAT_0 = Viewpoint(58.0, -718.0, 1342.0)  # askew by some 28 degrees
ABOVE = Viewpoint(0.0, 0.0, 1342.0)
# In mm, as they were read of a tile 21 mm wide.
FACE, SIDE = (52.0, 103.0, 20.8, 28.9), (52.0, 86.0, 20.5, 12.8)


def read(
    *things: tuple[str, tuple[float, float, float, float]], above: Viewpoint | None
) -> list[Tile]:
    boxes = [
        (500 + x - width / 2, 500 - y - length / 2, 500 + x + width / 2, 500 - y + length / 2)
        for _, (x, y, width, length) in things
    ]
    names = [Name(label, 0.95, (Candidate(label, 0.95),)) for label, _ in things]
    readings = box_readings((1000, 1000), np.array(boxes, np.float32), names)
    seen = observe(readings, SQUARE, Layout(), 0.0, above, tile_mm=21.0)
    return sorted(each.tile for each in seen.tiles)


@pytest.mark.parametrize("label", ["P", "back", UNKNOWN])
def test_the_side_that_the_camera_sees_is_no_discard(label: str) -> None:
    assert read(("6p", FACE), (label, SIDE), above=BEHIND_SEAT_0) == [Tile.P6]


def test_from_straight_above_there_is_no_side_to_be_seen() -> None:
    assert read(("6p", FACE), ("P", SIDE), above=ABOVE) == [Tile.P6, Tile.WHITE]


def test_beyond_the_tile_there_is_no_side_to_be_seen() -> None:
    beyond = (52.0, 120.0, 20.5, 12.8)
    assert read(("6p", FACE), ("P", beyond), above=BEHIND_SEAT_0) == [Tile.P6, Tile.WHITE]


@pytest.mark.parametrize("length", [21.0, 28.9])
def test_a_tile_that_lies_before_another_is_one(length: float) -> None:
    before = (52.0, 103.0 - 14.5 - length / 2, 21.0, length)
    assert read(("6p", FACE), ("P", before), above=BEHIND_SEAT_0) == [Tile.P6, Tile.WHITE]


def test_what_shows_a_face_is_no_side() -> None:
    assert read(("6p", FACE), ("1s", SIDE), above=BEHIND_SEAT_0) == [Tile.P6, Tile.S1]


@pytest.mark.parametrize("label", ["P", "back", UNKNOWN])
def test_a_corner_of_seams_is_smaller_than_a_tile(label: str) -> None:
    """Crossing seams on grey cloth were a discard that nobody could read, four times over."""
    assert read((label, (-123.0, -10.0, 18.5, 18.5)), above=ABOVE) == []
    assert len(read((label, (-123.0, -10.0, 21.0, 28.0)), above=ABOVE)) == 1


def test_a_small_face_is_a_tile() -> None:
    assert read(("8p", (-123.0, -10.0, 18.5, 18.5)), above=ABOVE) == [Tile.P8]
