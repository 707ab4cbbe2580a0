"""A picture's tiles are named together: sure ones tell of doubtful ones, and of false ones."""

from dataclasses import replace

import numpy as np
import pytest

from table_assist.vision.reading.limits import CAUTIOUS
from table_assist.vision.reading.one_set import weighed
from table_assist.vision.reading.readings import box_readings
from table_assist.vision.reading.recognise import CLASSES, LABELS, Candidate, Colour, Name, name
from table_assist.vision.reading.support import supported

YELLOW, WHITE = Colour(180, 130, 190), Colour(230, 128, 128)


def tile(cosine: float = 1.0, **shares: float) -> Name:
    """One of such shares, and so alike to `DOUBTFUL`."""
    row = np.full(CLASSES, 1e-6, np.float32)
    for label, share in shares.items():
        row[LABELS.index(label[1:])] = share
    named = name(row / row.sum(), CAUTIOUS)
    assert named is not None
    looks = np.array([[cosine, np.sqrt(1 - cosine**2)]], np.float32)
    return replace(named, looks=looks)


DOUBTFUL = tile(_9m=0.85, _4m=0.12, _E=0.03)


@pytest.mark.parametrize(
    ("other", "first"),
    [
        (tile(0.95, _9m=1), "9m"),  # like a 9m that is sure
        (tile(0.7, _4m=1), "9m"),  # unlike the 4m
        (tile(0.95, _4m=1), None),  # like the 4m: between them nobody knows
        (tile(0.7, _E=1), None),  # of another suit: that it is no E tells nothing of a 9m
        (DOUBTFUL, None),  # what is unsure teaches nothing
    ],
)
def test_a_doubtful_face_is_weighed_by_the_sure_ones_of_its_picture(
    other: Name, first: str | None
) -> None:
    found = weighed([DOUBTFUL, other])
    assert [LABELS[row.argmax()] for row in found.values()] == [first] * bool(first)
    assert all(row.sum() == pytest.approx(1, abs=1e-4) for row in found.values())


def test_an_example_that_looks_otherwise_than_the_others_vouches_for_nobody() -> None:
    """Of a set whose 4m is sometimes taken for a 9m the doubtful 4m would be one, too."""
    assert not weighed([DOUBTFUL, tile(0.95, _9m=1), tile(0.8, _9m=1)])


@pytest.mark.parametrize(("first", "found"), [("1f", ["1f"]), ("1s", [])])
def test_a_flower_that_is_surely_read_is_no_other_flower(first: str, found: list[str]) -> None:
    """What hesitates between a bamboo and a flower is perhaps neither."""
    doubtful = tile(**{f"_{first}": 0.75, "_3f": 0.25})
    rows = weighed([doubtful, tile(0.85, _3f=1)])
    assert [LABELS[row.argmax()] for row in rows.values()] == found


def labels(*things: tuple[str, float, float, Colour | None]) -> list[str]:
    """What is left of things, given as label, confidence, width and colour."""
    named = [
        Name(label, sure, (Candidate(label, sure),), colour=colour)
        for label, sure, _, colour in things
    ]
    boxes = [
        (50.0 * i, 100 - wide, 50 * i + wide, 100 + wide)
        for i, (_, _, wide, _) in enumerate(things)
    ]
    return [*supported(box_readings((500, 200), np.array(boxes, np.float32), named)).labels]


FACE = ("5m", 0.999, 40.0, None)


def test_a_name_that_no_other_tile_supports_is_a_question() -> None:
    assert labels(("1p", 0.95, 40, None)) == ["?"]
    assert labels(("d3", 0.99, 20, None), ("back", 0.99, 20, WHITE)) == ["?", "?"]
    assert labels(FACE, ("1p", 0.95, 40, None), ("1p", 0.95, 12, None)) == ["5m", "1p", "?"]
    assert labels(("8p", 0.999, 30, None), ("W", 0.9, 30, None)) == ["?", "?"], "a row of windows"
    assert labels(*[("P", 0.999, 40.0, None)] * 3) == ["?"] * 3, "paper is white, too"
    assert labels(FACE, ("1s", 0.95, 58, None), ("1s", 0.95, 80, None)) == ["5m", "1s", "1s"]


def test_a_set_has_backs_of_one_size_and_colour() -> None:
    yellow, white = ("back", 0.95, 40.0, YELLOW), ("back", 0.95, 40.0, WHITE)
    assert labels(FACE, yellow, white, yellow) == ["5m", "back", "?", "back"]
    assert labels(FACE, *[yellow] * 5, white, white)[-2:] == ["?", "?"]
    assert labels(FACE, *[("back", 0.99, 15.0, YELLOW)] * 3) == ["5m", "?", "?", "?"]


def test_a_set_has_four_of_a_face_and_one_of_a_flower() -> None:
    assert labels(*[FACE] * 5, ("back", 0.95, 20, YELLOW)) == ["?"] * 6, "and supports nobody"
    assert labels(*[FACE] * 4, ("1f", 0.99, 40, None)) == ["5m"] * 4 + ["1f"]
    assert labels(*[FACE] * 5, *[("1f", 0.99, 40, None)] * 2) == ["?"] * 7
