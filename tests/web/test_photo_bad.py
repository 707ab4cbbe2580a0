"""Pictures and people that do not fit: one clear sentence each, and nothing is lost."""

import base64
from collections import Counter
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import cv2
import numpy as np
import pillow_heif
import pytest
from playwright.sync_api import Browser, Page, Route, expect

from table_assist.live.live_table import LiveTable
from table_assist.record.commands import Settle
from table_assist.tiles.tile import parse_tiles
from table_assist.vision.photos.photo_hand import Photo, PhotoService
from table_assist.vision.reading.read import open_reader
from tests.stages.dealt import lay_rows
from tests.stages.keeping_table import wait_for
from tests.stages.simavr import PATIENCE_MS, device
from tests.stages.visitor import OTHER, Visitor
from tests.web.test_photo import PHONE, as_jpeg, photograph, send, table_of, turn_birds
from web import create_app
from web.serve import Serving, serve

WON = "123m456m789s123p5s"


class CountingDesk(PhotoService):
    """Remembers which photographs were read."""

    def __init__(self) -> None:
        super().__init__(open_reader)
        self.asked: list[bool] = []
        self.read_ids: list[str] = []

    def read(self, data: bytes, *, keep: bool = True) -> Photo:
        found = super().read(data, keep=keep)
        self.asked.append(keep)
        self.read_ids.append(found.id)
        return found


@pytest.fixture(scope="module")
def desk() -> CountingDesk:
    return CountingDesk()


@pytest.fixture
def table(desk: CountingDesk, tmp_path: Path) -> Iterator[LiveTable]:
    desk.asked.clear()
    desk.read_ids.clear()
    desk._photos.clear()  # the same picture has the same id
    made = table_of(tmp_path, "changsha")
    made.photos = desk
    made.start()
    yield made
    made.stop()


@pytest.fixture
def client(table: LiveTable) -> Visitor:
    return Visitor(create_app(table))


def tiles(answer: dict) -> list[str]:
    return [each["tile"] for each in answer["hand"]["concealed"]]


# --- pictures


def as_heic(image: np.ndarray) -> bytes:
    found = pillow_heif.from_bytes(
        "RGB", (image.shape[1], image.shape[0]), cv2.cvtColor(image, cv2.COLOR_BGR2RGB).tobytes()
    )
    file = BytesIO()
    found.save(file, quality=90)
    return file.getvalue()


@pytest.mark.slow
def test_a_picture_from_an_iphone_is_read(client: Visitor) -> None:
    picture = photograph(WON, "5s")
    plain, heic = send(client, as_jpeg(picture)).json, send(client, as_heic(picture)).json
    assert heic["hand"]["size"] == 14
    known = [(a, b) for a, b in zip(tiles(plain), tiles(heic), strict=True) if "?" not in (a, b)]
    assert len(known) >= 10
    assert all(a == b for a, b in known)


def test_upside_down_it_is_the_same_hand(client: Visitor) -> None:
    picture = photograph(WON, "5s")
    turned = send(client, as_jpeg(np.ascontiguousarray(picture[::-1, ::-1]))).json
    assert turned["hand"]["size"] == 14
    truth = sorted(str(tile) for tile in parse_tiles(WON + "5s"))
    wrong = [name for name in tiles(turned) if name != "?" and name not in truth]
    assert not wrong


def test_two_hands_in_a_picture_are_not_taken_for_one(client: Visitor) -> None:
    rows = lay_rows([parse_tiles(WON + "5s"), parse_tiles("111m222m333m444m55m")], seed=3)
    answer = send(client, as_jpeg(rows))
    if answer.status_code == 422:
        assert "lie together" in answer.json["error"]["en"]
        return
    found = answer.json["hand"]
    assert found["size"] > 20 or len(found["others"]) > 10


