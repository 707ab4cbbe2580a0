"""From one picture after the other to steady observations of the table."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from table_assist.languages.words import NOTHING, Words
from table_assist.vision.pictures.channels import darkest
from table_assist.vision.pictures.motion import Box
from table_assist.vision.pictures.picture import Array, Image, Mask
from table_assist.vision.reading.limits import FEWEST, Limits, Usual
from table_assist.vision.reading.readings import Readings, tile_of
from table_assist.vision.reading.recognise import CLIPPED, UNKNOWN, WHITE_DRAGON
from table_assist.vision.reading.why import WhyDoubtful
from table_assist.vision.table.attention import NOTHING_DECISIVE, Attention
from table_assist.vision.table.back_filter import BackFilter
from table_assist.vision.table.bare_table import BarePlace, BareTable
from table_assist.vision.table.calibration import (
    Calibration,
    CalibrationError,
    KeptCalibration,
    parse_corners,
)
from table_assist.vision.table.camera_moved import (
    CameraStand,
    MoveWatch,
    reference_from,
    reference_of,
)
from table_assist.vision.table.dice import DiceTray, SeenDie
from table_assist.vision.table.lessons import TableLessons
from table_assist.vision.table.observation import Observation, SeenTile, apart_mm, observe
from table_assist.vision.table.occlusion import TableView
from table_assist.vision.table.quality import QualityWatch
from table_assist.vision.table.tile_size import TILE_MM, TileSize
from table_assist.vision.table.tile_tracker import SAME_PLACE_MM, TileTracker
from table_assist.vision.table.unseen import WhyUnseen
from table_assist.vision.table.viewpoint import Viewpoint, viewpoint
from table_assist.vision.table.well import Well
from table_assist.vision.table.zone_views import small_tiles, zone_polygons
from table_assist.vision.table.zones import LYING, Layout, Zone, ZoneKind

# Whether all tiles lie elsewhere at once: then the table was bumped, or the camera.

LEAST_PUSHED = 6  # face up: fewer may be pushed by a hand
FARTHEST_MM = 60.0
OFF_MM = 5.0  # by which a tile may miss the common motion
MOVED_TOGETHER = 0.6  # of the tiles are where they were no more, and share one motion: the table's


@dataclass(frozen=True, slots=True)
class Pushed:
    """How the tiles lie beside how they lay.

    Attributes:
        transform: (2, 3) from where the tiles lay to where they lie, in mm; None for none.
        is_amiss: most of them are not where they were, and no common motion explains it.
    """

    transform: NDArray[np.float64] | None = None
    is_amiss: bool = False

    def refit(self, calibration: Calibration) -> Calibration:
        """The calibration by which every tile lies where it lay."""
        assert self.transform is not None
        moved = calibration.corners_mm @ self.transform[:, :2].T + self.transform[:, 2]
        corners = calibration.to_picture(moved.astype(np.float32))
        return Calibration(parse_corners(corners.tolist()), calibration.side_mm)


def pushed_together(before: Sequence[SeenTile], now: Sequence[SeenTile]) -> Pushed:
    """Compare the tiles that are followed with those that are seen."""
    were = [tile for tile in before if tile.tile.is_face]
    are = [tile for tile in now if tile.tile.is_face]
    if min(len(were), len(are)) < LEAST_PUSHED:
        return Pushed()
    were_at, are_at = (np.array([(tile.x_mm, tile.y_mm) for tile in each]) for each in (were, are))
    away = np.hypot(*np.moveaxis(were_at[:, None] - are_at, 2, 0))
    there = np.count_nonzero(away.min(axis=1) <= SAME_PLACE_MM)
    if there > (1 - MOVED_TOGETHER) * len(were):
        return Pushed()
    pairs = [
        (old, new)
        for old in were
        for new in are
        if new.tile is old.tile and apart_mm(old, new) <= FARTHEST_MM
    ]
    if len(pairs) < LEAST_PUSHED:
        return Pushed(is_amiss=True)
    start = np.array([(old.x_mm, old.y_mm) for old, _ in pairs], np.float32)
    end = np.array([(new.x_mm, new.y_mm) for _, new in pairs], np.float32)
    matrix, agreeing = cv2.estimateAffinePartial2D(
        start, end, method=cv2.RANSAC, ransacReprojThreshold=OFF_MM, maxIters=500
    )
    if not np.size(matrix):
        return Pushed(is_amiss=True)
    share = len({pairs[i][0].id for i in np.flatnonzero(agreeing)}) / len(were)
    transform = np.asarray(matrix, np.float64)
    scale = float(np.hypot(transform[0, 0], transform[1, 0]))
    if share < MOVED_TOGETHER or abs(scale - 1) > 0.03:
        return Pushed(is_amiss=True)
    return Pushed(transform)


# Whether a followed table is like the pictures that the reader's limits were fitted on.

NEW_LASTS_S = 20.0  # what is new is hardly sure for a second or two: more pictures of it follow


class Likeness:
    """Takes in what is steady on a table; says once, and while it lasts, that it is unlike.

    Attributes:
        words: what people can do about it, with the figure; nothing where all is well.
    """

    def __init__(self, usual: Usual | None) -> None:
        self.words = NOTHING
        self._usual = usual
        self._since_t: float | None = None

    def update(self, seen: Observation) -> None:
        """Take in a steady observation."""
        usual = self._usual
        if usual is None:
            return
        sure = [tile.confidence for tile in seen.tiles if _tells(tile)]
        if not usual.is_unlike(sure):
            self._since_t, self.words = None, NOTHING
            return
        if self._since_t is None or seen.t < self._since_t:  # clocks are set back
            self._since_t = seen.t
        if seen.t - self._since_t >= NEW_LASTS_S and not self.words:
            self.words = _words(usual.hardly_sure(sure), len(sure))


def _tells(tile: SeenTile) -> bool:
    is_face = bool(tile.candidates) and tile.candidates[0][0].is_face
    is_whole = tile.why in (None, WhyDoubtful.FACE) and tile.is_clear and tile.age_s == 0
    return is_face and is_whole and tile.zone.kind in LYING


def _words(hardly_sure: int, faces: int) -> Words:
    return Words(
        "{hardly_sure} of {faces} faces are read less surely than usual: learn this tile set "
        "with three photographs (enrol), or look at the light.",
        "{faces} 张牌中有 {hardly_sure} 张认得不如平常有把握：请用三张照片录入这副牌（enrol"
        "），或检查光线。",
        hardly_sure=hardly_sure,
        faces=faces,
    )


# Faces in which a lamp is mirrored: what it wipes out nobody can tell, however sure a name is.
#
# A 5p of which a white patch hides two circles is a fine 3p, and a face that is all white is a fine
# white dragon. Where light is plain white on one tile, and the rest of it and the other tiles are
# well exposed, it is such a patch; where all of a tile is nearly white, the lamp is only too near.
# What could not be read there may be any face, too, and no rather a back than another.

# Of a face's box: one patch so large, where the brighter part of the rest is darker than this; or
# whatever the rest, where the face is said to be plain.
PATCH, DARKER_THAN, PLAIN_PATCH = 0.12, 238, 0.2
UNREAD_PATCH = 0.3  # of a box that was not read: a smaller patch may be mirrored beside a tile
WELL_EXPOSED = 0.01  # of the median face's box is plain white
IVORY_PERCENTILE = 80


def without_glared(readings: Readings, image: Image) -> Readings:
    """The readings with a "?" for each face that a lamp wipes out; the very same without such.

    Args:
        image: (h, w, 3) BGR, in which they were read.
    """
    faces = [
        index
        for index, label in enumerate(readings.labels)
        if label != UNKNOWN and (tile := tile_of(label)) is not None and tile.is_face
    ]
    if len(faces) < FEWEST:
        return readings
    parts = [_part(image, readings.polygons[index]) for index in faces]
    white = [float((part >= CLIPPED).mean()) for part in parts]
    if np.median(white) >= WELL_EXPOSED:
        return readings
    glared = {
        index
        for index, part, share in zip(faces, parts, white, strict=True)
        if share >= PATCH and _is_wiped_out(part, readings.labels[index])
    }
    glared |= {
        index
        for index, label in enumerate(readings.labels)
        if label == UNKNOWN
        and readings.candidates[index]
        and (_part(image, readings.polygons[index]) >= CLIPPED).mean() >= UNREAD_PATCH
    }
    if not glared:
        return readings
    labels = tuple(UNKNOWN if i in glared else name for i, name in enumerate(readings.labels))
    likely = tuple(() if i in glared else each for i, each in enumerate(readings.candidates))
    return replace(readings, labels=labels, candidates=likely)


def _part(image: Image, polygon: Array) -> NDArray[np.uint8]:
    """(h, w) the darkest channel of what lies in the box."""
    left, top = np.floor(polygon.min(axis=0)).astype(int).clip(0).tolist()
    right, bottom = np.ceil(polygon.max(axis=0)).astype(int).clip(1).tolist()
    part = darkest(image[top:bottom, left:right])
    return part if part.size else np.zeros((1, 1), np.uint8)


def _is_wiped_out(part: NDArray[np.uint8], label: str) -> bool:
    plain = part >= CLIPPED
    _, _, stats, _ = cv2.connectedComponentsWithStats(plain.astype(np.uint8))
    patch = stats[1:, cv2.CC_STAT_AREA].max() / plain.size
    if label == WHITE_DRAGON and patch >= PLAIN_PATCH:
        return True
    rest = part[~plain]
    is_exposed = rest.size > 0 and np.percentile(rest, IVORY_PERCENTILE) < DARKER_THAN
    return bool(patch >= PATCH and is_exposed)


BUSY_AFTER_S = 1.0  # after the last change: what comes next is not to be missed
# So often is read afresh what is decisive now, and what cannot be seen: a person's patience.
AFRESH_S, LOOK_PATIENCE_S = 1.5, 4.0
# So often a picture is kept while nothing is dealt.
BARE_S = 2.0
# When nearly all tiles lie elsewhere at once, the camera's motion is noticed so much later at most.
AMISS_S = 1.5


class Eyes(Protocol):
    """The eyes that name the things in a camera's pictures."""

    @property
    def unread(self) -> Mask:
        """Blocks, as `motion.watch` has them, in which something moves and was not read."""

    @property
    def healed(self) -> int:
        """Things that a second look saw otherwise than they were remembered."""

    def read(self, image: Image, t: float) -> Readings:
        """The readings of a picture (h, w, 3) BGR at ``t``; the same value where nothing is new."""

    def read_afresh(self, area: Box) -> None:
        """Look at a part of the picture, left, top, right, bottom, again with the next one."""

    def expect(self, tile_px: float) -> None:
        """Tiles are about so wide in the pictures."""


