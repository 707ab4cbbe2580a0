"""``python -m bench cases``: worked examples of the rules.

A case is a JSON object ``{"id", "ruleset", "kind", "given", "expect"}``. Only the keys present in
``expect`` are compared, so ``got`` may hold more. What the program does not know (a rule set, a
kind) is not passed over: the case fails and says so.
"""

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from bench import BenchError
from bench.cases.beside import (
    Answer,
    allowed,
    breach,
    check_egg,
    count_wall,
    draw_for_bonus,
    find_treasure,
    irregularity,
    next_round,
    place_of,
    run_antes,
    run_chase,
    run_exchange,
    run_own_kong,
    run_wild,
    settle_values,
)
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
from table_assist.rules import reckoning, wall
from table_assist.rules.calls import award
from table_assist.rules.house.given import (
    Given,
    UnsupportedError,
    read_antes,
    read_laid,
    read_laid_hand,
    read_offer,
    read_ready,
    read_win,
)
from table_assist.rules.judge import judge
from table_assist.rules.play_rules import HandResult
from table_assist.rules.profile import differing
from table_assist.rules.registry import rule_sets
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.settlement import LaidIn, add
from table_assist.rules.shown import Antes
from table_assist.rules.verdict import NO_TRANSFERS, Verdict
from table_assist.rules.waiting import declare_ready
from table_assist.tiles.tile import format_tiles

# Worked examples of the course of a hand: events in, what is flagged and what it comes to out.
#
# A case of the kind ``course`` gives ``options`` (house rules that differ) and ``events``, oldest
# first, as the log writes them (`record.log`): ``{"type": "Discarded", "seat": 0, "tile": "1m"}``.
# One tile is a text, several are a list. ``HandStarted`` needs ``dealer`` and ``wall_left`` (tiles
# to draw after the deal), and ``dead`` where there is a dead wall. Draws may be left out.
#
# Only the keys that ``expect`` names are compared:
#
# - ``flags``: by the number of the event, from 0, the rules that it breaks (`Irregularity`)
# - ``payments``: what the whole hand moves, by seat; a hand that nobody has won counts as drawn
# - ``hand_payments``, ``side_payments``: the part from winning hands; from kongs and eggs
# - ``paid_at_once``: what kongs and openings have moved so far
# - ``hands``: by seat ``{"valid": true, "patterns": {id: value}}`` or
#   ``{"valid": false, "failed": id}``
# - ``winners``: who is paid
# - ``final``: false if something is unknown or against the rules
# - ``missing``: seats whose hands must be laid down first; ``opening``: what dealt hands moved
# - ``next``, ``next_seats``, ``says``: the next step (`game.step`), whose, and in which words
# - ``asks``: what is asked about the hand that was told last, each with the number of choices
# - ``may``, ``may_not``: by seat the calls that its known tiles allow; those that a rule forbids,
#   each with the reason's id
# - ``next_dealers``, ``game_over``: what follows the hand
# - ``wall_left``, ``dead``: live and dead tiles
# - ``treasures``, ``may_seek_again``: the treasure in force; whether another may be sought
# - ``scores``, ``dealer``, ``prevailing``: after the last event
# - ``people``: by seat, the seat in which its player began


def run_course(rules: RuleSet, given: Given) -> dict[str, object]:
    """The program's answer on a hand: event by event, then on its end.

    Raises:
        ValueError: the events are no list of events, or the hand cannot be settled.
    """
    rows = given.everything.get("events")
    if not isinstance(rows, list) or not rows:
        raise ValueError("a course has a list of events")
    state, got = TableState(), dict[str, object]()
    flags: dict[str, list[str]] = {}
    for number, row in enumerate(rows):
        event = _read(rules, state, row)
        if isinstance(event, HandTold):
            asked = facts_to_ask(state, with_known(state, event))
            got["asks"] = {f"{fact.kind} {fact.name}".strip(): len(fact.choices) for fact in asked}
        wrong = [str(each) for each in irregularities(state, event)]
        if wrong:
            flags[str(number)] = wrong
        state = apply(state, event)
    return {"flags": flags, **got, **_standing(rules, state), **_end(state)}


def _read(rules: RuleSet, state: TableState, row: object) -> Event:
    if not isinstance(row, dict) or not isinstance(row.get("type"), str):
        raise ValueError(f"{row!r} is no event: it has no type")
    if row["type"] == HandStarted.__name__:
        known = {
            "hand": state.hand + 1,
            "rules": rules.id,
            "options": [list(each) for each in sorted(differing(rules))],
        }
        row = known | row
    try:
        event: Event = event_from_dict(row)
    except (TypeError, KeyError) as error:
        raise ValueError(f"{row['type']} cannot be read: {error}") from error
    return event


