"""A name can be said by anybody: what is kept of somebody is for the phone that proves it.

Attackers here have a phone that was let in under somebody else's name, or what such a phone sent.
"""

from collections.abc import Callable

import pytest
from flask import Flask

from table_assist.record.regulars import Regular, Regulars, RegularsService
from tests.stages.visitor import HERE, Visitor
from tests.stages.web_fakes import Evening, FakeTable, with_history
from tests.web.test_pairing import let_in
from web import create_app
from web.pages.regulars_page import REGULAR_COOKIE

Phones = Callable[[int], Visitor]

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
def phone(app: Flask) -> Phones:
    """Another phone at a seat; whoever sat there before is out."""
    numbers = iter(range(20, 90))

    def sit(seat: int) -> Visitor:
        found = Visitor(app, f"192.168.1.{next(numbers)}")
        let_in(Visitor(app, HERE), found, {"role": "seat", "seat": seat})
        return found

    return sit


def remember(client: Visitor, seat: int) -> int:
    return client.post(f"/api/regulars/seat/{seat}", CHOSEN).status_code


def exported(client: Visitor) -> list[str]:
    return [each["name"] for each in client.get("/api/regulars.json").json["regulars"]]


def test_another_phone_under_the_same_name_sees_changes_and_deletes_nothing(
    phone: Phones, desk: RegularsService
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
    phone: Phones, app: Flask
) -> None:
    ana = phone(ANA)
    assert remember(ana, ANA) == 200
    let_in(Visitor(app, HERE), ana, {"role": "seat", "seat": BEN})
    assert exported(ana) == ["Ana"]
    assert remember(ana, BEN) == 200, "a phone that a family shares is both"
    assert sorted(exported(ana)) == ["Ana", "Ben"]


def test_a_request_that_was_copied_without_the_secret_is_refused(phone: Phones, app: Flask) -> None:
    ana = phone(ANA)
    remember(ana, ANA)
    thief = Visitor(app, ana.environ["REMOTE_ADDR"])  # same address, session and page's token
    name = app.extensions["sessions"].cookie
    session = ana.client.get_cookie(name)
    thief.client.set_cookie(name, session.value)
    assert exported(thief) == []
    assert thief.post("/api/regulars/forget", {"name": "Ana"}).status_code == 403
    thief.client.set_cookie(REGULAR_COOKIE, "guessed." * 50)
    assert exported(thief) == []


def test_a_deletion_that_is_sent_again_deletes_nobody_who_came_after(
    phone: Phones, app: Flask, desk: RegularsService
) -> None:
    ana = phone(ANA)
    remember(ana, ANA)
    old = ana.client.get_cookie(REGULAR_COOKIE).value
    assert ana.post("/api/regulars/forget", {"name": "Ana"}).status_code == 200
    remember(ana, ANA)
    thief = Visitor(app, ana.environ["REMOTE_ADDR"])
    name = app.extensions["sessions"].cookie
    thief.client.set_cookie(name, ana.client.get_cookie(name).value)
    thief.client.set_cookie(REGULAR_COOKIE, old)  # the whole request of before, secret and all
    assert thief.post("/api/regulars/forget", {"name": "Ana"}).status_code == 403
    assert desk.kept.find("Ana") is not None


def test_the_secret_is_for_no_script_and_kept_as_a_hash_alone(
    phone: Phones, app: Flask, tmp_path
) -> None:
    app.extensions["regulars"] = RegularsService(Regulars(tmp_path / "regulars.sqlite"))
    ana = phone(ANA)
    remember(ana, ANA)
    kept = ana.client.get_cookie(REGULAR_COOKIE)
    assert kept.http_only
    assert kept.same_site == "Strict"
    assert kept.value.encode() not in (tmp_path / "regulars.sqlite").read_bytes()


def test_who_is_kept_without_a_proof_is_nobodys(phone: Phones, desk: RegularsService) -> None:
    desk.kept.keep(Regular("Ana", colour=3))  # as a file of before has it
    first = phone(ANA)
    assert exported(first) == []
    assert remember(first, ANA) == 403
