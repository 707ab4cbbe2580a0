"""A detector that counts how often it is asked."""

from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.detect import Detections, Detector


class CountingDetector:
    """A detector that counts its passes."""

    def __init__(self, detector: Detector) -> None:
        self.passes = 0
        self.input_size, self.largest_part = detector.input_size, detector.largest_part
        self._detector = detector

    def detect(self, image: Image) -> Detections:
        """As the detector."""
        self.passes += 1
        return self._detector.detect(image)

    def detect_part(self, image: Image) -> Detections:
        """As the detector."""
        self.passes += 1
        return self._detector.detect_part(image)
