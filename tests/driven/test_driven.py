"""People at one simulated table: paired phones, a scorer, a referee; one hand of each rule set.

Five hands of each, with screenshots and figures: ``python -m tests.driven``.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import TypeVar

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from table_assist.game.acceptance import name_of
from table_assist.game.events import (
    Agreed,
    BirdTurned,
    Discarded,
    Event,
    HandShown,
    HandStarted,
    HandTold,
    Settled,
)
from table_assist.game.fold import apply
from table_assist.game.state import Phase, TableState
from table_assist.languages.words import Words
from table_assist.record.commands import Settle
from table_assist.record.log import Entry, Retracted, Source
from table_assist.record.photographer import Shot
from table_assist.record.snapshot import SourceHealth
from table_assist.rules.registry import find_rules
from table_assist.rules.ruleset import RuleSet
from table_assist.tiles.tile import Tile
from table_assist.twin.evening import play_evening
from table_assist.twin.table import TableStep
from tests.driven.adventures import Adventure
from tests.driven.careless import SCENES, Careless, careless_table
from tests.driven.people import PHOTO
from tests.driven.run import Tables
from tests.driven.table import DrawnEyes, DrivenTable
from tests.driven.wander import unaccepted
from tests.stages.dealt import lay_rows
from tests.web.test_photo import as_jpeg, name_unread
from web import create_app
from web.serve import serve

WON_WITHIN_S = 8.0


@pytest.fixture(scope="module")
def tables(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tables]:
    found = Tables(browser, tmp_path_factory.mktemp("driven"))
    yield found
    found.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "seed", "adventure"),
    [  # early wins, with everything that a hand of these rules has
        ("changchun", 212, Adventure.PHONES | Adventure.SLEEP),
        ("changsha", 24, Adventure.UNDO),
        ("wanzhou", 248, Adventure.DISPUTE),
        ("tianjin", 142, Adventure.CORRECT),
        ("classical", 5, Adventure.PHONES | Adventure.OFFLINE),
    ],
)
def test_a_hand_is_played_through_the_pages_and_all_of_them_tell_the_ledger(
    tables: Tables, rules: str, seed: int, adventure: Adventure
) -> None:
    with tables.evening(rules, seed=seed) as evening:
        if rules == "changsha":
            evening.begin_game(1000, hands=1)
        one = evening.play(adventure)
        assert evening.pages_equal >= 6
        if rules == "changsha":
            evening.reopen_game()
            assert evening.done["finished games reopened"] == 1
        if rules == "wanzhou":
            assert evening.done["dispute files verified"] == 1
        if rules == "changchun":
            assert evening.secrets_checked > 0
        if one.settled_s is not None:
            tables.settled_s.append(one.settled_s)
            assert one.taps["scorer"] == 1
        assert [each.complaints for each in evening.people.all] == [[]] * 7


def test_half_of_the_hands_are_accepted_within_eight_seconds(tables: Tables) -> None:
    assert len(tables.settled_s) >= 3
    assert median(tables.settled_s) <= WON_WITHIN_S


@pytest.fixture(scope="module")
def table(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Careless]:
    with careless_table(browser, tmp_path_factory.mktemp("careless")) as made:
        yield made


@pytest.mark.slow
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
def test_nobody_is_stuck_and_the_ledger_is_right(
    table: Careless, scene: Callable[[Careless], None]
) -> None:
    scene(table)
    assert sum(table.live.snapshot.state.scores) == 0
    assert table.complaints == []


SETTLED = Settled((0,), (6, -2, -2, -2), 0)
OTHER = Settled((0,), (3, -1, -1, -1), 0)
SAID = [Agreed(seat, name_of(4, SETTLED)) for seat in (1, 2, 3)]


def record(*events: Event | Retracted, hand: int = 4) -> tuple[Entry, ...]:
    started = HandStarted(hand, "changsha", 0, 55, 0)
    return tuple(
        Entry(at, 0.0, Source.PERSON, event) for at, event in enumerate((started, *events), 1)
    )


def test_who_pays_and_never_accepted_is_named() -> None:
    assert unaccepted(record(*SAID), SETTLED) == set()
    assert unaccepted(record(*SAID[:2]), SETTLED) == {3}
    assert unaccepted(record(*SAID), OTHER) == {1, 2, 3}
    assert unaccepted(record(*SAID, Retracted(3)), SETTLED) == {2}
    assert unaccepted(record(), Settled((), (0, 0, 0, 0), 0)) == set()


def test_the_same_payments_of_an_earlier_hand_do_not_count() -> None:
    assert unaccepted(record(*SAID, hand=5), SETTLED) == {1, 2, 3}


SEED = 14
HAND = 14
SEEN_DISCARDS = 12  # before somebody's elbow
PATIENCE_MS = 60_000
Kind = TypeVar("Kind")
BLIND = Words("The camera was knocked over.", "摄像头被碰倒了。")


class KnockableEyes(DrawnEyes):
    """May see nothing."""

    is_blind = False

    def health(self) -> SourceHealth:
        whole = super().health()
        return SourceHealth("camera", "lost", says=BLIND) if self.is_blind else whole

    def shot(self) -> Shot | None:
        return None  # no evidence is drawn: it is not what is tried here


class KnockableTable(DrivenTable):
    """A followed table whose camera may be knocked over."""

    def __init__(self, rules: RuleSet, folder: Path, seed: int) -> None:
        super().__init__(rules, folder, seed)
        self.eyes = self.knockable = KnockableEyes(self)

    def follow(self, step: TableStep) -> None:
        """What the board says is heard; what lies there is seen, or not."""
        for signal in step.signals:
            self.happen(signal)
        if not self.knockable.is_blind:
            self.show(step.scene)
        self.catch_up()


@pytest.mark.slow
def test_a_hand_whose_camera_was_knocked_over_is_photographed_and_the_next_is_followed(
    browser: Browser, tmp_path: Path
) -> None:
    rules = find_rules("changsha")
    steps = list(play_evening(SEED, rules, hands=2))
    true = [event.transfers for event in events(steps, Settled)]
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, locale="en-GB"
    )
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    with KnockableTable(rules, tmp_path, SEED) as table:
        serving = serve(create_app(table), port=0)
        try:
            discards = 0
            for step in steps:
                discards += len(events([step], Discarded))
                table.knockable.is_blind = step.hand == 1 and discards > SEEN_DISCARDS
                table.follow(step)
                for shown in events([step], HandShown):
                    if step.hand == 1:
                        page.goto(f"{serving.url}seat/{shown.seat}")
                        picture = laid_down(steps, shown, tmp_path)
                        birds = [each.tile for each in events(steps, BirdTurned)]
                        photographed(page, picture, shown, birds[: rules.birds.count])
                if events([step], Settled):
                    assert table.submit(Settle(), "scorer") is None
                    assert table.snapshot.state.phase is Phase.SETTLED
                    assert table.snapshot.state.last_transfers == true[step.hand - 1]
        finally:
            serving.close()
            context.close()
        assert not table.snapshot.state.questions
        told = [entry for entry in table.entries() if isinstance(entry.event, HandTold)]
        assert [entry.source for entry in told] == [Source.PERSON]
    assert not complaints


def events(steps: list[TableStep], kind: type[Kind]) -> list[Kind]:
    """Those of a kind, as they truly happened."""
    return [event for step in steps for event in step.events if isinstance(event, kind)]


def laid_down(steps: list[TableStep], shown: HandShown, folder: Path) -> Path:
    """A picture of the winner's hand: melds apart, the winning tile a little aside."""
    state = TableState()
    for event in (event for step in steps for event in step.events):
        if event is shown:
            break
        state = apply(state, event)
    groups = [meld.tiles for meld in state.seats[shown.seat].melds]
    rows = [*groups, held(shown), (shown.winning_tile,)]
    picture = folder / "hand.jpg"
    picture.write_bytes(as_jpeg(np.concatenate([lay_rows([row]) for row in rows], axis=1)))
    return picture


def held(shown: HandShown) -> list[Tile]:
    """The concealed tiles in order, without the winning one."""
    tiles = sorted(shown.concealed)
    tiles.remove(shown.winning_tile)
    return tiles


def photographed(page: Page, hand: Path, shown: HandShown, birds: list[Tile]) -> None:
    """The winner's own phone, from the picture to what everybody sees."""
    expect(page.locator("#mine .won")).to_be_visible()
    page.locator("#mine .won input").set_input_files(hand)
    expect(page).to_have_url(PHOTO, timeout=PATIENCE_MS)
    page.locator("#whose button").nth(shown.seat).tap()
    expect(page.locator("#hand .piece")).to_have_count(HAND)
    name_unread(page, [str(tile) for tile in (*held(shown), shown.winning_tile)])
    page.get_by_role("button", name="Self-drawn").tap()
    expect(page.locator("#worth .send")).to_be_enabled()
    page.locator("#worth .send").tap()
    for bird in birds:
        page.locator(f"#birds .face[data-key='{bird}']").tap()
    if birds:
        page.locator("#birds .send").tap()
    expect(page).not_to_have_url(PHOTO, timeout=PATIENCE_MS)
