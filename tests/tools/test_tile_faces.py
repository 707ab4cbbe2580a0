"""The drawn tile faces: complete, safe to show inline, and told apart when small."""

import re
import shutil
import subprocess
import tomllib
import xml.etree.ElementTree as ElementTree
from itertools import combinations
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from table_assist.tiles.tile import Tile, parse_tiles
from table_assist.twin.faces import ALL_FACES, BUILT_IN, FacesError, load_faces
from tests.conftest import ARGUMENTS, CHROMIUM

ROOT = Path(__file__).parents[2]
DRAWINGS = ROOT / "web/static/tiles"
LABELS = tomllib.loads((ROOT / "models/tiles.toml").read_text(encoding="utf-8"))["labels"]
NAMES = [*(label for label in LABELS if not re.fullmatch(r"d[1-6]", label)), "unknown"]
SHAPES = {"svg", "g", "path", "circle", "ellipse", "rect"}
GROUND = (238, 249, 253)


@pytest.mark.parametrize("name", NAMES)
def test_a_drawing_holds_shapes_only(name: str) -> None:
    path = DRAWINGS / f"{name}.svg"
    text = path.read_text(encoding="utf-8")
    drawing = ElementTree.fromstring(text)
    assert drawing.get("viewBox") == "0 0 300 400"
    for element in drawing.iter():
        assert element.tag.removeprefix("{http://www.w3.org/2000/svg}") in SHAPES
        assert not {"id", "href", "style", "class"} & set(element.attrib)
        assert not any(key.startswith("on") or "href" in key for key in element.attrib)
        assert not any("url(" in value or "//" in value for value in element.attrib.values())
    assert "<!" not in text
    assert path.stat().st_size < 12_000


def test_there_is_a_drawing_for_each_label_and_no_other() -> None:
    assert {path.stem for path in DRAWINGS.glob("*.svg")} == set(NAMES)


def test_any_two_faces_differ_at_24_px() -> None:
    faces = load_faces()
    small = {
        tile: cv2.resize(
            faces.on_ground(tile, GROUND), (24, 32), interpolation=cv2.INTER_AREA
        ).astype(np.float32)
        for tile in ALL_FACES
    }
    # 40 grey levels in one colour are seen beside each other; ask for 3 % of the face.
    for one, other in combinations(ALL_FACES, 2):
        apart = np.abs(small[one] - small[other]).max(axis=2) > 40
        assert apart.mean() > 0.03, f"{one} and {other} look alike"


@pytest.mark.slow
def test_the_rasters_show_the_drawings(tmp_path: Path) -> None:
    shown = _in_a_browser(tmp_path)
    faces = load_faces()
    inside = np.s_[10:150, 10:110]
    for tile in ALL_FACES:
        raster = faces.on_ground(tile, GROUND).astype(np.float32)
        apart = np.abs(shown[tile].astype(np.float32) - raster)[inside]
        assert apart.mean() < 4, f"the raster of {tile} is not its drawing: draw the tiles anew"


def test_a_missing_face_is_named(tmp_path: Path) -> None:
    shutil.copy(BUILT_IN / "1m.png", tmp_path / "1m.png")
    with pytest.raises(FacesError, match=r"lacks 2m E$"):
        load_faces(tmp_path, needed=parse_tiles("12m E #"))


def test_a_face_not_needed_may_be_missing_until_it_is_asked_for(tmp_path: Path) -> None:
    shutil.copy(BUILT_IN / "1m.png", tmp_path / "1m.png")
    faces = load_faces(tmp_path, needed=[Tile.M1])
    with pytest.raises(FacesError, match="has no 2m"):
        faces.picture(Tile.M2)


def test_a_folder_per_face_offers_its_variants_in_turn(tmp_path: Path) -> None:
    (tmp_path / "C").mkdir()
    for grey in (10, 200):
        cv2.imwrite(str(tmp_path / f"C/{grey}.png"), np.full((8, 6, 3), grey, np.uint8))
    seen = [
        int(load_faces(tmp_path, needed=[Tile.RED], variant=n).picture(Tile.RED)[0, 0, 0])
        for n in range(3)
    ]
    assert seen == [10, 200, 10]


def test_a_file_that_is_no_picture_is_named(tmp_path: Path) -> None:
    (tmp_path / "1m.png").write_text("not a picture", encoding="utf-8")
    with pytest.raises(FacesError, match=r"1m\.png' is not a picture"):
        load_faces(tmp_path, needed=())


def _in_a_browser(folder: Path) -> dict[Tile, NDArray[np.uint8]]:
    """The drawings as a browser shows them, at the rasters' size."""
    style = "*{margin:0;line-height:0}svg{width:120px;height:160px;display:block}"
    drawings = [(DRAWINGS / f"{tile}.svg").read_text(encoding="utf-8") for tile in ALL_FACES]
    page, shot = folder / "tiles.html", folder / "tiles.png"
    page.write_text(f"<!doctype html><style>{style}</style>{''.join(drawings)}", encoding="utf-8")
    subprocess.run(
        [CHROMIUM, *ARGUMENTS, "--hide-scrollbars", f"--user-data-dir={folder}/profile",
         f"--window-size=120,{160 * len(ALL_FACES)}", f"--screenshot={shot}", page.as_uri()],
        check=True, capture_output=True, timeout=120,
    )  # fmt: skip
    strip = np.asarray(cv2.imread(str(shot)), np.uint8)
    return {tile: strip[160 * k : 160 * (k + 1), :120] for k, tile in enumerate(ALL_FACES)}
