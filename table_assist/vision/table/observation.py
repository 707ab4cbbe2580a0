"""A picture's observation in the table's terms: which tile lies where, in whose zone."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import hypot
from statistics import median

import numpy as np
from numpy.typing import NDArray

from table_assist.tiles.tile import Tile
from table_assist.vision.pictures.picture import Array, Mask
from table_assist.vision.reading.readings import Readings, tile_of
from table_assist.vision.reading.recognise import UNKNOWN, UNSURE_LOOKS
from table_assist.vision.reading.whole import checked
from table_assist.vision.reading.why import WhyDoubtful
from table_assist.vision.table.calibration import Calibration, Point
from table_assist.vision.table.dice import SeenDie
from table_assist.vision.table.tile_size import (
    FARTHEST_WIDTHS,
    IN_ROW,
    LEAST_ROW,
    NEAREST_WIDTHS,
    TILE_MM,
    loosely_measured_mm,
    measured_mm,
)
from table_assist.vision.table.unseen import OccludedZone
from table_assist.vision.table.viewpoint import BACK_MM, FACE_MM, Viewpoint, viewpoint
from table_assist.vision.table.zones import Layout, Zone, ZoneKind, to_seat, zone_at

# A tile's outline where it lies: it tells a part of one, and where its side is seen.
#
# The camera's place and the tiles' size say how large the box around a whole tile is at each place
# of the table, whichever way it lies there, and how far beside it its foot is.

LEAST_ASPECT = 1.25  # a tile's length over its width: no set has less
# Of 1,525 whole tiles at 0 to 35 degrees askew the least share was 0.92 of one 1.33 long; faces
# that stand had 0.5 to 0.6, sides up to 0.72.
LYING_WHOLE = 0.9
SIZE_DIFFERS = 0.8  # a set's tiles are so large, beside usual ones, before any lie side by side
# Tiles that tell how large they are; of them the larger ones; of a tile's length a box has more.
SIZES_KNOWN, LARGER, BOX_SHARE = 6, 75, 1.08
TURNS = np.radians(np.arange(0, 180, 7.5))
_CORNERS = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
OPEN_ZONES = (ZoneKind.RIVER, ZoneKind.BIRDS)  # nothing there hides behind a hand
MAY_STAND = (ZoneKind.MELDS, ZoneKind.HAND)
ROWS = (ZoneKind.RIVER, ZoneKind.DICE)
# Half a tile or less from a diagonal a place alone does not tell whose a discard is; from there on
# a row may reach so many widths into the neighbour's part.
RIVER_REACH = 2.0


def lying_shares(
    polygons: Array,
    calibration: Calibration,
    above: Viewpoint | None,
    tile_mm: float,
    turns: Sequence[float] = TURNS,
) -> NDArray[np.float64]:
    """(n,) how large a share of a lying tile's upper side fits into each upright box.

    Of all the ways in which it may lie the one that fits best counts, and of the box's two sides
    the one that is too short.

    Args:
        polygons: (n, 4, 2) corners in the picture's pixels.
        tile_mm: how wide a tile is.
        turns: in which it may lie, against the table's sides.
    """
    if not len(polygons):
        return np.zeros(0)
    middles = calibration.to_table(np.asarray(polygons.mean(axis=1), np.float32))
    wide = tile_mm
    if above is not None:  # what is nearer to the camera is seen larger
        wide /= 1 - FACE_MM * tile_mm / TILE_MM / above.z_mm
    cos, sin = np.cos(turns), np.sin(turns)
    lying = (
        _CORNERS
        * (wide, LEAST_ASPECT * wide)
        @ np.array([(cos, sin), (-sin, cos)]).transpose(2, 0, 1)
    )
    places = middles[:, None, None] + lying
    seen = calibration.to_picture(places.reshape(-1, 2).astype(np.float32))
    needed = np.ptp(seen.reshape(places.shape), axis=2)  # (n, turns, 2)
    box = np.ptp(polygons, axis=1)[:, None]
    return np.asarray((box / needed).min(axis=2).max(axis=1), np.float64)


def seen_tile_mm(readings: Readings | None, calibration: Calibration) -> float | None:
    """How wide the tiles on a table look, by its side; None: too few are seen there.

    Standing tiles and sides look smaller than lying ones, and nothing larger: the larger ones tell.
    """
    if readings is None:
        return None
    known = [i for i, tile in enumerate(readings.tiles) if tile not in (None, Tile.UNKNOWN)]
    boxes = readings.polygons[known].reshape(-1, 4, 2)
    places = calibration.to_table(np.asarray(boxes.mean(axis=1), np.float32))
    off = np.abs(places).max(axis=1, initial=0.0) / calibration.side_mm
    # Around a console that is taken for a table tiles lie in its plane, too.
    on_it = off < (0.5 if (off < 0.5).sum() >= SIZES_KNOWN else 1.0)
    boxes = boxes[on_it]
    if len(boxes) < SIZES_KNOWN:
        return None
    above = viewpoint(calibration, readings.size_wh)
    shares = lying_shares(boxes, calibration, above, TILE_MM, (0.0, np.pi / 2))
    return float(np.percentile(shares, LARGER)) / BOX_SHARE * TILE_MM


def _hidden(corners: Array, leans: Array, is_whole: Mask) -> Mask:
    """(n,) what lies where the camera sees a whole tile's side: no other tile can be there.

    Args:
        corners: (n, 4, 2) of each thing, in mm.
        leans: (n, 2) from where its upper side is seen to where it stands.
    """
    low, high = corners.min(axis=1), corners.max(axis=1)
    middle = ((low + high) / 2)[:, None]
    covers = (np.minimum(low, low + leans) < middle) & (middle < np.maximum(high, high + leans))
    return np.asarray((covers.all(axis=2) & is_whole).any(axis=1), np.bool_)


# By how much tiles in a row seem to be wider than they are.
#
# A camera that looks askew, or not from straight above, sees a side of each tile; and a box
# around a tile that lies turned in the picture is wider than the tile. So neighbours seem to
# overlap, and the gap between two melds seems to be none. But most neighbours in a row touch: by
# as much as their boxes overlap, all boxes of the row are too wide.

# Of a box no side is more than this share; what overlaps more is seen twice, as in a bump.
LARGEST_SHARE = 0.3


def overlap_mm(row: Sequence[tuple[float, float]]) -> float:
    """By how much the boxes of most neighbours overlap; 0 where they do not.

    Args:
        row: where along the row each tile's middle is, and how wide its box, in mm.
    """
    if len(row) < LEAST_ROW:
        return 0.0
    gaps = [b - a - (wide_a + wide_b) / 2 for (a, wide_a), (b, wide_b) in pairwise(sorted(row))]
    widest = LARGEST_SHARE * median(wide for _, wide in row)
    return min(max(-median(gaps), 0.0), widest)


# Of usual tiles. The middles of two side by side are a tile's width apart, 26 mm; half a tile that
# was taken for a whole one lies nearer to the whole.
TILES_APART_MM = 18.0
# So often a tile is seen, or missed, or surely read as another one in a row, before it is a fact.
SURE_PICTURES = 2


@dataclass(frozen=True, slots=True)
class SeenTile:
    """One tile on the table.

    Attributes:
        tile: UNKNOWN when the reader is not sure, BACK when it lies face down.
        x_mm: centre, as `y_mm`, from the table's centre, as if it were seen in the table's plane.
        width_mm: extent along the owning seat's `r` axis (along x where no seat owns the zone);
            of a meld or an open hand without what is seen of its side.
        candidates: likeliest faces, best first, with their confidence.
        pictures: in how many pictures it was seen there.
        id: of this very tile as long as it can be followed, also when it is pushed or the table is
            bumped; 0 where nobody follows it.
        age_s: since it was last seen itself; above 0 where it is hidden now and this is its last
            reading.
        is_clear: nothing lay or moved beside it when it was read; else it may be half a tile, or
            none.
        why: what was in doubt about it when it was seen last; None: nothing was.
        is_between: it may as well lie in the river of the seat beside.
    """

    tile: Tile
    confidence: float
    x_mm: float
    y_mm: float
    width_mm: float
    zone: Zone
    candidates: tuple[tuple[Tile, float], ...] = ()
    pictures: int = 1
    id: int = 0
    age_s: float = 0.0
    is_clear: bool = True
    why: WhyDoubtful | None = None
    is_between: bool = False

    def to_seat(self, seat: int) -> tuple[float, float]:
        """Its middle in the seat's own axes (r, d)."""
        return to_seat(self.x_mm, self.y_mm, seat)


