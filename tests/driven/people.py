"""Who sits around the table, each with a page of their own, and how phones are let in."""

import json
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Locator, Page, TimeoutError, expect

from table_assist.game.state import SEATS
from tests.secrecy.houses import STRANGER

PHOTO = re.compile(r"/photo$")  # an address is watched: one navigation may break off another
PATIENCE_MS = 60_000  # a browser beside three more on two busy cores
TRIED_MS = 4_000  # a second tap counts for five seconds: later it is the first one again
SLEPT_S = 6.5  # shorter naps are nobody's business
PHONE, LAPTOP, TELEVISION = (390, 844), (1280, 800), (1920, 1080)
# Keeps what the stream brings, as the page gets it, and the streams themselves.
LISTEN = """
window.heard = [];
window.streams = [];
window.heardAt = Date.now();
const Real = window.EventSource;
window.EventSource = class extends Real {
  constructor(...all) {
    super(...all);
    window.streams.push(this);
    for (const name of ["view", "health", "hello", "waiting", "beat"])
      this.addEventListener(name, ({ data }) => {
        window.heardAt = Date.now();
        window.heard.push(data);
        window.heard.splice(0, window.heard.length - 300);
      });
  }
};
"""
# What the browser says where a line is cut on purpose.
EXPECTED = re.compile(
    r"net::ERR_(INTERNET_DISCONNECTED|NETWORK|INCOMPLETE_CHUNKED|CONNECTION|EMPTY|SOCKET)"
)


@dataclass
class Person:
    """Somebody with a page.

    Attributes:
        taps: so many since they were last counted.
        complaints: what the page wrote on its console and should not have.
    """

    name: str
    page: Page
    taps: int = 0
    complaints: list[str] = field(default_factory=list)

    def tap(self, what: str | Locator) -> None:
        """One tap, as soon as it can be tapped."""
        found = self.page.locator(what) if isinstance(what, str) else what
        found.click(timeout=PATIENCE_MS)
        self.taps += 1

    def tap_until(self, what: str | Locator, holds: Callable[[], bool]) -> None:
        """One tap, unless it has come to hold by itself."""
        found = self.page.locator(what) if isinstance(what, str) else what
        self.until(lambda: holds() or found.is_visible())
        if not holds():
            try:
                found.click(timeout=TRIED_MS)
                self.taps += 1
            except TimeoutError:  # the time ran out under the finger
                pass
        self.until(holds)

    def tap_twice(self, what: Locator, holds: Callable[[], bool]) -> None:
        """What asks whether it is meant: two taps, and again where the second came too late."""
        ends = time.monotonic() + PATIENCE_MS / 1000
        for _ in range(2):
            self.tap(what)
        while not self.comes_to(holds, TRIED_MS):
            assert time.monotonic() < ends, f"two taps on {what} did nothing"
            what.click(timeout=PATIENCE_MS)

    def until(self, holds: Callable[[], bool]) -> None:
        """Wait for it.

        Raises:
            AssertionError: it did not come to hold.
        """
        held = self.comes_to(holds, PATIENCE_MS)
        said = None if held else self.page.locator("#problem:visible").all_inner_texts()
        assert held, f"{self.name} waited for nothing; its page said {said}, {self.complaints}"

    def comes_to(self, holds: Callable[[], bool], within_ms: int) -> bool:
        """Whether it holds within the time."""
        ends = time.monotonic() + within_ms / 1000
        while not holds():
            if time.monotonic() > ends:
                return False
            self.page.wait_for_timeout(20)
        return True

    def post(self, path: str, body: dict[str, Any]) -> str | None:
        """A command that no page has a button for; one sentence when it is refused."""
        return self.page.evaluate(  # type: ignore[no-any-return]
            "([path, body]) => import('/static/ask.js').then(({ send }) => send(path, body))",
            [path, body],
        )

    def lose_network(self) -> None:
        """Nothing comes or goes. Chromium leaves streams alone that are open: they are cut."""
        self.page.context.set_offline(True)
        self.page.evaluate("window.streams.forEach((stream) => stream.close())")

    def find_network(self) -> None:
        """The browser is told that it is online again; the rest is the page's to do."""
        self.page.context.set_offline(False)

    def fall_asleep(self) -> None:
        """A device that sleeps is told nothing, and its line dies without a word."""
        self.page.evaluate("window.streams.forEach((stream) => stream.close())")

    def wake(self) -> None:
        """After a while it shows its page again, which finds out by itself that it is old."""
        silent = "Date.now() - window.heardAt"
        while self.page.evaluate(silent) < 1000 * SLEPT_S:
            self.page.wait_for_timeout(100)
        self.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")

    def heard(self) -> list[str]:
        """What the stream has brought since the page was opened."""
        return self.page.evaluate("window.heard")  # type: ignore[no-any-return]

    def views(self) -> list[dict[str, Any]]:
        """The views among that, oldest first."""
        return [view for view in map(json.loads, self.heard()) if "seats" in view]

    def scores(self) -> list[int]:
        """The standing as it is written on the page."""
        return [number(each) for each in self.page.locator("#scores b.num").all_text_contents()]

    def shows(self, scores: list[int]) -> None:
        """Wait until the standing on the page is this one.

        Raises:
            AssertionError: it does not come to be.
        """
        expected = self.page.locator("#scores b.num")
        expect(expected).to_have_text([_pattern(each) for each in scores], timeout=PATIENCE_MS)
        assert self.scores() == scores


