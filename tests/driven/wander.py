"""Four people who read no manual and tap whatever is there, for as long as asked; one cheats.

``python -m tests.driven.wander --minutes 20 --seed 1 --rules all --shots DIR``

They tap, reload, go back, lose the network, photograph the wrong thing, and tap at the same moment.
One of them sends requests that no page of his has. Each time they have wandered for a while they
come to themselves and must be able to finish the hand from wherever they have got to.
"""

import argparse
import json
import logging
import re
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from flask import Flask
from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Dialog,
    Error,
    Page,
    Response,
    sync_playwright,
)

from bench.web.leaks.houses import STRANGER
from table_assist.game.acceptance import name_of
from table_assist.game.events import Agreed, Settled
from table_assist.game.state import SEATS, Phase
from table_assist.live.live_table import LiveTable
from table_assist.record.log import Retracted
from table_assist.settings.config import Config, LogConfig, RulesConfig
from table_assist.tiles import parse_tiles
from tests.conftest import ARGUMENTS, CHROMIUM
from tests.driven.people import EXPECTED, LISTEN
from tests.web.test_photo import HANDS, as_jpeg, photograph
from tests.web.test_sit_down import phone
from web import create_app
from web.serve import serve

NAMES = ("Ana", "Ben", "Cai", "Dora")
CHEAT = 1
LOST = "147m258p369sESWN"
STEPS = 40  # of wandering between two hands that are finished
PATIENCE = 80  # so many looks at the four phones until a hand is over
TAP_MS = 5_000
STILL_S = 60
# Where a line is cut on purpose, or the answer is a sentence that says why not.
EXCUSED = re.compile(rf"{EXPECTED.pattern}|net::ERR_FAILED|responded with a status of (4|503)")
# A visible place to tap, the likelier the more it invites to it; never out of the house.
PICK = """draw => {
  const all = [...document.querySelectorAll(
    'button, a[href], summary, label.button, input[type=checkbox], .piece, .face')];
  const isSeen = (each) => !each.disabled && each.checkVisibility({ visibilityProperty: true });
  const seen = all.filter((each) => isSeen(each) && !each.closest('#pair .seats, [inert]')
    && !(each.href && (!each.href.startsWith(location.origin) || each.target || each.download)));
  const open = document.querySelector('dialog[open]');
  const near = open ? seen.filter((each) => open.contains(each)) : seen;
  if (!near.length) return null;
  const invites = (each) => each.closest('#asked, #worth') || each.matches('.main, .accept');
  const weigh = (each) => invites(each) ? 6
    : each.matches('.face') ? .3 : each.matches('a') ? .5 : 1;
  let left = draw * near.reduce((sum, each) => sum + weigh(each), 0);
  const one = near.find((each) => (left -= weigh(each)) < 0) ?? near.at(-1);
  one.scrollIntoView({ block: 'center' });
  const { left: x, top: y, width, height } = one.getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2, what: `${one.localName}.${one.className}` };
}"""
TEXTS = ("5s", "1m", "E", "changsha", "x", "")
SEND = "([path, body]) => import('/static/ask.js').then(({ send }) => send(path, body))"


