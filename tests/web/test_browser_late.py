"""Answers that overtake each other, and pages that change under a finger."""

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import APIResponse, Browser, Page, Route, expect

from table_assist.contract.commands import Correct, EndHand, StartHand
from table_assist.contract.snapshot import SourceHealth
from table_assist.game.events import ClockSet, Discarded
from table_assist.languages.words import Words
from table_assist.live.live_table import LiveTable
from table_assist.settings.config import Config, LogConfig
from table_assist.tiles.tile import Tile
from tests.stages.keeping_table import wait_for
from tests.stages.simavr import device
from tests.stages.web_fakes import Evening, FakeTable, asked, expect_commands, opened
from tests.web.test_photo import PHONE, as_jpeg, photograph, table_of
from web import create_app
from web.serve import Serving, serve

NO_BOARD = SourceHealth("board", "none", Words("No board is set up.", "未设置电路板。"))


@pytest.fixture
def table() -> FakeTable:
    return FakeTable()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(locale="en-GB", viewport={"width": 1280, "height": 800})
    complaints: list[str] = []
    found = context.new_page()
    found.on("pageerror", lambda error: complaints.append(str(error)))
    yield found
    context.close()
    assert complaints == []


def open_page(page: Page, url: str) -> None:
    """Until its scripts have drawn it: before, its buttons do nothing."""
    page.goto(url)
    expect(page.locator("body:not(.connecting)")).to_have_count(1)


def held(page: Page, path: str) -> list[Route]:
    """The requests to a path, which wait until a test lets them go on."""
    found: list[Route] = []
    page.route(path, lambda route: found.append(route))
    return found


def come(page: Page, routes: list[Route], count: int) -> None:
    """Wait until so many have been asked."""
    wait_for(lambda: page.evaluate("true") and len(routes) == count)


def answered(page: Page, path: str, route: Route) -> None:
    """Let it go on, and the page take its answer in."""
    with page.expect_response(path) as found:
        route.continue_()
    found.value.finished()
    page.evaluate("new Promise((done) => setTimeout(done, 100))")


def test_seals_that_come_late_accuse_nobody(browser: Browser, page: Page, tmp_path: Path) -> None:
    """The page asked after one hand, again after two, and the first answer came last."""
    table = LiveTable(Config(log=LogConfig(str(tmp_path / "log.sqlite"))), camera=None, reader=None)
    table.start()
    serving = serve(create_app(table), port=0)
    late: list[tuple[Route, APIResponse]] = []

    def one_is_late(route: Route) -> None:
        if late:
            route.continue_()
        else:
            late.append((route, route.fetch()))

    try:
        for command in (StartHand(0), EndHand()):
            assert table.submit(command) is None
        page.route("**/api/seals", one_is_late)
        open_page(page, f"{serving.url}scorer")
        wait_for(lambda: page.evaluate("true") and bool(late))
        for command in (StartHand(1), EndHand()):
            assert table.submit(command) is None
        line = page.locator("#seals")
        expect(line).to_contain_text("keeps the seals of 2 hands, and the record agrees")
        route, answer = late[0]
        with page.expect_response("**/api/seals"):
            route.fulfill(response=answer)
        page.evaluate("new Promise((done) => setTimeout(done, 100))")
        expect(line).to_contain_text("keeps the seals of 2 hands, and the record agrees")
        expect(line).not_to_have_class("alarm")
    finally:
        page.goto("about:blank")
        serving.close()
        table.stop()


def test_what_a_face_would_change_is_told_of_the_tile_that_is_asked_about(
    page: Page, table: FakeTable, serving: Serving
) -> None:
    evening = opened().do(Discarded(0, Tile.P5)).do(Discarded(1, Tile.S1))
    table.publish(evening.snapshot())
    open_page(page, f"{serving.url}scorer")
    routes = held(page, "**/api/preview")
    picker = page.locator("#picker")
    six = picker.get_by_role("button", name="6 dots")
    for seat in (0, 1):
        page.locator(f"#table .seat[data-seat='{seat}'] .river .tile").click()
        six.click()
        come(page, routes, seat + 1)
        if seat == 0:
            picker.locator(".close").click()
    answered(page, "**/api/preview", routes[0])
    expect(picker.locator(".accept")).to_be_disabled()
    answered(page, "**/api/preview", routes[1])
    picker.locator(".accept").click()
    expect(picker).to_be_hidden()
    expect_commands(table, Correct(evening.entries[-1].seq, Discarded(1, Tile.P6)))


