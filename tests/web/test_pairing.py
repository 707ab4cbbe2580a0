"""Letting phones in: one code for one phone, a person's yes, a session that can be ended."""

import json
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from flask import Flask

from tests.stages.visitor import HERE, OTHER, PHONE, Visitor
from tests.stages.web_fakes import FakeTable
from web import create_app
from web.access.guard import TOKEN_HEADER
from web.access.limits import FREE_FAILURES, Delays, Limiter
from web.access.pairing import (
    ASK_LASTS_S,
    CODE_LASTS_S,
    GRANTS,
    MOST_ASKS,
    MOST_OFFERS,
    Ask,
    Pairing,
    PairingAnswer,
    PairingError,
)
from web.access.pairing_sessions import ADMIN_LASTS_S, PAIRING_COOKIE, PairingSessions
from web.access.roles import LOCAL_VIEWER, STRANGER, Role, Viewer
from web.access.trust import parse_trust
from web.api.pairing_api import ASKS_AT_ONCE, ASKS_PER_MINUTE, EVERYBODY


@pytest.fixture
def desk(app: Flask) -> Visitor:
    return Visitor(app, HERE)


@pytest.fixture
def phone(app: Flask) -> Visitor:
    return Visitor(app, PHONE)


def let_in(desk: Visitor, phone: Visitor, body: dict[str, object]) -> None:
    code = desk.post("/api/pair/offer", body).json["code"]
    phone.post("/api/pair/ask", {"code": code, "name": "Ben's phone"})
    waiting = desk.get("/api/pair/waiting").json["waiting"]
    desk.post("/api/pair/decide", {"request": waiting[-1]["request"], "allow": True})
    assert phone.post("/api/pair/enter", {}).status_code == 200


def test_a_phone_is_let_in_by_scanning_and_one_tap(desk: Visitor, phone: Visitor) -> None:
    offer = desk.post("/api/pair/offer", {"role": "seat", "seat": 1})
    assert offer.json["svg"].startswith("<svg")
    assert offer.json["url"].endswith(f"/pair/{offer.json['code']}")
    asked = phone.post("/api/pair/ask", {"code": offer.json["code"], "name": "Ben's phone"})
    assert asked.json["state"] == "waiting"
    waiting = desk.get("/api/pair/waiting").json["waiting"]
    assert len(waiting) == 1
    assert waiting[0] == {
        "request": waiting[0]["request"],
        "number": asked.json["number"],
        "role": "seat",
        "seat": 1,
        "name": "Ben's phone",
        "address": "192.168.1.20",
        "missing": 0,
        "replaces": False,
    }
    decided = desk.post("/api/pair/decide", {"request": waiting[0]["request"], "allow": True})
    assert decided.status_code == 200
    assert phone.get("/api/pair/state").json["state"] == "allowed"
    assert phone.role() == "television"
    entered = phone.post("/api/pair/enter", {})
    assert entered.json == {"role": "seat", "seat": 1}
    assert phone.get("/api/me").json | {"device": ""} == {
        "role": "seat",
        "seat": 1,
        "name": "Ben's phone",
        "device": "",
        "local": False,
    }


def test_the_session_s_cookie_is_for_the_server_alone(desk: Visitor, phone: Visitor) -> None:
    code = desk.post("/api/pair/offer", {"role": "scorer"}).json["code"]
    phone.post("/api/pair/ask", {"code": code})
    request = desk.get("/api/pair/waiting").json["waiting"][0]["request"]
    desk.post("/api/pair/decide", {"request": request, "allow": True})
    given = phone.post("/api/pair/enter", {}).headers.getlist("Set-Cookie")
    cookie = next(each for each in given if each.startswith(f"{PAIRING_COOKIE}_"))
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert len(cookie.split("=", 1)[1].split(";")[0]) >= 43  # 256 bits in base 64


def test_another_phone_cannot_come_in_on_the_yes(app: Flask, desk: Visitor, phone: Visitor) -> None:
    code = desk.post("/api/pair/offer", {"role": "seat", "seat": 0}).json["code"]
    phone.post("/api/pair/ask", {"code": code})
    thief = Visitor(app, OTHER)
    assert thief.post("/api/pair/ask", {"code": code}).status_code == 409
    request = desk.get("/api/pair/waiting").json["waiting"][0]["request"]
    desk.post("/api/pair/decide", {"request": request, "allow": True})
    assert thief.post("/api/pair/enter", {}).status_code == 409
    assert phone.post("/api/pair/enter", {}).status_code == 200
    assert phone.post("/api/pair/enter", {}).status_code == 409