def test_a_screenshot_of_the_program_itself_is_read_as_what_it_shows_or_not_at_all(
    client: Visitor, browser: Browser
) -> None:
    """Its drawn tiles are no photograph; what is read of them is right, or is a question."""
    held = [str(tile) for tile in parse_tiles(WON + "5s")]
    page = browser.new_page(viewport={"width": 844, "height": 390})
    drawings = Path(__file__).parents[2] / "web" / "static" / "tiles"
    images = "".join(
        f"<img width=54 src='data:image/svg+xml;base64,"
        f"{base64.b64encode((drawings / f'{name}.svg').read_bytes()).decode()}'>"
        for name in held
    )
    page.set_content(f"<body style='background:#12352b;padding:120px 20px'>{images}")
    found = send(client, page.screenshot(type="png"), "image/png")
    page.set_content("<h1>12 messages</h1><p>Nothing of mahjong is here.</p>")
    other = send(client, page.screenshot(type="png"), "image/png")
    assert found.status_code == other.status_code == 200
    named = [name for name in tiles(found.json) if name != "?"]
    assert not Counter(named) - Counter(held)
    assert other.json["hand"]["size"] == 0
    assert other.json["advice"][0]["trouble"] == "no_tiles"
    assert other.json["advice"][0]["words"]["zh"]


# --- people


def test_who_is_not_at_the_table_is_told_so_and_nothing_is_recorded(
    client: Visitor, table: LiveTable, desk: CountingDesk
) -> None:
    stranger = Visitor(client.client.application, OTHER)
    for path, body in (
        ("/api/photo", as_jpeg(photograph("123m"))),
        ("/api/photo/private", as_jpeg(photograph("123m"))),
        ("/api/tell", b"{}"),
        ("/api/waits", b"{}"),
        ("/api/object", b"{}"),
    ):
        kind = "image/jpeg" if "photo" in path else "application/json"
        found = stranger.send(path, body, kind)
        assert found.status_code in (401, 403), path
        assert found.json["error"]["en"]
        assert found.json["error"]["zh"]
    assert not table.entries()
    assert not desk.read_ids


# --- the phone's network, and what stays private


@pytest.fixture
def serving(table: LiveTable) -> Iterator[Serving]:
    found = serve(create_app(table), port=0)
    yield found
    found.close()


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    with device(browser, PHONE, "en-GB", touched=True) as context:
        yield context.new_page()


def test_two_phones_that_send_at_once_both_reach_the_ledger(
    browser: Browser, serving: Serving, table: LiveTable
) -> None:
    with (
        device(browser, PHONE, "en-GB", touched=True) as one,
        device(browser, PHONE, "en-GB", touched=True) as other,
    ):
        phones = [one.new_page(), other.new_page()]
        for phone, winner in zip(phones, ("Bo", "Chen"), strict=True):
            # A hand is tapped in and ready to be sent
            phone.goto(f"{serving.url}photo")
            phone.locator("#whose button", has_text=winner).tap()
            phone.locator("#take .by-hand").tap()
            for tile in parse_tiles(WON):
                phone.locator(f"#pad .face[data-key='{tile}']").tap()
            phone.locator("#pad .face[data-key='5s']").tap()
            phone.locator("[data-group=hand] .piece").last.tap()
            if phone.locator("#faces .won").is_visible():
                phone.locator("#faces .won").tap()
            asks = phone.locator("#asks .ask")
            asks.filter(has_text="Self-drawn").get_by_role("button", name="Ann").tap()
            deals = phone.get_by_role("heading", name="Who deals")
            asks.filter(has=deals).get_by_role("button", name="Ann").tap()
            expect(phone.locator("#worth .send")).to_be_enabled(timeout=PATIENCE_MS)
        slow: list[Route] = []  # the first phone comes to the birds when the other has told them
        phones[0].route("**/photo", lambda route: slow.append(route))
        for phone in phones:
            phone.evaluate("document.querySelector('#worth .send').click()")
        wait_for(lambda: len(table.snapshot.state.told) == 2)
        assert sorted(table.snapshot.state.declared) == [1, 2]
        turn_birds(phones[1], 2)
        wait_for(lambda: len(table.snapshot.state.birds) == 2)
        while not slow:
            phones[1].wait_for_timeout(20)
        slow[0].continue_()
        for phone in phones:
            phone.wait_for_url(serving.url)
    assert table.submit(Settle(), "Ann (scorer)") is None
    scores = table.snapshot.state.scores
    assert scores[1] == scores[2] > 0 == sum(scores), scores


