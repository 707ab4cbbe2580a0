"""What stands in docs/PHONE-CAMERA.md for other cameras: a stream of JPEGs, a mirror."""

import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import cv2
import numpy as np
import pytest

from table_assist.settings.config import parse_config
from table_assist.settings.edit import pictures_of
from table_assist.vision.pictures.camera import Camera, CameraStatus
from tests.stages.opened_camera import open_pictures

WAIT_S = 20.0


def picture(seed: int) -> np.ndarray:
    """Left half light, right half dark, with a sensor's noise."""
    image = np.full((240, 320, 3), 40, np.uint8)
    image[:, :160] = 200
    image[60:180:6] = 120
    return image + np.random.default_rng(seed).integers(0, 8, image.shape, np.uint8)


class IpCamera(BaseHTTPRequestHandler):
    """As apps for old phones serve: multipart/x-mixed-replace, one JPEG after the other."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        seed = 0
        try:
            while True:
                seed += 1
                jpeg = cv2.imencode(".jpg", picture(seed))[1].tobytes()
                head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
                self.wfile.write(head.encode() + jpeg + b"\r\n")
                time.sleep(0.05)
        except OSError:
            return  # nobody looks any more

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


@pytest.fixture
def stream() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), IpCamera)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/video"
    server.shutdown()
    server.server_close()


def test_an_app_s_stream_of_jpegs_is_a_camera(stream: str) -> None:
    with open_pictures(stream) as camera:
        for _ in range(3):
            taken = camera.next_picture(WAIT_S)
            assert taken is not None
            assert taken.image.shape == (240, 320, 3)
        assert camera.health().status is CameraStatus.LIVE


def test_a_camera_in_a_mirror_is_turned_round_again(tmp_path: Path) -> None:
    for number in (1, 2):
        mirrored = np.ascontiguousarray(picture(number)[:, ::-1])
        cv2.imwrite(str(tmp_path / f"{number}.png"), mirrored)
    config = parse_config({"camera": {"source": str(tmp_path), "mirrored": True}})
    with Camera(pictures_of(config)) as camera:
        taken = camera.next_picture(WAIT_S)
        assert taken is not None
        assert (taken.image == picture(1)).all()
