"""``python -m bench cases``: worked examples of the rules.

A case is a JSON object ``{"id", "ruleset", "kind", "given", "expect"}``. Only the keys present in
``expect`` are compared, so ``got`` may hold more. What the program does not know (a rule set, a
kind) is not passed over: the case fails and says so.

A case of the kind ``course`` gives ``options`` (house rules that differ) and ``events``, oldest
first, as the log writes them (`record.log`): ``{"type": "Discarded", "seat": 0, "tile": "1m"}``.
One tile is a text, several are a list. ``HandStarted`` needs ``dealer`` and ``wall_left`` (tiles
to draw after the deal), and ``dead`` where there is a dead wall. Draws may be left out. It expects:

- ``flags``: by the number of the event, from 0, the rules that it breaks (`Irregularity`)
- ``payments``: what the whole hand moves, by seat; a hand that nobody has won counts as drawn
- ``hand_payments``, ``side_payments``: the part from winning hands; from kongs and eggs
- ``paid_at_once``, ``opening``: what kongs and openings have moved so far; what dealt hands did
- ``hands``: by seat ``{"valid": true, "patterns": {id: value}}`` or ``{..., "failed": id}``
- ``winners``, ``missing``: who is paid; whose hands must be laid down first
- ``final``: false if something is unknown or against the rules
- ``next``, ``next_seats``, ``says``: the next step (`game.step`), whose, and in which words
- ``asks``: what is asked about the hand that was told last, each with the number of choices
- ``may``, ``may_not``: by seat the calls that its tiles allow; what a rule forbids, and which
- ``next_dealers``, ``game_over``: what follows the hand
- ``wall_left``, ``dead``, ``scores``, ``dealer``, ``prevailing``: after the last event
- ``treasures``, ``may_seek_again``: the treasure in force; whether another may be sought
- ``people``: by seat, the one in which its player began
"""

import argparse
import json
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from bench import BenchError, report
from bench.cases.kinds import KINDS, Answer
from table_assist.game.allowed import own_choices
from table_assist.game.course import next_step
from table_assist.game.events import Event, HandStarted, HandTold
from table_assist.game.fold import apply
from table_assist.game.irregular import irregularities
from table_assist.game.offered import offered_choices
from table_assist.game.outcome import due_now, end_of_hand
from table_assist.game.state import SEATS, TableState
from table_assist.game.told_facts import facts_to_ask, with_known
from table_assist.game.win import may_seek_again
from table_assist.record.log import event_from_dict
from table_assist.rules.house.given import Given, UnsupportedError
from table_assist.rules.profile import differing
from table_assist.rules.registry import rule_sets
from table_assist.rules.ruleset import RuleSet


@dataclass(frozen=True, slots=True)
class CaseResult:
    """One worked example and what came out."""

    id: str  # the case's own, or the file's name and line where it has none
    ok: bool
    expected: dict[str, object]
    got: dict[str, object]  # ``unsupported`` or ``error`` with a sentence if nothing came out


def run(options: argparse.Namespace) -> int:
    """Run the cases of files; 1 where one fails, or there is none."""
    passed = failed = 0
    for path in options.files:
        try:
            results = run_file(path)
        except OSError as error:
            raise BenchError(f"the cases {path} cannot be read: {error.strerror}") from error
        for result in results:
            passed, failed = passed + result.ok, failed + (not result.ok)
            if options.json:
                report(asdict(result), as_json=True)
            elif result.ok:
                print(f"ok      {result.id}")
            else:
                print(f"FAILED  {result.id}: expected {result.expected}, got {result.got}")
    stream = sys.stderr if options.json else sys.stdout
    print(f"{passed} passed, {failed} failed", file=stream)
    return 1 if failed or not passed else 0


def run_file(path: Path) -> list[CaseResult]:
    """Run every case of a JSON Lines file (`OSError`); a line that is none fails and says why."""
    results = []
    for number, line in enumerate(path.read_bytes().splitlines(), start=1):
        name, wrong, case = f"{path.name}:{number}", "", None
        if not line.strip():
            continue
        try:
            case = json.loads(line.decode("utf-8"))
        except UnicodeDecodeError as error:
            wrong = f"not UTF-8: {error.reason}"
        except (json.JSONDecodeError, RecursionError) as error:
            wrong = f"not JSON: {error}"
        if isinstance(case, dict):
            results.append(run_case(case, name))
        else:
            wrong = wrong or "a case is a JSON object"
            results.append(CaseResult(name, False, {}, {"error": wrong}))
    return results


def run_case(case: Mapping[str, object], name: str = "?") -> CaseResult:
    """Run one case, which is called by that name if it has no id."""
    id, expected = str(case.get("id", name)), case.get("expect")
    if not isinstance(expected, dict) or not expected:
        return CaseResult(id, False, {}, {"error": "the case expects nothing"})
    try:
        got = _answer(case)
    except ValueError as error:
        why = "unsupported" if isinstance(error, UnsupportedError) else "error"
        return CaseResult(id, False, expected, {why: str(error)})
    ok = all(key in got and _same(key, value, got[key]) for key, value in expected.items())
    return CaseResult(id, ok, expected, got)


