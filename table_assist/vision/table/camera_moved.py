"""Whether the camera still sees the table as it did when it was calibrated.

Corners of whatever stands still (the rim, the floor, the machine's lids) are followed from the
reference picture to the present one. Tiles change and people move, each in a way of its own; only a
motion that most of the corners share is the camera's.
"""

from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from table_assist.languages.words import NOTHING, Words
from table_assist.vision.pictures.picture import COARSE_PX, Array, Image, Mask
from table_assist.vision.table.calibration import Calibration

COMPARED_SIDE = 800  # px of the longer side at which pictures are compared
MOST_CORNERS = 220
LEAST_CORNERS = 12  # fewer say nothing
RIM_MM = 62.0  # beyond the table's side there is a rim, and nobody's tiles
OFF_PX = 2.0  # compared px by which a corner may miss the common motion
BACK_PX = 1.0  # and by which following it there and back may miss
CORNER_STILL_MM = 8.0  # a table's corner may be off by so much: a third of a tile
STILL_SHARE = 0.35  # of the corners stand where they stood: nothing moved
FOUND_SHARE = 0.3  # of the corners must be found again at all
COMPARED_EVERY_S = 0.5  # between two comparisons
LASTING_S = 1.0  # what passes sooner was an arm or a shake; it is told within two seconds
MOST_REFIT_MM = 90.0  # farther, seat and zones are better looked at by a person
AGREE_MM = 4.0  # between the corners of two comparisons, for a camera that has come to rest
CORNERS_SPREAD = 0.3  # of the picture that agreeing corners must span, both ways


class CameraStand(StrEnum):
    """How the camera stands."""

    STILL = "still"
    MOVED = "moved"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class CameraMotion:
    """How the picture differs from the reference.

    Attributes:
        shift_mm: the farthest that a corner of the table moved; 0 where it is not known.
        turn_deg: counter-clockwise in the picture.
        corners_px: where the table's corners are now, when the camera has moved.
        share: of the followed corners that agree.
    """

    stand: CameraStand
    shift_mm: float = 0.0
    turn_deg: float = 0.0
    corners_px: tuple[tuple[float, float], ...] = ()
    share: float = 0.0


@dataclass(frozen=True, slots=True)
class Reference:
    """The picture's looks when the table was calibrated.

    Attributes:
        grey: reduced, its light evened out.
        points: (n, 2) corners to follow, in its pixels.
        size_wh: the picture's own size.
    """

    grey: Image
    points: Array
    size_wh: tuple[int, int]
    calibration: Calibration


def reference_of(image: Image, calibration: Calibration) -> Reference:
    """Remember a picture (h, w, 3) BGR in which the table has these corners."""
    return reference_from(reduced(image), (image.shape[1], image.shape[0]), calibration)


def reference_from(grey: Image, size_wh: tuple[int, int], calibration: Calibration) -> Reference:
    """Remember a picture that was reduced before."""
    even = _evened(grey)
    scale = grey.shape[1] / size_wh[0]
    # A mask of all but the cloth, on which everything changes
    mask = np.full(grey.shape[:2], 255, np.uint8)
    corners = np.array(calibration.corners_px) * scale
    cv2.fillConvexPoly(mask, np.round(corners).astype(np.int32), 0)
    keep = max(3, round(RIM_MM / 4 * calibration.px_per_mm * scale))
    outside = _corners_in(
        even, np.asarray(cv2.dilate(mask, np.ones((keep, keep), np.uint8)), np.uint8)
    )
    if len(outside) < 2 * LEAST_CORNERS:
        outside = _corners_in(even, np.full(grey.shape[:2], 255, np.uint8))
    return Reference(even, outside, size_wh, calibration)


def reduced(image: Image) -> Image:
    """A picture as it is compared and kept: grey and small."""
    height, width = image.shape[:2]
    scale = min(1.0, COMPARED_SIDE / max(width, height))
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    while max(grey.shape) >= 2 * COMPARED_SIDE:  # by halves first: that takes a third of the time
        half = grey.shape[1] // 2, grey.shape[0] // 2
        grey = cv2.resize(grey, half, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8)


