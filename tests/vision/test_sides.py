"""A blank side above the face of a standing tile is no white dragon and no back."""

import numpy as np
import pytest

from table_assist.vision.reading.readings import Readings, box_readings
from table_assist.vision.reading.recognise import Candidate, Name
from table_assist.vision.reading.sides import sides_of, without_sides
from table_assist.vision.reading.why import WhyDoubtful

Box = tuple[float, float, float, float]
SIZE = (1000, 1000)


def read(things: list[tuple[str, Box]]) -> Readings:
    names = [Name(label, 0.95, (Candidate(label, 0.95),)) for label, _ in things]
    return box_readings(SIZE, np.array([box for _, box in things], np.float32), names)


def hand(labels: list[str], high: float = 26, turned: int = 0) -> Readings:
    """A row of faces seen from a seat, and what is read above each, so many pixels high."""
    things: list[tuple[str, Box]] = []
    for place, label in enumerate(labels):
        x = 100.0 + 42 * place
        things.append(("5m", (x, 300, x + 40, 354)))
        if label:
            things.append((label, (x + 1, 300 - high, x + 40, 299)))
    return read([(label, _turned(box, turned)) for label, box in things])


def _turned(box: Box, quarters: int) -> Box:
    for _ in range(quarters):
        x0, y0, x1, y1 = box
        box = (1000 - y1, x0, 1000 - y0, x1)
    return box


@pytest.mark.parametrize("turned", [0, 1, 2, 3])
def test_a_row_of_sides_is_no_tile_however_the_photograph_is_turned(turned: int) -> None:
    readings = hand(["P", "back", "P", "", "back"], turned=turned)
    assert without_sides(readings).labels == ("5m",) * 5


def test_one_white_dragon_that_may_be_a_side_is_asked_about_and_one_back_stays() -> None:
    told = without_sides(hand(["P", "", "", "back"]))
    assert sorted(told.labels) == sorted(["?", "back", *["5m"] * 4])
    assert WhyDoubtful.BLANK in told.why


def test_whole_white_dragons_and_backs_stay_wherever_they_lie() -> None:
    row = hand(["P", "P", "back", "P"], high=54)
    assert without_sides(row) is row, "as high as the faces: another row of tiles"
    apart = read(
        [("5m", (100, 300, 140, 354)), *[("P", (100, 200 + i, 140, 226)) for i in range(4)]]
    )
    assert without_sides(apart) is apart, "no side lies apart from its face"
    turned = read([("5m", (100, 300, 140, 354)), ("P", (93, 259, 147, 299))])
    assert without_sides(turned) is turned, "a tile that is turned is wider than that face"
    unread = box_readings(SIZE, np.empty((0, 4), np.float32), [])
    assert not sides_of(unread).any()
