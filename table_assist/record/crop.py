"""The evidence of a picture: its readings as JSON, and the part that is in question."""

import json

import cv2
import numpy as np

from table_assist.tiles.tile import Tile
from table_assist.vision.pictures.picture import Image, jpeg
from table_assist.vision.table.blacken import Hidden, none_hidden, without
from table_assist.vision.table.calibration import Calibration, Point
from table_assist.vision.table.observation import Observation
from table_assist.vision.table.zones import Zone, ZoneKind

# Around the tiles in question, so that people see where on the table they lie.
MARGIN_MM = 30.0
Box = tuple[int, int, int, int]  # x0, y0, x1, y1 in pixels
FONT = cv2.FONT_HERSHEY_SIMPLEX


def readings_json(observation: Observation, calibration: Calibration | None) -> str:
    """Everything that was read: tiles with their confidence, place and likeliest faces, and dice.

    With a calibration, ``px`` is a tile's middle in the picture.
    """
    rows = []
    for tile in observation.tiles:
        row: dict[str, object] = {
            "tile": str(tile.tile),
            "confidence": round(tile.confidence, 4),
            "x_mm": round(tile.x_mm, 1),
            "y_mm": round(tile.y_mm, 1),
            "zone": tile.zone.kind.value,
            "seat": tile.zone.seat,
            "candidates": [[str(face), round(share, 4)] for face, share in tile.candidates],
        }
        if tile.why is not None:
            row["why"] = str(tile.why)
        if calibration is not None:
            row["px"] = [round(each, 1) for each in calibration.point(tile.x_mm, tile.y_mm)]
        rows.append(row)
    content = {"t": observation.t, "tiles": rows, "dice": list(observation.dice)}
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


def crop_of(image: Image, box: Box) -> Image:
    """A copy of the part of a picture."""
    x0, y0, x1, y1 = box
    return image[y0:y1, x0:x1].copy()


def cut(content: bytes, box: Box, hidden: Hidden = none_hidden) -> bytes:
    """The part of a JPEG, as JPEG; empty if the content is no picture.

    Args:
        hidden: what is to be black in it.
    """
    image = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR) if content else None
    if image is None:
        return b""
    places = hidden((image.shape[1], image.shape[0]))
    if places is None:
        return b""
    return jpeg(crop_of(without(np.asarray(image, np.uint8), places), box))


def box_of(
    size_wh: tuple[int, int],
    observation: Observation,
    calibration: Calibration,
    zone: Zone,
    *,
    whole: bool = False,
    at: tuple[Point, ...] = (),
) -> Box | None:
    """The part of a picture that shows what is in question in a zone; None if nothing lies there.

    That is the pieces in question where they are known; else the unread tiles where there are any;
    in a river else the least sure one; else all.

    Args:
        whole: all that lies there, and the melds of the same seat.
        at: where the pieces in question lie, in mm.
    """
    tiles = observation.in_zone(zone.kind, zone.seat)
    melds = observation.in_zone(ZoneKind.MELDS, zone.seat) if whole and tiles else ()
    in_question = [*tiles, *melds]
    unread = [tile for tile in tiles if tile.tile is Tile.UNKNOWN]
    if unread and not whole:
        in_question = unread
    elif zone.kind is ZoneKind.RIVER and tiles and not whole:
        in_question = [min(tiles, key=lambda tile: tile.confidence)]
    places = at if at and not whole else [(tile.x_mm, tile.y_mm) for tile in in_question]
    if not places:
        return None
    xs, ys = zip(*places, strict=True)
    left, right = min(xs) - MARGIN_MM, max(xs) + MARGIN_MM
    low, high = min(ys) - MARGIN_MM, max(ys) + MARGIN_MM
    corners = np.array([[left, low], [right, low], [right, high], [left, high]], np.float32)
    points = calibration.to_picture(corners)
    x0, y0 = np.clip(np.floor(points.min(axis=0)), 0, size_wh).astype(int)
    x1, y1 = np.clip(np.ceil(points.max(axis=0)), 0, size_wh).astype(int)
    return (int(x0), int(y0), int(x1), int(y1)) if x1 > x0 and y1 > y0 else None


def draw_readings(content: bytes, readings: str) -> bytes:
    """A kept picture with what was read in it, as JPEG; the picture itself where nothing was.

    Args:
        content: the picture as JPEG.
        readings: as `readings_json` wrote them.
    """
    rows = [row for row in json.loads(readings).get("tiles", []) if "px" in row]
    if not rows:
        return content
    image = np.asarray(cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR), np.uint8)
    scale = max(0.4, image.shape[0] / 2400)
    for row in rows:
        # The tile's name and confidence on a plate at its middle: green sure, magenta in doubt
        text = f"{row['tile']} {round(100 * row['confidence'])}"
        (width, height), below = cv2.getTextSize(text, FONT, scale, 1)
        x, y = (round(each) for each in row["px"])
        left, top = x - width // 2, y - height // 2
        colour = (200, 60, 220) if row["tile"] == str(Tile.UNKNOWN) else (90, 170, 60)
        corner = (left + width + 2, top + height + below)
        cv2.rectangle(image, (left - 2, top - 2), corner, colour, cv2.FILLED)
        at = left, top + height
        cv2.putText(image, text, at, FONT, scale, (255, 255, 255), 1, cv2.LINE_AA)
    return jpeg(image)
