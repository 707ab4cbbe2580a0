"""Every view in a real browser: sizes, languages, weight, keyboard, and axe-core's findings."""

import time
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from playwright.sync_api import expect

from table_assist.game.acceptance import Acceptance, AcceptedBy
from table_assist.game.events import Discarded, HandShown
from table_assist.languages.words import Words
from table_assist.record.commands import Change, Correct, DeclareReady, DeclareWin, Settle
from table_assist.record.evidence import Evidence
from table_assist.record.snapshot import Snapshot
from table_assist.tiles.tile import Tile
from table_assist.vision.pictures.picture import jpeg
from tests.stages.drawn_hands import serious
from tests.stages.web_fakes import (
    Evening,
    asked,
    expect_commands,
    opened,
    played,
    settled,
    with_history,
)
from tests.stages.web_fakes import won as changsha_won
from tests.stages.web_scenes import mid_hand, showing, table_of, won
from tests.web.conftest import Look
from web import create_app
from web.serve import serve

WEIGHT_LIMIT = 370_000  # all faces included; a seat lets other phones in, too
PHONE, TABLET, LAPTOP = (390, 844), (820, 1180), (1280, 800)
TELEVISION, WALL_SIZED = (1920, 1080), (3840, 2160)
VIEWS = ("scorer", "tv", "seat/2", "overlay")


@cache
def scene(name: str) -> Snapshot:
    if name == "asked":
        return asked(played(opened(with_history(Evening()), hand=6))).snapshot()
    if name == "birds":
        return changsha_won(played(opened(with_history(Evening()), hand=6)), "2p").snapshot()
    if name == "settled":
        evening = changsha_won(played(opened(with_history(Evening()), hand=6)), "2p 1s")
        return settled(evening).snapshot()
    id, what = name.split(" ")
    until = {"mid": mid_hand(), "long": mid_hand(70), "showing": showing, "won": won}[what]
    return table_of(id, until, seed=3, hands=2).snapshot()


@pytest.mark.parametrize(
    ("path", "name", "language", "theme"),
    [
        ("scorer", "asked", "en-GB", "light"),
        ("scorer", "birds", "zh-CN", "dark"),
        ("tv", "changchun mid", "zh-CN", "light"),
        ("tv", "settled", "en-GB", "dark"),
        ("seat/2", "tianjin mid", "zh-CN", "light"),
        ("seat/2", "settled", "en-GB", "dark"),
        ("overlay", "settled", "en-GB", "light"),
        ("pair/abc", "asked", "zh-CN", "dark"),
    ],
)
def test_axe_finds_nothing_serious(
    look: Look, path: str, name: str, language: str, theme: str
) -> None:
    size = PHONE if path.startswith(("seat", "pair")) else LAPTOP
    here = look(path, scene(name), size, locale=language, color_scheme=theme)
    assert serious(here.page) == []
    assert here.complaints == []


def test_axe_finds_nothing_serious_in_the_dialogs(look: Look) -> None:
    here = look("scorer", scene("settled"))
    page = here.page
    page.locator("#open-phones").click()
    page.locator("#phones .roles button").first.click()
    expect(page.locator("#phones .code svg")).to_be_visible()
    assert serious(page) == []
    page.locator("#phones .close").click()
    page.locator(".river .tile").first.click()
    expect(page.locator("#picker")).to_be_visible()
    assert serious(page) == []


@pytest.mark.parametrize("path", VIEWS)
def test_no_view_is_wider_than_any_screen(look: Look, path: str) -> None:
    here = look(path, scene("classical long"), TELEVISION)
    page = here.page
    shown = {"en": ("classical long", "tianjin showing", "settled"), "zh": ("settled",)}
    for language, names in shown.items():
        page.goto(f"{here.serving.url}{path}?lang={language}")
        expect(page.locator("body:not(.connecting)")).to_have_count(1)
        for name in names:
            here.table.publish(scene(name))
            page.wait_for_timeout(100)
            for size in (PHONE, TABLET, LAPTOP, TELEVISION, WALL_SIZED):
                page.set_viewport_size({"width": size[0], "height": size[1]})
                root = "document.documentElement"
                wide, high = page.evaluate(f"[{root}.scrollWidth, {root}.scrollHeight]")
                assert wide <= size[0], (language, name, size)
                if size[0] > TABLET[0] and path != "seat/2":
                    assert high <= size[1], (language, name, size)
    page.set_viewport_size({"width": 640, "height": 640})
    assert page.evaluate("document.documentElement.style.fontSize = '200%'") == "200%"
    assert page.evaluate("document.documentElement.scrollWidth") <= 640
    assert here.complaints == []


