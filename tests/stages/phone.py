"""A phone without a browser: its own address in the network, its own cookies, its own words."""

import http.client
import json
from typing import Any


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
        page = self.get("/tv")[1].decode()
        token = page.split('table-token" content="')[1].split('"')[0]
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
