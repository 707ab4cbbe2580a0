"""Sets for training that no maker has: every face is there, its own, and means what it says."""

import csv
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.crops import CropSource, draw_crop
from models.detector_data import prepare
from models.invented import chinese_fonts, invented_set
from models.invented_sets import write_set
from models.nothing import load_nothing
from models.pictures import BACK_LABEL, DETECTOR_LABELS
from models.sets import faces_for, is_set_held_out
from models.sheets import HERE, held_sheets, load_sheets
from models.various import RESTYLED_WH, VariousSets, restyled
from models.world import WorldLooks
from table_assist.rules.registry import rule_sets
from table_assist.tiles.tile import Tile, parse_tiles
from table_assist.twin.faces import ALL_FACES, BUILT_IN, FaceSet, load_faces
from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.recognise import NOTHING_CLASS

FONTS = Path("/usr/share/fonts")
IVORY = (215, 228, 232)


@pytest.fixture(scope="module")
def fonts() -> list[Path]:
    return chinese_fonts(FONTS)


def printed(face: Image) -> list[Image]:
    """Each print that no ink joins to another."""
    count, labels = cv2.connectedComponents((face[..., 3] > 128).astype(np.uint8))
    return [labels == each for each in range(1, count)]


@pytest.mark.parametrize("seed", range(12))
def test_dots_and_bamboos_show_their_number(fonts: list[Path], seed: int) -> None:
    faces = invented_set(np.random.default_rng(seed), fonts, [load_faces()])
    for suit in "ps":
        for tile in parse_tiles(f"2345679{suit}"):
            things = printed(faces.picture(tile))
            assert len(things) == int(str(tile)[0]), (seed, tile)


def test_an_invented_set_has_every_face_and_no_two_alike(fonts: list[Path]) -> None:
    for seed in range(6):
        faces = invented_set(np.random.default_rng(seed), fonts, [load_faces()])
        assert set(faces.pictures) == set(ALL_FACES)
        small = [
            cv2.resize(faces.on_ground(tile, IVORY), (27, 36), interpolation=cv2.INTER_AREA)
            for tile in ALL_FACES
        ]
        for index, one in enumerate(small):
            for other in small[index + 1 :]:
                assert np.abs(one.astype(float) - other).mean() > 0.7


@pytest.mark.parametrize("channels", [3, 4])
def test_a_restyled_set_is_another_and_still_the_same_faces(channels: int) -> None:
    own = load_faces()
    if channels == 3:
        own = FaceSet("photographs", {t: own.on_ground(t, IVORY) for t in own.pictures})
    for seed in range(8):
        random = np.random.default_rng(seed)
        other = restyled(random, own)
        assert set(other.pictures) == set(own.pictures)
        for tile, face in other.pictures.items():
            assert face.shape == (RESTYLED_WH[1], RESTYLED_WH[0], channels)
            if tile is not Tile.WHITE:
                assert face[..., :3].min() < 140, "it is printed in an ink"
        assert any(
            not np.array_equal(other.pictures[tile], cv2.resize(face, RESTYLED_WH))
            for tile, face in own.pictures.items()
        )


def test_training_draws_sets_of_all_kinds_and_none_that_is_held_out(tmp_path: Path) -> None:
    for name in ("drawn", "xmahjongg_real"):
        folder = tmp_path / "artwork" / name
        folder.mkdir(parents=True)
        for tile in ALL_FACES:
            (folder / f"{tile}.png").write_bytes((BUILT_IN / f"{tile}.png").read_bytes())
    for name, level in (("photographed", 100), ("justinchan114", 7)):
        for number in range(2):
            folder = tmp_path / "faces" / name / "5p"
            folder.mkdir(parents=True, exist_ok=True)
            cv2.imwrite(str(folder / f"{number}.png"), np.full((144, 108, 3), level, np.uint8))
    assert is_set_held_out("xmahjongg_real")
    assert is_set_held_out("justinchan114")
    various = VariousSets(tmp_path, FONTS, invented=2)
    random = np.random.default_rng(1)
    drawn = [various.draw(random) for _ in range(120)]
    names = {faces.name for faces in drawn}
    assert names == {
        "built-in", "drawn", "drawn, restyled", "photographs", "photographs, restyled",
        "invented, restyled",
    }  # fmt: skip
    plain = [faces.pictures[Tile.P5] for faces in drawn if faces.name == "photographs"]
    assert all((face == 100).all() for face in plain), "none of the held-out set"


