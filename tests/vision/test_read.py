"""A whole picture is read: found, named, told."""

import json
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from table_assist.tiles.tile import Tile
from table_assist.vision.reading.limits import Limits
from table_assist.vision.reading.read import Reader, open_reader, read_picture
from table_assist.vision.reading.readings import Readings, picture_report
from table_assist.vision.reading.recognise import Candidate
from tests.stages.vision_networks import (
    ColourRecogniser,
    RectangleDetector,
    detector_model,
    draw,
    recogniser_model,
    write_weights,
)


def reader() -> Reader:
    return Reader(RectangleDetector(), ColourRecogniser(), limits=Limits.alike(0.6))


def test_tiles_dice_backs_and_doubts_of_a_large_picture() -> None:
    image = np.zeros((1500, 2500, 3), np.uint8)
    things = ["1m", "9s", "E", "C", "2f", "3q", "back", "back", "d3", "unsure"]
    for index, label in enumerate(things):
        draw(image, label, 30 + 240 * index, 700)
    readings = reader().read(image)
    assert readings.labels == ("1m", "9s", "E", "C", "2f", "3q", "back", "back", "d3", "?")
    assert readings.size_wh == (2500, 1500)
    assert np.allclose(readings.polygons[0], [[30, 700], [70, 700], [70, 754], [30, 754]], atol=1)
    assert readings.tiles[4:] == (
        Tile.FLOWER2,
        Tile.SEASON3,
        Tile.BACK,
        Tile.BACK,
        None,
        Tile.UNKNOWN,
    )


def test_readings_come_row_by_row() -> None:
    image = np.zeros((600, 600, 3), np.uint8)
    for index in range(6):  # a row that rises to the right, and a second below it
        draw(image, f"{index + 1}m", 40 + 80 * index, 200 - 8 * index)
        draw(image, f"{index + 1}p", 40 + 80 * index, 300)
    assert "".join(reader().read(image).labels) == "1m2m3m4m5m6m1p2p3p4p5p6p"


@pytest.mark.parametrize("size", [(1, 1), (3, 900), (300, 200), (900, 900)])
def test_an_empty_picture_of_any_size_has_no_tiles(size: tuple[int, int]) -> None:
    readings = reader().read(np.zeros((*size, 3), np.uint8))
    assert len(readings) == 0
    assert picture_report("x.png", readings) == {
        "picture": "x.png",
        "size": [size[1], size[0]],
        "tiles": [],
    }


def test_the_report_is_json_with_candidates_only_for_the_unsure() -> None:
    image = np.zeros((300, 300, 3), np.uint8)
    draw(image, "5m", 50, 100)
    draw(image, "unsure", 150, 100)
    report = json.loads(json.dumps(picture_report("a/b.jpg", reader().read(image))))
    assert report == {
        "picture": "a/b.jpg",
        "size": [300, 300],
        "tiles": [
            {
                "tile": "5m",
                "confidence": 0.98,
                "polygon": [[50.0, 100.0], [90.0, 100.0], [90.0, 154.0], [50.0, 154.0]],
            },
            {
                "tile": "?",
                "confidence": 0.5,
                "polygon": [[150.0, 100.0], [190.0, 100.0], [190.0, 154.0], [150.0, 154.0]],
                "why": "face",
                "candidates": [
                    {"tile": "1m", "confidence": 0.5},
                    {"tile": "2m", "confidence": 0.3},
                    {"tile": "3m", "confidence": 0.18},
                ],
            },
        ],
    }


def test_a_picture_file_is_read_with_the_networks_of_a_folder(tmp_path: Path) -> None:
    rows = np.array([[30, 30, 7.2, 7.4, 0.9]], np.float32)
    write_weights(tmp_path, detector_model(rows), recogniser_model())
    cv2.imwrite(str(tmp_path / "white.png"), np.full((64, 64, 3), 255, np.uint8))
    image, readings = read_picture(tmp_path / "white.png", open_reader(tmp_path, threads=1))
    assert image.shape == (64, 64, 3)
    assert readings.labels == ("1m",)
    assert np.allclose(readings.polygons[0][[0, 2]], [[26.4, 26.3], [33.6, 33.7]])


def test_readings_check_their_shapes() -> None:
    with pytest.raises(ValueError, match="polygons have shape"):
        Readings((9, 9), np.zeros((1, 4), np.float32), ("5m",), np.ones(1, np.float32), ((),))
    with pytest.raises(ValueError, match="1 labels with"):
        Readings(
            (9, 9),
            np.zeros((1, 4, 2), np.float32),
            ("5m",),
            np.ones(2, np.float32),
            ((Candidate("5m", 1.0),),),
        )


def test_reading_does_not_load_torch() -> None:
    code = (
        "import sys, table_assist.vision.reading.read, table_assist.vision.reading.incremental;"
        "print([name for name in ('torch', 'ultralytics', 'torchvision', 'onnx')"
        " if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_box_much_smaller_than_all_around_is_a_part_and_is_asked_about() -> None:
    image = np.zeros((300, 400, 3), np.uint8)
    for column, label in enumerate(("1m", "2m", "3m", "4m", "5m")):
        draw(image, label, 20 + 60 * column, 20)
    draw(image, "C", 20 + 60 * 5, 42, height=32)  # the lower three fifths of a tile
    assert reader().read(image).labels == ("1m", "2m", "3m", "4m", "5m", "?")
    draw(image, "C", 20 + 60 * 5, 35, height=39)  # a tile seen from lower down
    assert reader().read(image).labels == ("1m", "2m", "3m", "4m", "5m", "C")
