"""A camera that is knocked over: the hand is photographed, and the next one is followed again."""

from pathlib import Path
from typing import TypeVar

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from table_assist.contract.commands import Settle
from table_assist.contract.health import SourceHealth
from table_assist.evidence.photographer import Shot
from table_assist.game.events import BirdTurned, Discarded, HandShown, HandTold, Settled
from table_assist.game.fold import apply
from table_assist.game.state import Phase, TableState
from table_assist.languages.words import Words
from table_assist.record.log import Source
from table_assist.rules.registry import find_rules
from table_assist.rules.ruleset import RuleSet
from table_assist.tiles.tile import Tile
from table_assist.twin.evening import play_evening
from table_assist.twin.steps import TableStep
from tests.driven.people import PHOTO
from tests.driven.table import DrawnEyes, DrivenTable
from tests.stages.laid_out import lay_rows
from tests.web.test_photo import as_jpeg, name_unread
from web import create_app
from web.serve import serve

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
