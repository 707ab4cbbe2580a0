"""Recorded looks as evidence, and what the things in them really were."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bench.belief.evidence import (
    BACK,
    CLASSES,
    NONE,
    PART,
    WEIGHTS,
    LookEvidence,
    Reliability,
    features,
    weigh,
)
from bench.belief.places import common_shift
from bench.live.moments import Lay, Looked, Lying, RecordedHand, Seen
from bench.live.read_things import Things
from table_assist.twin.scene import PlacedTile, Pose
from table_assist.vision.table.tile_size import TILE_MM
from table_assist.vision.table.viewpoint import FACE_MM, Viewpoint, viewpoint

# A box is a thing if so much of both is common to them; and shows a part of the thing in which so
# much of the box lies.
SAME, INSIDE = 0.5, 0.6
# A thing that is no piece is the same thing where its box lies so near.
PLACE_PX = 8

Boxes = NDArray[np.float64]


def evidence_of(looked: Looked, by: Reliability) -> LookEvidence | None:
    """A look's evidence; None where nothing was read, or it is not known where the table is."""
    seen = looked.seen
    if seen is None or seen.calibration is None:
        return None
    tile_mm = looked.observation.tile_mm
    outlines = seen.outlines_mm(seen.things).astype(np.float64)
    places = outlines.mean(axis=1)
    camera = viewpoint(seen.calibration, seen.size_wh)
    if camera is not None:
        share = FACE_MM * tile_mm / TILE_MM / camera.z_mm
        places = places + (np.array([camera.x_mm, camera.y_mm]) - places) * share
    return LookEvidence(
        looked.t, places, weigh(seen.things, _lengths(outlines, tile_mm), by), seen.hidden, tile_mm
    )


def _lengths(outlines: Boxes, tile_mm: float) -> NDArray[np.float64]:
    """(n,) the longer side of each box, in widths of a tile."""
    sides = np.linalg.norm(outlines - np.roll(outlines, 1, axis=1), axis=2)
    return np.asarray(sides.max(axis=1, initial=0.0) / tile_mm)


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """Distinct readings of a hand: one that was not made anew is one reading.

    Attributes:
        features: (n, CLASSES, WEIGHTS).
        truth: (n,) the classes.
        worth: (n,) all readings of one piece where it lay count as one.
        repeats: of readings that were wrong and made anew of the same piece where it lay, how many
            were, and how many of them were wrong the same way.
    """

    features: NDArray[np.float64]
    truth: NDArray[np.int64]
    worth: NDArray[np.float64]
    repeats: tuple[int, int]


