"""The desk on a phone: folded, and open where somebody waits."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from flask import Flask
from playwright.sync_api import Browser, expect
from sqlalchemy import insert
from sqlalchemy.exc import OperationalError

from table_assist.club.hub.database import calls, open_base
from table_assist.club.hub.intake import Sent
from table_assist.club.wire import Batch
from table_assist.trust.installation import key_of_secret, new_secret
from tests.stages.club_season import season
from web.club.app import close_club_app, create_club_app
from web.serve import serve

pytestmark = pytest.mark.usefixtures("counted")


@pytest.fixture
def url(tmp_path: Path) -> Iterator[tuple[str, Flask]]:
    hub = create_club_app(open_base(str(tmp_path / "club.sqlite")))
    season(hub, 2, 1, 1)
    serving = serve(hub, port=0)
    yield serving.url, hub
    serving.close()
    close_club_app(hub)


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "zh"])
def test_parts_are_folded_on_a_phone_and_a_call_opens_its_own(
    browser: Browser, url: tuple[str, Flask], language: str
) -> None:
    address, hub = url
    page = browser.new_page(viewport={"width": 390, "height": 844})
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(f"{address}desk?lang={language}")
    parts, opened = page.locator(".desk > details"), page.locator(".desk > details[open]")
    expect(page.locator("#tables-list > li")).to_have_count(2)
    expect(opened).to_have_count(0)
    root = "document.documentElement"
    assert page.evaluate(f"{root}.scrollHeight") < 2000
    assert page.evaluate(f"{root}.scrollWidth") <= 390
    due = {"en": "Next: end round 1, when it is played", "zh": "下一步：打完后结束第 1 轮"}
    expect(page.locator("#next")).to_have_text(due[language])
    assert page.locator(".main:not(.quiet):visible").count() == 1  # the one green button
    assert Axe().run(page).response["violations"] == []
    page.locator("#next").click()
    expect(page.locator("[data-part=rounds]")).to_have_attribute("open", "")
    page.locator("[data-part=rounds] > summary").click()
    with hub.extensions["base"].begin() as connection:
        given = {"key": "c" * 32, "table_id": 1, "reason": "late", "at": time.time()}
        connection.execute(insert(calls).values(**given, going="", done=0))
    expect(opened).to_have_count(1)
    expect(opened.locator("summary b")).to_have_text("1")
    expect(opened.locator("#calls")).to_contain_text("late")
    opened.locator("summary").click()
    with page.expect_response("**/api/desk"):
        pass
    with page.expect_response("**/api/desk"):
        pass
    expect(opened).to_have_count(0)  # who folds it has seen it
    page.set_viewport_size({"width": 1280, "height": 900})
    expect(opened).to_have_count(parts.count())
    assert complaints == []
    page.close()


@pytest.mark.slow
def test_what_is_wrong_is_seen_where_the_database_is_away(
    browser: Browser, url: tuple[str, Flask], monkeypatch: pytest.MonkeyPatch
) -> None:
    address, hub = url
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(f"{address}desk")
    expect(page.locator("#tables-list > li")).to_have_count(2)
    expect(page.locator("#no-alarms")).to_be_visible()

    def away(*_: object, **__: object) -> None:
        raise OperationalError("SELECT 1", None, Exception("away"))

    monkeypatch.setattr(hub.extensions["base"], "connect", away)
    table = key_of_secret(new_secret()).public
    waiting = hub.extensions["collector"].bring(Sent(table, Batch("0" * 32, 1, 0)))
    assert isinstance(waiting.exception(20), OperationalError)
    said = "The database does not take what tables send: away"
    expect(page.locator("#wrong")).to_contain_text(said)
    expect(page.locator("#no-alarms")).to_be_hidden()
    expect(page.locator("#tables-list > li")).to_have_count(2)  # what was known stays
    page.close()
