"""What was read is drawn over the picture, readable, and the picture itself stays."""

import numpy as np
import pytest

from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.overlay import DIE_COLOUR, LOUD_COLOUR, SURE_COLOUR, draw_overlay
from table_assist.vision.reading.readings import Readings, box_readings
from table_assist.vision.reading.recognise import Candidate, Name


def one(label: str, confidence: float, box: tuple[float, ...] = (60, 60, 120, 140)) -> Readings:
    name = Name(label, confidence, (Candidate("5m", confidence),))
    return box_readings((200, 200), np.array([box], np.float32), [name])


def has_colour(image: Image, colour: tuple[int, int, int]) -> bool:
    return bool((image == np.array(colour, np.uint8)).all(axis=2).any())


@pytest.mark.parametrize("ground", [0, 114, 255])
@pytest.mark.parametrize(
    ("label", "confidence", "colour"),
    [
        ("5m", 0.99, SURE_COLOUR),
        ("?", 0.4, LOUD_COLOUR),
        ("d3", 0.9, DIE_COLOUR),
        ("back", 1.0, SURE_COLOUR),
    ],
)
def test_each_kind_has_its_colour_on_any_ground(
    ground: int, label: str, confidence: float, colour: tuple[int, int, int]
) -> None:
    image = np.full((200, 200, 3), ground, np.uint8)
    drawn = draw_overlay(image, one(label, confidence))
    assert has_colour(drawn, colour)
    assert (image == ground).all(), "the picture itself is not drawn on"


def test_a_less_sure_tile_has_another_colour() -> None:
    image = np.zeros((200, 200, 3), np.uint8)
    assert not has_colour(draw_overlay(image, one("5m", 0.7)), SURE_COLOUR)


@pytest.mark.parametrize(
    "box", [(0, 0, 30, 20), (-5, -5, 205, 205), (180, 190, 200, 200), (50, 50, 51, 51)]
)
def test_labels_at_the_border_stay_in_the_picture(box: tuple[float, ...]) -> None:
    drawn = draw_overlay(np.zeros((200, 200, 3), np.uint8), one("?", 0.4, box))
    assert drawn.shape == (200, 200, 3)
    plate = (drawn == np.array(LOUD_COLOUR, np.uint8)).all(axis=2)
    assert plate.sum() > 150