@dataclass
class Wanderers:
    """The table, its phones and its television; `complaints` are what should not have happened.

    Attributes:
        did: how often they did what.
        finished: hands.
        trail: the latest steps.
    """

    browser: Browser
    url: str
    key: str
    live: LiveTable
    commands: Mapping[str, Mapping[str, Any]]
    rules: str
    random: Random
    pictures: list[Path]
    phones: list[Page] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    did: Counter[str] = field(default_factory=Counter)
    finished: int = 0
    trail: list[str] = field(default_factory=list)
    _checked: int = 0

    # -- wandering

    def wander(self, steps: int) -> None:
        """So many steps of anybody; what must always hold is looked at after each."""
        for _ in range(steps):
            seat = self.random.randrange(4)
            (do,) = self.random.choices(*zip(*self._deeds(seat).items(), strict=True))
            self.did[do.__name__.strip("_")] += 1
            self.trail = [*self.trail[-30:], f"{NAMES[seat]} {do.__name__}"]
            try:
                do(self, seat)
            except Error as error:  # the page went away under the finger
                self.trail.append(str(error).splitlines()[0])
            self.check()

    def _deeds(self, seat: int) -> Mapping[Callable[["Wanderers", int], None], float]:
        return {**DEEDS, **(CHEATS if seat == CHEAT else {})}

    def stood_still(self, *_: object) -> None:
        """No page has answered for a minute."""
        raise AssertionError("a page stood still", [page.url for page in self.phones], self.trail)

    def check(self) -> None:
        """What must hold whatever people do.

        Raises:
            AssertionError: it does not.
        """
        signal.alarm(STILL_S)
        assert not self.complaints, (self.complaints, self.trail)
        entries = self.live.entries()
        for entry in entries[self._checked :]:
            if isinstance(entry.event, Settled) and entry.event.winners:
                assert sum(entry.event.transfers) == 0
                lacking = unaccepted(entries[: entry.seq], entry.event)
                assert not lacking, (f"entry {entry.seq}: {lacking} never accepted", self.trail)
            if isinstance(entry.event, Agreed):
                assert entry.by == NAMES[entry.event.seat], (entry, self.trail)
        self._checked = len(entries)

    # -- coming to themselves

    def finish(self) -> None:
        """Everybody opens the page anew; the hand that is open, or a new one, is settled.

        Raises:
            AssertionError: somebody is stuck.
        """
        for seat in SEATS:
            self._come_back(seat)
        before = self._settled()
        for look in range(PATIENCE):
            if self._settled() > before:
                self.finished += 1
                return
            did = False
            with suppress(Error):  # the page changed under the finger
                did = self._one_step(look)
            if not did:
                self.phones[0].wait_for_timeout(100)
            self.check()
        state = self.live.snapshot.state
        asked = [str(each.question.kind) for each in state.questions]
        raise AssertionError(
            f"nobody can finish the hand: {state.phase}, asked {asked}", self.trail
        )

    def _settled(self) -> int:
        return sum(
            isinstance(entry.event, Settled) and bool(entry.event.winners)
            for entry in self.live.entries()
        )

    def _come_back(self, seat: int) -> None:
        context = self.phones[seat].context
        context.set_offline(False)
        self.phones[seat].close()
        page = self.phones[seat] = context.new_page()
        self._listen(page)
        self._go_home(page, seat)

    def _one_step(self, look: int) -> bool:
        """Whether somebody found something sensible to do."""
        for seat, page in enumerate(self.phones):  # a picture that was kept led somebody away
            if "/seat/" not in page.url:
                self._go_home(page, seat)
        return (
            self._answer_what_is_asked(look)
            or self._tap_what_invites()
            or self._lay_down_what_counts()
            or self._win(look)
        )

    def _answer_what_is_asked(self, look: int) -> bool:
        for page in self.phones:
            answers = page.locator("#asked .choices button:visible:enabled")
            if answers.count():
                answers.nth(look % answers.count()).tap(timeout=TAP_MS)
                page.wait_for_timeout(200)
                return True
        return False

    def _tap_what_invites(self) -> bool:
        for what in (".turn-birds", ".accept", ".next-game"):
            for seat, page in enumerate(self.phones):
                button = page.locator(f"#mine {what}:visible")
                if button.count():
                    button.first.tap(timeout=TAP_MS)
                    if what == ".turn-birds":
                        self._turn_birds(page, seat)
                    return True
        return False

    def _lay_down_what_counts(self) -> bool:
        """Where the others' hands count, too, once one has won."""
        told = {each.seat for each in self.live.snapshot.state.told}
        if self.live.snapshot.rules.settle_values is None or not told:
            return False
        left = [seat for seat in SEATS if seat not in told]
        if left:
            self._lay_down(left[0])
        return bool(left)

    def _win(self, look: int) -> bool:
        if self.live.snapshot.state.phase is Phase.SHOWING:
            return False
        self._show(2 if look % 2 else 3)
        return True

    def _show(self, seat: int) -> None:
        """A win, tile by tile, and what the page asks about it."""
        page = self.phones[seat]
        tiles, wins_on = HANDS[self.rules]
        self._tap_tiles(page, tiles + wins_on)
        last = page.locator(f"[data-group=hand] .piece:has(img[data-tile='{wins_on}'])").last
        if not page.locator(f".piece.won img[data-tile='{wins_on}']").count():
            last.tap(timeout=TAP_MS)
            won = page.locator("#faces .won:visible")
            if won.count():
                won.tap(timeout=TAP_MS)
        self._send(page)
        birds = page.locator("#birds:visible")
        for _ in range(PATIENCE):
            if "/photo" not in page.url or birds.count():
                break
            page.wait_for_timeout(50)
        if "/photo" in page.url:
            self._turn_birds(page, seat)

    def _lay_down(self, seat: int) -> None:
        """A hand that did not win, where it counts."""
        self._tap_tiles(self.phones[seat], LOST)
        self._send(self.phones[seat])
        self._go_home(self.phones[seat], seat)

    def _tap_tiles(self, page: Page, tiles: str) -> None:
        """From wherever the page is: a picture that was kept may have led it away."""
        by_hand = page.locator("#take .by-hand:visible")
        for _ in range(PATIENCE):
            if by_hand.count():
                break
            way = page.locator("#mine .links a:visible, #hand .again:visible")
            with suppress(Error):
                way.first.tap(timeout=TAP_MS) if way.count() else page.wait_for_timeout(100)
        by_hand.tap(timeout=TAP_MS)
        for tile in parse_tiles(tiles):
            page.locator(f"#pad .face[data-key='{tile}']").tap(timeout=TAP_MS)

    def _send(self, page: Page) -> None:
        send = page.locator("#worth .send:visible:enabled")
        for _ in range(6):
            if send.count():
                break
            self._answer(page)
        send.tap(timeout=TAP_MS)

    def _answer(self, page: Page) -> None:
        """The first answer that is no other player's tile; an east wind where a face is asked."""
        for ask in page.locator("#asks .ask:visible").all():
            faces = ask.locator(".face[data-face='E']")
            choice = faces if faces.count() else ask.get_by_role("button")
            if choice.count() and not ask.locator("[aria-pressed=true]").count():
                choice.first.tap(timeout=TAP_MS)
        page.wait_for_timeout(200)

    def _turn_birds(self, page: Page, seat: int) -> None:
        page.wait_for_url("**/photo", timeout=TAP_MS)
        faces = page.locator("#birds .face:visible")
        faces.first.wait_for(timeout=TAP_MS)
        for _ in range(12):
            if not page.locator("#birds:visible").count():
                break
            if page.locator("#birds .send:visible:enabled").count():
                page.locator("#birds .send").tap(timeout=TAP_MS)
                page.wait_for_timeout(300)
                break
            faces.nth(self.random.randrange(faces.count())).tap(timeout=TAP_MS)
        self._go_home(page, seat)

    def _go_home(self, page: Page, seat: int) -> None:
        """To the own page, where the page does not lead there by itself."""
        for _ in range(3):
            with suppress(Error):  # a picture that was kept leads to its own page first
                page.wait_for_url(f"**/seat/{seat}", timeout=1000)
                return
            with suppress(Error):
                page.goto(f"{self.url}seat/{seat}")
        raise AssertionError(f"{NAMES[seat]} does not get to the own page from {page.url}")

    # -- the pages

    def sit_down(self, seat: int) -> None:
        page = phone(self.browser, f"{self.url}join#{self.key}")
        page.locator("#name").fill(NAMES[seat])
        page.locator("#pair .seats button").nth(seat).tap()
        page.wait_for_url(f"**/seat/{seat}")
        page.context.add_init_script(LISTEN)
        self._listen(page)
        self.phones.append(page)

    def watch(self) -> Page:
        """The television, in the corner of everybody's eye."""
        page = self.browser.new_context(
            viewport={"width": 1280, "height": 720}, extra_http_headers=STRANGER
        ).new_page()
        self._listen(page)
        page.goto(f"{self.url}tv")
        return page

    def _listen(self, page: Page) -> None:
        page.on(
            "pageerror", lambda error: self.complaints.append(f"{page.url}: {error} {error.stack}")
        )
        page.on("console", lambda message: self._said(page, message))
        page.on("response", self._answered)
        page.on("dialog", self._decide)
        page.on("filechooser", lambda _: None)  # opened, and left again
        page.on("popup", lambda popup: popup.close())

    def _said(self, page: Page, message: ConsoleMessage) -> None:
        if message.type == "error" and not EXCUSED.search(message.text):
            self.complaints.append(f"{page.url}: {message.text}")

    def _answered(self, response: Response) -> None:
        if response.status >= 500 and response.status != 503:
            self.complaints.append(f"{response.status} {response.request.method} {response.url}")

    def _decide(self, dialog: Dialog) -> None:
        dialog.accept() if self.random.random() < 0.5 else dialog.dismiss()

    def body_for(self, schema: Mapping[str, Any]) -> Any:
        """What the interface's description allows, made up; other people's seats above all."""
        if "enum" in schema:
            return self.random.choice(schema["enum"])
        if "const" in schema:
            return schema["const"]
        for way in ("oneOf", "anyOf"):
            if way in schema:
                return self.body_for(self.random.choice(schema[way]))
        kind = schema.get("type")
        if kind == "object":
            return {
                name: self.body_for(each) for name, each in schema.get("properties", {}).items()
            }
        if kind == "array":
            return [self.body_for(schema.get("items", {})) for _ in range(self.random.randrange(3))]
        if kind in ("integer", "number"):
            low = max(int(schema.get("minimum", 0)), -10)
            return self.random.randint(low, max(low, min(int(schema.get("maximum", 30)), 30)))
        if kind == "boolean":
            return self.random.random() < 0.5
        return None if kind == "null" else self.random.choice(TEXTS)