def test_a_phone_cannot_let_itself_in(app: Flask, desk: Visitor, phone: Visitor) -> None:
    seat = Visitor(app, OTHER)
    let_in(desk, seat, {"role": "seat", "seat": 3})
    code = phone.post("/api/pair/offer", {"role": "seat", "seat": 3}).json["code"]
    phone.post("/api/pair/ask", {"code": code})
    request = desk.get("/api/pair/waiting").json["waiting"][0]["request"]
    assert phone.get("/api/pair/waiting").status_code == 403
    assert seat.get("/api/pair/waiting").json["waiting"] == [], "this table is followed"
    for someone, status in ((phone, 403), (seat, 409)):
        decided = someone.post("/api/pair/decide", {"request": request, "allow": True})
        assert decided.status_code == status
    assert phone.post("/api/pair/enter", {}).status_code == 409
    desk.post("/api/pair/decide", {"request": request, "allow": False})
    assert phone.get("/api/pair/state").json["state"] == "refused"
    assert phone.post("/api/pair/enter", {}).status_code == 409


@pytest.mark.parametrize("role", ["scorer", "referee"])
def test_a_television_shows_codes_for_seats_alone(phone: Visitor, role: str) -> None:
    assert phone.post("/api/pair/offer", {"role": role}).status_code == 403
    assert phone.post("/api/pair/offer", {"role": "seat", "seat": 2}).status_code == 200


def test_nobody_lets_in_its_own_like_or_above(app: Flask, desk: Visitor) -> None:
    for role, grants in GRANTS.items():
        for wanted in grants:
            assert role.includes(wanted) or (role, wanted) == (Role.ADMIN, Role.CAMERA)
            assert role is not wanted
    scorer, phone = Visitor(app, OTHER), Visitor(app, PHONE)
    let_in(desk, scorer, {"role": "scorer"})
    assert scorer.post("/api/pair/offer", {"role": "scorer"}).status_code == 403
    code = desk.post("/api/pair/offer", {"role": "referee"}).json["code"]
    phone.post("/api/pair/ask", {"code": code})
    assert scorer.get("/api/pair/waiting").json["waiting"] == []
    request = desk.get("/api/pair/waiting").json["waiting"][0]["request"]
    refused = scorer.post("/api/pair/decide", {"request": request, "allow": True})
    assert refused.status_code == 409
    assert phone.get("/api/pair/state").json["state"] == "waiting"


@pytest.mark.parametrize(
    "body",
    [
        {"role": "seat"},
        {"role": "scorer", "seat": 1},
        {"role": "admin"},
        {"role": "seat", "seat": 4},
        {},
    ],
)
def test_a_code_for_nothing_is_refused(desk: Visitor, body: dict[str, object]) -> None:
    assert desk.post("/api/pair/offer", body).status_code == 400


def test_a_seat_cannot_let_others_out(app: Flask, desk: Visitor, phone: Visitor) -> None:
    scorer = Visitor(app, OTHER)
    let_in(desk, scorer, {"role": "scorer"})
    let_in(desk, phone, {"role": "seat", "seat": 0})
    device = scorer.get("/api/me").json["device"]
    assert phone.post("/api/devices/revoke", {"device": device}).status_code == 409
    assert scorer.role() == "scorer"
    assert desk.post("/api/devices/revoke", {"device": device}).status_code == 200
    assert scorer.role() == "television"
    assert phone.post("/api/leave", {}).status_code == 200
    assert phone.role() == "television"


def test_where_nobody_follows_two_players_let_a_phone_in_or_its_own_player() -> None:
    pairing = Pairing()
    players = [Viewer(Role.SEAT, seat, "a player", f"phone {seat}") for seat in range(4)]

    def ask() -> Ask:
        return pairing.ask(pairing.offer(Role.SEAT, 3).code, "Dora", "")[0]

    def say(ask: Ask, seat: int, *, allow: bool = True) -> PairingAnswer:
        return pairing.decide(ask.id, players[seat], allow=allow, players=True).answer

    first = ask()
    with pytest.raises(PairingError):  # at a table that is followed it is for the desk
        pairing.decide(first.id, players[0], allow=True)
    assert say(first, 1) is PairingAnswer.WAITING
    with pytest.raises(PairingError):
        say(first, 1)  # a cheat's second tap is no second player
    assert say(first, 2) is PairingAnswer.ALLOWED
    assert say(ask(), 3) is PairingAnswer.ALLOWED
    refused = ask()
    assert say(refused, 1) is PairingAnswer.WAITING
    assert say(refused, 0, allow=False) is PairingAnswer.WAITING, "nobody keeps a phone out alone"
    with pytest.raises(PairingError):
        say(refused, 0)
    assert say(refused, 2, allow=False) is PairingAnswer.REFUSED
    assert say(ask(), 3, allow=False) is PairingAnswer.REFUSED


