"""Runs worked examples: ``run_case(case) -> CaseResult``, ``run_file(path) -> list[CaseResult]``.

A case is a JSON object ``{"id", "ruleset", "kind", "given", "expect"}``. Only the keys present in
``expect`` are compared, so ``got`` may hold more. What the program does not know (a rule set, a
kind) is not passed over: the case fails and says so.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

from table_assist.rules import wall
from table_assist.rules.calls import Call, Claim, Offer, TileSource, award
from table_assist.rules.examples.eggs import check_egg, count_wall, find_treasure
from table_assist.rules.examples.given import (
    Given,
    read_antes,
    read_flags,
    read_laid,
    read_melds,
    read_win,
)
from table_assist.rules.examples.table import (
    run_antes,
    run_chase,
    run_exchange,
    run_first_dealer,
    run_own_kong,
    run_selection,
    run_wild,
)
from table_assist.rules.examples.winds import (
    breach,
    draw_for_bonus,
    irregularity,
    next_round,
    present_standing,
    settle_values,
)
from table_assist.rules.judge import judge
from table_assist.rules.laid import LaidIn
from table_assist.rules.offer import Completes, Since
from table_assist.rules.reckoning import (
    bird_hits,
    false_win,
    instant_wins,
    next_dealer,
    pay_laid,
    settle_wins,
)
from table_assist.rules.registry import rule_sets
from table_assist.rules.ruleset import HandResult, RuleSet
from table_assist.rules.settlement import add
from table_assist.rules.shown import Antes, Circumstance, ReadyHand
from table_assist.rules.verdict import NO_TRANSFERS, Verdict
from table_assist.rules.waiting import declare_ready
from table_assist.tiles.melds import MeldKind

# The JSON of a case's statement or an engine's answer.


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


class _UnsupportedError(Exception):
    """The program does not know how to run such a case."""


# Answers a case's ``given`` under its rules.
Runner = Callable[[RuleSet, Given], dict[str, object]]


def run_file(path: Path, more: Mapping[str, Runner] = MappingProxyType({})) -> list[CaseResult]:
    """Run every case of a JSON Lines file; blank lines are passed over.

    A line that is no case becomes a failed result that says why.

    Args:
        path: of the file.
        more: kinds of case beside the rules' own, with what answers them.

    Raises:
        OSError: the file cannot be read.
    """
    results = []
    for number, line in enumerate(path.read_bytes().splitlines(), start=1):
        if line.strip():
            results.append(_run_line(line, f"{path.name}:{number}", more))
    return results


def run_case(
    case: Mapping[str, object],
    name: str = "?",
    more: Mapping[str, Runner] = MappingProxyType({}),
) -> CaseResult:
    """Run one case.

    Args:
        case: the JSON object.
        name: what to call it if it has no id.
        more: as for ``run_file``.
    """
    id = str(case.get("id", name))
    expected = case.get("expect")
    if not isinstance(expected, dict) or not expected:
        return CaseResult(id, False, {}, {"error": "the case expects nothing"})
    try:
        got = _answer(case, more)
    except _UnsupportedError as error:
        return CaseResult(id, False, expected, {"unsupported": str(error)})
    except ValueError as error:
        return CaseResult(id, False, expected, {"error": str(error)})
    ok = all(key in got and _same(key, value, got[key]) for key, value in expected.items())
    return CaseResult(id, ok, expected, got)


def _run_line(line: bytes, name: str, more: Mapping[str, Runner]) -> CaseResult:
    try:
        case = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        return CaseResult(name, False, {}, {"error": f"not UTF-8: {error.reason}"})
    except (json.JSONDecodeError, RecursionError) as error:
        return CaseResult(name, False, {}, {"error": f"not JSON: {error}"})
    if not isinstance(case, dict):
        return CaseResult(name, False, {}, {"error": "a case is a JSON object"})
    return run_case(case, name, more)


def _same(key: str, expected: object, got: object) -> bool:
    """Equal, where the order of patterns does not matter and ``true`` is not 1."""
    if key == "patterns" and isinstance(expected, list) and isinstance(got, list):
        return sorted(map(json.dumps, expected)) == sorted(map(json.dumps, got))
    return json.dumps(expected, sort_keys=True) == json.dumps(got, sort_keys=True)


def _answer(case: Mapping[str, object], more: Mapping[str, Runner]) -> dict[str, object]:
    id, kind = case.get("ruleset"), case.get("kind")
    found = [rules for rules in rule_sets() if rules.id == id]
    if not found:
        known = [rules.id for rules in rule_sets()]
        raise _UnsupportedError(f"no rule set {id!r}; there are {', '.join(known)}")
    runners = {**_RUNNERS, **more}
    if not isinstance(kind, str) or kind not in runners:
        raise _UnsupportedError(f"no kind {kind!r}; there are {sorted(runners)}")
    given = Given(case.get("given"))
    rules = found[0].with_options(given.object("options"))
    return runners[kind](rules, given)


def answer_given(rules: RuleSet, kind: str, given: Mapping[object, object]) -> dict[str, object]:
    """The outcome of a case's ``given`` under these rules.

    Raises:
        ValueError: a key is missing, wrong or strange.
    """
    return _RUNNERS[kind](rules, Given(given))


def _run_win(rules: RuleSet, given: Given) -> dict[str, object]:
    return present(judge(rules, read_win(given.everything)))


def present(verdict: Verdict) -> dict[str, object]:
    """A verdict as worked examples write it."""
    if not verdict.valid:
        failed = [refusal.id for refusal in verdict.refusals]
        return {"valid": False, "failed": failed[0], "refusals": failed, **verdict.figures}
    return {
        "valid": True,
        "patterns": [{"name": each.id, "value": each.value} for each in verdict.patterns],
        "total": verdict.total,
        **verdict.figures,
        "payments": list(verdict.payments),
    }


def _run_settle(rules: RuleSet, given: Given) -> dict[str, object]:
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
    given.done()
    settlement = settle_wins(rules, wins, birds)
    where = LaidIn(dealer, antes, drawn=not settlement.winners)
    beside = pay_laid(rules, laid, where).transfers if laid else NO_TRANSFERS
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
        **({"refused": refused} if refused else {}),
    }


def _run_bird(rules: RuleSet, given: Given) -> dict[str, object]:
    birds = bird_hits(
        rules,
        given.tile_list("birds") or (),
        dealer=given.whole("dealer"),
        winner=given.whole("winner"),
        discarder=given.whole_or_none("discarder"),
    )
    given.done()
    return {
        "bird_seats": list(birds.seats),
        "hits": birds.hits,
        "multiplier": birds.multiplier,
    }


def _run_instant(rules: RuleSet, given: Given) -> dict[str, object]:
    if "check" in given and rules.eggs is not None:
        return check_egg(rules, rules.eggs, given)
    if "events" in given:
        return _run_laid(rules, given)
    if "first_round_discards" in given:
        return run_chase(rules, given)
    if "kong" in given:
        return run_own_kong(rules, given)
    if not rules.opening:
        raise _UnsupportedError(f"{rules.id} has no starting-hand wins")
    hand, seat, dealer = given.tiles("hand"), given.whole("seat"), given.whole("dealer")
    given.done()
    start = instant_wins(rules, hand, seat=seat, dealer=dealer)
    refused = [refusal.id for refusal in start.refusals]
    return {
        "wins": [win.id for win in start.wins],
        "payments": list(start.payments),
        "birds_drawn": start.birds_drawn,
        "hand_continues": start.hand_continues,
        **({"refused": refused} if refused else {}),
    }


def _run_laid(rules: RuleSet, given: Given) -> dict[str, object]:
    if rules.laid is None:
        raise _UnsupportedError(f"{rules.id} pays nothing for kongs")
    result = given.text("result") if "result" in given else "win"
    if result not in ("win", "draw"):
        raise ValueError(f"a result {result!r}; it is win or draw")
    where = LaidIn(given.whole("dealer"), read_antes(given.object("antes")), result == "draw")
    laid = read_laid(given.items("events"))
    given.done()
    return {
        "payments": list(pay_laid(rules, laid, where).transfers),
        "when": "immediately" if rules.laid.at_once else "end_of_hand",
    }


def _run_penalty(rules: RuleSet, given: Given) -> dict[str, object]:
    if "values" in given:
        return settle_values(rules, given)
    if "event" in given:
        return irregularity(rules, given)
    if "events" in given:
        return _run_laid(rules, given)
    if "concealed" in given:
        return _run_false_win(rules, given)
    raise _UnsupportedError(f"{rules.id} names no such penalty")


def _run_false_win(rules: RuleSet, given: Given) -> dict[str, object]:
    """A declared win: a false one, if it is none, and what that costs."""
    shown = read_win(given.everything)
    verdict = judge(rules, shown)
    if verdict.valid:
        return {**present(verdict), "false_win": False}
    penalty = false_win(rules, seat=shown.winner, dealer=shown.dealer)
    return {**present(verdict), "false_win": True, "payments": list(penalty.transfers)}


def _run_treasure(rules: RuleSet, given: Given) -> dict[str, object]:
    if rules.treasure is None:
        raise _UnsupportedError(f"{rules.id} has no treasure")
    return find_treasure(rules, rules.treasure, given)


def _run_ready(rules: RuleSet, given: Given) -> dict[str, object]:
    if rules.ready is None:
        raise _UnsupportedError(f"{rules.id} has no ready declaration")
    standing = "own_discards" in given
    hand = read_ready(given)
    verdict = declare_ready(rules, hand)
    if standing:
        return present_standing(verdict, hand_changed=hand.hand_changed)
    if not verdict.ready:
        return {"ready": False, "failed": [refusal.id for refusal in verdict.refusals]}
    return {"ready": True, "waits": [str(tile) for tile in verdict.waits]}


def read_ready(given: Given) -> ReadyHand:
    """A hand that is declared ready."""
    standing = "own_discards" in given
    hand = ReadyHand(
        given.tiles("concealed"),
        read_melds(given.items("melds")),
        seat=given.whole_or_none("seat") or 0,
        dealer=given.whole_or_none("dealer") or 0,
        discard_number=given.whole_or_none("own_discards" if standing else "discard_number"),
        hand_changed=given.flag("hand_changed"),
    )
    given.done()
    return hand


def _run_dealer(rules: RuleSet, given: Given) -> dict[str, object]:
    if "east" in given:
        return next_round(rules, given)
    if "roller" in given:
        return run_first_dealer(rules, given)
    result = given.text("result")
    winners = given.wholes("winners")
    if result not in ("win", "draw") or (result == "win") != bool(winners):
        raise ValueError(f"a result {result!r} with the winners {list(winners)}")
    seats = next_dealer(
        rules,
        HandResult(
            dealer=given.whole("dealer"),
            winners=winners,
            discarder=given.whole_or_none("discarder"),
            last_drawer=given.whole_or_none("last_drawer"),
            last_offered=given.whole_or_none("last_offered"),
        ),
    )
    given.done()
    if len(seats) == 1:
        return {"next_dealer": seats[0], "next_dealer_in": list(seats)}
    return {"next_dealer_in": list(seats)}


def _has_any(given: Given, *keys: str) -> bool:
    return any(key in given for key in keys)


def _run_wall(rules: RuleSet, given: Given) -> dict[str, object]:
    if rules.wall.breach is not None and _has_any(given, "first", "total", "tiles"):
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
        given.done()
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
    got: dict[str, object] = {
        "broken_wall": opened.side,
        "break_stack": opened.stack,
        "first_draw": _place(opened.first_draw),
    }
    drawn, column = given.whole_or_none("drawn"), given.whole_or_none("column_from_tail")
    given.done()
    if drawn is not None:
        place, layer = wall.tile_after(stacks, opened.first_draw, drawn)
        got["next_tile"] = {**_place(place), "layer": layer}
    if column is not None:
        got["column"] = _place(wall.column_from_tail(stacks, opened.first_draw, column))
    return got


def _place(place: wall.WallPlace) -> dict[str, object]:
    return {"seat": place.seat, "stack": place.stack}


def _run_deal(rules: RuleSet, given: Given) -> dict[str, object]:
    if "bonus_held" in given:
        return draw_for_bonus(rules, given)
    for key, run in (("die", run_exchange), ("selection", run_selection), ("antes", run_antes)):
        if key in given:
            return run(rules, given)
    blocks = wall.deal(rules, given.whole("dealer"))
    given.done()
    return {
        "blocks": [list(block) for block in blocks],
        "hand_sizes": [sum(tiles for taker, tiles in blocks if taker == s) for s in range(4)],
        "wall_left": wall.tiles_after_deal(rules),
    }


def _run_call(rules: RuleSet, given: Given) -> dict[str, object]:
    offer, claims = read_offer(rules, given)
    result = award(rules, offer, claims)
    return {
        "awarded": [{"seat": claim.seat, "call": claim.call.value} for claim in result.awarded],
        "refused": [
            {"seat": claim.seat, "call": claim.call.value, "failed": refusal.id}
            for claim, refusal in result.refused
        ],
    }


def read_offer(rules: RuleSet, given: Given) -> tuple[Offer, list[Claim]]:
    """A tile, and who claims it."""
    source = given.text("source") if "source" in given else TileSource.DISCARD
    if source not in list(TileSource):
        raise _UnsupportedError(f"no source {source!r}; there are {[s.value for s in TileSource]}")
    if source == TileSource.EGG_SUPPLEMENT and MeldKind.LUCKY_EGG not in rules.melds:
        raise _UnsupportedError(f"{rules.id} has no eggs")
    offer = Offer(
        tile=given.tile("tile"),
        seat=given.whole("from"),
        dealer=given.whole_or_none("dealer") or 0,
        source=TileSource(source),
        wall_remaining=given.whole_or_none("wall_remaining"),
        last_four=given.flag("last_four"),
        wilds=given.tile_list("wild") or (),
        treasures=given.tile_list("treasure") or (),
        since=_read_since(given),
    )
    claims = [_read_claim(value) for value in given.items("claims")]
    given.done()
    return offer, claims


def _read_since(given: Given) -> Since:
    """The next player's actions; the last of the things stated."""
    said = [since for since in Since if since is not Since.NOTHING and given.flag(since)]
    return said[-1] if said else Since.NOTHING