# -- what people do


def taps(table: Wanderers, seat: int) -> None:
    page = table.phones[seat]
    found = page.evaluate(PICK, table.random.random())
    if found is not None:
        table.trail[-1] += f" {found['what']}"
        page.touchscreen.tap(found["x"], found["y"])


def taps_as_another_does(table: Wanderers, seat: int) -> None:
    """Two phones, one moment."""
    other = (seat + table.random.randrange(1, 4)) % 4
    places = [(at, table.phones[at].evaluate(PICK, table.random.random())) for at in (seat, other)]
    for at, found in places:
        if found is not None:
            table.phones[at].evaluate(
                "({ x, y }) => void setTimeout(() => document.elementFromPoint(x, y)?.click(), 80)",
                found,
            )
    table.phones[seat].wait_for_timeout(120)


def reloads(table: Wanderers, seat: int) -> None:
    table.phones[seat].reload(wait_until="commit")


def goes_back(table: Wanderers, seat: int) -> None:
    table.phones[seat].go_back(wait_until="commit", timeout=TAP_MS)


def goes_home(table: Wanderers, seat: int) -> None:
    table.phones[seat].goto(table.url, wait_until="commit")


def loses_the_network(table: Wanderers, seat: int) -> None:
    context = table.phones[seat].context
    context.set_offline(True)
    taps(table, seat)
    table.phones[seat].wait_for_timeout(100)
    context.set_offline(False)


