"""Who learns is told what may be done and why not, as it is ruled and in the sheet's words."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from table_assist.game.events import Discarded
from table_assist.game.offered import offer_now
from table_assist.rules.profile import plain_profile
from table_assist.rules.sheet.sheet import make_sheet
from table_assist.tiles.tile import Tile, parse_tiles
from tests.stages.drawn_hands import serious
from tests.stages.repository_tool import free_port
from tests.stages.web_fakes import Evening, FakeTable, opened, played, settled, won
from tests.stages.web_scenes import mid_hand, table_of
from tests.web.test_photo import table_of as table_of_phones
from web import create_app
from web.api.api import learn_view
from web.serve import serve
from web.view.claims_view import possible_calls


@pytest.mark.parametrize("rules_id", ["changchun", "changsha", "classical", "tianjin", "wanzhou"])
@pytest.mark.parametrize("discards", [1, 9, 30])
def test_what_may_be_done_is_what_the_page_calls_possible(rules_id: str, discards: int) -> None:
    snapshot = table_of(rules_id, mid_hand(discards)).snapshot()
    offer = offer_now(snapshot.state)
    for seat in range(4):
        lesson = learn_view(snapshot, seat)["now"]
        assert lesson
        if offer is not None and offer.tile.is_face and offer.seat != seat:
            may = [each for each in lesson if each["may"]]
            assert len(may) == len(possible_calls(snapshot.state, offer, seat))
            assert len(lesson) == 4


def test_the_rules_are_the_sheets_own_sentences() -> None:
    snapshot = settled(won(played(opened(Evening())), "2p 1s")).snapshot()
    rows = learn_view(snapshot, 1)["rules"]
    counted = {each.id for _, verdict in snapshot.verdicts for each in verdict.patterns}
    sheet = make_sheet(plain_profile(snapshot.rules)).sections
    known = {row.id: [each.en for each in row.words] for section in sheet for row in section.rows}
    assert {row["id"] for row in rows} <= counted
    assert rows
    for row in rows:
        assert [each["en"] for each in row["words"]] == known[row["id"]]


@pytest.fixture
def phone(browser: Browser) -> Iterator[tuple[Page, FakeTable]]:
    table = FakeTable(opened(Evening()).snapshot())
    serving = serve(create_app(table), port=free_port())
    page = browser.new_context(
        viewport={"width": 390, "height": 844}, locale="en-GB", has_touch=True
    ).new_page()
    page.goto(f"{serving.url}seat/1")
    yield page, table
    serving.close()


def test_a_beginner_switches_it_on_and_it_follows_the_table(
    phone: tuple[Page, FakeTable],
) -> None:
    page, table = phone
    lesson = page.locator("#learn .lesson")
    page.locator("#learn summary").click()
    expect(lesson).to_be_hidden()
    page.locator("#learn input").check()
    expect(lesson).to_contain_text("Ana has the turn")
    table.publish(opened(Evening()).do(Discarded(0, Tile.M9)).snapshot())
    expect(lesson).to_contain_text("You may pung 9 characters, with two of it.")
    page.locator("#language").select_option("zh")
    expect(lesson).to_contain_text("可以碰 九万")
    assert serious(page) == []
    page.reload()
    expect(lesson).to_contain_text("可以碰 九万")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_own_hand_shows_its_waits_and_the_nearest_bigger_hand(
    browser: Browser, tmp_path: Path
) -> None:
    table = table_of_phones(tmp_path, "changsha")
    table.start()
    serving = serve(create_app(table), port=free_port())
    page = browser.new_context(viewport={"width": 390, "height": 844}, locale="en-GB").new_page()
    page.goto(f"{serving.url}worth")
    page.locator("#whose button", has_text="Bo").click()
    page.locator("#take .by-hand").click()
    for tile in parse_tiles("123456678m222m5s"):
        page.locator(f"#pad .face[data-key='{tile}']").click()
    expect(page.locator("#waits li").first).to_contain_text("self-drawn")
    bigger = page.locator("#bigger")
    expect(bigger).to_contain_text("The nearest bigger hand")
    expect(bigger).to_contain_text("Full Flush")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert serious(page) == []
    serving.close()
    table.stop()