def test_a_picture_waits_on_the_phone_and_is_read_once(
    phone: Page, serving: Serving, desk: CountingDesk, tmp_path: Path
) -> None:
    picture = tmp_path / "hand.jpg"
    picture.write_bytes(as_jpeg(photograph(WON, "5s")))
    phone.goto(f"{serving.url}photo")
    phone.locator("#whose button", has_text="Bo").tap()
    phone.context.set_offline(True)
    phone.set_input_files("#take .camera input", picture)
    expect(phone.locator("#problem")).to_contain_text("waits here", timeout=PATIENCE_MS)
    phone.goto("about:blank")  # its page is closed before the network is back
    phone.context.set_offline(False)
    phone.goto(f"{serving.url}photo")
    phone.locator("#whose button", has_text="Bo").tap()
    expect(phone.locator("[data-group=hand] .piece")).to_have_count(14, timeout=PATIENCE_MS)
    phone.reload()  # what was read and put right is still there, with its picture
    expect(phone.locator("[data-group=hand] .piece")).to_have_count(14, timeout=PATIENCE_MS)
    with phone.expect_response("**/api/photo"):  # the same again: it shows once
        phone.set_input_files("#hand input >> nth=0", picture)
    expect(phone.locator("#problem")).to_be_empty(timeout=PATIENCE_MS)
    phone.locator("#hand .pictures img").evaluate("image => image.decode()")
    phone.locator("#hand .again").tap()
    expect(phone.locator("#hand")).to_be_hidden(timeout=PATIENCE_MS)
    assert len(set(desk.read_ids)) == 1
    assert phone.evaluate("import('/static/photo_wait.js').then(({ kept }) => kept())") == []


def test_a_win_photographed_at_the_own_seat_without_a_network_is_read_once_it_is_back(
    phone: Page, serving: Serving, desk: CountingDesk, tmp_path: Path
) -> None:
    picture = tmp_path / "hand.jpg"
    picture.write_bytes(as_jpeg(photograph(WON, "5s")))
    phone.goto(f"{serving.url}seat/1")
    expect(phone.locator("#mine .won")).to_be_visible(timeout=PATIENCE_MS)
    phone.context.set_offline(True)
    phone.set_input_files("#mine .won input", picture)
    expect(phone.locator("#mine .problem")).to_contain_text("waits here", timeout=PATIENCE_MS)
    assert phone.url.endswith("/seat/1")
    phone.context.set_offline(False)
    phone.wait_for_url("**/photo")
    phone.locator("#whose button", has_text="Bo").tap()
    expect(phone.locator("[data-group=hand] .piece")).to_have_count(14, timeout=PATIENCE_MS)
    assert len(desk.read_ids) == 1


def test_a_late_picture_never_shows_over_tiles_that_are_tapped_in(
    phone: Page, serving: Serving, tmp_path: Path
) -> None:
    picture = tmp_path / "hand.jpg"
    picture.write_bytes(as_jpeg(photograph(WON, "5s")))
    slow: list[Route] = []
    phone.route("**/api/photo", lambda route: slow.append(route))
    phone.goto(f"{serving.url}photo")
    phone.locator("#whose button", has_text="Bo").tap()
    phone.set_input_files("#take .camera input", picture)
    while not slow:
        phone.wait_for_timeout(20)
    phone.locator("#take .by-hand").tap()
    phone.locator("#pad .face[data-key='9p']").tap()
    with phone.expect_response("**/api/photo"):
        slow[0].continue_()
    phone.locator("#pad .face[data-key='9p']").tap()
    tiles = phone.locator("[data-group=hand] .piece img")
    expect(tiles).to_have_count(2)
    assert [each.get_attribute("data-tile") for each in tiles.all()] == ["9p", "9p"]
    assert phone.evaluate("import('/static/photo_wait.js').then(({ kept }) => kept())") == []


