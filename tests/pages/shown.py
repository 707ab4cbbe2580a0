"""The pages there are, each at a moment at which it has much to show."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from flask import Flask
from playwright.sync_api import Browser, BrowserContext, Page

from table_assist.club.hub.database import open_base
from table_assist.club.hub.people import all_players, take_players
from table_assist.record.regulars import Regular
from table_assist.record.snapshot import Snapshot, SourceHealth
from table_assist.upkeep.table_service import Mode
from tests.stages.club_table import season
from tests.stages.drawn_hands import faded_in
from tests.stages.keeping_table import SETTINGS, run_table
from tests.stages.repository_tool import free_port
from tests.stages.web_fakes import Evening, FakeTable, opened, played, settled, with_history
from tests.stages.web_fakes import won as changsha_won
from tests.stages.web_scenes import mid_hand, showing, table_of
from web import create_app
from web.club.app import close_club_app, create_club_app
from web.serve import serve

LEFTWARD = "علی‌رضا"  # who plays first on every stage
HUB, SETUP, KEPT, REGULARS = (
    "hub",
    "setup",
    "kept",
    "regulars",
)  # other stages are moments of a table


@dataclass(frozen=True, slots=True)
class Shown:
    """A page at a moment.

    Attributes:
        stage: who serves it: the hub, a table that is set up or kept, or a table at that moment.
        steps: what is tapped first, one after the other.
    """

    name: str
    path: str
    stage: str
    steps: tuple[str, ...] = ()


def _step(name: str) -> Shown:
    return Shown(f"setup-{name}", "setup", SETUP, (f"#steps [data-step={name}]",))


PAGES = (
    Shown("tv-mid", "tv", "mid"),
    Shown("tv-birds", "tv", "birds"),
    Shown("tv-result", "tv", "settled"),
    Shown("scorer", "scorer", "mid"),
    Shown("scorer-result", "scorer", "settled"),
    Shown("seat", "seat/1", "mid"),
    Shown("seat-alone", "seat/1", "alone"),
    Shown("seat-shown", "seat/1", "showing"),
    Shown("seat-result", "seat/1", "settled"),
    Shown("join", "join", "mid"),
    Shown("pair", "pair/abc", "mid"),
    Shown("photo", "photo", KEPT),
    Shown("photo-tapped", "photo", KEPT, ("#whose button", "#take .by-hand")),
    Shown("worth", "worth", KEPT),
    Shown("rules", "rules", "mid"),
    Shown("evening", "evening", "settled"),
    Shown("regulars", "regulars", REGULARS),
    Shown("overlay", "overlay", "settled"),
    Shown("referee", "referee", KEPT),
    Shown("verify", "verify", "mid"),
    Shown("obs", "obs", "mid"),
    Shown("trust", "trust", "mid"),
    Shown("camera", "camera", KEPT),
    Shown("no-page", "nowhere", "mid"),
    *map(_step, ("language", "seats", "rules", "camera", "tiles", "board", "review")),
    Shown("admin", "admin", KEPT),
    Shown("trial", "trial", KEPT),
    Shown("hall", "", HUB),
    Shown("desk", "desk", HUB),
    Shown("wall", "wall", HUB),
    Shown("wall-result", "wall", HUB, ("#great .again",)),
    Shown("standings", "standings", HUB),
    Shown("seating", "seating", HUB),
    Shown("ratings", "ratings", HUB),
    Shown("player", "player/{player}", HUB),
    Shown("seals", "seals", HUB),
)


# Takes a folder out of all that is written on a page, now and later.
_WITHOUT = """folder => {
  const clean = () => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { data } = texts.currentNode;
      if (data.includes(folder)) texts.currentNode.data = data.replaceAll(folder, "~");
    }
  };
  clean();
  const all = { childList: true, characterData: true, subtree: true };
  new MutationObserver(clean).observe(document.body, all);
}"""


def moment(name: str) -> Snapshot:
    """A table of Changsha, or Changchun's where a hand is laid down."""
    taken = _moment(name)
    return replace(taken, names=(LEFTWARD, *taken.names[1:]))


@cache
def _moment(name: str) -> Snapshot:
    if name == "mid":
        return table_of("changsha", mid_hand(), seed=3, hands=2).snapshot()
    if name == "alone":  # with phones, and neither camera nor board
        nothing = tuple(SourceHealth(source, "none") for source in ("camera", "board"))
        return replace(moment("mid"), health=nothing)
    if name == "showing":
        return table_of("changchun", showing, seed=3, hands=2).snapshot()
    evening = changsha_won(played(opened(with_history(Evening()), hand=6)), "2p 1s")
    return (settled(evening) if name == "settled" else evening).snapshot()


class Stages:
    """Serves the stages, each from when it is first asked for until this is closed.

    Args:
        folder: for settings, logs and the hub's data.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._open = ExitStack()
        self._urls: dict[str, str] = {}
        self._player = 0

    @property
    def folder(self) -> str:
        """Where it all lies: of this machine, and not to be on a picture."""
        return str(self._folder)

    def close(self) -> None:
        """Nothing is served any more."""
        self._open.close()

    def address(self, shown: Shown) -> str:
        """Where a page is served."""
        return self.url(shown.stage) + shown.path.format(player=self._player)

    def url(self, stage: str) -> str:
        """Where a stage is served."""
        if stage not in self._urls:
            self._urls[stage] = self._open.enter_context(self._serve(stage))
        return self._urls[stage]

    @contextmanager
    def _serve(self, stage: str) -> Iterator[str]:
        if stage in (SETUP, KEPT):
            settings = self._folder / stage / "table.toml"
            settings.parent.mkdir()
            settings.write_text(SETTINGS, encoding="utf-8")
            with run_table(settings, Mode.SETUP if stage == SETUP else Mode.TABLE) as site:
                yield site.url
            return
        hub = None
        if stage == HUB:
            hub = create_club_app(open_base(str(self._folder / "club.sqlite")))
            season(hub, 4, 2, 2)
            base = hub.extensions["base"]
            take_players(base, f"number,name\n1,{LEFTWARD}\n")
            self._player = next(each.id for each in all_players(base) if each.name == LEFTWARD)
        app = hub or _table(stage)
        serving = serve(app, port=free_port())
        yield serving.url
        serving.close()
        if hub is not None:
            close_club_app(hub)


def _table(stage: str) -> Flask:
    if stage != REGULARS:
        return create_app(FakeTable(moment(stage)))
    app = create_app(FakeTable(moment("settled")))
    for name in app.extensions["table"].snapshot.names[:2]:
        app.extensions["regulars"].kept.keep(Regular(name))
    return app


@contextmanager
def looked_at(
    browser: Browser, stages: Stages, shown: Shown, language: str, theme: str
) -> Iterator[Page]:
    """The page as somebody with that language and those colours has it."""
    context: BrowserContext = browser.new_context(
        locale={"en": "en-GB", "zh": "zh-CN"}[language],
        color_scheme="dark" if theme == "dark" else "light",
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.goto(stages.address(shown))
    page.locator("body:not(.connecting)").wait_for(state="attached")
    for step in shown.steps:
        page.locator(step).first.click()
    faded_in(page)
    page.evaluate(_WITHOUT, stages.folder)
    yield page
    context.close()


def as_nobody(folder: Path) -> None:
    """Keys and tile sets go there, not to whoever looks."""
    os.environ["XDG_DATA_HOME"] = str(folder / "home")
