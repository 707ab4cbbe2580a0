"""What stops strangers, other sites and haste."""

import http.client
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from table_assist.cli.main import main
from table_assist.contract.commands import EndHand, Rule, StartHand
from table_assist.languages.words import Words
from table_assist.live.live_table import LiveTable
from table_assist.record.export import read_log
from table_assist.settings.config import Config, LogConfig
from tests.stages.web_fakes import FakeTable
from web import create_app, finish
from web.access import guard
from web.access.guard import POSTS_AT_ONCE, POSTS_PER_MINUTE, TOKEN_HEADER
from web.access.limits import LONGEST_DELAY_S, MOST_KNOWN, Delays, Limiter, origin_of
from web.access.pairing_sessions import COOKIE
from web.access.roles import Role, Viewer, declared, require, viewer
from web.serve import Serving
from web.setup.calibrate import create_calibrate_app
from web.setup.enrol import create_enrol_app

PHONE = {"REMOTE_ADDR": "192.168.1.20"}


def token_of(client: FlaskClient, address: str = "127.0.0.1") -> str:
    with client.application.test_request_context(
        "/", environ_base={"REMOTE_ADDR": address}, headers={"Cookie": cookies(client)}
    ):
        return guard.token()


def cookies(client: FlaskClient) -> str:
    found = client.get_cookie(COOKIE)
    return f"{COOKIE}={found.value}" if found else ""


def enter(app: Flask, role: Role, seat: int | None = None) -> FlaskClient:
    client = app.test_client()
    client.set_cookie(COOKIE, app.extensions["sessions"].open(role, seat, "a phone", since=0.0))
    return client


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
        assert client.get(path, environ_base=PHONE).status_code == seen, path


def test_one_session_s_token_does_not_fit_another(app: Flask, table: FakeTable) -> None:
    ana, ben = enter(app, Role.SCORER), enter(app, Role.SCORER)
    token = token_of(ana)
    refused = ben.post("/api/end", json={}, headers={TOKEN_HEADER: token})
    assert (refused.status_code, table.commands) == (403, [])
    assert ana.post("/api/end", json={}, headers={TOKEN_HEADER: token}).status_code == 200


def test_a_stranger_s_token_does_not_fit_the_local_machine(client: FlaskClient) -> None:
    token = token_of(client, PHONE["REMOTE_ADDR"])
    sent = client.post("/api/end", json={}, headers={TOKEN_HEADER: token})
    assert sent.status_code == 403