@dataclass(frozen=True, slots=True)
class Observation:
    """Everything seen on the table at one moment.

    Attributes:
        t: seconds since the epoch.
        dice: the faces of the dice in the middle, in ascending order; from a `Watcher` only once
            they have lain still.
        seen_dice: all dice in the middle, also those whose face is not sure.
        unavailable: zones that cannot be seen: their tiles are told as they were last seen, and
            nothing follows from what is missing there.
        tile_mm: how wide a tile is taken to be.
        measured_mm: how wide one is by this picture alone; None: too few lie side by side.
        layout: the zones' borders, for tiles of that width.
        partly_hidden: zones over which something lies that may hide a tile.
    """

    t: float
    tiles: tuple[SeenTile, ...]
    dice: tuple[int, ...] = ()
    seen_dice: tuple[SeenDie, ...] = ()
    unavailable: tuple[OccludedZone, ...] = ()
    tile_mm: float = TILE_MM
    measured_mm: float | None = None
    layout: Layout = field(default_factory=Layout)
    partly_hidden: frozenset[Zone] = frozenset()
    _by_zone: dict[tuple[ZoneKind, int | None], tuple[SeenTile, ...]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @property
    def times(self) -> float:
        """How many times as large as usual the tiles are."""
        return self.tile_mm / TILE_MM

    def can_see(self, kind: ZoneKind, seat: int | None = None) -> bool:
        """Whether what is not seen there is not there; without a seat: in all zones of a kind."""
        return not any(
            gone.zone.kind is kind and (seat is None or gone.zone.seat == seat)
            for gone in self.unavailable
        )

    def sees_all(self, kind: ZoneKind, seat: int) -> bool:
        """Whether no tile of the zone can lie there unseen."""
        return self.can_see(kind, seat) and Zone(kind, seat) not in self.partly_hidden

    def in_zone(self, kind: ZoneKind, seat: int | None = None) -> tuple[SeenTile, ...]:
        """The zone's tiles; of all seats when the zone has an owner and no seat is given."""
        if (kind, seat) not in self._by_zone:
            self._by_zone[kind, seat] = tuple(
                tile
                for tile in self.tiles
                if tile.zone.kind is kind and (seat is None or tile.zone.seat == seat)
            )
        return self._by_zone[kind, seat]


def observe(
    readings: Readings,
    calibration: Calibration,
    layout: Layout,
    t: float,
    viewpoint: Viewpoint | None = None,
    *,
    tile_mm: float = TILE_MM,
    is_size_known: bool = False,
) -> Observation:
    """Place readings on the table; what lies outside it or is no tile's size is left out.

    A face on what is no whole tile there is ``?``, and its candidates doubtful.

    Args:
        viewpoint: by which a tile's zone is that of its foot, and not where its top is seen; None:
            straight above, far away.
        tile_mm: how wide a tile is.
        is_size_known: this table's tiles have told it.
    """
    times = tile_mm / TILE_MM
    corners = calibration.to_table(readings.polygons.reshape(-1, 2)).reshape(-1, 4, 2)
    shares = lying_shares(readings.polygons, calibration, viewpoint, tile_mm)
    least = LYING_WHOLE if is_size_known else SIZE_DIFFERS * LYING_WHOLE
    is_plain = np.isin(readings.labels, UNSURE_LOOKS)
    readings = checked(readings, shares if is_size_known else None, least=LYING_WHOLE)
    tiles: list[SeenTile] = []
    rows: list[int] = []
    feet: list[Point] = []
    short: list[SeenTile] = []
    dice: list[SeenDie] = []
    middles = corners.mean(axis=1).tolist()
    for row, label in enumerate(readings.labels):
        x, y = middles[row]
        tile = tile_of(label)
        foot = foot_of(x, y, tile, viewpoint, times)
        zone = zone_at(*foot, layout)
        if tile is None or (zone.kind is ZoneKind.DICE and _is_unread_die(readings, row)):
            if zone.kind is ZoneKind.DICE:
                dice.append(SeenDie(None if tile is Tile.UNKNOWN else int(label[1:]), x, y))
        elif zone.kind is not ZoneKind.ELSEWHERE:
            across = [to_seat(u, v, zone.seat or 0)[0] for u, v in corners[row].tolist()]
            seen = SeenTile(
                tile=tile,
                confidence=float(readings.confidence[row]),
                x_mm=x,
                y_mm=y,
                width_mm=max(across) - min(across),
                zone=zone,
                candidates=tuple(
                    (likely, float(each.confidence))
                    for each in readings.candidates[row]
                    if (likely := tile_of(each.label)) is not None  # a die is none
                ),
                why=readings.why[row],
            )
            tiles.append(seen)
            rows.append(row)
            feet.append(foot)
            if tile is not Tile.BACK and shares[row] < LYING_WHOLE:
                short.append(seen)
    # A part that shows no drawing is no tile in a river, nor before a seat where a side is seen:
    # sides, and where seams cross, are read as white dragons, backs or something unread.
    whole, leans = shares[rows] >= least, np.reshape(feet, (-1, 2)) - corners[rows].mean(axis=1)
    hidden = _hidden(corners[rows], leans, whole)
    none = is_plain[rows] & ~whole
    tiles = [
        seen
        for i, seen in enumerate(tiles)
        if not none[i]
        or not (seen.zone.kind in OPEN_ZONES or (hidden[i] and seen.zone.kind in MAY_STAND))
    ]
    tiles = _in_their_rows(_without_standing(tiles, short), tile_mm)
    values = sorted(die.value for die in dice if die.value is not None)
    return Observation(
        t,
        tuple(_without_sides(_apart(tiles, TILES_APART_MM * times))),
        tuple(values),
        tuple(dice),
        tile_mm=tile_mm,
        measured_mm=_measured(tiles, viewpoint, tile_mm, shares),
        layout=layout,
    )


def apart_mm(one: SeenTile, other: SeenTile) -> float:
    """How far the middles of two tiles are from each other."""
    return hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm)


