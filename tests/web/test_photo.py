"""A hand photographed on a phone: read, put right, told, judged and kept, in a real browser."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from table_assist.game.events import HandTold, LastTilePassed, WallExhausted
from table_assist.game.outcome import end_of_hand
from table_assist.game.state import Phase
from table_assist.live.live_table import LiveTable
from table_assist.record.commands import Settle
from table_assist.rules.judge import judge
from table_assist.rules.registry import find_rules
from table_assist.rules.shown import ShownHand
from table_assist.settings.config import Config, LogConfig, RulesConfig
from table_assist.tiles.tile import Tile, parse_tile, parse_tiles
from table_assist.vision.photos.photo_hand import PhotoService
from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.read import open_reader
from tests.stages.dealt import lay_rows
from tests.stages.simavr import device
from tests.stages.visitor import Visitor
from web import create_app
from web.access.guard import TOKEN_HEADER
from web.serve import serve

PHONE = (390, 844)
NAMES = ("Ann", "Bo", "Chen", "Du")
# A hand that wins by itself where birds and where wild tiles are told, and the tile that it won on;
# the others are photographed by tests/driven.
HANDS = {
    "changsha": ("123m456m789s123p5s", "5s"),
    "tianjin": ("123m456m789m123p5s", "5s"),
}


def photograph(tiles: str, apart: str = "", seed: int = 0) -> Image:
    """A row of tiles, and one that lies apart."""
    row = lay_rows([parse_tiles(tiles)], seed=seed)
    if not apart:
        return row
    return np.concatenate([row, lay_rows([parse_tiles(apart)], seed=seed + 1)], axis=1)


def as_jpeg(image: Image) -> bytes:
    encoded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 90])[1]
    return bytes(encoded)


def table_of(tmp_path: Path, rules: str) -> LiveTable:
    config = replace(
        Config(),
        rules=RulesConfig(id=rules),
        seats=replace(Config().seats, names=NAMES),
        log=LogConfig(str(tmp_path / f"{rules}.sqlite")),
    )
    return LiveTable(config, camera=None, reader=None)


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    with device(browser, PHONE, "en-GB", touched=True) as context:
        yield context.new_page()


def name_unread(page: Page, tiles: list[str]) -> None:
    """Two taps for each tile that was not read: the tile, and its face."""
    pieces = page.locator("[data-group=hand] .piece")
    for at in range(pieces.count()):
        if "unread" in (pieces.nth(at).get_attribute("class") or ""):
            pieces.nth(at).tap()
            page.locator(f"#faces .rows .face[data-key='{tiles[at]}']").tap()


def ask_of(page: Page, title: str) -> Locator:
    """One of the questions on the page."""
    return page.locator("#asks .ask", has=page.get_by_role("heading", name=title))


def turn_birds(page: Page, count: int) -> None:
    """The page asks for the birds once the win is shown."""
    for _ in range(count):
        page.locator("#birds .face[data-key='1m']").tap()
    page.locator("#birds .send").tap()


@pytest.mark.slow
@pytest.mark.parametrize("rules", HANDS)
def test_a_photographed_hand_reaches_the_ledger(rules: str, phone: Page, tmp_path: Path) -> None:
    concealed, wins_on = HANDS[rules]
    picture = tmp_path / "hand.jpg"
    picture.write_bytes(as_jpeg(photograph(concealed, wins_on)))
    table = table_of(tmp_path, rules)
    table.start()
    serving = serve(create_app(table), port=0)
    try:
        phone.goto(f"{serving.url}photo")
        phone.locator("#whose button", has_text="Bo").tap()
        phone.set_input_files("#take .camera input", picture)
        expect(phone.locator("[data-group=hand] .piece")).to_have_count(14)
        name_unread(phone, [str(tile) for tile in (*parse_tiles(concealed), parse_tile(wins_on))])
        expect(phone.locator(".piece.won img")).to_have_attribute("data-tile", wins_on)
        phone.get_by_role("button", name="Self-drawn").tap()
        ask_of(phone, "Who deals").get_by_role("button", name="Ann").tap()
        if find_rules(rules).wilds is not None:
            phone.locator("#asks .pad .face[data-face='E']").tap()
        expect(phone.locator("#worth .send")).to_be_enabled()
        phone.locator("#worth .send").tap()
        if find_rules(rules).birds is not None:
            turn_birds(phone, find_rules(rules).birds.count)
        phone.wait_for_url(serving.url)
        told = next(e for e in table.entries() if isinstance(e.event, HandTold))
        assert isinstance(told.event, HandTold)
        state = table.snapshot.state
        shown = ShownHand(
            parse_tiles(concealed + wins_on),
            parse_tile(wins_on),
            1,
            0,
            self_drawn=True,
            wall_remaining=told.event.wall_left,
            discard_round=told.event.discard_round,
            birds=state.birds or None,
            wilds=state.wilds,
            prevailing=Tile.EAST,
        )
        verdict = judge(find_rules(rules), shown)
        found = dict(table.snapshot.verdicts)[1]
        assert (found.valid, found.total) == (verdict.valid, verdict.total)
        assert verdict.valid
        kept = table.evidence(f"e{told.seq}")
        assert kept is not None
        assert kept.jpeg
        assert state.phase is Phase.SHOWING, "nobody has accepted it yet"
        assert table.submit(Settle(), "Ann (scorer)") is None
        assert table.snapshot.state.scores[1] > 0
    finally:
        serving.close()
        table.stop()


# --- The API


@pytest.fixture(scope="module")
def desk() -> PhotoService:
    return PhotoService(open_reader)


@pytest.fixture
def client(desk: PhotoService, tmp_path: Path) -> Iterator[Visitor]:
    table = table_of(tmp_path, "changsha")
    table.photos = desk
    yield Visitor(create_app(table))
    table.close()


def send(client: Visitor, data: bytes, kind: str = "image/jpeg", **headers: str):
    return client.send("/api/photo", data, kind, **headers)


def test_a_picture_without_tiles_says_what_to_do(client: Visitor) -> None:
    found = send(client, as_jpeg(np.full((480, 640, 3), 120, np.uint8)))
    assert found.status_code == 200
    assert found.json["hand"]["size"] == 0
    assert [each["trouble"] for each in found.json["advice"]] == ["no_tiles"]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"no picture at all, but long enough", "not a picture"),
        (b"", "not a picture"),
        (b"\0\0\0\x18ftypheic" + bytes(40), "damaged"),
        (as_jpeg(np.zeros((40, 40, 3), np.uint8))[:200], "cut short"),
    ],
)
def test_what_is_no_picture_is_refused_in_one_sentence(
    client: Visitor, data: bytes, why: str
) -> None:
    found = send(client, data)
    assert found.status_code == 422
    assert why in found.json["error"]["en"]
    assert found.json["error"]["zh"]


def test_the_same_photograph_twice_is_one(client: Visitor, desk: PhotoService) -> None:
    data = as_jpeg(photograph("123m"))
    first, again = send(client, data).json, send(client, data).json
    assert first == again
    assert client.get(f"/api/photo/{first['id']}.jpg").status_code == 200


def test_photographs_are_not_taken_from_other_pages(client: Visitor) -> None:
    assert send(client, b"{}", "application/json").status_code == 415
    assert send(client, b"", **{"Origin": "http://evil.example"}).status_code == 403
    assert send(client, b"", **{TOKEN_HEADER: ""}).status_code == 403
    assert send(client, bytes(12_000_001)).status_code == 413


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
