"""What a browser's fake camera films: a file whose picture is changed while it plays."""

from pathlib import Path

import cv2
import numpy as np

from table_assist.vision.pictures.picture import Image

FRAMES = 3  # of the same picture, each with its own noise: a sensor never repeats itself
_FRAME = b"FRAME\n"


class Film:
    """An uncompressed video (YUV4MPEG2, 4:2:0) that a browser plays again and again.

    Chromium reads each frame from the file when it is due, so what is written here is what its
    camera sees from then on.
    """

    def __init__(self, path: Path, size_wh: tuple[int, int], rate: int = 10) -> None:
        self.path = path
        self.size_wh = size_wh
        self._noise = np.random.default_rng(1)
        width, height = size_wh
        self._head = f"YUV4MPEG2 W{width} H{height} F{rate}:1 Ip A1:1 C420jpeg\n".encode()
        frame = bytes(width * height * 3 // 2)
        path.write_bytes(self._head + FRAMES * (_FRAME + frame))

    def show(self, image: Image, *, frozen: bool = False) -> None:
        """The camera sees this picture (h, w, 3) BGR from now on.

        Args:
            frozen: every frame is the very same.
        """
        assert (image.shape[1], image.shape[0]) == self.size_wh
        at = len(self._head)
        with self.path.open("r+b") as file:
            for _ in range(FRAMES):
                noise = self._noise.integers(0, 1 if frozen else 3, image.shape, np.uint8)
                noisy = np.asarray(cv2.add(image, noise), np.uint8)
                yuv = np.asarray(cv2.cvtColor(noisy, cv2.COLOR_BGR2YUV_I420), np.uint8)
                file.seek(at)
                file.write(_FRAME + yuv.tobytes())
                at += len(_FRAME) + yuv.nbytes


def film_arguments(film: Film) -> list[str]:
    """By which Chromium's camera is this film."""
    return [
        "--use-fake-ui-for-media-stream",
        "--use-fake-device-for-media-stream",
        f"--use-file-for-fake-video-capture={film.path}",
    ]
