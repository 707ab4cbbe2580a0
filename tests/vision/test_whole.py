"""What is no whole tile by its size is never named."""

from math import cos, radians, sin

import numpy as np
import pytest

from table_assist.vision.pictures.picture import Array
from table_assist.vision.reading.read import rejoined
from table_assist.vision.reading.readings import Readings, box_readings
from table_assist.vision.reading.recognise import Candidate, Name
from table_assist.vision.reading.whole import checked, cut_off
from table_assist.vision.reading.why import WORDS, WhyDoubtful

Box = tuple[float, float, float, float]
SIZE = (1000, 1000)


def read(boxes: list[Box], labels: list[str], size: tuple[int, int] = SIZE) -> Readings:
    names = [Name(label, 0.95, (Candidate(label, 0.95),)) for label in labels]
    return box_readings(size, np.array(boxes, np.float32), names)


def row(count: int, last: Box | None = None, size: tuple[int, int] = SIZE) -> Readings:
    boxes: list[Box] = [(100 + 45 * i, 50, 140 + 45 * i, 104) for i in range(count)]
    labels = ["5m"] * count
    if last is not None:
        boxes, labels = [*boxes, last], [*labels, "2p"]
    return read(boxes, labels, size)


def askew(x: float, y: float, turn: float, width: float = 40, length: float = 54) -> Box:
    """The upright box around a tile that lies turned."""
    c, s = abs(cos(radians(turn))), abs(sin(radians(turn)))
    wide, high = width * c + length * s, width * s + length * c
    return x - wide / 2, y - high / 2, x + wide / 2, y + high / 2


@pytest.mark.parametrize("half", [(280, 50, 320, 77), (280, 50, 300, 104), (280, 62, 320, 90)])
def test_half_a_tile_among_whole_ones_is_never_named(half: Box) -> None:
    told = checked(row(4, half))
    (part,) = [i for i, label in enumerate(told.labels) if label != "5m"]
    assert (told.labels[part], told.why[part]) == ("?", WhyDoubtful.PART)
    assert told.candidates[part][0].label == "2p", "what it may be is still told"
    assert max(each.confidence for each in told.candidates[part]) <= 0.5, "and never surely"
    assert told.confidence[part] <= 0.5


def test_what_the_border_cuts_off_is_told_so() -> None:
    told = checked(row(4, (280, 50, 300, 104), (300, 200)))
    assert told.why[-1] is WhyDoubtful.CUT_OFF
    assert cut_off(told) == 1
    nearly = row(4, (280, 50, 316, 104), (316, 200))
    assert checked(nearly) is nearly, "nearly a whole tile keeps its name"


def test_at_the_border_a_face_is_sure_only_where_others_tell_its_size() -> None:
    alone = checked(row(2, (190, 50, 230, 104), (230, 200)))
    assert (alone.labels[-1], alone.why[-1]) == ("?", WhyDoubtful.CUT_OFF)
    whole = row(3, (235, 50, 275, 104), (275, 200))
    assert checked(whole) is whole


def test_half_a_back_is_a_back() -> None:
    boxes: list[Box] = [(100 + 45 * i, 50, 140 + 45 * i, 104) for i in range(4)]
    told = read([*boxes, (280, 50, 320, 77)], ["5m"] * 4 + ["back"])
    assert checked(told) is told


def test_without_whole_tiles_beside_it_nothing_can_be_said() -> None:
    few = row(2, (190, 50, 210, 104))
    assert checked(few) is few
    empty = read([], [])
    assert checked(empty) is empty


@pytest.mark.parametrize("turns", [(0, 45, 30, 70, 20, 55), (45, 45, 45, 45, 45, 0), (10,) * 6])
def test_whole_tiles_of_one_size_keep_their_names_at_any_angles(turns: tuple[int, ...]) -> None:
    boxes = [askew(100 + 90 * i, 200, turn) for i, turn in enumerate(turns)]
    told = read(boxes, ["5m"] * len(boxes))
    assert checked(told) is told


def test_every_doubt_has_its_words() -> None:
    assert set(WORDS) == set(WhyDoubtful)


PART = Name("?", 0.2, (Candidate("2p", 0.2),), WhyDoubtful.PART)
WHOLE = Name("4p", 0.99, (Candidate("4p", 0.99),))


class Tiles:
    """Names a box 4p if it is one of some tiles, nearly; a part where it lies in one."""

    def __init__(self, *tiles: Box) -> None:
        self._tiles = np.array(tiles, np.float32)

    def __call__(self, boxes: Array) -> list[Name | None]:
        return [self._name(box) for box in boxes]

    def _name(self, box: Array) -> Name | None:
        off = np.abs(self._tiles - box).max(axis=1).min()
        inside = (self._tiles[:, :2] - 9 <= box[:2]) & (box[2:] <= self._tiles[:, 2:] + 9)
        return WHOLE if off < 9 else PART if inside.all(axis=1).any() else None


def boxes_after(found: list[Box], tiles: Tiles) -> tuple[list[list[float]], list[str]]:
    xyxy = np.array(found, np.float32)
    boxes, names = rejoined(xyxy, tiles(xyxy), tiles)
    return boxes.tolist(), [name.label for name in names if name]


def test_two_halves_are_one_tile() -> None:
    tile = (100.0, 100.0, 140.0, 160.0)
    found = boxes_after([(100, 100, 140, 130), (100, 130, 140, 160)], Tiles(tile))
    assert found == ([list(tile)], ["4p"])


def test_a_half_beside_whole_tiles_grows_to_their_size() -> None:
    tiles = [(100.0 + 42 * i, 100.0, 140.0 + 42 * i, 160.0) for i in range(3)]
    found = boxes_after([*tiles[:2], (184, 101, 224, 130)], Tiles(*tiles))
    assert found == ([*map(list, tiles[:2]), [184.0, 101.0, 224.0, 161.0]], ["4p"] * 3)


def test_halves_of_two_tiles_side_by_side_stay_two() -> None:
    tiles = [(100.0 + 42 * i, 100.0, 140.0 + 42 * i, 160.0) for i in range(2)]
    halves = [
        (100, 100, 140, 130),
        (100, 130, 140, 160),
        (142, 100, 182, 130),
        (142, 130, 182, 160),
    ]
    boxes, labels = boxes_after(halves, Tiles(*tiles))
    assert sorted(boxes) == list(map(list, tiles))
    assert labels == ["4p", "4p"]


def test_what_is_half_hidden_stays_a_part() -> None:
    alone = [(100.0, 100.0, 140.0, 130.0)]
    boxes, labels = boxes_after(
        alone, Tiles((100.0, 80.0, 140.0, 140.0), (300.0, 0.0, 340.0, 60.0))
    )
    assert (boxes, labels) == ([list(alone[0])], ["?"])


def test_a_whole_tile_is_never_put_over_one_that_was_read() -> None:
    read_well = (100.0, 100.0, 140.0, 160.0)
    half_beside = (100.0, 158.0, 140.0, 186.0)
    over_it = Tiles(read_well, (100.0, 126.0, 140.0, 186.0))
    boxes, _ = boxes_after([read_well, half_beside], over_it)
    assert list(read_well) in boxes