@pytest.mark.parametrize("path", ["/api/table", "/api/stream", "/api/picture.jpg"])
def test_another_site_s_page_gets_nothing(client: FlaskClient, path: str) -> None:
    assert client.get(path, headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403


def test_a_link_from_elsewhere_may_open_a_page(client: FlaskClient) -> None:
    assert client.get("/tv", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 200


def test_who_taps_too_fast_is_told_to_wait(app: Flask) -> None:
    app.config["TABLE_POSTS"] = Limiter(POSTS_AT_ONCE, POSTS_PER_MINUTE, lambda: 0.0)
    phone = enter(app, Role.SCORER)
    token = token_of(phone)
    codes = [
        phone.post("/api/end", json={}, headers={TOKEN_HEADER: token}).status_code
        for _ in range(round(POSTS_AT_ONCE) + 20)
    ]
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


@pytest.fixture
def app() -> Flask:
    app = Flask(__name__)

    @app.get("/who")
    @require(Role.TELEVISION)
    def who() -> str:
        return viewer().by

    @app.get("/desk")
    @require(Role.REFEREE)
    def desk() -> str:
        return "desk"

    return app


def test_a_role_includes_all_below_it_and_none_above() -> None:
    order = [Role.TELEVISION, Role.SEAT, Role.SCORER, Role.REFEREE, Role.ADMIN]
    for place, role in enumerate(order):
        assert [role.includes(other) for other in order] == [
            other <= place for other in range(len(order))
        ]


@pytest.mark.parametrize("other", Role)
def test_a_camera_does_nothing_else_and_nobody_is_one_in_its_place(other: Role) -> None:
    assert Role.CAMERA.includes(other) is (other in (Role.CAMERA, Role.TELEVISION))
    assert other.includes(Role.CAMERA) is (other is Role.CAMERA)


def test_only_a_seat_has_a_seat() -> None:
    with pytest.raises(ValueError, match="has the seat None"):
        Viewer(Role.SEAT)
    with pytest.raises(ValueError, match="has the seat 2"):
        Viewer(Role.SCORER, 2)


@pytest.mark.parametrize("address", ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"])
def test_the_local_machine_is_admin(app: Flask, address: str) -> None:
    answer = app.test_client().get("/who", environ_base={"REMOTE_ADDR": address})
    assert answer.text == "admin"


@pytest.mark.parametrize("address", ["192.168.1.20", "10.0.0.1", "fe80::1", "", "localhost"])
def test_a_stranger_of_the_network_sees_the_television(app: Flask, address: str) -> None:
    client = app.test_client()
    assert client.get("/who", environ_base={"REMOTE_ADDR": address}).text == "television"
    assert client.get("/desk", environ_base={"REMOTE_ADDR": address}).status_code == 403


def test_an_endpoint_without_a_role_is_found(app: Flask) -> None:
    app.add_url_rule("/open", "open", lambda: "open")
    assert declared(app) == {
        "static": Role.TELEVISION,
        "who": Role.TELEVISION,
        "desk": Role.REFEREE,
        "open": None,
    }


HALF = "\ud800"
STRANGER = {"REMOTE_ADDR": "192.0.2.7"}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LiveTable]:
    made = LiveTable(Config(log=LogConfig(str(tmp_path / "log.sqlite"))), camera=None, reader=None)
    made.start()
    yield made
    made.stop()


def post(client: FlaskClient, path: str, body: object, **more: object) -> tuple[int, str]:
    page = client.get("/tv", **more).text  # type: ignore[arg-type]
    token = re.search(r'table-token" content="([^"]+)"', page)
    assert token is not None
    headers = {TOKEN_HEADER: token[1], "Content-Type": "application/json"}
    answer = client.post(path, data=json.dumps(body), headers=headers, **more)  # type: ignore[arg-type]
    return answer.status_code, answer.text


def ruling(reason: str) -> dict[str, object]:
    words = {"en": reason, "zh": reason}
    return {"seat": 0, "irregularity": "", "transfers": [1, -1, 0, 0], "reason": words}


def test_a_ruling_with_half_a_character_does_not_stop_the_table(
    table: LiveTable, tmp_path: Path
) -> None:
    """The attack: one such reason, and nothing was ever saved or answered again."""
    client = create_app(table).test_client()
    assert table.submit(StartHand(0)) is None
    assert post(client, "/api/rule", ruling(f"so {HALF}"))[0] == 400
    assert post(client, "/api/rule", ruling("so 😀"))[0] == 200
    assert post(client, "/api/end", {})[0] == 200
    assert table.session.unsaved is None
    kept = [str(entry.event) for entry in read_log_of(table, tmp_path)]
    assert any("so 😀" in each for each in kept)


def test_no_phone_has_half_a_character_in_its_name(table: LiveTable) -> None:
    client = create_app(table, "0.0.0.0").test_client()
    _, offered = post(client, "/api/pair/offer", {"role": "seat", "seat": 1})
    code = re.search(r"/pair/([\w-]+)", offered) or re.search(r'"code":"([^"]+)"', offered)
    assert code is not None
    asked = post(
        create_app(table, "0.0.0.0").test_client(),
        "/api/pair/ask",
        {"code": code[1], "name": HALF},
        environ_base=STRANGER,
    )
    assert asked[0] == 400


def test_what_cannot_be_written_is_refused_before_it_is_on_record(
    table: LiveTable, tmp_path: Path
) -> None:
    """However it came in: the record takes no entry that would hold up all after it."""
    assert table.submit(StartHand(0)) is None
    words = Words(HALF, HALF)
    assert table.submit(Rule(0, "", (1, -1, 0, 0), words)) is not None
    assert (
        table.submit(Rule(0, "", (1, -1, 0, 0), Words("so", "so")), f"{HALF} (seat 1)") is not None
    )
    assert table.submit(EndHand()) is None
    assert table.session.unsaved is None
    assert table.snapshot.state.scores == (0, 0, 0, 0)
    assert not [each for each in read_log_of(table, tmp_path) if HALF in str(each)]


def read_log_of(table: LiveTable, folder: Path) -> list[object]:
    copy = folder / "copy.sqlite"
    table.copy_log(folder / "log.sqlite", copy)
    return list(read_log(copy))
