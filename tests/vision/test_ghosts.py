"""Cloth that is read as a back is none, and a back is never taken for cloth by mistake."""

import numpy as np
import pytest

from table_assist.vision.reading.readings import Readings, box_readings
from table_assist.vision.reading.recognise import Candidate, Name
from table_assist.vision.reading.why import WhyDoubtful
from table_assist.vision.table.back_filter import LEAST_KNOWN, BackFilter

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
    few, many = read(LEAST_KNOWN - 1), read(12)
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
    few = LEAST_KNOWN
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


IVORY = (224, 236, 242)
UNREAD = Name("?", 0.86, (Candidate("d1", 0.86), Candidate("d3", 0.01)))


def mixed(unread: Name, faces: int = 10, count: int = 12) -> Readings:
    """Faces, and then what could not be read."""
    boxes = [(40 * i + 7, 20, 40 * i + 33, 56) for i in range(count)]
    names = [Name("5p", 0.99, (Candidate("5p", 0.99),))] * faces + [unread] * (count - faces)
    return box_readings((560, 80), np.array(boxes, np.float32), names)


@pytest.mark.parametrize("light", [1.0, 0.6])
def test_a_print_on_the_cloth_that_is_read_as_hardly_anything_is_left_out(light: float) -> None:
    """A ring on printed cloth was read as a die's one, and crowded the melds beside it."""
    image = picture(10, IVORY, light).astype(np.float32)
    image[20:56, 407:433] *= 0.75  # the print is a darker cloth
    image[30:46, 415:425] *= 1.3
    found = BackFilter().without(mixed(UNREAD), image.astype(np.uint8), CLOTH)
    assert found.labels == ("5p",) * 10


def test_a_tile_that_could_not_be_read_stays_whatever_the_cloth() -> None:
    """Its ivory is not the cloth's; on ivory cloth, or with few tiles, nothing follows."""
    readings = mixed(UNREAD)
    assert BackFilter().without(readings, picture(12, IVORY), CLOTH) is readings
    ivory = np.array(IVORY, np.float32)
    plain = np.full((80, 560, 3), IVORY, np.uint8)
    assert BackFilter().without(readings, plain, ivory) is readings
    few = mixed(UNREAD, faces=LEAST_KNOWN - 1, count=9)
    assert BackFilter().without(few, picture(9, IVORY), CLOTH) is few
    grey = np.array((88, 96, 90), np.float32)
    same = np.full((80, 560, 3), grey, np.uint8)
    assert BackFilter().without(few, same, grey) is few


def test_before_any_face_is_read_a_strongly_coloured_print_is_left_out() -> None:
    found = BackFilter().without(mixed(UNREAD, faces=0), picture(0, IVORY), CLOTH)
    assert len(found) == 0


def test_an_unread_back_of_the_cloths_colour_stays() -> None:
    """Discards may lie face down (Classical), and the backs may be of the cloth's colour."""
    back = Name("?", 0.6, (Candidate("back", 0.6), Candidate("P", 0.1)))
    readings = mixed(back)
    assert BackFilter().without(readings, picture(10, IVORY), CLOTH) is readings


def test_a_face_with_ink_of_the_cloths_colour_is_no_cloth() -> None:
    """An unread eight of bamboos on green cloth: strokes over a third of it."""
    image = picture(10, IVORY).astype(np.float32)
    image[20:56, 407:433] = IVORY
    for left in (410, 416, 422, 428):
        image[22:54, left : left + 2] = CLOTH
    found = BackFilter().without(mixed(UNREAD), image.astype(np.uint8), CLOTH)
    assert found.labels == ("5p",) * 10 + ("?",), "the other lies on nothing but cloth"


INK, IVORY, LETTER = (40, 150, 40), (206, 228, 240), (135, 149, 117)


def letters(count: int, body: tuple[int, int, int]) -> np.ndarray:
    """Tiles with a bar of ink; the last two are none, but print on the cloth, of that colour."""
    image = picture(count, IVORY).astype(np.float32)
    for index in range(count):
        image[26:30, 40 * index + 7 : 40 * index + 33] = INK
    for index in (count, count + 1):
        image[20:56, 40 * index + 7 : 40 * index + 33] = body
        image[34:42, 40 * index + 14 : 40 * index + 26] = CLOTH
    return np.clip(image, 0, 255).astype(np.uint8)


def test_a_letter_of_the_cloth_that_is_read_as_a_face_is_perhaps_no_tile() -> None:
    one = Name("1p", 0.97, (Candidate("1p", 0.97),))
    found = BackFilter().without(read(12, one), letters(10, LETTER), CLOTH)
    assert found.labels == ("1p",) * 10 + ("?",) * 2
    assert found.why == (None,) * 10 + (WhyDoubtful.NOTHING,) * 2
    same = BackFilter().without(read(12, one), letters(10, IVORY), CLOTH)
    assert same.labels == ("1p",) * 12, "ink of the cloth's colour on the set's ivory is a tile's"
    few = read(LEAST_KNOWN + 1, one)
    unknown = BackFilter().without(few, letters(LEAST_KNOWN - 1, LETTER), CLOTH)
    assert unknown is few, "nobody knows the set's ivory yet"