@pytest.mark.parametrize("size", [(1280, 800), (1100, 900), (1600, 900)])
def test_the_table_begins_below_all_that_is_said_above_it(
    look: Look, size: tuple[int, int]
) -> None:
    page = look("scorer", scene("changchun mid"), size).page
    page.evaluate(
        """() => {
          document.querySelector("#headline").textContent = "Hand 1: who wins photographs it";
          document.querySelector("#guidance").textContent =
            "Choose the first dealer, at random or by agreement. ".repeat(2);
        }"""
    )
    said, table = (page.locator(each).bounding_box() for each in ("header .now", "main > .table"))
    assert said is not None
    assert table is not None
    assert said["y"] + said["height"] <= table["y"]
    assert table["y"] + table["height"] <= size[1]
    assert table["width"] == pytest.approx(table["height"])


@pytest.mark.parametrize("path", VIEWS)
def test_every_view_weighs_little_and_comes_from_the_origin(look: Look, path: str) -> None:
    # Classical has the most faces of all rule sets, flowers and seasons among them.
    here = look(path, scene("classical long"))
    page = here.page
    here.table.publish(scene("classical showing"))
    expect(page.locator("#verdict")).to_be_visible()
    page.evaluate("Promise.all([...document.images].map((image) => image.src && image.decode()))")
    loaded = page.evaluate(
        "performance.getEntries().filter((entry) => 'decodedBodySize' in entry)"
        ".map((entry) => [entry.name, entry.decodedBodySize])"
    )
    assert all(name.startswith(here.serving.url) for name, _ in loaded)
    weight = sum(size for _, size in loaded)
    assert weight < WEIGHT_LIMIT, f"{path}: {weight}"


def test_the_television_is_read_from_four_metres_and_has_nothing_to_tap(look: Look) -> None:
    # On a 43 inch screen 1080 pixels are 53 cm: 4 m ask for letters of 2 cm, about 40 pixels.
    here = look("tv", scene("changsha mid"), TELEVISION)
    sizes = here.page.evaluate(
        "['#headline', '#scores .name', '#scores b.num'].map((name) =>"
        " parseFloat(getComputedStyle(document.querySelector(name)).fontSize))"
    )
    assert [size >= least for size, least in zip(sizes, (56, 40, 70), strict=True)] == [True] * 3
    tappable = "button:visible, a:visible:not(.skip), input:visible"
    assert here.page.locator(tappable).count() == 0


def test_the_overlay_lets_the_stream_s_picture_through(look: Look) -> None:
    here = look("overlay", scene("changsha mid"), TELEVISION)
    grounds = here.page.evaluate(
        "[document.documentElement, document.body, document.querySelector('main')]"
        ".map((each) => getComputedStyle(each).backgroundColor)"
    )
    assert grounds == ["rgba(0, 0, 0, 0)"] * 3


def test_the_own_seat_is_at_the_bottom(look: Look) -> None:
    here = look("seat/2", scene("changsha mid"), PHONE)
    plates = here.page.locator("#table .seat").evaluate_all(
        "(seats) => seats.map((seat) => [seat.dataset.seat, seat.dataset.place])"
    )
    assert dict(plates) == {"0": "2", "1": "3", "2": "0", "3": "1"}


def test_a_win_by_phone_takes_two_taps_and_ready_one(look: Look) -> None:
    snapshot = table_of("changchun", mid_hand(8)).snapshot()
    here = look("seat/1", snapshot, PHONE, has_touch=True)
    win = here.page.locator("#mine .win")
    win.tap()
    expect(win).to_have_text("Tap again: I win")
    assert here.table.commands == []
    with here.page.expect_response("**/api/win"):
        win.tap()
    with here.page.expect_response("**/api/ready"):
        here.page.locator("#mine .ready").tap()
    assert here.table.commands[0] == DeclareWin(1)
    assert here.table.commands[1] == DeclareReady(1)


def test_what_is_shown_is_accepted_with_the_keyboard_alone(look: Look) -> None:
    evening = changsha_won(played(opened(Evening())), "2p 1s")
    waits = Acceptance("1 1 -6+6+0+0", AcceptedBy.PAYERS, (0,), (), 1)
    here = look("scorer", evening.snapshot(settles_at=time.time() + 60, acceptance=waits))
    page = here.page
    expect(page.locator("#settle .until")).to_contain_text("Accepted in")
    page.locator("#settle .accept").focus()
    # The focus stays where it is while the view is drawn anew under it.
    here.table.publish(evening.snapshot(settles_at=time.time() + 50, acceptance=waits))
    page.wait_for_timeout(300)
    assert page.evaluate("document.activeElement.className") == "main accept"
    with page.expect_response("**/api/settle"):
        page.keyboard.press("Enter")
    expect_commands(here.table, Settle(seen=waits.settlement))


def test_a_tile_is_corrected_after_its_effect_was_shown(look: Look) -> None:
    evening = opened().do(Discarded(0, Tile.P5))
    here = look("scorer", evening.snapshot())
    here.table.change = Change(
        (0, 0, 0, 0), (4, -4, 0, 0), sentences=(Words("Hand 1 changes.", "第1局改变。"),)
    )
    page = here.page
    page.locator("#table .river .tile").focus()
    page.keyboard.press("Space")
    accept = page.locator("#picker .accept")
    expect(accept).to_be_disabled()
    page.locator("#picker").get_by_role("button", name="6 dots").click()
    expect(page.locator("#picker .changes")).to_contain_text("Hand 1 changes.")
    expect(page.locator("#picker .changes")).to_contain_text("+4")
    assert here.table.commands == []
    accept.click()
    expect(page.locator("#picker")).to_be_hidden()
    expect_commands(here.table, Correct(evening.entries[-1].seq, Discarded(0, Tile.P6)))


