"""Four people who read no manual, one of whom cheats: with phones alone, at a table of Changsha.

``python -m tests.driven.careless --shots DIR`` plays all scenes and takes each phone's picture
after each of them.
"""

import argparse
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from flask import Flask
from playwright.sync_api import Browser, Locator, Page, Request, expect, sync_playwright

from table_assist.game.state import Phase
from table_assist.live.live_table import LiveTable
from table_assist.settings.config import Config, LogConfig, RulesConfig
from table_assist.tiles.tile import parse_tiles
from tests.conftest import ARGUMENTS, CHROMIUM
from tests.web.test_photo import as_jpeg, photograph
from tests.web.test_sit_down import phone
from web import create_app
from web.serve import serve

NAMES = ("Ana", "Ben", "Cai", "Dora")
ANA, BEN, CAI, DORA = range(4)
WINS, WINS_ON = "123m456m789s123p55s", "3p"
WINS_NOT = "123m456m789s123p58s"
PATIENCE_MS = 20_000


@dataclass
class Careless:
    """The table and its four phones; `complaints` are what their pages threw.

    Attributes:
        listen: is given each new page, to note what should not happen on it.
    """

    browser: Browser
    url: str
    key: str
    live: LiveTable
    app: Flask
    folder: Path
    listen: Callable[["Careless", Page], None]
    phones: list[Page] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def sit_down(self, seat: int) -> Page:
        """A phone scans the table's own screen, says a name, and takes a seat."""
        page = phone(self.browser, f"{self.url}join#{self.key}")
        page.set_default_timeout(PATIENCE_MS)
        self.listen(self, page)
        page.locator("#name").fill(NAMES[seat])
        page.locator("#pair .seats button").nth(seat).tap()
        page.wait_for_url(f"**/seat/{seat}")
        return page

    def tap_in(self, seat: int, tiles: str, wins_on: str) -> Page:
        """A hand tile by tile, up to what it comes to."""
        page = self.phones[seat]
        page.locator("#mine .links a").first.tap()
        page.locator("#take .by-hand").tap()
        for tile in parse_tiles(tiles):
            page.locator(f"#pad .face[data-key='{tile}']").tap()
        self.won_on(page, wins_on)
        self.answer(page)
        return page

    def won_on(self, page: Page, tile: str) -> None:
        """The tile that came last, where the page takes another one for it."""
        if page.locator(f".piece.won img[data-tile='{tile}']").count():
            return
        marked = page.locator(".piece.won").count()
        page.locator(f"[data-group=hand] .piece:has(img[data-tile='{tile}'])").first.tap()
        if marked:
            page.locator("#faces .won").tap()

    def answer(self, page: Page) -> None:
        """Drawn by oneself; Ana deals."""
        page.get_by_role("button", name="Self-drawn").tap()
        dealer = asked(page, "Who deals")
        if dealer.count():
            dealer.get_by_role("button", name="Ana").tap()
        expect(page.locator("#worth .send")).to_be_enabled()

    def show(self, seat: int, tiles: str = WINS, wins_on: str = WINS_ON) -> None:
        """A win that everybody sees, its birds turned."""
        page = self.tap_in(seat, tiles, wins_on)
        page.locator("#worth .send").tap()
        self.turn_birds(page)

    def turn_birds(self, page: Page) -> None:
        for bird in ("9p", "9p"):
            page.locator(f"#birds .face[data-key='{bird}']").tap()
        page.locator("#birds .send").tap()
        page.wait_for_url("**/seat/*")

    def accept(self, *seats: int) -> None:
        for seat in seats:
            self.phones[seat].locator("#mine .accept").tap()

    def settle(self, winner: int) -> None:
        """Everybody who pays accepts."""
        self.accept(*(seat for seat in range(4) if seat != winner))
        self.phones[winner].wait_for_function("document.querySelector('#mine .accept').hidden")
        self.waits_until(lambda: self.live.snapshot.state.phase is Phase.SETTLED)

    def waits_until(self, holds: Callable[[], bool]) -> None:
        for _ in range(PATIENCE_MS // 20):
            if holds():
                return
            self.phones[0].wait_for_timeout(20)
        raise AssertionError(f"waited for nothing: {self.live.snapshot.state.phase}")

    def all_alike(self) -> None:
        """Every page has the ledger's standing."""
        for page in self.phones:
            for at, points in enumerate(self.live.snapshot.state.scores):
                shown = page.locator("#scores b.num").nth(at)
                expect(shown).to_have_text(str(points).replace("-", "−"), timeout=PATIENCE_MS)


def soon(page: Page, what: str) -> None:
    """A tap that lands a moment later, at the same time as another phone's."""
    page.locator(what).evaluate("button => { setTimeout(() => button.click(), 100); }")


def asked(page: Page, title: str) -> Locator:
    """One of the page's questions."""
    return page.locator("#asks .ask", has=page.get_by_role("heading", name=title))


def choice(page: Page, at: int) -> Locator:
    """An answer to what all are asked."""
    return page.locator("#asked .choices button").nth(at)


def closely(table: Careless, page: Page) -> None:
    """Nothing is thrown, and no page is left for another one twice: that would load it twice."""

    def note(failed: Request) -> None:
        if failed.resource_type == "document":
            table.complaints.append(f"{failed.url}: {failed.failure}")

    page.on("pageerror", lambda error: table.complaints.append(str(error)))
    page.on("requestfailed", note)


@contextmanager
def careless_table(
    browser: Browser,
    folder: Path,
    rules: str = "changsha",
    listen: Callable[[Careless, Page], None] = closely,
) -> Iterator[Careless]:
    """A table that nobody follows, with four phones at it and nobody at the desk."""
    log = LogConfig(str(folder / "log.sqlite"))
    live = LiveTable(Config(rules=RulesConfig(id=rules), log=log), camera=None, reader=None)
    live.start()
    app = create_app(live, devices=folder / "devices.json")
    serving = serve(app, port=0)
    table = Careless(browser, serving.url, app.extensions["evening_key"], live, app, folder, listen)
    try:
        for seat in range(4):
            table.phones.append(table.sit_down(seat))
        yield table
    finally:
        for page in table.phones:
            page.context.close()
        serving.close()
        live.stop()


# -- the scenes, in their order: each ends with a hand that is over


def a_false_win_goes_to_its_end(table: Careless) -> None:
    """Ben shows what is no win, has it looked at again, shows it again; then he says so, too."""
    for time in range(2):
        page = table.tap_in(BEN, WINS_NOT, WINS_ON)
        expect(page.locator("#worth .check")).to_be_visible()  # to look at the tiles comes first
        page.locator("#worth .send").tap()
        page.wait_for_url("**/seat/1")
        expect(choice(table.phones[BEN], 1)).to_be_visible()
        if time == 0:
            choice(table.phones[BEN], 1).tap()  # he gets out of it once
            expect(table.phones[ANA].locator("#asked")).to_be_hidden()
            assert table.live.snapshot.state.shown == ()
    choice(table.phones[ANA], 0).tap()
    expect(table.phones[CAI].locator("#asked")).to_contain_text("said by Ana")
    table.phones[ANA].reload()
    expect(table.phones[ANA].locator("#asked .does").first).to_contain_text("said by Ana")
    choice(table.phones[CAI], 0).tap()
    expect(table.phones[CAI].locator("#asked .does").first).to_contain_text("does not gain")
    choice(table.phones[BEN], 0).tap()
    for page in table.phones:
        expect(page.locator("#asked")).to_be_hidden()
    assert [each.seat for each in table.live.snapshot.state.refused] == [BEN]
    table.all_alike()


def the_hand_goes_on_and_a_tile_of_a_photograph_is_changed(table: Careless) -> None:
    """Ben's photograph is of no win; he names one tile anew. Everybody sees that he did."""
    picture = table.folder / "hand.jpg"
    picture.write_bytes(as_jpeg(photograph("123m456m789s123p8s", "5s")))
    page = table.phones[BEN]
    page.locator("#mine .won input").set_input_files(picture)
    page.wait_for_url("**/photo")
    wrong = page.locator("[data-group=hand] .piece:has(img[data-tile='8s'])")
    expect(wrong).to_have_count(2)
    wrong.last.tap()
    page.locator("#faces .rows .face[data-key='5s']").tap()
    table.won_on(page, "5s")
    table.answer(page)
    page.locator("#worth .send").tap()
    table.turn_birds(page)
    for each in table.phones:
        told = each.locator("#verdict .by-hand")
        expect(told).to_have_text("Changed by hand: 8 bamboo read, 5 bamboo told")
    table.phones[ANA].locator("#mine .object").tap()
    choice(table.phones[DORA], 1).tap()  # who pays gains by it: the winner must say so, too
    choice(table.phones[BEN], 1).tap()
    expect(table.phones[BEN].locator("#verdict")).to_be_hidden()


def a_word_is_taken_back_while_another_accepts(table: Careless) -> None:
    """Ana takes her word back at the moment at which the last one accepts."""
    table.show(CAI)
    table.accept(ANA, BEN)
    expect(table.phones[ANA].locator("#mine .withdraw")).to_be_visible()
    for seat, button in ((ANA, "withdraw"), (DORA, "accept")):
        soon(table.phones[seat], f"#mine .{button}")
    for seat in (ANA, BEN, DORA):
        has = table.phones[seat].locator("#mine .accept" if seat == ANA else "#mine .withdraw")
        expect(has).to_be_visible()
    state = table.live.snapshot.state
    assert (state.phase, state.scores[CAI]) == (Phase.SHOWING, state.scores[CAI])
    table.accept(ANA)
    table.waits_until(lambda: table.live.snapshot.state.phase is Phase.SETTLED)
    table.all_alike()


def everybody_reloads_at_each_step(table: Careless) -> None:
    """The hand that is tapped in, what is shown, the birds and the own word are there again."""
    page = table.tap_in(DORA, WINS, WINS_ON)
    page.reload()
    expect(page.locator("[data-group=hand] .piece")).to_have_count(14)
    table.answer(page) if page.locator("#worth .send").is_disabled() else None
    page.locator("#worth .send").tap()
    expect(page.locator("#birds")).to_be_visible()
    page.reload()
    table.turn_birds(page)
    for at, each in enumerate(table.phones[:3]):
        each.reload()
        table.accept(at)
        each.reload()
        if at < 2:
            expect(each.locator("#mine .withdraw")).to_be_visible()
    table.waits_until(lambda: table.live.snapshot.state.phase is Phase.SETTLED)
    table.all_alike()


def two_win_at_once(table: Careless) -> None:
    """Two phones send their win for the same hand at the same moment; nothing is lost."""
    pages = [table.tap_in(seat, WINS, WINS_ON) for seat in (ANA, CAI)]
    for page in pages:
        soon(page, "#worth .send")
    table.waits_until(lambda: len(table.live.snapshot.state.shown) == 2)
    for seat in (BEN, DORA):
        expect(choice(table.phones[seat], 0)).to_contain_text("Look at it again")
        choice(table.phones[seat], 0).tap()  # both cannot have drawn the last tile
    table.waits_until(lambda: table.live.snapshot.state.phase is Phase.PLAYING)
    for page in table.phones:
        expect(page.locator("#mine .won")).to_be_visible()


def a_phone_is_gone_and_another_one_takes_its_place(table: Careless) -> None:
    """Dora pays, and her phone is dead. Two others let her new one in, and not one alone."""
    table.show(CAI)
    table.accept(ANA, BEN)
    table.phones[DORA].context.close()
    page = table.phones[DORA] = phone(table.browser, f"{table.url}join#{table.key}")
    page.locator("#name").fill("Dora")
    page.locator("#pair .seats button").nth(DORA).tap()
    page.locator("#pair form button").tap()
    number = page.locator("#pair .number")
    expect(number).to_have_text(re.compile(r"\d{4}"))
    for seat in (BEN, ANA):
        asks = table.phones[seat].locator("#waiting li")
        expect(asks.locator(".number")).to_have_text(number.inner_text())
        expect(page).not_to_have_url(re.compile("/seat/"))
        asks.get_by_role("button", name="Let in").tap()
        expect(asks).to_have_count(0)
    page.wait_for_url("**/seat/3")
    table.accept(DORA)
    table.waits_until(lambda: table.live.snapshot.state.phase is Phase.SETTLED)
    table.all_alike()


def the_hand_is_taken_back_and_settled_again(table: Careless) -> None:
    """All has been settled; Ben takes his word back, and accepts it after all."""
    table.phones[BEN].locator("#mine .withdraw").tap()
    expect(table.phones[BEN].locator("#mine .accept")).to_be_visible()
    table.all_alike()
    table.accept(BEN)
    table.waits_until(lambda: table.live.snapshot.state.phase is Phase.SETTLED)
    table.all_alike()


SCENES = (
    a_false_win_goes_to_its_end,
    the_hand_goes_on_and_a_tile_of_a_photograph_is_changed,
    a_word_is_taken_back_while_another_accepts,
    everybody_reloads_at_each_step,
    two_win_at_once,
    a_phone_is_gone_and_another_one_takes_its_place,
    the_hand_is_taken_back_and_settled_again,
)


def main() -> int:
    """Play them; pictures of all phones after each."""
    parser = argparse.ArgumentParser(prog="python -m tests.driven.careless", description=__doc__)
    parser.add_argument("--shots", type=Path)
    shots = parser.parse_args().shots
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=ARGUMENTS)
        with careless_table(browser, Path(folder)) as table:
            for scene in SCENES:
                try:
                    scene(table)
                finally:
                    for seat, page in enumerate(table.phones if shots else ()):
                        name = f"{SCENES.index(scene)}-{scene.__name__}-{NAMES[seat]}.png"
                        page.screenshot(path=shots / name, full_page=True)
                print(scene.__name__, list(table.live.snapshot.state.scores), flush=True)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
