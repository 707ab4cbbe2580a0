"""A name can be said by anybody: what is kept of somebody is for the phone that proves it.

Attackers here have a phone that was let in under somebody else's name, or what such a phone sent.
"""

import re
from collections.abc import Callable

import pytest
from flask import Flask
from playwright.sync_api import Browser, BrowserContext, expect

from table_assist.regulars.kept import Regular, Regulars
from table_assist.regulars.service import RegularsService
from tests.stages.free_port import free_port
from tests.stages.web_fakes import NAMES, Evening, FakeTable, with_history
from tests.web.test_pairing import HERE, let_in
from tests.web.test_pairing import Browser as Client
from web import create_app
from web.access.pairing_sessions import COOKIE as SESSION
from web.access.proofs import COOKIE
from web.serve import serve

CHOSEN = {
    "colour": 0, "language": "", "large": True, "strong": False, "still": False, "voice": False,
}  # fmt: skip
ANA, BEN = 0, 1


@pytest.fixture
def desk() -> RegularsService:
    return RegularsService(Regulars())


@pytest.fixture
def table() -> FakeTable:
    return FakeTable(with_history(Evening()).snapshot())


@pytest.fixture
def app(desk: RegularsService, table: FakeTable) -> Flask:
    return create_app(table, regulars=desk)


@pytest.fixture
def phone(app: Flask) -> Callable[[int], Client]:
    """Another phone at a seat; whoever sat there before is out."""
    numbers = iter(range(20, 90))

    def sit(seat: int) -> Client:
        found = Client(app, {"REMOTE_ADDR": f"192.168.1.{next(numbers)}"})
        let_in(Client(app, HERE), found, {"role": "seat", "seat": seat})
        return found

    return sit


def remember(client: Client, seat: int) -> int:
    return client.post(f"/api/regulars/seat/{seat}", CHOSEN).status_code


def exported(client: Client) -> list[str]:
    return [each["name"] for each in client.get("/api/regulars.json").json["regulars"]]


def claim(client: Client) -> str:
    [found] = client.get("/api/regulars/asked").json["others"]
    return str(found["claim"])


def confirm(client: Client, id: str, *, yes: bool = True) -> int:
    return client.post("/api/regulars/confirm", {"claim": id, "yes": yes}).status_code


def state(client: Client) -> str:
    return str(client.get("/api/regulars/asked").json["own"]["state"])


def test_another_phone_under_the_same_name_sees_changes_and_deletes_nothing(
    phone: Callable[[int], Client], desk: RegularsService
) -> None:
    ana = phone(ANA)
    assert remember(ana, ANA) == 200
    other = phone(ANA)
    assert exported(other) == []
    page = other.get("/regulars?lang=en").text
    assert "is remembered with another phone" in page
    assert "data-name" not in page, "nothing to delete"
    nothing = {"name": "Ana", "me": None, "elsewhere": True}
    assert other.get(f"/api/regulars/seat/{ANA}").json == nothing
    assert remember(other, ANA) == 403
    assert other.post("/api/regulars/forget", {"name": "Ana"}).status_code == 403
    assert other.post("/api/regulars/only", {"name": "Ana"}).status_code == 403
    assert desk.kept.find("Ana") == Regular("Ana", desk.kept.find("Ana").since, large=True)


def test_the_phone_that_remembered_is_known_wherever_its_player_sits(
    phone: Callable[[int], Client], app: Flask
) -> None:
    ana = phone(ANA)
    assert remember(ana, ANA) == 200
    let_in(Client(app, HERE), ana, {"role": "seat", "seat": BEN})
    assert exported(ana) == ["Ana"]
    assert remember(ana, BEN) == 200, "a phone that a family shares is both"
    assert sorted(exported(ana)) == ["Ana", "Ben"]


def test_a_request_that_was_copied_without_the_secret_is_refused(
    phone: Callable[[int], Client], app: Flask
) -> None:
    ana = phone(ANA)
    remember(ana, ANA)
    thief = Client(app, ana.environ)  # same address, session and page's token
    session = ana.client.get_cookie(SESSION)
    thief.client.set_cookie(SESSION, session.value)
    assert exported(thief) == []
    assert thief.post("/api/regulars/forget", {"name": "Ana"}).status_code == 403
    thief.client.set_cookie(COOKIE, "guessed." * 50)
    assert exported(thief) == []


def test_a_deletion_that_is_sent_again_deletes_nobody_who_came_after(
    phone: Callable[[int], Client], app: Flask, desk: RegularsService
) -> None:
    ana = phone(ANA)
    remember(ana, ANA)
    old = ana.client.get_cookie(COOKIE).value
    assert ana.post("/api/regulars/forget", {"name": "Ana"}).status_code == 200
    remember(ana, ANA)
    thief = Client(app, ana.environ)
    thief.client.set_cookie(SESSION, ana.client.get_cookie(SESSION).value)
    thief.client.set_cookie(COOKIE, old)  # the whole request of before, secret and all
    assert thief.post("/api/regulars/forget", {"name": "Ana"}).status_code == 403
    assert desk.kept.find("Ana") is not None


def test_the_secret_is_for_no_script_and_kept_as_a_hash_alone(
    phone: Callable[[int], Client], app: Flask, tmp_path
) -> None:
    app.extensions["regulars"] = RegularsService(Regulars(tmp_path / "regulars.sqlite"))
    ana = phone(ANA)
    remember(ana, ANA)
    kept = ana.client.get_cookie(COOKIE)
    assert kept.http_only
    assert kept.same_site == "Strict"
    assert kept.value.encode() not in (tmp_path / "regulars.sqlite").read_bytes()


