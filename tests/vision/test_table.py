"""From pixels to zones, and from flickering pictures to steady tiles."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_assist.tiles.tile import Tile
from table_assist.twin.lens import Lens, askew
from table_assist.vision.reading.limits import Limits
from table_assist.vision.reading.readings import box_readings
from table_assist.vision.reading.recognise import Candidate, Name
from table_assist.vision.table.calibration import (
    Calibration,
    CalibrationError,
    Point,
    parse_corners,
)
from table_assist.vision.table.observation import Observation, SeenTile, observe
from table_assist.vision.table.tile_tracker import TileTracker
from table_assist.vision.table.zones import Layout, Zone, ZoneKind, from_seat, to_seat, zone_at

SQUARE = Calibration(((100, 900), (900, 900), (900, 100), (100, 100)))
LAYOUT = Layout()


@given(st.floats(-400, 400), st.floats(-400, 400), st.integers(0, 3))
def test_a_seats_axes_turn_back_to_the_tables(r: float, d: float, seat: int) -> None:
    assert to_seat(*from_seat(r, d, seat), seat) == (r, d)


@given(st.floats(-390, 390), st.floats(-390, 390))
def test_zones_look_the_same_from_every_seat(x: float, y: float) -> None:
    here = zone_at(x, y, LAYOUT)
    turned = zone_at(-y, x, LAYOUT)
    if here.seat is not None:
        assert turned == Zone(here.kind, (here.seat + 1) % 4) or abs(abs(x) - abs(y)) < 1e-6


@pytest.mark.parametrize("seat", range(4))
@pytest.mark.parametrize(
    ("r", "d", "kind"),
    [
        (-307, 362, ZoneKind.HAND),
        (300, 362, ZoneKind.HAND),
        (325, 306, ZoneKind.MELDS),
        (-200, 300, ZoneKind.MELDS),
        (0, 255, ZoneKind.WALL),
        (-170, 247, ZoneKind.WALL),
        (65, 98, ZoneKind.RIVER),
        (-65, 206, ZoneKind.RIVER),
    ],
)
def test_each_row_of_a_seat_lies_in_its_zone(seat: int, r: float, d: float, kind: ZoneKind) -> None:
    assert zone_at(*from_seat(r, d, seat), LAYOUT) == Zone(kind, seat)


def test_the_middle_is_nobodys_and_off_the_table_is_elsewhere() -> None:
    kinds = [zone_at(x, y, LAYOUT).kind for x, y in ((-30, 10), (30, 10), (0, 450))]
    assert kinds == [ZoneKind.DICE, ZoneKind.BIRDS, ZoneKind.ELSEWHERE]


def test_zone_borders_must_grow() -> None:
    with pytest.raises(ValueError, match="must grow"):
        Layout(centre=300.0)


@given(st.lists(st.tuples(st.floats(-400, 400), st.floats(-400, 400)), max_size=20))
def test_points_map_to_the_picture_and_back(points: list[tuple[float, float]]) -> None:
    oblique = Calibration(((100, 1000), (1500, 950), (1200, 150), (300, 200)))
    table = np.array(points, np.float32).reshape(-1, 2)
    assert np.allclose(oblique.to_table(oblique.to_picture(table)), table, atol=0.1)


@pytest.mark.parametrize(
    ("corners", "why"),
    [
        (((0, 0), (9, 9), (0, 9), (9, 0)), "in order"),
        (((0, 400), (400, 400), (400, 0), (0, 0)), "move the camera closer"),
        (((0, float("nan")), (900, 900), (900, 0), (0, 0)), "four corners"),
    ],
)
def test_corners_that_are_no_table_are_refused(corners: tuple, why: str) -> None:  # type: ignore[type-arg]
    with pytest.raises(CalibrationError, match=why):
        Calibration(corners)


def test_three_corners_are_no_table() -> None:
    with pytest.raises(CalibrationError, match="four corners"):
        parse_corners([[0, 0]] * 3)


@pytest.mark.parametrize(
    ("tilt", "least", "most"), [(0, 1.0, 1.001), (20, 1.06, 1.1), (35, 1.2, 1.3)]
)
def test_a_camera_askew_says_how_flat_the_table_looks(
    tilt: float, least: float, most: float
) -> None:
    assert least <= Calibration(askew(Lens(), tilt).corners_px()).foreshortening <= most


def test_a_table_seen_flat_is_shown_as_from_straight_above() -> None:
    flat = Calibration(askew(Lens(), 55).corners_px())
    x, y = flat.point(100, -200)
    image = np.zeros((1080, 1920), np.uint8)
    image[round(y), round(x)] = 255
    window, shown = flat.shown(image)
    assert np.allclose(np.argwhere(window)[0][::-1], shown.point(100, -200), atol=3)
    assert shown.foreshortening < 1.01


def name(label: str, confidence: float = 0.99) -> Name:
    return Name(label, confidence, (Candidate(label, confidence),))


def test_an_empty_picture_shows_nothing() -> None:
    readings = box_readings((1000, 1000), np.zeros((0, 4), np.float32), [])
    assert observe(readings, SQUARE, LAYOUT, 5.0) == Observation(5.0, ())


def test_things_are_placed_and_dice_counted_in_the_tray_only() -> None:
    boxes = [[480, 590, 506, 625], [470, 490, 486, 506], [700, 500, 716, 516], [2, 2, 30, 40]]
    readings = box_readings(
        (1000, 1000), np.array(boxes, np.float32), [name("5m"), name("d3"), name("d4"), name("E")]
    )
    seen = observe(readings, SQUARE, LAYOUT, 0.0)
    assert seen.dice == (3,)
    (tile,) = seen.tiles
    assert (tile.tile, tile.zone) == (Tile.M5, Zone(ZoneKind.RIVER, 0))
    assert tile.x_mm == pytest.approx(-7, abs=0.1)
    assert tile.width_mm == pytest.approx(26, abs=0.1)


@pytest.mark.parametrize(
    ("wide", "long", "label", "is_seen"),
    [
        (26, 22, "7m", False),  # a standing tile's face, from 34 degrees askew behind its owner
        (26, 20, "P", False),  # a standing tile's upper side
        (26, 24, "back", True),
        (26, 35, "?", True),
        (26, 35, "7m", True),
        (35, 26, "7m", True),
        (43, 43, "7m", True),  # lying crooked
    ],
)
def test_faces_of_tiles_that_stand_before_their_owner_are_not_seen(
    wide: int, long: int, label: str, is_seen: bool
) -> None:
    """A camera behind a player sees that hand, and what is secret is no open hand."""
    for y, always in ((865, is_seen), (790, True)):  # a hand, and melds
        box = np.array([[480, y, 480 + wide, y + long]], np.float32)
        readings = box_readings((1000, 1000), box, [name(label)])
        assert bool(observe(readings, SQUARE, LAYOUT, 0.0).tiles) is always


def test_a_tile_of_an_open_hand_that_is_covered_in_part_still_counts() -> None:
    """Left out, the hand would be one of thirteen, and the last discard its winning tile."""
    boxes = np.array(
        [[400 + 27 * i, 850, 426 + 27 * i, 885 - 8 * (i == 2)] for i in range(4)], np.float32
    )
    readings = box_readings((1000, 1000), boxes, [name(f"{i + 1}m") for i in range(4)])
    assert len(observe(readings, SQUARE, LAYOUT, 0.0).tiles) == 4


def test_half_a_tile_beside_the_whole_one_is_no_tile() -> None:
    boxes = [[500, 600, 526, 635], [500, 600, 526, 618], [527, 600, 553, 635]]
    names = [name("9p", 0.98), name("5p", 0.6), name("1m", 0.97)]
    readings = box_readings((1000, 1000), np.array(boxes, np.float32), names)
    seen = observe(readings, SQUARE, LAYOUT, 0.0)
    assert sorted(str(tile.tile) for tile in seen.tiles) == ["1m", "9p"]


ROW = [(-69, 70), (-43, 71)]  # of seat 0, by its own axes


@pytest.mark.parametrize(
    ("place", "others", "found"),
    [
        ((-95, 70), [*ROW, (-140, 0)], (0, False)),  # its row goes on beyond the diagonal
        ((-95, 70), ROW, (0, True)),  # and may be another's first
        ((-95, 71), [*ROW, (-95, 44)], (3, False)),  # two rows: by its place
        ((-95, 90), [], (3, True)),
        ((-57, 26), [(-57, -26), (-57, 0)], (3, False)),  # three in the middle
        ((-57, 26), [(-57, 0)], (None, False)),  # two are dice
    ],
)
def test_a_discard_is_of_the_river_whose_row_it_continues_or_that_is_open(
    place: Point, others: list[Point], found: tuple[int | None, bool]
) -> None:
    boxes = [(x + 487, d + 483, x + 513, d + 517) for x, d in (place, *others)]
    names = [name("6m"), *[name("5m")] * len(others)]
    readings = box_readings((1000, 1000), np.array(boxes, np.float32), names)
    tiles = observe(readings, SQUARE, LAYOUT, 0.0).tiles
    assert [(x.zone.seat, x.is_between) for x in tiles if x.tile is Tile.M6] == [found]


def seen(text: str, x: float = 0.0, confidence: float = 0.99) -> SeenTile:
    tile = Tile.BACK if text == "#" else Tile[text]
    return SeenTile(
        tile, confidence, x, -100.0, 26.0, Zone(ZoneKind.RIVER, 0), ((tile, confidence),)
    )


def steady(*pictures: list[SeenTile]) -> tuple[SeenTile, ...]:
    follower = TileTracker(Limits.alike(0.9))
    last = Observation(0.0, ())
    for number, tiles in enumerate(pictures):
        last = follower.update(Observation(float(number), tuple(tiles)))
    return last.tiles


@pytest.mark.parametrize(
    ("pictures", "told"),
    [
        ("M1", []),
        ("M1 M1", [Tile.M1]),
        ("M1 M1 -", [Tile.M1]),
        ("M1 M1 - -", []),
        (4 * "M1 " + "M2" + 4 * " M1", [Tile.M1]),
        (6 * "M1 M2 ", [Tile.UNKNOWN]),
        (5 * "M1 " + "M9 M9 M9", [Tile.M9]),
        ("# # # M4 M4", [Tile.M4]),
    ],
)
def test_a_tile_is_what_two_pictures_and_most_of_the_last_ones_say(
    pictures: str, told: list[Tile]
) -> None:
    looks = [[] if text == "-" else [seen(text)] for text in pictures.split()]
    assert [tile.tile for tile in steady(*looks)] == told


def test_one_wrong_picture_is_never_believed() -> None:
    for later in range(4):
        pictures = [[seen(text)] for text in (*["M1"] * 4, "M2", *["M1"] * later)]
        assert steady(*pictures)[0].tile is not Tile.M2


def test_an_unsure_tile_keeps_its_candidates() -> None:
    likely = ((Tile.S7, 0.6), (Tile.S9, 0.4))
    unsure = replace(seen("S7"), tile=Tile.UNKNOWN, confidence=0.6, candidates=likely)
    (tile,) = steady([unsure], [unsure])
    assert tile.tile is Tile.UNKNOWN
    assert [candidate for candidate, _ in tile.candidates][:2] == [Tile.S7, Tile.S9]


def test_neighbours_are_never_taken_for_each_other() -> None:
    row = [seen("M1", 0.0), seen("M2", 26.0), seen("M3", 52.0)]
    assert [t.tile for t in steady(row, row)] == [Tile.M1, Tile.M2, Tile.M3]
