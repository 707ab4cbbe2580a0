"""How large tiles are is measured, never by one picture; rows of any size lie in their zones."""

from collections.abc import Callable
from functools import cache
from random import Random

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_assist.tiles.tile import SUITED
from table_assist.twin.river import LARGEST_SCALE, Fit
from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.limits import Limits
from table_assist.vision.reading.readings import Readings, box_readings
from table_assist.vision.reading.recognise import Name
from table_assist.vision.table.advice import lacking
from table_assist.vision.table.calibration import Calibration, parse_corners
from table_assist.vision.table.observation import observe, seen_tile_mm
from table_assist.vision.table.tile_size import (
    PICTURES_AGREE,
    TILE_MM,
    TileSize,
    loosely_measured_mm,
    measured_mm,
)
from table_assist.vision.table.watcher import Watcher
from table_assist.vision.table.zones import Layout, ZoneKind, from_seat
from tests.stages.vision_networks import PlainEyes

EDGE, SIDE = 30, 860
CALIBRATION = Calibration(
    ((EDGE, SIDE - EDGE), (SIDE - EDGE, SIDE - EDGE), (SIDE - EDGE, EDGE), (EDGE, EDGE))
)
scales = pytest.mark.parametrize("scale", [0.7, 0.85, 1.0, 1.05, 1.1, LARGEST_SCALE])


@given(st.floats(17, 31), st.integers(0, 9999), st.floats(1.0, 1.08))
def test_neighbours_tell_the_width_though_boxes_are_wider_and_tiles_are_missing(
    width: float, seed: int, wider: float
) -> None:
    rng = Random(seed)
    rows = [
        [
            (place * width + rng.gauss(0, 0.02 * width), wider * width * rng.uniform(0.93, 1.07))
            for place in range(17)
            if rng.random() < 0.85
        ]
        for _ in range(4)
    ]
    found = measured_mm(rows)
    assert found is not None
    assert found == pytest.approx(width, rel=0.03)


def test_tiles_laid_sideways_among_the_others_do_not_count() -> None:
    row = [(26.4 * n, 27.0) for n in range(8)]
    sideways = [(26.4 * 8 + 4.5, 36.0), (26.4 * 8 + 40.0, 27.0), (26.4 * 9 + 40.0, 27.0)]
    assert measured_mm([row + sideways, row]) == pytest.approx(26.4)


def test_too_few_tiles_or_tiles_that_lie_apart_tell_nothing() -> None:
    assert measured_mm([]) is None
    assert loosely_measured_mm([], [[]], TILE_MM) is None
    assert measured_mm([[(26.0 * n, 27.0) for n in range(6)]]) is None
    assert measured_mm([[(60.0 * n, 27.0) for n in range(14)]]) is None
    # Of a row every other tile is missed: what is twice as far is no neighbour.
    assert measured_mm([[(52.0 * n, 27.0) for n in range(14)]]) is None


def test_a_heap_has_no_size_and_wherever_it_is_pushed_none_for_long() -> None:
    """By rare chance one look is a row: five in a row would have to agree."""
    size, told = TileSize(), 0
    for seed in range(300):
        rng = Random(seed)
        heap = [
            [
                (rng.uniform(-230, 230), rng.uniform(98, 204), 26 * rng.uniform(1.0, 1.6))
                for _ in range(14)
            ]
            for _ in range(4)
        ]
        size.update(measured := measured_mm([[(r, wide) for r, _, wide in row] for row in heap]))
        told += measured is not None or loosely_measured_mm([], heap, TILE_MM) is not None
    assert told <= 4
    assert size.mm == TILE_MM


def test_the_size_is_believed_after_some_pictures_that_agree_and_never_by_one() -> None:
    size = TileSize()
    assert [size.update(20.0) for _ in range(4)] == [False] * 4
    assert (size.mm, size.is_known) == (TILE_MM, False)
    assert size.update(20.1)
    assert (size.mm, size.is_known) == (20.0, True)
    assert not size.update(27.0), "one picture"
    assert not size.update(None)
    assert size.mm == 20.0
    assert any([size.update(26.3) for _ in range(5)])
    assert size.mm == TILE_MM, "another set: the usual size is it exactly"


