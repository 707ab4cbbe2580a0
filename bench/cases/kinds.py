"""The kinds of worked examples, and what the program answers to what each of them states.

A kind whose examples state different things has an answer for each of them, in `KINDS` by the key
that tells it.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from table_assist.rules import reckoning, wall
from table_assist.rules.calls import award, refuse
from table_assist.rules.house.given import (
    Given,
    UnsupportedError,
    read_antes,
    read_appended,
    read_laid,
    read_laid_hand,
    read_melds,
    read_offer,
    read_ready,
    read_values,
    read_win,
)
from table_assist.rules.judge import judge
from table_assist.rules.play_rules import HandResult, RoundResult, must_throw_again
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.settlement import LaidIn, add
from table_assist.rules.shown import (
    SEAT_COUNT,
    Antes,
    Call,
    Claim,
    Offer,
    ReadyHand,
    TileSource,
    check_seat,
)
from table_assist.rules.verdict import NO_TRANSFERS, Refusal, Verdict
from table_assist.rules.waiting import declare_ready, legal_waits
from table_assist.tiles.tile import Tile, format_tiles, parse_tile, parse_tiles

Answer = dict[str, object]
Run = Callable[[RuleSet, Given], Answer]
Part = TypeVar("Part")
NO_TREASURE = "has no treasure"
_DIRECTION_WORDS = {1: "right", 2: "across", 3: "left"}


def _had(part: Part | None, rules: RuleSet, what: str) -> Part:
    """A part of the rules that not all rule sets have."""
    if part is None:
        raise UnsupportedError(f"{rules.id} {what}")
    return part


def _allowed(refusal: Refusal | None) -> Answer:
    return {"legal": True} if refusal is None else {"legal": False, "failed": refusal.id}


def _place(place: wall.WallPlace) -> Answer:
    return {"seat": place.seat, "stack": place.stack}


def _win(rules: RuleSet, given: Given) -> Answer:
    return _told(judge(rules, read_win(given.everything)))


def _told(verdict: Verdict) -> Answer:
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


def _false_win(rules: RuleSet, given: Given) -> Answer:
    shown = read_win(given.everything)
    verdict = judge(rules, shown)
    if verdict.valid:
        return _told(verdict) | {"false_win": False}
    penalty = reckoning.false_win(rules, seat=shown.winner, dealer=shown.dealer)
    return _told(verdict) | {"false_win": True, "payments": list(penalty.transfers)}


def _settle(rules: RuleSet, given: Given) -> Answer:
    dealer = given.whole("dealer")
    stated: dict[str, Any] = {}  # once, for every hand
    if (wilds := given.tile_list("wild")) is not None:
        stated["wilds"] = wilds
    if (antes := read_antes(given.object("antes"))) != Antes():
        stated["antes"] = antes
    one = given.object("win")
    wins = [read_win(win, dealer) for win in ([one] if one else given.items("wins"))]
    birds, laid = given.tile_list("birds"), read_laid(given.items("events"))
    settlement = reckoning.settle_wins(rules, [replace(win, **stated) for win in wins], birds)
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


def _values(rules: RuleSet, given: Given) -> Answer:
    settle = _had(rules.settle_values, rules, "settles no hand values")
    return {"payments": list(settle(read_values(given), rules.chosen).transfers)}


def _birds(rules: RuleSet, given: Given) -> Answer:
    tiles, discarder = given.tile_list("birds") or (), given.whole_or_none("discarder")
    seats = {name: given.whole(name) for name in ("dealer", "winner")}
    birds = reckoning.bird_hits(rules, tiles, **seats, discarder=discarder)
    return {"bird_seats": list(birds.seats), "hits": birds.hits, "multiplier": birds.multiplier}


def _irregularity(rules: RuleSet, given: Given) -> Answer:
    known = _had(rules.irregularities, rules, "names no irregularities")(rules.chosen)
    event = given.text("event")
    found = next((each for each in known if each.is_called(event)), None)
    if found is None:
        ids = sorted(each.id for each in known)
        raise ValueError(f"{rules.id} says nothing of {event!r}; there are {ids}")
    return dict(found.consequences)


def _starting_hand(rules: RuleSet, given: Given) -> Answer:
    _had(rules.opening or None, rules, "has no starting-hand wins")
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


def _egg(rules: RuleSet, given: Given) -> Answer:
    eggs, check = _had(rules.eggs, rules, "has no eggs"), given.text("check")
    if check == "supplement":
        return _allowed(eggs.refuse(read_appended(given), rules.chosen))
    if check != "egg":
        raise ValueError(f"no check {check!r}; it is egg or supplement")
    tiles, hand = given.tiles("tiles"), given.tiles("initial_hand")
    phase = given.text("phase") if "phase" in given else "initial_hand"
    kind = eggs.kind_of(tiles, rules.chosen)
    for failed, is_so in (
        ("no_such_egg", kind is None),
        ("tiles_not_held", Counter(tiles) - Counter(hand)),
        ("not_initial_hand", phase != "initial_hand"),
    ):
        if is_so:
            return {"legal": False, "failed": failed}
    replaced = len(tiles) >= eggs.needs_replacement
    return {"legal": True, "egg": kind, "replacement_draw": replaced}


def _laid(rules: RuleSet, given: Given) -> Answer:
    rule, (laid, where) = _had(rules.laid, rules, "pays nothing for kongs"), read_laid_hand(given)
    return {
        "payments": list(reckoning.pay_laid(rules, laid, where).transfers),
        "when": "immediately" if rule.at_once else "end_of_hand",
    }


def _chase(rules: RuleSet, given: Given) -> Answer:
    discards = given.tile_list("first_round_discards") or ()
    dealer, antes = given.whole("dealer"), read_antes(given.object("antes"))
    payment = wall.chase(rules, discards, dealer=dealer, antes=antes)
    transfers = NO_TRANSFERS if payment is None else payment.transfers
    return {"chase": payment is not None, "payments": list(transfers)}


def _own_kong(rules: RuleSet, given: Given) -> Answer:
    call = given.text("kong")
    if call != Call.KONG_CONCEALED:
        raise ValueError(f"a kong {call!r}; four in hand make a {Call.KONG_CONCEALED.value}")
    tile, hand = given.tile("tile"), list(given.tiles("hand"))
    wilds = given.tile_list("wild") or ()
    if tile in hand:
        hand.remove(tile)
    offer = Offer(tile, 0, 0, TileSource.OWN_DRAW, wilds=wilds)
    answer = _allowed(refuse(rules, offer, Claim(0, Call.KONG_CONCEALED, tuple(hand))))
    name = "golden_kong" if tile in wilds else "kong_concealed"
    return answer | ({"type": name} if answer["legal"] else {})


def _call(rules: RuleSet, given: Given) -> Answer:
    result = award(rules, *read_offer(rules, given))
    return {
        "awarded": [{"seat": claim.seat, "call": claim.call.value} for claim in result.awarded],
        "refused": [
            {"seat": claim.seat, "call": claim.call.value, "failed": refusal.id}
            for claim, refusal in result.refused
        ],
    }


def _ready(rules: RuleSet, given: Given) -> Answer:
    _had(rules.ready, rules, "has no ready declaration")
    # Where a hand that is changed later may not win, it is said to stand
    standing = "own_discards" in given
    hand, name = read_ready(given), "standing" if standing else "ready"
    verdict = declare_ready(rules, hand)
    if not verdict.ready:
        return {name: False, "failed": [refusal.id for refusal in verdict.refusals]}
    waits = {name: True, "waits": [str(tile) for tile in verdict.waits]}
    return waits | ({"may_go_out": not hand.hand_changed} if standing else {})


def _next_round(rules: RuleSet, given: Given) -> Answer:
    play = _had(rules.next_round, rules, "knows no rounds")
    result, winner = given.text("result"), given.whole_or_none("winner")
    if result not in ("win", "draw") or (result == "win") != (winner is not None):
        raise ValueError(f"a result {result!r} with the winner {winner}")
    seats = {name: given.whole(name) for name in ("east", "first_east")}
    wind, streak = given.tile("prevailing"), given.whole_or_none("east_streak_before") or 0
    ended = RoundResult(**seats, prevailing=wind, winner=winner, streak=streak)
    after = play(ended, rules.chosen)
    got: Answer = {"game_over": after.east is None, "limit_hand": after.limit_hand}
    if after.east is not None:
        got |= {"next_east": after.east, "prevailing": str(after.prevailing)}
    return got


def _first_dealer(rules: RuleSet, given: Given) -> Answer:
    return {"dealer": wall.first_dealer(rules, given.whole("roller"), given.wholes("dice"))}


def _next_dealer(rules: RuleSet, given: Given) -> Answer:
    result, winners = given.text("result"), given.wholes("winners")
    if result not in ("win", "draw") or (result == "win") != bool(winners):
        raise ValueError(f"a result {result!r} with the winners {list(winners)}")
    names = ("discarder", "last_drawer", "last_offered")
    known = {name: given.whole_or_none(name) for name in names}
    ended = HandResult(dealer=given.whole("dealer"), winners=winners, **known)
    seats = list(reckoning.next_dealer(rules, ended))
    one = {"next_dealer": seats[0]} if len(seats) == 1 else {}
    return {**one, "next_dealer_in": seats}


def _breach(rules: RuleSet, given: Given) -> Answer:
    """Where two throws open the wall, where the loose tiles lie, how large the box is."""
    rule = _had(rules.wall.breach, rules, "has no breach")
    if "tiles" in given:
        tiles, total = given.whole("tiles"), given.whole_or_none("total")
        box = rule.box(total, rules.chosen)
        dealt = rules.tiles_in_wall - wall.tiles_after_deal(rules)
        return {"kong_box_tiles": box, "live_after_deal": tiles - box - dealt}
    if "first" in given:
        thrown = wall.sum_of_dice(given.wholes("first"))
        side = (given.whole("east") + thrown - 1) % SEAT_COUNT
        if "second" not in given:
            return {"breached_wall": side}
        total = rule.count(thrown, wall.sum_of_dice(given.wholes("second")), rules.chosen)
    else:
        side, total = given.whole("breached_wall"), given.whole("total")
    check_seat("breached wall", side)
    stacks = wall.stacks_of(rules, 0)
    opened = wall.open_at(stacks, side, total)
    removed = wall.WallPlace(opened.side, opened.stack)
    lower, upper = rule.loose(rules.chosen)
    return {
        "breached_wall": side,
        "removed": _place(removed),
        "first_draw": _place(opened.first_draw),
        "loose_lower_on": _place(wall.stack_after(stacks, removed, -lower)),
        "loose_upper_on": _place(wall.stack_after(stacks, removed, -upper)),
    }


def _after_kongs(rules: RuleSet, given: Given) -> Answer:
    after = _had(rules.wall.after_kongs, rules, "has no dead wall that grows")
    live, dead, kongs = (given.whole(key) for key in ("live_left", "dead_wall", "kongs"))
    live, dead = after(live, dead, kongs, rules.chosen)
    return {"live_left": live, "dead_wall": dead}


def _is_ending(rules: RuleSet, given: Given) -> Answer:
    is_ending = _had(rules.wall.is_ending, rules, "has no rules for the end of the wall")
    left, dead = given.whole("tiles_left_including_dead"), given.whole("dead_wall")
    return {"last_twelve": is_ending(left, dead, rules.chosen)}


def _wall(rules: RuleSet, given: Given) -> Answer:
    built_by, dealer = given.whole_or_none("wall_dealer"), given.whole_or_none("dealer")
    stacks = wall.stacks_of(rules, (dealer or 0) if built_by is None else built_by)
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
        "first_draw": _place(opened.first_draw),
    }
    drawn, column = given.whole_or_none("drawn"), given.whole_or_none("column_from_tail")
    if drawn is not None:
        place, layer = wall.tile_after(stacks, opened.first_draw, drawn)
        got["next_tile"] = _place(place) | {"layer": layer}
    if column is not None:
        got["column"] = _place(wall.column_from_tail(stacks, opened.first_draw, column))
    return got


def _bonus_order(rules: RuleSet, given: Given) -> Answer:
    """A seat for each replaced flower; who holds some is named, or how many, or which ones."""
    _had(rules.bonus, rules, "has no bonus tiles")
    east = given.whole("east")
    check_seat("east", east)
    is_list = given.is_list("bonus_held")
    held = dict.fromkeys(given.wholes("bonus_held") if is_list else (), 1)
    for seat, value in () if is_list else given.object("bonus_held").items():
        if seat not in ("0", "1", "2", "3"):
            raise ValueError(f"bonus tiles of seat {seat!r}; a seat is 0, 1, 2 or 3")
        if isinstance(value, str):
            held[int(seat)] = len(parse_tiles(value))
        elif isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            held[int(seat)] = value
        else:
            raise ValueError(f"seat {seat} holds the bonus tiles {value!r}")
    order = [(east + turn) % SEAT_COUNT for turn in range(SEAT_COUNT)]
    return {"draw_order": [seat for seat in order for _ in range(held.get(seat, 0))]}


def _selection(rules: RuleSet, given: Given) -> Answer:
    """Whether tiles may be laid aside for the exchange."""
    hand = given.tiles("hand")
    return _allowed(wall.refuse_selection(rules, given.tiles("selection"), hand))


def _exchange(rules: RuleSet, given: Given) -> Answer:
    passed = Given(given.object("passed"), "what is passed")
    tiles = {seat: passed.tiles(str(seat)) for seat in range(SEAT_COUNT)}
    passed.done()
    given.whole_or_none("dealer")
    exchanged = wall.exchange(rules, given.whole("die"), tiles)
    return {
        "direction": _DIRECTION_WORDS[exchanged.seats_on],
        "received": {str(seat): format_tiles(tiles) for seat, tiles in exchanged.received.items()},
    }


def _antes(rules: RuleSet, given: Given) -> Answer:
    stated = Given(given.object("tokens"), "the tokens")
    tokens = {seat: stated.whole(str(seat)) for seat in range(SEAT_COUNT) if str(seat) in stated}
    stated.done()
    antes, dealer = read_antes(given.object("antes")), given.whole("dealer")
    late = given.flag("after_deal")
    placed = wall.place_antes(rules, antes, dealer=dealer, tokens=tokens, after_deal=late)
    left = {"tokens_after": {str(seat): left for seat, left in placed.tokens_left.items()}}
    if placed.refusals:
        failed = [refusal.id for refusal in placed.refusals]
        return {"legal": False, "failed": failed[0], "refusals": failed, **left}
    factors = {str(seat): factor for seat, factor in placed.factors.items()}
    return {"legal": True, "multipliers": factors, **left}


def _deal(rules: RuleSet, given: Given) -> Answer:
    blocks = wall.deal(rules, given.whole("dealer"))
    return {
        "blocks": [list(block) for block in blocks],
        "hand_sizes": [sum(tiles for taker, tiles in blocks if taker == s) for s in range(4)],
        "wall_left": wall.tiles_after_deal(rules),
    }


def _wild(rules: RuleSet, given: Given) -> Answer:
    got: Answer = {}
    if "indicator" in given:
        wild = wall.make_wild(rules, given.tile("indicator"))
        got |= {"wild": [str(tile) for tile in wild.kinds], "live_wild_tiles": wild.live}
    rule, dealer = _had(rules.wilds, rules, "has no wild tiles"), given.whole_or_none("dealer")
    if "wild_dice" in given:
        column = wall.sum_of_dice(given.wholes("wild_dice"))
        # in front of the turned tile's column, which is counted from the tail
        drawable = wall.tiles_after_deal(rules) - 2 * column
        got |= {"column": column, "drawable_after_deal": drawable}
        if dealer is not None:
            got["roller"] = (dealer + rule.roller) % SEAT_COUNT
        if "broken_wall" in given:
            stacks = wall.stacks_of(rules, dealer or 0)
            opened = wall.open_at(stacks, given.whole("broken_wall"), given.whole("count"))
            got["column"] = _place(wall.column_from_tail(stacks, opened.first_draw, column))
    return got


def _treasures_seen(rules: RuleSet, given: Given) -> Answer:
    rule = _had(rules.treasure, rules, NO_TREASURE)
    return {"may_reroll": given.whole("visible_treasures") >= rule.visible}


def _too_few(rules: RuleSet, given: Given) -> Answer:
    rule, _ = _had(rules.treasure, rules, NO_TREASURE), given.wholes("dice")
    if given.whole("tiles_left") < rule.fewest_tiles:
        return {"revealed": False, "failed": "too_few_tiles"}
    return {"revealed": True}


def _treasure_thrown(rules: RuleSet, given: Given) -> Answer:
    """The dice count columns from the tail: either so many, or with their tiles."""
    rule, dice = _had(rules.treasure, rules, NO_TREASURE), given.wholes("dice")
    columns = [_column(value) for value in given.items("columns_from_tail")]
    count = given.whole_or_none("columns")
    again = must_throw_again(dice, len(columns) if count is None else count)
    if again or not columns:
        return {"reroll": again, "revealed": not again}
    indicator = columns[sum(dice) - 1][0]
    named = list(map(str, rule.named_by(indicator, rules.chosen)))
    return {"reroll": False, "revealed": True, "indicator": str(indicator), "treasure": named}


def _column(value: object) -> tuple[Tile, ...]:
    """The tiles of a column, the top one first."""
    if not isinstance(value, list) or not value:
        raise ValueError(f"a column is {value!r}; it is a list of its tiles")
    return tuple(parse_tile(str(tile)) for tile in value)


def _treasure(rules: RuleSet, given: Given) -> Answer:
    rule = _had(rules.treasure, rules, NO_TREASURE)
    named = rule.named_by(given.tile("indicator"), rules.chosen)
    got: Answer = {"treasure": list(map(str, named))}
    if given.flag("rush_check"):
        tiles, melds = given.tiles("concealed"), read_melds(given.items("melds"))
        hand = ReadyHand(tiles, melds, seat=given.whole_or_none("seat") or 0)
        got["rush"] = bool(set(named) & set(legal_waits(rules, hand)))
    return got


KINDS: dict[str, dict[str, Run]] = {
    "win": {"": _win},
    "reject": {"": _win},
    "settle": {"values": _values, "": _settle},
    "bird": {"": _birds},
    "instant": {
        "check": _egg,
        "events": _laid,
        "first_round_discards": _chase,
        "kong": _own_kong,
        "": _starting_hand,
    },
    "dealer": {"east": _next_round, "roller": _first_dealer, "": _next_dealer},
    "wall": {
        **dict.fromkeys(("first", "total", "tiles"), _breach),
        "live_left": _after_kongs,
        "tiles_left_including_dead": _is_ending,
        "": _wall,
    },
    "deal": {
        "bonus_held": _bonus_order,
        "selection": _selection,
        "die": _exchange,
        "antes": _antes,
        "": _deal,
    },
    "call": {"": _call},
    "ready": {"": _ready},
    "treasure": {
        "visible_treasures": _treasures_seen,
        "tiles_left": _too_few,
        "dice": _treasure_thrown,
        "": _treasure,
    },
    "wild": {"": _wild},
    "penalty": {
        "values": _values,
        "event": _irregularity,
        "events": _laid,
        "concealed": _false_win,
    },
}