def motion(reference: Reference, image: Image) -> CameraMotion:
    """How the camera stands now; unknown where too little is seen again."""
    if (image.shape[1], image.shape[0]) != reference.size_wh:
        return CameraMotion(CameraStand.UNKNOWN)
    before = reference.points
    if len(before) < LEAST_CORNERS:
        return CameraMotion(CameraStand.UNKNOWN)
    seen = _evened(reduced(image))
    scale = reference.grey.shape[1] / reference.size_wh[0]
    still_px = max(1.0, CORNER_STILL_MM * reference.calibration.px_per_mm * scale)
    # Each corner is followed by itself: where half of them suffice, all of them would.
    for every in (2, 1):
        followed = np.ascontiguousarray(before[::every])
        now, found = _followed(reference.grey, seen, followed)
        still = found & (np.linalg.norm(now - followed, axis=1) < still_px)
        if _stands(reference, followed[still]):
            return CameraMotion(CameraStand.STILL, share=float(still.mean()))
    return _moved(reference, now, found, scale)


def _stands(reference: Reference, still: Array) -> bool:
    """Whether enough of the corners stand where they stood, those that do being (n, 2)."""
    if len(still) < max(LEAST_CORNERS, STILL_SHARE * len(reference.points)):
        return False
    # Corners at one side of the picture alone cannot tell a turn, but they can stand still.
    return _spans(still, reference.grey) or not _spans(reference.points, reference.grey)


def _moved(reference: Reference, now: Array, found: Mask, scale: float) -> CameraMotion:
    """The motion that most corners share, for corners that do not stand."""
    before = reference.points
    if found.sum() < max(LEAST_CORNERS, FOUND_SHARE * len(before)):
        return CameraMotion(CameraStand.UNKNOWN)
    matrix, agreeing = cv2.estimateAffinePartial2D(
        before[found], now[found], method=cv2.RANSAC, ransacReprojThreshold=OFF_PX
    )
    if not np.size(matrix) or not np.isfinite(np.asarray(matrix, np.float64)).all():
        return CameraMotion(CameraStand.UNKNOWN)
    agree = agreeing.ravel() > 0
    share = float(agree.mean())
    if (
        share < 0.5
        or agree.sum() < LEAST_CORNERS
        or not _spans(before[found][agree], reference.grey)
    ):
        return CameraMotion(CameraStand.UNKNOWN, share=share)
    return _told(np.asarray(matrix, np.float64), reference, scale, share)


class MoveWatch:
    """Compares a camera's pictures with the reference now and then. Used by one thread.

    Attributes:
        latest: the newest comparison.
        is_lasting: whether that has been so for long enough to be no arm and no shake.
        is_certain: whether the table's new corners may be used: two comparisons agree.
    """

    def __init__(self, reference: Reference) -> None:
        self.latest = CameraMotion(CameraStand.STILL)
        self.is_lasting = True
        self.is_certain = False
        self._reference = reference
        self._is_blind = len(reference.points) < LEAST_CORNERS
        self._next_t = -np.inf
        self._since_t = -np.inf

    def update(self, image: Image, t: float) -> None:
        """Take a picture into account, taken at ``t`` seconds."""
        if self._is_blind or self._next_t - COMPARED_EVERY_S <= t < self._next_t:
            return
        self._next_t = t + COMPARED_EVERY_S
        before, self.latest = self.latest, motion(self._reference, image)
        if self.latest.stand is not before.stand:
            self._since_t = t
        self.is_lasting = self.latest.stand is CameraStand.STILL or t - self._since_t >= LASTING_S
        self.is_certain = (
            self.is_lasting
            and self.latest.stand is CameraStand.MOVED
            and self.latest.shift_mm <= MOST_REFIT_MM
            and self.latest.stand is before.stand
            and np.linalg.norm(np.subtract(before.corners_px, self.latest.corners_px), axis=1).max()
            < AGREE_MM * self._reference.calibration.px_per_mm
        )

    @property
    def has_looked(self) -> bool:
        """Whether any picture was compared yet, or none can be."""
        return self._is_blind or self._next_t > -np.inf

    @property
    def is_known(self) -> bool:
        """Whether the newest comparison tells where the table lies; never without corners."""
        if self._is_blind:
            return False
        return self.is_certain or (self.latest.stand is CameraStand.STILL and self.is_lasting)

    @property
    def words(self) -> Words:
        """The camera's trouble in one sentence; empty when it stands well, or not yet."""
        if self.latest.stand is CameraStand.STILL or not self.is_lasting:
            return NOTHING
        if self.latest.stand is CameraStand.UNKNOWN:
            return _UNKNOWN
        shift_mm, turn_deg = round(self.latest.shift_mm), abs(self.latest.turn_deg)
        end = _FITTED if self.is_certain else _TOO_FAR
        return Words(
            "The camera has moved: the table lies {shift_mm} mm and {turn_deg} degrees off; {end}.",
            "摄像头被移动：桌面偏移 {shift_mm} 毫米、{turn_deg} 度；{end}。",
            shift_mm=shift_mm,
            turn_deg=f"{turn_deg:.1f}",
            end=end,
        )


