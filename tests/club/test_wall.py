"""The hall's television and overlays: what is late is late, what is stale says so."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Browser, Route, expect
from sqlalchemy import insert, select, update
from sqlalchemy.exc import OperationalError

from table_assist.club.hub.database import calls, open_base, tables
from table_assist.club.hub.desk import start
from table_assist.club.hub.intake import Sent
from table_assist.club.wire import Batch
from table_assist.trust.installation import key_of_secret, new_secret
from tests.stages.club_table import season
from tests.stages.visitor import violations
from web.club import hall_pages
from web.club.app import close_club_app, create_club_app
from web.club.hall_pages import RESULTS
from web.serve import serve

pytestmark = pytest.mark.usefixtures("counted")


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[Flask]:
    made = create_club_app(open_base(str(tmp_path / "club.sqlite")))
    yield made
    close_club_app(made)


def score(app: Flask, table: int, points: int) -> None:
    """The table shows something else now."""
    with app.extensions["base"].begin() as connection:
        query = select(tables.c.view).where(tables.c.id == table)
        view = json.loads(connection.execute(query).scalar_one())
        view["scores"] = [points, -points, 0, 0]
        now = {"view": json.dumps(view), "changed": int(time.time() * 1000), "seen": time.time()}
        connection.execute(update(tables).where(tables.c.id == table).values(**now))


def test_a_table_is_shown_as_late_as_the_hub_is_asked(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    season(app)
    client = app.test_client()
    assert client.get("/api/table/1").get_json()["table"]["view"]["scores"] == [4, 0, -4, 0]
    until = time.monotonic() + 10
    while client.get("/api/table/1?delay=1").get_json()["table"] is None:
        assert time.monotonic() < until, "nothing is ever old enough"
        time.sleep(0.1)
    changed = time.monotonic()
    score(app, 1, 50)
    while (shown := client.get("/api/table/1?delay=1").get_json()["table"])["view"]["scores"][
        0
    ] == 4:
        assert time.monotonic() < until + 5
        time.sleep(0.02)
    assert shown["view"]["scores"] == [50, -50, 0, 0]
    assert time.monotonic() - changed > 0.9
    assert client.get("/api/table/1?delay=9999").status_code == 400
    assert client.get("/api/table/99?delay=5").get_json()["table"] is None
    monkeypatch.setattr(hall_pages, "MOST_KEPT", 1)
    assert client.get("/api/table/1?delay=5").status_code == 200, "it is kept already"
    assert client.get("/api/table/2?delay=5").status_code == 503
    assert client.get("/overlay/99").status_code == 404
    app.extensions["viewers"].end_all()


def test_the_latest_great_hand_is_one_of_the_dearest_tenth(app: Flask) -> None:
    made, client = season(app, 3, 2, 4), app.test_client()
    hands = client.get("/api/great").get_json()["hands"]
    points = []
    for place in client.get(f"/api/standings/{made.session}").get_json()["players"]:
        own = client.get(f"/api/player/{place['player']}").get_json()
        points += [each["points"] for each in own["won"]]
    least = sorted(points, reverse=True)[max(1, len(points) // 10) - 1]
    assert all(each["points"] >= least and each["tiles"] and each["name"] for each in hands)
    assert hands == sorted(hands, key=lambda each: -each["t"])


def test_the_last_results_are_those_of_every_table_won_or_drawn(app: Flask) -> None:
    season(app, 3, 2, 4)
    found = app.test_client().get("/api/results").get_json()
    hands = found["hands"]
    assert len(hands) == RESULTS
    assert hands == sorted(hands, key=lambda each: -each["t"])
    assert all(sum(each["points"] for each in hand["moved"]) == 0 for hand in hands)
    assert {hand["table"] for hand in hands} == {"Table 1", "Table 2", "Table 3"}
    assert found["great"]["name"]


NUMBERS = """[...document.querySelectorAll('#result .num')].map((each) => {
  const range = document.createRange();
  range.selectNodeContents(each);
  return [each.textContent, range.getClientRects().length, each.getBoundingClientRect().right];
})"""
SMALLEST = """Math.min(...[...document.querySelectorAll('#result *')]
  .filter((each) => each.innerText && each.checkVisibility())
  .map((each) => parseFloat(getComputedStyle(each).fontSize)))"""


@pytest.mark.slow
@pytest.mark.parametrize(("language", "times"), [("zh", 1), ("en", 234_567)])
def test_a_great_hand_is_a_scene_that_adds_up_and_nothing_of_it_is_cut_off(
    browser: Browser, hub: Flask, language: str, times: int
) -> None:
    season(hub, 2, 1, 2)
    serving = serve(hub, port=0)
    page = browser.new_page()

    def grown(route: Route) -> None:
        found = route.fetch().json()
        found["great"]["points"] *= times
        for each in found["great"]["moved"]:
            each["points"] *= times
            each["name"] += "-Bartholomew the Elder of the North" if times > 1 else ""
        route.fulfill(json=found)

    page.route("**/api/results", grown)
    page.goto(f"{serving.url}wall?lang={language}")
    result = page.locator("#result")
    expect(page.locator("#great .again")).to_be_visible()
    expect(result).to_be_hidden()
    for width, height in ((1280, 720), (1920, 1080), (3840, 2160), (1080, 1920)):
        page.set_viewport_size({"width": width, "height": height})
        page.locator("#great .again").dispatch_event("click")
        expect(result).to_be_visible()
        page.wait_for_function("document.querySelector('#result').style.cssText.includes('scale')")
        fits = "e => e.scrollHeight <= e.clientHeight && e.scrollWidth <= e.clientWidth"
        assert result.evaluate(fits), (width, height)
        assert page.evaluate(SMALLEST) >= min(width, height) / 48, "read from three metres"
        for number, lines, right in page.evaluate(NUMBERS):
            assert lines == 1, f"{number} breaks at {width}"
            assert right <= width
    moved = [
        int(each.inner_text().replace("−", "-").replace("\u202f", "").replace(",", ""))
        for each in result.locator(".paid > ul .num").all()
    ]
    assert sum(moved) == 0 < max(moved)
    assert violations(page, "#result") == []
    page.locator("#great .again").dispatch_event("click")
    expect(result).to_be_visible()
    result.dispatch_event("click")
    expect(result).to_be_hidden()
    page.unroute_all(behavior="ignoreErrors")  # what is under way when it closes is nobody's error
    page.close()
    serving.close()


@pytest.mark.slow
def test_every_hand_that_ends_is_a_scene_and_those_that_end_at_once_share_one(
    browser: Browser, hub: Flask
) -> None:
    season(hub, 2, 1, 2)
    ended: list[dict[str, Any]] = []

    def more(route: Route) -> None:
        found = route.fetch().json()
        ended[:] = ended or [found["great"]]
        route.fulfill(json=found | {"hands": [*ended[1:], *found["hands"]]})

    serving = serve(hub, port=0)
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.clock.install()
    page.route("**/api/results", more)
    page.goto(f"{serving.url}wall?lang=en")
    alone, together = page.locator("#result"), page.locator("#results")
    expect(page.locator("#great .again")).to_be_visible()

    def look_again() -> None:
        with page.expect_response("**/api/results"):
            page.clock.fast_forward(5_000)
        page.clock.run_for(1_100)

    look_again()
    expect(alone).to_be_hidden()  # what ended before the page was opened is no news
    nobody = {name: ended[0][name] for name in ("table", "hand", "t", "moved")}
    ended.append(nobody | {"entry": 9001, "winner": None})
    look_again()
    expect(alone.locator("h2")).to_contain_text("Nobody won")
    expect(alone.locator(".laid")).to_be_hidden()
    expect(alone.locator(".paid > ul li")).to_have_count(4)
    ended.extend(ended[0] | {"entry": 9002 + n, "points": 1} for n in range(6))
    page.clock.fast_forward(10_000)
    look_again()
    expect(alone).to_be_hidden()
    expect(together).to_be_hidden()  # the tables are in view between two scenes
    page.clock.fast_forward(12_000)
    page.clock.run_for(1_100)
    expect(together.locator("li")).to_have_count(6)
    fits = "e => e.scrollHeight <= e.clientHeight && e.scrollWidth <= e.clientWidth"
    for width, height in ((1280, 720), (3840, 2160), (1080, 1920)):
        page.set_viewport_size({"width": width, "height": height})
        page.clock.run_for(1_100)
        assert together.evaluate(fits), (width, height)
        small = page.evaluate(SMALLEST.replace("#result ", "#results "))
        assert small >= min(width, height) / 48, "read from three metres"
    assert violations(page, "#results") == []
    page.unroute_all(behavior="ignoreErrors")
    page.close()
    serving.close()


@pytest.mark.slow
def test_the_wall_turns_its_pages_and_says_when_it_is_stale(browser: Browser, hub: Flask) -> None:
    season(hub, 10, 1, 2)
    start(hub.extensions["base"], hub.extensions["hub_key"], 50, "Ada")
    serving = serve(hub, port=0)
    page = browser.new_page(viewport={"width": 1920, "height": 1080})
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(f"{serving.url}wall?lang=en")
    cards = page.locator("#wall > li")
    expect(cards).to_have_count(5)  # two pages of five
    expect(page.locator("#page")).to_have_text("1 / 2")
    expect(page.locator("#clock")).to_contain_text("49:")
    expect(page.locator("#great")).to_contain_text("Player")
    assert violations(page) == []
    sizes = page.evaluate(
        "[...document.querySelectorAll('#main *')].filter(e => e.innerText && !e.hidden)"
        ".map(e => parseFloat(getComputedStyle(e).fontSize))"
    )
    assert min(sizes) >= 23, "read from five metres"
    root = "document.documentElement"
    assert page.evaluate(f"{root}.scrollHeight <= 1080 && {root}.scrollWidth <= 1920")
    port = serving.port
    serving.close()
    expect(page.locator("#stale")).to_be_visible(timeout=15_000)
    again = create_club_app(hub.extensions["base"])
    serving = serve(again, port=port)
    score(again, 1, 77)
    expect(page.locator("#stale")).to_be_hidden(timeout=15_000)
    expect(page.locator("#wall")).to_contain_text("+77", timeout=15_000)
    with again.extensions["base"].begin() as connection:
        connection.execute(update(tables).where(tables.c.id == 1).values(seen=time.time() - 60))
    expect(page.locator("#wall .quiet")).to_contain_text("not heard of", timeout=30_000)
    overlay = browser.new_page()
    overlay.goto(f"{serving.url}overlay/1?lang=zh")
    expect(overlay.locator("#seats")).to_contain_text("+77")
    ground = "getComputedStyle(document.body).backgroundColor"
    assert overlay.evaluate(ground) == "rgba(0, 0, 0, 0)"
    assert complaints == []
    page.close()
    overlay.close()
    serving.close()
    close_club_app(again)


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
    assert violations(page) == []
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
