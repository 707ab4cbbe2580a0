"""A camera leads the program to no other service, and its password is not printed."""

import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import cv2
import numpy as np
import pytest

from table_assist.vision.pictures.sources import CameraError, find_source


class _Camera(BaseHTTPRequestHandler):
    asked: list[str]
    other: int

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        self.asked.append(self.path)
        if self.path.startswith("/redirected"):
            self.send_response(302)
            self.send_header("Location", f"http://127.0.0.1:{self.other}/inside")
            self.end_headers()
            return
        inside = f"http://127.0.0.1:{self.other}/inside.ts"
        playlist = f"#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1.0,\n{inside}\n#EXT-X-ENDLIST\n"
        self.send_response(200)
        self.send_header("Content-Type", "application/vnd.apple.mpegurl")
        self.end_headers()
        self.wfile.write(playlist.encode())


@pytest.fixture
def servers() -> Iterator[list[ThreadingHTTPServer]]:
    """A camera, and a service inside the network."""
    asked: list[str] = []
    made = [
        ThreadingHTTPServer(("127.0.0.1", 0), type("C", (_Camera,), {"asked": asked, "other": 0}))
        for _ in range(2)
    ]
    made[0].RequestHandlerClass.other = made[1].server_port  # type: ignore[attr-defined]
    for server in made:
        threading.Thread(target=server.serve_forever, daemon=True).start()
    yield made
    for server in made:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize("path", ["redirected", "live.m3u8"])
def test_no_redirect_and_no_playlist_is_followed(
    servers: list[ThreadingHTTPServer], path: str, capfd: pytest.CaptureFixture[str]
) -> None:
    address = f"http://me:s3cret@127.0.0.1:{servers[0].server_port}/{path}"
    with pytest.raises(CameraError):
        find_source(address).open()
    assert servers[0].RequestHandlerClass.asked == [f"/{path}"]  # type: ignore[attr-defined]
    assert "s3cret" not in "".join(capfd.readouterr())


_SDP = "v=0\r\no=- 0 0 IN IP4 0\r\ns=-\r\nt=0 0\r\nm=video 0 RTP/AVP 33\r\na=control:video\r\n"


def _rtsp_camera(listening: socket.socket, replies: dict[str, str], stream: bytes) -> None:
    """One connection: what it replies to each method, and MPEG-TS once it is to play."""
    here, _ = listening.accept()
    with suppress(OSError), listening, here, here.makefile("r") as asked:
        for line in asked:
            method = line.split()[0]
            number = next(head for head in iter(asked.readline, "\n") if "CSeq" in head)
            for _ in iter(asked.readline, "\n"):
                pass
            reply = replies.get(method, "200 OK\r\n{number}\r\n")
            here.sendall(f"RTSP/1.0 {reply}".replace("{number}", number.strip() + "\r\n").encode())
            packets = range(0, len(stream), 1316) if method == "PLAY" else ()
            for at in packets:
                rtp = struct.pack(">BBHII", 0x80, 33, at // 1316, at, 7) + stream[at : at + 1316]
                here.sendall(struct.pack(">cBH", b"$", 0, len(rtp)) + rtp)


def _rtsp(replies: dict[str, str], stream: bytes = b"") -> str:
    listening = socket.create_server(("127.0.0.1", 0))
    serving = threading.Thread(target=_rtsp_camera, args=(listening, replies, stream), daemon=True)
    serving.start()
    return f"rtsp://me:s3cret@127.0.0.1:{listening.getsockname()[1]}/live"


_DESCRIBED = f"200 OK\r\n{{number}}Content-Length: {len(_SDP)}\r\n\r\n{_SDP}"
_PLAYS = {
    "DESCRIBE": _DESCRIBED,
    "SETUP": "200 OK\r\n{number}Session: 7\r\nTransport: RTP/AVP/TCP;interleaved=0-1\r\n\r\n",
}


@pytest.mark.parametrize("method", ["OPTIONS", "DESCRIBE", "SETUP", "PLAY"])
@pytest.mark.parametrize("scheme", ["rtsp", "rtsps", "http", "tcp", ""])
def test_no_redirect_of_an_rtsp_camera_is_followed(method: str, scheme: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        other.settimeout(0)
        inside = f"{scheme}://127.0.0.1:{other.getsockname()[1]}/inside"
        redirect = f"302 Found\r\n{{number}}Location: {inside}\r\n\r\n"
        with pytest.raises(CameraError):
            find_source(_rtsp(_PLAYS | {method: redirect})).open()
        with pytest.raises(BlockingIOError):
            other.accept()


def test_an_rtsp_camera_that_redirects_nowhere_is_seen(tmp_path: Path) -> None:
    path = str(tmp_path / "film.ts")
    film = cv2.VideoWriter(path, cv2.CAP_FFMPEG, cv2.VideoWriter.fourcc(*"mp4v"), 10, (320, 240))
    for number in range(60):
        film.write(np.full((240, 320, 3), number * 4, np.uint8))
    film.release()
    source = find_source(_rtsp(_PLAYS, Path(path).read_bytes())).open()
    seen = source.read()
    assert seen is not None
    assert seen.shape == (240, 320, 3)