def test_a_correction_that_is_answered_late_closes_no_other_question(
    page: Page, table: FakeTable, serving: Serving
) -> None:
    table.publish(opened().do(Discarded(0, Tile.P5)).do(Discarded(1, Tile.S1)).snapshot())
    open_page(page, f"{serving.url}scorer")
    routes = held(page, "**/api/correct")
    picker = page.locator("#picker")
    page.locator("#table .seat[data-seat='0'] .river .tile").click()
    picker.get_by_role("button", name="6 dots").click()
    picker.locator(".accept").click()
    come(page, routes, 1)
    expect(picker.locator(".accept")).to_be_disabled()  # nobody accepts it twice
    picker.locator(".close").click()
    page.locator("#table .seat[data-seat='1'] .river .tile").click()
    answered(page, "**/api/correct", routes[0])
    expect(picker).to_be_visible()


# A finger that is on its way lands on the first answer as soon as there is one.
EARLY = """() => new MutationObserver((_, watching) => {
  const answer = document.querySelector('#asked .choices button');
  if (answer === null) return;
  watching.disconnect();
  answer.click();
  document.body.classList.add('tapped');
}).observe(document.getElementById('asked'), { childList: true, subtree: true })"""


def test_a_tap_in_the_moment_in_which_a_question_appears_does_not_answer_it(
    page: Page, table: FakeTable, serving: Serving
) -> None:
    table.publish(opened().snapshot())
    open_page(page, f"{serving.url}scorer")
    page.evaluate(EARLY)
    table.publish(asked(opened()).snapshot())
    expect(page.locator("body.tapped")).to_have_count(1)
    answer = page.locator("#asked .choices button").first
    expect(answer).to_be_enabled()
    answer.click()
    wait_for(lambda: page.evaluate("true") and len(table.commands) > 0)
    assert len(table.commands) == 1, "the second tap, and not the first"


def test_a_question_that_is_asked_again_is_on_its_way_to_nobody(
    page: Page, table: FakeTable, serving: Serving
) -> None:
    table.publish(asked(opened()).snapshot())
    open_page(page, f"{serving.url}scorer")
    card = page.locator("#asked")
    card.get_by_role("button", name="8 bamboo").first.click()
    expect(card.locator(".problem")).to_have_text("Sending …")
    table.publish(opened().snapshot())
    expect(card).to_be_hidden()
    table.publish(asked(opened()).snapshot())  # its answer was taken back
    expect(card).to_be_visible()
    expect(card.locator(".problem")).to_be_empty()


def test_who_presses_to_deal_declares_no_win_where_the_hand_begins_under_the_finger(
    page: Page, table: FakeTable, serving: Serving
) -> None:
    table.publish(Evening().snapshot(health=(NO_BOARD,)))
    open_page(page, f"{serving.url}scorer")
    panel = page.locator("#keys")
    expect(panel).to_contain_text("Who is the dealer?")
    panel.get_by_role("button", name="Ben").hover()
    page.mouse.down()
    table.publish(opened().snapshot(health=(NO_BOARD,)))  # another one has pressed already
    expect(panel).to_contain_text("Who declares a win?")
    panel.get_by_role("button", name="Ben").hover()  # wherever it has moved to
    page.mouse.up()
    page.evaluate("new Promise((done) => setTimeout(done, 100))")
    assert table.commands == []


