"""Every sentence of a sheet has worked examples that show it: what it says is what is judged."""

import json
import re
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from table_assist.game.hand_worth import nearest_bigger
from table_assist.rules.judge import judge
from table_assist.rules.registry import find_rules, rule_sets
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.sheet.sheet import named_in
from table_assist.rules.shown import ShownHand
from table_assist.tiles.tile import Tile, parse_tile, parse_tiles

GOLDEN = Path(__file__).parents[1] / "golden"
CITED = re.compile(r"\b([A-Z]{2}-)(\d+[a-zA-Z]?)(?: to [A-Z]{2}-(\d+)\b)?")
EVERY = pytest.mark.parametrize("rules", rule_sets(), ids=lambda rules: rules.id)
# What people agree on or how things lie: the program has nothing to say to it.
NOT_JUDGED = {
    "CC-03": "who deals first is told", "CS-03": "who deals first is told",
    "CL-06": "a marker", "CL-12": "who is East is told", "CL-13": "who is East is told",
    "CL-14": "who is East is told", "CL-15": "heaps of cards are not followed",
    "CL-18": "dice are told as they count", "CC-23": "how melds lie",
    "CL-31": "what a player shows", "CL-37": "how discards lie", "CL-47": "which tile is taken",
}  # fmt: skip
Case = dict[str, Any]


@cache
def cases() -> tuple[Case, ...]:
    files = sorted(GOLDEN.glob("*.jsonl"))
    lines = [line for each in files for line in each.read_text(encoding="utf-8").splitlines()]
    return tuple(map(json.loads, lines))


def cited(case: Case) -> set[str]:
    """The numbers in a case's reason; ``TJ-06 to TJ-08`` are three."""
    found: set[str] = set()
    for prefix, first, last in CITED.findall(case["why"]):
        found.add(prefix + first)
        if last and first.isdecimal():
            found |= {f"{prefix}{n:02}" for n in range(int(first), int(last) + 1)}
    return found


@EVERY
def test_every_sentence_is_shown_by_examples_of_both_sides_or_of_its_numbers(
    rules: RuleSet,
) -> None:
    """Two examples that end differently, or one that has the numbers that the sentence says."""
    for law in rules.laws:
        if law.number in NOT_JUDGED:
            continue
        # The cases of a law: they name it, or meet or miss the pattern or condition it explains
        own = [case for case in cases() if case["ruleset"] == rules.id]
        about = law.explains.replace("_", "-")
        examples = [
            case
            for case in own
            if law.number in cited(case)
            or (about and about in case["id"])
            or (about and law.explains == case["expect"].get("failed"))
        ]
        ends = {json.dumps(each["expect"], sort_keys=True) for each in examples}
        sentence = CITED.sub("", law.say(named_in(rules), rules.chosen).en)
        said = set(re.findall(r"\d+", sentence))
        told = json.dumps(examples)
        there = {*re.findall(r"\d+", told), *told}  # tiles are single digits
        is_penalty = any("event" in each["given"] for each in examples)
        assert said <= there, (law.number, said - there)
        assert len(ends) > 1 or (said and ends) or is_penalty, law.number


@EVERY
def test_every_reason_for_a_refusal_and_every_irregularity_has_an_example(rules: RuleSet) -> None:
    own = [case for case in cases() if case["ruleset"] == rules.id]
    ends = json.dumps([case["expect"] for case in own])
    asked = [*rules.conditions, *rules.claim_conditions]
    asked += [*rules.ready.on_hand, *rules.ready.on_completion] if rules.ready else []
    assert [each.id for each in asked if f'"{each.id}"' not in ends] == []
    told = {case["given"]["event"]: case["expect"] for case in own if "event" in case["given"]}
    for each in rules.irregularities(rules.chosen) if rules.irregularities else ():
        assert told[each.id]
    eggs = rules.eggs.names if rules.eggs else {}
    assert [kind for kind in eggs if f'"egg": "{kind}"' not in ends] == []


def test_what_is_not_judged_is_a_sentence_still() -> None:
    numbers = {law.number for rules in rule_sets() for law in rules.laws}
    assert set(NOT_JUDGED) <= numbers


HANDS = (
    ("123m456m678m222m55s", "5s"),
    ("123m456m789m222s55m", "5m"),
    ("111m222m333p234p55s", "5s"),
    ("1122334455667m7m", "7m"),
    ("222m555p888s234s88p", "8p"),
    ("1155m2288p33s66s99s", "9s"),
)
ALL = ("changsha", "classical", "wanzhou", "tianjin", "changchun")


def hand(tiles: str, winning: str) -> ShownHand:
    return ShownHand(parse_tiles(tiles), parse_tile(winning), 1, 0, self_drawn=True)


def test_one_other_pair_makes_it_one_suit() -> None:
    rules = find_rules("changsha")
    shown = hand("123m456m678m222m55s", "2m")
    found = nearest_bigger(rules, shown)
    assert found is not None
    assert found.out == parse_tiles("55s")
    assert {tile.suit for tile in found.shown.concealed} == {Tile.M1.suit}
    assert "full_flush" in {each.id for each in found.verdict.patterns}


def less_far(rules: RuleSet, shown: ShownHand, tiles: int) -> list[int]:
    """What every win pays that differs in at most so many tiles; for one tile: all are tried."""
    paid, rest = [], list(shown.concealed)
    rest.remove(shown.winning_tile)
    for at in range(len(rest) * (tiles == 1)):
        for tile in rules.kinds:
            other = (*rest[:at], *rest[at + 1 :], tile, shown.winning_tile)
            if max(Counter(other).values()) <= 4:
                verdict = judge(rules, replace(shown, concealed=other))
                paid.append(verdict.payments[shown.winner] if verdict.valid else 0)
    return paid


@pytest.mark.parametrize("rules_id", ALL)
@pytest.mark.parametrize(("tiles", "winning"), HANDS)
def test_it_wins_and_pays_more_and_nothing_one_tile_away_does(
    rules_id: str, tiles: str, winning: str
) -> None:
    rules, shown = find_rules(rules_id), hand(tiles, winning)
    now, found = judge(rules, shown), nearest_bigger(rules, shown)
    if found is None:
        best = max(less_far(rules, shown, 1), default=0)
        assert not now.valid or best <= now.payments[1]
        return
    assert judge(rules, found.shown).payments[1] > now.payments[1]
    gone = Counter(shown.concealed) - Counter(found.shown.concealed)
    assert tuple(sorted(gone.elements())) == found.out
    assert shown.winning_tile in found.shown.concealed
    if len(found.out) > 1:
        assert max(less_far(rules, shown, 1)) <= now.payments[1]


def test_what_lies_open_four_times_cannot_come() -> None:
    rules, shown = find_rules("changsha"), hand("123m456m678m222m55s", "2m")
    found = nearest_bigger(rules, shown)
    assert found is not None
    again = nearest_bigger(rules, shown, found.instead[:1] * 4)
    assert again is None or found.instead[0] not in again.instead


def test_an_unread_tile_is_not_guessed() -> None:
    shown = hand("123m456m678m222m55s", "2m")
    unread = replace(shown, concealed=(Tile.UNKNOWN, *shown.concealed[1:]))
    assert nearest_bigger(find_rules("changsha"), unread) is None