def _read_claim(value: object) -> Claim:
    given = Given(value, "a claim")
    call = given.text("call")
    if call not in list(Call):
        raise _UnsupportedError(f"no call {call!r}; there are {[each.value for each in Call]}")
    ready = {Circumstance.READY_DECLARED} if given.flag("ready_declared") else set()
    completes = given.text("completes") if "completes" in given else None
    if completes not in (None, *Completes):
        raise ValueError(f"no way {completes!r} to complete a win")
    claim = Claim(
        given.whole("seat"),
        Call(call),
        given.tiles("hand"),
        read_melds(given.items("melds")),
        read_flags(given.object("flags")) | ready,
        completes=None if completes is None else Completes(completes),
        passed=given.flag("passed_same_tile_this_turn"),
        sacred=given.flag("sacred"),
    )
    given.done()
    return claim


_RUNNERS: Mapping[str, Callable[[RuleSet, Given], dict[str, object]]] = {
    "win": _run_win,
    "reject": _run_win,
    "settle": _run_settle,
    "bird": _run_bird,
    "instant": _run_instant,
    "dealer": _run_dealer,
    "wall": _run_wall,
    "deal": _run_deal,
    "call": _run_call,
    "ready": _run_ready,
    "treasure": _run_treasure,
    "wild": run_wild,
    "penalty": _run_penalty,
}
