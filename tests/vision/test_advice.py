"""What a person is told about a picture that is hard to read, and when nothing is said."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.limits import Usual
from table_assist.vision.reading.readings import Readings, box_readings
from table_assist.vision.reading.recognise import Candidate, Name
from table_assist.vision.table.advice import Conditions, PictureFault, advice_on, advise, measure
from tests.stages.drawn_hands import draw_row

GOOD = Conditions(
    tiles=14, unsure=0, cut_off=0, width_px=60, clipped=0.05, highlight=220, sharpness=0.5
)


def troubles(conditions: Conditions) -> list[PictureFault]:
    return [each.trouble for each in advice_on(conditions)]


def test_nothing_is_said_about_a_good_picture() -> None:
    assert troubles(GOOD) == []
    assert troubles(replace(GOOD, unnamed=(2, 14))) == [], "some tiles are always hard"


def test_small_tiles_are_told_in_pixels() -> None:
    (told,) = advice_on(replace(GOOD, width_px=18.2))
    assert told.words.en == "18 pixels a tile at the far side: move the camera closer, or higher"
    assert troubles(replace(GOOD, width_px=20)) == []


@pytest.mark.parametrize(
    ("changed", "trouble"),
    [
        (replace(GOOD, clipped=0.7), PictureFault.TOO_BRIGHT),
        (replace(GOOD, lacking=2), PictureFault.LACKING),
        (replace(GOOD, highlight=40), PictureFault.TOO_DARK),
        (replace(GOOD, sharpness=0.2), PictureFault.BLURRED),
        (replace(GOOD, cut_off=2), PictureFault.CUT_OFF),
        (replace(GOOD, unnamed=(5, 14)), PictureFault.UNSURE),
        (replace(GOOD, is_unlike=True, hardly_sure=(9, 14)), PictureFault.UNLIKE),
    ],
)
def test_each_trouble_is_told_by_itself(changed: Conditions, trouble: PictureFault) -> None:
    assert troubles(changed) == [trouble]


def test_a_cause_is_told_and_not_its_consequences() -> None:
    far = replace(GOOD, width_px=12, sharpness=0.1, is_unlike=True)
    assert troubles(far) == [PictureFault.TOO_SMALL]
    assert troubles(replace(GOOD, highlight=30, is_unlike=True)) == [PictureFault.TOO_DARK]


def test_an_empty_picture_says_so_and_why() -> None:
    empty = replace(GOOD, tiles=0, width_px=None, sharpness=None, clipped=0.0)
    assert troubles(empty) == [PictureFault.NO_TILES]
    assert troubles(replace(empty, clipped=0.6)) == [PictureFault.NO_TILES, PictureFault.TOO_BRIGHT]
    assert troubles(replace(empty, tiles=2, unsure=2)) == [PictureFault.NO_TILES], "none is named"
    assert troubles(replace(empty, highlight=20)) == [PictureFault.NO_TILES, PictureFault.TOO_DARK]


LEFT, TOP, STEP, WIDTH, HEIGHT = 192, 314, 69, 68, 91


@pytest.fixture(scope="module")
def row() -> Image:
    return draw_row("123m 456m 789s 55p")


def read(labels: list[str], boxes: NDArray[np.float32], size: tuple[int, int]) -> Readings:
    names = [Name(label, 0.5, (Candidate("4p", 0.5),)) for label in labels]
    return box_readings(size, boxes, names)


def tiles_of(image: Image, scale: float = 1.0) -> Readings:
    """Where the drawn tiles lie."""
    boxes = [(LEFT + STEP * i, TOP, LEFT + STEP * i + WIDTH, TOP + HEIGHT) for i in range(11)]
    scaled = np.array(boxes, np.float32) * np.float32(scale)
    return read(["5m"] * len(boxes), scaled, (image.shape[1], image.shape[0]))


@pytest.mark.parametrize(
    ("factor", "blur", "scale", "trouble"),
    [
        (0.15, 0.1, 1.0, PictureFault.TOO_DARK),
        (2.5, 0.1, 1.0, PictureFault.TOO_BRIGHT),
        (1.0, 5.0, 1.0, PictureFault.BLURRED),
        (1.0, 0.1, 0.2, PictureFault.TOO_SMALL),
    ],
)
def test_light_blur_and_size_are_measured_on_the_tiles(
    row: Image, factor: float, blur: float, scale: float, trouble: PictureFault
) -> None:
    image = cv2.GaussianBlur(np.clip(row * factor, 0, 255).astype(np.uint8), (0, 0), blur)
    image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    seen = np.asarray(image, np.uint8)
    assert [each.trouble for each in advise(seen, tiles_of(seen, scale))] == [trouble]
    framed = np.asarray(cv2.copyMakeBorder(row, 900, 900, 900, 900, cv2.BORDER_CONSTANT), np.uint8)
    assert measure(framed, tiles_of(row)).tiles == 11


def test_a_set_that_is_read_less_surely_than_usual_is_told_with_where_to_go() -> None:
    usual, size = Usual(surer_than=0.97, most=0.5), (400, 400)
    boxes = np.array([(40 * i, 10, 40 * i + 30, 50) for i in range(9)], np.float32)

    def seen(hardly_sure: int, count: int = 9) -> Readings:
        names: list[Name | None] = [
            Name("5m", sure, (Candidate("5m", sure),))
            for sure in [0.9] * hardly_sure + [0.99] * (count - hardly_sure)
        ]
        return box_readings(size, boxes[:count], names, usual)

    image = np.random.default_rng(0).integers(60, 200, (400, 400, 3), np.uint8)
    (told,) = advise(image, seen(5))
    assert told.trouble is PictureFault.UNLIKE
    assert "5 of 9 faces" in told.words.en
    assert advise(image, seen(4)) == ()
    assert advise(image, seen(7, count=7)) == (), "so few tell nothing of a table"
