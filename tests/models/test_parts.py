"""The networks in the repository: half a tile is not surely another one."""

from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.crops import CropSource, load_sources
from models.materials import load_materials
from models.parts import main, named_boxes, report
from models.scenes import write
from table_assist.vision.reading.read import Reader, open_reader


@pytest.fixture(scope="module")
def reader() -> Reader:
    return open_reader(threads=1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Scenes of our own faces only, half of them from a seat: training data need not be there."""
    found = tmp_path_factory.mktemp("scenes")
    materials = load_materials(Path("no-data"))
    write(found, materials, 8, seed=920_000)
    write(found, materials, 8, seed=920_100, from_seat=True)
    return found


def test_parts_of_drawn_tiles_are_hardly_ever_named_as_another(
    reader: Reader, folder: Path
) -> None:
    sources = load_sources(folder / "images", turned=True, complete=True)
    told = report(named_boxes(reader, sources, 600, np.random.default_rng(5)))
    assert told["parts"] >= 600  # type: ignore[operator]
    assert told["named_wrong"] <= 0.01 * told["parts"]  # type: ignore[operator]


def test_a_part_that_has_the_wholes_name_is_counted_apart() -> None:
    told = report(Counter({"right": 3, "2p": 1, "?": 4, "nothing": 2, "back": 1}))
    assert (told["parts"], told["asked"], told["nothing"], told["back"]) == (11, 4, 2, 1)
    assert (told["named_right"], told["named_wrong"]) == (3, 1)


def test_what_a_picture_ends_in_is_read_and_counted(
    tmp_path: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    val = tmp_path / "photos" / "images" / "val"
    labels = tmp_path / "photos" / "labels" / "val"
    val.mkdir(parents=True)
    labels.mkdir(parents=True)
    name = sorted((folder / "images").glob("*.jpg"))[-1].stem
    (val / f"{name}.jpg").write_bytes((folder / "images" / f"{name}.jpg").read_bytes())
    (labels / f"{name}.txt").write_bytes((folder / "labels" / f"{name}.txt").read_bytes())
    main(["--data", str(tmp_path), "--sides", str(folder), "--count", "20", "--threads", "1"])
    told = capsys.readouterr().out
    assert all(f'"{kind}"' in told for kind in ("box", "cut", "sides"))


def test_a_row_cut_through_by_the_pictures_edge_is_never_named_as_another(
    reader: Reader, folder: Path
) -> None:
    sources: list[CropSource] = load_sources(folder / "images", turned=True, complete=True)[8:]
    for source in sources:
        rows = np.flatnonzero(source.labels < 42)
        if not len(rows):
            continue
        _, top, _, bottom = source.boxes[rows[0]]
        line = round((top + bottom) / 2)
        image = cv2.copyMakeBorder(source.image[:line], 0, 0, 0, 0, cv2.BORDER_CONSTANT)
        readings = reader.read(np.asarray(image, np.uint8))
        low, high = readings.polygons.min(axis=1), readings.polygons.max(axis=1)
        x = (source.boxes[rows[0], 0] + source.boxes[rows[0], 2]) / 2
        there = (low[:, 0] <= x) & (x <= high[:, 0]) & (high[:, 1] >= line - 3)
        for index in np.flatnonzero(there):
            assert readings.labels[index] in ("?", "back"), source.labels[rows[0]]
