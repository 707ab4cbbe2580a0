"""Proxies: whose word on the sender counts, and who is taken for the machine itself."""

import http.client
import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.stages.visitor import page_token
from tests.stages.web_fakes import FakeTable, opened
from web import create_app
from web.access.guard import TOKEN_HEADER
from web.access.pairing_sessions import PAIRING_COOKIE
from web.access.roles import Role
from web.access.trust import Trust, TrustError, parse_trust
from web.serve import serve

PUBLIC = "https://table.example"
TRUST = parse_trust(PUBLIC, ["127.0.0.1"], local_admin=True)


def app_of(trust: Trust) -> Flask:
    return create_app(FakeTable(opened().snapshot()), trust=trust)


@contextmanager
def proxy(port: int, headers: dict[str, str]) -> Iterator[int]:
    """A real program on this machine that passes requests on, with these headers set by it."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            upstream = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
            upstream.request("GET", self.path, headers=headers)
            answer = upstream.getresponse()
            body = answer.read()
            self.send_response(answer.status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
            upstream.close()

        def log_message(self, *_: object) -> None:
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def role_through(trust: Trust, headers: dict[str, str]) -> str:
    serving = serve(app_of(trust), port=0)
    try:
        with proxy(serving.port, headers) as port:
            visitor = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
            visitor.request("GET", "/api/me")
            answer = visitor.getresponse()
            text = answer.read().decode()
            visitor.close()
            return text if answer.status != 200 else text.split('"role":"')[1].split('"')[0]
    finally:
        serving.close()


def test_a_visitor_through_a_trusted_proxy_that_sends_no_headers_is_a_stranger() -> None:
    assert role_through(TRUST, {"Host": "127.0.0.1"}) == "television"
    assert role_through(TRUST, {"Host": "table.example"}) == "television"


def test_a_visitor_through_a_proxy_nobody_spoke_of_is_a_stranger_under_the_public_name() -> None:
    app = create_app(FakeTable(opened().snapshot()), "0.0.0.0")
    asked = app.test_client().get("/api/me", headers={"Host": "192.168.1.5:8000"})
    assert asked.json["role"] == "television"


def test_without_a_local_admin_the_machine_itself_is_a_stranger() -> None:
    client = app_of(parse_trust("", [], local_admin=False)).test_client()
    assert client.get("/api/me").json["role"] == "television"
    assert client.get("/api/admin").status_code in (403, 404)


def test_a_proxy_tells_who_sends_and_nobody_else_may() -> None:
    app = app_of(parse_trust(PUBLIC, ["10.0.0.2"], local_admin=True))
    asks = app.extensions["asks"]

    def ask(peer: str, told: str) -> None:
        client = app.test_client()
        token = _token(client, peer)
        client.post(
            "/api/pair/ask",
            json={"code": "x"},
            headers={TOKEN_HEADER: token, "X-Forwarded-For": told},
            environ_base={"REMOTE_ADDR": peer},
        )

    ask("10.0.0.2", "203.0.113.9, 198.51.100.4")  # the last is the proxy's own word
    ask("10.0.0.9", "198.51.100.5")
    assert set(asks._left) == {"198.51.100.4", "10.0.0.9"}


def _token(client: FlaskClient, peer: str) -> str:
    return page_token(client.get("/tv", environ_base={"REMOTE_ADDR": peer}).text)


def test_commands_and_secure_cookies_work_behind_a_proxy_with_tls() -> None:
    app = app_of(TRUST)
    app.extensions["sessions"].set_password("a long password")
    client = app.test_client()
    head = {"Host": "127.0.0.1:8000", "X-Forwarded-For": "203.0.113.9", "Origin": PUBLIC}
    head[TOKEN_HEADER] = _token(client, "127.0.0.1")
    given = client.post("/api/admin/login", json={"password": "a long password"}, headers=head)
    assert given.status_code == 200
    assert "Secure" in given.headers["Set-Cookie"]
    assert PAIRING_COOKIE in given.headers["Set-Cookie"]


@pytest.mark.parametrize("origin", ["http://table.example", "https://other.example", "null", "x"])
def test_a_command_from_another_origin_is_refused_behind_a_proxy(origin: str) -> None:
    client = app_of(TRUST).test_client()
    head = {"Origin": origin, TOKEN_HEADER: _token(client, "127.0.0.1")}
    refused = client.post("/api/pair/offer", json={"role": "seat", "seat": 1}, headers=head)
    assert refused.status_code == 403


def test_another_name_is_refused_through_the_proxy_too() -> None:
    client = app_of(TRUST).test_client()
    assert client.get("/api/table", headers={"Host": "evil.example"}).status_code == 421


def test_codes_lead_to_the_public_address() -> None:
    client = app_of(TRUST).test_client()
    head = {"Origin": PUBLIC, TOKEN_HEADER: _token(client, "127.0.0.1")}
    code = client.post("/api/pair/offer", json={"role": "seat", "seat": 1}, headers=head).json
    assert code["url"].startswith(f"{PUBLIC}/pair/")
    assert code["reachable"]


def test_an_admitted_phone_keeps_its_role_behind_a_proxy() -> None:
    app = app_of(TRUST)
    client = app.test_client()
    token = app.extensions["sessions"].open(Role.SCORER, None, "a phone", since=0.0)
    client.set_cookie(PAIRING_COOKIE, token, domain="localhost")
    assert client.get("/api/me").json["role"] == "scorer"


@pytest.mark.parametrize(
    ("public", "proxies", "says"),
    [
        ("https://table.example", ["here"], "a trusted proxy is an address"),
        ("", ["127.0.0.1"], "needs the public address"),
        ("table.example", [], "is as https://table.example"),
        ("ftp://table.example", [], "is as https://table.example"),
        ("https://me:secret@table.example", [], "is as https://table.example"),
        ("https://table.example/table", [], "is as https://table.example"),
        ("https://table.example:many", [], "cannot be read"),
    ],
)
def test_what_cannot_be_trusted_is_one_sentence(public: str, proxies: list[str], says: str) -> None:
    with pytest.raises(TrustError, match=says):
        parse_trust(public, proxies, local_admin=True)


def test_a_named_origin_shows_only_pages_with_nothing_to_tap() -> None:
    origin = "http://homeassistant.local:8123"
    client = app_of(parse_trust("", [], local_admin=True, framed_by=[origin])).test_client()
    for path, framed in (("/tv", True), ("/overlay", True), ("/", False), ("/seat/1", False)):
        policy = client.get(path).headers["Content-Security-Policy"]
        assert (f"frame-ancestors {origin}" in policy) is framed, path
        assert ("frame-ancestors 'none'" in policy) is not framed, path