@given(st.lists(st.floats(25.0, 27.2), max_size=40))
def test_tiles_of_about_the_usual_size_are_usual_tiles(measured: list[float]) -> None:
    size = TileSize()
    assert not any(size.update(value) for value in measured)
    assert (size.mm, size.words.en) == (TILE_MM, "")


def test_borders_that_were_set_by_hand_stay_and_small_tiles_change_none() -> None:
    own = Layout(river=220.0)
    assert own.fitted(30.0) is own
    assert Layout().fitted(18.0) == Layout() == Layout().fitted(TILE_MM)


class Expecting(PlainEyes):
    """Keeps what size of tiles it is told."""

    def __init__(self, read: Callable[[Image], Readings]) -> None:
        super().__init__(read)
        self.expected: list[float] = []

    def expect(self, tile_px: float) -> None:
        self.expected.append(tile_px)


@scales
def test_a_wall_is_measured_and_from_then_on_tiles_side_by_side_are_two(scale: float) -> None:
    eyes = Expecting(lambda image: lying(scale))
    watcher = Watcher(eyes, CALIBRATION, Layout(), limits=Limits.alike(0.9))
    seen = [watcher.look(printed_cloth(n), n / 3) for n in range(12)][-1]
    usual = watcher.tile_mm == TILE_MM
    assert usual == (0.95 < scale < 1.09), "4 % smaller than a camera would see them"
    assert watcher.tile_mm == pytest.approx(26 * scale, rel=0.05)
    assert seen.tile_mm == watcher.tile_mm
    assert eyes.expected == ([] if usual else [pytest.approx(watcher.tile_mm)]), "1 px a mm"
    assert len(seen.in_zone(ZoneKind.MELDS, 0)) == 6
    assert len(seen.in_zone(ZoneKind.WALL)) == 4 * 13
    px = 26 * scale * 0.963
    assert watcher.words.en == (
        f"{int(px)} pixels a tile: move the camera closer, or use a higher resolution"
        if px < 20
        else ""
    )


@pytest.mark.parametrize(
    ("scale", "known_mm", "says"),
    [(0.5, TILE_MM, "no table, or only a part of one"), (1.0, 22.0, "where 22 is known")],
)
def test_corners_by_which_tiles_have_no_size_or_not_their_own_are_told_and_not_believed(
    scale: float, known_mm: float, says: str
) -> None:
    eyes, limits = PlainEyes(lambda image: lying(scale)), Limits.alike(0.9)
    watcher = Watcher(eyes, CALIBRATION, Layout(), limits=limits, known_mm=known_mm)
    for n in range(12):
        watcher.look(printed_cloth(n), n / 3)
    assert watcher.tile_mm == known_mm
    assert says in watcher.words.en
    assert watcher.note == watcher.words.en