def test_a_written_set_can_be_played_with(fonts: list[Path], tmp_path: Path) -> None:
    own = load_faces()
    folder = write_set(1, fonts, own, tmp_path / "a")
    again = write_set(1, fonts, own, tmp_path / "b")
    other = write_set(2, fonts, own, tmp_path / "a")
    assert folder is not None
    assert again is not None
    assert other is not None
    one, same, another = load_faces(folder), load_faces(again), load_faces(other)
    assert all(np.array_equal(one.pictures[tile], same.pictures[tile]) for tile in one.pictures)
    assert any(
        not np.array_equal(one.pictures[tile], another.pictures[tile]) for tile in one.pictures
    )
    for rules in rule_sets():
        every = (*rules.kinds, *rules.bonus_tiles)
        drawn = faces_for(tmp_path / "a", WorldLooks.WORLD, 7, needed=rules.kinds, all_of=every)
        assert drawn.name in {folder.name, other.name}


def test_no_invented_set_has_the_name_of_a_held_out_one(fonts: list[Path], tmp_path: Path) -> None:
    held = next(n for n in range(100) if is_set_held_out(f"invented-{n:04d}"))
    assert write_set(held, fonts, load_faces(), tmp_path) is None
    assert list(tmp_path.iterdir()) == []


def rows_of_sheets() -> list[dict[str, str]]:
    with (HERE / "sheets.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_no_sheet_has_more_of_a_face_than_a_set_has() -> None:
    counts = Counter((row["picture"], row["label"]) for row in rows_of_sheets())
    assert len(counts) > 900
    for (picture, label), count in counts.items():
        assert DETECTOR_LABELS.index(label) < BACK_LABEL
        # One seller laid a fifth 6p where a 7p belongs.
        most = 5 if picture.startswith("TB2bt") and label == "6p" else 4
        assert count <= most, f"{count} {label} in {picture}"


def test_held_out_sheets_are_no_training_sheets(tmp_path: Path) -> None:
    pictures = {row["picture"] for row in rows_of_sheets()}
    for start in held_sheets():
        assert any(picture.startswith(start) for picture in pictures)
    folder = tmp_path / "sheets" / "any"
    folder.mkdir(parents=True)
    for picture in sorted(pictures):
        if not picture.endswith("gif"):
            cv2.imwrite(str(folder / picture), np.zeros((40, 40, 3), np.uint8))
    held, shown = load_sheets(tmp_path, held=True), load_sheets(tmp_path, held=False)
    assert len(held) == 9
    assert len(held) + len(shown) == len(list(folder.iterdir()))


def test_a_crop_can_be_drawn_from_a_box_at_the_border() -> None:
    image = np.full((60, 60, 3), 120, np.uint8)
    box = np.array([0.0, 0, 20, 30])
    source = CropSource(image, np.array([3]), box[None], turned=False, complete=False)
    for seed in range(10):
        assert draw_crop(np.random.default_rng(seed), source, box).shape == (64, 64, 3)


def test_every_box_in_a_picture_of_nothing_is_nothing(tmp_path: Path) -> None:
    for number in range(6):
        cv2.imwrite(str(tmp_path / f"picture{number}.jpg"), np.full((120, 200, 3), 40, np.uint8))
    (tmp_path / "picture0.boxes").write_text("10.0 20.0 50.0 60.0\n")
    (tmp_path / "picture2.boxes").write_text("")
    sources = load_nothing(tmp_path, most=3)  # every second picture
    assert len(sources) == 3
    assert [10, 20, 50, 60] in sources[0].boxes.tolist()
    assert len(sources[0].boxes) == len(sources[1].boxes) + 1
    for source in sources:
        assert (source.labels == NOTHING_CLASS).all()
        assert (source.boxes[:, :2] >= 0).all()
        assert (source.boxes[:, 2:] <= (200, 120)).all()


def test_pictures_of_nothing_are_taught_to_the_detector_as_empty(tmp_path: Path) -> None:
    nothing, data = tmp_path / "nothing", tmp_path / "data"
    nothing.mkdir()
    cv2.imwrite(str(nothing / "page.jpg"), np.full((120, 200, 3), 40, np.uint8))
    for split in ("train", "val"):
        (data / "photos/images" / split).mkdir(parents=True)
    (data / "photos/sources.csv").write_text("file,unmatched_confident_detections\n")
    folder = tmp_path / "artwork"
    (data / "artwork").symlink_to(folder)
    folder.mkdir()
    prepare(tmp_path / "out", data, tmp_path / "none", nothing, variants=1, check=None)
    assert (tmp_path / "out/train/images/page.jpg").exists()
    assert (tmp_path / "out/train/labels/page.txt").read_text() == ""
