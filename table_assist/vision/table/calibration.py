"""From picture points to millimetres on the table, by the table's four corners; keeping them."""

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from table_assist.languages.words import SaidError
from table_assist.vision.pictures.picture import Array, Image, PictureError, decode_picture

Point = tuple[float, float]

# Below this a tile of 26 mm is narrower than the reader was measured on.
LEAST_PX_PER_TILE = 20.0

CALIBRATION_FORMAT = 1  # of the file; another one is refused, not guessed at
OPTIONAL = ("well_mm", "tile_mm")  # in it

MOST_FORESHORTENED = 2.0  # a camera 60 degrees askew; beyond, the corners are wrong

BESIDE_PX = 8  # of the picture are shown around a table
# From so much on a table is shown straight; by so much of its side around it, and so large at most.
SEEN_FLAT, AROUND, MOST_STRAIGHT_PX = 1.6, 0.12, 1500.0

# A corner may be cut off by this share of the picture's shorter side: no tile lies there.
OUTSIDE_AT_MOST = 0.05


class CalibrationError(SaidError, ValueError):
    """The corners do not describe a table; the message says why in one sentence."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """Maps between the picture and the table plane.

    Attributes:
        corners_px: the table's corners in the picture, in the order in which seat 0's left,
            seat 0's right, seat 2's left (that is far right) and seat 2's right see them:
            (-,-), (+,-), (+,+), (-,+) in table axes.
        side_mm: the length of the table's side between these corners.
    """

    corners_px: tuple[Point, Point, Point, Point]
    side_mm: float = 800.0

    @property
    def corners_mm(self) -> NDArray[np.float64]:
        """(4, 2) the corners in table axes."""
        half = self.side_mm / 2
        return np.array([[-half, -half], [half, -half], [half, half], [-half, half]])

    def __post_init__(self) -> None:
        corners = np.array(self.corners_px, np.float32)
        if corners.shape != (4, 2) or not np.isfinite(corners).all():
            raise CalibrationError(
                "a table has four corners (x, y), got {corners_px}",
                "桌子应有四个角 (x, y)，现为 {corners_px}",
                corners_px=self.corners_px,
            )
        if not cv2.isContourConvex(corners.astype(np.int32).reshape(-1, 1, 2)):
            raise CalibrationError(
                "the corners {corners_px} do not go round the table in order",
                "各角 {corners_px} 未按顺序环绕牌桌",
                corners_px=self.corners_px,
            )
        if self.px_per_mm * 26.0 < LEAST_PX_PER_TILE:
            raise CalibrationError(
                "a tile would be {px_per_mm} px wide; at least {least_px_per_tile} px are "
                "needed: move the camera closer",
                "一张牌将只有 {px_per_mm} 像素宽，至少须有 {least_px_per_tile} 像素：请把摄像"
                "头移近",
                px_per_mm=f"{self.px_per_mm * 26.0:.1f}",
                least_px_per_tile=f"{LEAST_PX_PER_TILE:.0f}",
            )

    @property
    def px_per_mm(self) -> float:
        """On the shortest side of the table in the picture, where tiles are smallest."""
        corners = np.array(self.corners_px, np.float32)
        sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
        return float(sides.min() / self.side_mm)

    @property
    def foreshortening(self) -> float:
        """How many times as wide as high a circle in the table's middle looks, 1 to 2."""
        middle, *beside = self.to_picture(np.array([(0, 0), (1, 0), (0, 1)], np.float32))
        wide, high = np.linalg.norm(np.array(beside) - middle, axis=0)
        return float(np.clip(wide / max(high, 1e-6), 1.0, MOST_FORESHORTENED))

    def to_table(self, points_px: Array) -> Array:
        """Map picture points, shape (n, 2), to mm from the centre: x to seat 1, y to seat 2."""
        return _map(self._matrix(), points_px)

    def to_picture(self, points_mm: Array) -> Array:
        """Map table points, shape (n, 2) in mm, to the picture."""
        return _map(np.linalg.inv(self._matrix()).astype(np.float64), points_mm)

    def point(self, x_mm: float, y_mm: float) -> Point:
        """One point of the table, in the picture."""
        u, v = self.to_picture(np.array([[x_mm, y_mm]], np.float32))[0]
        return (float(u), float(v))

    def check_inside(self, size_wh: tuple[int, int]) -> None:
        """Refuse corners that people can hardly have given in a picture of this size.

        Raises:
            CalibrationError: a corner lies well outside: the picture is not the one calibrated on.
        """
        corners = np.array(self.corners_px)
        outside = np.maximum(-corners, corners - np.array(size_wh)).max()
        if outside > OUTSIDE_AT_MOST * min(size_wh):
            raise CalibrationError(
                "the table's corners lie {outside} px outside the camera's picture of "
                "{size_wh} x {size_wh_2} px: give them anew",
                "桌角在摄像头 {size_wh} × {size_wh_2} 像素画面之外 {outside} 像素：请重新标出",
                outside=f"{outside:.0f}",
                size_wh=size_wh[0],
                size_wh_2=size_wh[1],
            )

    def shown(self, image: Image) -> tuple[Image, "Calibration"]:
        """The part of a picture (h, w, 3) that shows the table, and where the table is in it.

        One that is seen flat is shown as from straight above, with what stands at its border:
        faces are read as they lie, not as narrow as they look.
        """
        corners = np.array(self.corners_px)
        left, top = np.floor(corners.min(0) - BESIDE_PX).astype(int).clip(0)
        right, bottom = np.ceil(corners.max(0) + BESIDE_PX).astype(int)
        part, places = image[top:bottom, left:right], corners - (left, top)
        if self.foreshortening >= SEEN_FLAT:
            side = min(np.ptp(corners, 0).max(), MOST_STRAIGHT_PX)
            places = side * (np.array([(0, 1), (1, 1), (1, 0), (0, 0)]) + AROUND)
            matrix = cv2.getPerspectiveTransform(*np.array([corners, places], np.float32))
            size_wh = [round(side * (1 + 2 * AROUND))] * 2
            part = np.asarray(cv2.warpPerspective(image, matrix, size_wh), np.uint8)
        return part, Calibration(parse_corners(places.tolist()), self.side_mm)

    def _matrix(self) -> NDArray[np.float64]:
        table = self.corners_mm.astype(np.float32)
        matrix = cv2.getPerspectiveTransform(np.array(self.corners_px, np.float32), table)
        return np.asarray(matrix, np.float64)


