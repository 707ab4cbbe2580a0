"""The visible part of the table: nothing moves there, nor lies there but cloth and tiles.

The table is looked at in cells of 8 mm, in its own millimetres. Each remembers the colour of the
bare table. Where no tile was read and the colour is another one, after the lamp's change for the
whole table is taken out, something lies over it. A shadow keeps the colour and counts for nothing.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from math import ceil, sqrt

import cv2
import numpy as np
from numpy.typing import NDArray

from table_assist.tiles.tile import Tile
from table_assist.vision.pictures.channels import darkest
from table_assist.vision.pictures.motion import block_px
from table_assist.vision.pictures.picture import Array, Image, Mask
from table_assist.vision.table.attention import NOTHING_DECISIVE, Attention
from table_assist.vision.table.calibration import Calibration, Point
from table_assist.vision.table.colours import DARKEST, are_alike, logarithms
from table_assist.vision.table.observation import SeenTile
from table_assist.vision.table.unseen import OccludedZone, WhyUnseen
from table_assist.vision.table.zones import Layout, Zone, ZoneKind, zone_at

CELL_MM = 8.0
CELLS = 100  # a side, with the table in the middle
# All of usual tiles. One touches up to 24 cells: a zone is hidden by what is larger than one that
# was not found.
LEAST_CELLS = 26
HIDES_CELLS = 4  # of those around a place: fewer are noise
CROWDING = 5  # cells each way: a tile, its side and its shadow, and one more
SHADOW_MM = 10.0  # around a tile: its shadow, and its side where the camera sees it obliquely
THICKNESS_MM = 22.0  # a usual tile's thickness, and a little more
FINE = 4  # pixels each way that tell a cell's colour: more tell no more
WHITE_LEVEL = 243  # of all three channels: no drawing is left
# A thing that has lain on the table for so long without moving belongs to it, such as a cup.
BELONGS_S = 20.0
# A hand of which no face was seen for so long stands again, and is not hidden by its own tiles.
SHOWN_S = 4.0
# A thing that has not moved for so long hides the things below it, and nothing else of its zone.
RESTS_S, RESTLESS_CELLS = 1.5, 13
_IN_PLACES = (WhyUnseen.HIDDEN, WhyUnseen.GLARE, WhyUnseen.MOTION, WhyUnseen.OUTSIDE)
LEARNING = 0.05  # of the bare table's colour with each look


NO_BOXES = np.empty((0, 4, 2), np.float32)
_ORIGIN_MM = -CELLS * CELL_MM / 2


def cloth_in(image: Image, calibration: Calibration) -> Array:
    """(3,) the colour of most of the table in a picture (h, w, 3) BGR."""
    everywhere = np.ones((CELLS, CELLS), np.bool_)
    return np.asarray(_typical(_colours(image, calibration), everywhere) - DARKEST, np.float32)


class Coming:
    """Which of the hidden cells are hidden since a moment ago only."""

    def __init__(self) -> None:
        self._since_t = np.full((CELLS, CELLS), np.inf)

    def update(self, hidden: Mask, t: float) -> Mask:
        """Take in what is hidden at ``t``; those cells in which something has just come."""
        self._since_t[~hidden] = np.inf
        self._since_t[hidden] = np.minimum(self._since_t[hidden], t)
        return hidden & (t - self._since_t < RESTS_S)


class TableView:
    """Follows what of one table can be seen. Not for several threads.

    Attributes:
        unavailable: the zones that could not be seen in the newest picture.
        partly_hidden: those over which something lies that may hide a tile.
        cast: the lamp's change of colour since the first picture: the natural logarithm of the
            largest ratio between two channels; 0 for none.
        cloth: (3,) the bare table's colour, blue, green and red; None: no picture yet.
    """

    def __init__(self, layout: Layout) -> None:
        self.unavailable: tuple[OccludedZone, ...] = ()
        self.partly_hidden: frozenset[Zone] = frozenset()
        self.cast = 0.0
        self.cloth: Array | None = None
        self._zones, self._zone_of = _zone_cells(layout)
        self._ground: Array | None = None
        self._first: Array = np.zeros(3, np.float32)
        self._strange_t = np.full((CELLS, CELLS), np.inf)  # since when something lies there
        self.hidden = np.zeros((CELLS, CELLS), np.bool_)  # over which something lies or moves
        self._coming = Coming()
        self._restless: set[Zone] = set()
        self._times = 1.0

    def fit(self, layout: Layout, times: float) -> None:
        """The zones' borders are others from now on: tiles are so many times as large as usual."""
        self._zones, self._zone_of = _zone_cells(layout)
        self._times = times

    def update(
        self,
        image: Image,
        calibration: Calibration,
        boxes_px: Array,
        moving: Mask,
        followed: Sequence[SeenTile],
        t: float,
        attention: Attention = NOTHING_DECISIVE,
        prints_px: Array = NO_BOXES,
    ) -> None:
        """Take in a picture of the table.

        Args:
            image: (h, w, 3) BGR, in which the calibration holds.
            boxes_px: (n, 4, 2) corners of the tiles and dice that were read.
            moving: blocks of the picture in which something moves, as `motion.watch` has them.
            followed: the tiles as they were last seen. What covers one never belongs to the
                table; and in a hand of which none lies open, there is nothing to be seen.
            attention: what is decisive now, and over what nothing lies, as people have said: what
                is there is the table.
            prints_px: (n, 4, 2) corners of what was read and is the table's own print.
        """
        colours = _colours(image, calibration)
        # Mask that the picture does not show: none, where all of the table is in it
        places = calibration.to_picture(_middles())
        shown = (places >= 0) & (places < (image.shape[1], image.shape[0]))
        outside = np.asarray(~shown.all(axis=1).reshape(CELLS, CELLS), np.bool_)
        # How far beside a usual tile its shadow and its sides reach, as the camera hangs
        flatness = calibration.foreshortening
        beside_mm = max(SHADOW_MM, THICKNESS_MM * sqrt(flatness**2 - 1)) * self._times
        things = _things(boxes_px, calibration, beside_mm) | outside
        is_moving = _moving(moving, block_px((image.shape[1], image.shape[0])), calibration)
        if self._ground is None:
            self._ground = _bare(colours, things | is_moving)
            self._first = _typical(colours, np.ones_like(things))
        strange = self._strange(colours, things, is_moving)
        kept = [(tile.x_mm, tile.y_mm) for tile in followed if tile.age_s > 0]
        # In a hand that stands, tiles show neither face nor back: nothing is to be seen, and what
        # stands there for long is not the cloth that comes to light when they are laid down.
        closed = strange & self._closed_hands(followed, attention.wanted)
        strange &= ~closed
        self._learn(colours, strange, things | is_moving | closed, kept, t)
        prints = _things(prints_px, calibration, beside_mm)
        zones = attention.bare
        inside = [index for index, zone in enumerate(self._zones) if zone in zones]
        plain = strange & (np.asarray(np.isin(self._zone_of, inside), np.bool_) | prints)
        self._ground[plain] = colours[plain]
        strange &= ~plain
        reasons = {
            WhyUnseen.OUTSIDE: outside,
            WhyUnseen.GLARE: strange & (darkest(colours) >= WHITE_LEVEL),
            WhyUnseen.MOTION: is_moving,
        }
        self.hide(strange | is_moving | outside, reasons, t)

    def hide(self, hidden: Mask, reasons: Mapping[WhyUnseen, Mask], t: float) -> None:
        """Take in what cannot be seen now, and why: without a reason something lies there."""
        self.hidden = hidden
        self.unavailable = tuple(self._judge(reasons, t))
        counts = zip(self._zones, self._count(hidden), strict=True)
        self.partly_hidden = frozenset(zone for zone, count in counts if count >= HIDES_CELLS)
        fresh = self._coming.update(hidden, t)
        self._restless = {
            zone
            for zone, count in zip(self._zones, self._count(fresh), strict=True)
            if count >= RESTLESS_CELLS
        }

    def hides(self, place_mm: Point) -> bool:
        """Whether a tile at that place could not be seen, though it lies there.

        Of what has just come the edges are not certain: it may hide all of its zone.
        """
        index = int(self._zone_of[_cell(place_mm)])
        zone = None if index < 0 else self._zones[index]
        gone = next((gone for gone in self.unavailable if gone.zone == zone), None)
        if gone is not None and (gone.why not in _IN_PLACES or zone in self._restless):
            return True
        row, column = _cell(place_mm)
        around = self.hidden[max(row - 1, 0) : row + 2, max(column - 1, 0) : column + 2]
        return bool(around.sum() >= HIDES_CELLS)

    def crowds(self, place_mm: Point) -> bool:
        """Whether something lies or moves so near a place that a tile there is not read surely."""
        row, column = _cell(place_mm)
        reach = ceil(CROWDING * self._times)
        low, high = max(row - reach, 0), row + reach + 1
        left, right = max(column - reach, 0), column + reach + 1
        return bool(self.hidden[low:high, left:right].sum() >= HIDES_CELLS)

    def hide_all(self, why: WhyUnseen, t: float) -> None:
        """Nothing of the table can be seen."""
        since = {gone.zone: gone.since_t for gone in self.unavailable if gone.why is why}
        self.unavailable = tuple(OccludedZone(z, since.get(z, t), why) for z in self._zones)

    def _closed_hands(self, followed: Sequence[SeenTile], wanted: Collection[Zone]) -> Mask:
        """Hands of which no face lies open. One that was shown and stood up again is closed soon.

        A declared hand is not: if nothing of it can be seen any more, something lies over it. The
        white upper sides of standing tiles may be read as white dragons: those alone show nothing.
        """
        shown = {
            tile.zone
            for tile in followed
            if tile.tile.is_face
            and (tile.zone in wanted or (tile.age_s < SHOWN_S and tile.tile is not Tile.WHITE))
        }
        closed = [
            index
            for index, zone in enumerate(self._zones)
            if zone.kind is ZoneKind.HAND and zone not in shown
        ]
        return np.asarray(np.isin(self._zone_of, closed), np.bool_)

    def _strange(self, colours: Array, things: Mask, is_moving: Mask) -> Mask:
        assert self._ground is not None
        plain = ~things & ~is_moving
        ratio = logarithms(colours) - logarithms(self._ground)
        if plain.sum() < LEAST_CELLS:
            return np.zeros_like(things)
        lamp = np.median(ratio[plain], axis=0)
        cloth = _typical(colours, plain)
        self.cloth = cloth - DARKEST
        self.cast = float(np.ptp(np.log(cloth / self._first)))
        strange = plain & ~are_alike(ratio - lamp)
        # A place that looks as most of the table does is the table, whatever is remembered of it.
        as_most = are_alike(logarithms(colours) - np.log(cloth))
        return np.asarray(strange & ~as_most, np.bool_)

    def _learn(
        self,
        colours: Array,
        strange: Mask,
        unseen: Mask,
        kept: Sequence[Point],
        t: float,
    ) -> None:
        """A place that is plain now is the bare table; a thing that stays becomes part of it."""
        assert self._ground is not None
        for place in kept:
            row, column = _cell(place)
            self._strange_t[max(row - 2, 0) : row + 3, max(column - 2, 0) : column + 3] = np.inf
        self._strange_t[~strange & ~unseen] = np.inf
        self._strange_t[strange] = np.minimum(self._strange_t[strange], t)
        belongs = strange & (t - self._strange_t >= BELONGS_S)
        self._ground[belongs] = colours[belongs]
        plain = ~strange & ~unseen
        self._ground[plain] += LEARNING * (colours[plain] - self._ground[plain])

    def _judge(self, reasons: Mapping[WhyUnseen, Mask], t: float) -> Iterable[OccludedZone]:
        before = {gone.zone: gone for gone in self.unavailable}
        counts = {why: self._count(cells) for why, cells in reasons.items()}
        for index, (zone, hidden) in enumerate(
            zip(self._zones, self._count(self.hidden), strict=True)
        ):
            if hidden < ceil(LEAST_CELLS * max(self._times, 1.0) ** 2):  # small tiles': as usual
                continue
            most = (why for why, count in counts.items() if 2 * count[index] > hidden)
            was = before.get(zone)
            yield OccludedZone(zone, was.since_t if was else t, next(most, WhyUnseen.HIDDEN))

    def _count(self, cells: Mask) -> list[int]:
        inside = self._zone_of[cells]
        return [int(n) for n in np.bincount(inside[inside >= 0], minlength=len(self._zones))]