def foot_of(
    x: float, y: float, tile: Tile | None, viewpoint: Viewpoint | None, times: float
) -> Point:
    """Where the thing stands whose upper side is seen at a point of the plane."""
    if viewpoint is None or tile is None:
        return x, y
    return viewpoint.below(x, y, _height(tile) * times)


def _height(tile: Tile) -> float:
    return BACK_MM if tile is Tile.BACK else FACE_MM


def _measured(
    tiles: Sequence[SeenTile],
    viewpoint: Viewpoint | None,
    tile_mm: float,
    shares: NDArray[np.float64],
) -> float | None:
    """A tile's width by what lies side by side; by discards only where nothing else tells."""
    if not tiles:
        return None
    # Upright boxes of a table that is seen askew are wider than what lies in them.
    widest = float(np.percentile(shares, LARGER)) * tile_mm
    tiles = [replace(seen, width_mm=min(seen.width_mm, widest)) for seen in tiles]
    times = tile_mm / TILE_MM
    rows = _rows(tiles, viewpoint, times)
    found = measured_mm(rows)
    if found is not None:
        return found
    share = _nearer(Tile.UNKNOWN, viewpoint, times)
    rivers: dict[Zone, list[tuple[float, float, float]]] = {}
    for seen in tiles:
        if seen.zone.kind is ZoneKind.RIVER and seen.zone.seat is not None and seen.tile.is_face:
            r, d = seen.to_seat(seen.zone.seat)
            placed = r * share, d * share, seen.width_mm * share
            rivers.setdefault(seen.zone, []).append(placed)
    return loosely_measured_mm(rows, rivers.values(), tile_mm)


