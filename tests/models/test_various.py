"""Sets for training that no maker has: every face is there, its own, and means what it says."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from models.invented import chinese_fonts, invented_set
from models.sets import is_set_held_out
from models.various import SIZE_WH, VariousSets, restyled
from table_assist.tiles.tile import Tile, parse_tiles
from table_assist.twin.faces import ALL_FACES, BUILT_IN, FaceSet, load_faces
from table_assist.vision.pictures.picture import Image

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
            assert face.shape == (SIZE_WH[1], SIZE_WH[0], channels)
            if tile is not Tile.WHITE:
                assert face[..., :3].min() < 140, "it is printed in an ink"
        assert any(
            not np.array_equal(other.pictures[tile], cv2.resize(face, SIZE_WH))
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
