"""Places on the simulated table: a seat's own axes, and whether two tiles overlap.

A seat's own axes: `r` to the player's right, `d` from the centre towards the player's own edge,
both in millimetres from the table's centre.
"""

from table_assist.tiles.tile import Tile
from table_assist.twin.scene import PlacedTile, Point, Pose


def on_table(seat: int, r: float, d: float) -> Point:
    """A seat's place in the table's axes: seat 0's place, turned by 90 degrees a seat.

    >>> on_table(0, 10, 300), on_table(1, 10, 300)
    ((10, -300), (300, 10))
    """
    x, y = r, -d
    for _ in range(seat % 4):
        x, y = -y, x
    return x, y


def put(
    seat: int,
    tile: Tile,
    *,
    r: float,
    d: float,
    turn: float = 0.0,
    pose: Pose = Pose.FACE_UP,
    scale: float = 1.0,
) -> PlacedTile:
    """A tile at a seat's place; `turn` 0 is upright for that seat, positive counter-clockwise."""
    x, y = on_table(seat, r, d)
    return PlacedTile(tile, x, y, 90.0 * seat + turn, pose, scale)


def penetration(one: tuple[Point, ...], other: tuple[Point, ...]) -> float:
    """How far two rectangles would have to be moved apart, in mm; 0 when they do not overlap.

    Corners in order, as `PlacedTile.corners_mm` gives them. Rectangles are convex, so they are
    apart exactly when the normal of one of their sides separates them.
    """
    least = float("inf")
    for corners in (one, other):
        for start, end in ((corners[0], corners[1]), (corners[1], corners[2])):
            across, along = end[0] - start[0], end[1] - start[1]
            length = (across * across + along * along) ** 0.5
            first = [(x * across + y * along) / length for x, y in one]
            second = [(x * across + y * along) / length for x, y in other]
            least = min(least, max(first) - min(second), max(second) - min(first))
            if least <= 0:
                return 0.0
    return least