def _nearer(tile: Tile, viewpoint: Viewpoint | None, times: float) -> float:
    """By how much smaller it is than seen: what is nearer to the camera is seen larger."""
    return 1 - _height(tile) * times / viewpoint.z_mm if viewpoint else 1.0


def _rows(
    tiles: Sequence[SeenTile], viewpoint: Viewpoint | None, times: float
) -> list[list[tuple[float, float]]]:
    """The tiles in straight rows, as `tile_size` measures them: the wall, melds and open hands."""
    rows: dict[Zone, list[tuple[float, float]]] = {}
    for seen in tiles:
        zone = seen.zone
        is_wall = zone.kind is ZoneKind.WALL and seen.tile is Tile.BACK
        is_open = zone.kind in (ZoneKind.MELDS, ZoneKind.HAND) and seen.tile.is_face
        if zone.seat is None or not (is_wall or is_open):
            continue
        share = _nearer(seen.tile, viewpoint, times)
        r, _ = seen.to_seat(zone.seat)
        rows.setdefault(zone, []).append((r * share, seen.width_mm * share))
    return list(rows.values())


def _without_standing(tiles: list[SeenTile], short: Sequence[SeenTile]) -> list[SeenTile]:
    """Without the faces of hands that stand: they are their owner's secret.

    Most of a standing hand's faces are short. In a hand that lies open one is, where something
    covers a part of it; it counts, or the hand would be taken for another one.
    """
    faces = Counter(seen.zone for seen in tiles if seen.tile is not Tile.BACK)
    stands = Counter(seen.zone for seen in short if seen.zone.kind is ZoneKind.HAND)
    return [
        seen
        for seen in tiles
        if seen not in short or seen.zone not in stands or 2 * stands[seen.zone] < faces[seen.zone]
    ]


