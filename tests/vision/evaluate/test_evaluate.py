"""The command that measures the reader: what it counts, by hand and by the folder."""

import json
import re
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from table_assist.cli.main import main
from table_assist.vision.enrolment.labelled import Labels
from table_assist.vision.evaluate.command import evaluation_lines
from table_assist.vision.evaluate.compare import ThingOutcome, compare
from table_assist.vision.evaluate.spoil import Spoil, SpoilError, parse_spoil
from table_assist.vision.evaluate.tally import EvaluationTally
from table_assist.vision.reading.limits import Limits
from table_assist.vision.reading.read import Reader
from table_assist.vision.reading.readings import Readings, box_readings
from table_assist.vision.reading.recognise import LABELS, Candidate, Name
from tests.stages.drawn_hands import draw_row
from tests.stages.vision_networks import ColourRecogniser, RectangleDetector, draw

SIZE = (400, 300)  # px, width and height
BOX = (40, 54)


def labels(*things: tuple[str, int, int]) -> Labels:
    """Labels of things at left and top."""
    boxes = [(x, y, x + BOX[0], y + BOX[1]) for _, x, y in things]
    shares = np.array(boxes, np.float64).reshape(-1, 4) / (SIZE * 2)
    return Labels(tuple(name for name, *_ in things), shares)


def readings(*things: tuple[str, int, int]) -> Readings:
    boxes = np.array([(x, y, x + BOX[0], y + BOX[1]) for _, x, y in things], np.float32)
    names = [
        Name(name, 0.6 if name == "?" else 0.97, (Candidate("7s" if name == "?" else name, 0.6),))
        for name, *_ in things
    ]
    return box_readings(SIZE, boxes.reshape(-1, 4), names)


def test_a_picture_with_only_questions_is_right_or_asked() -> None:
    truth = labels(("1m", 0, 0))
    assert compare(truth, readings(("?", 0, 0), ("?", 200, 0))).is_right_or_asked
    assert not compare(truth, readings(("?", 0, 0), ("2m", 200, 0))).is_right_or_asked
    assert not compare(truth, readings()).is_right_or_asked, "a tile is missed in silence"


def test_where_not_all_is_labelled_nothing_is_extra() -> None:
    compared = compare(labels(("1m", 0, 0)), readings(("1m", 0, 0), ("5p", 99, 99)), partial=True)
    assert compared.is_right


@given(
    truth=st.lists(st.tuples(st.sampled_from(["1m", "2m"]), st.integers(0, 9)), max_size=6),
    seen=st.lists(st.tuples(st.sampled_from(["1m", "2m", "?"]), st.integers(0, 9)), max_size=6),
)
def test_every_label_and_every_reading_is_counted_once(
    truth: list[tuple[str, int]], seen: list[tuple[str, int]]
) -> None:
    tally = EvaluationTally()
    tally.add(
        compare(
            labels(*((name, 30 * x, 0) for name, x in truth)),
            readings(*((name, 30 * x, 0) for name, x in seen)),
        ),
        1.0,
    )
    counts = tally.outcomes
    assert tally.tiles == len(truth)
    assert tally.found + counts[ThingOutcome.EXTRA] == len(seen)
    assert tally.found + counts[ThingOutcome.MISSED] == len(truth)
    assert len(tally.answers) == tally.found
    assert sum(tally.confusions.values()) == counts[ThingOutcome.WRONG]


