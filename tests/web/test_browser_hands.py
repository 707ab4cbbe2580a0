"""The hand on the referee's desk is the one that was chosen last, whichever answer comes first."""

import json
import sqlite3
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, Route, expect

from table_assist.game.events import Asked, HandStarted
from table_assist.game.question import QuestionId
from table_assist.languages.words import Words
from table_assist.live.live_table import LiveTable
from table_assist.record.commands import ChangeSeats, EndHand, StartHand
from table_assist.record.evidence import Evidence
from table_assist.record.seal import seal_after
from table_assist.record.store import Store, StoreError
from table_assist.settings.config import Config, LogConfig
from table_assist.vision.pictures.picture import jpeg
from tests.stages.keeping_table import wait_for
from tests.stages.repository_tool import free_port
from tests.stages.web_fakes import Evening, FakeTable, expect_commands, played
from tests.web.conftest import Living, Look
from tests.web.test_browser import PHONE
from tests.web.test_browser import visit as visit
from tests.web.test_honest_evenings import MOVED, ROUND_OVER, table_after
from web import create_app
from web.serve import Serving, serve


def test_a_late_answer_does_not_take_the_chosen_hand_off_the_desk(
    living: Living, page: Page
) -> None:
    table, serving = living
    late: list[Route] = []
    for _ in range(2):
        assert table.submit(StartHand(0)) is None
        assert table.submit(EndHand()) is None
    # The hand that the page opens with.
    page.route("**/api/disputes/2", lambda route: late.append(route))
    with page.expect_request("**/api/disputes/2"):
        page.goto(f"{serving.url}referee")
    with page.expect_response("**/api/disputes/1"):
        page.locator("#hands").select_option("1")
    file = page.locator("#file")
    expect(file).to_have_attribute("href", "/api/disputes/1/file")
    with page.expect_response("**/api/disputes/2"):
        late[0].continue_()
    page.evaluate("new Promise(requestAnimationFrame)")
    expect(page.locator("#hands")).to_have_value("1")
    expect(file).to_have_attribute("href", "/api/disputes/1/file")
    # Nor does a list that was asked for before the choice.
    page.unroute("**/api/disputes/2")
    lists: list[Route] = []
    page.route("**/api/disputes", lambda route: lists.append(route))
    page.locator("#refresh").click()
    page.route("**/api/disputes/2", lambda route: lists.append(route))
    page.locator("#hands").select_option("2")
    wait_for(lambda: page.evaluate("true") and len(lists) == 2)
    page.unroute("**/api/disputes/2")
    for route in lists:
        with page.expect_response(route.request.url):
            route.continue_()
    expect(file).to_have_attribute("href", "/api/disputes/2/file")
    expect(page.locator("#hands")).to_have_value("2")


WAIT_MS = 3_000  # as the page has it


def test_a_crop_that_comes_later_is_shown(table: FakeTable, serving: Serving, page: Page) -> None:
    evening = played(Evening())
    evening.do(
        Asked(
            QuestionId.parse("which"),
            Words("Which?", "哪张？"),
            ("7s", "9s"),
            evening.entries[-1].seq,
        )
    )
    table.publish(replace(evening.snapshot(), evidence=((QuestionId.parse("which"), "e7"),)))
    page.clock.install(time=0)
    page.clock.pause_at(1_000)
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    with page.expect_response("**/e7/crop.jpg") as first:
        page.goto(f"{serving.url}scorer")
    assert first.value.status == 204
    crop = page.locator("#asked img.crop")
    expect(crop).to_be_hidden()
    page.wait_for_function("document.querySelector('#asked img.crop').complete")
    page.clock.run_for(WAIT_MS - 100)
    assert sum("crop.jpg" in url for url in asked) == 1, "it is not asked for all the time"
    assert said == [], "where nothing is kept no page complains"
    picture = jpeg(np.full((40, 60, 3), 200, np.uint8))
    table.kept_evidence["e7"] = Evidence("e7", 0.0, picture, "{}", picture)
    page.clock.run_for(200)
    expect(crop).to_be_visible()


_ASKED = {"en": "A new round: who sits where now?", "zh": "新的一圈：现在谁坐哪里？"}
_FIRST = {"en": "Where Ana sat", "zh": "Ana原来的座位"}
LOST = "Failed to load resource: net::ERR_FAILED"
FINGER = 40  # px: high enough to be hit


