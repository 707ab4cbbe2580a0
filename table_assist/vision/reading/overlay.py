"""A picture with its readings drawn over it."""

import cv2
import numpy as np

from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.one_set import SURE_TOGETHER
from table_assist.vision.reading.readings import Readings
from table_assist.vision.reading.recognise import UNKNOWN

Colour = tuple[int, int, int]  # BGR

SURE_COLOUR, DOUBTFUL_COLOUR, LOUD_COLOUR = (110, 200, 60), (40, 170, 255), (255, 40, 255)
DIE_COLOUR, INK_COLOUR, HALO_COLOUR = (255, 190, 70), (255, 255, 255), (20, 20, 20)
DOUBTFUL_AT = 0.6  # from `SURE_TOGETHER` on down the colour goes from green towards orange
FONT = cv2.FONT_HERSHEY_SIMPLEX  # OpenCV's own strokes: no font file
LABEL_SHARE = 0.16  # of a thing's shorter side: a row above is not hidden by the labels below it
SMALLEST_FONT, LARGEST_FONT = 0.35, 2.0


def draw_overlay(image: Image, readings: Readings) -> Image:
    """A copy of the picture with every outline, its label and its confidence in percent.

    Green is sure, orange less so, blue a die; a loud magenta ``?`` asks for a look.
    """
    drawn = image.copy()
    for index in range(len(readings)):
        _outline(drawn, readings, index)
    for index in range(len(readings)):  # labels last: no outline runs through them
        # A filled plate over the upper edge, as wide as the thing; inside where there is no room
        label, percent = readings.labels[index], round(100 * float(readings.confidence[index]))
        text = f"{label} {percent}"
        left, top = readings.polygons[index].min(axis=0)
        span = np.ptp(readings.polygons[index], axis=0)
        (width, height), _ = cv2.getTextSize(text, FONT, 1.0, 1)
        fitting = min(0.9 * float(span[0]) / width, LABEL_SHARE * float(span.min()) / height)
        scale = min(LARGEST_FONT, max(SMALLEST_FONT, fitting))
        weight = max(1, round(1.5 * scale))
        (width, height), below = cv2.getTextSize(text, FONT, scale, weight)
        plate_height = height + below + 4
        x = int(np.clip(left, 0, max(0, drawn.shape[1] - width - 4)))
        y = int(top) - plate_height if top >= plate_height else int(max(top, 0))
        colour = _colour(readings, index)
        cv2.rectangle(drawn, (x, y), (x + width + 4, y + plate_height), colour, cv2.FILLED)
        ink = INK_COLOUR if label == UNKNOWN else HALO_COLOUR
        cv2.putText(drawn, text, (x + 2, y + height + 2), FONT, scale, ink, weight, cv2.LINE_AA)
    return drawn


def _outline(drawn: Image, readings: Readings, index: int) -> None:
    corners = np.round(readings.polygons[index]).astype(np.int32)[None]
    side = float(np.ptp(readings.polygons[index], axis=0).max())
    width = int(np.clip(side / 30, 1, 8))
    cv2.polylines(drawn, corners, True, HALO_COLOUR, width + 2, cv2.LINE_AA)
    cv2.polylines(drawn, corners, True, _colour(readings, index), width, cv2.LINE_AA)


def _colour(readings: Readings, index: int) -> Colour:
    label, confidence = readings.labels[index], float(readings.confidence[index])
    if label == UNKNOWN:
        return LOUD_COLOUR
    if label.startswith("d"):
        return DIE_COLOUR
    share = float(np.clip((confidence - DOUBTFUL_AT) / (SURE_TOGETHER - DOUBTFUL_AT), 0, 1))
    blue, green, red = (
        round(share * sure + (1 - share) * doubtful)
        for sure, doubtful in zip(SURE_COLOUR, DOUBTFUL_COLOUR, strict=True)
    )
    return blue, green, red
