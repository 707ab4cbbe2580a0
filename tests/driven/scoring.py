"""Hands scored with phones alone: photographed, put right, told and accepted, in a real browser."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

from playwright.sync_api import Browser, Locator, Page, expect

from table_assist.game.events import HandTold
from table_assist.game.state import Phase
from table_assist.live.live_table import LiveTable
from table_assist.rules.ruleset import RuleSet
from table_assist.settings.config import Config, LogConfig, RulesConfig
from table_assist.tiles.melds import Meld, MeldKind
from table_assist.tiles.tile import Tile
from tests.driven.people import PATIENCE_MS, PHOTO, People, Person
from tests.driven.photographs import Photograph, TrueTile, drawn_row
from tests.stages.recorded_table import NAMES
from web import create_app
from web.serve import Serving, serve

WAITING = 13
KONGS = (MeldKind.KONG_CONCEALED, MeldKind.KONG_ADDED)
# What lies on the phone's screen, each tile with its place in its photograph.
PIECES = """[...document.querySelectorAll('#hand .piece')].map(({ piece, classList }, at) => ({
  at, tile: piece.tile, box: piece.box, isPhotographed: piece.photo !== '',
  isWon: classList.contains('won') }))"""


@dataclass(slots=True)
class Scored:
    """How a hand went.

    Attributes:
        read_s: from the chosen file to the tiles on the screen.
        all_s: from the laid-down tiles to the accepted score.
        taps: of everybody together.
        in_turn: of these, those that wait for each other: who pays accepts at the same time.
        unread, wrong: tiles that the page asked about, and that a person had to put right.
        accepted: the judge found a win, and it reached the ledger.
        accepted_by: on how many phones.
        right: what reached the ledger by taps is what lay on the table, in the same sets.
    """

    rules: str
    name: str
    is_real: bool
    read_s: float = 0.0
    all_s: float = 0.0
    taps: int = 0
    in_turn: int = 0
    unread: int = 0
    wrong: int = 0
    accepted: bool = False
    accepted_by: int = 0
    right: bool = False


@dataclass(slots=True)
class Manners:
    """How long people take, in seconds: to aim the camera, and before each tap.

    Attributes:
        taps_tiles: instead of photographing them.
    """

    aims_s: float = 0.0
    thinks_s: float = 0.0
    taps_tiles: bool = False


@dataclass
class PhoneTables:
    """One address, at which a table after the other is served that nobody follows.

    Args:
        folder: for logs, evidence, pictures, and who was let in.
    """

    browser: Browser
    folder: Path
    people: People | None = None
    port: int = 0
    evenings: int = 0

    @contextmanager
    def evening(self, rules: RuleSet, manners: Manners | None = None) -> Iterator["PhoneEvening"]:
        """A table with these rules and a log of its own, and people around it."""
        self.evenings += 1
        config = replace(
            Config(),
            rules=RulesConfig(id=rules.id),
            seats=replace(Config().seats, names=NAMES),
            log=LogConfig(str(self.folder / f"{self.evenings}-{rules.id}.sqlite")),
        )
        table = LiveTable(config, camera=None, reader=None)
        table.start()
        serving = self._serve(table)
        try:
            if self.people is None:
                self.people = People(self.browser, serving.url, serving.url, is_far=False)
            for person in (self.people.scorer, *self.people.phones):  # they come back by themselves
                fresh = person.page.locator("#history tbody tr")
                expect(fresh).to_have_count(0, timeout=PATIENCE_MS)
            yield PhoneEvening(self.people, table, rules, self.folder, manners or Manners())
        finally:
            serving.close()
            table.stop()

    def close(self) -> None:
        """Everybody goes home."""
        if self.people is not None:
            self.people.close()

    def _serve(self, table: LiveTable) -> Serving:
        app = create_app(table, devices=self.folder / "devices.json")
        serving = serve(app, port=self.port)
        self.port = serving.port
        return serving


@dataclass
class PhoneEvening:
    """Some hands of one rule set."""

    people: People
    table: LiveTable
    rules: RuleSet
    folder: Path
    manners: Manners
    scored: list[Scored] = field(default_factory=list)

    def score(self, photograph: Photograph, *, is_real: bool = False) -> Scored:
        """One hand, from the tiles on the table to the score in the ledger."""
        if self.table.snapshot.state.game_over:
            self.people.phones[0].tap("#mine .next-game")
        one = Scored(self.rules.id, photograph.name, is_real)
        self.scored.append(one)
        winner = self.people.phones[1 + len(self.scored) % 3]
        everybody = self.people.all
        for person in everybody:
            person.taps = 0
        others = self._others(photograph)
        began = time.monotonic()
        self._lay_out(winner, photograph, one)
        if photograph.winning:
            self._mark_winning(winner, photograph)
        self._answer(winner, photograph)
        if not self._wins(
            winner
        ):  # a set is taken for something else: people would have to move it
            winner.page.goto(self.people.network)
            one.all_s, one.taps = time.monotonic() - began, winner.taps
            return one
        self._send(winner)
        if self.rules.birds is not None:
            self._turn_birds(winner, photograph)
        for seat, hand in others:
            self._lay_down(self.people.phones[seat], hand, one)
        self._accept(one, photograph)
        one.all_s = time.monotonic() - began
        one.taps = sum(person.taps for person in everybody)
        one.in_turn = one.taps - max(0, one.accepted_by - 1)
        return one

    # -- one step after the other

    def _lay_out(self, phone: Person, hand: Photograph, one: Scored) -> None:
        """All its tiles are on the screen, as they lie."""
        if self.manners.taps_tiles:
            self._tap_tiles(phone, hand)
        else:
            self._photograph(phone, hand, one)
            self._put_right(phone, hand, one)

    def _tap_tiles(self, phone: Person, hand: Photograph) -> None:
        """Meld by meld, then tile by tile."""
        page = phone.page
        phone.tap(page.locator("#mine .links a").first)
        expect(page).to_have_url(PHOTO, timeout=PATIENCE_MS)
        phone.tap(page.locator("#take .by-hand"))
        left = sorted(str(each.tile) for each in hand.tiles)
        for number, meld in enumerate(hand.melds):
            kind = MeldKind.KONG_EXPOSED if meld.kind.is_kong else meld.kind
            self._tap(phone, page.locator(f"#pad .sets [data-key={kind}]"))
            self._tap(phone, _face(page, min(meld.tiles)))
            if meld.kind in KONGS:
                kinds = page.locator(".meld").nth(number).locator(".kinds")
                self._tap(phone, kinds.locator(f"[data-key={meld.kind}]"))
            for tile in laid_open(meld):
                left.remove(str(tile))
        for name in left:
            self._tap(phone, _face(page, name))

    def _photograph(self, phone: Person, photograph: Photograph, one: Scored) -> None:
        """A tap opens the camera, and its picture is chosen."""
        phone.page.wait_for_timeout(1000 * self.manners.aims_s)
        chooser = phone.page.locator("#mine .won input")
        phone.until(phone.page.locator("#mine .won").is_visible)
        chosen = time.monotonic()
        chooser.set_input_files(photograph.file)
        phone.taps += 1
        expect(phone.page).to_have_url(PHOTO, timeout=PATIENCE_MS)
        expect(phone.page.locator("#hand .piece").first).to_be_visible(timeout=PATIENCE_MS)
        one.read_s = one.read_s or time.monotonic() - chosen

    def _put_right(self, phone: Person, photograph: Photograph, one: Scored) -> None:
        """What was not read, or read wrongly, or is no tile of the hand, or is missing."""
        page = phone.page
        for _ in range(40):
            pieces = page.evaluate(PIECES)
            fault = _first_fault(pieces, photograph)
            if fault is None:
                break
            at, true = fault
            if at is None:
                assert true is not None
                self._add(phone, true)
                one.wrong += 1
            elif pieces[at]["tile"] == "?" and true is not None:
                self._name(phone, true)
                one.unread += 1
            else:
                one.wrong += 1
                self._tap(phone, page.locator("#hand .piece").nth(at))
                if true is None:
                    self._tap(phone, page.locator("#faces .remove"))
                else:
                    self._tap(phone, page.locator(f"#faces .rows .face[data-key='{true}']"))

    def _name(self, phone: Person, tile: Tile) -> None:
        """The page asks about the first tile that it could not read."""
        ask = phone.page.locator("#asks .ask").first
        likely = ask.locator(f".face[data-face='{tile}']")
        if likely.count():
            self._tap(phone, likely.first)
        else:
            self._tap(phone, ask.locator(".other"))
            self._tap(phone, phone.page.locator(f"#faces .rows .face[data-key='{tile}']"))

    def _add(self, phone: Person, tile: Tile) -> None:
        face = phone.page.locator(f"#pad .face[data-key='{tile}']")
        if not face.is_visible():
            self._tap(phone, phone.page.locator("#hand .add"))
        self._tap(phone, face)

    def _mark_winning(self, phone: Person, photograph: Photograph) -> None:
        """The tile that came last, where none or another one is marked."""
        names = {str(tile) for tile in photograph.winning}
        pieces = phone.page.evaluate(PIECES)
        won = [each for each in pieces if each["isWon"]]
        if won and won[0]["tile"] in names:
            return
        hand = phone.page.locator("[data-group=hand] .piece")
        at = next(
            number
            for number in range(hand.count())
            if hand.nth(number).locator("img").get_attribute("data-tile") in names
        )
        self._tap(phone, hand.nth(at))
        if won:
            self._tap(phone, phone.page.locator("#faces .won"))

    def _answer(self, phone: Person, photograph: Photograph) -> None:
        """What a picture cannot show."""
        page = phone.page
        came = page.locator("#asks .ask", has=page.get_by_role("heading", name="How did"))
        self._tap(phone, came.get_by_role("button").nth(int(photograph.is_given)))
        dealer = page.locator("#asks .ask", has=page.get_by_role("heading", name="Who deals"))
        if dealer.count():
            self._tap(phone, dealer.get_by_role("button").first)
        if photograph.indicator is not None:
            self._tap(phone, page.locator(f"#asks .pad .face[data-face='{photograph.indicator}']"))
        elif self.rules.wilds is not None:
            self._tap(phone, page.locator("#asks .pad .face[data-face='P']"))

    def _wins(self, phone: Person) -> bool:
        """What the page says the hand comes to."""
        worth = phone.page.locator("#worth")
        expect(worth.locator(".send")).to_be_enabled(timeout=PATIENCE_MS)
        return "no" not in (worth.get_attribute("class") or "").split()

    def _send(self, phone: Person) -> None:
        before = sum(isinstance(entry.event, HandTold) for entry in self.table.entries())
        self._tap(phone, phone.page.locator("#worth .send"))
        phone.until(
            lambda: (
                sum(isinstance(entry.event, HandTold) for entry in self.table.entries()) > before
            )
        )

    def _turn_birds(self, phone: Person, photograph: Photograph) -> None:
        section = phone.page.locator("#birds")
        expect(section).to_be_visible(timeout=PATIENCE_MS)
        assert self.rules.birds is not None
        held = {each.tile for each in photograph.tiles}
        bird = next(tile for tile in self.rules.kinds if tile not in held)
        for _ in range(self.rules.birds.count):
            self._tap(phone, section.locator(f".face[data-key='{bird}']"))
        self._tap(phone, section.locator(".send"))
        phone.until(lambda: len(self.table.snapshot.state.birds) == self.rules.birds.count)  # type: ignore[union-attr]

    def _others(self, photograph: Photograph) -> list[tuple[int, Photograph]]:
        """The hands of those who did not win, where they count."""
        if self.rules.settle_values is None:
            return []
        left = [tile for tile in self.rules.kinds for _ in range(self.rules.copies)]
        for each in photograph.tiles:
            left.remove(each.tile)
        number = len(self.scored)
        Random(number).shuffle(left)
        winner = 1 + number % 3
        found = []
        for seat in (seat for seat in range(4) if seat != winner):
            tiles, left = sorted(left[:WAITING]), left[WAITING:]
            drawn = not self.manners.taps_tiles
            picture = drawn_row(self.rules, tiles, self.folder, number, seat, drawn=drawn)
            found.append((seat, picture))
        return found

    def _lay_down(self, phone: Person, hand: Photograph, one: Scored) -> None:
        self._lay_out(phone, hand, one)
        self._send(phone)

    def _accept(self, one: Scored, photograph: Photograph) -> None:
        """Who pays looks, and accepts on the own phone, all at the same time."""
        for seat, phone in enumerate(self.people.phones):
            phone.until(lambda phone=phone, seat=seat: phone.page.url.endswith(f"/seat/{seat}"))  # type: ignore[misc]
        self._wait()
        self.people.phones[0].until(lambda: self.table.snapshot.acceptance is not None)
        waits = self.table.snapshot.acceptance
        assert waits is not None
        one.accepted_by = waits.missing  # where nobody pays, any two accept
        for seat in waits.seats[: waits.missing]:
            self.people.phones[seat].tap("#mine .accept")
        self.people.phones[0].until(lambda: self.table.snapshot.state.phase is Phase.SETTLED)
        state = self.table.snapshot.state
        one.accepted = state.settled is not None and bool(state.settled.winners)
        one.right = one.accepted and self._is_right(photograph)

    def _is_right(self, hand: Photograph) -> bool:
        """The winner's tiles, as they were told, are those that lay there, in the same sets."""
        told = [entry.event for entry in self.table.entries() if isinstance(entry.event, HandTold)]
        won = next(each for each in reversed(told) if each.winning_tile is not None)
        open_tiles = (tile for meld in won.melds for tile in laid_open(meld))
        same = sorted(each.tile for each in hand.tiles) == sorted([*won.concealed, *open_tiles])
        sets = sorted(map(str, won.melds)) == sorted(map(str, map(_in_order, hand.melds)))
        is_given = (won.discarder is not None) == hand.is_given
        return same and sets and is_given and won.winning_tile in hand.winning

    def _tap(self, phone: Person, what: Locator) -> None:
        self._wait()
        phone.tap(what)

    def _wait(self) -> None:
        self.people.scorer.page.wait_for_timeout(1000 * self.manners.thinks_s)


