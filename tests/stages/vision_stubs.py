"""A detector and a recogniser that see coloured rectangles: what the parts around them do is real.

A thing is a rectangle of one colour on a dark ground; its class id is its blue less 200.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.detect import Detections
from table_assist.vision.reading.recognise import CLASSES, LABELS, NOTHING

BLUE = 200


class RectangleDetector:
    """Finds rectangles that are not black, down to a few pixels; counts its calls.

    Attributes:
        calls: all of them; `parts` were for parts of a picture.
    """

    def __init__(self, input_size: int = 640, smallest: int = 12, largest: int = 320) -> None:
        self.input_size = self.largest_part = input_size
        self.calls = self.parts = 0
        self._smallest = smallest
        self._largest = largest

    def detect(self, image: Image) -> Detections:
        self.calls += 1
        assert max(image.shape[:2]) <= self.input_size
        mask = (image.max(axis=2) > 100).astype(np.uint8)
        count, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=4)
        boxes = [
            (left, top, left + width, top + height)
            for left, top, width, height, _ in stats[1:count]
            if self._smallest <= max(width, height) <= self._largest
        ]
        xyxy = np.array(boxes, np.float32).reshape(-1, 4)
        # Larger boxes are surer, as a whole tile is surer than its half.
        area = (xyxy[:, 2] - xyxy[:, 0]) * (xyxy[:, 3] - xyxy[:, 1])
        return Detections(xyxy, (0.5 + 0.4 * area / (1 + area.max(initial=0))).astype(np.float32))

    def detect_part(self, image: Image) -> Detections:
        self.parts += 1
        return self.detect(image)


class ColourRecogniser:
    """Names a crop by the blue in its middle, unsure of grey; counts the crops."""

    def __init__(self) -> None:
        self.crops = 0

    def probabilities(self, crops: Image) -> NDArray[np.float32]:
        self.crops += len(crops)
        answer = np.full((len(crops), CLASSES), 0.02 / NOTHING, np.float32)
        for row, crop in zip(answer, crops, strict=True):
            red, _, blue = (int(value) for value in crop[32, 32])
            if red == blue:
                row[:3] = (0.5, 0.3, 0.18)
            else:
                row[min(max(blue - BLUE, 0), NOTHING)] = 0.98
        return answer


def colour_of(label: str) -> tuple[int, int, int]:
    """BGR of a thing with that label; ``nothing`` and ``unsure`` are labels too."""
    if label == "unsure":
        return 180, 180, 180
    index = NOTHING if label == "nothing" else LABELS.index(label)
    return BLUE + index, 50 + 40 * (index % 5), 120


def draw(image: Image, label: str, left: int, top: int, width: int = 40, height: int = 54) -> None:
    """Put a thing into a picture."""
    image[top : top + height, left : left + width] = colour_of(label)