@pytest.mark.parametrize(
    ("laid", "said"),
    [
        (WON, "too few"),
        (WON + "55s", "too many"),
        ("123m", "too few"),
    ],
)
def test_a_hand_of_another_size_is_told_what_to_do(
    phone: Page, serving: Serving, tmp_path: Path, laid: str, said: str
) -> None:
    picture = tmp_path / "hand.jpg"
    picture.write_bytes(as_jpeg(photograph(laid)))
    phone.goto(f"{serving.url}photo")
    phone.locator("#whose button", has_text="Bo").tap()
    phone.set_input_files("#take .camera input", picture)
    expect(phone.locator("#hand .hint")).to_contain_text(said, timeout=PATIENCE_MS)
    expect(phone.locator("#worth")).to_be_hidden()


def test_what_a_hand_is_worth_leaves_no_trace(
    phone: Page, serving: Serving, table: LiveTable, desk: CountingDesk, tmp_path: Path
) -> None:
    picture = tmp_path / "hand.jpg"
    picture.write_bytes(as_jpeg(photograph(WON)))
    entries, version = table.entries(), table.snapshot.seq
    asked: list[str] = []
    phone.on("request", lambda request: asked.append(request.url))
    phone.goto(f"{serving.url}worth")
    phone.locator("#whose button", has_text="Bo").tap()
    phone.set_input_files("#take .camera input", picture)
    expect(phone.locator("[data-group=hand] .piece")).to_have_count(13, timeout=PATIENCE_MS)
    unread = phone.locator("#asks .ask", has=phone.locator(".face"))
    while left := unread.count():
        unread.first.locator(".face").first.tap()
        expect(unread).to_have_count(left - 1, timeout=PATIENCE_MS)
    expect(phone.locator("#waits li").first).to_be_visible(timeout=PATIENCE_MS)
    phone.locator("#hand .add").tap()
    phone.locator("#pad .face[data-key='5s']").tap()
    phone.locator("[data-group=hand] .piece").last.tap()
    phone.get_by_role("button", name="Self-drawn").tap()
    deals = phone.locator("#asks .ask", has=phone.get_by_role("heading", name="Who deals"))
    deals.get_by_role("button", name="Ann").tap()
    expect(phone.locator("#worth h2")).to_contain_text("comes to", timeout=PATIENCE_MS)
    assert phone.locator("#worth .send").count() == 0
    assert (table.entries(), table.snapshot.seq) == (entries, version)
    assert set(desk.asked) == {False}
    assert desk.photo(desk.read_ids[0]) is None
    assert not any("/api/tell" in url or url.endswith("/api/photo") for url in asked)
    assert phone.evaluate("import('/static/photo_wait.js').then(({ kept }) => kept())") == []


def test_a_heap_of_tiles_is_refused_in_a_sentence(client: Visitor) -> None:
    rows = [parse_tiles(WON + "5s"), *(parse_tiles(f"123456789{suit}1234{suit}") for suit in "mps")]
    answer = send(client, as_jpeg(lay_rows(rows, seed=5)))
    assert answer.status_code == 422
    assert "tiles lie together" in answer.json["error"]["en"]


def test_a_tile_that_the_rules_do_not_have_is_named(client: Visitor) -> None:
    found = send(client, as_jpeg(photograph("123m456m789s123pCC"))).json
    if "C" in tiles(found):
        said = [each["words"]["en"] for each in found["advice"] if each["trouble"] == "foreign"]
        assert any("has no red dragon" in each.lower() for each in said)
    assert found["hand"]["size"] == 14
