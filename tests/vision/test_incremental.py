"""Picture after picture: only what changed is read again, and the end is as if read whole."""

import cv2
import numpy as np
import pytest
from hypothesis import strategies as st

from table_assist.vision.pictures.motion import changed_blocks, watch
from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.incremental import LiveReader
from table_assist.vision.reading.limits import Limits
from table_assist.vision.reading.read import Reader
from table_assist.vision.reading.readings import Readings
from tests.stages.vision_networks import ColourRecogniser, RectangleDetector, draw

SIZE = (600, 960, 3)
INPUT = 320  # px: half of the real one, for speed
PIECES = 4 * 3 + 1
FELT = 40
LABELS = ["1m", "5p", "9s", "W", "back"]  # five shades of grey


def live() -> LiveReader:
    detector = RectangleDetector(INPUT, smallest=8, largest=160)
    return LiveReader(Reader(detector, ColourRecogniser(), limits=Limits.alike(0.6)))


def corner(column: int, row: int) -> tuple[int, int]:
    return 10 + 48 * column, 10 + 48 * row


def table(things: dict[tuple[int, int], str]) -> Image:
    image = np.full(SIZE, FELT, np.uint8)
    for (column, row), label in things.items():
        left, top = corner(column, row)
        draw(image, label, left, top, width=20, height=27)
    return image


def told(readings: Readings) -> set[tuple[str, int, int]]:
    corners = readings.polygons[:, 0].round().astype(int).tolist()
    return {(label, x, y) for label, (x, y) in zip(readings.labels, corners, strict=True)}


def noisy(image: Image, sigma: float, seed: int) -> Image:
    noise = sigma * np.random.default_rng(seed).standard_normal(image.shape, np.float32)
    return np.clip(image + noise, 0, 255).astype(np.uint8)


THINGS = {(c, r): LABELS[(c + r) % 5] for c in range(0, 18, 3) for r in range(0, 11, 2)}


def test_an_idle_table_costs_nothing() -> None:
    reader = live()
    first = reader.read(noisy(table(THINGS), 4, 0))
    after_first = reader.work
    assert after_first.pieces_read == after_first.pieces_possible == PIECES
    assert after_first.crops_recognised == len(THINGS)
    for seed in range(1, 6):
        assert reader.read(noisy(table(THINGS), 4, seed)) is first
    assert reader.work.pieces_read == after_first.pieces_read
    assert reader.work.crops_recognised == after_first.crops_recognised
    assert reader.work.pictures == 6
    assert reader.work.pieces_possible == 6 * PIECES


def test_jpeg_and_a_shake_of_a_pixel_are_no_change() -> None:
    reader = live()
    image = noisy(table(THINGS), 2, 0)
    reader.read(image)
    read_before = reader.work.pieces_read
    shaken = np.roll(image, 1, axis=1)
    jpeg = cv2.imdecode(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 70])[1], 1)
    for again in (shaken, np.roll(image, -1, axis=0), np.asarray(jpeg, np.uint8)):
        reader.read(again)
    assert reader.work.pieces_read == read_before


def test_one_discard_costs_one_piece_and_one_crop_at_once() -> None:
    reader = live()
    reader.read(table(THINGS))
    before = reader.work
    now = THINGS | {(4, 3): "7s"}
    assert told(reader.read(table(now))) == told(live().read(table(now)))
    assert reader.work.pieces_read == before.pieces_read + 1
    assert reader.work.crops_recognised == before.crops_recognised + 1


def test_the_readings_of_untouched_tiles_stay_to_the_bit() -> None:
    reader = live()
    first = reader.read(noisy(table(THINGS), 4, 0))
    second = reader.read(noisy(table(THINGS | {(4, 3): "7s"}), 4, 1))
    kept = {tuple(polygon.ravel().tolist()) for polygon in first.polygons}
    assert kept < {tuple(polygon.ravel().tolist()) for polygon in second.polygons}


def test_a_large_thing_that_comes_is_found() -> None:
    reader = LiveReader(
        Reader(RectangleDetector(INPUT, 8, 300), ColourRecogniser(), Limits.alike(0.6))
    )
    reader.read(table(THINGS))
    image = table(THINGS)
    draw(image, "5p", 150, 50, width=350, height=450)
    readings = reader.read(image)
    assert any(
        label == "5p" and np.ptp(polygon[:, 0]) > 325
        for label, polygon in zip(readings.labels, readings.polygons, strict=True)
    )


def test_a_picture_of_another_size_starts_afresh() -> None:
    reader = live()
    reader.read(table(THINGS))
    small = np.full((400, 500, 3), FELT, np.uint8)
    draw(small, "W", 100, 100, width=20, height=27)
    readings = reader.read(small)
    assert readings.labels == ("W",)
    assert readings.size_wh == (500, 400)


places = st.tuples(st.integers(0, 18), st.integers(0, 11))


@pytest.mark.parametrize("size", [(1080, 1920), (1440, 2560), (480, 640), (7, 5)])
def test_watching_sees_a_small_tile_and_not_the_noise(size: tuple[int, int]) -> None:
    empty = np.full((*size, 3), 90, np.uint8)
    reference = watch(noisy(empty, 5, 1))
    assert not changed_blocks(reference, watch(noisy(empty, 5, 2))).any()
    if min(size) > 100:
        image = noisy(empty, 5, 3)
        image[60:84, 80:98] = 150  # 18 x 24 px and not bright
        mask = changed_blocks(reference, watch(image))
        assert mask.any()
        assert mask.sum() <= 20


def test_tiles_of_another_size_are_read_at_the_scale_that_fits_them() -> None:
    """What was told of wide tiles holds for narrow ones, too; the same scale reads nothing anew."""
    detector = RectangleDetector(INPUT, smallest=8, largest=160)
    reader = LiveReader(
        Reader(detector, ColourRecogniser(), limits=Limits.alike(0.6)), tile_px=66.0
    )
    image = table(THINGS)
    first = reader.read(image)
    at_half = reader.work.pieces_read
    reader.expect(70.0)
    assert reader.read(image) is first
    assert reader.work.pieces_read == at_half
    reader.expect(40.0)
    again = reader.read(image)
    assert reader.work.pieces_read > 2 * at_half, "at the picture's own scale"
    assert told(again) == told(live().read(image))
