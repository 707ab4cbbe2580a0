"""Runs the worked examples of a game with winds: values, rounds, breaches, irregularities.

Each function answers one kind of case from what it states; ``rules.cases`` calls it where the rule
set has the mechanic.
"""

from collections.abc import Mapping

from table_assist.rules import wall
from table_assist.rules.examples.given import Given
from table_assist.rules.rounds import DeadHand, HandValues, RoundResult
from table_assist.rules.ruleset import BreachRule, RuleSet
from table_assist.rules.shown import SEATS, check_seat
from table_assist.rules.waiting import ReadyVerdict
from table_assist.tiles.tile import parse_tiles


def settle_values(rules: RuleSet, given: Given) -> dict[str, object]:
    """The settlement of hands of known value, dead ones among them.

    Raises:
        ValueError: the rules settle no values, or they are not four.
    """
    if rules.settle_values is None:
        raise ValueError(f"{rules.id} settles no hand values")
    values = given.wholes("values")
    if len(values) != SEATS:
        raise ValueError(f"{len(values)} values; there are four hands")
    first, second, third, fourth = values
    hands = HandValues(
        (first, second, third, fourth),
        given.whole_or_none("winner"),
        given.whole("east"),
        limit=given.whole_or_none("limit"),
        dead=_read_dead(given.object("dead")),
    )
    given.done()
    return {"payments": list(rules.settle_values(hands, rules.chosen).transfers)}


def _read_dead(values: Mapping[str, object]) -> dict[int, DeadHand]:
    dead = {}
    for seat, why in values.items():
        if seat not in ("0", "1", "2", "3") or why not in list(DeadHand):
            raise ValueError(f"a dead hand {seat!r}: {why!r}; it is a seat, long or short")
        dead[int(seat)] = DeadHand(str(why))
    return dead


def next_round(rules: RuleSet, given: Given) -> dict[str, object]:
    """The next East, and the wind.

    Raises:
        ValueError: the rules know no rounds, or the result and the winner do not agree.
    """
    if rules.next_round is None:
        raise ValueError(f"{rules.id} knows no rounds")
    result, winner = given.text("result"), given.whole_or_none("winner")
    if result not in ("win", "draw") or (result == "win") != (winner is not None):
        raise ValueError(f"a result {result!r} with the winner {winner}")
    after = rules.next_round(
        RoundResult(
            east=given.whole("east"),
            first_east=given.whole("first_east"),
            prevailing=given.tile("prevailing"),
            winner=winner,
            streak=given.whole_or_none("east_streak_before") or 0,
        ),
        rules.chosen,
    )
    given.done()
    if after.east is None:
        return {"game_over": True, "limit_hand": after.limit_hand}
    return {
        "next_east": after.east,
        "prevailing": str(after.prevailing),
        "limit_hand": after.limit_hand,
        "game_over": False,
    }


def breach(rules: RuleSet, rule: BreachRule, given: Given) -> dict[str, object]:
    """Where two throws open the wall, where the loose tiles lie, how large the box is."""
    if "tiles" in given:
        return _box(rules, rule, given)
    if "first" in given:
        thrown = _thrown(given, "first")
        side = (given.whole("east") + thrown - 1) % SEATS
        got: dict[str, object] = {"breached_wall": side}
        if "second" not in given:
            given.done()
            return got
        total = rule.count(thrown, _thrown(given, "second"), rules.chosen)
    else:
        side, total = given.whole("breached_wall"), given.whole("total")
        got = {"breached_wall": side}
    given.done()
    check_seat("breached wall", side)
    stacks = wall.stacks_of(rules, 0)
    opened = wall.open_at(stacks, side, total)
    removed = wall.WallPlace(opened.side, opened.stack)
    lower, upper = rule.loose(rules.chosen)
    return got | {
        "removed": _place(removed),
        "first_draw": _place(opened.first_draw),
        "loose_lower_on": _place(wall.stack_after(stacks, removed, -lower)),
        "loose_upper_on": _place(wall.stack_after(stacks, removed, -upper)),
    }


def _box(rules: RuleSet, rule: BreachRule, given: Given) -> dict[str, object]:
    tiles, total = given.whole("tiles"), given.whole_or_none("total")
    given.done()
    box = rule.box(total, rules.chosen)
    dealt = rules.tiles_in_wall - wall.tiles_after_deal(rules)
    return {"kong_box_tiles": box, "live_after_deal": tiles - box - dealt}


def _thrown(given: Given, key: str) -> int:
    dice = given.wholes(key)
    if not dice or any(not 1 <= die <= 6 for die in dice):
        raise ValueError(f"the dice show {list(dice)}; each is 1 to 6")
    return sum(dice)


def _place(place: wall.WallPlace) -> dict[str, object]:
    return {"seat": place.seat, "stack": place.stack}


def draw_for_bonus(rules: RuleSet, given: Given) -> dict[str, object]:
    """In which order the dealt flowers and seasons are replaced: a seat for each tile drawn.

    ``bonus_held`` names the seats that hold some, or says how many or which ones each of them
    holds.
    """
    if rules.bonus is None:
        raise ValueError(f"{rules.id} has no bonus tiles")
    east = given.whole("east")
    check_seat("east", east)
    held = _bonus_held(given)
    given.done()
    order = [(east + turn) % SEATS for turn in range(SEATS)]
    return {"draw_order": [seat for seat in order for _ in range(held.get(seat, 0))]}


def _bonus_held(given: Given) -> dict[int, int]:
    if given.is_list("bonus_held"):
        return dict.fromkeys(given.wholes("bonus_held"), 1)
    held = {}
    for seat, value in given.object("bonus_held").items():
        if seat not in ("0", "1", "2", "3"):
            raise ValueError(f"bonus tiles of seat {seat!r}; a seat is 0, 1, 2 or 3")
        if isinstance(value, str):
            held[int(seat)] = len(parse_tiles(value))
        elif isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            held[int(seat)] = value
        else:
            raise ValueError(f"seat {seat} holds the bonus tiles {value!r}")
    return held


def present_standing(verdict: ReadyVerdict, *, hand_changed: bool) -> dict[str, object]:
    """A ready verdict where a hand that is changed later may not win."""
    if not verdict.ready:
        return {"standing": False, "failed": [refusal.id for refusal in verdict.refusals]}
    waits = [str(tile) for tile in verdict.waits]
    return {"standing": True, "may_go_out": not hand_changed, "waits": waits}


def irregularity(rules: RuleSet, given: Given) -> dict[str, object]:
    """The cost of an offence against the rules of play.

    Raises:
        ValueError: the rules say nothing of it.
    """
    if rules.irregularities is None:
        raise ValueError(f"{rules.id} names no irregularities")
    event = given.text("event")
    given.done()
    known = rules.irregularities(rules.chosen)
    found = next((each for each in known if each.is_called(event)), None)
    if found is None:
        ids = sorted(each.id for each in known)
        raise ValueError(f"{rules.id} says nothing of {event!r}; there are {ids}")
    return dict(found.consequences)
