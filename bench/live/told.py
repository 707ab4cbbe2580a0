"""What the program was told of each piece of a recorded hand, beside what it really was."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot

from table_assist.capture.sightings.moments import Lay, Looked, Lying, Moment
from table_assist.following.seen_table import SURE_PICTURES
from table_assist.tiles import Tile
from table_assist.twin.scene import PlacedTile, Pose
from table_assist.vision.table.observe import SeenTile
from table_assist.vision.table.viewpoint import Viewpoint, viewpoint

# A told tile is the piece whose middle lies so near: less than half a tile.
NEAR_MM = 12.0


@dataclass(frozen=True, slots=True)
class Told:
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


def told_pieces(moments: Sequence[Moment]) -> list[Told]:
    """Of each piece that was told with a face, by the last look before the table changed again."""
    tiles: Sequence[Lying] = ()
    latest: Looked | None = None
    found: dict[int, Told] = {}
    for moment in (*moments, Lay(0.0, ())):
        match moment:
            case Lay():
                if latest is not None:
                    found |= _told(latest, tiles)
                tiles, latest = moment.tiles, None
            case Looked():
                latest = moment
    return list(found.values())


def _told(looked: Looked, tiles: Sequence[Lying]) -> dict[int, Told]:
    seen = looked.seen
    if seen is None or seen.calibration is None:
        return {}
    camera = viewpoint(seen.calibration, seen.size_wh)
    if camera is None:
        return {}
    lying = [
        (_face(placed), *_seen_at(placed, camera, looked.moved_mm)) for placed in placed_in(tiles)
    ]
    return {
        each.id: Told(each.tile, each.confidence, _true(each, lying))
        for each in looked.observation.tiles
        if each.id and each.tile.is_face and each.pictures >= SURE_PICTURES
        and each.is_clear and each.age_s == 0
    }  # fmt: skip


def placed_in(tiles: Sequence[Lying]) -> list[PlacedTile]:
    """The tiles as the twin has them."""
    return [
        PlacedTile(each.tile, each.x_mm, each.y_mm, each.turn_deg, Pose(each.pose), each.scale)
        for each in tiles
    ]


def _seen_at(
    placed: PlacedTile, camera: Viewpoint, moved_mm: tuple[float, float]
) -> tuple[float, float]:
    """Where its middle is seen, as if it lay in the table's plane."""
    x, y = placed.x_mm + moved_mm[0], placed.y_mm + moved_mm[1]
    top = camera.seen_at(x, y, placed.size_mm[2])
    return (x + top[0]) / 2, (y + top[1]) / 2


def _true(seen: SeenTile, lying: Sequence[tuple[Tile | None, float, float]]) -> Tile | None:
    """The face of the piece that lies there."""

    def off(piece: tuple[Tile | None, float, float]) -> float:
        return hypot(piece[1] - seen.x_mm, piece[2] - seen.y_mm)

    near = sorted((piece for piece in lying if off(piece) < NEAR_MM), key=off)
    faces = [face for face, _, _ in near if face is not None]
    # Of two that lie so near, as in a heap, it may be either.
    return seen.tile if seen.tile in faces else next(iter(faces), None)


def _face(placed: PlacedTile) -> Tile | None:
    shows = placed.shows
    return shows if shows is not None and shows.is_face else None
