"""What scorer and referee do on the page, in a real browser: the game, birds, corrections."""

import time
from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np
import pytest
import zxingcpp
from playwright.sync_api import Browser, BrowserContext, Page, expect

from table_assist.game.events import (
    Claimed,
    Discarded,
    GameBegun,
    HandLaidDown,
    HandShown,
    KongDeclared,
)
from table_assist.game.state import Wall
from table_assist.record.commands import BeginGame, Correct, PassLastTile
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile, parse_tiles
from tests.stages.web_fakes import (
    Evening,
    FakeTable,
    asked,
    empty_snapshot,
    expect_commands,
    opened,
    played,
    settled,
    won,
)
from tests.stages.web_scenes import table_of
from tests.stages.web_scenes import won as bots_won
from tests.web.conftest import Look, Visit
from web import create_app
from web.access.roles import Role
from web.serve import serve
from web.view.outcome import verdict_views

TIMEOUT_MS = 30_000  # the machine may be busy
OWN_ADDRESS = "192.168.1.5"


def test_a_game_begins_from_the_points_and_with_the_limits_that_the_scorer_says(look: Look) -> None:
    here = look("scorer", empty_snapshot(time.time()))
    panel = here.page.locator("#game")
    panel.locator("summary").click()
    panel.locator("[name=start]").fill("100")
    panel.locator("[name=hands]").fill("8")
    expect(panel.locator("[name=floor]")).to_be_hidden()
    panel.locator("[name=has_floor]").check()
    panel.locator("[name=floor]").fill("-20")
    with here.page.expect_response("**/api/game"):
        panel.get_by_role("button").click()
    expect_commands(here.table, BeginGame(100, -20, 8))
    here.table.publish(Evening().do(GameBegun(100, -20, 8)).snapshot())
    expect(panel.locator(".terms")).to_have_text("from 100 points, ends below −20, 8 hands")
    expect(here.page.locator("#scores b").first).to_have_text("100")
    expect(here.page.locator("#round")).to_contain_text("8 hands to go")


def test_a_new_game_in_the_middle_of_one_takes_two_taps_and_none_begins_in_a_hand(
    look: Look,
) -> None:
    evening = settled(won(played(opened(Evening().do(GameBegun(100)))), "2p 1s"))
    here = look("scorer", evening.snapshot())
    panel = here.page.locator("#game")
    panel.locator("summary").click()
    begin = panel.get_by_role("button")
    begin.click()
    expect(begin).to_have_text("Tap again: all scores start anew")
    assert here.table.commands == []
    with here.page.expect_response("**/api/game"):
        begin.click()
    expect_commands(here.table, BeginGame(100))
    here.table.publish(opened(Evening()).snapshot())
    expect(panel).to_be_hidden()


def test_the_end_of_a_game_by_its_limits_is_said(look: Look) -> None:
    evening = settled(won(opened(Evening().do(GameBegun(5, floor=0))), "2p 1s"))
    here = look("scorer", evening.snapshot())  # the dealer pays 6 and has −1 left
    expect(here.page.locator("#game .terms")).to_have_text(
        "The game is over, from 5 points, ends below 0"
    )
    expect(here.page.locator("#guidance")).to_have_text("The game is over.")


@pytest.mark.parametrize("path", ["tv", "seat/1", "scorer"])
def test_each_bird_that_turns_shows_what_it_makes_of_each_payment(look: Look, path: str) -> None:
    here = look(path, won(opened(), "2p").snapshot())
    moves = here.page.locator("#settlement .bird .moves li")
    expect(moves).to_have_text(["Ana pays Ben2 → 4"])
    here.table.publish(won(opened(), "2p 1s").snapshot())
    expect(moves).to_have_text(["Ana pays Ben2 → 4", "Ana pays Ben4 → 6"])
    here.table.publish(won(opened(), "2p 7m").snapshot())
    expect(moves).to_have_text(["Ana pays Ben2 → 4", "Ana pays Ben4"])
    expect(moves.last).to_have_class("same")


def test_what_moves_beside_the_winning_hand_is_not_passed_over(look: Look) -> None:
    """In Classical the losers settle with each other: the list of payments is not all."""
    here = look("tv", table_of("classical", bots_won, seed=3, hands=2).snapshot())
    expect(here.page.locator("#settlement .payments .nothing")).to_have_text(
        "Kongs, other hands or stakes also move points."
    )
    alone = look("tv", won(opened(), "2p 1s").snapshot())
    expect(alone.page.locator("#settlement .payments li")).to_have_count(1)


def test_the_last_tile_is_left_by_a_tap_where_the_rules_allow_it(look: Look) -> None:
    evening = opened().do(Discarded(0, Tile.P6))
    last = replace(evening.snapshot(), state=replace(evening.state, wall=Wall(1)))
    here = look("seat/1", last)
    with here.page.expect_response("**/api/pass"):
        here.page.get_by_role("button", name="Leave the last tile to the next player").click()
    expect_commands(here.table, PassLastTile(1))
    here.table.publish(evening.snapshot())
    expect(here.page.locator("#mine .pass")).to_be_hidden()


def scanned(page: Page) -> list[str]:
    """What a phone reads from the television's picture: ZXing is what most of them read with."""
    png = page.locator("#join .code").screenshot()
    picture = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    return [code.text for code in zxingcpp.read_barcodes(picture)]


