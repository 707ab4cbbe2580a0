"""A tile's side and the cloth's seams are no tiles, though they are read as such."""

from dataclasses import replace

import numpy as np
import pytest

from table_assist.tiles.tile import Tile
from table_assist.twin.lens import Lens
from table_assist.vision.reading.limits import Limits
from table_assist.vision.reading.readings import box_readings
from table_assist.vision.reading.recognise import UNKNOWN, Candidate, Name
from table_assist.vision.reading.why import WhyDoubtful
from table_assist.vision.table.calibration import Calibration
from table_assist.vision.table.observation import Observation, observe
from table_assist.vision.table.tile_tracker import TileTracker
from table_assist.vision.table.viewpoint import Viewpoint, viewpoint
from table_assist.vision.table.zones import Layout

SQUARE = Calibration(((100, 900), (900, 900), (900, 100), (100, 100)))
BEHIND_SEAT_0 = Viewpoint(58.0, -718.0, 1342.0)  # askew by some 28 degrees
ABOVE = Viewpoint(0.0, 0.0, 1342.0)
# In mm, as they were read of a tile 21 mm wide.
FACE, SIDE = (52.0, 103.0, 20.8, 28.9), (52.0, 86.0, 20.5, 12.8)


def observation(
    *things: tuple[str, tuple[float, float, float, float]],
    above: Viewpoint | None,
    is_size_known: bool = True,
) -> Observation:
    boxes = [
        (500 + x - width / 2, 500 - y - length / 2, 500 + x + width / 2, 500 - y + length / 2)
        for _, (x, y, width, length) in things
    ]
    names = [Name(label, 0.95, (Candidate(label, 0.95),)) for label, _ in things]
    readings = box_readings((1000, 1000), np.array(boxes, np.float32), names)
    return observe(
        readings, SQUARE, Layout(), 0.0, above, tile_mm=21.0, is_size_known=is_size_known
    )


def read(
    *things: tuple[str, tuple[float, float, float, float]],
    above: Viewpoint | None,
    is_size_known: bool = True,
) -> list[Tile]:
    seen = observation(*things, above=above, is_size_known=is_size_known)
    return sorted(each.tile for each in seen.tiles)


# In front of what lies before seat 0, which the camera sees over the shoulder.
MELD, ITS_SIDE = (52.0, -303.0, 20.8, 28.9), (52.0, -320.0, 20.5, 12.8)


@pytest.mark.parametrize("label", ["P", "back", UNKNOWN])
def test_the_side_that_the_camera_sees_is_no_discard(label: str) -> None:
    assert read(("6p", FACE), (label, SIDE), above=BEHIND_SEAT_0) == [Tile.P6]


@pytest.mark.parametrize("label", ["P", "back", UNKNOWN])
def test_the_side_that_the_camera_sees_is_of_no_meld(label: str) -> None:
    assert read(("6p", MELD), (label, ITS_SIDE), above=BEHIND_SEAT_0) == [Tile.P6]


def test_of_a_meld_behind_a_hand_a_part_is_seen_and_asked_about() -> None:
    asked = [Tile.UNKNOWN]
    assert read(("P", ITS_SIDE), above=BEHIND_SEAT_0) == asked
    assert read(("6p", MELD), ("P", ITS_SIDE), above=ABOVE) == [*asked, Tile.P6]
    beyond = (52.0, -286.0, 20.5, 12.8)
    assert read(("6p", MELD), ("P", beyond), above=BEHIND_SEAT_0) == [*asked, Tile.P6]


@pytest.mark.parametrize("length", [21.0, 28.9])
@pytest.mark.parametrize("face", [FACE, MELD])
def test_a_tile_that_lies_before_another_is_one(
    face: tuple[float, float, float, float], length: float
) -> None:
    before = (52.0, face[1] - 14.5 - length / 2, 28.9 + 21.0 - length, length)
    assert read(("6p", face), ("P", before), above=BEHIND_SEAT_0) == [Tile.P6, Tile.WHITE]


def test_what_shows_a_drawing_is_a_tile_of_which_a_part_is_seen() -> None:
    assert read(("6p", FACE), ("1s", SIDE), above=BEHIND_SEAT_0) == [Tile.UNKNOWN, Tile.P6]