def _in_their_rows(tiles: list[SeenTile], tile_mm: float) -> list[SeenTile]:
    """Each discard in the river whose row it continues, though its place alone be a neighbour's.

    Near a diagonal, where no row tells, it is open whose it is. Three in a row in the middle are
    no dice.
    """
    lying = [i for i, seen in enumerate(tiles) if seen.zone.kind in ROWS and seen.tile != Tile.BACK]
    places = np.array([
        [tiles[i].to_seat(seat) for seat in range(4)] for i in lying
    ]).reshape(-1, 4, 2)  # fmt: skip
    far = np.abs(places[:, None] - places) / tile_mm
    beside = (
        (far[..., 0] > NEAREST_WIDTHS) & (far[..., 0] < FARTHEST_WIDTHS) & (far[..., 1] <= IN_ROW)
    )
    owner, out = places[..., 1].argmax(axis=1), places[..., 1] / tile_mm
    near = beside & (owner[:, None] == np.arange(4))  # (n, n, 4): of which row it would be
    found = list(tiles)
    for n, index in enumerate(lying):
        other, own = np.argsort(out[n])[-2:]
        gap, rows = out[n, own] - out[n, other], near[n].any(axis=0)
        seat, is_open = own, rows[own] == rows[other] and gap < 0.5
        if rows[other] and not rows[own] and gap < RIVER_REACH:
            seat, is_open = other, (owner == own).sum() == 1
        row = near[n, :, seat]
        is_row = row.sum() + near[row, :, seat].sum(axis=1).max(initial=1) > 2
        if tiles[index].zone.kind is ZoneKind.RIVER or is_row:
            zone = Zone(ZoneKind.RIVER, int(seat))
            found[index] = replace(tiles[index], zone=zone, is_between=bool(is_open))
    return found


def _is_unread_die(readings: Readings, row: int) -> bool:
    """Whether something that was not read is rather a die than a tile."""
    candidates = readings.candidates[row]
    dice = sum(each.confidence for each in candidates if tile_of(each.label) is None)
    return readings.labels[row] == UNKNOWN and 2 * dice > sum(c.confidence for c in candidates)


def _apart(tiles: Sequence[SeenTile], least_mm: float) -> list[SeenTile]:
    """Without what lies where a surer tile lies: two tiles cannot share a place."""
    kept: list[SeenTile] = []
    for tile in sorted(tiles, key=lambda seen: -seen.confidence):
        if all(apart_mm(tile, other) >= least_mm for other in kept):
            kept.append(tile)
    return kept


def _without_sides(tiles: Sequence[SeenTile]) -> list[SeenTile]:
    """Melds and open hands as wide as the rows they lie in let them be."""
    rows: dict[Zone, list[tuple[float, float]]] = {}
    for seen in filter(_is_laid_open, tiles):
        along, _ = seen.to_seat(seen.zone.seat or 0)
        rows.setdefault(seen.zone, []).append((along, seen.width_mm))
    spare = {zone: overlap_mm(row) for zone, row in rows.items()}
    return [
        replace(seen, width_mm=seen.width_mm - spare[seen.zone]) if _is_laid_open(seen) else seen
        for seen in tiles
    ]


def _is_laid_open(seen: SeenTile) -> bool:
    kind = seen.zone.kind
    return kind is ZoneKind.MELDS or (kind is ZoneKind.HAND and seen.tile is not Tile.BACK)