def test_a_phone_scans_the_television_says_whose_it_is_and_asks(
    look: Look, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.access.guard.own_address", lambda: OWN_ADDRESS)
    here = look("tv", empty_snapshot(time.time()), host="0.0.0.0")
    expect(here.page.locator("#join")).to_be_visible()
    port = here.page.url.split(":")[2].split("/")[0]
    assert scanned(here.page) == [f"http://{OWN_ADDRESS}:{port}/join"]
    phone = here.page.context.new_page()
    phone.goto(f"http://127.0.0.1:{port}/join")
    phone.get_by_role("button", name="Ben").click()
    phone.wait_for_url("**/pair/*")
    with phone.expect_response("**/api/pair/ask") as asked:
        phone.get_by_role("button", name="Ask to join").click()
    assert asked.value.json()["seat"] == 1
    here.table.publish(opened(Evening()).snapshot())
    expect(here.page.locator("#join")).to_be_hidden()  # the table needs the room


def pick(here: Visit, place: str, face: str) -> Correct:
    """Tap a tile, choose another face, accept; the command that comes of it."""
    here.page.locator(place).click()
    here.page.locator("#picker").get_by_role("button", name=face, exact=True).click()
    here.page.locator("#picker .accept").click()
    expect(here.page.locator("#picker")).to_be_hidden()
    (command,) = here.table.commands
    here.table.commands.clear()
    assert isinstance(command, Correct)
    return command


def seq_of(evening: Evening, kind: type) -> int:
    return next(entry.seq for entry in evening.entries if isinstance(entry.event, kind))


@pytest.mark.parametrize("role", [None, Role.REFEREE])
def test_a_meld_is_corrected_by_a_tap_on_its_tile(look: Look, role: Role | None) -> None:
    evening = played(opened())
    here = look("scorer", evening.snapshot(), role=role)
    # Dai's chow 345s: one tile of it was another.
    chow = seq_of(evening, Claimed)
    of_dai = "#table .seat[data-seat='3'] .meld .tile[data-tile='5s']"
    assert pick(here, of_dai, "6 bamboo") == Correct(
        chow, Claimed(3, MeldKind.CHOW, parse_tiles("346s"), 2)
    )
    # Ana's pung: all three are what one of them is.
    pung = next(e for e in evening.entries if getattr(e.event, "kind", "") is MeldKind.PUNG)
    of_ana = "#table .seat[data-seat='0'] .meld .tile[data-tile='8p'] >> nth=0"
    assert pick(here, of_ana, "9 dots") == Correct(
        pung.seq, Claimed(0, MeldKind.PUNG, parse_tiles("999p"), 2)
    )
    # Ana's concealed kong: the two tiles that lie open say which.
    inner = "#table .seat[data-seat='0'] .meld .tile[data-tile='5m'] >> nth=0"
    assert pick(here, inner, "6 characters") == Correct(
        seq_of(evening, KongDeclared), KongDeclared(0, MeldKind.KONG_CONCEALED, Tile.M6)
    )


@pytest.mark.parametrize(
    ("place", "face", "concealed", "winning"),
    [
        # The winning tile lies apart: it is itself among the concealed ones.
        (".tile.winning", "9 dots", "234m 678m 459p 222p 55s", Tile.P9),
        (".tile[data-tile='2m']", "1 characters", "134m 678m 456p 222p 55s", Tile.P6),
    ],
)
def test_a_shown_hand_is_corrected_by_a_tap_on_its_tile(
    look: Look, place: str, face: str, concealed: str, winning: Tile
) -> None:
    evening = won(opened())
    here = look("scorer", evening.snapshot())
    command = pick(here, f"#table .seat[data-seat='1'] .hand {place}", face)
    assert isinstance(command.event, HandShown)
    assert command.seq == seq_of(evening, HandShown)
    assert sorted(command.event.concealed) == sorted(parse_tiles(concealed))
    assert command.event.winning_tile is winning


@pytest.mark.parametrize(
    ("place", "concealed", "winning"),
    [
        (".tile.winning", "123m 678m 456p 222p 55s", Tile.P9),
        (".tile[data-tile='5p']:not(.winning)", "123m 678m 456p 222p 55s", Tile.P5),
    ],
)
def test_of_two_equal_tiles_the_one_that_was_tapped_is_corrected(
    look: Look, place: str, concealed: str, winning: Tile
) -> None:
    """Won on a 5 of dots beside another one: which of them is a 9?"""
    shown = HandShown(1, parse_tiles("123m 678m 455p 222p 55s"), Tile.P5, self_drawn=False)
    evening = opened().do(Discarded(0, Tile.P5)).do(shown)
    here = look("scorer", evening.snapshot())
    command = pick(here, f"#table .seat[data-seat='1'] .hand {place}", "9 dots")
    assert isinstance(command.event, HandShown)
    expected = parse_tiles(concealed.replace("456p", "459p"))
    assert sorted(command.event.concealed) == sorted(expected)
    assert command.event.winning_tile is winning


def test_a_hand_laid_down_for_the_settlement_is_corrected_too(look: Look) -> None:
    laid = HandLaidDown(2, parse_tiles("123m 456m 789m 11p 23s"))
    evening = won(opened()).do(laid)
    here = look("scorer", evening.snapshot())
    right = replace(laid, concealed=parse_tiles("123m 456m 789m 11p 24s"))
    place = "#table .seat[data-seat='2'] .hand .tile[data-tile='3s']"
    assert pick(here, place, "4 bamboo") == Correct(seq_of(evening, HandLaidDown), right)


@pytest.mark.parametrize(("path", "role"), [("scorer", Role.SCORER), ("tv", None)])
def test_who_may_not_correct_is_offered_no_tile_to_tap(
    look: Look, path: str, role: Role | None
) -> None:
    here = look(path, won(played(opened())).snapshot(), role=role)
    expect(here.page.locator("#table .meld .tile")).not_to_have_count(0)
    expect(here.page.locator("#table .correctable")).to_have_count(0)


BEN = 1  # who wins in these scenes
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
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
