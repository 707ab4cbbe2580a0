"""A time stamp authority on this machine: OpenSSL's own, behind a small web server."""

import http.server
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

SETTINGS = """
[req]
distinguished_name = name
[name]
[authority]
basicConstraints = critical, CA:true
keyUsage = critical, keyCertSign
[stamper]
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
[tsa]
default_tsa = own
[own]
serial = ./serial
crypto_device = builtin
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
"""


@dataclass
class Authority:
    """One that answers as `manner` says.

    Attributes:
        manner: stamp, refuse, say nothing, answer nonsense, lead elsewhere, or never end.
        asked: the requests, as they came.
        root: its certificate's issuer, which others may trust.
    """

    folder: Path
    url: str = ""
    manner: str = "stamp"
    asked: list[bytes] = field(default_factory=list)
    let_go: threading.Event = field(default_factory=threading.Event)
    _stamping: threading.Lock = field(default_factory=threading.Lock)  # its files have one name

    @property
    def root(self) -> Path:
        return self.folder / "root.pem"

    def stamp(self, query: bytes) -> bytes:
        with self._stamping:
            (self.folder / "query").write_bytes(query)
            self.openssl(
                "ts -reply -config settings -section own -queryfile query -out reply"
                " -signer stamper.pem -inkey stamper.key -chain root.pem"
            )
            return (self.folder / "reply").read_bytes()

    def openssl(self, command: str) -> None:
        words = ["openssl", *command.split(" ")]
        subprocess.run(words, cwd=self.folder, check=True, capture_output=True)


@contextmanager
def stamping(folder: Path) -> Iterator[Authority]:
    """An authority, until it is done with."""
    made = Authority(folder)
    (folder / "settings").write_text(SETTINGS)
    (folder / "serial").write_text("01\n")
    new = "req -config settings -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2"
    made.openssl(f"{new} -x509 -extensions authority -subj /CN=Root -keyout root.key -out root.pem")
    made.openssl(f"{new} -subj /CN=Stamper -keyout stamper.key -out stamper.csr")
    made.openssl(
        "x509 -req -in stamper.csr -CA root.pem -CAkey root.key -CAcreateserial -days 2"
        " -extfile settings -extensions stamper -out stamper.pem"
    )

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            query = self.rfile.read(int(self.headers["Content-Length"]))
            made.asked.append(query)
            match made.manner:
                case "say nothing":
                    made.let_go.wait(30)
                case "refuse":
                    self._answer(503, b"")
                case "lead elsewhere":
                    self._answer(302, b"", ("Location", made.url))
                case "answer nonsense":
                    self._answer(200, b"0\x03\x02\x01\x00")
                case "never end":
                    self._answer(200, b"x" * 200_000)
                case _:
                    self._answer(200, made.stamp(query))

        def _answer(self, status: int, content: bytes, *headers: tuple[str, str]) -> None:
            self.send_response(status)
            for name, value in headers:
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made.url = f"http://127.0.0.1:{server.server_address[1]}/"
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield made
    finally:
        made.let_go.set()
        server.shutdown()
        server.server_close()
        thread.join()
