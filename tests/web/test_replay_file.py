"""An evening in one file: every step is what the television showed, and nothing is loaded."""

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Request

from table_assist.cli.main import main
from table_assist.game.state import TableState
from table_assist.record.export import played_hands
from table_assist.record.log import Entry, Source
from table_assist.record.snapshot import Snapshot
from table_assist.rules.registry import find_rules, rule_sets
from table_assist.twin.play.hand import play_hand
from tests.stages.visitor import violations
from web.access.roles import STRANGER
from web.pages.replay import after, entries_of, replay_file
from web.view.present import present
from web.view.secrecy import masked

GOLDEN = Path(__file__).parents[1] / "golden" / "log" / "evening.jsonl"
NAMES = ("Ann", "</script><script>alert(1)</script>", "陈", "Q\" & '")


def played(rules: str, hands: int, seed: int = 5) -> tuple[Entry, ...]:
    """The log of hands that bots played."""
    state, random = TableState(), Random(seed)
    entries: list[Entry] = []
    for _ in range(hands):
        events, state = play_hand(find_rules(rules), state, random)
        for event in events:
            entries.append(
                Entry(len(entries) + 1, 1_790_000_000.0 + len(entries), Source.RULES, event)
            )
    return tuple(entries)


def evening_of(page: str) -> dict[str, Any]:
    found = re.search(r'id="evening">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    return json.loads(found[1])  # type: ignore[no-any-return]


@pytest.mark.slow
@pytest.mark.parametrize("rules", [each.id for each in rule_sets()])
def test_every_step_is_what_the_television_showed(rules: str) -> None:
    log = played(rules, 2)
    evening = evening_of(replay_file(log, NAMES))
    over = played_hands(log)
    assert [hand["hand"] for hand in evening["hands"]] == [hand.hand for hand in over]
    for hand in evening["hands"]:
        before, entries = entries_of(log, hand["hand"])
        table = Snapshot(0, 0.0, NAMES, find_rules(rules), TableState())
        view: dict[str, Any] = {"seats": [{}, {}, {}, {}]}
        views = []
        for changed in hand["steps"]:
            parts = changed.get("seats", [{}] * 4)
            seats = [{**then, **now} for then, now in zip(view["seats"], parts, strict=True)]
            view = {**view, **changed, "seats": seats}
            views.append(view)
        assert len(views) == len(entries)
        for step in range(1, len(entries) + 1, 7):
            shown = present(masked(after(table, before, entries[:step]), STRANGER), STRANGER)
            for key in ("seats", "wall", "dice", "stacks"):
                assert views[step - 1][key] == json.loads(json.dumps(shown[key])), (step, key)
    assert [hand["scores"] for hand in evening["hands"]] == [list(hand.scores) for hand in over]


def test_a_hand_that_is_not_over_is_not_in_it() -> None:
    log = played("changsha", 2)
    begun = max(n for n, entry in enumerate(log) if type(entry.event).__name__ == "HandStarted")
    assert len(evening_of(replay_file(log[: begun + 9], NAMES))["hands"]) == 1
    with pytest.raises(ValueError, match="no hand of this log is over"):
        replay_file(log[:5], NAMES)


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Any:
    context = browser.new_context(viewport={"width": 390, "height": 844}, locale="en-GB")
    page = context.new_page()
    wrong: list[str] = []
    asked: list[Request] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text))
    page.on("dialog", lambda dialog: wrong.append(dialog.message))
    page.on("request", lambda request: asked.append(request))
    file = tmp_path / "evening.html"

    def show(content: str) -> Page:
        file.write_text(content, encoding="utf-8")
        page.goto(file.as_uri())
        return page

    yield show
    assert wrong == []
    loaded = [request.url for request in asked if not request.url.startswith("data:")]
    assert set(loaded) == {file.as_uri()}, "it loads nothing"


def test_a_friend_steps_through_the_evening_in_either_language(opened: Any) -> None:
    log = played("changsha", 2)
    page: Page = opened(replay_file(log, NAMES))
    over = played_hands(log)
    page.get_by_role("button", name="Hand 2, step by step").click()
    page.get_by_role("button", name="Last step").click()
    scores = page.locator(".table .seat .score").all_inner_texts()
    assert [int(score.replace("−", "-")) for score in scores] == list(over[1].scores)
    account = page.locator(".account p").all_inner_texts()
    assert len(account) == len({step.en for step in over[1].steps})
    page.get_by_role("button", name="One step back").click()
    assert page.locator(".account p").count() == 0
    page.get_by_role("button", name="First step").click()
    at_first = page.locator(".said").inner_text()
    page.keyboard.press("Tab")
    page.locator(".steps input").fill("20")
    assert page.locator(".said").inner_text() != at_first
    page.get_by_role("button", name="中文").click()
    assert page.locator("html").get_attribute("lang") == "zh-Hans"
    assert page.locator(".seat .wind").first.get_attribute("title") in "东南西北"
    found = violations(page)
    assert [each["id"] for each in found] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_command_makes_it_of_a_published_log(
    opened: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", str(GOLDEN), "--format", "html", "--lang", "zh"]) == 0
    page: Page = opened(capsys.readouterr().out)
    assert page.locator("h1").inner_text() == "Seat A · Seat B · 座位丙 · Seat D"
    assert page.locator("html").get_attribute("lang") == "zh-Hans"
    page.locator("[data-step=last]").click()
    tiles = page.locator(".river img")
    assert tiles.count() > 10
    assert tiles.evaluate_all("all => all.every((image) => image.naturalWidth > 0)"), "drawn"
