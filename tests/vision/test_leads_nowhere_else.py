"""A camera leads the program nowhere else, fills no memory, and its password is not printed."""

import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import cv2
import numpy as np
import pytest

from table_assist.vision.pictures.sources import (
    MOST_STREAM_BYTES,
    CameraError,
    find_source,
)

_MIXED = "multipart/x-mixed-replace; boundary=b"
_HEAD = b"--b\r\nContent-Type: image/jpeg\r\n"
_PICTURE = bytes(1_000_000)
_BOXES = enumerate((b"trak", b"mdia", b"minf", b"stbl", b"stsz"))
_TRACK = b"".join(struct.pack(">I4s", 8_000_052 - 8 * at, name) for at, name in _BOXES)
_TRACK += struct.pack(">III", 0, 0, 2_000_000) + bytes(8_000_000)  # the sizes of its pictures
_FILM = b"\0\0\0\x10ftypisom\0\0\2\0\x7f\0\0\0moov"
_ENDLESS = {
    "/picture": (_MIXED, _HEAD + b"\r\n\xff\xd8", _PICTURE),
    "/long": (_MIXED, _HEAD + b"Content-Length: 2000000000\r\n\r\n\xff\xd8", _PICTURE),
    "/film": ("video/mp4", _FILM, _TRACK),
}


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
        if self.path in _ENDLESS:
            self.send_response(200)
            kind, head, table = _ENDLESS[self.path]
            self.send_header("Content-Type", kind)
            self.end_headers()
            with suppress(OSError):
                self.wfile.write(head)
                for _ in range(4 * MOST_STREAM_BYTES // len(table)):
                    self.wfile.write(table)
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


_LOOK = """
import sys
from table_assist.vision.pictures.sources import CameraError, find_source
for address in sys.argv[1:]:
    try:
        assert find_source(address).open().read() is None
    except CameraError:
        pass
print(open("/proc/self/status").read().split("VmHWM:")[1].split()[0])
"""


def test_a_camera_without_end_fills_no_memory(
    servers: list[ThreadingHTTPServer],
) -> None:
    addresses = [f"http://127.0.0.1:{servers[0].server_port}{path}" for path in _ENDLESS]
    looking = [sys.executable, "-c", _LOOK, *addresses]
    looked = subprocess.run(looking, capture_output=True, text=True, check=True)
    assert int(looked.stdout) * 1024 < 2 * MOST_STREAM_BYTES


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