def parse_corners(corners: Sequence[Sequence[float]]) -> tuple[Point, Point, Point, Point]:
    """Corners from a list of four pairs.

    Raises:
        CalibrationError: it is not four pairs.
    """
    if len(corners) != 4 or any(len(corner) != 2 for corner in corners):
        raise CalibrationError(
            "a table has four corners [x, y], got {list}",
            "桌子应有四个角 [x, y]，现为 {list}",
            list=list(corners),
        )
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return a, b, c, d


@dataclass(frozen=True, slots=True)
class KeptCalibration:
    """A calibration as it is kept beside the settings.

    Attributes:
        size_wh: of the picture that it was made on.
        grey: that picture, reduced; by it a moved camera is noticed.
        date: as in 2026-11-21.
        well_mm: the radius of the window over the dice, as a person marked it; 0: there is none.
            None: nobody said anything.
        tile_mm: how wide the tiles in that picture look by its side; None: nobody knows.
    """

    calibration: Calibration
    size_wh: tuple[int, int]
    grey: NDArray[np.uint8]
    date: str
    well_mm: float | None = None
    tile_mm: float | None = None


def save_calibration(path: Path, kept: KeptCalibration) -> None:
    """Write the file, whole or not at all.

    Raises:
        CalibrationError: the place cannot be written to.
    """
    _, packed = cv2.imencode(".png", kept.grey)
    content = {
        "version": CALIBRATION_FORMAT,
        "date": kept.date,
        "size_wh": kept.size_wh,
        "corners_px": [[round(x, 2), round(y, 2)] for x, y in kept.calibration.corners_px],
        "side_mm": kept.calibration.side_mm,
        "grey_png": base64.b64encode(packed.tobytes()).decode("ascii"),
    }
    content |= {name: value for name in OPTIONAL if (value := getattr(kept, name)) is not None}
    beside = path.with_name(f"{path.name}.new")
    try:
        beside.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
        beside.replace(path)
    except OSError as error:
        raise CalibrationError(
            "the calibration {path} cannot be written: {strerror}",
            "校准文件 {path} 无法写入：{strerror}",
            path=path,
            strerror=error.strerror,
        ) from error


def load_calibration(path: Path) -> KeptCalibration:
    """Read what `save_calibration` wrote.

    Raises:
        CalibrationError: it cannot be read, is of another version, or is damaged.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if (version := content["version"]) == CALIBRATION_FORMAT:
            return _kept(content)
    except OSError as error:
        raise CalibrationError(
            "the calibration {path} cannot be read: {strerror}",
            "校准文件 {path} 无法读取：{strerror}",
            path=path,
            strerror=error.strerror,
        ) from error
    except (KeyError, TypeError, ValueError, PictureError) as error:
        raise CalibrationError(
            "the calibration {path} is damaged ({error}): calibrate again",
            "校准文件 {path} 已损坏（{error}）：请重新校准",
            path=path,
            error=error,
        ) from error
    raise CalibrationError(
        "the calibration {path} is of version {version}, not {version_2}: calibrate again",
        "校准文件 {path} 的版本是 {version}，不是 {version_2}：请重新校准",
        path=path,
        version=version,
        version_2=CALIBRATION_FORMAT,
    )


def _kept(content: dict[str, Any]) -> KeptCalibration:
    width, height = (int(length) for length in content["size_wh"])
    packed = base64.b64decode(content["grey_png"], validate=True)
    grey = np.ascontiguousarray(decode_picture(packed, Path("its picture"))[:, :, 0])
    calibration = Calibration(parse_corners(content["corners_px"]), float(content["side_mm"]))
    optional = (content.get(name) for name in OPTIONAL)
    well, tile = (None if value is None else float(value) for value in optional)
    return KeptCalibration(
        calibration,
        (width, height),
        grey,
        str(content["date"]),
        well,
        tile,
    )


def _map(matrix: NDArray[np.float64], points: Array) -> Array:
    if len(points) == 0:
        return np.zeros((0, 2), np.float32)
    mapped = cv2.perspectiveTransform(points.reshape(-1, 1, 2).astype(np.float64), matrix)
    return np.asarray(mapped.reshape(-1, 2), np.float32)