def test_the_code_that_was_asked_for_last_is_shown(
    page: Page, table: FakeTable, serving: Serving
) -> None:
    table.publish(opened().snapshot())
    open_page(page, f"{serving.url}scorer")
    page.locator("#open-phones").click()
    routes = held(page, "**/api/pair/offer")
    for place in (0, 1):
        page.locator("#phones .roles button").nth(place).click()
    come(page, routes, 2)
    for route in reversed(routes):
        answered(page, "**/api/pair/offer", route)
    expect(page.locator("#phones .code b")).to_have_text("Ben")


def test_one_tap_of_each_of_two_hands_declares_no_win(
    page: Page, table: FakeTable, serving: Serving
) -> None:
    table.publish(opened().snapshot())
    open_page(page, f"{serving.url}seat/1")
    win = page.locator("#mine .win")
    win.click()
    expect(win).to_have_text("Tap again: I win")
    table.publish(Evening().snapshot())
    expect(win).to_be_disabled()
    table.publish(opened(hand=2).snapshot())
    win.click()
    expect(win).to_have_text("Tap again: I win")
    assert table.commands == []


@pytest.fixture
def serving(table: FakeTable) -> Iterator[Serving]:
    made = serve(create_app(table), port=0)
    yield made
    made.close()


def test_ten_pages_of_one_browser_live_side_by_side(
    browser: Browser, serving: Serving, table: FakeTable
) -> None:
    context = browser.new_context(locale="en-GB")
    pages = [context.new_page() for _ in range(10)]
    for page in pages:
        page.goto(f"{serving.url}tv")
        expect(page.locator("body:not(.connecting)")).to_have_count(1)
    assert pages[0].evaluate("fetch('/api/me').then(({ status }) => status)") == 200
    for name in ("Zoë", "Yan"):
        table.publish(opened(Evening((name, "Bo", "Chen", "Du"))).snapshot())
        for page in pages:
            expect(page.locator("#scores .name").first).to_have_text(name)
        pages.pop().close()  # which held the stream: another page takes it
    context.close()


def test_a_browser_that_forbids_pages_to_talk_shows_the_table(
    browser: Browser, serving: Serving
) -> None:
    context = browser.new_context(locale="en-GB")
    context.add_init_script("BroadcastChannel = class { constructor() { throw new Error(); } }")
    page = context.new_page()
    page.goto(f"{serving.url}tv")
    expect(page.locator("body:not(.connecting)")).to_have_count(1)
    context.close()


def test_a_lost_first_answer_of_the_clock_is_asked_for_again(
    browser: Browser, serving: Serving, table: FakeTable
) -> None:
    table.publish(opened(Evening()).do(ClockSet(round_s=600, running=True)).snapshot())
    context = browser.new_context(locale="en-GB")
    page = context.new_page()
    page.route("**/api/clock", lambda route: route.abort(), times=1)
    page.goto(f"{serving.url}tv")
    expect(page.locator("#clock li")).to_have_count(1)
    context.close()


@pytest.mark.parametrize(
    "withheld",
    [
        "indexedDB.open = () => ({})",
        "HTMLCanvasElement.prototype.toBlob = (done) => setTimeout(() => done(null), 5)",
        "Object.defineProperty(window, 'sessionStorage', { get() { throw new Error(); } })",
    ],
)
def test_a_picture_is_kept_or_shrunk_where_the_browser_can_and_sent_all_the_same(
    browser: Browser, serving: Serving, withheld: str
) -> None:
    context = browser.new_context(locale="en-GB")
    context.add_init_script(withheld)
    page = context.new_page()
    page.goto(f"{serving.url}tv")
    sent = page.evaluate(
        """() => Promise.all(["wait", "send"].map((each) => import(`/static/photo_${each}.js`)))
          .then(async ([{ keep, kept }, { shrunk }]) => {
            const { session } = await import("/static/store.js");
            const canvas = new OffscreenCanvas(40, 30);
            canvas.getContext("2d").fillRect(0, 0, 40, 30);
            const picture = await canvas.convertToBlob({ type: "image/png" });
            session.set("telling", "a");
            await keep(picture);
            await kept();
            return [(await shrunk(picture)).size > 0, session.get("telling")];
          })"""
    )
    assert sent == [True, "a"]
    context.close()