def test_a_session_survives_a_restart(tmp_path: Path, table: FakeTable) -> None:
    kept = tmp_path / "devices.json"
    first = create_app(table, devices=kept)
    phone = Visitor(first, PHONE)
    let_in(Visitor(first, HERE), phone, {"role": "scorer"})
    name = first.extensions["sessions"].cookie
    cookie = phone.client.get_cookie(name).value
    token = phone.token
    again = Visitor(create_app(table, devices=kept), PHONE)
    again.client.set_cookie(name, cookie)
    assert again.role() == "scorer"
    assert again.token == token
    assert cookie not in kept.read_text()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600


def test_devices_that_cannot_be_read_let_nobody_in(tmp_path: Path) -> None:
    kept = tmp_path / "devices.json"
    cookie = PairingSessions(kept).open(Role.ADMIN, None, "a phone", since=0.0)
    assert PairingSessions(kept).find(cookie).role is Role.ADMIN
    row = json.loads(kept.read_text())
    row["devices"][0]["role"] = "owner"
    kept.write_text(json.dumps(row))
    assert PairingSessions(kept).find(cookie) is None
    assert (tmp_path / "devices.json.broken").exists()
    assert not kept.exists()


def test_a_session_ends_by_itself() -> None:
    now = [0.0]
    sessions = PairingSessions(None, lambda: now[0])
    cookie = sessions.open(Role.ADMIN, None, "a phone", since=0.0)
    device = sessions.find(cookie).device
    now[0] = ADMIN_LASTS_S - 1
    assert sessions.is_open(device)
    now[0] = ADMIN_LASTS_S
    assert sessions.find(cookie) is None
    assert not sessions.is_open(device)
    assert sessions.devices == ()


def test_a_code_and_a_question_grow_old() -> None:
    now = [0.0]
    pairing = Pairing(lambda: now[0])
    old = pairing.offer(Role.SEAT, 0)
    now[0] = CODE_LASTS_S
    with pytest.raises(PairingError, match="too old"):
        pairing.ask(old.code, "", "")
    asked, claim = pairing.ask(pairing.offer(Role.SEAT, 0).code, "", "")
    pairing.decide(asked.id, LOCAL_VIEWER, allow=True)
    assert pairing.state(claim).answer is PairingAnswer.ALLOWED
    now[0] += ASK_LASTS_S
    assert pairing.state(claim) is None
    with pytest.raises(PairingError, match="Nobody has let"):
        pairing.enter(claim)


def test_only_so_many_codes_and_phones_of_one_visitor_wait() -> None:
    pairing = Pairing(lambda: 0.0)
    codes = [pairing.offer(Role.SEAT, 0).code for _ in range(MOST_OFFERS)]
    with pytest.raises(PairingError, match="open already"):
        pairing.offer(Role.SEAT, 0)
    assert pairing.offer(Role.SEAT, 0, "another").code, "of one visitor, not of all"
    for code in codes[:MOST_ASKS]:
        pairing.ask(code, "", "192.0.2.7")
    with pytest.raises(PairingError, match="waiting already"):
        pairing.ask(codes[-1], "", "192.0.2.7")
    pairing.ask(codes[-1], "", "192.0.2.8")
    numbers = {ask.number for ask, _ in pairing.waiting(LOCAL_VIEWER)}
    assert len(numbers) == MOST_ASKS + 1
    assert pairing.waiting(STRANGER) == ()
    assert pairing.waiting(Viewer(Role.SEAT, 1)) == ()


def test_guessing_codes_is_slow(app: Flask, phone: Visitor) -> None:
    app.extensions["asks"] = Limiter(ASKS_AT_ONCE, ASKS_PER_MINUTE, lambda: 0.0)
    codes = [phone.post("/api/pair/ask", {"code": f"guess{n}"}).status_code for n in range(12)]
    assert codes[0] == 409
    assert codes[-1] == 429