def laid_open(meld: Meld) -> tuple[Tile, ...]:
    """Its tiles that lie face up: of a concealed kong two."""
    return meld.tiles[:2] if meld.kind is MeldKind.KONG_CONCEALED else meld.tiles


def _in_order(meld: Meld) -> Meld:
    return replace(meld, tiles=tuple(sorted(meld.tiles)))


def _face(page: Page, tile: Tile | str) -> Locator:
    return page.locator(f"#pad .face[data-key='{tile}']")


def _first_fault(
    pieces: list[dict[str, Any]], photograph: Photograph
) -> tuple[int | None, Tile | None] | None:
    """(place on the screen, the true face) of what is not as it lies; None: all is.

    Without a place a tile is missing; without a face something is shown that is none of the hand's.
    """
    left = list(photograph.tiles)
    for piece in pieces:
        if piece["tile"] == "#":
            continue
        true = _under(piece, left)
        if true is None and _under(piece, list(photograph.backs)) is not None:
            continue  # of a concealed kong, whose other tiles say what it is
        if true is None:
            return piece["at"], None
        left.remove(true)
        if piece["tile"] != str(true.tile):
            return piece["at"], true.tile
    return (None, left[0].tile) if left else None


def _under(piece: dict[str, Any], tiles: list[TrueTile]) -> TrueTile | None:
    """Which of the tiles lies there; one that was added by hand lies nowhere."""
    if not piece["isPhotographed"]:
        return next((each for each in tiles if str(each.tile) == piece["tile"]), None)
    x, y = piece["box"][0] + piece["box"][2] / 2, piece["box"][1] + piece["box"][3] / 2
    inside = [each for each in tiles if _distance(each, x, y) < 1]
    return min(inside, key=lambda each: _distance(each, x, y), default=None)


def _distance(tile: TrueTile, x: float, y: float) -> float:
    """From its centre, in halves of its size."""
    left, top, width, height = tile.box
    across, down = abs(x - left - width / 2) / width, abs(y - top - height / 2) / height
    return 2 * max(across, down)
