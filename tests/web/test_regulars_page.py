"""Who plays here: shown to who was let in; exported and deleted by oneself, or by the scorer."""

import json

import pytest
from flask import Flask
from playwright.sync_api import Browser, expect

from table_assist.club.hub.people import read_players
from table_assist.record.regulars import Regular, Regulars, RegularsService
from tests.stages.drawn_hands import serious
from tests.stages.repository_tool import free_port
from tests.stages.visitor import HERE, OTHER, PHONE, Visitor
from tests.stages.web_fakes import Evening, FakeTable, with_history
from tests.web.test_pairing import let_in
from web import create_app
from web.serve import serve

NOTHING = {"colour": 0, "language": "", "large": False, "strong": False, "still": False}


@pytest.fixture
def desk() -> RegularsService:
    found = RegularsService(Regulars())
    for name in ("Ana", "Ben", "Zoe"):
        found.kept.keep(Regular(name))
    return found


@pytest.fixture
def app(desk: RegularsService) -> Flask:
    return create_app(FakeTable(with_history(Evening()).snapshot()), regulars=desk)


@pytest.fixture
def ben(app: Flask) -> Visitor:
    phone = Visitor(app, PHONE)
    let_in(Visitor(app, HERE), phone, {"role": "seat", "seat": 1})
    return phone


def names(answer: object) -> list[str]:
    return [each["name"] for each in answer.json["regulars"]]


def test_a_player_sees_exports_and_deletes_the_own_alone(
    app: Flask, ben: Visitor, desk: RegularsService
) -> None:
    desk.kept.forget("Ben", now=1.0)
    assert ben.post("/api/regulars/seat/1", {**NOTHING, "voice": True}).json["me"]["voice"]
    assert names(ben.get("/api/regulars.json")) == ["Ben"]
    assert "Ana" not in ben.get("/regulars?lang=en").text
    assert ben.post("/api/regulars/forget", {"name": "Ana"}).status_code == 403
    assert ben.post("/api/regulars/seat/0", {**NOTHING, "voice": True}).status_code == 403
    assert ben.get("/api/regulars/seat/7").status_code == 403
    assert ben.post("/api/regulars/forget", {"name": "BEN"}).status_code == 200
    assert [each.name for each in desk.kept.all()] == ["Ana", "Zoe"]
    stranger = {"name": "Ben", "me": None, "elsewhere": False}
    assert ben.get("/api/regulars/seat/1").json == stranger
    kept = ben.post("/api/regulars/seat/1", {**NOTHING, "large": True, "voice": True})
    assert kept.json["me"]["large"]
    assert kept.json["me"]["since"] > 0, "what was played before is not counted again"


def test_the_scorer_exports_and_deletes_anybody_and_hands_names_to_a_club(
    app: Flask, desk: RegularsService
) -> None:
    scorer = Visitor(app, HERE)
    assert names(scorer.get("/api/regulars.json")) == ["Ana", "Ben", "Zoe"]
    listed = read_players(scorer.get("/api/regulars.csv").text)
    assert listed == [("Ana", "ana", False), ("Ben", "ben", False), ("Zoe", "zoe", False)]
    desk.kept.keep(Regular("=1+1"))
    text = scorer.get("/api/regulars.csv").get_data(as_text=True)
    assert text.startswith("\ufeff")
    assert "'=1+1" in text
    assert scorer.post("/api/regulars/forget", {"name": "Zoe"}).status_code == 200
    assert scorer.post("/api/regulars/forget", {"name": "Zoe"}).status_code == 404


def test_a_stranger_sees_nobody_and_a_player_no_club_list(app: Flask, ben: Visitor) -> None:
    stranger = Visitor(app, OTHER)
    for path in ("/regulars", "/api/regulars.json", "/api/regulars/seat/0"):
        assert stranger.get(path).status_code == 403
    assert ben.get("/api/regulars.csv").status_code == 403
    assert json.loads(stranger.get("/api/regulars/colours").text) == {"colours": [0, 0, 0, 0]}


def test_a_colour_that_two_want_stays_the_seats(app: Flask, desk: RegularsService) -> None:
    for name, colour in (("Ana", 3), ("Ben", 3), ("Dai", 5)):
        desk.kept.keep(Regular(name, colour=colour))
    assert Visitor(app, HERE).get("/api/regulars/colours").json["colours"] == [0, 0, 0, 5]


@pytest.mark.parametrize(("size", "language"), [((390, 844), "zh"), ((1280, 800), "en")])
def test_the_page_is_read_by_everybody_and_deletes_at_the_second_tap(
    browser: Browser, app: Flask, desk: RegularsService, size: tuple[int, int], language: str
) -> None:
    serving = serve(app, port=free_port())
    context = browser.new_context(viewport={"width": size[0], "height": size[1]})
    page = context.new_page()
    page.goto(f"{serving.url}regulars?lang={language}")
    expect(page.locator(".regular h2")).to_have_text(["Ana", "Ben", "Zoe"])
    assert serious(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator("[data-name=Zoe]").press("Enter")
    assert len(desk.kept.all()) == 3
    page.locator("[data-name=Zoe]").press("Enter")
    expect(page.locator(".regular h2")).to_have_text(["Ana", "Ben"])
    serving.close()
