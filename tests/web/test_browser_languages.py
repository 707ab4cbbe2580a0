"""Each phone in its own language: its browser's, or the one chosen on it; several at one table."""

import json
import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from table_assist.game.events import Discarded
from table_assist.tiles.tile import Tile
from tests.stages.drawn_hands import serious
from tests.stages.web_fakes import Evening, FakeTable, opened, played, settled, won
from web import create_app
from web.serve import serve

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
BEN = 1
ENGLISH = re.compile(r"[A-Za-z]{3,}")
NAMES = {"Ana", "Ben", "Chen", "Dai", "English", "CSV", "JSON"}
OpenSeat = Callable[[str], Page]


@pytest.fixture
def seat(browser: Browser, table: FakeTable) -> Iterator[OpenSeat]:
    """Opens Ben's page on a phone whose browser speaks that language."""
    serving = serve(create_app(table), port=0)

    def open_seat(locale: str) -> Page:
        page = browser.new_context(**PHONE, locale=locale).new_page()
        page.set_default_timeout(30_000)
        page.goto(f"{serving.url}seat/{BEN}")
        expect(page.locator("body:not(.connecting)")).to_have_count(1)
        return page

    yield open_seat
    serving.close()


def test_phones_at_one_table_each_speak_their_browsers_language(
    seat: OpenSeat, table: FakeTable
) -> None:
    japanese, traditional, english = seat("ja"), seat("zh-TW"), seat("en-GB")
    langs = {page: page.locator("html").get_attribute("lang") for page in (japanese, traditional)}
    assert list(langs.values()) == ["ja", "zh-Hant"]
    table.publish(opened(Evening()).do(Discarded(0, Tile.P5)).snapshot())
    expect(japanese.locator("#headline")).to_have_text("Benのツモ番")
    expect(traditional.locator("#headline")).to_have_text("Ben摸牌")
    expect(english.locator("#headline")).to_have_text("Ben draws")
    assert japanese.locator(".river img").first.get_attribute("alt") == "五筒"
    table.publish(settled(won(played(opened(Evening())), "2p 8s")).snapshot())
    expect(japanese.locator("#headline")).to_have_text("1 局目を精算しました")
    expect(traditional.locator("#headline")).to_have_text("第1局已結算")


@pytest.mark.parametrize("scene", ["played", "won", "settled"])
def test_nothing_on_a_japanese_phone_is_english(
    seat: OpenSeat, table: FakeTable, scene: str
) -> None:
    page = seat("ja")
    evening = played(opened(Evening()))
    shown = {
        "played": lambda: evening,
        "won": lambda: won(evening),
        "settled": lambda: settled(won(evening, "2p 8s")),
    }[scene]()
    before = page.locator("#headline").inner_text()
    table.publish(shown.snapshot())
    expect(page.locator("#headline")).not_to_have_text(before)
    visible = page.locator("body").inner_text()
    assert set(ENGLISH.findall(visible)) - NAMES == set()
    assert serious(page) == []


def test_the_language_chosen_on_a_phone_stays_whatever_its_browser_speaks(
    seat: OpenSeat, table: FakeTable
) -> None:
    page = seat("en-GB")
    switch = page.locator("#language")
    names = ["English", "简体中文", "日本語", "繁體中文"]
    assert switch.locator("option").all_inner_texts() == names
    switch.select_option("ja")  # the page is fetched anew: it came without Japanese
    expect(page.locator("html")).to_have_attribute("lang", "ja")
    expect(page.locator("#headline")).to_have_text("Anaの打牌")
    switch.select_option("zh")
    expect(page.locator("#headline")).to_have_text("Ana打牌")
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hans")
    switch.select_option("zh-Hant")
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hant")
    expect(page.locator("#language")).to_have_value("zh-Hant")
    table.publish(opened(Evening()).do(Discarded(0, Tile.P5)).snapshot())
    expect(page.locator("#headline")).to_have_text("Ben摸牌")


def test_a_phone_is_sent_no_language_but_english_chinese_and_its_own(seat: OpenSeat) -> None:
    words = {
        locale: json.loads(str(seat(locale).locator("body").get_attribute("data-words")))
        for locale in ("en-GB", "zh-CN", "ja", "zh-HK")
    }
    assert {locale: list(each) for locale, each in words.items()} == {
        "en-GB": ["en", "zh"],
        "zh-CN": ["en", "zh"],
        "ja": ["en", "zh", "ja"],
        "zh-HK": ["en", "zh", "zh-Hant"],
    }
    assert [each["locale"] for each in words["ja"].values()] == ["en-GB", "zh-CN", "ja-JP"]
    assert words["zh-HK"]["zh-Hant"]["locale"] == "zh-TW"