_UNKNOWN = Words(
    "The picture no longer matches the calibrated one: the camera has moved, or something large "
    "covers the table; calibrate again if this stays.",
    "画面与校准时不符：摄像头被移动，或有大件物品遮住牌桌；若一直如此，请重新校准。",
)
_FITTED = Words("its corners were fitted again", "桌角已重新对准")
_TOO_FAR = Words("put it back or calibrate again", "请移回原处或重新校准")


def _told(
    matrix: NDArray[np.float64], reference: Reference, scale: float, share: float
) -> CameraMotion:
    """The common motion in the table's terms."""
    corners = np.array(reference.calibration.corners_px, np.float64)
    moved = (corners * scale) @ matrix[:, :2].T + matrix[:, 2]
    moved /= scale
    px_per_mm = reference.calibration.px_per_mm
    shift_mm = float(np.linalg.norm(moved - corners, axis=1).max() / px_per_mm)
    turn_deg = float(np.degrees(np.arctan2(-matrix[1, 0], matrix[0, 0])))
    if shift_mm < CORNER_STILL_MM:
        return CameraMotion(CameraStand.STILL, shift_mm, turn_deg, share=share)
    places = tuple((float(x), float(y)) for x, y in moved)
    return CameraMotion(CameraStand.MOVED, shift_mm, turn_deg, places, share)


def _evened(grey: Image) -> Image:
    """Light taken out: what differs from its surroundings, by how much things differ there."""
    value = np.asarray(grey.astype(np.float32), np.float32)
    detail = np.asarray(value - _smoothed(value, 8.0), np.float32)
    spread = _smoothed(np.abs(detail), 16.0) + 4.0
    return np.asarray(np.clip(128 + 36 * detail / spread, 0, 255), np.uint8)


def _smoothed(value: Array, sigma: float) -> Array:
    """Blurred as by a Gaussian, at a quarter of the scale: that takes a tenth of the time."""
    height, width = value.shape
    size = max(1, width // COARSE_PX), max(1, height // COARSE_PX)
    small = cv2.resize(value, size, interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), sigma / COARSE_PX)
    return np.asarray(
        cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), np.float32
    )


def _corners_in(even: Image, mask: Image) -> Array:
    border = 4
    mask = mask.copy()
    mask[:border] = mask[-border:] = mask[:, :border] = mask[:, -border:] = 0
    found = cv2.goodFeaturesToTrack(even, MOST_CORNERS, 0.02, 9, mask=mask, blockSize=5)
    # None where there is no corner at all, whatever the library's annotation says.
    corners: list[Array] = [np.asarray(found, np.float32)] * (np.size(found) > 1)
    return np.concatenate([c.reshape(-1, 2) for c in corners] or [np.empty((0, 2), np.float32)])


def _followed(reference: Image, now: Image, points: Array) -> tuple[Array, Mask]:
    """Where the points are now, and which were found; following them back must end at the start."""
    start = points.reshape(-1, 1, 2)
    there, seen = _flow(reference, now, start)
    back, seen_back = _flow(now, reference, there)
    missed = np.linalg.norm((back - start).reshape(-1, 2), axis=1)
    found = seen & seen_back & (missed < BACK_PX)
    return there.reshape(-1, 2), np.asarray(found, np.bool_)


def _flow(one: Image, other: Image, points: Array) -> tuple[Array, Mask]:
    there, seen, _ = cv2.calcOpticalFlowPyrLK(
        one, other, points, points.copy(), winSize=(21, 21), maxLevel=4
    )
    return np.asarray(there, np.float32), np.asarray(seen, np.uint8).ravel() > 0


def _spans(points: Array, grey: Image) -> bool:
    height, width = grey.shape[:2]
    if not len(points):
        return False
    across, down = np.ptp(points, axis=0)
    return bool(across > CORNERS_SPREAD * width and down > CORNERS_SPREAD * height)
