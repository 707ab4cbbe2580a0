"""A real mosquitto on this machine: with a password, with TLS, ended and begun again."""

import getpass
import socket
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion

from tests.stages.repository_tool import free_port

PROGRAM = "mosquitto"
USER, PASSWORD = "table", "pass word/1"
PATIENCE_S = 20.0


def until(is_so: Callable[[], bool], what: str, patience_s: float = PATIENCE_S) -> None:
    end = time.monotonic() + patience_s
    while not is_so():
        assert time.monotonic() < end, f"{what} did not come in {patience_s} s"
        time.sleep(0.02)


@dataclass
class Mosquitto:
    """One broker; it keeps what is kept on the disk, as installed ones do."""

    folder: Path
    port: int = field(default_factory=free_port)
    tls: tuple[Path, Path] | None = None
    _running: subprocess.Popen[bytes] | None = None

    def start(self) -> "Mosquitto":
        self.folder.mkdir(exist_ok=True)
        passwords = self.folder / "passwords"
        if not passwords.exists():
            made = ["mosquitto_passwd", "-c", "-b", str(passwords), USER, PASSWORD]
            subprocess.run(made, check=True, capture_output=True)
        lines = [
            f"listener {self.port} 127.0.0.1",
            "allow_anonymous false",
            f"password_file {passwords}",
            "persistence true",
            f"persistence_location {self.folder}/",
            "log_type none",
            f"user {getpass.getuser()}",  # begun as root it would become another one
        ]
        if self.tls is not None:
            certificate, key = self.tls
            lines += [f"certfile {certificate}", f"keyfile {key}"]
        settings = self.folder / "mosquitto.conf"
        settings.write_text("\n".join(lines) + "\n", encoding="utf-8")
        self._running = subprocess.Popen([PROGRAM, "-c", str(settings)])
        try:
            until(self._answers, "mosquitto")
        except AssertionError:
            self.stop()
            raise
        return self

    def stop(self, *, hard: bool = False) -> None:
        if self._running is not None:
            (self._running.kill if hard else self._running.terminate)()
            self._running.wait(10)
            self._running = None

    def url(self, user: str = USER, password: str = "pass%20word%2F1") -> str:
        scheme = "mqtt" if self.tls is None else "mqtts"
        return f"{scheme}://{user}:{password}@localhost:{self.port}"

    def _answers(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0


class Listener:
    """A client of the broker that hears everything, as Home Assistant would."""

    def __init__(self, broker: Mosquitto, ca: Path | None = None) -> None:
        self.kept: dict[str, str] = {}
        self.heard: list[tuple[str, str]] = []
        self._ready = threading.Event()
        self._client = paho.Client(CallbackAPIVersion.VERSION2)
        self._client.username_pw_set(USER, PASSWORD)
        if ca is not None:
            self._client.tls_set(str(ca))
        self._client.on_connect = lambda client, *_: client.subscribe("#", qos=1)
        self._client.on_subscribe = lambda *_: self._ready.set()
        self._client.on_message = self._hear
        self._client.connect("localhost", broker.port)
        self._client.loop_start()
        assert self._ready.wait(PATIENCE_S)

    def say(self, topic: str, text: str, *, retain: bool = False) -> None:
        self._client.publish(topic, text, qos=1, retain=retain).wait_for_publish(PATIENCE_S)

    def wait(self, topic: str, fits: Callable[[str], bool]) -> str:
        until(lambda: topic in self.kept and fits(self.kept[topic]), f"{topic} in {self.kept}")
        return self.kept[topic]

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def _hear(self, _: object, __: object, message: paho.MQTTMessage) -> None:
        text = message.payload.decode()
        self.heard.append((message.topic, text))
        self.kept[message.topic] = text


class DeafBroker:
    """Takes every message and acknowledges none; its connection can be cut.

    Attributes:
        told: what each connection has told, the latest last.
    """

    def __init__(self) -> None:
        self.told: list[dict[str, str]] = []
        self._server = socket.create_server(("127.0.0.1", 0))
        self._connection: socket.socket | None = None
        self.port: int = self._server.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def cut(self) -> None:
        """Whoever is connected is not any more; the next may come."""
        assert self._connection is not None
        self._connection.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._server.close()

    def _serve(self) -> None:
        while True:
            try:
                self._connection, _ = self._server.accept()
            except OSError:
                return
            self.told.append({})
            with self._connection, self._connection.makefile("rb") as packets:
                while first := packets.read(1):
                    self._take(first[0], packets.read(_length(packets)))

    def _take(self, first: int, body: bytes) -> None:
        kind, qos = first >> 4, first >> 1 & 3
        if kind == 1:  # CONNECT
            assert self._connection is not None
            self._connection.sendall(b"\x20\x02\x00\x00")
        if kind == 3:  # PUBLISH
            end = 2 + int.from_bytes(body[:2], "big")
            self.told[-1][body[2:end].decode()] = body[end + 2 * (qos > 0) :].decode()


def _length(packets: BinaryIO) -> int:
    """Of the rest of a packet: seven bits a byte."""
    length, shift = 0, 0
    while True:
        (byte,) = packets.read(1)
        length |= (byte & 127) << shift
        if byte < 128:
            return length
        shift += 7
