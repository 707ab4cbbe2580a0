"""Of each new picture only what moved is drawn: it must be the picture that is drawn whole."""

from dataclasses import replace

import numpy as np
import pytest

from table_assist.tiles.tile import Tile
from table_assist.twin.faces import load_faces
from table_assist.twin.lens import Lens, askew
from table_assist.twin.looks import Glass, Optics, TableLook
from table_assist.twin.render import Renderer
from table_assist.twin.scene import Cover, PlacedDie, PlacedTile, Pose, Scene, rectangle

FACES = load_faces()
# Nothing in these pictures differs from one to the next by itself.
STILL = Optics(noise=0, jitter_px=0, jpeg_quality=0)
SMALL = Lens(size_wh=(800, 560), px_per_mm=0.66)
TABLES = {
    "plain": (TableLook(optics=STILL), SMALL),
    "blurred": (TableLook(optics=replace(STILL, blur_px=0.6)), SMALL),
    "bent": (TableLook(optics=replace(STILL, blur_px=0.3, distortion=0.06)), SMALL),
    "askew": (TableLook(optics=replace(STILL, distortion=0.03)), askew(SMALL, 30.0)),
    "of glass": (TableLook(optics=STILL, glass=Glass(0.3, (220, 230, 220), True)), SMALL),
    "of an odd size": (TableLook(optics=STILL), replace(SMALL, size_wh=(801, 559))),
}
COLOURS = ((120, 90, 60), (60, 90, 160))


def scenes(seed: int, count: int) -> list[Scene]:
    """Tiles that come, go, are pushed and turned over; arms, cups and lamps above them."""
    rng = np.random.default_rng(seed)
    tiles = [_tile(rng) for _ in range(30)]
    covers: list[Cover] = []
    found = []
    for _ in range(count):
        for _ in range(int(rng.integers(0, 4))):
            tiles[int(rng.integers(len(tiles)))] = _tile(rng)
        if rng.uniform() < 0.3:
            tiles.append(_tile(rng))
        if rng.uniform() < 0.5:
            covers = covers[1:] if covers and rng.uniform() < 0.5 else [*covers, _cover(rng)]
        if rng.uniform() < 0.2:
            covers = covers[::-1]
        die = PlacedDie(1 + int(rng.integers(6)), *rng.uniform(-60, 60, 2).tolist(), 10.0)
        found.append(Scene(tuple(tiles), dice=(die,), covers=tuple(covers)))
    return found


def _tile(rng: np.random.Generator) -> PlacedTile:
    x, y = rng.uniform(-430, 430, 2).tolist()
    pose = (Pose.FACE_UP, Pose.FACE_DOWN, Pose.STANDING)[int(rng.integers(3))]
    return PlacedTile(Tile(int(rng.integers(34))), x, y, float(rng.integers(360)), pose)


def _cover(rng: np.random.Generator) -> Cover:
    x, y = rng.uniform(-500, 500, 2).tolist()
    shape = rectangle(x, y, width=60, depth=float(rng.uniform(60, 300)))
    colour = COLOURS[int(rng.integers(len(COLOURS)))]
    return Cover(shape, colour, 40.0, is_light=bool(rng.uniform() < 0.2))


@pytest.mark.parametrize("name", TABLES)
def test_a_picture_of_what_moved_is_the_picture_drawn_whole(name: str) -> None:
    """To the grey level, wherever the tiles lie and whatever comes and goes above them."""
    look, lens = TABLES[name]
    follows = Renderer(FACES, look, lens, seed=3)
    for number, scene in enumerate(scenes(7, 8)):
        anew = Renderer(FACES, look, lens, seed=3)

        assert np.array_equal(follows.picture(scene), anew.picture(scene)), number
