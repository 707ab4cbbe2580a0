"""What stops strangers, other sites and haste."""

import http.client

import pytest
from flask import Flask
from flask.testing import FlaskClient

from table_assist.cli.main import main
from tests.stages.visitor import PHONE, Visitor
from tests.stages.web_fakes import FakeTable
from web import create_app, finish
from web.access import guard
from web.access.guard import POSTS_AT_ONCE, POSTS_PER_MINUTE, TOKEN_HEADER
from web.access.limits import LONGEST_DELAY_S, MOST_KNOWN, Delays, Limiter, origin_of
from web.access.roles import Role, declared, require
from web.serve import Serving
from web.setup.calibrate import create_calibrate_app
from web.setup.enrol import create_enrol_app


def test_every_endpoint_declares_a_role(app: Flask) -> None:
    assert {name for name, role in declared(app).items() if role is None} == set()


def test_an_app_with_an_undeclared_endpoint_does_not_start(app: Flask) -> None:
    app.add_url_rule("/extra", "extra", lambda: "open")
    with pytest.raises(RuntimeError, match="declare no role: extra"):
        finish(app)


# Who may use what, written down a second time: a change is a change here, too.
ROLES = {
    "static": Role.TELEVISION,
    "api.table": Role.TELEVISION,
    "api.description": Role.TELEVISION,
    "stream.stream": Role.TELEVISION,
    "api.seals": Role.SEAT,
    "api.tell": Role.SEAT,
    "api.opening": Role.SEAT,
    "api.object": Role.SEAT,
    "api.birds": Role.SEAT,
    "api.draw": Role.SEAT,
    "api.seats": Role.SCORER,
    "api.picture": Role.SEAT,
    "api.evidence": Role.SEAT,
    "api.evidence_picture": Role.SEAT,
    "api.evidence_crop": Role.SEAT,
    "api.preview": Role.SEAT,
    "api.answer": Role.SEAT,
    "api.win": Role.SEAT,
    "api.ready": Role.SEAT,
    "api.pass": Role.SEAT,
    "api.treasure": Role.SEAT,
    "api.undo": Role.SCORER,
    "api.start": Role.SCORER,
    "api.end": Role.SCORER,
    "api.game": Role.SEAT,
    "api.accept": Role.SEAT,
    "api.withdraw": Role.SEAT,
    "api.name": Role.SEAT,
    "api.clock": Role.SEAT,
    "api.learn": Role.SEAT,
    "clock.clock": Role.TELEVISION,
    "pairing.sit": Role.TELEVISION,
    "evening_page.page": Role.TELEVISION,
    "evening_page.picture": Role.TELEVISION,
    "api.antes": Role.SCORER,
    "api.dealer": Role.SCORER,
    "api.settle": Role.SCORER,
    "api.correct": Role.REFEREE,
    "api.insert": Role.REFEREE,
    "api.rule": Role.REFEREE,
    "verify.page": Role.SEAT,
    "verify.uploaded": Role.SEAT,
    "verify.own": Role.SEAT,
    "pairing.me": Role.TELEVISION,
    "pairing.offer": Role.TELEVISION,
    "pairing.ask": Role.TELEVISION,
    "pairing.state": Role.TELEVISION,
    "pairing.enter": Role.TELEVISION,
    "pairing.leave": Role.TELEVISION,
    "pairing.login": Role.TELEVISION,
    "pairing.waiting": Role.SEAT,
    "pairing.decide": Role.SEAT,
    "pairing.devices": Role.SEAT,
    "pairing.revoke": Role.SEAT,
    "pairing.choose_password": Role.ADMIN,
    "camera_page.page": Role.TELEVISION,
    "camera_page.pair": Role.TELEVISION,
    "camera.state": Role.CAMERA,
    "camera.frame": Role.CAMERA,
    "camera.aim": Role.CAMERA,
    "camera.corners": Role.CAMERA,
    "camera.turn": Role.CAMERA,
    "camera.keep": Role.CAMERA,
    "camera.aim_at_tiles": Role.CAMERA,
    "camera.take_tiles": Role.CAMERA,
}


def test_the_roles_of_the_api_are_these(app: Flask) -> None:
    found = declared(app)
    assert {name: found[name] for name in ROLES} == ROLES
    rooms = ("api.", "pairing.", "stream.", "verify.", "camera")
    own = {name for name in found if name.startswith(rooms)}
    assert own <= set(ROLES)


@pytest.mark.parametrize(
    "header", ["Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via"]
)
def test_a_proxy_on_this_machine_does_not_make_the_network_local(
    serving: Serving, header: str
) -> None:
    def role(headers: dict[str, str]) -> bytes:
        connection = http.client.HTTPConnection("127.0.0.1", serving.port, timeout=30)
        connection.request("GET", "/api/me", headers=headers)
        content = connection.getresponse().read()
        connection.close()
        return content

    assert b'"role":"admin"' in role({})
    assert b'"role":"television"' in role({header: "for=10.0.0.9"})


