"""A camera leads the program to no other service, and its password is not printed."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

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
