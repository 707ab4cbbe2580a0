"""Evening after evening with the same people: a table and its server for each rule set."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, expect

from table_assist.rules.registry import find_rules
from tests.driven.evening import Evening
from tests.driven.people import PATIENCE_MS, People
from tests.driven.table import DrivenTable
from web import create_app
from web.access.guard import own_address
from web.serve import Serving, serve

# Evenings in which most hands are won.
SEEDS = {"changchun": 2, "changsha": 26, "wanzhou": 31, "tianjin": 104, "classical": 41}


class Tables:
    """One address, at which a table after the other is served; who was let in stays so.

    Args:
        folder: for logs, evidence, and who was let in.

    Attributes:
        settled_s: for who plays here, to note how long won hands took.
    """

    def __init__(self, browser: Browser, folder: Path) -> None:
        self.settled_s: list[float] = []
        self._browser = browser
        self._folder = folder
        self._port = 0
        self._people: People | None = None

    @contextmanager
    def evening(
        self,
        rules: str,
        *,
        seed: int | None = None,
        reading_s: float = 0.0,
    ) -> Iterator[Evening]:
        """A table with these rules, and people around it.

        Args:
            seed: of the hands; None for one of `SEEDS`.
        """
        seed = SEEDS[rules] if seed is None else seed
        folder = self._folder / rules
        folder.mkdir(parents=True)
        played = find_rules(rules)
        with DrivenTable(played, folder, seed) as table:
            serving = self._serve(table)
            try:
                people = self._gather(serving)
                yield Evening(people, table, played, seed, reading_s=reading_s)
            finally:
                serving.close()

    def close(self) -> None:
        """Everybody goes home."""
        if self._people is not None:
            self._people.close()

    def _serve(self, table: DrivenTable) -> Serving:
        app = create_app(table, "0.0.0.0", devices=self._folder / "devices.sqlite")
        serving = serve(app, "0.0.0.0", self._port)
        self._port = serving.port
        return serving

    def _gather(self, serving: Serving) -> People:
        """Pair at the first table; at the next ones the pages come back by themselves."""
        if self._people is None:
            address = own_address()
            network = f"http://{address or '127.0.0.1'}:{serving.port}/"
            self._people = People(self._browser, serving.url, network, is_far=address is not None)
        else:
            for person in self._people.all:
                if person is not self._people.referee:
                    fresh = person.page.locator("#history tbody tr")
                    expect(fresh).to_have_count(0, timeout=PATIENCE_MS)
        for person in self._people.all:
            person.taps = 0
        return self._people