def test_from_the_network_only_the_television_is_seen(client: FlaskClient) -> None:
    for path, seen in [
        ("/api/table", 200),
        ("/tv", 200),
        ("/api/picture.jpg", 403),
        ("/api/pair/waiting", 403),
        ("/api/devices", 403),
        ("/scorer", 403),
        ("/seat/1", 403),
    ]:
        assert client.get(path, environ_base={"REMOTE_ADDR": PHONE}).status_code == seen, path


def test_one_session_s_token_does_not_fit_another(app: Flask, table: FakeTable) -> None:
    ana, ben = Visitor(app, role=Role.SCORER), Visitor(app, role=Role.SCORER)
    refused = ben.post("/api/end", {}, **{TOKEN_HEADER: ana.token})
    assert (refused.status_code, table.commands) == (403, [])
    assert ana.post("/api/end", {}).status_code == 200


def test_a_stranger_s_token_does_not_fit_the_local_machine(app: Flask) -> None:
    token = Visitor(app, PHONE).token
    assert Visitor(app).post("/api/end", {}, **{TOKEN_HEADER: token}).status_code == 403


@pytest.mark.parametrize("path", ["/api/table", "/api/stream", "/api/picture.jpg"])
def test_another_site_s_page_gets_nothing(client: FlaskClient, path: str) -> None:
    assert client.get(path, headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403


def test_a_link_from_elsewhere_may_open_a_page(client: FlaskClient) -> None:
    assert client.get("/tv", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 200


def test_who_taps_too_fast_is_told_to_wait(app: Flask) -> None:
    app.config["TABLE_POSTS"] = Limiter(POSTS_AT_ONCE, POSTS_PER_MINUTE, lambda: 0.0)
    phone = Visitor(app, role=Role.SCORER)
    posts = range(round(POSTS_AT_ONCE) + 20)
    codes = [phone.post("/api/end", {}).status_code for _ in posts]
    assert codes[: round(POSTS_AT_ONCE)] == [200] * round(POSTS_AT_ONCE)
    assert codes[-1] == 429


def test_pages_may_run_no_scripts_but_their_own_files(client: FlaskClient) -> None:
    policy = client.get("/tv").headers["Content-Security-Policy"]
    parts = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert parts["default-src"] == "'none'"
    assert parts["script-src"] == parts["style-src"] == parts["connect-src"] == "'self'"
    assert parts["frame-ancestors"] == parts["base-uri"] == parts["form-action"] == "'none'"
    assert "unsafe" not in policy


def test_a_page_asks_for_the_phone_s_camera_only_where_it_says_so(table: FakeTable) -> None:
    app = create_app(table)

    def camera() -> str:
        return "a page"

    declared_page = guard.uses("camera")(camera)
    app.add_url_rule("/looks", "looks", require(Role.TELEVISION)(declared_page))
    client = app.test_client()
    none = "camera=(), microphone=(), geolocation=()"
    assert client.get("/tv").headers["Permissions-Policy"] == none
    assert client.get("/nowhere").headers["Permissions-Policy"] == none
    own = client.get("/looks").headers["Permissions-Policy"]
    assert own == "camera=(self), microphone=(), geolocation=()"
    with pytest.raises(ValueError, match="no features of a phone: bluetooth"):
        guard.uses("bluetooth")


def test_a_limiter_remembers_only_so_many() -> None:
    limit = Limiter(1, 1, lambda: 0.0)
    for number in range(MOST_KNOWN + 10):
        limit.take(str(number))
    assert len(limit._left) == MOST_KNOWN


def test_each_wrong_try_doubles_the_wait() -> None:
    now = [0.0]
    delays = Delays(lambda: now[0])
    waits = []
    for _ in range(14):
        delays.failed("a")
        waits.append(delays.wait_s("a"))
    assert waits[:6] == [0, 0, 1, 2, 4, 8]
    assert waits[-1] == LONGEST_DELAY_S
    assert delays.wait_s("b") == 0
    delays.passed("a")
    assert delays.wait_s("a") == 0


def test_one_household_of_ipv6_is_one_sender() -> None:
    assert origin_of("2001:db8:1:2:3:4:5:6") == origin_of("2001:db8:1:2::9") == "2001:db8:1:2::/64"
    assert origin_of("::ffff:10.0.0.1") == "10.0.0.1"
    assert origin_of("nonsense") == "nonsense"


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2", "::1", "localhost"])
def test_pages_without_roles_are_served_to_this_machine(host: str) -> None:
    guard.only_here(host)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "", "192.168.1.7", "table.local"])
@pytest.mark.parametrize("command", [["calibrate", "--config", "table.toml"], ["enrol", "x", "y"]])
def test_pages_without_roles_are_never_served_to_the_network(
    command: list[str], host: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*command, "--host", host]) == 2
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert "for this machine alone" in line


def test_no_app_without_roles_is_made_for_the_network() -> None:
    for create in (create_calibrate_app, create_enrol_app):
        with pytest.raises(guard.NetworkRefusedError, match=r"0\.0\.0\.0"):
            create(None, "0.0.0.0")  # type: ignore[arg-type]
