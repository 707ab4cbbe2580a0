"""A phone without a browser: its own address in the network, its own cookies, its own words."""

import http.client
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from table_assist.vision.pictures.picture import Image
from tests.stages.visitor import page_token


class Phone:
    """Sends what a page of the dashboard would; the table's own machine where `place` is 1."""

    def __init__(self, port: int, place: int) -> None:
        self.port, self._place, self.cookies = port, place, dict[str, str]()

    def get(self, path: str) -> tuple[int, bytes]:
        """The answer's status and body."""
        return self._asked("GET", path, b"", {})

    def json(self, path: str) -> dict[str, Any]:
        """The body, where it is JSON."""
        found: dict[str, Any] = json.loads(self.get(path)[1])
        return found

    def post(self, path: str, body: object) -> tuple[int, dict[str, Any]]:
        """Give a command."""
        token = page_token(self.get("/tv")[1].decode())
        headers = {"Content-Type": "application/json", "X-Table-Token": token}
        status, content = self._asked("POST", path, json.dumps(body).encode(), headers)
        return status, json.loads(content)

    def send(self, path: str, content: bytes, kind: str, token: str) -> tuple[int, bytes]:
        """Send a file."""
        return self._asked("POST", path, content, {"Content-Type": kind, "X-Table-Token": token})

    def watch(self) -> http.client.HTTPConnection:
        """The open line of a page that shows the table, until it is closed."""
        line, answer = self._sent("GET", "/api/stream", b"", {})
        assert answer.read(1)
        return line

    def _asked(
        self, method: str, path: str, body: bytes, more: dict[str, str]
    ) -> tuple[int, bytes]:
        line, answer = self._sent(method, path, body, more)
        for name, value in answer.getheaders():
            if name.lower() == "set-cookie":
                key, _, rest = value.partition("=")
                self.cookies[key] = rest.split(";")[0]
        content = answer.read()
        line.close()
        return answer.status, content

    def _sent(
        self, method: str, path: str, body: bytes, more: dict[str, str]
    ) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
        source = (f"127.0.0.{self._place}", 0)
        line = http.client.HTTPConnection("127.0.0.1", self.port, 60, source_address=source)
        host = "127.0.0.1" if self._place == 1 else "192.168.7.1"
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        line.request(method, path, body, {"Host": f"{host}:{self.port}", "Cookie": cookies} | more)
        return line, line.getresponse()


def sit(port: int, key: str, names: tuple[str, ...]) -> list[Phone]:
    """Phones that take the seats in their order, with the evening's key."""
    phones = [Phone(port, 2 + seat) for seat in range(len(names))]
    for seat, (phone, name) in enumerate(zip(phones, names, strict=True)):
        status, said = phone.post("/api/pair/sit", {"key": key, "seat": seat, "name": name})
        assert status == 200, said
    return phones


def let_in(port: int, place: int, seat: int, name: str) -> Phone:
    """A phone that the machine's owner lets in to a seat, at any table."""
    desk, phone = Phone(port, 1), Phone(port, place)
    offered = desk.post("/api/pair/offer", {"role": "seat", "seat": seat})[1]
    asked = phone.post("/api/pair/ask", {"code": offered["code"], "name": name})[1]
    waiting = desk.json("/api/pair/waiting")["waiting"]
    (own,) = [each for each in waiting if each["number"] == asked["number"]]
    desk.post("/api/pair/decide", {"request": own["request"], "allow": True})
    status, said = phone.post("/api/pair/enter", {})
    assert status == 200, said
    return phone


FRAMES = 3  # of the same picture, each with its own noise: a sensor never repeats itself
_FRAME = b"FRAME\n"


class Film:
    """An uncompressed video (YUV4MPEG2, 4:2:0) that a browser plays again and again.

    Chromium reads each frame from the file when it is due, so what is written here is what its
    camera sees from then on.
    """

    def __init__(self, path: Path, size_wh: tuple[int, int], rate: int = 5) -> None:
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
