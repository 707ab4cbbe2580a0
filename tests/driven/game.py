"""A game's beginning and its end, on the scorer's page."""

import re

from playwright.sync_api import expect

from table_assist.game.state import Phase
from tests.driven.people import PATIENCE_MS, People
from tests.driven.table import DrivenTable

# What an accepted hand is told by, not the ruling after it.
_ACCEPTED = re.compile(r" won\. |^Settled: ")


def begin_game(people: People, table: DrivenTable, *, points: int, hands: int) -> None:
    """The scorer says from how many points it is played, and how many hands."""
    scorer = people.scorer
    scorer.tap("#game summary")
    form = scorer.page.locator("#game form")
    form.locator("[name=start]").fill(str(points))
    form.locator("[name=hands]").fill(str(hands))
    scorer.tap(form.locator("[type=submit]"))
    scorer.until(lambda: table.snapshot.state.scores == (points,) * 4)


def undo_the_end(people: People, table: DrivenTable) -> None:
    """The game is over; the scorer takes its last hand's acceptance back."""
    scorer = people.scorer
    assert table.snapshot.state.game_over
    expect(people.television.page.locator("#round")).to_contain_text(
        "game is over", timeout=PATIENCE_MS
    )
    accepted = scorer.page.locator("#events ol li").filter(
        has=scorer.page.locator(".text", has_text=_ACCEPTED)
    )
    scorer.tap_twice(
        accepted.first.locator("button.undo"),
        lambda: table.snapshot.state.phase is Phase.SHOWING,
    )
    assert not table.snapshot.state.game_over


def accept_again(people: People, table: DrivenTable) -> None:
    """The same hand is accepted a second time, and the game is over again."""
    people.scorer.tap_until(
        "#settle .accept", lambda: table.snapshot.state.phase is not Phase.SHOWING
    )
    assert table.snapshot.state.game_over
