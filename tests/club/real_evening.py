"""Five whole programs, each with its simulated table and page, one hub, a browser at all of them.

`python -m tests.club.real_evening --hands 2`: the tables are joined on their own pages and at the
desk, four players are seated at each, and after every hand that a table has settled the hub's
standing must be that table's ledger. At the end the desk's sums must all hold.
"""

import argparse
import json
import re
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen
from typing import Any
from urllib.request import urlopen

from playwright.sync_api import Browser, Page, sync_playwright

from tests.conftest import ARGUMENTS, CHROMIUM
from tests.stages.free_port import free_port

RULES = ("changsha", "wanzhou", "tianjin", "changchun", "classical")
STARTS_S = 90.0
COMES_UP_S = 20.0  # what is settled at a table is in the standing so soon


@dataclass
class Table:
    """One program, as its page and its API show it.

    Attributes:
        players: the club's numbers of who sits there, by seat.
        settled: hands of the session whose standing was compared.
        before: hands that were over, or running, when the club seated its players.
    """

    name: str
    url: str
    page: Page
    players: list[int] = field(default_factory=list)
    settled: int = 0
    before: int | None = None

    def history(self) -> list[dict[str, Any]]:
        """Hands that are over, the newest first."""
        found: list[dict[str, Any]] = ask(f"{self.url}api/table")["history"]
        return found


def main() -> None:
    """Play, compare, print one JSON line; exit with 1 where a standing differed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=5)
    parser.add_argument("--hands", type=int, default=2, help="at each table")
    parser.add_argument("--seconds", type=float, default=900, help="at most")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--speed", default="1")
    options = parser.parse_args()
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="evening-"))
        hub = stack.enter_context(program("club", "--base", str(Path(folder) / "club.sqlite")))
        playwright = stack.enter_context(sync_playwright())
        browser = stack.enter_context(chromium(playwright))
        tables = []
        for number in range(options.tables):
            url = stack.enter_context(
                program("demo", "--rules", RULES[number % 5], "--speed", options.speed,
                        "--seed", str(options.seed + number))
            )  # fmt: skip
            tables.append(Table(f"Table {number + 1}", url, browser.new_page()))
        print(json.dumps(Evening(hub, browser, tables).play(options.hands, options.seconds)))


class Evening:
    """The whole club in one room."""

    def __init__(self, hub: str, browser: Browser, tables: list[Table]) -> None:
        self.hub, self.tables = hub, tables
        self.desk, self.hall = browser.new_page(), browser.new_page()
        self.complaints: list[str] = []
        for page in (self.desk, self.hall, *(each.page for each in tables)):
            page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def play(self, hands: int, seconds: float) -> dict[str, Any]:
        """Join, seat, watch, compare."""
        self.desk.goto(f"{self.hub}desk?lang=en")
        self.hall.goto(f"{self.hub}?lang=en")
        people = "".join(f"{n},Player {n}\n" for n in range(1, 4 * len(self.tables) + 1))
        self.tell("players", csv=f"number,name\n{people}")
        session = self.tell("session", name="The evening")["session"]
        self.tell("publish", session=session, public=True)
        numbered = {row["number"]: row["id"] for row in ask(f"{self.hub}api/desk")["players"]}
        for n, table in enumerate(self.tables):
            self.let_in(table)
            table.players = [numbered[str(4 * n + seat)] for seat in range(1, 5)]
        known = {row["name"]: row["id"] for row in ask(f"{self.hub}api/desk")["tables"]}
        for table in self.tables:
            here = {"table": known[table.name], "players": table.players}
            self.tell("seats", session=session, round=1, **here)
        until = time.monotonic() + seconds
        compared = 0
        while any(each.settled < hands for each in self.tables) and time.monotonic() < until:
            compared += sum(self.compare(each, session) for each in self.tables)
            time.sleep(1)
        sums = ask(f"{self.hub}api/desk/reconciled")["rows"]
        assert all(each["holds"] for each in sums), sums
        assert self.complaints == [], self.complaints
        return {
            "tables": len(self.tables), "compared": compared, "sums": len(sums),
            "hands": [each.settled for each in self.tables],
            "on the hall's page": self.hall.locator("#standing tbody tr").count(),
        }  # fmt: skip

    def let_in(self, table: Table) -> None:
        """By its own page and the director's."""
        table.page.goto(f"{table.url}club?lang=en")
        table.page.get_by_label("The hub's address").fill(self.hub)
        table.page.get_by_role("button", name="Join").click()
        code = table.page.locator("#code")
        code.filter(has_text=re.compile(r"^\w{5}-\w{5}$")).wait_for()
        self.tell("let-in", code=code.inner_text(), name=table.name)
        table.page.locator("#have").filter(has_text="entries are there").wait_for()

    def tell(self, what: str, **said: Any) -> Any:
        """What the desk's page would send, from the desk's page."""
        return self.desk.evaluate(
            """async ([what, said]) => {
              const token = document.querySelector("meta[name=table-token]").content;
              const answer = await fetch(`/api/desk/${what}`, { method: "POST",
                headers: { "Content-Type": "application/json", "X-Table-Token": token },
                body: JSON.stringify(said) });
              if (!answer.ok) throw new Error(`${what}: ${answer.status} ${await answer.text()}`);
              return answer.json();
            }""",
            [what, said],
        )

    def compare(self, table: Table, session: int) -> bool:
        """Whether another hand was settled there; then the standing must come to be its ledger."""
        hands = len(table.history())
        if table.before is not None and hands - table.before == table.settled:
            return False
        until = time.monotonic() + COMES_UP_S
        while True:
            counted, points = self.standing(table, session)
            rows = table.history()
            moved = [sum(row["transfers"][seat] for row in rows[:counted]) for seat in range(4)]
            if counted and table.before is None:
                table.before = len(rows) - counted
            if table.before is None:
                return False  # the hand in which they were seated runs still
            if (counted, points) == (len(rows) - table.before, moved):
                table.settled = counted
                return True
            said = f"{table.name}: {counted} hands {points}, not {len(rows)} hands {moved}"
            assert time.monotonic() < until, said
            time.sleep(0.3)

    def standing(self, table: Table, session: int) -> tuple[int, list[int]]:
        """Hands, and the points of the four by seat."""
        rows = ask(f"{self.hub}api/standings/{session}")["players"]
        own = {row["player"]: row for row in rows if row["player"] in table.players}
        if not own:
            return 0, [0, 0, 0, 0]
        (hands,) = {row["hands"] for row in own.values()}
        return hands, [own[player]["points"] for player in table.players]


@contextmanager
def program(*words: str) -> Iterator[str]:
    """One of ours, by its own command line, until the block ends; its address."""
    command = [sys.executable, "-m", "table_assist", *words, "--port", str(free_port())]
    with Popen(command, stdout=PIPE, stderr=DEVNULL, text=True) as started:
        try:
            assert started.stdout is not None
            until = time.monotonic() + STARTS_S
            while (found := re.search(r"http://\S+", started.stdout.readline())) is None:
                assert time.monotonic() < until, words
                assert started.poll() is None, words
            yield found[0]
        finally:
            started.terminate()


@contextmanager
def chromium(playwright: Any) -> Iterator[Browser]:
    """A real browser."""
    browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=ARGUMENTS)
    try:
        yield browser
    finally:
        browser.close()


def ask(url: str) -> Any:
    """What it answers."""
    with urlopen(url, timeout=20) as answer:
        return json.load(answer)


if __name__ == "__main__":
    main()
