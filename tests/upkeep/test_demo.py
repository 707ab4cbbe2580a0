"""The whole house: rendered pictures and serial bytes become points in a real browser."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from bench.live.compared import compare
from table_assist.cli.main import main
from table_assist.game.events import Discarded, IndicatorTurned, Settled, WinDeclared
from table_assist.record.log import Source
from table_assist.record.record import Record
from table_assist.record.snapshot import Snapshot
from table_assist.rules.registry import rule_sets
from table_assist.rules.ruleset import RuleSet
from table_assist.settings.config import Config
from table_assist.settings.edit import rules_of
from table_assist.tiles.tile import Tile
from table_assist.twin.evening import play_evening
from table_assist.twin.lens import Lens
from table_assist.upkeep.demo import DEMO_CAMERAS, Demo, demo_config
from table_assist.vision.reading.read import open_reader
from web import create_app
from web.serve import serve

SEED = 205  # the shortest of three hundred hands that are won
HAND_TIMEOUT_MS = 240_000
SCREENSHOT = Path(__file__).parents[2] / "build" / "dashboard.png"


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[Demo]:
    rules = rules_of(Config())
    with Demo(
        rules, open_reader(), log=tmp_path / "demo.sqlite", seed=SEED, speed=2.0, hands=1
    ) as running:
        yield running


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-GB")
    yield context.new_page()
    context.close()


@pytest.mark.alone
@pytest.mark.timeout(400)
def test_a_hand_is_settled_on_the_page_from_pictures_and_bytes(demo: Demo, page: Page) -> None:
    (settled,) = (
        event
        for step in play_evening(SEED, rules_of(Config()), hands=1)
        for event in step.events
        if isinstance(event, Settled)
    )
    serving = serve(create_app(demo.table), port=0)
    try:
        page.goto(serving.url)
        for seat, points in enumerate(settled.transfers):
            score = page.locator("#scores b").nth(seat)
            expect(score).to_have_text(signed(points), timeout=HAND_TIMEOUT_MS)
        SCREENSHOT.parent.mkdir(exist_ok=True)
        page.screenshot(path=SCREENSHOT)
    finally:
        serving.close()
    snapshot: Snapshot = demo.table.snapshot
    assert snapshot.state.scores == settled.transfers


def signed(points: int) -> str:
    """A score as the page writes it."""
    return str(points).replace("-", "−")


def test_nothing_of_the_demo_is_left_running(tmp_path: Path) -> None:
    before = set(threading.enumerate())
    with Demo(rules_of(Config()), open_reader(), log=tmp_path / "x.sqlite", seed=1, hands=1):
        assert not set(threading.enumerate()) <= before
    assert set(threading.enumerate()) <= before


def test_a_revealed_tile_takes_the_place_of_the_secret() -> None:
    secret, revealed = IndicatorTurned(Tile.UNKNOWN, 5), IndicatorTurned(Tile.M1, 5)
    between = (Discarded(0, Tile.S1), WinDeclared(2))
    record = Record(None, lambda: 0.0)
    for event in (revealed, *between):
        record.append(event, Source.CAMERA)
    figures = compare("changchun", 1, 1, [secret, *between, revealed], record, 0)
    assert (figures.events_right, figures.missing, figures.surplus) == (4, (), ())
    other = IndicatorTurned(Tile.UNKNOWN, 4)
    figures = compare("changchun", 1, 1, [other, *between], record, 0)
    assert (figures.events_right, figures.missing) == (2, (str(other),))


@pytest.mark.parametrize("rules", rule_sets(), ids=lambda rules: rules.id)
def test_the_demos_program_plays_by_the_rules_of_its_table(rules: RuleSet) -> None:
    config = demo_config(Lens(), port="", log=Path("x"), rules=rules)
    assert rules_of(config).id == rules.id
    assert rules_of(config).chosen == rules.chosen


@pytest.mark.parametrize("name", DEMO_CAMERAS)
def test_every_camera_of_the_demo_sees_the_whole_table(name: str) -> None:
    camera = DEMO_CAMERAS[name]
    width, height = camera.size_wh
    for x, y in camera.corners_px():
        assert 0 <= x < width
        assert 0 <= y < height


def test_an_unknown_rule_set_is_said_in_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--rules", "juggling"]) != 0
    said = capsys.readouterr().err
    assert "juggling" in said
    assert "Traceback" not in said
