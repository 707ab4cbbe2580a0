"""What a phone says aloud, in a real browser: what it sounds, shakes, speaks and keeps lit."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from table_assist.game.events import Discarded
from table_assist.tiles.tile import Tile
from tests.stages.web_fakes import Evening, FakeTable, asked, opened, played, settled, won
from web import create_app
from web.serve import serve
from web.view.outcome import verdict_views

BEN = 1  # who wins in these scenes
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
TIMEOUT_MS = 30_000
# The phone's motor and voice write down what they are told; a loudspeaker's tones and the locks of
# the screen are the browser's own, and counted.
LISTEN = """
window.said = { buzz: [], voice: [], tones: [], locks: 0, most: 0 };
navigator.vibrate = (pattern) => { said.buzz.push(pattern); return true; };
speechSynthesis.speak = ({ text, lang }) => said.voice.push([lang, text]);
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...all) {
  said.tones.push(Math.round(this.frequency.value));
  return start.apply(this, all);
};
const request = WakeLock.prototype.request;
WakeLock.prototype.request = async function (...all) {
  const lock = await request.apply(this, all);
  said.locks += 1;
  said.most = Math.max(said.most, said.locks);
  lock.addEventListener("release", () => { said.locks -= 1; });
  return lock;
};
"""
TURN, ASKED, SETTLED = [120], [120, 80, 120], [250]


@pytest.fixture
def phone(browser: Browser, table: FakeTable) -> Iterator[Page]:
    serving = serve(create_app(table), port=0)
    context = browser.new_context(**PHONE, locale="en-GB", permissions=["screen-wake-lock"])
    context.add_init_script(LISTEN)
    yield open_seat(context, f"{serving.url}seat/{BEN}")
    context.close()
    serving.close()


def open_seat(context: BrowserContext, url: str) -> Page:
    page = context.new_page()
    page.set_default_timeout(TIMEOUT_MS)
    page.goto(url)
    expect(page.locator("body:not(.connecting)")).to_have_count(1)
    return page


def comes(page: Page, name: str, value: object) -> None:
    """Wait until this is what was said."""
    page.wait_for_function(
        "([name, value]) => JSON.stringify(said[name]) === JSON.stringify(value)", arg=[name, value]
    )


def test_a_phone_is_silent_until_its_owner_switches_it_on_and_then_says_what_is_news(
    phone: Page, table: FakeTable
) -> None:
    evening = played(opened(Evening()))
    table.publish(asked(evening).snapshot())
    expect(phone.locator("#asked")).to_be_visible()
    silence = {"buzz": [], "voice": [], "tones": [], "locks": 0, "most": 0}
    assert phone.evaluate("said") == silence

    evening = opened(Evening())
    table.publish(evening.snapshot())
    expect(phone.locator("#asked")).to_be_hidden()
    phone.locator("#signals summary").tap()
    for name in ("sound", "buzz", "awake"):
        phone.locator(f"#signals input[name={name}]").check()
    comes(phone, "tones", [660, 660, 660])  # as it will be
    phone.evaluate("said.tones.length = said.buzz.length = 0")
    assert phone.evaluate("said.most") == 0, "nothing waits for this player yet"

    table.publish(evening.do(Discarded(0, Tile.M9)).snapshot())
    comes(phone, "buzz", [TURN])
    comes(phone, "locks", 1)
    table.publish(evening.do(Discarded(BEN, Tile.M9)).do(Discarded(2, Tile.P9)).snapshot())
    comes(phone, "locks", 0)
    table.publish(asked(evening).snapshot())
    comes(phone, "buzz", [TURN, ASKED])
    comes(phone, "locks", 1)
    table.publish(settled(won(played(opened(Evening())), "2p 1s")).snapshot())
    comes(phone, "buzz", [TURN, ASKED, SETTLED])
    comes(phone, "tones", [660, 880, 660, 523, 659, 784])
    comes(phone, "locks", 0)
    assert phone.evaluate("said.most") == 1
    assert phone.evaluate("said.voice") == []


def test_the_verdict_is_spoken_once_in_the_pages_language(phone: Page, table: FakeTable) -> None:
    phone.locator("#signals summary").tap()
    phone.locator("#signals input[name=voice]").check()
    comes(phone, "voice", [["en-GB", "Sound and signals"]])  # as it will sound
    snapshot = won(played(opened(Evening()))).snapshot()
    [verdict] = verdict_views(snapshot)
    names = [pattern["name"] for pattern in verdict["patterns"]]
    table.publish(snapshot)
    english = [*(name["en"] for name in names), f"{verdict['total']} in all."]
    comes(phone, "voice", [["en-GB", "Sound and signals"], ["en-GB", said("Ben wins", english)]])
    phone.reload()  # it is kept, and what was shown before is no news
    expect(phone.locator("#signals input[name=voice]")).to_be_checked()
    phone.locator("#language").select_option("zh")
    table.publish(opened(Evening()).snapshot())
    expect(phone.locator("#verdict")).to_be_hidden()
    table.publish(snapshot)
    chinese = "".join(f"{name['zh']}。" for name in names)
    comes(phone, "voice", [["zh-CN", f"Ben和牌。{chinese}共{verdict['total']}。"]])


def said(first: str, others: list[str]) -> str:
    return ". ".join([first, *others])