@cache
def printed_cloth(seed: int) -> Image:
    """A cloth with spots, by which the camera's place is known, and some noise."""
    spots = np.random.default_rng(1).integers(0, 60, (SIDE // 10, SIDE // 10, 1))
    cloth = np.repeat(np.repeat(spots, 10, axis=0), 10, axis=1) + np.array((62, 104, 42))
    noise = np.random.default_rng(seed).normal(0, 2, (SIDE, SIDE, 3))
    return np.clip(cloth + noise, 0, 255).astype(np.uint8)


def lying(scale: float) -> Readings:
    """Thirteen stacks before each seat, and two groups of three before seat 0; 1 px a mm.

    They have no height, which makes them 4 % smaller than a camera would see them.
    """
    fit, boxes, names = Fit(scale), [], []
    places = [
        (seat, fit.stack_r(13, n), fit.wall_d, "back") for seat in range(4) for n in range(1, 14)
    ]
    melds = [300 - fit.width * n - 8 * (n // 3) for n in range(6)]
    places += [(0, r, fit.melds_d, str(tile)) for r, tile in zip(melds, SUITED, strict=False)]
    for seat, r, d, label in places:
        x, y = from_seat(r, d, seat)
        half = np.array([fit.width, fit.length])[:: 1 if seat % 2 == 0 else -1] / 2
        offset = SIDE / 2 - 22  # the window begins 22 px inside the picture
        middle = np.array([x + offset, offset - y])
        boxes.append((*(middle - half), *(middle + half)))
        names.append(Name(label, 0.97, ()))
    return box_readings((SIDE - 44, SIDE - 44), np.array(boxes, np.float32), names)


@pytest.mark.parametrize("turn", [0, 20, 45, 70])
def test_tiles_are_of_one_size_however_askew_the_table_is_seen(turn: int) -> None:
    """Upright boxes of a table that is seen from its corner are half as wide again."""
    matrix = cv2.getRotationMatrix2D((SIDE / 2, SIDE / 2), turn, 1.0)
    boxes = cv2.transform(lying(1.0).polygons + 22, matrix)
    names = [Name("back", 0.97, ())] * len(boxes)
    upright = np.concatenate([boxes.min(axis=1), boxes.max(axis=1)], axis=1)
    readings = box_readings((SIDE, SIDE), upright.astype(np.float32), names)
    corners = cv2.transform(np.array([CALIBRATION.corners_px]), matrix)[0]
    askew = Calibration(parse_corners(corners.tolist()))
    seen = observe(readings, askew, Layout(), 0.0)
    assert seen.measured_mm == pytest.approx(26.0, rel=0.1)
    assert seen_tile_mm(readings, askew) == pytest.approx(26.0, rel=0.1)


def river_of(scale: float, discards: int, seed: int) -> list[tuple[float, float, float]]:
    """Discards as people lay them: along and across their rows, and how wide."""
    rng, fit = Random(seed), Fit(scale)
    return [
        (
            fit.river_first_r + fit.width * (n % 6) + rng.uniform(-1.5, 1.5),
            fit.river_d + fit.river_row * (n // 6) + rng.uniform(-1.5, 1.5),
            fit.width * rng.uniform(1.02, 1.1),
        )
        for n in range(discards)
    ]


@pytest.mark.parametrize("discards", [2, 4])
@pytest.mark.parametrize("scale", [0.72, 0.8, LARGEST_SCALE])
def test_where_no_other_row_tells_it_discards_say_that_tiles_are_of_another_size(
    scale: float, discards: int
) -> None:
    told = [
        loosely_measured_mm(
            [], [river_of(scale, discards, 4 * seed + n) for n in range(4)], TILE_MM
        )
        for seed in range(40)
    ]
    found = [each for each in told if each is not None]
    assert len(found) >= 20
    assert found == pytest.approx([TILE_MM * scale] * len(found), rel=0.11)


@given(st.integers(0, 9999), st.integers(0, 3))
def test_tiles_that_rows_imply_are_counted_and_melds_that_lie_apart_are_none(
    seed: int, gone: int
) -> None:
    rng = Random(seed)
    scale = rng.uniform(0.75, LARGEST_SCALE)
    boxes = lying(scale).polygons.mean(axis=1) + np.random.default_rng(seed).normal(0, 0.6, 2)
    stacks = [13 * seat + place for seat in range(4) for place in range(2, 11)]
    kept = np.delete(boxes, rng.sample(stacks, gone), axis=0)
    assert lacking(kept, TILE_MM * scale * rng.uniform(0.95, 1.05)) == gone


@given(st.integers(0, 9999), st.integers(3, 12))
def test_discards_of_the_size_that_is_known_say_nothing(seed: int, discards: int) -> None:
    for scale in (0.8, 1.0):
        rivers = [river_of(scale, discards, 4 * seed + n) for n in range(4)]
        assert loosely_measured_mm([], rivers, TILE_MM * scale) is None


def test_discards_that_are_laid_apart_from_each_other_tell_no_size() -> None:
    rivers = [[(31.0 * n, 98.0, 27.0) for n in range(6)] for _ in range(4)]
    assert loosely_measured_mm([], rivers, TILE_MM) is None


@pytest.mark.parametrize(
    ("known_mm", "counts_mm", "is_other"),
    [
        (None, TILE_MM, False),
        (27.0, TILE_MM, False),
        (22.0, 22.0, True),
        (60.0, TILE_MM, True),
    ],
)
def test_a_size_that_is_known_counts_from_the_first_picture_on_and_another_one_is_told(
    known_mm: float | None, counts_mm: float, is_other: bool
) -> None:
    size = TileSize(known_mm)
    assert size.update(None) is (counts_mm != TILE_MM)
    assert size.mm == counts_mm
    for _ in range(PICTURES_AGREE):
        size.update(26.0)
    assert bool(size.words) is is_other