@pytest.mark.parametrize("language", ["en", "zh"])
def test_people_say_where_they_sit_now(visit: Look, language: str) -> None:
    here = visit(PHONE)
    page = here.page
    if language == "zh":
        page.locator("#language").select_option("zh")
    here.table.publish(table_after(*ROUND_OVER))
    form = page.locator("#seating")
    expect(form).to_be_visible()
    expect(page.locator("#before .words")).to_have_text(_ASKED[language])
    expect(form.locator(".stakes span").first).to_have_text(_FIRST[language])
    for select in form.locator("select").all():
        box = select.bounding_box()
        assert box is not None
        assert box["height"] >= FINGER
    for place, player in enumerate(("2", "0", "1")):
        form.locator(".stakes select").nth(place).select_option(player)
    form.locator("[name=east]").select_option("2")
    form.locator("button").click()
    expect_commands(here.table, ChangeSeats((2, 0, 1, 3), 2))
    here.table.publish(table_after(*ROUND_OVER, MOVED))
    expect(form).to_be_hidden()
    # The scores went along: Ana lost 10, Ben won 30, wherever they sit.
    expect(page.locator("#scores b")).to_have_text(["−10", "−10", "30", "−10"])
    assert here.complaints == []


def test_a_part_of_the_page_that_did_not_come_is_fetched_again(visit: Look) -> None:
    """The program may be away for a moment: it begins again with other settings."""
    here = visit()
    for part in ("keys", "before"):
        here.page.route(f"**/{part}.js", lambda route: route.abort(), times=1)
    here.table.publish(table_after(*ROUND_OVER))
    here.page.reload()
    expect(here.page.locator("#before")).to_be_visible()
    expect(here.page.locator("#keys")).to_be_visible()
    assert {each.split(" (")[0] for each in here.complaints} <= {LOST}, "no script failed"


def test_a_second_tap_after_a_lost_answer_starts_no_second_hand_and_says_so(
    living: Living, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, serving = living
    keys = []

    def lose(route: Route) -> None:
        keys.append(route.request.headers["idempotency-key"])
        if len(keys) == 1:
            route.fetch()  # it arrives, and the answer does not come back
            route.abort()
        else:
            route.continue_()

    page.route("**/api/end", lose)
    page.goto(f"{serving.url}scorer")
    page.locator("#keys .seats button").first.click()
    end = page.locator("#keys .end")
    expect(end).to_be_visible()
    line = page.locator("#line")
    post = 'import("/static/ask.js").then((ask) => ask.post("/api/end", {}))'
    assert page.evaluate(post)["error"]
    assert page.evaluate(post)["before"] is True
    expect(line).to_have_text("This was already done the first time.")
    assert keys[0] == keys[1]
    assert sum(isinstance(e.event, HandStarted) for e in table.entries()) == 1
    # A log that cannot be written is on every page until it can be.
    append = Store.append

    def full(self: Store, entries: object) -> None:
        raise StoreError("the log x cannot be written: disk is full", "disk is full")

    monkeypatch.setattr(Store, "append", full)
    start = 'import("/static/ask.js").then((ask) => ask.post("/api/start", { seat: 1 }))'
    assert page.evaluate(start)["saved"] is False
    expect(line).to_contain_text("not saved (disk is full)")
    monkeypatch.setattr(Store, "append", append)
    assert page.evaluate(start)["before"] is True
    expect(line).not_to_contain_text("not saved")
    assert sum(isinstance(e.event, HandStarted) for e in table.entries()) == 2


def rewrite(log: Path, begins: bool = False) -> None:
    """The owner of the machine changes an entry, the first one's time too, and every seal after."""
    database = sqlite3.connect(log, isolation_level=None)
    seal = ""
    rows = database.execute("SELECT seq, line FROM entries ORDER BY seq").fetchall()
    for seq, line in rows:
        changed = line.replace('"dealer":1', '"dealer":2')
        if begins and seq == 1:
            changed = json.dumps(json.loads(changed) | {"t": 1.5}, separators=(",", ":"))
        seal = seal_after(seal, changed)
        values = (changed, seal, seq)
        database.execute("UPDATE entries SET line = ?, seal = ? WHERE seq = ?", values)
    database.execute("UPDATE head SET seal = ?", (seal,))
    database.close()


def test_a_phone_keeps_the_seals_and_finds_a_rewritten_log(page: Page, tmp_path: Path) -> None:
    log, port = tmp_path / "log.sqlite", free_port()
    for run in ("honest", "again", "rewritten", "from its first entry on"):
        table = LiveTable(Config(log=LogConfig(str(log))), camera=None, reader=None)
        table.start()
        serving = serve(create_app(table), port=port)
        try:
            if run == "honest":
                for dealer in (0, 1, 2):
                    assert table.submit(StartHand(dealer)) is None
                    assert table.submit(EndHand()) is None
            page.goto(f"{serving.url}scorer")
            line = page.locator("#seals")
            if run == "rewritten":
                expect(line).to_contain_text("The record was rewritten: hand 2 had the seal")
            elif run.startswith("from"):
                said = "This is another record than this evening’s: hand 3 had the seal"
                expect(line).to_contain_text(said)
            else:
                expect(line).to_contain_text("this device keeps: 3. The record agrees")
                seal = table.hand_seals()[1][-1].seal[:16]
                expect(line).to_contain_text(f"Hand 3: {seal}")
        finally:
            page.goto("about:blank")
            serving.close()
            table.stop()
        if run == "again":
            rewrite(log)
        elif run == "rewritten":
            rewrite(log, begins=True)