class Watcher:
    """Follows one camera. Used by one thread.

    Args:
        eyes: name what lies in a picture of the table.
        limits: by which a face counts as read.
        kept: the calibration as it was kept, by whose picture a moved camera is noticed; without
            one, by the first picture.
        known_mm: how wide a tile of the set is known to be; None: nobody knows.
        well: what reads the dice where they lie under glass in the middle.
        lessons: what learns this table's set from what is on record; None: nothing does.

    Attributes:
        trouble: one sentence when it is not known where the table is now; else empty.
        note: one sentence when the camera was moved and the corners were fitted again, or when the
            pictures are poor.
        words: whichever of both there is, in both languages.
        is_busy: something moves or has just changed: every picture counts.
    """

    def __init__(
        self,
        eyes: Eyes,
        calibration: Calibration,
        layout: Layout,
        *,
        limits: Limits,
        kept: KeptCalibration | None = None,
        known_mm: float | None = None,
        well: Well | None = None,
        lessons: TableLessons | None = None,
    ) -> None:
        self.trouble = self.note = ""
        self.words = NOTHING
        self.is_busy = True
        self.eyes = eyes  # that name the things in the pictures
        self._calibration = calibration
        self._layout = layout
        self._steady = TileTracker(limits)
        self._tray, self._well, self.lessons = DiceTray(), well, lessons
        self._view = TableView(layout)
        self._quality = QualityWatch()
        self._likeness = Likeness(limits.usual)
        self._bare, self._ghosts = BareTable(), BackFilter()
        self._bare_t = -np.inf
        self._prints = np.empty((0, 4, 2), np.float32)  # what was read and is the cloth
        self._kept = kept
        self._moves: MoveWatch | None = None
        self._where: Calibration | None = calibration
        self._bumped: Calibration | None = None  # where the tiles say the table is now
        self._amiss_t: float | None = None
        self._changed_t = -np.inf
        self._told: tuple[Readings, Readings] | None = None
        self._seen: tuple[Readings, Calibration, Observation] | None = None
        self._latest = Observation(0.0, ())
        self.above: Viewpoint | None = None  # where the camera is over the table
        self._attention = NOTHING_DECISIVE
        self._fitted = layout
        self._outlines = zone_polygons(layout)
        self._size = TileSize(known_mm)
        self._small = NOTHING
        self._afresh_t: dict[Zone, float] = {}

    @property
    def healed(self) -> int:
        """Things that a second look saw otherwise than they were remembered: 0 on a good day."""
        return self.eyes.healed

    @property
    def tile_mm(self) -> float:
        """How wide a tile is taken to be, on a table of 800."""
        return self._size.mm

    @property
    def calibration(self) -> Calibration | None:
        """Where the table was in the last picture; None while that is not certain."""
        return self._where

    @property
    def certain_calibration(self) -> Calibration | None:
        """As `calibration`; None also where nothing tells that the table still lies there.

        Play is followed by the last known place; what is secret is not shown by it.
        """
        return self._where if self._moves is not None and self._moves.is_known else None

    def attend(self, attention: Attention) -> None:
        """Something decisive lies or is about to be laid there: memory counts for nothing."""
        self._attention = attention

    def look(self, image: Image, t: float) -> Observation:
        """The steady things on the table after this picture, taken at `t`.

        Raises:
            CalibrationError: the picture is not of the size that was calibrated on.
        """
        self.tend(image, t)
        return self.see(image, t)

    def tend(self, image: Image, t: float) -> None:
        """Look now and then whether the camera was moved: nothing that anybody waits for.

        Raises:
            CalibrationError: as `look`.
        """
        self._watch_moves(image).update(image, t)

    def see(self, image: Image, t: float) -> Observation:
        """As `look`, for who tends to the camera afterwards: the next picture knows of it.

        Raises:
            CalibrationError: as `look`.
        """
        if not self._watch_moves(image).has_looked:
            self.tend(image, t)  # before that, nothing tells where the table lies
        self._where = calibration = self._where_it_is(image)
        if calibration is None:
            return self.blind(WhyUnseen.MOVED, t)
        size_wh = image.shape[1], image.shape[0]
        self._calibration.check_inside(size_wh)  # a moved camera's corners may be cut off
        self.above = viewpoint(calibration, size_wh)
        window, shifted = calibration.shown(image)
        # Have what is decisive read whole, and what has not been seen for long
        hidden = {
            gone.zone for gone in self._view.unavailable if t - gone.since_t >= LOOK_PATIENCE_S
        }
        due = self._attention.wanted | hidden
        self._afresh_t = {zone: seen_t for zone, seen_t in self._afresh_t.items() if zone in due}
        for zone in due:
            every = AFRESH_S if zone in self._attention.wanted else LOOK_PATIENCE_S
            if not 0 <= t - self._afresh_t.get(zone, -np.inf) < every:
                self._afresh_t[zone] = t
                outline = shifted.to_picture(np.array(self._outlines[zone], np.float32))
                low, high = np.floor(outline.min(axis=0)), np.ceil(outline.max(axis=0))
                left, top, right, bottom = (int(value) for value in (*low, *high))
                self.eyes.read_afresh((left, top, right, bottom))
        readings = self._read(window, shifted, t)
        seen = self._observed(readings, shifted, t)
        pushed = Pushed()
        if self._changed_t == t:
            pushed = pushed_together(self._steady.followed, seen.tiles)
        if pushed.transform is not None:
            shifted = pushed.refit(shifted)
            self._where = self._bumped = pushed.refit(calibration)
            seen = self._observed(readings, shifted, t)
        elif pushed.is_amiss and self._is_first(t):
            return self.blind(WhyUnseen.MOVED, t)
        self._look_at_the_rest(window, shifted, readings, t)
        if self.lessons and not self.is_busy:
            self.lessons.take(window, readings, shifted, self._attention.recorded, self._size.mm)
        dice = self._well.read_dice(window, shifted) if self._well else seen.seen_dice
        return self._settle(seen, dice, t)

    def _read(self, window: Image, calibration: Calibration, t: float) -> Readings:
        """The readings there; the very same value where nothing is new."""
        readings = self.eyes.read(window, t)
        if self._told is None or self._told[0] is not readings:
            cloth, times = self._view.cloth, self._size.mm / TILE_MM
            place = BarePlace(self._fitted, self.above, times)
            real = self._bare.without_print(readings, window, calibration, cloth, place)
            real = self._ghosts.without(real, window, cloth)
            lie = {outline.tobytes() for outline in real.polygons}
            self._prints = np.array(
                [each for each in readings.polygons if each.tobytes() not in lie], np.float32
            ).reshape(-1, 4, 2)
            self._told = readings, without_glared(real, window)
        return self._told[1]

    def _observed(self, readings: Readings, calibration: Calibration, t: float) -> Observation:
        """The readings placed on the table; computed anew only where something is new."""
        known = self._seen
        if known is not None and known[0] is readings and known[1] == calibration:
            return replace(known[2], t=t)
        self._changed_t = t
        seen = self._placed(readings, calibration, t)
        if self._size.update(seen.measured_mm):
            # The tiles are of another size than was thought
            self._fitted = self._layout.fitted(self._size.mm)
            self._view.fit(self._fitted, self._size.mm / TILE_MM)
            self._outlines = zone_polygons(self._fitted)
            tile_px = self._calibration.px_per_mm * self._size.mm
            self._small = small_tiles(tile_px)
            self.eyes.expect(tile_px)
            seen = self._placed(readings, calibration, t)
        self._seen = readings, calibration, seen
        return seen

    def _placed(self, readings: Readings, calibration: Calibration, t: float) -> Observation:
        size = self._size
        return observe(
            readings,
            calibration,
            self._fitted,
            t,
            self.above,
            tile_mm=size.mm,
            is_size_known=size.is_known,
        )

    def _is_first(self, t: float) -> bool:
        """Whether it has not been amiss for so long that it is simply so."""
        if self._amiss_t is None or not 0 <= t - self._amiss_t < 2 * AMISS_S:
            self._amiss_t = t
        return t - self._amiss_t < AMISS_S

    def _look_at_the_rest(
        self, window: Image, calibration: Calibration, readings: Readings, t: float
    ) -> None:
        moving = self.eyes.unread
        is_new = self._changed_t == t or moving.any()
        if is_new or self.is_busy:
            self._view.update(
                window,
                calibration,
                readings.polygons,
                moving,
                self._latest.tiles,
                t,
                self._attention,
                self._prints,
            )
        self.is_busy = bool(is_new or t - self._changed_t < BUSY_AFTER_S)
        # Remember how the table looks while nobody has a tile
        is_calm = not moving.any()
        if self._attention.is_undealt and is_calm and not 0 <= t - self._bare_t < BARE_S:
            self._bare_t = t
            if self._told is not None:
                self._bare.keep(window, calibration, self._view.cloth, self._told[0])
            self._ghosts.forget_the_set()
            self._told = None  # what was read counts anew
        self._quality.update(window, readings, self._view.cast, t)
        quality = self._quality.latest
        if not self.words.en:
            self.words = quality.words or self._size.words or self._small or self._likeness.words
            self.note = self.words.en
        if not quality.is_readable:
            self._view.hide_all(WhyUnseen.UNSURE, t)

    def _settle(self, seen: Observation, dice: tuple[SeenDie, ...] | None, t: float) -> Observation:
        """The steady view of what is seen; dice None: they move."""
        if self._well:  # nothing but dice lies in it, whatever a reflection looks like
            open_tiles = (tile for tile in seen.tiles if tile.zone.kind is not ZoneKind.DICE)
            seen = replace(seen, tiles=tuple(open_tiles))
        if not self._quality.latest.is_readable:
            seen, dice = replace(seen, tiles=()), ()
        seen = replace(seen, seen_dice=dice or ())
        steady = self._steady.update(seen, self._view.hides, self._view.crowds)
        self._likeness.update(steady)
        covered = Zone(ZoneKind.DICE) in {gone.zone for gone in self._view.unavailable}
        tray = self._tray.update(t, seen.seen_dice, covered=covered or dice is None)
        self._latest = replace(
            steady,
            dice=tray.settled,
            unavailable=self._view.unavailable,
            partly_hidden=self._view.partly_hidden,
        )
        return self._latest

    def blind(self, why: WhyUnseen, t: float) -> Observation:
        """The camera sees nothing at `t`: all as it was seen last, and its age."""
        self.is_busy = True
        self._view.hide_all(why, t)
        passed = max(0.0, t - self._latest.t)
        tiles = tuple(replace(tile, age_s=tile.age_s + passed) for tile in self._latest.tiles)
        self._latest = replace(self._latest, t=t, tiles=tiles, unavailable=self._view.unavailable)
        return self._latest

    def _where_it_is(self, image: Image) -> Calibration | None:
        """Where the table is now; None while the camera is on the move.

        A moved camera's tiles would lie in other zones: they are read once it is certain where.
        """
        moves = self._watch_moves(image)
        self.words = moves.words
        self.note = self.words.en if moves.is_certain else ""
        self.trouble = "" if moves.is_certain else self.words.en
        if moves.latest.stand is not CameraStand.MOVED:
            if self._bumped is not None and not self.words.en:
                self.words, self.note = _BUMPED, _BUMPED.en
            return self._bumped or self._calibration
        self._bumped = None
        if not moves.is_certain:
            return None
        return Calibration(parse_corners(moves.latest.corners_px), self._calibration.side_mm)

    def _watch_moves(self, image: Image) -> MoveWatch:
        size_wh = image.shape[1], image.shape[0]
        kept = self._kept
        if kept is not None and kept.size_wh != size_wh:
            raise CalibrationError(
                "the table was calibrated on pictures of {size_wh} x {size_wh_2} px and the "
                "camera gives {size_wh_3} x {size_wh_4} px: calibrate again",
                "校准所用画面为 {size_wh} × {size_wh_2} 像素，摄像头给出 {size_wh_3} × "
                "{size_wh_4} 像素：请重新校准",
                size_wh=kept.size_wh[0],
                size_wh_2=kept.size_wh[1],
                size_wh_3=size_wh[0],
                size_wh_4=size_wh[1],
            )
        if self._moves is None:
            self._moves = MoveWatch(
                reference_of(image, self._calibration)
                if kept is None
                else reference_from(kept.grey, size_wh, self._calibration)
            )
        return self._moves


_BUMPED = Words(
    "The table was bumped: its corners were fitted again by the tiles.",
    "牌桌被碰动：已按牌的位置重新对准桌角。",
)
