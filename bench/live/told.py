"""The program's readings of each piece of a recorded hand, beside the true faces."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot

import numpy as np

from bench.belief.places import common_shift
from table_assist.capture.sightings.moments import Lay, Looked, Lying, Moment
from table_assist.following.seen_table import SURE_PICTURES
from table_assist.tiles.tile import Tile
from table_assist.twin.scene import PlacedTile, Pose
from table_assist.vision.table.observation import SeenTile
from table_assist.vision.table.viewpoint import Viewpoint, viewpoint

# A told tile is the piece whose middle lies so near: less than half a tile.
NEAR_MM = 12.0
Point = tuple[float, float]
Lain = tuple[Tile | None, float, float]


@dataclass(frozen=True, slots=True)
class ToldPiece:
    """One piece where it lay, by the last clear look at it.

    Attributes:
        true: the face that it shows; None: none, or nothing lies there.
    """

    tile: Tile
    confidence: float
    true: Tile | None

    @property
    def is_so(self) -> bool:
        """Whether it is what was told."""
        return self.tile is self.true


def told_pieces(moments: Sequence[Moment]) -> list[ToldPiece]:
    """Of each piece that was told with a face, by the last look before the table changed again."""
    tiles: Sequence[Lying] = ()
    latest: Looked | None = None
    found: dict[int, ToldPiece] = {}
    for moment in (*moments, Lay(0.0, ())):
        match moment:
            case Lay():
                if latest is not None:
                    found |= _told(latest, tiles)
                tiles, latest = moment.tiles, None
            case Looked():
                latest = moment
    return list(found.values())


def _told(looked: Looked, tiles: Sequence[Lying]) -> dict[int, ToldPiece]:
    seen = looked.seen
    if seen is None or seen.calibration is None:
        return {}
    camera = viewpoint(seen.calibration, seen.size_wh)
    if camera is None:
        return {}
    lying = [(_face(placed), *_seen_at(placed, camera)) for placed in placed_in(tiles)]
    seen_tiles = [each for each in looked.observation.tiles if each.tile.is_face]
    shift = _shift(seen_tiles, lying)
    return {
        each.id: ToldPiece(each.tile, each.confidence, _true(each, lying, shift))
        for each in seen_tiles
        if each.id and each.pictures >= SURE_PICTURES
        and each.is_clear and each.age_s == 0
    }  # fmt: skip


def placed_in(tiles: Sequence[Lying]) -> list[PlacedTile]:
    """The tiles as the twin has them."""
    return [
        PlacedTile(each.tile, each.x_mm, each.y_mm, each.turn_deg, Pose(each.pose), each.scale)
        for each in tiles
    ]


def _seen_at(placed: PlacedTile, camera: Viewpoint) -> Point:
    """Where its middle is seen, as if it lay in the table's plane."""
    top = camera.seen_at(placed.x_mm, placed.y_mm, placed.size_mm[2])
    return (placed.x_mm + top[0]) / 2, (placed.y_mm + top[1]) / 2


def _shift(seen: Sequence[SeenTile], lying: Sequence[Lain]) -> Point:
    """By how much all is seen beside where it lies, as on a bumped table: what most tiles say."""
    places = np.array([(each.x_mm, each.y_mm) for each in seen]).reshape(-1, 2)
    others = np.array([(x, y) for _, x, y in lying]).reshape(-1, 2)
    alike = np.array([[face is each.tile for face, _, _ in lying] for each in seen], bool)
    x, y = common_shift(places, others, alike.reshape(len(seen), len(lying))).tolist()
    return x, y


def _true(seen: SeenTile, lying: Sequence[Lain], shift: Point) -> Tile | None:
    """The face of the piece that lies there."""

    def off(piece: Lain) -> float:
        return hypot(piece[1] + shift[0] - seen.x_mm, piece[2] + shift[1] - seen.y_mm)

    near = sorted((piece for piece in lying if off(piece) < NEAR_MM), key=off)
    faces = [face for face, _, _ in near if face is not None]
    # Of two that lie so near, as in a heap, it may be either.
    return seen.tile if seen.tile in faces else next(iter(faces), None)


def _face(placed: PlacedTile) -> Tile | None:
    shows = placed.shows
    return shows if shows is not None and shows.is_face else None
