"""Cloth that is read as a back is none, and a back is never taken for cloth by mistake."""

import numpy as np
import pytest

from table_assist.vision.reading.readings import Readings, box_readings
from table_assist.vision.reading.recognise import Candidate, Name
from table_assist.vision.table.back_filter import BackFilter

CLOTH = np.array((62, 104, 42), np.float32)
GREEN, AMBER = (78, 138, 34), (42, 138, 214)
BACK = Name("back", 0.99, (Candidate("back", 0.99),))


def picture(backs: int, colour: tuple[int, int, int], light: float = 1.0) -> np.ndarray:
    image = np.full((80, 40 * 14, 3), CLOTH, np.float32)
    for index in range(backs):
        image[20:56, 40 * index + 7 : 40 * index + 33] = colour
    image *= np.linspace(1.0, light, image.shape[1])[None, :, None]
    image += np.random.default_rng(1).normal(0, 4, image.shape)
    return np.clip(image, 0, 255).astype(np.uint8)


def read(count: int, label: Name = BACK) -> Readings:
    boxes = [(40 * i + 7, 20, 40 * i + 33, 56) for i in range(count)]
    return box_readings((560, 80), np.array(boxes, np.float32), [label] * count)


@pytest.mark.parametrize("colour", [GREEN, AMBER])
@pytest.mark.parametrize("light", [1.0, 0.6])
def test_cloth_that_is_read_as_a_back_is_left_out(
    colour: tuple[int, int, int], light: float
) -> None:
    found = BackFilter().without(read(12), picture(10, colour, light), CLOTH)
    assert len(found) == 10
    assert found.polygons[:, :, 0].max() < 400


def test_backs_of_the_very_colour_of_the_cloth_are_all_kept() -> None:
    """Where colour tells nothing, nothing follows from it."""
    same = tuple(int(value) for value in CLOTH)
    readings = read(12)
    assert BackFilter().without(readings, picture(10, same), CLOTH) is readings  # type: ignore[arg-type]


def test_few_backs_and_an_unknown_cloth_decide_nothing() -> None:
    few, many = read(7), read(12)
    assert BackFilter().without(few, picture(3, AMBER), CLOTH) is few
    assert BackFilter().without(many, picture(3, AMBER), None) is many


@pytest.mark.parametrize("light", [1.0, 0.75])
def test_cloth_between_printed_lines_that_is_read_as_a_back_is_left_out(light: float) -> None:
    """A lattice on the cloth was read as backs among the melds, and held a claim back. Its lines
    are no more than a part of what lies there; a back is plain, and most of it tells its colour."""
    image = picture(9, AMBER, light).astype(np.float32)
    for line in (12, 24):  # across what is read as the last backs
        image[:, 360 + line : 362 + line] = image[:, 400 + line : 402 + line] = (215, 220, 220)
        image[20 + line : 22 + line, 360:440] = (215, 220, 220)
    likely = Name("?", 0.7, (Candidate("back", 0.7), Candidate("P", 0.1)))
    for last in (BACK, likely):
        names = [BACK] * 9 + [last] * 2
        boxes = [(40 * i + 7, 20, 40 * i + 33, 56) for i in range(11)]
        readings = box_readings((560, 80), np.array(boxes, np.float32), names)
        assert len(BackFilter().without(readings, image.astype(np.uint8), CLOTH)) == 9


def test_more_cloth_than_backs_is_left_out_too_and_the_backs_stay() -> None:
    """Late in a hand a short wall has fewer backs than a lattice has cells."""
    few = 8
    assert len(BackFilter().without(read(14), picture(few, AMBER), CLOTH)) == few == 14 - 6
    boxes = [(40 * i + 7, 20, 40 * i + 33, 56) for i in range(14)]
    boxes += [(x0 + 2, y0, x1 + 2, y1) for x0, y0, x1, y1 in boxes[8:]] * 2
    readings = box_readings((560, 80), np.array(boxes, np.float32), [BACK] * len(boxes))
    assert len(readings) > 2 * few
    assert len(BackFilter().without(readings, picture(few, AMBER), CLOTH)) == few


def test_cloth_that_is_read_as_a_back_is_left_out_late_in_a_hand_too() -> None:
    """Cells of a lattice came to light when the wall was short: two sure backs beside a pung."""
    ghosts = BackFilter()
    ghosts.without(read(12), picture(12, AMBER), CLOTH)
    late = picture(4, AMBER)
    assert len(ghosts.without(read(6), late, CLOTH)) == 4
    assert len(BackFilter().without(read(6), late, CLOTH)) == 6, "their colour is not known"
    ghosts.forget_the_set()
    assert len(ghosts.without(read(6), late, CLOTH)) == 6, "it may be another set's"


def test_a_back_that_could_not_be_read_for_sure_stays() -> None:
    likely = Name("?", 0.7, (Candidate("back", 0.7), Candidate("P", 0.1)))
    boxes = [(40 * i + 7, 20, 40 * i + 33, 56) for i in range(12)]
    names = [BACK] * 9 + [likely] * 3
    readings = box_readings((560, 80), np.array(boxes, np.float32), names)
    assert BackFilter().without(readings, picture(12, AMBER), CLOTH) is readings


def test_only_backs_are_judged_by_their_colour() -> None:
    white = Name("P", 0.99, (Candidate("P", 0.99),))
    readings = read(12, white)
    assert BackFilter().without(readings, picture(3, AMBER), CLOTH) is readings
