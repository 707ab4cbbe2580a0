"""Two servers that differ in the treasure alone, and all their clients."""

import http.client
import json
import re
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from flask import Flask

from table_assist.record.export import played_hands
from table_assist.rules.registry import find_rules
from tests.secrecy.stage import START_S, LeakStage
from web import create_app
from web.access.pairing_sessions import PAIRING_COOKIE, PairingSessions
from web.access.roles import Role
from web.answers import to_json
from web.api.outlets import last_win, standing
from web.api.webhook import due
from web.serve import Serving, serve

STRANGER = {"X-Forwarded-For": "192.0.2.9"}  # makes the local machine's request the network's
READ_TIMEOUT_S = 120.0


class Client:
    """One browser at one server: a live stream, and requests beside it."""

    def __init__(self, name: str, serving: Serving, headers: dict[str, str]) -> None:
        self.name = name
        self.port = serving.port
        self.headers = {"Host": f"127.0.0.1:{serving.port}", **headers}
        self._socket = socket.create_connection(("127.0.0.1", serving.port), READ_TIMEOUT_S)
        lines = "".join(f"{key}: {value}\r\n" for key, value in self.headers.items())
        self._socket.sendall(f"GET /api/stream HTTP/1.0\r\n{lines}\r\n".encode())
        self._kept = b""
        self.token = ""

    def read_to(self, version: int) -> None:
        """Wait until the stream has told a version."""
        mark = b"id: leaks.%d\n" % version
        while mark not in self._kept or not self._kept.endswith(b"\n\n"):
            part = self._socket.recv(1 << 20)
            if not part:
                raise ConnectionError(f"the stream of {self.name} ended: {self._kept[-300:]!r}")
            self._kept += part

    def take(self) -> bytes:
        """The bytes of the stream since this was asked last."""
        kept, self._kept = self._kept, b""
        return kept

    def ask(self, path: str, body: object = None) -> bytes:
        """One request: the status, headers and body as they came."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=READ_TIMEOUT_S)
        try:
            if body is None:
                connection.request("GET", path, headers=self.headers)
            else:
                sent = {**self.headers, "Content-Type": "application/json"}
                sent["X-Table-Token"] = self.token
                connection.request("POST", path, json.dumps(body), sent)
            answer = connection.getresponse()
            head = f"{answer.status}\n" + "".join(f"{k}: {v}\n" for k, v in answer.getheaders())
            return head.encode() + b"\n" + answer.read()
        finally:
            connection.close()

    def close(self) -> None:
        """Leave."""
        self._socket.close()


@dataclass(slots=True)
class House:
    """A server with its stage and all its clients."""

    stage: LeakStage
    app: Flask
    clients: dict[str, Client]
    told_outside: list[bytes] = field(default_factory=list)

    def tell_outside(self) -> None:
        """Tell a broker and a webhook as they would be told now."""
        snapshot, hands = self.stage.snapshot, played_hands(self.stage.entries())
        stands = standing(snapshot, last_win(self.stage))
        self.told_outside.append(to_json(stands).encode())
        self.told_outside += [message.body for message in due("log", hands, {}, snapshot)]

    def take_outside(self) -> bytes:
        """All that was told since this was asked last."""
        told, self.told_outside = b"\n".join(self.told_outside), []
        return told


@contextmanager
def houses(devices: Path) -> Iterator[tuple[House, House]]:
    """Two servers with the same devices let in.

    Args:
        devices: a file that does not exist yet.
    """
    rules = find_rules("changchun")
    sessions = PairingSessions(devices, lambda: START_S)
    cookies = {
        f"seat {seat}": sessions.open(Role.SEAT, seat, f"phone {seat}", since=0.0)
        for seat in range(4)
    }
    for role in (Role.SCORER, Role.REFEREE, Role.ADMIN):
        cookies[str(role)] = sessions.open(role, None, f"a {role}", since=0.0)
    with ExitStack() as stack:
        made = []
        for _ in range(2):
            stage = LeakStage(rules)
            app = create_app(stage, devices=devices)
            viewers = app.extensions["viewers"]
            viewers.run, viewers.beat_s, viewers.comment_s = "leaks", 1e9, 1e9
            app.extensions["sessions"].now = lambda: START_S
            app.config["TABLE_POSTS"].per_minute = app.config["TABLE_POSTS"].burst = 1e9
            serving = serve(app, port=0)
            stack.callback(serving.close)
            clients = {"local": {}, "television": STRANGER} | {
                name: {**STRANGER, "Cookie": f"{PAIRING_COOKIE}={cookie}"}
                for name, cookie in cookies.items()
            }
            opened = {name: Client(name, serving, head) for name, head in clients.items()}
            for client in opened.values():
                stack.callback(client.close)
                found = re.search(rb'name="table-token" content="([^"]+)"', client.ask("/tv"))
                client.token = found[1].decode() if found else ""
            made.append(House(stage, app, opened))
        yield made[0], made[1]
