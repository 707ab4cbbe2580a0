"""Kongs, the chase and the last tile told on a phone, in a real browser: what the page must ask."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from table_assist.game.events import HandTold, LastTilePassed, WallExhausted
from table_assist.game.outcome import end_of_hand
from table_assist.live.live_table import LiveTable
from table_assist.tiles.tile import Tile, parse_tiles
from tests.stages.device import device
from tests.web.test_photo import PHONE, ask_of, table_of
from web import create_app
from web.serve import serve


@contextmanager
def served(browser: Browser, table: LiveTable) -> Iterator[tuple[Page, str]]:
    """A phone at the table."""
    table.start()
    serving = serve(create_app(table), port=0)
    try:
        with device(browser, PHONE, "en-GB", touched=True) as context:
            page = context.new_page()
            complaints: list[str] = []
            page.on("pageerror", lambda error: complaints.append(str(error)))
            yield page, serving.url
            assert not complaints
    finally:
        serving.close()
        table.stop()


def begin(page: Page, url: str, who: str) -> None:
    page.goto(f"{url}photo")
    page.locator("#whose button", has_text=who).tap()


def record(page: Page, url: str) -> None:
    expect(page.locator("#worth .send")).to_be_enabled()
    page.locator("#worth .send").tap()
    page.wait_for_url(url)


@pytest.mark.slow
def test_whose_tile_a_kong_has_and_which_kong_a_discard_followed_are_asked(
    browser: Browser, tmp_path: Path
) -> None:
    table = table_of(tmp_path, "wanzhou")
    with served(browser, table) as (page, url):
        begin(page, url, "Bo")
        page.locator("#take .kong").tap()
        page.locator("#pad .face[data-key='8s']").tap()
        ask_of(page, "Who deals").get_by_role("button", name="Ann").tap()
        whose = ask_of(page, "Who discarded the tile of the kong")
        expect(whose).to_be_visible()
        expect(page.locator("#worth .send")).to_be_disabled()
        whose.get_by_role("button", name="Chen").tap()
        record(page, url)
        begin(page, url, "Bo")
        page.locator("#take .kong").tap()
        page.locator("#pad .face[data-key='2p']").tap()
        page.locator(".meld").nth(1).get_by_role("button", name="concealed").tap()
        record(page, url)
        told = table.snapshot.state.told[0]
        assert told.claimed_from == (2, None), "what was said before is not asked again"
        begin(page, url, "Du")
        page.locator("#take .by-hand").tap()
        for tile in parse_tiles("234m456p789p44m23s4s"):
            page.locator(f"#pad .face[data-key='{tile}']").tap()
        page.locator("[data-group=hand] .piece").last.tap()
        page.get_by_role("button", name="From Bo").tap()
        page.get_by_role("button", name="The discard after a kong").tap()
        which = ask_of(page, "After which kong")
        expect(which).to_be_visible()
        expect(page.locator("#worth .send")).to_be_disabled()
        which.get_by_role("button", name="8 bamboo").tap()
        record(page, url)
        ended = end_of_hand(table.snapshot.state)
        assert (ended.winners, ended.laid, ended.final) == ((3,), (-2, 6, -2, -2), True)


@pytest.mark.slow
def test_the_chase_and_a_last_tile_that_all_left_are_told_of_a_drawn_hand(
    browser: Browser, tmp_path: Path
) -> None:
    for rules, asked, answer in (
        ("tianjin", "Anything special", "In the first round"),
        ("changsha", "Or did all four leave it", "Chen"),
    ):
        table = table_of(tmp_path, rules)
        with served(browser, table) as (page, url):
            begin(page, url, "Bo")
            page.locator("#take .drawn").tap()
            ask_of(page, "Who deals").get_by_role("button", name="Du").tap()
            if rules == "tianjin":
                ask_of(page, "Who drew").get_by_role("button", name="Ann").tap()
            page.locator("#asks .ask", has_text=asked).get_by_role("button", name=answer).tap()
            page.locator("#asks .send").tap()
            page.wait_for_url(url)
            events = [entry.event for entry in table.entries()]
            end = next(event for event in events if isinstance(event, WallExhausted))
            passed = [event.seat for event in events if isinstance(event, LastTilePassed)]
            if rules == "tianjin":
                assert end.transfers == (1, 1, 1, -3)
                assert any(isinstance(event, HandTold) and event.chased for event in events)
            else:
                assert (passed, end.dealer_next) == ([3, 0, 1, 2], 3)


def test_no_flower_begins_a_kong(browser: Browser, tmp_path: Path) -> None:
    with served(browser, table_of(tmp_path, "classical")) as (page, url):
        begin(page, url, "Bo")
        page.locator("#take .kong").tap()
        expect(page.locator("#pad .face[data-key='1f']")).to_be_disabled()
        page.locator("#pad .face[data-key='9p']").tap()
        expect(page.locator(".meld img[data-tile='9p']")).to_have_count(4)


def test_a_page_that_is_opened_as_the_network_goes_stands_once_it_is_back(
    browser: Browser, tmp_path: Path
) -> None:
    with served(browser, table_of(tmp_path, "changsha")) as (page, url):
        page.route("**/api/table", lambda route: route.abort())
        page.goto(f"{url}photo")
        expect(page.locator("#problem")).to_contain_text("waits here")
        page.unroute("**/api/table")
        page.locator("#whose button", has_text="Bo").tap()
        expect(page.locator("#take .by-hand")).to_be_visible()
        expect(page.locator("#problem")).to_be_empty()


@pytest.mark.slow
def test_a_rush_is_told_as_it_lies_with_a_tile_too_few(browser: Browser, tmp_path: Path) -> None:
    """Nothing was drawn: thirteen tiles lie there, and the treasure that is named is the last."""
    table = table_of(tmp_path, "changchun")
    with served(browser, table) as (page, url):
        begin(page, url, "Bo")
        page.locator("#take .by-hand").tap()
        page.locator("#pad .sets").get_by_role("button", name="Chow").tap()
        for tile in parse_tiles("1m999p456s78s22s"):
            page.locator(f"#pad .face[data-key='{tile}']").tap()
        page.get_by_role("button", name="the treasure completes it").tap()
        ask_of(page, "Who deals").get_by_role("button", name="Ann").tap()
        expect(page.get_by_role("button", name="Ready was declared")).to_have_attribute(
            "aria-pressed", "true"
        )
        ask_of(page, "Which tile names the treasure").locator("[data-face='8s']").tap()
        expect(page.locator("#worth .rows")).to_contain_text("Straight to the Treasure")
        record(page, url)
        ended = end_of_hand(table.snapshot.state)
        assert (ended.winners, ended.final) == ((1,), True)
        (told,) = table.snapshot.state.told
        assert told.winning_tile is Tile.S9
        assert "treasure_rush" in told.circumstances
