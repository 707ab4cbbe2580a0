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
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from flask import Flask
from playwright.sync_api import Browser, ConsoleMessage, Error, Page, Response, sync_playwright

from table_assist.game.acceptance import name_of
from table_assist.game.events import Agreed, HandStarted, Settled
from table_assist.game.people import seat_of
from table_assist.game.state import SEATS
from table_assist.record.log import Entry, effective
from tests.conftest import ARGUMENTS, CHROMIUM
from tests.driven.careless import NAMES, Careless, careless_table
from tests.driven.finishing import TAP_MS, Finishing
from tests.driven.people import EXPECTED
from tests.secrecy.houses import STRANGER
from tests.web.test_photo import HANDS, as_jpeg, photograph

CHEAT = 1
STEPS = 40  # of wandering between two hands that are finished
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
    """The four at their table.

    Attributes:
        commands: what the interface takes, by path.
        did: how often they did what.
        trail: the latest steps.
    """

    table: Careless
    commands: Mapping[str, Mapping[str, Any]]
    random: Random
    pictures: Sequence[Path]
    did: Counter[str] = field(default_factory=Counter)
    trail: list[str] = field(default_factory=list)
    _checked: int = 0

    @property
    def phones(self) -> list[Page]:
        """Theirs, by seat."""
        return self.table.phones

    def wander(self, steps: int) -> None:
        """So many steps of anybody; what must always hold is looked at after each."""
        for _ in range(steps):
            seat = self.random.randrange(4)
            deeds = {**DEEDS, **(CHEATS if seat == CHEAT else {})}
            (do,) = self.random.choices(*zip(*deeds.items(), strict=True))
            self.did[do.__name__] += 1
            self.trail = [*self.trail[-30:], f"{NAMES[seat]} {do.__name__}"]
            try:
                do(self, seat)
            except Error as error:  # the page went away under the finger
                self.trail.append(str(error).splitlines()[0])
            self.check()

    def stood_still(self, *_: object) -> None:
        """No page has answered for a minute."""
        raise AssertionError("a page stood still", [page.url for page in self.phones])

    def check(self) -> None:
        """What must hold whatever people do.

        Raises:
            AssertionError: it does not.
        """
        signal.alarm(STILL_S)
        assert not self.table.complaints, self.table.complaints
        entries = self.table.live.entries()
        for entry in entries[self._checked :]:
            if isinstance(entry.event, Settled) and entry.event.winners:
                assert sum(entry.event.transfers) == 0
                lacking = unaccepted(entries[: entry.seq], entry.event)
                assert not lacking, f"entry {entry.seq}: {lacking} never accepted"
            if isinstance(entry.event, Agreed):
                assert seat_of(entry.by) == entry.event.seat, entry
        self._checked = len(entries)

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
    table.phones[seat].goto(table.table.url, wait_until="commit")


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
    table.phones[seat].goto(f"{table.table.url}{table.random.choice(paths)}", wait_until="commit")


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


def unaccepted(entries: Sequence[Entry], settled: Settled) -> set[int]:
    """Who pays and has not accepted exactly these payments of this hand, by the record alone."""
    events = [event for _, event in effective(entries)]
    hand = next(each.hand for each in reversed(events) if isinstance(each, HandStarted))
    name = name_of(hand, settled)
    said = {each.seat for each in events if isinstance(each, Agreed) and each.to == name}
    return {seat for seat in SEATS if settled.transfers[seat] < 0} - said


class _Faults(logging.Handler):
    """What the program writes down as a fault."""

    def __init__(self, complaints: list[str]) -> None:
        super().__init__(logging.ERROR)
        self._complaints = complaints

    def emit(self, record: logging.LogRecord) -> None:
        """A complaint."""
        self._complaints.append(self.format(record))


def noted(random: Random, table: Careless, page: Page) -> None:
    """Complain of errors and of faults of the server; nothing that opens is waited for."""

    def answered(response: Response) -> None:
        if response.status >= 500 and response.status != 503:
            table.complaints.append(f"{response.status} {response.request.method} {response.url}")

    def wrote(said: ConsoleMessage) -> None:
        if said.type == "error" and not EXCUSED.search(said.text):
            table.complaints.append(f"{page.url}: {said.text}")

    page.on("pageerror", lambda error: table.complaints.append(f"{page.url}: {error.stack}"))
    page.on("console", wrote)
    page.on("response", answered)
    page.on("dialog", lambda asks: asks.accept() if random.random() < 0.5 else asks.dismiss())
    page.on("filechooser", lambda _: None)  # opened, and left again
    page.on("popup", lambda popup: popup.close())


@contextmanager
def wanderers(browser: Browser, folder: Path, rules: str, seed: int) -> Iterator[Wanderers]:
    """Four phones, a television, and nobody at the desk."""
    random, pictures = Random(seed), _pictures(folder, rules)
    with careless_table(browser, folder, rules, partial(noted, random)) as table:
        context = browser.new_context(
            viewport={"width": 1280, "height": 720}, extra_http_headers=STRANGER
        )
        television = context.new_page()
        table.listen(table, television)
        television.goto(f"{table.url}tv")
        four = Wanderers(table, commands_of(table.app), random, pictures)
        faults = _Faults(table.complaints)
        before = signal.signal(signal.SIGALRM, four.stood_still)
        logging.getLogger().addHandler(faults)
        try:
            yield four
        finally:
            signal.alarm(0)
            signal.signal(signal.SIGALRM, before)
            logging.getLogger().removeHandler(faults)
            context.close()


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
        (folder / f"{name}.jpg").write_bytes(data)
    return [folder / f"{name}.jpg" for name in images]


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
            place, finished = Path(folder) / str(seed), 0
            place.mkdir()
            with wanderers(browser, place, played, seed) as four:
                finishing = Finishing(four.table, played, four.random, four.check)
                try:
                    for _ in range(4):
                        four.wander(STEPS)
                        finishing.finish()
                        finished += 1
                except (AssertionError, Error) as error:
                    failed += 1
                    print(f"seed {seed}, {played}: {error} {four.trail}", flush=True)
                    for at, page in enumerate(four.phones if options.shots else ()):
                        with suppress(Error):
                            page.screenshot(path=options.shots / f"{seed}-{NAMES[at]}.png")
                did += four.did
            hands += finished
            print(f"seed {seed}, {played}: {finished} hands finished", flush=True)
            seed += 1
        browser.close()
    print(f"{hands} hands finished, {failed} tables failed; {dict(did)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