def readings_of(hand: RecordedHand) -> Read:
    """All readings of a hand."""
    rows, truth, wrong, again = [np.empty((0, CLASSES, WEIGHTS))], [], 0, 0
    latest: dict[tuple[object, int], tuple[int, bytes]] = {}
    keys: list[tuple[object, int]] = []
    for seen, tiles, tile_mm in _known_looks(hand):
        things = seen.things
        true, pieces = true_classes(seen, things, tiles)
        fresh = []
        for index, (each, piece) in enumerate(zip(true.tolist(), pieces.tolist(), strict=True)):
            key = (
                tiles[piece] if piece >= 0 else tuple((things.xyxy[index] // PLACE_PX).tolist()),
                each,
            )
            named = int(things.rows[index].argmax())
            reading = things.rows[index].tobytes()
            before = latest.get(key)
            if before is not None and before[1] == reading:
                continue
            if before is not None and each < PART and before[0] != each:
                wrong, again = wrong + 1, again + (named == before[0])
            latest[key] = named, reading
            fresh.append(index)
            keys.append(key)
        if fresh:
            some = Things(things.xyxy[fresh], things.score[fresh], things.rows[fresh])
            outlines = seen.outlines_mm(some).astype(np.float64)
            rows.append(features(some, _lengths(outlines, tile_mm)))
            truth += true[fresh].tolist()
    times = Counter(keys)
    worth = np.array([1 / times[key] for key in keys])
    return Read(np.concatenate(rows), np.array(truth, np.int64), worth, (wrong, again))


def _known_looks(hand: RecordedHand) -> Iterator[tuple[Seen, Sequence[Lying], float]]:
    tiles: tuple[Lying, ...] = ()
    for moment in hand.moments:
        match moment:
            case Lay():
                tiles = moment.tiles
            case Looked(observation=told, seen=seen):
                if seen is not None and seen.calibration is not None and len(seen.things):
                    yield seen, tiles, told.tile_mm


def true_classes(
    seen: Seen, things: Things, tiles: Sequence[Lying]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(n,) of each thing its class, and (n,) its place among the tiles; -1 where there is none."""
    count = len(things)
    nothing = np.full(count, NONE), np.full(count, -1)
    camera = None if seen.calibration is None else viewpoint(seen.calibration, seen.size_wh)
    if camera is None or not tiles or not count:
        return nothing
    upper, all_of = _boxes(seen, camera, tiles)
    boxes = things.xyxy.astype(np.float64)
    same = np.maximum(_shared(boxes, upper)[0], _shared(boxes, all_of)[0])
    inside = _shared(boxes, all_of)[1]
    piece, around = same.argmax(axis=1), inside.argmax(axis=1)
    each = np.arange(count)
    is_whole, is_part = same[each, piece] >= SAME, inside[each, around] >= INSIDE
    shown = np.array([_class_of(tile) for tile in tiles])
    classes = np.where(is_whole, shown[piece], np.where(is_part, PART, NONE))
    return classes, np.where(is_whole, piece, np.where(is_part, around, -1))


def _class_of(tile: Lying) -> int:
    """Its class: a face, or that the face is turned away, as of a tile that stands."""
    shows = _placed(tile).shows
    return int(shows) if shows is not None and shows.is_face else BACK


def _placed(tile: Lying) -> PlacedTile:
    return PlacedTile(tile.tile, tile.x_mm, tile.y_mm, tile.turn_deg, Pose(tile.pose), tile.scale)


def _boxes(seen: Seen, camera: Viewpoint, tiles: Sequence[Lying]) -> tuple[Boxes, Boxes]:
    """(n, 4) around the upper side of each tile, and around all of it, in the window's pixels."""
    assert seen.calibration is not None
    placed = _as_seen(seen, camera, [_placed(tile) for tile in tiles])
    feet = np.array([tile.corners_mm() for tile in placed])
    tops = np.array([
        [camera.seen_at(x, y, tile.size_mm[2]) for x, y in tile.corners_mm()] for tile in placed
    ])  # fmt: skip
    points = np.concatenate([tops, feet], axis=1).astype(np.float32)
    where = seen.calibration.moved(-seen.window[0], -seen.window[1])
    there = where.to_picture(points.reshape(-1, 2)).reshape(-1, 8, 2).astype(np.float64)
    return _around(there[:, :4]), _around(there)


def _as_seen(seen: Seen, camera: Viewpoint, tiles: Sequence[PlacedTile]) -> Sequence[PlacedTile]:
    """The tiles of a table that was bumped, where it lies now."""
    places = seen.outlines_mm(seen.things).astype(np.float64).mean(axis=1)
    middles = np.array([camera.seen_at(tile.x_mm, tile.y_mm, tile.size_mm[2]) for tile in tiles])
    shown = np.array([-1 if tile.shows is None else int(tile.shows) for tile in tiles])
    named = seen.things.rows.argmax(axis=1)
    shift = common_shift(places, middles, named[:, None] == shown[None])
    return [replace(tile, x_mm=tile.x_mm + shift[0], y_mm=tile.y_mm + shift[1]) for tile in tiles]


def _around(points: Boxes) -> Boxes:
    return np.concatenate([points.min(axis=1), points.max(axis=1)], axis=1)


def _shared(boxes: Boxes, others: Boxes) -> tuple[Boxes, Boxes]:
    """(n, m) intersection over union, and over the box."""
    low = np.maximum(boxes[:, None, :2], others[None, :, :2])
    high = np.minimum(boxes[:, None, 2:], others[None, :, 2:])
    common = np.clip(high - low, 0.0, None).prod(axis=2)
    own = (boxes[:, 2:] - boxes[:, :2]).prod(axis=1)[:, None]
    other = (others[:, 2:] - others[:, :2]).prod(axis=1)[None, :]
    return common / (own + other - common), common / np.maximum(own, 1e-9)