def test_who_comes_with_a_new_phone_is_known_when_two_others_or_the_desk_say_so(
    phone: Callable[[int], Client], app: Flask
) -> None:
    remember(phone(ANA), ANA)
    ben, third = phone(BEN), phone(2)
    new = phone(ANA)
    assert new.post("/api/regulars/take", {}).status_code == 409
    number = new.post("/api/regulars/ask", {}).json["number"]
    assert ben.get("/api/regulars/asked").json["others"][0]["number"] == number
    id = claim(ben)
    assert confirm(new, id) == 409, "nobody confirms the own claim"
    assert confirm(ben, id) == 200
    assert (confirm(ben, id), state(new)) == (200, "waiting"), "one confirms once"
    assert confirm(third, id) == 200
    assert state(new) == "granted"
    assert new.post("/api/regulars/take", {}).status_code == 200
    assert new.post("/api/regulars/take", {}).status_code == 409, "once"
    assert exported(new) == ["Ana"]
    newer = phone(ANA)
    newer.post("/api/regulars/ask", {})
    here = Client(app, HERE)
    assert confirm(here, claim(here)) == 200
    assert newer.post("/api/regulars/take", {}).status_code == 200
    assert newer.post("/api/regulars/only", {"name": "ANA"}).status_code == 200
    let_in(here, new, {"role": "seat", "seat": 3})
    assert (exported(newer), exported(new)) == (["Ana"], [])


def test_a_cheat_with_a_second_phone_does_not_confirm_twice(
    phone: Callable[[int], Client], app: Flask, table: FakeTable
) -> None:
    remember(phone(ANA), ANA)
    second, cheat = phone(BEN), phone(ANA)
    cheat.post("/api/regulars/ask", {})
    id = claim(second)
    assert confirm(second, id) == 200
    table.publish(Evening(start=table.snapshot.t + 60).snapshot())
    let_in(Client(app, HERE), second, {"role": "seat", "seat": 2})  # the same phone moves on
    assert confirm(second, id) == 409, "it came after the question"
    third = phone(3)
    assert confirm(third, id) == 409
    assert state(cheat) == "waiting"


def test_one_no_is_a_no(phone: Callable[[int], Client]) -> None:
    remember(phone(ANA), ANA)
    ben, third = phone(BEN), phone(2)
    cheat = phone(ANA)
    cheat.post("/api/regulars/ask", {})
    id = claim(ben)
    assert confirm(ben, id, yes=False) == 200
    assert confirm(third, id) == 409
    assert state(cheat) == "refused"
    assert cheat.post("/api/regulars/take", {}).status_code == 409


def test_who_is_kept_without_a_proof_is_nobodys_until_others_say_so(
    phone: Callable[[int], Client], desk: RegularsService, app: Flask
) -> None:
    desk.kept.keep(Regular("Ana", colour=3))  # as a file of before has it
    first = phone(ANA)
    assert exported(first) == []
    assert remember(first, ANA) == 403
    first.post("/api/regulars/ask", {})
    here = Client(app, HERE)
    confirm(here, claim(here))
    assert first.post("/api/regulars/take", {}).status_code == 200
    assert exported(first) == ["Ana"]
    assert desk.kept.find("Ana").colour == 3


@pytest.mark.parametrize(
    ("size", "language", "yes"),
    [((390, 844), "zh", "是 Ana"), ((844, 390), "en", "Yes, it is Ana")],
)
def test_the_pages_lead_from_a_new_phone_to_what_is_kept(
    browser: Browser,
    desk: RegularsService,
    app: Flask,
    size: tuple[int, int],
    language: str,
    yes: str,
) -> None:
    desk.kept.keep(Regular("Ana"))
    serving = serve(app, port=free_port())
    phones = [_phone(browser, app, serving.url, seat, size) for seat in range(3)]
    pages = [each.new_page() for each in phones]
    ana = pages[0]
    ana.goto(f"{serving.url}seat/0?lang={language}")
    ana.locator("#eyes summary").click()
    expect(ana.locator("#eyes .remember")).to_be_hidden()
    expect(ana.locator("#eyes .empty")).to_contain_text("Ana")
    for page in pages:
        page.goto(f"{serving.url}regulars?lang={language}")
    ana.locator(".claim .ask").click()
    expect(ana.locator(".claim .told")).to_contain_text(re.compile(r"\d{4}"))
    number = re.search(r"\d{4}", ana.locator(".claim .told").inner_text())[0]
    expect(ana.locator(".claim .ask")).to_be_hidden()
    for page in pages[1:]:
        expect(page.locator("#asks p").first).to_contain_text(number)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.get_by_role("button", name=yes).click()
        expect(page.locator("#asks section")).to_have_count(0)
    expect(ana.locator(".forget")).to_have_attribute("data-name", "Ana")
    expect(ana.locator(".claim")).to_have_count(0)
    for each in phones:
        each.close()
    serving.close()


def _phone(
    browser: Browser, app: Flask, url: str, seat: int, size: tuple[int, int]
) -> BrowserContext:
    context = browser.new_context(viewport={"width": size[0], "height": size[1]})
    token = app.extensions["sessions"].sit(seat, NAMES[seat], since=0.0)
    context.add_cookies([{"name": SESSION, "value": token, "url": url}])
    return context
