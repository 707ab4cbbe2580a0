"""The score sheet to print."""

import html
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from xml.etree import ElementTree

import pytest
from flask import Flask
from playwright.sync_api import Browser, expect

from table_assist.game.events import GameBegun, Penalised
from table_assist.languages.words import Words
from table_assist.live.live_table import LiveTable
from table_assist.record.commands import BeginGame, NamePlayer, Settle, TellBirds, TellHand
from table_assist.record.evidence import NIGHT
from table_assist.record.export import played_hands
from table_assist.record.log import Source
from table_assist.record.record import Record
from table_assist.record.seal import sealed
from table_assist.rules.registry import find_rules
from table_assist.tiles.tile import parse_tiles
from tests.evidence.dispute.test_dispute import evening
from tests.game.test_begun import hand as moving
from tests.session.test_manual_hands import told
from tests.stages.drawn_hands import serious
from tests.stages.on_paper import SCRIPTS, on_paper
from tests.stages.web_fakes import FakeTable
from tests.web.test_sit_down import table
from web import create_app
from web.pages.evening_page import score_sheet
from web.serve import serve

# Rendered by Flask, so it needs an app.
pytestmark = pytest.mark.usefixtures("app")
NAMES = ("Ana", "Ben <i>", "陈德", "Dai")


@pytest.fixture
def app() -> Iterator[Flask]:
    app = create_app(FakeTable())
    with app.test_request_context("/evening/score-sheet"):
        yield app


def text_of(page: str) -> str:
    """What is written on the page, without spaces."""
    words = html.unescape(re.sub(r"<[^>]+>", " ", page.split("</head>")[1]))
    return "".join(words.split()).replace("−", "-")


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("rules_id", ["changchun", "classical"])
def test_every_hand_its_points_and_its_seal_are_on_the_sheet(rules_id: str, language: str) -> None:
    entries = evening(rules_id, hands=4)
    said = text_of(score_sheet(entries, NAMES, find_rules(rules_id).names, language))
    seals = [seal for seal, _ in sealed(entries)]
    for hand in played_hands(entries):
        assert seals[hand.seq - 1][:8] in said
        for points, score in zip(hand.transfers, hand.scores, strict=True):
            assert f"({score})" in said
            assert not points or f"{points:+d}" in said
    for name in NAMES:
        assert name.replace(" ", "") in said.replace(" ", "")


def test_a_long_evening_prints_on_several_pages_with_every_name(browser: Browser) -> None:
    log = evening("changsha", hands=60)
    names = dict(enumerate(SCRIPTS[:4]))
    snapshot = replace(FakeTable().snapshot, names=tuple(names.values()), entries=log)
    serving = serve(create_app(FakeTable(snapshot)), port=0)
    page = browser.new_page()
    page.goto(f"{serving.url}evening/score-sheet")
    paper = on_paper(page)
    assert len(paper) > 1
    for name in names.values():
        assert name.replace(" ", "") in paper[0]
        assert name.replace(" ", "") in paper[-1], "the head of the table, and to sign"
    serving.close()


def test_the_sheet_says_what_a_game_began_with_and_what_moved_between_two_hands() -> None:
    record = Record(None, lambda: 0.0)
    fine = Penalised((-9, 3, 3, 3), Words("late", "迟到"))
    for event in (
        GameBegun(500),
        *moving(1, 30, -10, -10, -10),
        fine,
        *moving(2, 0, 0, 0, 0),
        GameBegun(250),
        *moving(3, 0, 0, 0, 0),
    ):
        record.append(event, Source.PERSON)
    rules = find_rules("changsha")
    said = text_of(score_sheet(record.entries, NAMES, rules.names, "en"))
    assert said.count("Start500500500500") == 1
    assert said.count("Start250250250250") == 1
    assert said.count("Betweenhands521493493493") == 1
    plain = text_of(score_sheet(evening("changsha", hands=2), NAMES, rules.names, "en"))
    assert "Start" not in plain


def test_the_sheet_is_served_to_players_and_the_scorer() -> None:
    client = create_app(FakeTable()).test_client()
    answer = client.get("/evening/score-sheet?lang=zh")
    assert (answer.status_code, answer.mimetype) == (200, "text/html")
    assert "计分单" in answer.text
    other = {"REMOTE_ADDR": "192.168.1.9"}
    assert client.get("/evening/score-sheet", environ_overrides=other).status_code == 403


def test_the_sheet_says_when_the_evening_began_by_the_tables_own_clock() -> None:
    played = evening("changsha", hands=1)
    begun = datetime.fromtimestamp(played_hands(played)[0].started_s)
    names = find_rules("changsha").names
    evening_of = begun - NIGHT  # what begins after midnight is of the evening before
    said = f"{evening_of.day} {evening_of:%B %Y}, {begun:%H:%M}"
    assert said in score_sheet(played, NAMES, names, "en")
    assert begun.strftime("%H:%M") in score_sheet(played, NAMES, names, "zh")


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