@lru_cache(maxsize=8)
def _zone_cells(layout: Layout) -> tuple[tuple[Zone, ...], NDArray[np.intp]]:
    """The zones, and (rows, columns) which of them a cell belongs to; -1 for none."""
    zones: dict[Zone, int] = {}
    cells = np.full((CELLS, CELLS), -1, np.intp)
    for row in range(CELLS):
        for column in range(CELLS):
            x, y = (_ORIGIN_MM + (index + 0.5) * CELL_MM for index in (column, row))
            zone = zone_at(x, y, layout)
            if zone.kind is not ZoneKind.ELSEWHERE:
                cells[row, column] = zones.setdefault(zone, len(zones))
    cells.flags.writeable = False
    return tuple(zones), cells


def _cell(place_mm: Point) -> tuple[int, int]:
    """Row and column."""
    column, row = (
        min(max(int((value - _ORIGIN_MM) // CELL_MM), 0), CELLS - 1) for value in place_mm
    )
    return row, column


def to_cells(points_mm: Array) -> Array:
    """(..., 2) columns and rows of places in mm."""
    return np.asarray((points_mm - _ORIGIN_MM) / CELL_MM, np.float32)


@cache
def _middles() -> Array:
    """(cells, 2) the middles of all cells in mm, row by row."""
    along = _ORIGIN_MM + (np.arange(CELLS, dtype=np.float32) + 0.5) * CELL_MM
    return np.stack(np.meshgrid(along, along), axis=-1).reshape(-1, 2)


@cache
def _corners() -> Array:
    """The corners of the cells' square, in mm."""
    side = -_ORIGIN_MM
    return np.array([[-side, -side], [side, -side], [side, side], [-side, side]], np.float32)


def _colours(image: Image, calibration: Calibration) -> Array:
    """(rows, columns, 3) the mean colour of each cell."""
    step = max(1, int(calibration.px_per_mm * CELL_MM / FINE))
    # Each so-manyth point of a picture (h, w, 3), each way
    # Plane by plane: that takes a fifth of the time.
    small = np.empty((-(-image.shape[0] // step), -(-image.shape[1] // step), 3), np.uint8)
    for channel in range(3):
        small[:, :, channel] = image[::step, ::step, channel]
    fine = FINE * CELLS
    source = np.asarray(calibration.to_picture(_corners()) / step, np.float32)
    target = np.asarray(to_cells(_corners()) * FINE, np.float32)
    matrix = cv2.getPerspectiveTransform(source, target)
    warped = cv2.warpPerspective(small, matrix, (fine, fine), borderMode=cv2.BORDER_REPLICATE)
    cells = cv2.resize(warped, (CELLS, CELLS), interpolation=cv2.INTER_AREA)
    return np.asarray(cells, np.float32)


def _things(boxes_px: Array, calibration: Calibration, beside_mm: float) -> Mask:
    """Cells in which something was read, or beside it."""
    mask = np.zeros((CELLS, CELLS), np.bool_)
    if len(boxes_px):
        corners = calibration.to_table(boxes_px.reshape(-1, 2)).reshape(-1, 4, 2)
        low = np.floor(to_cells(corners.min(axis=1) - beside_mm)).astype(int).clip(0)
        high = np.ceil(to_cells(corners.max(axis=1) + beside_mm)).astype(int).clip(0)
        for (left, top), (right, bottom) in zip(low.tolist(), high.tolist(), strict=True):
            mask[top:bottom, left:right] = True
    return mask


def _moving(blocks: Mask, block: int, calibration: Calibration) -> Mask:
    if not blocks.any():
        return np.zeros((CELLS, CELLS), np.bool_)
    source = np.asarray(calibration.to_picture(_corners()) / block, np.float32)
    matrix = cv2.getPerspectiveTransform(source, to_cells(_corners()))
    mask = np.asarray(255 * blocks.astype(np.uint8), np.uint8)
    return np.asarray(cv2.warpPerspective(mask, matrix, (CELLS, CELLS)) > 0, np.bool_)


def _bare(colours: Array, unseen: Mask) -> Array:
    """The bare table's colours: where it is not seen, those of the nearest place where it is."""
    if unseen.all():
        return colours.copy()
    _, labels = cv2.distanceTransformWithLabels(
        unseen.astype(np.uint8), cv2.DIST_L2, 3, labelType=cv2.DIST_LABEL_PIXEL
    )
    known = np.zeros((int(labels.max()) + 1, 3), np.float32)
    known[labels[~unseen]] = colours[~unseen]
    return np.asarray(known[labels], np.float32)


def _typical(colours: Array, cells: Mask) -> Array:
    """The median colour, (3,)."""
    return np.asarray(np.median(colours[cells], axis=0) + DARKEST, np.float32)