def test_the_admin_comes_in_from_the_network_by_the_password(
    app: Flask, desk: Visitor, phone: Visitor
) -> None:
    assert phone.post("/api/admin/login", {"password": "tortoise and hare"}).status_code == 409
    assert desk.post("/api/admin/password", {"password": "short"}).status_code == 400
    assert desk.post("/api/admin/password", {"password": "tortoise and hare"}).status_code == 200
    assert phone.post("/api/admin/login", {"password": "tortoise or hare"}).status_code == 403
    assert phone.role() == "television"
    assert phone.post("/api/admin/login", {"password": "tortoise and hare"}).status_code == 200
    assert phone.role() == "admin"
    # Chosen on the table's own machine alone; who came in by the old one is out.
    assert phone.post("/api/admin/password", {"password": "another password"}).status_code == 403
    assert desk.post("/api/admin/password", {"password": "another password"}).status_code == 200
    assert phone.role() == "television"


def test_the_password_is_kept_as_argon2id(tmp_path: Path) -> None:
    kept = tmp_path / "devices.json"
    sessions = PairingSessions(kept)
    sessions.set_password("tortoise and hare")
    text = kept.read_text()
    assert "$argon2id$" in text
    assert "tortoise" not in text
    assert PairingSessions(kept).is_password("tortoise and hare")
    assert not PairingSessions(kept).is_password("tortoise and hair")
    assert not PairingSessions(None).is_password("")


def test_many_guesses_at_once_gain_nothing(app: Flask, desk: Visitor, phone: Visitor) -> None:
    app.extensions["logins"] = Delays(lambda: 0.0)
    desk.post("/api/admin/password", {"password": "tortoise and hare"})

    def guess(n: int) -> int:
        said = {"password": f"guess {n}"}
        return Visitor(app, PHONE).post("/api/admin/login", said).status_code

    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(guess, range(20)))
    assert answers.count(403) == FREE_FAILURES
    assert answers.count(429) == 20 - FREE_FAILURES
    for who, status in ((PHONE, 429), (OTHER, 200)):  # not even the right one while it waits
        right = Visitor(app, who).post("/api/admin/login", {"password": "tortoise and hare"})
        assert right.status_code == status


def test_strangers_do_not_delay_the_machine_itself(table: FakeTable) -> None:
    app = create_app(table, trust=parse_trust("", [], local_admin=False))
    app.extensions["sessions"].set_password("tortoise and hare")
    delays = app.extensions["logins"]
    for _ in range(10):
        delays.failed(EVERYBODY)
    right = {"password": "tortoise and hare"}
    assert Visitor(app, PHONE).post("/api/admin/login", right).status_code == 429
    assert Visitor(app, HERE).post("/api/admin/login", right).status_code == 200


def test_who_comes_through_something_on_this_machine_does_not_delay_it(table: FakeTable) -> None:
    """The attack: guesses through a proxy that nobody named come from the machine's own address."""
    app = create_app(table, trust=parse_trust("", [], local_admin=False))
    app.extensions["logins"] = Delays(lambda: 0.0)
    app.extensions["sessions"].set_password("tortoise and hare")
    through = Visitor(app)
    through.environ["HTTP_VIA"] = "1.1 something"
    for guess in range(6):
        through.post("/api/admin/login", {"password": f"wrong number {guess}"})
    right = {"password": "tortoise and hare"}
    assert through.post("/api/admin/login", right).status_code == 429
    assert Visitor(app, HERE).post("/api/admin/login", right).status_code == 200


def test_a_code_shown_on_the_local_page_leads_phones_to_the_network_s_address(
    table: FakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.access.guard.own_address", lambda: "192.168.1.5")
    desk = Visitor(create_app(table, "0.0.0.0"), HERE)
    offer = desk.client.post(
        "/api/pair/offer",
        json={"role": "seat", "seat": 0},
        base_url="http://127.0.0.1:8000",
        environ_base=desk.environ,
        headers={TOKEN_HEADER: desk.token},
    ).json
    assert offer["url"] == f"http://192.168.1.5:8000/pair/{offer['code']}"
    assert offer["reachable"]


def test_a_table_for_its_own_machine_says_that_no_phone_can_reach_it(desk: Visitor) -> None:
    assert not desk.post("/api/pair/offer", {"role": "seat", "seat": 0}).json["reachable"]
