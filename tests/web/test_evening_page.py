"""The evening, told: the page agrees with the ledger, and its picture can be sent as a file."""

import re
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Browser, expect

from table_assist.contract.commands import BeginGame, NamePlayer, Settle, TellBirds, TellHand
from table_assist.live.live_table import LiveTable
from table_assist.tiles.tile import parse_tiles
from tests.session.test_manual_hands import told
from tests.stages.faded import serious
from tests.web.test_sit_down import table

__all__ = ["table"]  # the fixture
HANDS = (
    told(1, "123m456m789s123p55s", "3p"),
    told(1, "111m999m111s999s55s", "5s", discarder=2),
    told(3, "123m456m789s123p55s", "3p", discarder=2),
)


@pytest.fixture
def played(table: tuple[str, str, LiveTable]) -> tuple[str, LiveTable]:
    url, _, live = table
    assert live.submit(BeginGame(100)) is None
    assert live.submit(NamePlayer(2, "<小赵> & Söhne")) is None
    for number, hand in enumerate(HANDS):
        assert live.submit(TellHand(hand, dealer=0 if number == 0 else None)) is None
        assert live.submit(TellBirds(parse_tiles("1m9p"))) is None
        assert live.submit(Settle()) is None
    return url, live


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("size", [(360, 640), (844, 390), (1280, 720)], ids=str)
def test_the_page_tells_the_standing_and_who_gives_whom_what(
    browser: Browser, played: tuple[str, LiveTable], language: str, size: tuple[int, int]
) -> None:
    url, live = played
    context = browser.new_context(viewport={"width": size[0], "height": size[1]})
    page = context.new_page()
    page.goto(f"{url}evening?lang={language}")
    texts = page.locator(".standing .num").all_text_contents()
    shown = [int(each.replace("−", "-")) for each in texts]
    assert shown == sorted((score - 100 for score in live.snapshot.state.scores), reverse=True)
    expect(page.locator(".told")).to_contain_text("<小赵> & Söhne")
    paid = page.locator(".payments .num")
    before = [float(each) for each in paid.all_text_contents()]
    page.locator("[name=worth]").fill("0.5")
    page.locator("[name=currency]").fill("€")
    expect(paid.first).to_have_text(f"{before[0] / 2:.1f} €")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert serious(page) == []
    context.close()


def test_the_picture_is_sent_as_a_file_without_a_link(
    browser: Browser, played: tuple[str, LiveTable]
) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, locale="en-GB")
    page = context.new_page()
    page.goto(f"{played[0]}evening")
    with page.expect_download() as waiting:  # this browser shares no files: it keeps them
        page.locator(".share").click()
    content = waiting.value.path().read_bytes()
    assert content.startswith(b"\x89PNG")
    assert int.from_bytes(content[16:20], "big") == 1080
    drawn = page.evaluate("fetch('/evening.svg').then((reply) => reply.text())")
    assert "href" not in drawn
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", drawn)
    said = "".join(ElementTree.fromstring(drawn).itertext())
    assert "<小赵> & Söhne" in said
    assert "Who fed whom" in said
    dashes = set(re.findall('stroke-dasharray="([^"]*)"', drawn))
    assert len(dashes) == 4, "who cannot tell colours tells the lines"
    context.close()
