"""What a mirrored lamp wipes out is a "?"; tiles in good or in too much light keep their names."""

from dataclasses import replace

import numpy as np
import pytest

from table_assist.vision.reading.readings import Readings, box_readings
from table_assist.vision.reading.recognise import Candidate, Name
from table_assist.vision.table.watcher import without_glared

IVORY = (214, 226, 232)
PITCH, TOP, BOTTOM, WIDTH = 40, 20, 56, 26


def read(*labels: str) -> Readings:
    boxes = [(PITCH * i + 7, TOP, PITCH * i + 7 + WIDTH, BOTTOM) for i in range(len(labels))]
    names = [Name(label, 0.99, (Candidate(label, 0.99),)) for label in labels]
    return box_readings((PITCH * len(labels), 80), np.array(boxes, np.float32), names)


def picture(tiles: int, *, ivory: tuple[int, int, int] = IVORY) -> np.ndarray:
    """Tiles with something drawn on them, on a dark cloth."""
    image = np.full((80, PITCH * tiles, 3), 60, np.uint8)
    for index in range(tiles):
        left = PITCH * index + 7
        image[TOP:BOTTOM, left : left + WIDTH] = ivory
        image[TOP + 6 : TOP + 12, left + 8 : left + 18] = (40, 40, 170)
    return image


def mirror(image: np.ndarray, index: int, share: float) -> np.ndarray:
    """That share of a tile, from its lower side, is plain white."""
    left = PITCH * index + 7
    image[BOTTOM - round(share * (BOTTOM - TOP)) : BOTTOM, left : left + WIDTH] = 255
    return image


@pytest.mark.parametrize("share", [0.2, 0.5, 0.8])
def test_a_face_with_a_plain_white_patch_is_a_question_however_sure_its_name_is(
    share: float,
) -> None:
    found = without_glared(read(*["5p"] * 10), mirror(picture(10), 3, share))
    assert found.labels == ("5p",) * 3 + ("?",) + ("5p",) * 6
    assert found.candidates[3] == (), "what is half hidden is no likely face either"


def test_a_face_that_is_all_plain_white_is_no_white_dragon() -> None:
    found = without_glared(read(*["5p"] * 9, "P"), mirror(picture(10), 9, 1.0))
    assert found.labels[9] == "?"


def test_a_small_mirrored_edge_and_a_white_dragon_in_good_light_are_left_alone() -> None:
    readings = read(*["5p"] * 9, "P")
    image = picture(10)
    image[TOP:BOTTOM, PITCH * 9 + 7 : PITCH * 9 + 7 + WIDTH] = (236, 240, 242)
    assert without_glared(readings, mirror(image, 2, 0.06)) is readings


def test_where_the_lamp_is_only_too_near_nothing_is_doubted() -> None:
    """All of the tile is nearly white then; and where all tiles are, they are overexposed."""
    readings = read(*["5p"] * 10)
    near = picture(10)
    left = PITCH * 4 + 7
    near[TOP:BOTTOM, left : left + WIDTH][near[TOP:BOTTOM, left : left + WIDTH] > 200] = 246
    assert without_glared(readings, mirror(near, 4, 0.3)) is readings
    every = picture(10)
    for index in range(10):
        mirror(every, index, 0.3)
    assert without_glared(readings, every) is readings


def test_by_few_faces_the_exposure_is_not_known() -> None:
    readings = read(*["5p"] * 7)
    assert without_glared(readings, mirror(picture(7), 0, 0.5)) is readings


@pytest.mark.parametrize(("share", "is_likely"), [(0.9, False), (0.4, False), (0.2, True)])
def test_what_a_lamp_wipes_out_is_no_rather_a_back_than_another(
    share: float, *, is_likely: bool
) -> None:
    """A discard in a heap, all white and likeliest a back, was none, and all turns were shifted."""
    readings = read(*["5p"] * 9, "?")
    likely = (*readings.candidates[:9], (Candidate("back", 0.59),))
    found = without_glared(replace(readings, candidates=likely), mirror(picture(10), 9, share))
    assert found.labels[9] == "?"
    assert bool(found.candidates[9]) is is_likely