def photographs(table: Wanderers, seat: int) -> None:
    """The page for it, whatever lies before the camera."""
    page = table.phones[seat]
    inputs = page.locator("input[type=file]")
    if inputs.count():
        at = table.random.randrange(inputs.count())
        inputs.nth(at).set_input_files(table.random.choice(table.pictures), timeout=TAP_MS)
        page.wait_for_timeout(table.random.choice([0, 300, 1500]))


def sends_what_no_page_has(table: Wanderers, seat: int) -> None:
    """Any command of the interface, with anybody's seat in it."""
    path = table.random.choice(sorted(table.commands))
    body = table.body_for(table.commands[path])
    table.trail[-1] += f" {path} {json.dumps(body)[:80]}"
    table.phones[seat].evaluate(SEND, [path, body])


def looks_where_others_look(table: Wanderers, seat: int) -> None:
    paths = ("admin", "referee", "scorer", "seat/0", "seat/3", "tv", "photo", "evening", "house")
    table.phones[seat].goto(f"{table.url}{table.random.choice(paths)}", wait_until="commit")


DEEDS: Mapping[Callable[[Wanderers, int], None], float] = {
    taps: 20, taps_as_another_does: 2, reloads: 1, goes_back: 1, goes_home: 1,
    loses_the_network: 0.5, photographs: 1.5,
}  # fmt: skip
CHEATS: Mapping[Callable[[Wanderers, int], None], float] = {
    sends_what_no_page_has: 8, looks_where_others_look: 1,
}  # fmt: skip


def commands_of(app: Flask) -> dict[str, Mapping[str, Any]]:
    """The bodies that the interface describes, by path; not those that let a device in or out."""
    paths = app.test_client().get("/api/openapi.json").get_json()["paths"]
    bodies = {
        path: methods["post"]["requestBody"]["content"]
        for path, methods in paths.items()
        if "requestBody" in methods.get("post", {})
    }
    left_out = ("/api/pair", "/api/leave")
    return {
        path: content["application/json"]["schema"]
        for path, content in bodies.items()
        if "{" not in path and "application/json" in content and not path.startswith(left_out)
    }


