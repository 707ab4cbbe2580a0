"""A white dragon on which nothing is drawn is one only where nothing says that it is a back."""

import cv2
import numpy as np
import pytest

from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.plain import Colour, plain_colour
from table_assist.vision.reading.readings import Readings, box_readings
from table_assist.vision.reading.recognise import Candidate, Name
from table_assist.vision.reading.whole import checked
from table_assist.vision.reading.why import WhyDoubtful

IVORY, SHADED, GREEN = Colour(235, 128, 134), Colour(215, 128, 134), Colour(120, 96, 140)
CLOTH, PAPER = (30, 90, 50), (236, 232, 220)


def tile(turn: float, *, frame: bool, side: float = 1.35) -> Image:
    """(64, 64, 3) RGB: a blank tile, or one with a frame, as the recogniser sees it."""
    crop = np.empty((64, 64, 3), np.uint8)
    crop[:] = CLOTH
    wide = 64 / 1.35 / side
    body = cv2.boxPoints(((32, 32), (wide, 1.35 * wide), turn)).astype(np.int32)
    cv2.fillConvexPoly(crop, body, PAPER)
    if frame:
        inner = cv2.boxPoints(((32, 32), (0.66 * wide, 1.0 * wide), turn)).astype(np.int32)
        cv2.polylines(crop, [inner], True, (40, 60, 150), 2)
    return crop


def box_of(turn: float, side: float = 1.35) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    wide = 64 / 1.35 / side
    return np.ptp(cv2.boxPoints(((32, 32), (wide, 1.35 * wide), turn)), axis=0).astype(np.float32)


@pytest.mark.parametrize("turn", [0, 20, 45, 90])
def test_a_frame_is_seen_at_any_angle_and_what_has_none_has_a_colour(turn: float) -> None:
    side = float(box_of(turn, 1.0).max() / (64 / 1.35))
    assert plain_colour(tile(turn, frame=True, side=side), box_of(turn, side)) is None
    colour = plain_colour(tile(turn, frame=False, side=side), box_of(turn, side))
    assert colour is not None
    assert colour.differs(IVORY) < 10


def read(
    whites: list[Colour | None],
    backs: tuple[Colour | None, ...] = (),
    sure: float = 0.93,
    *,
    apart: float = 0.0,
) -> Readings:
    """A row of six faces, then whites in it or so far below, and backs in a row of their own."""
    names = [Name("5m", 0.99, (Candidate("5m", 0.99),))] * 6
    boxes = [(100 + 45 * i, 50, 140 + 45 * i, 104) for i in range(6 + len(whites))]
    boxes[6:] = [(x0, y0 + apart, x1, y1 + apart) for x0, y0, x1, y1 in boxes[6:]]
    for colour in whites:
        mark = WhyDoubtful.BLANK if colour else None
        names = [*names, Name("P", sure, (Candidate("P", sure),), mark, colour)]
    for index, colour in enumerate(backs):
        boxes.append((100 + 45 * index, 500, 140 + 45 * index, 554))
        names = [*names, Name("back", 0.99, (Candidate("back", 0.99),), None, colour)]
    return box_readings((1000, 1000), np.array(boxes, np.float32), names)


def named(readings: Readings) -> int:
    told = checked(readings)
    assert all(why in (None, WhyDoubtful.BLANK) for why in told.why)
    return sum(label == "P" for label in told.labels)


def test_backs_of_its_colour_make_a_white_dragon_doubtful_and_others_prove_it() -> None:
    assert named(read([IVORY], (GREEN, GREEN))) == 1
    assert named(read([IVORY], (GREEN, GREEN, SHADED), sure=0.999)) == 0
    assert named(read([None], (IVORY, IVORY))) == 1, "one with a frame is no back"


def test_without_a_back_in_sight_it_lies_in_a_row_of_faces_or_is_surer_than_usual() -> None:
    assert named(read([IVORY])) == 1
    assert named(read([IVORY], apart=200)) == 0
    assert named(read([IVORY], sure=0.99, apart=200)) == 1


def test_a_set_has_four_and_nobody_knows_which_of_five_is_none() -> None:
    assert named(read([None] * 4)) == 4
    assert named(read([None] * 4 + [IVORY], (GREEN, GREEN), sure=0.99)) == 0
    assert named(read([IVORY] * 5, apart=200)) == 0


def test_a_set_that_is_laid_out_shows_its_spare_white_dragons() -> None:
    white = Name("P", 0.99, (Candidate("P", 0.99),), WhyDoubtful.BLANK, IVORY)
    face = Name("5m", 0.99, (Candidate("5m", 0.99),))
    boxes = [
        (100 + 45 * x, 50 + 60 * y, 140 + 45 * x, 104 + 60 * y) for y in range(4) for x in range(6)
    ]
    laid_out = [white, face, face, face, face, white] * 4
    told = box_readings((1000, 1000), np.array(boxes, np.float32), laid_out)
    assert named(told) == 8
    back = Name("back", 0.99, (Candidate("back", 0.99),), None, GREEN)
    with_a_back = box_readings((1000, 1000), np.array(boxes, np.float32), [back, *laid_out[1:]])
    assert named(with_a_back) == 0
