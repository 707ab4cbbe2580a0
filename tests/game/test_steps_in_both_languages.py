"""What a followed hand's settlement says: Chinese in Chinese, and why what is not paid is not."""

import json
import re
from pathlib import Path

import pytest

from table_assist.game.events import Event
from table_assist.game.fold import apply
from table_assist.game.outcome import end_of_hand
from table_assist.game.state import TableState
from table_assist.languages.words import Words
from table_assist.record.log import event_from_dict
from table_assist.rules.profile import differing
from table_assist.rules.reckoning import pay_laid
from table_assist.rules.registry import find_rules
from table_assist.rules.rounds import DeadHand, HandValues
from table_assist.rules.settlement import Laid, LaidIn, LaidKind
from table_assist.tiles.tile import parse_tiles

COURSES = Path(__file__).parents[1] / "golden" / "courses.jsonl"
ROWS = [json.loads(line) for line in COURSES.read_text(encoding="utf-8").splitlines()]


def events_of(row: dict[str, object]) -> list[Event]:
    given = row["given"]
    assert isinstance(given, dict)
    rules = find_rules(str(row["ruleset"])).with_options(given.get("options", {}))
    begun = {"rules": rules.id, "options": [list(each) for each in sorted(differing(rules))]}
    return [
        event_from_dict(({"hand": 1} | begun | each) if each["type"] == "HandStarted" else each)
        for each in given["events"]
    ]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_every_step_speaks_each_language_alone(row: dict[str, object]) -> None:
    state = TableState()
    for event in events_of(row):
        state = apply(state, event)
    if not state.is_running:
        return
    ended = end_of_hand(state)
    for words in (*ended.steps, *ended.unsure):
        assert not re.search(r"[A-Za-z]|\d[mps]\b", words.zh), words.zh
        assert not re.search(r"[\u4e00-\u9fff]", words.en), words.en


def steps(rules: str, laid: Laid, **options: object) -> str:
    paid = pay_laid(find_rules(rules).with_options(options), [laid], LaidIn(dealer=0))
    return " ".join(step.en for step in paid.steps)


def test_what_is_not_paid_says_why() -> None:
    egg = Laid(LaidKind.LUCKY_EGG, 1, tiles=parse_tiles("1m1p1s"), robbed=True)
    assert "a tile appended to it was taken" in steps("changchun", egg)
    kong = Laid(LaidKind.KONG_EXPOSED, 1, discarder=2)
    assert "earns nothing" in steps("changchun", kong, exposed_kong_payout=0)
    added = Laid(LaidKind.KONG_ADDED, 1, robbed_by=2)
    assert steps("wanzhou", added) == "The kong of seat 1 is not paid: it was robbed."
    before = Laid(LaidKind.KONG_ADDED, 1, won_on_next_discard_by=2)
    assert "the discard after it was won" in steps("wanzhou", before)


@pytest.mark.parametrize(
    ("dead", "payment", "said"),
    [
        (DeadHand.LONG, "no_collect", "it pays in full and collects nothing"),
        (DeadHand.SHORT, "by_tile_count", "it pays less its own value and collects nothing"),
    ],
)
def test_a_dead_hand_is_said_to_be_one(dead: DeadHand, payment: str, said: str) -> None:
    rules = find_rules("classical").with_options({"dead_hand_payment": payment})
    assert rules.settle_values is not None
    hands = HandValues((40, 20, 30, 10), winner=0, east=1, dead={2: dead})
    (words, *_) = rules.settle_values(hands, rules.chosen).steps
    assert words.en == f"The hand of seat 2 is dead: {said}."
    assert isinstance(words, Words)
    assert "作废" in words.zh