def unaccepted(entries: tuple[Any, ...], settled: Settled) -> set[int]:
    """Who pays and has not accepted exactly these payments, by the record alone."""
    gave: dict[int, Agreed] = {}
    for entry in entries:
        if isinstance(entry.event, Agreed):
            gave[entry.seq] = entry.event
        elif isinstance(entry.event, Retracted):
            gave.pop(entry.event.seq, None)
    payers = {seat for seat in SEATS if settled.transfers[seat] < 0}
    hands = {each.to.split(" ")[0] for each in gave.values()}
    names = {name_of(int(number), settled) for number in hands if number.isdigit()}
    said = {each.seat for each in gave.values() if each.to in names}
    return payers - said if payers else set()


class _Faults(logging.Handler):
    """What the program writes down as a fault."""

    def __init__(self, complaints: list[str]) -> None:
        super().__init__(logging.ERROR)
        self._complaints = complaints

    def emit(self, record: logging.LogRecord) -> None:
        """A complaint."""
        self._complaints.append(self.format(record))


@contextmanager
def wanderers(browser: Browser, folder: Path, rules: str, seed: int) -> Iterator[Wanderers]:
    """A table that nobody follows, four phones, a television, and nobody at the desk."""
    config = replace(
        Config(), rules=RulesConfig(id=rules), log=LogConfig(str(folder / f"{rules}-{seed}.sqlite"))
    )
    live = LiveTable(config, camera=None, reader=None)
    live.start()
    app = create_app(live, devices=folder / f"{rules}-{seed}.json")
    serving = serve(app, port=0)
    pictures = _pictures(folder, rules)
    key = app.extensions["evening_key"]
    table = Wanderers(
        browser, serving.url, key, live, commands_of(app), rules, Random(seed), pictures
    )
    faults = _Faults(table.complaints)
    before = signal.signal(signal.SIGALRM, table.stood_still)
    logging.getLogger().addHandler(faults)
    try:
        for seat in SEATS:
            table.sit_down(seat)
        television = table.watch()
        yield table
        television.context.close()
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
        logging.getLogger().removeHandler(faults)
        for page in table.phones:
            page.context.close()
        serving.close()
        live.stop()


def _pictures(folder: Path, rules: str) -> list[Path]:
    """A win, no win, a heap, the dark, and what is no picture."""
    hand, won = HANDS[rules]
    images = {
        "win": as_jpeg(photograph(hand, won)),
        "none": as_jpeg(photograph("123m456m789s19p", "5s")),
        "few": as_jpeg(photograph("12m")),
        "dark": as_jpeg(np.zeros((480, 640, 3), np.uint8)),
        "text": b"this is no picture",
    }
    for name, data in images.items():
        (folder / f"{rules}-{name}.jpg").write_bytes(data)
    return [folder / f"{rules}-{name}.jpg" for name in images]


def main() -> int:
    """Wander until the time is over; exit code 1 if something did not hold."""
    parser = argparse.ArgumentParser(prog="python -m tests.driven.wander", description=__doc__)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--seed", type=int, default=1, help="the next table has the next one")
    parser.add_argument("--rules", nargs="+", default=["all"], choices=["all", *sorted(HANDS)])
    parser.add_argument("--shots", type=Path, help="folder for what everybody saw at a failure")
    options = parser.parse_args()
    rules = sorted(HANDS) if "all" in options.rules else options.rules
    ends, seed, failed, hands = time.monotonic() + 60 * options.minutes, options.seed, 0, 0
    did: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=ARGUMENTS)
        while time.monotonic() < ends:
            played = rules[seed % len(rules)]
            with wanderers(browser, Path(folder), played, seed) as table:
                try:
                    for _ in range(4):
                        table.wander(STEPS)
                        table.finish()
                except (AssertionError, Error) as error:
                    failed += 1
                    print(f"seed {seed}, {played}: {error}", flush=True)
                    for at, page in enumerate(table.phones if options.shots else ()):
                        with suppress(Error):
                            page.screenshot(path=options.shots / f"{seed}-{NAMES[at]}.png")
                did += table.did
                hands += table.finished
            print(f"seed {seed}, {played}: {table.finished} hands finished", flush=True)
            seed += 1
        browser.close()
    print(f"{hands} hands finished, {failed} tables failed; {dict(did)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