def _same(key: str, expected: object, got: object) -> bool:
    """Equal, where the order of patterns does not matter and ``true`` is not 1."""
    if key == "patterns" and isinstance(expected, list) and isinstance(got, list):
        return sorted(map(json.dumps, expected)) == sorted(map(json.dumps, got))
    return json.dumps(expected, sort_keys=True) == json.dumps(got, sort_keys=True)


def _answer(case: Mapping[str, object]) -> Answer:
    known = {rules.id: rules for rules in rule_sets()}
    kinds = KINDS | {"course": {"": run_course}}
    id, kind = case.get("ruleset"), case.get("kind")
    if not isinstance(id, str) or id not in known:
        raise UnsupportedError(f"no rule set {id!r}; there are {', '.join(known)}")
    if not isinstance(kind, str) or kind not in kinds:
        raise UnsupportedError(f"no kind {kind!r}; there are {sorted(kinds)}")
    given = Given(case.get("given"))
    rules = known[id].with_options(given.object("options"))
    for key, answer in kinds[kind].items():
        if not key or key in given:
            got = answer(rules, given)
            given.done()
            return got
    raise UnsupportedError(f"{rules.id} names no such {kind}")


def run_course(rules: RuleSet, given: Given) -> Answer:
    """The program's answer, event by event and on the end; `ValueError` where it has none."""
    rows = given.everything.get("events")
    if not isinstance(rows, list) or not rows:
        raise ValueError("a course has a list of events")
    state, flags, got = TableState(), dict[str, list[str]](), Answer()
    for number, row in enumerate(rows):
        event = _read(rules, state, row)
        if isinstance(event, HandTold):
            asked = facts_to_ask(state, with_known(state, event))
            got["asks"] = {f"{fact.kind} {fact.name}".strip(): len(fact.choices) for fact in asked}
        if wrong := [str(each) for each in irregularities(state, event)]:
            flags[str(number)] = wrong
        state = apply(state, event)
    return {"flags": flags, **got, **_standing(rules, state), **_end(state)}


def _read(rules: RuleSet, state: TableState, row: object) -> Event:
    if not isinstance(row, dict) or not isinstance(row.get("type"), str):
        raise ValueError(f"{row!r} is no event: it has no type")
    if row["type"] == HandStarted.__name__:
        options = [list(each) for each in sorted(differing(rules))]
        row = {"hand": state.hand + 1, "rules": rules.id, "options": options} | row
    try:
        event: Event = event_from_dict(row)
    except (TypeError, KeyError) as error:
        raise ValueError(f"{row['type']} cannot be read: {error}") from error
    return event


def _standing(rules: RuleSet, state: TableState) -> Answer:
    """How the table stands after the last event."""
    step = next_step(rules, state)
    may: dict[str, list[str]] = {}
    may_not: dict[str, dict[str, str]] = {}
    for seat in SEATS:
        for choice in own_choices(state) if state.holder == seat else offered_choices(state, seat):
            if choice.call is not None and choice.refusal is None:
                may.setdefault(str(seat), []).append(choice.call.value)
            elif choice.call is not None and choice.refusal and choice.refusal.id != "structure":
                may_not.setdefault(str(seat), {})[choice.call.value] = choice.refusal.id
    return {
        "next": str(step.act),
        "next_seats": list(step.seats),
        "says": step.words.en,
        "may": may,
        "may_not": may_not,
        "wall_left": state.wall_left,
        "dead": state.wall.dead,
        "treasures": [str(tile) for tile in state.treasures],
        "may_seek_again": may_seek_again(rules, state),
        "scores": list(state.scores),
        "people": list(state.people),
        "dealer": state.dealer,
        "prevailing": str(state.prevailing),
        "paid_at_once": list(due_now(state).transfers) if state.rules else [0, 0, 0, 0],
    }


def _end(state: TableState) -> Answer:
    """The hand's result as it stands, drawn if nobody has shown a hand."""
    if not state.rules or not state.is_running:
        return {}
    ended = end_of_hand(state)
    return {
        "payments": list(ended.total),
        "hand_payments": list(ended.wins),
        "side_payments": list(ended.laid),
        "opening": list(ended.opening),
        "missing": list(ended.missing),
        "final": ended.final,
        "winners": list(ended.winners),
        "next_dealers": list(ended.dealer_next),
        "game_over": ended.game_over,
        "hands": {
            str(seat): {"valid": True, "patterns": {x.id: x.value for x in verdict.patterns}}
            if verdict.valid
            else {"valid": False, "failed": verdict.refusals[0].id}
            for seat, verdict in sorted(ended.verdicts.items())
        },
    }
