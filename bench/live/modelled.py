"""Eyes without pictures: what a reader would say of a scene, by geometry and measured errors.

What is read of a tile stays as it is until something changes at it, as with the live reader, which
names again only what changed. A share of the errors, also measured, comes back each time that the
tile is read, as long as it lies there.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from math import hypot
from random import Random
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from bench.live.rates import STANDING, Ghost, Outcomes, Rates, Way, group_of, kind_of, outcomes_of
from table_assist.tiles.tile import Tile
from table_assist.twin.lens import Lens
from table_assist.twin.scene import Cover, PlacedDie, Scene
from table_assist.twin.solids import Piece, silhouette_px, top_mm
from table_assist.vision.reading.readings import Readings, box_readings
from table_assist.vision.reading.recognise import CROP_MARGIN, LABELS, Candidate, Name
from table_assist.vision.table.calibration import Calibration

UNMEASURED_SHARE = 0.6  # of what a tile is misread as, where none was measured
# A second box is put upon the nearest thing of its kind, so many of its own sides away at most.
NEAR_SIDES = 4.0
# Of what a right reading leaves, for the faces that it is taken for: the means of the 4,803 whole
# faces in eyes.json that were unread with their own face first, from 0.7 on.
SECOND_SHARES = (0.65, 0.11)
PLAIN_LABELS = LABELS[: LABELS.index("1f")]
MOTION_PX = 12  # around what moves: a block of the watched picture, and half of the next
# Hiding is worked out on a picture reduced so far: a tile is still ten points wide.
REDUCED = 4
LEAST_VISIBLE = 0.02
MOST_OUTLINES = 8192  # more than the pieces of some hands, in all places that they come to lie in
A_COVER = -1  # among whom points of the picture show

Box = tuple[float, float, float, float]
_Read = tuple[Box, Name]


@dataclass(frozen=True, slots=True)
class SceneThing:
    """A piece as one picture shows it."""

    piece: Piece
    label: str  # what a faultless reader would say, as in ``models/tiles.toml``; or ``standing``
    box: Box  # upright, around its upper side, or around all of a standing tile; in pixels
    visible: float  # the share of the box's own part that nothing hides, 0-1
    covered: float  # the share that covers hide; tiles or the picture's rim hide the rest


@dataclass(frozen=True, slots=True)
class _Outline:
    label: str
    box: Box
    whole: NDArray[np.int32]
    shown: NDArray[np.int32]


class Geometry:
    """Where one camera sees the pieces of any scene."""

    def __init__(self, camera: Lens) -> None:
        self.camera = camera
        self._outlines = lru_cache(MOST_OUTLINES)(self._outline)
        self._latest: tuple[Scene, tuple[SceneThing, ...]] | None = None

    def things(self, scene: Scene) -> tuple[SceneThing, ...]:
        """Everything of which a little is seen; tiles without a readable side are left out.

        The very same tuple for the very same scene.
        """
        if self._latest is not None and self._latest[0] is scene:
            return self._latest[1]
        x, y, _ = self.camera.position_mm
        pieces: list[Piece] = [*scene.tiles, *scene.dice]  # from far to near
        pieces.sort(key=lambda piece: -((piece.x_mm - x) ** 2 + (piece.y_mm - y) ** 2))
        outlines = [self._outlines(piece) for piece in pieces]
        owner = self._empty(np.int32)  # whom each point shows, from 1; 0 table
        for index, outline in enumerate(outlines, start=1):
            cv2.fillConvexPoly(owner, outline.whole, index)
        self._put_over(owner, scene.covers, A_COVER)
        found = []
        for index, (piece, outline) in enumerate(zip(pieces, outlines, strict=True), start=1):
            if outline.label:
                visible, covered = _shares(owner, outline.shown, index)
                if visible > LEAST_VISIBLE:
                    found.append(SceneThing(piece, outline.label, outline.box, visible, covered))
        self._latest = scene, tuple(found)
        return self._latest[1]

    def covered(self, covers: Iterable[Cover], margin_px: int) -> NDArray[np.bool_]:
        """Where in the reduced picture covers are seen, and so far around them."""
        mask, side = self._empty(np.uint8), 2 * (margin_px // REDUCED) + 1
        self._put_over(mask, covers, 1)
        return np.asarray(cv2.dilate(mask, np.ones((side, side), np.uint8)), np.bool_)

    def _outline(self, piece: Piece) -> _Outline:
        label, whole = _label(piece), silhouette_px(piece, self.camera)
        shown = whole if label == STANDING else self.camera.project_points(top_mm(piece))
        low, high = shown.min(axis=0), shown.max(axis=0)
        box = (float(low[0]), float(low[1]), float(high[0]), float(high[1]))
        return _Outline(label, box, _reduced(whole), _reduced(shown))

    def _empty(self, kind: type) -> NDArray[Any]:
        width, height = (-(-side // REDUCED) for side in self.camera.size_wh)
        return np.zeros((height, width), kind)

    def _put_over(self, mask: NDArray[Any], covers: Iterable[Cover], value: int) -> None:
        for cover in covers:
            lifted = np.array([(x, y, cover.height_mm) for x, y in cover.polygon_mm])
            cv2.fillPoly(mask, [_reduced(self.camera.project_points(lifted))], value)


def _reduced(points_px: NDArray[np.float64]) -> NDArray[np.int32]:
    return np.round(points_px / REDUCED).astype(np.int32)


def _label(piece: Piece) -> str:
    """Empty for a tile that shows a face that nobody knows."""
    if isinstance(piece, PlacedDie):
        return f"d{piece.value}"
    if piece.shows is None:
        return STANDING
    return "back" if piece.shows is Tile.BACK else str(piece.shows) * piece.shows.is_face


def _shares(
    owner: NDArray[np.int32], polygon: NDArray[np.int32], index: int
) -> tuple[float, float]:
    """How much of a polygon belongs to a piece and to covers; the rest may be off the picture."""
    left, top = polygon.min(axis=0).tolist()
    right, bottom = (polygon.max(axis=0) + 1).tolist()
    mask = np.zeros((bottom - top, right - left), np.uint8)
    cv2.fillConvexPoly(mask, polygon - (left, top), 1)
    height, width = owner.shape
    part = owner[max(top, 0) : min(bottom, height), max(left, 0) : min(right, width)]
    if part.size == 0:
        return 0.0, 0.0
    y, x = max(-top, 0), max(-left, 0)
    own = mask[y : y + part.shape[0], x : x + part.shape[1]]
    every = max(int(mask.sum()), 1)
    visible, covered = (np.count_nonzero((part == one) & (own > 0)) for one in (index, A_COVER))
    return float(visible / every), float(covered / every)


class ModelledReader:
    """Reads the scenes of one camera in turn, by its rates for what became of the picture."""

    def __init__(self, camera: Lens, rates: dict[str, Rates], seed: int) -> None:
        self._camera = camera
        self._rates = rates
        self._rng = Random(f"eyes-{seed}")
        self._geometry = cache(Geometry)
        self._kept: dict[object, tuple[SceneThing, _Read | None]] = {}
        self._stuck: dict[object, Way | bool | None] = {}
        self._ghosts: tuple[_Read, ...] = ()
        # Of the newest scene, which is kept so that its identity stays its own.
        self._latest: tuple[tuple[int, str, Lens], Scene, Readings] | None = None
        self._covers: tuple[Cover, ...] = ()
        self._calibration = Calibration(camera.corners_px())

    def read(self, scene: Scene, spoiled: str, *, camera: Lens | None = None,
             anew: bool = False) -> Readings:  # fmt: skip
        """The readings of a scene; the very same value where nothing is new.

        The camera is where it is now, if it was bumped; anew: all is named again, as after a jerk.
        """
        lens, latest = camera or self._camera, self._latest
        what = (id(scene), spoiled, lens)
        if not anew and latest is not None and latest[0] == what:
            return latest[2]
        geometry, rates = self._geometry(lens), self._rates[spoiled]
        things = geometry.things(scene)
        everything = anew or latest is None or latest[0][1:] != what[1:]
        changed = np.ones(len(things), np.bool_) if everything else self._changed(things)
        moving = self._moving(scene.covers, geometry)
        kept: dict[object, tuple[SceneThing, _Read | None]] = {}
        for thing, is_changed in zip(things, changed, strict=True):
            before = self._kept.get(thing.piece)
            if _meets(moving, thing.box):
                # A moving tile is not read: it is what it was, or not there yet.
                if before is not None:
                    kept[thing.piece] = before
            elif before is None or is_changed:
                kept[thing.piece] = thing, self._say(thing, rates, spoiled)
            else:
                kept[thing.piece] = thing, before[1]
        there = {thing.piece for thing in things}
        for piece, before in self._kept.items():
            if piece not in there and _meets(moving, before[0].box):
                kept[piece] = before
        if everything or changed.any():
            self._ghosts = tuple(self._haunt(rates, things, scene.covers))
        self._kept = kept
        if len(self._stuck) > 4096:
            self._stuck.clear()
        said = [*(read for _, read in kept.values() if read is not None), *self._ghosts]
        boxes = np.array([box for box, _ in said], np.float32).reshape(-1, 4)
        readings = box_readings(lens.size_wh, boxes, [name for _, name in said])
        self._latest = what, scene, readings
        return readings

    def _moving(self, covers: tuple[Cover, ...], geometry: Geometry) -> NDArray[np.bool_] | None:
        """Where in the reduced picture a cover came, went or moved; None: nowhere."""
        before, self._covers = self._covers, covers
        if covers == before:
            return None
        return geometry.covered(set(covers) ^ set(before), MOTION_PX)

    def _changed(self, things: tuple[SceneThing, ...]) -> NDArray[np.bool_]:
        """(n,) whether what is seen of a thing, or right beside it, is not what it was."""
        now = {thing.piece: thing for thing in things}
        differs = [
            other.box
            for piece, (other, _) in self._kept.items()
            if piece not in now or abs(now[piece].visible - other.visible) > 0.02
        ]
        differs += [thing.box for piece, thing in now.items() if piece not in self._kept]
        boxes = np.array([thing.box for thing in things]).reshape(-1, 1, 4)
        grown = (CROP_MARGIN - 1) / 2 * (boxes[..., 2:] - boxes[..., :2])
        other = np.array(differs).reshape(-1, 4)
        meet = (boxes[..., :2] - grown < other[:, 2:]) & (boxes[..., 2:] + grown > other[:, :2])
        return np.asarray(meet.all(axis=2).any(axis=1), np.bool_)

    def _say(self, thing: SceneThing, rates: Rates, spoiled: str) -> _Read | None:
        """One reading of one thing; None where nothing was noticed."""
        kind = kind_of(thing.label, thing.visible, thing.covered)
        outcomes = outcomes_of(rates, thing.label, kind)
        # A blur's reading is over with the blur: only alike pictures err alike.
        key = thing.piece, kind, spoiled
        stuck = rates.stuck.get(group_of(thing.label), 1.0)
        if key in self._stuck:
            way = self._stuck[key]
        else:
            way = self._draw(outcomes)
            stays = way is not None and self._rng.random() < stuck
            # A tile that reads well in its place mostly goes on so, whatever else happens: only the
            # share of errors that does not stay comes and goes.
            self._stuck[key] = way if stays else True
        if way is True:
            way = self._draw(outcomes, thin=1 - stuck)
        if isinstance(way, Way):
            return (self._box(thing, rates), _name_of(way, thing.label)) if way.label else None
        if thing.label == STANDING:
            return None
        return self._box(thing, rates), self._right(thing.label, rates, outcomes)

    def _draw(self, outcomes: Outcomes, thin: float = 1.0) -> Way | None:
        """A way to err as often as measured; None: it is right."""
        at = self._rng.random() * max(outcomes.seen, 1)
        for way in outcomes.ways:
            at -= way.count * thin
            if at < 0:
                return way
        return None

    def _right(self, label: str, rates: Rates, outcomes: Outcomes) -> Name:
        """What it leaves is for the faces that such a one is taken for, as the reader says it."""
        steps = len(rates.confidences)
        at = self._rng.random() * (steps - 1)
        confidence = float(np.interp(at, range(steps), rates.confidences))
        alike = [
            name
            for way in outcomes.ways
            for name, _ in way.candidates
            for _ in range(way.count)
            if name not in ("=", label)
        ]
        strange = self._rng.sample([each for each in PLAIN_LABELS if each != label], k=2)
        taken = self._rng.choices(alike, k=2) if alike else ()
        others = dict.fromkeys([*taken, *_beside(label), *strange])
        rest = [
            Candidate(name, (1 - confidence) * share)
            for name, share in zip(others, SECOND_SHARES, strict=False)
        ]
        return Name(label, confidence, (Candidate(label, confidence), *rest))

    def _box(self, thing: SceneThing, rates: Rates) -> Box:
        x0, y0, x1, y1 = thing.box
        width, height = x1 - x0, y1 - y0
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        errors = zip(rates.box_mean, rates.box_spread, strict=True)
        dx, dy, w, h = (self._rng.gauss(mean, spread) for mean, spread in errors)
        size = self._camera.size_wh
        x += dx * width * (1 if x > size[0] / 2 else -1)
        y += dy * height * (1 if y > size[1] / 2 else -1)
        width, height = width * max(w, 0.3), height * max(h, 0.3)
        return (x - width / 2, y - height / 2, x + width / 2, y + height / 2)

    def _haunt(
        self, rates: Rates, things: tuple[SceneThing, ...], covers: tuple[Cover, ...]
    ) -> list[_Read]:
        """Things read where nothing is, each as often as it was, or a second time upon a thing."""
        found: list[_Read] = []
        for ghost in rates.ghosts:
            if ghost.at_cover and not covers:
                continue
            pictures = rates.covered if ghost.at_cover else rates.pictures - rates.covered
            if self._rng.random() * pictures >= ghost.count:
                continue
            x0, y0, x1, y1 = ghost.box_mm
            points = self._calibration.to_picture(np.array([[x0, y0], [x1, y1]], np.float32))
            (x0, y0), (x1, y1) = points.min(axis=0).tolist(), points.max(axis=0).tolist()
            x, y = (x0 + x1) / 2, (y0 + y1) / 2
            if ghost.upon:
                # Not just there, perhaps, but upon the nearest of its kind: in its middle half.
                shifts = [
                    (
                        min(max(x, a + (c - a) / 4), c - (c - a) / 4) - x,
                        min(max(y, b + (d - b) / 4), d - (d - b) / 4) - y,
                    )
                    for a, b, c, d in (t.box for t in things if group_of(t.label) == ghost.upon)
                ]
                right, down = min(shifts, key=lambda by: hypot(*by), default=(np.inf, np.inf))
                if hypot(right, down) > NEAR_SIDES * max(x1 - x0, y1 - y0):
                    continue
                x0, y0, x1, y1 = x0 + right, y0 + down, x1 + right, y1 + down
            elif ghost.at_cover:
                place = self._rng.choice(self._rng.choice(covers).polygon_mm)
                right, down = self._camera.project(*place)
                x0, y0, x1, y1 = x0 - x + right, y0 - y + down, x1 - x + right, y1 - y + down
            elif any(b[0] < x < b[2] and b[1] < y < b[3] for b in (thing.box for thing in things)):
                continue
            found.append(((x0, y0, x1, y1), _name_of(ghost, "")))
        return found


def _meets(mask: NDArray[np.bool_] | None, box: Box) -> bool:
    """Whether a box of the picture has a part in a reduced mask."""
    if mask is None:
        return False
    left, top, right, bottom = (max(0, round(side / REDUCED)) for side in box)
    return bool(mask[top : bottom + 1, left : right + 1].any())


def _beside(label: str) -> list[str]:
    """The faces before and after it, for which a suit's tile is taken that errs in no other way."""
    number, suit = label[:1], label[1:]
    if suit not in ("m", "p", "s"):
        return []
    return [f"{each}{suit}" for each in (int(number) + 2, int(number) - 2) if 0 < each < 10]


def _name_of(way: Way | Ghost, truth: str) -> Name:
    candidates = tuple(
        Candidate(truth if label == "=" else label, confidence)
        for label, confidence in way.candidates
        if label != "=" or truth
    )
    confidence = candidates[0].confidence if candidates else UNMEASURED_SHARE
    return Name(way.label, confidence, candidates)
