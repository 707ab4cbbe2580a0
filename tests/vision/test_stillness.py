"""What moves is not read before it lies still."""

import numpy as np
import pytest

from table_assist.vision.pictures.motion import watch
from table_assist.vision.reading.incremental import LiveReader
from table_assist.vision.reading.limits import Limits
from table_assist.vision.reading.motion_gate import LONGEST_PAUSE_S, LONGEST_WAIT_S, REST_S
from table_assist.vision.reading.read import Reader
from tests.stages.vision_networks import ColourRecogniser, RectangleDetector, draw
from tests.vision.test_incremental import FELT, SIZE, THINGS, live, noisy, table, told

SPACING = 1 / 30


def test_a_tile_on_its_way_is_read_once_it_lies() -> None:
    reader = live()
    reader.read(table(THINGS), 0.0)
    before = reader.work.pieces_read
    places = [(4, 1), (4, 3), (4, 5), (4, 7)]
    for step, place in enumerate(places, start=1):
        readings = reader.read(table(THINGS | {place: "7s"}), step * SPACING)
        assert reader.work.pieces_read == before
        assert reader.unread.any()
        assert told(readings) == told(live().read(table(THINGS)))
    readings = reader.read(table(THINGS | {places[-1]: "7s"}), 5 * SPACING)
    assert told(readings) == told(live().read(table(THINGS | {places[-1]: "7s"})))
    assert reader.work.pieces_read == before + 1
    assert not reader.unread.any()


def test_a_tile_at_rest_beside_a_moving_hand_is_read_at_once() -> None:
    reader = live()
    reader.read(table(THINGS), 0.0)
    for step in range(1, 5):
        image = table(THINGS | {(1, 9): "7s"})
        draw(image, "W", 700 + 25 * step, 100, width=40, height=60)
        readings = reader.read(image, step * SPACING)
        assert len(readings) == len(THINGS) + (step > 1)
    assert reader.unread.any()


def test_a_large_change_must_have_been_still_for_longer() -> None:
    reader = live()
    reader.read(table(THINGS), 0.0)
    image = table(THINGS)
    image[100:300, 300:700] = 120
    before, t = reader.work.pieces_read, 0.0
    while reader.work.pieces_read == before:
        t += SPACING
        reader.read(noisy(image, 2, round(t * 30)), t)
    assert REST_S <= t - SPACING < REST_S + 2.5 * SPACING


def test_what_never_rests_is_read_all_the_same() -> None:
    reader = live()
    reader.read(table(THINGS), 0.0)
    before = reader.work.pieces_read
    for step in range(1, 30 * 4):
        image = table(THINGS)
        draw(image, "W", 700, 100 + 30 * (step % 2), width=30, height=30)
        reader.read(image, step * SPACING)
    passes = reader.work.pieces_read - before
    assert 1 <= passes <= 2 * 4 / LONGEST_WAIT_S


@pytest.mark.parametrize("spacing", [2 * LONGEST_PAUSE_S, None])
def test_slow_pictures_and_those_without_a_time_are_read_at_once(spacing: float | None) -> None:
    reader = live()
    reader.read(table(THINGS), None if spacing is None else 0.0)
    now = THINGS | {(4, 3): "7s"}
    assert told(reader.read(table(now), spacing)) == told(live().read(table(now)))


def test_a_thing_much_larger_than_a_tile_swallows_nothing() -> None:
    image = np.full(SIZE, FELT, np.uint8)
    draw(image, "5p", 200, 200, width=20, height=27)
    draw(image, "9s", 400, 200, width=150, height=150)
    detector = RectangleDetector(320, smallest=8, largest=300)
    for tile_px, count in ((None, 2), (20.0, 1)):
        reader = LiveReader(Reader(detector, ColourRecogniser(), Limits.alike(0.6)), tile_px)
        assert len(reader.read(image)) == count


def test_tiles_of_known_width_are_looked_for_at_one_scale() -> None:
    detector = RectangleDetector(320, smallest=8, largest=300)
    image = table(THINGS)
    for tile_px, pieces in ((20.0, 12), (64.0, 2)):
        reader = LiveReader(Reader(detector, ColourRecogniser(), Limits.alike(0.6)), tile_px)
        reader.read(image)
        assert reader.work.pieces_read == pieces
        assert watch(image).size_wh == (960, 600)


def test_a_small_change_that_comes_and_goes_between_slow_pictures_is_not_read() -> None:
    """A sensor's noise at a tile's edge: what stays is read with the next picture."""
    reader = live()
    plain, spotted = table(THINGS), table(THINGS)
    draw(spotted, "W", 700, 100, width=9, height=9)
    reader.read(plain, 0.0)
    before = reader.work.pieces_read
    for step, image in enumerate((spotted, plain, spotted, plain, spotted), start=1):
        reader.read(image, step * 2 * LONGEST_PAUSE_S)
        assert not reader.unread.any(), "noise hides nothing"
    assert reader.work.pieces_read == before
    reader.read(spotted, 12 * LONGEST_PAUSE_S)
    assert reader.work.pieces_read > before
