"""What pages of one browser share, and what a browser may withhold: the table goes on."""

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Page, Route, expect

from table_assist.game.events import ClockSet
from tests.stages.web_fakes import Evening, FakeTable, opened
from web.serve import Serving


@pytest.fixture
def table() -> FakeTable:
    return FakeTable()


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


def test_a_browser_that_forbids_pages_to_talk_shows_the_table(serving: Serving, page: Page) -> None:
    page.add_init_script("BroadcastChannel = class { constructor() { throw new Error(); } }")
    page.goto(f"{serving.url}tv")
    expect(page.locator("body:not(.connecting)")).to_have_count(1)


def test_a_lost_first_answer_of_the_clock_is_asked_for_again(
    serving: Serving, page: Page, table: FakeTable
) -> None:
    table.publish(opened(Evening()).do(ClockSet(round_s=600, running=True)).snapshot())
    page.route("**/api/clock", lambda route: route.abort(), times=1)
    page.goto(f"{serving.url}tv")
    expect(page.locator("#clock li")).to_have_count(1)


@pytest.mark.parametrize(
    "withheld",
    [
        "indexedDB.open = () => ({})",
        "HTMLCanvasElement.prototype.toBlob = (done) => setTimeout(() => done(null), 5)",
        "Object.defineProperty(window, 'sessionStorage', { get() { throw new Error(); } })",
    ],
)
def test_a_picture_is_kept_or_shrunk_where_the_browser_can_and_sent_all_the_same(
    serving: Serving, page: Page, withheld: str
) -> None:
    page.add_init_script(withheld)
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


@pytest.mark.parametrize(("share", "end"), [(0.4, 0), (0.97, 0), (1, 255), (1, 0)])
def test_a_file_that_ends_too_early_is_no_new_picture_with_grey_or_white_in_it(
    serving: Serving, page: Page, share: float, end: int
) -> None:
    tiles = np.random.default_rng(0).integers(0, 100, (90, 120, 3), np.uint8)
    tiles[-20:] |= np.uint8(end)  # as Firefox fills it
    whole = cv2.imencode(".jpg", tiles)[1].tobytes()
    file = [*whole[: int(len(whole) * share)], 0xFF, 0xD9]
    page.goto(f"{serving.url}worth")
    is_as_it_was = page.evaluate(
        """file => import("/static/photo_send.js").then(async ({ shrunk }) => {
          const picture = new Blob([new Uint8Array(file)]);
          return (await shrunk(picture)) === picture;
        })""",
        file,
    )
    assert is_as_it_was == (share < 1 or end == 255)  # the table's machine looks at it


def test_a_proxy_s_refusal_that_cannot_succeed_is_said_once(serving: Serving, page: Page) -> None:
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