def number(text: str) -> int:
    """What a page writes for a number of points.

    >>> number("\\u22121,024"), number("+12"), number("0")
    (-1024, 12, 0)
    """
    plain = text.replace("\u2212", "-")
    return int(re.sub(r"[^0-9-]", "", plain) or 0)


def _pattern(points: int) -> re.Pattern[str]:
    digits = r"\D*".join(str(abs(points)))
    sign = "\u2212" if points < 0 else "[^0-9\u2212]*"
    return re.compile(f"^{sign}{digits}$")


@dataclass
class People:
    """A television, a scorer at the table's machine, four phones and a referee.

    Args:
        local: the table's page on its own machine.
        network: the same from elsewhere.
        is_far: whether `network` is an address of the network, so that its requests come from
            there; else they say that they were passed on.
    """

    browser: Browser
    local: str
    network: str
    is_far: bool
    language: str = "en-GB"
    contexts: list[BrowserContext] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.scorer = self.open("scorer", LAPTOP, f"{self.local}scorer", is_local=True)
        self.television = self.open("television", TELEVISION, f"{self.network}tv")
        self.phones = [self.pair(f"phone {seat}", seat, PHONE) for seat in range(4)]
        self.referee = self.pair("referee", 5, LAPTOP)

    @property
    def all(self) -> list[Person]:
        return [self.scorer, self.television, *self.phones, self.referee]

    def open(
        self, name: str, size: tuple[int, int], url: str = "", *, is_local: bool = False
    ) -> Person:
        """Somebody's browser, on this machine or elsewhere in the network."""
        headers = {} if is_local or self.is_far else STRANGER
        context = self.browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            locale=self.language,
            has_touch=size == PHONE,
            extra_http_headers=headers,
        )
        context.add_init_script(LISTEN)
        self.contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        person = Person(name, page)

        def note(said: str) -> None:
            if not EXPECTED.search(said):
                person.complaints.append(said)

        page.on("pageerror", lambda error: note(str(error)))
        page.on(
            "console", lambda message: note(f"{message.text} {message.location['url']}".rstrip())
        )
        if url:
            page.goto(url)
            expect(page.locator("body:not(.connecting)")).to_have_count(1, timeout=PATIENCE_MS)
        return person

    def pair(self, name: str, place: int, size: tuple[int, int]) -> Person:
        """Show a code, scan it, compare the numbers, say yes.

        Args:
            place: of the button in the list of seats and roles.
        """
        scorer, person = self.scorer, self.open(name, size)
        scorer.tap("#open-phones")
        scorer.tap(scorer.page.locator("#phones .roles button").nth(place))
        url = scorer.page.locator("#phones .code p").first.text_content() or ""
        person.page.goto(url)
        if place >= len(SEATS):  # players keep the names of the settings
            person.page.locator("#name").fill(name)
        person.tap("#pair form button")
        asked = person.page.locator("#pair .number")
        expect(asked).to_be_visible(timeout=PATIENCE_MS)
        waiting = scorer.page.locator("#waiting li")
        expect(waiting.locator("b.number")).to_have_text(
            asked.text_content() or "", timeout=PATIENCE_MS
        )
        scorer.tap(waiting.get_by_role("button").first)
        expect(person.page).not_to_have_url(url, timeout=PATIENCE_MS)
        expect(person.page.locator("body:not(.connecting)")).to_have_count(1, timeout=PATIENCE_MS)
        if scorer.page.locator("#phones").is_visible():
            scorer.tap("#phones .close")
        return person

    def leave(self, person: Person) -> None:
        """Close somebody's browser."""
        self.contexts.remove(person.page.context)
        person.page.context.close()

    def close(self) -> None:
        """Close all of them."""
        for context in self.contexts:
            context.close()
