"""The referee's desk in a real browser, on a real table's log."""

import json
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from table_assist.game.events import Penalised, Settled
from table_assist.live.live_table import LiveTable
from table_assist.record.dispute.file import read_dispute
from table_assist.record.dispute.verify import verify
from table_assist.record.store import Store
from table_assist.settings.config import Config, LogConfig, RulesConfig, SeatsConfig
from tests.evidence.dispute.test_dispute import evening, won
from tests.stages.drawn_hands import serious
from web import create_app
from web.serve import Serving, serve

TIMEOUT_MS = 30_000
NAMES = ("Ana", "Ben", "陈德", "Dai")
RULES = "wanzhou"


@dataclass
class Desk:
    table: LiveTable
    serving: Serving
    hand: int

    @property
    def scores(self) -> tuple[int, int, int, int]:
        return self.table.snapshot.state.scores

    def get(self, path: str) -> bytes:
        with urllib.request.urlopen(self.serving.url + path, timeout=30) as answer:
            content: bytes = answer.read()
        return content


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    entries = evening(RULES)
    log = tmp_path / "table-assist.sqlite"
    with Store(log) as store:
        store.append(entries)
    config = Config(rules=RulesConfig(id=RULES), seats=SeatsConfig(NAMES), log=LogConfig(str(log)))
    table = LiveTable(config, camera=None, reader=None)
    table.start()
    serving = serve(create_app(table), port=0)
    yield Desk(table, serving, won(entries))
    serving.close()
    table.stop()


@pytest.fixture
def page(browser: Browser, desk: Desk) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, locale="en-GB")
    opened = context.new_page()
    opened.set_default_timeout(TIMEOUT_MS)
    complaints: list[str] = []
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.goto(desk.serving.url + "referee")
    expect(opened.locator("#case")).to_be_visible(timeout=TIMEOUT_MS)
    opened.locator("#hands").select_option(str(desk.hand))
    expect(opened.locator("#file")).to_have_attribute("href", f"/api/disputes/{desk.hand}/file")
    yield opened
    assert complaints == []


def until(done: object, what: str) -> None:
    assert callable(done)
    deadline = time.monotonic() + 30
    while not done():
        assert time.monotonic() < deadline, what
        time.sleep(0.02)


def test_a_hand_is_judged_again_with_its_rules_and_its_seal(desk: Desk, page: Page) -> None:
    expect(page.locator("#judged .verdict")).not_to_have_count(0)
    expect(page.locator("#laws dt").first).to_contain_text("WZ-")
    view = json.loads(desk.get(f"api/disputes/{desk.hand}"))
    expect(page.locator("#seal")).to_have_text(f"Seal {view['seal']}")
    settled = next(e for e in view["entries"] if e["type"] == "Settled")
    assert view["total"] == settled["event"]["transfers"]


def test_a_ruling_is_foretold_put_on_record_and_taken_back(desk: Desk, page: Page) -> None:
    before = desk.scores
    form = page.locator("#ruling")
    form.locator("[name=points-1]").fill("-4")
    form.locator("[name=points-0]").fill("3")
    form.locator("[name=reason]").fill("Wrong count")
    form.locator(".see").click()
    expect(form.locator(".told")).to_contain_text("must add up to 0")
    form.locator("[name=points-0]").fill("4")
    form.locator(".see").click()
    expect(form.locator("[type=submit]")).to_be_enabled()
    assert desk.scores == before
    form.locator("[type=submit]").click()
    expect(form.locator(".told")).to_contain_text("on record")
    after = (before[0] + 4, before[1] - 4, before[2], before[3])
    until(lambda: desk.scores == after, f"{desk.scores} should be {after}")
    line = page.locator("#entries button", has_text="Wrong count").first
    line.click()
    dialog = page.locator("#entry")
    expect(dialog.locator(".who")).to_contain_text("admin")
    dialog.locator(".back").click()
    dialog.locator(".sure").click()
    until(lambda: desk.scores == before, "the ruling was not taken back")
    expect(page.locator("#changes li")).to_have_count(2, timeout=TIMEOUT_MS)  # put in, taken back


def test_only_the_ruling_that_was_foretold_is_put_on_record(desk: Desk, page: Page) -> None:
    form = page.locator("#ruling")
    accept = form.locator("[type=submit]")
    form.locator("[name=reason]").fill("Wrong count")
    for seat, points in ((0, "4"), (1, "-4")):
        form.locator(f"[name=points-{seat}]").fill(points)
    late: list[Route] = []
    page.route("**/api/preview", lambda route: late.append(route))
    form.locator(".see").click()
    until(lambda: page.evaluate("true") and bool(late), "it is asked for")
    for seat, points in ((0, "40"), (1, "-40")):
        form.locator(f"[name=points-{seat}]").fill(points)
    with page.expect_response("**/api/preview"):
        late[0].continue_()
    page.evaluate("new Promise((done) => setTimeout(done, 100))")
    expect(accept).to_be_disabled()
    page.unroute("**/api/preview")
    form.locator(".see").click()
    expect(accept).to_be_enabled()
    others = [each for each in page.locator("#hands option").all_text_contents()]
    page.locator("#hands").select_option(next(each for each in others if each != str(desk.hand)))
    expect(page.locator("#file")).not_to_have_attribute("href", f"/api/disputes/{desk.hand}/file")
    expect(accept).to_be_disabled()  # it was foretold of another hand


def test_a_tile_is_put_right_and_the_verdict_changes_before_it_is_decided(
    desk: Desk, page: Page
) -> None:
    before = desk.scores
    page.locator("#entries button", has_text="shows").first.click()
    page.locator("#entry .tiles-of button").first.click()
    faces = page.locator("#picker .suit button")
    expect(faces).not_to_have_count(0)
    from_face = page.locator("#picker [aria-pressed=true]")
    expect(from_face).to_have_count(1)
    faces.locator("visible=true").nth(4).click()
    expect(page.locator("#picker .changes p").first).not_to_have_text("What it would change …")
    assert desk.scores == before


def test_the_file_that_the_desk_gives_is_verified(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "d.zip"
    path.write_bytes(desk.get(f"api/disputes/{desk.hand}/file"))
    findings = verify(read_dispute(path))
    assert all(finding.ok for finding in findings), findings
    assert any("what the rules say" in finding.text.en for finding in findings)


def test_a_ruling_on_an_earlier_hand_stands_with_that_hand(desk: Desk) -> None:
    entries = desk.table.entries()
    ends = [e.seq for e in entries if isinstance(e.event, Settled)]
    view = json.loads(desk.get(f"api/disputes/{desk.hand}"))
    assert view["ends"] in ends
    assert not any(isinstance(e.event, Penalised) for e in entries)


def test_a_hand_that_was_not_played_is_not_found(desk: Desk) -> None:
    for path in ("api/disputes/99", "api/disputes/99/file", "api/evidence/e9999/overlay.jpg"):
        with pytest.raises(urllib.error.HTTPError) as error:
            desk.get(path)
        assert error.value.code == 404
        error.value.close()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_desk_can_be_used_without_seeing_or_pointing(page: Page, language: str) -> None:
    page.goto(f"{page.url.split('?')[0]}?lang={language}")
    expect(page.locator("#case")).to_be_visible(timeout=TIMEOUT_MS)
    assert serious(page) == []
