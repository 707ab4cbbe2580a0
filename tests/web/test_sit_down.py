"""Phones come to a table that nobody follows: they scan the machine's own screen and sit down."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from table_assist.live.live_table import LiveTable
from table_assist.settings.config import Config, LogConfig
from tests.secrecy.houses import STRANGER
from web import create_app
from web.access.guard import code_text
from web.serve import serve

Served = tuple[str, str, LiveTable]

PHONE = {"width": 390, "height": 844}
ON_A_PHONE = "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/120 Mobile Safari/537.36"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Served]:
    """Its address, the key on its own screen, and the table."""
    config = Config(log=LogConfig(str(tmp_path / "log.sqlite")))
    table = LiveTable(config, camera=None, reader=None)
    table.start()
    app = create_app(table, devices=tmp_path / "devices.json")
    serving = serve(app, port=0)
    try:
        yield serving.url, app.extensions["evening_key"], table
    finally:
        serving.close()
        table.stop()


def phone(browser: Browser, url: str, language: str = "en-GB") -> Page:
    context = browser.new_context(
        viewport=PHONE,
        has_touch=True,
        locale=language,
        user_agent=ON_A_PHONE,
        extra_http_headers=STRANGER,
    )
    page = context.new_page()
    page.goto(url)
    return page


def test_four_phones_sit_down_with_two_taps_and_a_name_each(
    browser: Browser, table: Served
) -> None:
    url, key, live = table
    pages = []
    for seat, name in enumerate(("Ana", "Ben", "小赵", "Dora")):
        page = phone(browser, f"{url}join#{key}")
        page.locator("#name").fill(name)
        page.locator("#pair .seats button").nth(seat).click()
        page.wait_for_url(f"**/seat/{seat}")
        expect(page.locator("#mine .own .name")).to_have_text(name)
        pages.append(page)
    assert live.snapshot.names == ("Ana", "Ben", "小赵", "Dora")
    for page in pages:  # everybody is called so on every page
        expect(page.locator("#scores .name")).to_have_text(["Ana", "Ben", "小赵", "Dora"])


def test_where_somebody_sits_another_phone_asks(browser: Browser, table: Served) -> None:
    url, key, live = table
    for name in ("Ana", "Eve"):
        page = phone(browser, f"{url}join#{key}")
        page.locator("#name").fill(name)
        page.locator("#pair .seats button").first.click()
        page.wait_for_url(re.compile(r"/seat/0$" if name == "Ana" else r"/pair/"))
    assert live.snapshot.names[0] == "Ana"


@pytest.mark.parametrize("key", ["", "another", "é"])
def test_a_key_of_another_evening_lets_nobody_in(browser: Browser, table: Served, key: str) -> None:
    url, _, _ = table
    page = phone(browser, f"{url}join")
    answer = page.evaluate(
        """(key) => import('/static/ask.js').then(({ post }) =>
        post('/api/pair/sit', { key, seat: 0, name: 'Eve' }))""",
        key,
    )
    assert "error" in answer
    assert page.evaluate("fetch('/api/me').then((me) => me.json())")["role"] == "television"


def test_a_phone_is_offered_to_join_and_no_code_to_scan_with_itself(
    browser: Browser, table: Served
) -> None:
    page = phone(browser, table[0])
    page.wait_for_url("**/join")
    assert page.locator("#join .code").count() == 0


def test_the_terminal_shows_a_code_of_half_blocks() -> None:
    drawn = code_text("http://192.168.1.20:8000/join#abcdefghijkl")
    lines = drawn.splitlines()
    assert 15 < len(lines) < 24, "it fits a small terminal"
    assert set("".join(lines)) & set("▀▄█")


@pytest.mark.parametrize(("path", "status"), [("nothing/here", 404), ("seat/2", 403)])
def test_a_refusal_is_a_page_with_a_way_out(
    browser: Browser, table: Served, path: str, status: int
) -> None:
    page = phone(browser, f"{table[0]}join")
    answer = page.goto(f"{table[0]}{path}")
    assert answer is not None
    assert answer.status == status
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    out = page.get_by_role("link")
    assert (out.bounding_box() or {"height": 0})["height"] >= 44
    out.click()
    page.wait_for_url("**/join")