def test_the_reliability_curve_holds_every_answer_in_its_bin() -> None:
    tally = EvaluationTally(
        answers=[(0.3, False), (0.99, True), (0.995, False), (1.0, True), (1.0, True)]
    )
    assert tally.reliability() == [
        {"from": 0.0, "to": 0.5, "tiles": 1, "right": 0.0},
        {"from": 0.99, "to": 0.999, "tiles": 2, "right": 0.5},
        {"from": 0.999, "to": 1.0, "tiles": 2, "right": 1.0},
    ]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two pictures of one source and one of another; rectangles stand for tiles."""
    for name, drawn, labelled in (
        ("red_1", [("1m", 20, 20), ("unsure", 120, 20)], [("1m", 20, 20), ("2m", 120, 20)]),
        ("red_2", [("9s", 20, 20), ("E", 120, 20)], [("9s", 20, 20), ("W", 120, 20)]),
        ("blue-1", [("5p", 20, 150)], [("5p", 20, 150), ("6p", 120, 20)]),
        ("blue-2", [("5p", 20, 150)], []),
    ):
        image = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
        for label, left, top in drawn:
            draw(image, label, left, top, *BOX)
        cv2.imwrite(str(tmp_path / f"{name}.png"), image)
        rows = [
            f"{LABELS.index(label)} {(x + BOX[0] / 2) / SIZE[0]} {(y + BOX[1] / 2) / SIZE[1]} "
            f"{BOX[0] / SIZE[0]} {BOX[1] / SIZE[1]}"
            for label, x, y in labelled
        ]
        (tmp_path / f"{name}.txt").write_text("\n".join(rows))
    return tmp_path


def reader() -> Reader:
    return Reader(RectangleDetector(), ColourRecogniser(), Limits.alike(0.9))


def test_a_folder_is_counted_as_by_hand(folder: Path) -> None:
    (line,) = evaluation_lines(folder, reader(), as_json=True)
    got = json.loads(line)
    expected = {
        "pictures": 4,
        "tiles": 6,
        "found": 5,
        "right": 3,
        "asked": 1,
        "wrong": 1,
        "missed": 1,
        "extra": 1,
        "invented": 1,
        "silent_errors": 1,
        "pictures_right": 0,
        "pictures_right_or_asked": 1,
        "empty_pictures": 1,
        "false_per_empty_picture": 1.0,
        "right_share": 0.5,
    }
    assert {key: got[key] for key in expected} == expected
    assert got["confusions"] == [{"labelled": "W", "read": "E", "count": 1}]
    assert got["asked_confusions"] == [{"labelled": "2m", "read": "1m", "count": 1}]
    sources = {name: (each["pictures"], each["tiles"]) for name, each in got["sources"].items()}
    assert sources == {"red": (2, 4), "blue": (2, 2)}


def test_the_gallery_shows_each_failure_and_needs_nothing_else(folder: Path) -> None:
    page = folder / "failures.html"
    list(evaluation_lines(folder, reader(), gallery=page))
    text = page.read_text(encoding="utf-8")
    assert set(re.findall(r'<figure class="(\w+)"', text)) == {"asked", "wrong", "missed", "extra"}
    assert "is <b>W</b>, read as <b>E</b>" in text
    assert len(re.findall(r'src="data:image/jpeg;base64,[\w+/=]{100,}"', text)) == 4 + 4
    assert set(re.findall(r'(?:src|href)="(\w+):', text)) == {"data"}


def test_a_picture_that_cannot_be_read_is_named_and_the_others_counted(folder: Path) -> None:
    (folder / "red_1.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    lines = list(evaluation_lines(folder, reader()))
    assert "3 pictures, 4 tiles labelled" in lines[0]
    assert any("red_1.png" in line for line in lines)


def test_a_turned_picture_is_read_where_its_labels_say(folder: Path) -> None:
    for degrees in (90, 180, 270, 360):
        (line,) = evaluation_lines(folder, reader(), as_json=True, spoil=f"turn={degrees}")
        assert json.loads(line)["found"] == 5


def test_labels_turn_with_their_picture() -> None:
    image = np.zeros((30, 40, 3), np.uint8)
    image[5:11, 8:12] = 255
    turned = Spoil("turn", 90).picture(image)
    rows, columns = np.nonzero(turned[:, :, 0])
    given_labels = Labels(("1m",), np.array([[8 / 40, 5 / 30, 12 / 40, 11 / 30]]))
    box = Spoil("turn", 90).labels(given_labels).xyxy((30, 40))
    expected = [columns.min(), rows.min(), columns.max() + 1, rows.max() + 1]
    assert_allclose(box, [expected])


@pytest.mark.parametrize("text", ["shrink", "blur=2", "light=0.3", "noise", "grey", "turn"])
def test_a_spoilt_picture_is_a_picture_and_another_one(text: str) -> None:
    image = np.random.default_rng(0).integers(0, 255, (60, 80, 3), np.uint8)
    spoilt = parse_spoil(text).picture(image)
    assert spoilt.dtype == np.uint8
    assert spoilt.ndim == 3
    assert spoilt.shape != image.shape or (spoilt != image).any()


@pytest.mark.parametrize("text", ["juggle=1", "shrink=0", "blur=x", "light=nan", ""])
def test_what_is_no_way_to_spoil_is_named(text: str) -> None:
    with pytest.raises(SpoilError):
        parse_spoil(text)


@pytest.mark.slow
def test_the_command_measures_the_trained_reader(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cv2.imwrite(str(tmp_path / "row.png"), draw_row("123m 456m 789s 555p 88s"))
    (tmp_path / "row.txt").write_text("")
    assert main(["evaluate", str(tmp_path), "--json"]) == 0
    got = json.loads(capsys.readouterr().out)
    assert got["empty_pictures"] == 1
    assert got["false_per_empty_picture"] == got["extra"] == 14
    (tmp_path / "row.txt").write_text("0 0.5 0.5 0.2 0.4\n99 0.5 0.5 0.1 0.1\n")
    assert main(["evaluate", str(tmp_path)]) == 2
    assert "row.txt, line 2: class 99" in capsys.readouterr().err