def test_the_first_thing_the_keyboard_finds_skips_to_the_table(look: Look) -> None:
    here = look("scorer", scene("asked"))
    here.page.keyboard.press("Tab")
    assert here.page.evaluate("document.activeElement.className") == "skip"
    here.page.keyboard.press("Enter")
    assert here.page.evaluate("document.activeElement.id") == "main"


def test_colours_and_language_are_remembered_by_the_server(look: Look) -> None:
    here = look("scorer", scene("asked"), color_scheme="dark")
    page = here.page
    page.locator("#theme").click()
    page.locator("#language").select_option("zh")
    page.goto(here.serving.url + "tv")
    assert page.locator("html").get_attribute("data-theme") == "light"
    assert page.locator("html").get_attribute("lang") == "zh-Hans"
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "light"


def test_an_app_whose_table_is_away_says_so_and_comes_back_by_itself(look: Look) -> None:
    here = look("seat/2", scene("changsha mid"), PHONE)
    page, port = here.page, int(here.serving.url.rstrip("/").rsplit(":", 1)[1])
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    page.wait_for_function("caches.match('/offline').then((kept) => kept !== undefined)")
    here.serving.close()
    page.goto(f"{here.serving.url}seat/2")
    expect(page.locator("h1")).to_have_text("The table cannot be reached")
    again = serve(create_app(here.table), port=port)
    try:
        expect(page.locator("#mine .own")).to_be_visible()
    finally:
        again.close()


def test_the_app_can_be_installed(look: Look) -> None:
    here = look("tv", scene("asked"), locale="zh-CN")
    manifest = here.page.evaluate(
        "fetch(document.querySelector('link[rel=manifest]').href).then((reply) => reply.json())"
    )
    assert (manifest["name"], manifest["lang"]) == ("牌桌助手", "zh-Hans")
    assert manifest["display"] == "standalone"
    assert {icon["sizes"] for icon in manifest["icons"]} >= {"192x192", "512x512"}
    for icon in manifest["icons"]:
        width, height = here.page.evaluate(
            "(source) => new Promise((done) => { const image = new Image();"
            " image.onload = () => done([image.naturalWidth, image.naturalHeight]);"
            " image.src = source; })",
            icon["src"],
        )
        if icon["sizes"] != "any":
            assert icon["sizes"] == f"{width}x{height}"


def test_a_played_hand_is_stepped_through(look: Look) -> None:
    table = table_of("wanzhou", won)
    here = look("scorer", table.snapshot())
    page = here.page
    page.locator("#history button.replay").first.dispatch_event("click")
    said = page.locator("#replay .said")
    expect(said).to_have_text("A new wall stands.")
    page.locator("#replay [data-step=on]").click()
    expect(said).to_contain_text("rolls")
    page.locator("#replay [data-step=last]").click()
    expect(said).to_contain_text("won.")
    drawn = page.locator("#replayed .river .tile").count()
    assert drawn == sum(len(seat.river) for seat in table.state.seats)
    expect(page.locator("#replay img.kept")).to_be_hidden()  # of this hand none was kept


def test_a_phone_steps_a_hand_back_by_keys_and_sees_the_picture_that_was_kept(look: Look) -> None:
    snapshot = table_of("wanzhou", won).snapshot()
    here = look("seat/1", snapshot, PHONE)
    [shown] = [entry.seq for entry in snapshot.entries if isinstance(entry.event, HandShown)]
    grey = jpeg(np.full((40, 60, 3), 200, np.uint8))
    here.table.kept_evidence[f"e{shown}"] = Evidence(f"e{shown}", 0.0, grey)
    here.table.kept_evidence[f"e{snapshot.seq}"] = Evidence(f"e{snapshot.seq}", 0.0, b"")
    page = here.page
    page.locator("#history button.replay").first.click()
    expect(page.locator("#replay .said")).to_have_text("A new wall stands.")
    page.locator("#replay [data-step=last]").click()
    account, kept = page.locator("#replay .account"), page.locator("#replay img.kept")
    expect(account).to_contain_text("The winning hand of Ana")
    expect(kept).to_be_hidden()  # what was kept there has no picture, and nobody asks for one
    while shown < snapshot.seq:
        page.keyboard.press("ArrowLeft")
        left = len([entry for entry in snapshot.entries if entry.seq < snapshot.seq])
        expect(page.locator("#replay input")).to_have_value(str(left))
        snapshot = replace(snapshot, seq=snapshot.seq - 1)
    expect(kept).to_have_attribute("src", f"/api/evidence/e{shown}/picture.jpg")
    expect(account).to_be_empty()
    assert here.complaints == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
