"""The trained networks behind the reader: drawn tables, and a set in black."""

from collections.abc import Iterator

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from table_assist.tiles.tile import Tile, parse_tiles
from table_assist.twin.faces import load_faces
from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.incremental import LiveReader
from table_assist.vision.reading.read import Reader
from table_assist.vision.reading.readings import Readings
from table_assist.vision.reading.recognise import negative
from table_assist.vision.reading.tiling import plan_pieces

ROW = "123456m 123p C F 456789p N"


@pytest.fixture(scope="module")
def row() -> Image:
    return draw_row(parse_tiles(ROW))


def draw_row(tiles: tuple[Tile, ...], width: int = 56, height: int = 76) -> Image:
    """Tiles lying side by side on felt, each with its thickness showing below."""
    noise = np.random.default_rng(0).normal(0, 4, (720, 1280, 3))
    image = np.clip(np.array((70, 110, 40)) + noise, 0, 255).astype(np.uint8)
    faces = load_faces()
    for index, tile in enumerate(tiles):
        left, top = 90 + index * (width + 3), 320
        face = faces.on_ground(tile, (225, 238, 240))
        image[top + height : top + height + 10, left : left + width] = (60, 140, 90)
        image[top : top + height, left : left + width] = cv2.resize(
            face, (width, height), interpolation=cv2.INTER_AREA
        )
    return np.asarray(cv2.GaussianBlur(image, (3, 3), 0), np.uint8)


def boxes(readings: Readings) -> NDArray[np.float32]:
    return np.asarray(readings.polygons[:, [0, 2]].reshape(-1, 4), np.float32)


def doubles(readings: Readings) -> Iterator[tuple[int, int]]:
    """Pairs of readings of which one lies in the other by seven tenths."""
    found = boxes(readings)
    for i in range(len(found)):
        for j in range(i):
            span = np.minimum(found[i, 2:], found[j, 2:]) - np.maximum(found[i, :2], found[j, :2])
            areas = [np.prod(box[2:] - box[:2]) for box in (found[i], found[j])]
            if np.prod(np.clip(span, 0, None)) > 0.7 * min(areas):
                yield i, j


@pytest.mark.parametrize("width", [1280, 2000])
def test_a_row_across_seams_is_found_and_nothing_twice(
    reader: Reader, row: Image, width: int
) -> None:
    image = np.asarray(cv2.resize(row, (width, width * 720 // 1280)), np.uint8)
    assert len(plan_pieces(width, image.shape[0], 640)) > 2
    readings = reader.read(image)
    assert not list(doubles(readings))
    assert 15 <= len(readings) <= 21  # of 18


def test_a_changed_tile_is_named_again_and_little_else(reader: Reader, row: Image) -> None:
    live = LiveReader(reader)
    first = live.read(row)
    at = first.labels.index("C")
    left, top, right, bottom = boxes(first)[at].astype(int)
    changed = row.copy()
    changed[top + 6 : bottom - 6, left + 6 : right - 6] = 225  # the face is wiped off
    before = live.work
    labels = live.read(changed).labels
    assert labels[at] != "C"
    assert live.work.pieces_read - before.pieces_read <= 2
    assert live.work.crops_recognised - before.crops_recognised <= 4


def test_a_black_set_is_read_and_without_a_drawing_it_is_no_white_dragon(reader: Reader) -> None:
    image = draw_row(parse_tiles(f"{ROW}P"))
    image[320:396, 1152:1208] = 230
    image[320:406] = negative(image[None, 320:406])[0]
    faces = tuple(each for each in reader.read(image).tiles if each is not None and each.is_face)
    assert faces == parse_tiles(ROW)


@pytest.mark.parametrize("size", [(1, 1), (3, 2000), (300, 200)])
def test_a_picture_of_any_size_is_read(reader: Reader, size: tuple[int, int]) -> None:
    noise = np.random.default_rng(0).integers(0, 255, (*size, 3), np.uint8)
    assert reader.read(noise).size_wh == (size[1], size[0])