@pytest.mark.parametrize("label", ["P", "back", UNKNOWN])
@pytest.mark.parametrize("sides_mm", [(18.5, 18.5), (16.6, 19.6), (14.4, 25.0)])
def test_where_seams_cross_lies_no_discard(label: str, sides_mm: tuple[float, float]) -> None:
    """On grey cloth they were discards that nobody could read."""
    assert read((label, (-123.0, -10.0, *sides_mm)), above=ABOVE) == []
    assert len(read((label, (-123.0, -10.0, 21.0, 28.0)), above=ABOVE)) == 1


ROW = [("6p", (x, -103.0, 21.0, 29.4)) for x in (-52.0, -31.0, -10.0, 11.0, 32.0)]


PLACES = [(210.0, 300.0), (52.0, 103.0), (-120.0, 20.0), (-300.0, 20.0)]
LENSES = [Lens(), Lens(tilt_deg=20.0), Lens(tilt_deg=35.0), Lens(tilt_deg=10.0, turn_deg=90.0)]


def seen_by(lens: Lens, x: float, y: float, turn: float, share: float, times: float) -> Observation:
    """A face of which that share of its length is seen, read without a doubt."""
    cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    width, length, height = 26.0 * times, 34.6 * times, 20.0 * times
    across, along = np.array([cos, sin]) * width / 2, np.array([-sin, cos]) * length / 2
    here = np.array([x, y])
    ends = [here - across - along, here + across - along]
    ends += [end + 2 * share * along for end in ends]
    corners = lens.project_points(np.array([(*end, height) for end in ends]))
    box = np.array([[*corners.min(axis=0), *corners.max(axis=0)]], np.float32)
    readings = box_readings(lens.size_wh, box, [Name("2p", 0.95, (Candidate("2p", 0.95),))])
    calibration = Calibration(lens.corners_px())
    return observe(
        readings,
        calibration,
        Layout(),
        0.0,
        viewpoint(calibration, lens.size_wh),
        tile_mm=26.0 * times,
        is_size_known=True,
    )


@pytest.mark.parametrize("lens", LENSES)
@pytest.mark.parametrize(("x", "y"), PLACES)
@pytest.mark.parametrize("turn", [0.0, 90.0])
@pytest.mark.parametrize("times", [0.8, 1.0])
def test_half_of_a_tile_is_no_face_wherever_it_lies(
    lens: Lens, x: float, y: float, turn: float, times: float
) -> None:
    """A flower half behind the far wall was surely named a dragon."""
    (whole,) = seen_by(lens, x, y, turn, 1.0, times).tiles
    assert (whole.tile, whole.why) == (Tile.P2, None)
    (half,) = seen_by(lens, x, y, turn, 0.5, times).tiles
    assert (half.tile, half.why) == (Tile.UNKNOWN, WhyDoubtful.PART)


def test_the_tiles_of_a_stubby_set_are_whole() -> None:
    short = [(label, (x, y, 22.0, 24.5)) for label, (x, y, *_) in ROW]
    stubby = (*short, ("C", (0.0, 0.0, 22.0, 24.0)))
    assert Tile.UNKNOWN not in read(*stubby, above=ABOVE, is_size_known=True)


def test_half_of_a_tile_is_no_face_however_often_it_is_seen() -> None:
    """Many looks were weighed by what it may be, and so it had its name again."""
    half = seen_by(Lens(), *PLACES[0], 0.0, 0.5, 1.0)
    steady = TileTracker(Limits.alike(0.88))
    for look in range(20):
        told = steady.update(replace(half, t=float(look)))
    (part,) = told.tiles
    assert part.tile is Tile.UNKNOWN
    assert part.candidates[0][0] in (Tile.P2, Tile.UNKNOWN)


def test_the_side_that_the_camera_sees_is_of_no_open_hand() -> None:
    """The far hand lies open, and its tiles' sides face the camera behind seat 0."""
    hand = [("6p", (x, 372.0, 21.0, 29.4)) for x in (-31.0, -10.0, 11.0, 32.0)]
    named = [Tile.P6] * 4
    for label in ("P", "back", UNKNOWN):
        assert read(*hand, (label, (11.0, 351.0, 21.0, 12.5)), above=BEHIND_SEAT_0) == named
    whole = ("P", (53.0, 372.0, 21.0, 29.4))
    assert read(*hand, whole, above=BEHIND_SEAT_0) == [*named, Tile.WHITE]
