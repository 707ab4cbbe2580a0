"""A table in play learns its set: by what is on record, and by nothing else."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from table_assist.tiles.tile import Tile, parse_tiles
from table_assist.vision.enrolment.files import load_samples
from table_assist.vision.reading.limits import Limits
from table_assist.vision.reading.own_set import OwnSet
from table_assist.vision.reading.read import Reader, open_reader
from table_assist.vision.reading.readings import box_readings
from table_assist.vision.reading.recognise import Candidate, Name, OnnxRecogniser
from table_assist.vision.reading.why import WhyDoubtful
from table_assist.vision.table.attention import RecordedTile
from table_assist.vision.table.calibration import Calibration
from table_assist.vision.table.lessons import MOST_OF_A_FACE, TableLessons
from tests.stages.dealt import WIDTH, boxes_of, lay_rows
from tests.stages.drawn_hands import ColourSight

ROWS = [parse_tiles(row) for row in ("456789m", "56789p", "ESWN")]
ALL = [parse_tiles(row) for row in ("123456789m", "123456789p", "123456789s", "ESWNCFP")]
HARD = {Tile.P7, Tile.SOUTH}  # of this set, mirror images, no other face tells what they are
SIDE_PX = 900
CALIBRATION = Calibration(((0, SIDE_PX), (SIDE_PX, SIDE_PX), (SIDE_PX, 0), (0, 0)), float(SIDE_PX))


@pytest.fixture(scope="module")
def reader() -> Reader:
    return open_reader(threads=2)


def lessons_of(reader: Reader, folder: Path | None = None) -> tuple[Reader, TableLessons]:
    """A table's own reader, and what teaches it; learning is waited for."""
    assert isinstance(reader.recogniser, OnnxRecogniser)
    pupil = reader.recogniser.apart()
    lessons = TableLessons(pupil, reader.limits, folder)
    lessons.run = lambda learn: learn()
    return replace(reader, recogniser=pupil), lessons


def middles_of(rows: list[tuple[Tile, ...]]) -> NDArray[np.float32]:
    sides = np.array([box for _, box in boxes_of(rows)], "f4")
    return (sides[:, :2] + sides[:, 2:]) / 2


def recorded(
    knows: Callable[[Tile], bool], *, rows: list[tuple[Tile, ...]] = ROWS, is_said: bool = False
) -> list[RecordedTile]:
    """The tiles of all rows, as far as the record knows them, each where it lies."""
    tiles = [tile for row in rows for tile in row]
    places = CALIBRATION.to_table(middles_of(rows)).tolist()
    return [
        RecordedTile((1, part), x, y, tile, is_said)
        for part, (tile, (x, y)) in enumerate(zip(tiles, places, strict=True))
        if knows(tile)
    ]


def play(
    reader: Reader,
    lessons: TableLessons,
    known: list[RecordedTile],
    seed: int,
    rows: list[tuple[Tile, ...]] = ROWS,
) -> dict[Tile, str]:
    """A hand whose tiles lie there, and its end; how each face was read."""
    image = lay_rows(rows, seed=seed, mirrored=True)
    readings = reader.read(image, of_a_table=True)
    lessons.take(image, readings, CALIBRATION, known, WIDTH)
    lessons.take(image, readings, CALIBRATION, [], WIDTH)
    nearest = np.linalg.norm(readings.centres[None] - middles_of(rows)[:, None], axis=2)
    found = zip(boxes_of(rows), nearest.argmin(axis=1), strict=True)
    return {tile: readings.labels[i] for (tile, _), i in found}


def test_a_face_that_the_record_knows_is_read_in_the_next_hand_and_the_next_evening(
    reader: Reader, tmp_path: Path
) -> None:
    table, lessons = lessons_of(reader, tmp_path)
    first = play(table, lessons, recorded(lambda tile: tile is not Tile.M9), 1)
    assert {first[tile] for tile in HARD} == {"?"}
    second = play(table, lessons, [], 2)
    assert {tile: second[tile] for tile in HARD} == {tile: str(tile) for tile in HARD}
    another, recalled = lessons_of(reader, tmp_path)
    assert recalled.learnt == 14
    assert play(another, recalled, [], 3) == second
    assert play(reader, lessons, [], 4)[Tile.SOUTH] == "?", (
        "another table's reader knows nothing of it"
    )


def test_what_nobody_has_said_stays_unread_whatever_it_looks_like(reader: Reader) -> None:
    table, lessons = lessons_of(reader)
    for seed in range(3):
        read = play(
            table, lessons, recorded(lambda tile: tile not in {*HARD, Tile.M5, Tile.M9}), seed
        )
        assert {read[tile] for tile in HARD} == {"?"}
    assert not lessons.learnt, "nothing was new"
    play(table, lessons, recorded(lambda tile: tile not in {Tile.P7, Tile.M9}), 3)
    read = play(table, lessons, [], 4)
    assert read[Tile.SOUTH] == "S"
    assert read[Tile.P7] == "?", "it looks like the 6p that is known"


def test_a_face_that_was_misread_is_put_right_only_by_a_person(reader: Reader) -> None:
    table, lessons = lessons_of(reader)
    seen, said = (
        recorded(lambda tile: True, rows=ALL, is_said=is_said) for is_said in (False, True)
    )
    assert play(table, lessons, seen, 1, ALL)[Tile.M9] == "6m"
    assert play(table, lessons, [], 2, ALL)[Tile.M9] != "9m"
    for seed in (3, 4):  # said once it looks like a slip of the tongue: 6m are known
        play(table, lessons, said, seed, ALL)
    assert play(table, lessons, [], 5, ALL)[Tile.M9] == "9m"


class ColourPupil(ColourSight):
    """Knows tiles by their colour alone."""

    digest = "of colours"

    def know(self, own_set: OwnSet | None) -> None:
        """It is not asked what it reads."""


def test_of_each_face_the_newest_are_kept_and_another_set_takes_their_place(tmp_path: Path) -> None:
    lessons = TableLessons(ColourPupil(), Limits.alike(0.9), tmp_path)
    lessons.run = lambda learn: learn()
    lying = [
        RecordedTile(
            (1, n), *CALIBRATION.to_table(np.array([[100 + 200 * n, 100]], "f4"))[0], Tile(n), True
        )
        for n in range(3)
    ]

    def hand(shade: int) -> list[int]:
        image = np.zeros((900, 900, 3), np.uint8)
        boxes = np.array([[70 + 200 * n, 60, 130 + 200 * n, 140] for n in range(3)], np.float32)
        for n, (x0, y0, x1, y1) in enumerate(boxes.astype(int)):
            image[y0 - 40 : y1 + 40, x0 - 40 : x1 + 40, [n, (n + shade) % 3]] = 200
        names = [Name("?", 0.5, (Candidate("1m", 0.5),), WhyDoubtful.FACE) for _ in boxes]
        seen = box_readings((900, 900), boxes, names)
        wavered = [replace(each, x_mm=each.x_mm + 0.4) for each in lying]  # one tile still
        for lies in (lying, wavered, []):
            lessons.take(image, seen, CALIBRATION, lies, 60)
        return [sample.label for sample in load_samples("set", tmp_path)]

    for _ in range(MOST_OF_A_FACE + 1):
        kept = hand(0)
    assert Counter(kept) == dict.fromkeys(range(3), MOST_OF_A_FACE)
    assert len(hand(1)) == 3, "nothing of the old set is left"
