"""Worked examples of whole hands."""

import json
from collections import Counter
from pathlib import Path

import pytest

from bench.cases.run import run_case, run_file
from table_assist.rules.registry import rule_sets

FILE = Path(__file__).parents[1] / "golden" / "courses.jsonl"
ROWS = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("case", ROWS, ids=[row["id"] for row in ROWS])
def test_the_course_of_a_hand_is_the_books(case: dict[str, object]) -> None:
    result = run_case(case)
    assert result.ok, (case["why"], result.expected, result.got)


def test_the_file_runs_as_a_whole_and_no_id_is_there_twice() -> None:
    results = run_file(FILE)
    assert len(results) == len(ROWS)
    assert max(Counter(result.id for result in results).values()) == 1
    assert {row["ruleset"] for row in ROWS} == {rules.id for rules in rule_sets()}


@pytest.mark.parametrize(
    ("events", "why"),
    [
        ([], "a course has a list of events"),
        ([7], "7 is no event"),
        ([{"type": "Discarded", "seat": 0}], "Discarded cannot be read"),
        ([{"type": "Sneezed"}], "no event"),
    ],
)
def test_a_course_that_cannot_be_read_fails_and_says_why(events: list[object], why: str) -> None:
    case = {
        "ruleset": "changsha",
        "kind": "course",
        "given": {"events": events},
        "expect": {"flags": {}},
    }
    result = run_case(case)
    assert not result.ok
    assert why in str(result.got["error"])


def test_a_course_runs_under_the_options_it_names() -> None:
    case = next(row for row in ROWS if row["id"] == "cc-course-ready-kong-forbidden")
    options = {"ready_concealed_kong": "allowed"}
    result = run_case(case | {"given": case["given"] | {"options": options}})
    assert not result.ok
    assert result.got["flags"] == {}
