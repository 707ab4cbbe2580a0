"""A tile's outline where it lies: it tells a part of one, and where its side is seen.

The camera's place and the tiles' size say how large the box around a whole tile is at each place
of the table, whichever way it lies there, and how far beside it its foot is.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from table_assist.tiles.tile import Tile
from table_assist.vision.reading.readings import Readings
from table_assist.vision.reading.whole import checked
from table_assist.vision.table.calibration import Calibration
from table_assist.vision.table.tile_size import TILE_MM
from table_assist.vision.table.viewpoint import FACE_MM, Viewpoint, viewpoint
from table_assist.vision.table.zones import ZoneKind

ASPECT = 1.25  # a tile's length over its width: no set has less
# Of 1,525 whole tiles at 0 to 35 degrees askew the least share was 0.92 of one 1.33 long; faces
# that stand had 0.5 to 0.6, sides up to 0.72.
WHOLE = 0.9
SIZE_DIFFERS = 0.8  # a set's tiles are so large, beside usual ones, before any lie side by side
# Tiles that tell how large they are; of them the larger ones; of a tile's length a box has more.
LEAST_KNOWN, LARGER, BOX_SHARE = 6, 75, 1.08
TURNS = np.radians(np.arange(0, 180, 7.5))
_CORNERS = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
OPEN = (ZoneKind.RIVER, ZoneKind.BIRDS)  # nothing there hides behind a hand


def whole_there(readings: Readings, shares: NDArray[np.float64] | None) -> Readings:
    """Readings of a table in which a face that is no whole tile is ``?``, as `whole.checked`.

    Args:
        shares: (n,) as `lying_shares`; None: nobody knows the tiles' size, and those around tell.
    """
    return checked(readings) if shares is None else checked(readings, shares, least=WHOLE)


def lying_shares(
    polygons: NDArray[np.float32],
    calibration: Calibration,
    above: Viewpoint | None,
    tile_mm: float,
) -> NDArray[np.float64]:
    """(n,) how large a share of a lying tile's upper side fits into each upright box.

    Of all the ways in which it may lie the one that fits best counts, and of the box's two sides
    the one that is too short.

    Args:
        polygons: (n, 4, 2) corners in the picture's pixels.
        tile_mm: how wide a tile is.
    """
    if not len(polygons):
        return np.zeros(0)
    middles = calibration.to_table(np.asarray(polygons.mean(axis=1), np.float32))
    wide = tile_mm
    if above is not None:  # what is nearer to the camera is seen larger
        wide /= 1 - FACE_MM * tile_mm / TILE_MM / above.z_mm
    lying = np.stack([_CORNERS * (wide, ASPECT * wide) @ _rotation(turn) for turn in TURNS])
    places = middles[:, None, None] + lying
    seen = calibration.to_picture(places.reshape(-1, 2).astype(np.float32))
    needed = np.ptp(seen.reshape(places.shape), axis=2)  # (n, turns, 2)
    box = np.ptp(polygons, axis=1)[:, None]
    return np.asarray((box / needed).min(axis=2).max(axis=1), np.float64)


def seen_tile_mm(readings: Readings | None, calibration: Calibration) -> float | None:
    """How wide the tiles on a table taken for 800 look, in mm; None: too few are seen there.

    Standing tiles and sides look smaller than lying ones, and nothing larger: the larger ones tell.
    """
    if readings is None:
        return None
    known = [i for i, tile in enumerate(readings.tiles) if tile not in (None, Tile.UNKNOWN)]
    boxes = readings.polygons[known].reshape(-1, 4, 2)
    places = calibration.to_table(np.asarray(boxes.mean(axis=1), np.float32))
    off = np.abs(places).max(axis=1, initial=0.0) / calibration.side_mm
    # Around a console that is taken for a table tiles lie in its plane, too.
    on_it = off < (0.5 if (off < 0.5).sum() >= LEAST_KNOWN else 1.0)
    boxes = boxes[on_it]
    if len(boxes) < LEAST_KNOWN:
        return None
    above = viewpoint(calibration, readings.size_wh)
    shares = lying_shares(boxes, calibration, above, TILE_MM)
    return float(np.percentile(shares, LARGER)) / BOX_SHARE * TILE_MM * 800 / calibration.side_mm


def _rotation(turn: float) -> NDArray[np.float64]:
    cos, sin = np.cos(turn), np.sin(turn)
    return np.array([(cos, sin), (-sin, cos)])


@dataclass(frozen=True, slots=True)
class Outline:
    """Where a thing is seen on the table, in mm.

    Attributes:
        kind: of the zone in which it lies.
        low: (2,) the least x and y of its corners, and `high` the largest.
        lean: (2,) from where its upper side is seen to where it stands.
        is_plain: no drawing is named on it.
        is_whole: a whole tile that lies fits into its box.
    """

    kind: ZoneKind
    low: NDArray[np.float32]
    high: NDArray[np.float32]
    lean: NDArray[np.float32]
    is_plain: bool
    is_whole: bool

    @property
    def middle(self) -> NDArray[np.float32]:
        """(2,) where it is seen."""
        return np.asarray((self.low + self.high) / 2, np.float32)

    def covers(self, place: NDArray[np.float32]) -> bool:
        """Whether a place (2,) is seen on it: on its upper side, or between that and its foot."""
        low = np.minimum(self.low, self.low + self.lean)
        high = np.maximum(self.high, self.high + self.lean)
        return bool(((low < place) & (place < high)).all())


def are_no_tiles(outlines: Sequence[Outline]) -> list[bool]:
    """Of each thing, whether it is a part that shows no drawing, where no tile can be hidden.

    Sides of tiles, and where seams cross, are read as white dragons, backs or something unread.
    What lies in a river hides behind nothing. Elsewhere a standing hand may hide a part of a tile;
    but where the camera sees a tile's side, no other one can be.
    """
    whole = [each for each in outlines if each.is_whole]
    return [each.is_plain and not each.is_whole and _is_none(each, whole) for each in outlines]


def _is_none(part: Outline, whole: Sequence[Outline]) -> bool:
    if part.kind in OPEN:
        return True
    beside = part.kind in (ZoneKind.MELDS, ZoneKind.HAND)
    return beside and any(each.covers(part.middle) for each in whole)