def _standing(rules: RuleSet, state: TableState) -> dict[str, object]:
    """How the table stands after the last event."""
    step = next_step(rules, state)
    return {
        "next": str(step.act),
        "next_seats": list(step.seats),
        "says": step.words.en,
        **_calls(state),
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


def _calls(state: TableState) -> dict[str, object]:
    """Which calls each seat may make now, and what forbids the others that its tiles make."""
    may: dict[str, list[str]] = {}
    may_not: dict[str, dict[str, str]] = {}
    for seat in SEATS:
        for choice in own_choices(state) if state.holder == seat else offered_choices(state, seat):
            if choice.call is not None and choice.refusal is None:
                may.setdefault(str(seat), []).append(choice.call.value)
            elif choice.call is not None and choice.refusal and choice.refusal.id != "structure":
                may_not.setdefault(str(seat), {})[choice.call.value] = choice.refusal.id
    return {"may": may, "may_not": may_not}


def _end(state: TableState) -> dict[str, object]:
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


@dataclass(frozen=True, slots=True)
class CaseResult:
    """One worked example and what came out.

    Attributes:
        id: the case's own, or the file's name and line where it has none.
        expected: the keys that were asserted.
        got: what came out; ``unsupported`` or ``error`` with a sentence if nothing did.
    """

    id: str
    ok: bool
    expected: dict[str, object]
    got: dict[str, object]


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
                print(json.dumps(asdict(result), ensure_ascii=False))
            elif result.ok:
                print(f"ok      {result.id}")
            else:
                print(f"FAILED  {result.id}: expected {result.expected}, got {result.got}")
    stream = sys.stderr if options.json else sys.stdout
    print(f"{passed} passed, {failed} failed", file=stream)
    return 1 if failed or not passed else 0


def run_file(path: Path) -> list[CaseResult]:
    """Run every case of a JSON Lines file; blank lines are passed over.

    A line that is no case becomes a failed result that says why.

    Raises:
        OSError: the file cannot be read.
    """
    return [
        _run_line(line, f"{path.name}:{number}")
        for number, line in enumerate(path.read_bytes().splitlines(), start=1)
        if line.strip()
    ]


def run_case(case: Mapping[str, object], name: str = "?") -> CaseResult:
    """Run one case.

    Args:
        case: the JSON object.
        name: what to call it if it has no id.
    """
    id = str(case.get("id", name))
    expected = case.get("expect")
    if not isinstance(expected, dict) or not expected:
        return CaseResult(id, False, {}, {"error": "the case expects nothing"})
    try:
        got = _answer(case)
    except UnsupportedError as error:
        return CaseResult(id, False, expected, {"unsupported": str(error)})
    except ValueError as error:
        return CaseResult(id, False, expected, {"error": str(error)})
    ok = all(key in got and _same(key, value, got[key]) for key, value in expected.items())
    return CaseResult(id, ok, expected, got)


def _run_line(line: bytes, name: str) -> CaseResult:
    try:
        case = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        return CaseResult(name, False, {}, {"error": f"not UTF-8: {error.reason}"})
    except (json.JSONDecodeError, RecursionError) as error:
        return CaseResult(name, False, {}, {"error": f"not JSON: {error}"})
    if not isinstance(case, dict):
        return CaseResult(name, False, {}, {"error": "a case is a JSON object"})
    return run_case(case, name)


def _same(key: str, expected: object, got: object) -> bool:
    """Equal, where the order of patterns does not matter and ``true`` is not 1."""
    if key == "patterns" and isinstance(expected, list) and isinstance(got, list):
        return sorted(map(json.dumps, expected)) == sorted(map(json.dumps, got))
    return json.dumps(expected, sort_keys=True) == json.dumps(got, sort_keys=True)


def _answer(case: Mapping[str, object]) -> Answer:
    id, kind = case.get("ruleset"), case.get("kind")
    found = [rules for rules in rule_sets() if rules.id == id]
    if not found:
        known = [rules.id for rules in rule_sets()]
        raise UnsupportedError(f"no rule set {id!r}; there are {', '.join(known)}")
    if not isinstance(kind, str) or kind not in _RUNNERS:
        raise UnsupportedError(f"no kind {kind!r}; there are {sorted(_RUNNERS)}")
    given = Given(case.get("given"))
    rules = found[0].with_options(given.object("options"))
    got = _RUNNERS[kind](rules, given)
    given.done()
    return got


def present(verdict: Verdict) -> Answer:
    """A verdict as worked examples write it."""
    if not verdict.valid:
        failed = [refusal.id for refusal in verdict.refusals]
        return {
            "valid": False,
            "failed": failed[0],
            "refusals": failed,
            "says": [refusal.words.en for refusal in verdict.refusals],
            "completions": {format_tiles(way.tiles): way.total for way in verdict.completions},
            **verdict.figures,
        }
    return {
        "valid": True,
        "patterns": [{"name": each.id, "value": each.value} for each in verdict.patterns],
        "total": verdict.total,
        "steps": [step.en for step in verdict.steps],
        **verdict.figures,
        "payments": list(verdict.payments),
    }


def _run_settle(rules: RuleSet, given: Given) -> Answer:
    if "values" in given:
        return settle_values(rules, given)
    dealer = given.whole("dealer")
    wilds = given.tile_list("wild")
    antes = read_antes(given.object("antes"))
    one = given.object("win")
    wins = [read_win(win, dealer) for win in ([one] if one else given.items("wins"))]
    # The wild tiles are stated once and hold for every hand.
    wins = [win if wilds is None else replace(win, wilds=wilds) for win in wins]
    wins = [win if antes == Antes() else replace(win, antes=antes) for win in wins]
    birds = given.tile_list("birds")
    laid = read_laid(given.items("events"))
    settlement = reckoning.settle_wins(rules, wins, birds)
    where = LaidIn(dealer, antes, drawn=not settlement.winners)
    beside = reckoning.pay_laid(rules, laid, where).transfers if laid else NO_TRANSFERS
    refused = {
        str(seat): [refusal.id for refusal in verdict.refusals]
        for seat, verdict in settlement.verdicts.items()
        if not verdict.valid
    }
    return {
        "hand_payments": list(settlement.payments),
        "side_payments": list(beside),
        "payments": list(add([settlement.payments, beside])),
        "totals": {str(seat): total for seat, total in settlement.totals.items()},
        "winners": list(settlement.winners),
        **({"refused": refused} if refused else {}),
    }


def _run_bird(rules: RuleSet, given: Given) -> Answer:
    birds = reckoning.bird_hits(
        rules,
        given.tile_list("birds") or (),
        dealer=given.whole("dealer"),
        winner=given.whole("winner"),
        discarder=given.whole_or_none("discarder"),
    )
    return {"bird_seats": list(birds.seats), "hits": birds.hits, "multiplier": birds.multiplier}


def _run_instant(rules: RuleSet, given: Given) -> Answer:
    if "check" in given and rules.eggs is not None:
        return check_egg(rules, rules.eggs, given)
    if "events" in given:
        return _run_laid(rules, given)
    if "first_round_discards" in given:
        return run_chase(rules, given)
    if "kong" in given:
        return run_own_kong(rules, given)
    if not rules.opening:
        raise UnsupportedError(f"{rules.id} has no starting-hand wins")
    hand, seat, dealer = given.tiles("hand"), given.whole("seat"), given.whole("dealer")
    start = reckoning.instant_wins(rules, hand, seat=seat, dealer=dealer)
    refused = [refusal.id for refusal in start.refusals]
    return {
        "wins": [win.id for win in start.wins],
        "payments": list(start.payments),
        "birds_drawn": start.birds_drawn,
        "hand_continues": start.hand_continues,
        **({"refused": refused} if refused else {}),
    }


def _run_laid(rules: RuleSet, given: Given) -> Answer:
    if rules.laid is None:
        raise UnsupportedError(f"{rules.id} pays nothing for kongs")
    laid, where = read_laid_hand(given)
    return {
        "payments": list(reckoning.pay_laid(rules, laid, where).transfers),
        "when": "immediately" if rules.laid.at_once else "end_of_hand",
    }


def _run_penalty(rules: RuleSet, given: Given) -> Answer:
    if "values" in given:
        return settle_values(rules, given)
    if "event" in given:
        return irregularity(rules, given)
    if "events" in given:
        return _run_laid(rules, given)
    if "concealed" in given:
        # A declared win: a false one, if it is none, and what that costs
        shown = read_win(given.everything)
        verdict = judge(rules, shown)
        if verdict.valid:
            return {**present(verdict), "false_win": False}
        penalty = reckoning.false_win(rules, seat=shown.winner, dealer=shown.dealer)
        return {**present(verdict), "false_win": True, "payments": list(penalty.transfers)}
    raise UnsupportedError(f"{rules.id} names no such penalty")


def _run_ready(rules: RuleSet, given: Given) -> Answer:
    if rules.ready is None:
        raise UnsupportedError(f"{rules.id} has no ready declaration")
    standing = "own_discards" in given
    hand = read_ready(given)
    verdict = declare_ready(rules, hand)
    # Where a hand that is changed later may not win, it is said to stand
    name = "standing" if standing else "ready"
    if not verdict.ready:
        return {name: False, "failed": [refusal.id for refusal in verdict.refusals]}
    waits = {name: True, "waits": [str(tile) for tile in verdict.waits]}
    return waits | ({"may_go_out": not hand.hand_changed} if standing else {})


def _run_dealer(rules: RuleSet, given: Given) -> Answer:
    if "east" in given:
        return next_round(rules, given)
    if "roller" in given:
        first = wall.first_dealer(rules, given.whole("roller"), given.wholes("dice"))
        return {"dealer": first}
    result = given.text("result")
    winners = given.wholes("winners")
    if result not in ("win", "draw") or (result == "win") != bool(winners):
        raise ValueError(f"a result {result!r} with the winners {list(winners)}")
    seats = reckoning.next_dealer(
        rules,
        HandResult(
            dealer=given.whole("dealer"),
            winners=winners,
            discarder=given.whole_or_none("discarder"),
            last_drawer=given.whole_or_none("last_drawer"),
            last_offered=given.whole_or_none("last_offered"),
        ),
    )
    if len(seats) == 1:
        return {"next_dealer": seats[0], "next_dealer_in": list(seats)}
    return {"next_dealer_in": list(seats)}


def _run_wall(rules: RuleSet, given: Given) -> Answer:
    if rules.wall.breach is not None and any(key in given for key in ("first", "total", "tiles")):
        return breach(rules, rules.wall.breach, given)
    counted = count_wall(rules, given)
    if counted is not None:
        return counted
    built_by = given.whole_or_none("wall_dealer")
    dealer = given.whole_or_none("dealer")
    if built_by is None:
        built_by = 0 if dealer is None else dealer
    stacks = wall.stacks_of(rules, built_by)
    if given.flag("built"):
        return {
            "stacks": list(stacks),
            "tiles": 2 * sum(stacks),
            "dead_wall": rules.wall.dead,
            "live_after_deal": wall.tiles_after_deal(rules) - rules.wall.dead,
        }
    if "dice" in given:
        opened = wall.break_wall(rules, given.whole("dealer"), given.wholes("dice"))
    else:
        opened = wall.open_at(stacks, given.whole("broken_wall"), given.whole("count"))
    got: Answer = {
        "broken_wall": opened.side,
        "break_stack": opened.stack,
        "first_draw": place_of(opened.first_draw),
    }
    drawn, column = given.whole_or_none("drawn"), given.whole_or_none("column_from_tail")
    if drawn is not None:
        place, layer = wall.tile_after(stacks, opened.first_draw, drawn)
        got["next_tile"] = {**place_of(place), "layer": layer}
    if column is not None:
        got["column"] = place_of(wall.column_from_tail(stacks, opened.first_draw, column))
    return got


def _run_deal(rules: RuleSet, given: Given) -> Answer:
    if "bonus_held" in given:
        return draw_for_bonus(rules, given)
    if "selection" in given:  # whether tiles may be laid aside for the exchange
        hand = given.tiles("hand")
        return allowed(wall.refuse_selection(rules, given.tiles("selection"), hand))
    for key, run in (("die", run_exchange), ("antes", run_antes)):
        if key in given:
            return run(rules, given)
    blocks = wall.deal(rules, given.whole("dealer"))
    return {
        "blocks": [list(block) for block in blocks],
        "hand_sizes": [sum(tiles for taker, tiles in blocks if taker == s) for s in range(4)],
        "wall_left": wall.tiles_after_deal(rules),
    }


def _run_call(rules: RuleSet, given: Given) -> Answer:
    offer, claims = read_offer(rules, given)
    result = award(rules, offer, claims)
    return {
        "awarded": [{"seat": claim.seat, "call": claim.call.value} for claim in result.awarded],
        "refused": [
            {"seat": claim.seat, "call": claim.call.value, "failed": refusal.id}
            for claim, refusal in result.refused
        ],
    }


_RUNNERS: Mapping[str, Callable[[RuleSet, Given], Answer]] = {
    "win": lambda rules, given: present(judge(rules, read_win(given.everything))),
    "reject": lambda rules, given: present(judge(rules, read_win(given.everything))),
    "settle": _run_settle,
    "bird": _run_bird,
    "instant": _run_instant,
    "dealer": _run_dealer,
    "wall": _run_wall,
    "deal": _run_deal,
    "call": _run_call,
    "ready": _run_ready,
    "treasure": find_treasure,
    "wild": run_wild,
    "penalty": _run_penalty,
    "course": run_course,
}