@pytest.mark.parametrize(("share", "end"), [(0.4, 0), (0.97, 0), (1, 255), (1, 0)])
def test_a_file_that_ends_too_early_is_no_new_picture_with_grey_or_white_in_it(
    browser: Browser, serving: Serving, share: float, end: int
) -> None:
    tiles = np.random.default_rng(0).integers(0, 100, (90, 120, 3), np.uint8)
    tiles[-20:] |= np.uint8(end)  # as Firefox fills it
    whole = cv2.imencode(".jpg", tiles)[1].tobytes()
    file = [*whole[: int(len(whole) * share)], 0xFF, 0xD9]
    page = browser.new_page()
    page.goto(f"{serving.url}worth")
    is_as_it_was = page.evaluate(
        """file => import("/static/photo_send.js").then(async ({ shrunk }) => {
          const picture = new Blob([new Uint8Array(file)]);
          return (await shrunk(picture)) === picture;
        })""",
        file,
    )
    assert is_as_it_was == (share < 1 or end == 255)  # the table's machine looks at it
    page.close()


def test_a_proxy_s_refusal_that_cannot_succeed_is_said_once(
    browser: Browser, serving: Serving
) -> None:
    context = browser.new_context(locale="en-GB")
    page = context.new_page()
    asked: list[Route] = []

    def refuse(route: Route) -> None:
        asked.append(route)
        route.fulfill(status=413, content_type="text/html", body="<h1>Too large</h1>")

    page.route("**/api/photo", refuse)
    page.goto(f"{serving.url}worth")
    said = page.evaluate(
        """import("/static/photo_send.js").then(({ sendPhoto }) =>
          sendPhoto("/api/photo", new Blob(["x"]), () => {}))"""
    )
    assert "client_max_body_size" in said["error"]
    assert len(asked) == 1
    context.close()


PICTURE = {"name": "hand.jpg", "mimeType": "image/jpeg"}
AS_IT_GOES = "addEventListener('pagehide', () => { sessionStorage.inert = document.body.inert; })"


def test_a_picture_taken_as_the_page_is_replaced_is_read(browser: Browser, tmp_path: Path) -> None:
    table = table_of(tmp_path, "changchun")
    table.start()
    first = serve(create_app(table), port=0)
    held: list[Route] = []
    with device(browser, PHONE, "en-GB", touched=True) as context:
        page = context.new_page()
        page.goto(f"{first.url}seat/1")
        expect(page.locator("#mine .won")).to_be_visible()
        # It is kept; the page asks whether the table can be reached, and gets no answer any more.
        page.route("**/api/me", lambda route: route.continue_() if held else held.append(route))
        picture = as_jpeg(photograph("123m456p789s111s2s", "2s"))
        page.locator("#mine .won input").set_input_files({**PICTURE, "buffer": picture})
        while not held:
            page.wait_for_timeout(20)
        first.close()
        second = serve(create_app(table), port=first.port)
        page.wait_for_url("**/photo")
        page.locator("#whose .choices button").first.tap()
        expect(page.locator("#hand .piece").first).to_be_visible()
    second.close()
    table.stop()


def test_a_page_that_is_replaced_takes_no_tap_any_more(browser: Browser, tmp_path: Path) -> None:
    table = table_of(tmp_path, "changchun")
    table.start()
    first = serve(create_app(table), port=0)
    with device(browser, PHONE, "en-GB", touched=True) as context:
        page = context.new_page()
        page.goto(f"{first.url}seat/1")
        expect(page.locator("#mine .won")).to_be_visible()
        token = page.locator("meta[name=table-token]").get_attribute("content") or ""
        page.evaluate(AS_IT_GOES)
        first.close()
        second = serve(create_app(table), port=first.port)
        expect(page.locator("meta[name=table-token]")).not_to_have_attribute("content", token)
        assert page.evaluate("sessionStorage.inert") == "true"
        expect(page.locator("body:not([inert]):not(.connecting)")).to_have_count(1)
    second.close()
    table.stop()
