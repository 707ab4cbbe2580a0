"""Cloth that is read as a back is none, and a back is never taken for cloth by mistake."""

import numpy as np
import pytest

from table_assist.vision.reading.readings import Readings, box_readings
from table_assist.vision.reading.recognise import Candidate, Name
from table_assist.vision.table.ghosts import LEAST_BACKS, without_ghosts

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
    found = without_ghosts(read(12), picture(10, colour, light), CLOTH)
    assert len(found) == 10
    assert found.polygons[:, :, 0].max() < 400


def test_backs_of_the_very_colour_of_the_cloth_are_all_kept() -> None:
    """Where colour tells nothing, nothing follows from it."""
    same = tuple(int(value) for value in CLOTH)
    readings = read(12)
    assert without_ghosts(readings, picture(10, same), CLOTH) is readings  # type: ignore[arg-type]


def test_few_backs_and_an_unknown_cloth_decide_nothing() -> None:
    few, many = read(LEAST_BACKS - 1), read(12)
    assert without_ghosts(few, picture(3, AMBER), CLOTH) is few
    assert without_ghosts(many, picture(3, AMBER), None) is many


def test_only_backs_are_judged_by_their_colour() -> None:
    white = Name("P", 0.99, (Candidate("P", 0.99),))
    readings = read(12, white)
    assert without_ghosts(readings, picture(3, AMBER), CLOTH) is readings
