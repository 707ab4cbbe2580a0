"""The sources for streaming software, each at its own size, in a real browser."""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.stages.faded import serious
from tests.stages.web_fakes import Evening, FakeTable, opened, played, settled, with_history, won
from tests.stages.web_scenes import table_of
from tests.stages.web_scenes import won as has_won
from tests.web.test_browser_views import PICTURES
from web.pages.pages import SOURCES, OverlaySource
from web.serve import Serving

pytestmark = pytest.mark.slow
LONG = ("Maximiliane", "Wilhelmina", "欧阳修文", "Bartholomew")


@pytest.fixture
def table() -> FakeTable:
    evening = won(played(opened(with_history(Evening()), hand=6)), "2p 1s")
    return FakeTable(replace(settled(evening).snapshot(), names=LONG))


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(locale="en-GB", viewport={"width": 1280, "height": 900})
    yield context.new_page()
    context.close()


def test_the_page_makes_addresses_for_a_delay(page: Page, serving: Serving) -> None:
    page.goto(serving.url + "obs")
    expect(page.locator("h1")).to_have_text("Sources for OBS")
    page.fill("#delay", "20")
    page.keyboard.press("Enter")
    expect(page.locator("article")).to_have_count(len(SOURCES))
    addresses = page.locator("article a").evaluate_all("(all) => all.map((a) => a.href)")
    assert [re.sub(r"^http://[^/]*", "", each) for each in addresses] == [
        "/overlay?delay=20",
        "/overlay?show=scores&delay=20",
        "/overlay?show=now&delay=20",
        "/overlay?show=win&delay=20",
    ]
    assert serious(page) == []
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=PICTURES / "obs.png")
    page.goto(addresses[1])
    page.wait_for_timeout(300)
    assert page.locator("body.connecting").count() == 1, "nothing is shown before it is due"


@pytest.mark.parametrize("source", SOURCES, ids=lambda each: each.part)
@pytest.mark.parametrize("rules", ["changsha", "changchun"])
def test_what_a_source_shows_fits_into_it(
    page: Page, serving: Serving, table: FakeTable, source: OverlaySource, rules: str
) -> None:
    if rules == "changchun":
        snapshot = table_of(rules, has_won, seed=3, hands=2).snapshot()
        table.publish(replace(snapshot, names=LONG))
    page.set_viewport_size({"width": source.width, "height": source.height})
    page.goto(f"{serving.url}overlay?show={source.part}&lang=zh")
    expect(page.locator("body:not(.connecting)")).to_have_count(1)
    page.wait_for_timeout(400)
    PICTURES.mkdir(parents=True, exist_ok=True)
    picture = PICTURES / f"obs-{source.part}-{rules}.png"
    page.screenshot(path=picture, omit_background=True)
    shown = page.locator("main > *").evaluate_all(
        "(all) => all.filter((each) => each.offsetParent !== null || each.getClientRects().length)"
        ".map((each) => { const box = each.getBoundingClientRect();"
        " return [box.left, box.top, box.right, box.bottom, each.scrollHeight - each.clientHeight,"
        " each.scrollWidth - each.clientWidth]; })"
    )
    assert len(shown) == (3 if source.part == "all" else 1)
    for left, top, right, bottom, cut_down, cut_right in shown:
        assert left >= 0, source
        assert top >= 0, source
        assert right <= source.width, source
        assert bottom <= source.height, source
        assert max(cut_down, cut_right) <= 1, f"{source} is cut"


def test_an_unknown_part_is_refused(serving: Serving, page: Page) -> None:
    answer = page.request.get(serving.url + "overlay?show=hands")
    assert answer.status == 400
    assert "now, scores, win" in answer.text()
