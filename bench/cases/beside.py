"""Worked examples of what happens beside the hands: stakes, exchange, wild tiles, rounds, eggs.

Each function answers one kind of case from what it states; `run` calls it where the rule set has
the mechanic.
"""

from collections import Counter

from table_assist.rules import wall
from table_assist.rules.calls import refuse
from table_assist.rules.house.given import (
    Given,
    UnsupportedError,
    read_antes,
    read_appended,
    read_melds,
    read_values,
)
from table_assist.rules.play_rules import BreachRule, EggRule, RoundResult, must_throw_again
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.shown import (
    SEAT_COUNT,
    Call,
    Claim,
    Offer,
    ReadyHand,
    TileSource,
    check_seat,
)
from table_assist.rules.verdict import NO_TRANSFERS, Refusal
from table_assist.rules.waiting import legal_waits
from table_assist.tiles.tile import Tile, format_tiles, parse_tile, parse_tiles

Answer = dict[str, object]
_DIRECTION_WORDS = {1: "right", 2: "across", 3: "left"}


def allowed(refusal: Refusal | None) -> Answer:
    """Whether something is allowed."""
    return {"legal": True} if refusal is None else {"legal": False, "failed": refusal.id}


def run_exchange(rules: RuleSet, given: Given) -> Answer:
    """Which way tiles are passed, and what each seat receives."""
    passed = Given(given.object("passed"), "what is passed")
    tiles = {seat: passed.tiles(str(seat)) for seat in range(4)}
    passed.done()
    given.whole_or_none("dealer")
    exchanged = wall.exchange(rules, given.whole("die"), tiles)
    return {
        "direction": _DIRECTION_WORDS[exchanged.seats_on],
        "received": {str(seat): format_tiles(tiles) for seat, tiles in exchanged.received.items()},
    }


def run_antes(rules: RuleSet, given: Given) -> Answer:
    """Whether stakes may be placed, and what they multiply."""
    stated = Given(given.object("tokens"), "the tokens")
    tokens = {seat: stated.whole(str(seat)) for seat in range(4) if str(seat) in stated}
    stated.done()
    placed = wall.place_antes(
        rules,
        read_antes(given.object("antes")),
        dealer=given.whole("dealer"),
        tokens=tokens,
        after_deal=given.flag("after_deal"),
    )
    left = {"tokens_after": {str(seat): left for seat, left in placed.tokens_left.items()}}
    if placed.refusals:
        failed = [refusal.id for refusal in placed.refusals]
        return {"legal": False, "failed": failed[0], "refusals": failed, **left}
    factors = {str(seat): factor for seat, factor in placed.factors.items()}
    return {"legal": True, "multipliers": factors, **left}


def run_chase(rules: RuleSet, given: Given) -> Answer:
    """Whether the first round of discards chased the dealer's."""
    payment = wall.chase(
        rules,
        given.tile_list("first_round_discards") or (),
        dealer=given.whole("dealer"),
        antes=read_antes(given.object("antes")),
    )
    transfers = NO_TRANSFERS if payment is None else payment.transfers
    return {"chase": payment is not None, "payments": list(transfers)}


def run_own_kong(rules: RuleSet, given: Given) -> Answer:
    """Whether four tiles in hand may be declared a concealed kong, and of which kind it is."""
    call = given.text("kong")
    if call != Call.KONG_CONCEALED:
        raise ValueError(f"a kong {call!r}; four in hand make a {Call.KONG_CONCEALED.value}")
    tile, hand = given.tile("tile"), list(given.tiles("hand"))
    wilds = given.tile_list("wild") or ()
    if tile in hand:
        hand.remove(tile)
    offer = Offer(tile, 0, 0, TileSource.OWN_DRAW, wilds=wilds)
    answer = allowed(refuse(rules, offer, Claim(0, Call.KONG_CONCEALED, tuple(hand))))
    name = "golden_kong" if tile in wilds else "kong_concealed"
    return answer | ({"type": name} if answer["legal"] else {})


def run_wild(rules: RuleSet, given: Given) -> Answer:
    """The wild tiles, who rolls for the turned tile, and where that lies."""
    got: Answer = {}
    if "indicator" in given:
        wild = wall.make_wild(rules, given.tile("indicator"))
        got |= {"wild": [str(tile) for tile in wild.kinds], "live_wild_tiles": wild.live}
    if rules.wilds is None:
        raise ValueError(f"{rules.id} has no wild tiles")
    dealer = given.whole_or_none("dealer")
    if "wild_dice" in given:
        column = wall.sum_of_dice(given.wholes("wild_dice"))
        # in front of the turned tile's column, which is counted from the tail
        drawable = wall.tiles_after_deal(rules) - 2 * column
        got |= {"column": column, "drawable_after_deal": drawable}
        if dealer is not None:
            got["roller"] = (dealer + rules.wilds.roller) % 4
        if "broken_wall" in given:
            stacks = wall.stacks_of(rules, dealer or 0)
            opened = wall.open_at(stacks, given.whole("broken_wall"), given.whole("count"))
            place = wall.column_from_tail(stacks, opened.first_draw, column)
            got["column"] = place_of(place)
    return got


def settle_values(rules: RuleSet, given: Given) -> Answer:
    """The settlement of hands of known value, dead ones among them.

    Raises:
        ValueError: the rules settle no values, or they are not four.
    """
    if rules.settle_values is None:
        raise ValueError(f"{rules.id} settles no hand values")
    values = read_values(given)
    return {"payments": list(rules.settle_values(values, rules.chosen).transfers)}


def next_round(rules: RuleSet, given: Given) -> Answer:
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
    got: Answer = {"game_over": after.east is None, "limit_hand": after.limit_hand}
    if after.east is not None:
        got |= {"next_east": after.east, "prevailing": str(after.prevailing)}
    return got


def breach(rules: RuleSet, rule: BreachRule, given: Given) -> Answer:
    """Where two throws open the wall, where the loose tiles lie, how large the box is."""
    if "tiles" in given:
        tiles, total = given.whole("tiles"), given.whole_or_none("total")
        box = rule.box(total, rules.chosen)
        dealt = rules.tiles_in_wall - wall.tiles_after_deal(rules)
        return {"kong_box_tiles": box, "live_after_deal": tiles - box - dealt}
    if "first" in given:
        thrown = _thrown(given, "first")
        side = (given.whole("east") + thrown - 1) % SEAT_COUNT
        got: Answer = {"breached_wall": side}
        if "second" not in given:
            return got
        total = rule.count(thrown, _thrown(given, "second"), rules.chosen)
    else:
        side, total = given.whole("breached_wall"), given.whole("total")
        got = {"breached_wall": side}
    check_seat("breached wall", side)
    stacks = wall.stacks_of(rules, 0)
    opened = wall.open_at(stacks, side, total)
    removed = wall.WallPlace(opened.side, opened.stack)
    lower, upper = rule.loose(rules.chosen)
    return got | {
        "removed": place_of(removed),
        "first_draw": place_of(opened.first_draw),
        "loose_lower_on": place_of(wall.stack_after(stacks, removed, -lower)),
        "loose_upper_on": place_of(wall.stack_after(stacks, removed, -upper)),
    }


def _thrown(given: Given, key: str) -> int:
    dice = given.wholes(key)
    if not dice or any(not 1 <= die <= 6 for die in dice):
        raise ValueError(f"the dice show {list(dice)}; each is 1 to 6")
    return sum(dice)


def place_of(place: wall.WallPlace) -> Answer:
    """A place in the wall."""
    return {"seat": place.seat, "stack": place.stack}


def draw_for_bonus(rules: RuleSet, given: Given) -> Answer:
    """In which order the dealt flowers and seasons are replaced: a seat for each tile drawn.

    ``bonus_held`` names the seats that hold some, or says how many or which ones each of them
    holds.
    """
    if rules.bonus is None:
        raise ValueError(f"{rules.id} has no bonus tiles")
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


def irregularity(rules: RuleSet, given: Given) -> Answer:
    """The cost of an offence against the rules of play.

    Raises:
        ValueError: the rules say nothing of it.
    """
    if rules.irregularities is None:
        raise ValueError(f"{rules.id} names no irregularities")
    event = given.text("event")
    known = rules.irregularities(rules.chosen)
    found = next((each for each in known if each.is_called(event)), None)
    if found is None:
        ids = sorted(each.id for each in known)
        raise ValueError(f"{rules.id} says nothing of {event!r}; there are {ids}")
    return dict(found.consequences)


def check_egg(rules: RuleSet, eggs: EggRule, given: Given) -> Answer:
    """Whether an egg may be laid, or a tile appended to one."""
    check = given.text("check")
    if check == "egg":
        tiles, hand = given.tiles("tiles"), given.tiles("initial_hand")
        phase = given.text("phase") if "phase" in given else "initial_hand"
        kind = eggs.kind_of(tiles, rules.chosen)
        if kind is None:
            return {"legal": False, "failed": "no_such_egg"}
        if Counter(tiles) - Counter(hand):
            return {"legal": False, "failed": "tiles_not_held"}
        if phase != "initial_hand":
            return {"legal": False, "failed": "not_initial_hand"}
        replaced = len(tiles) >= eggs.needs_replacement
        return {"legal": True, "egg": kind, "replacement_draw": replaced}
    if check == "supplement":
        return allowed(eggs.refuse(read_appended(given), rules.chosen))
    raise ValueError(f"no check {check!r}; it is egg or supplement")


def find_treasure(rules: RuleSet, given: Given) -> Answer:
    """The revealed treasure, the name of a turned tile, and whether a hand may rush."""
    treasure = rules.treasure
    if treasure is None:
        raise UnsupportedError(f"{rules.id} has no treasure")
    if "visible_treasures" in given:
        seen = given.whole("visible_treasures")
        return {"may_reroll": seen >= treasure.visible}
    if "tiles_left" in given:
        left = given.whole("tiles_left")
        given.wholes("dice")
        if left < treasure.fewest_tiles:
            return {"revealed": False, "failed": "too_few_tiles"}
        return {"revealed": True}
    if "dice" in given:
        # The dice count columns from the tail: either so many, or with their tiles
        dice = given.wholes("dice")
        columns = [_column(value) for value in given.items("columns_from_tail")]
        count = given.whole_or_none("columns")
        again = must_throw_again(dice, len(columns) if count is None else count)
        if again or not columns:
            return {"reroll": again, "revealed": not again}
        indicator = columns[sum(dice) - 1][0]
        return {
            "reroll": False,
            "revealed": True,
            "indicator": str(indicator),
            "treasure": list(map(str, treasure.named_by(indicator, rules.chosen))),
        }
    named = treasure.named_by(given.tile("indicator"), rules.chosen)
    got: Answer = {"treasure": list(map(str, named))}
    if given.flag("rush_check"):
        hand = ReadyHand(
            given.tiles("concealed"),
            read_melds(given.items("melds")),
            seat=given.whole_or_none("seat") or 0,
        )
        got["rush"] = bool(set(named) & set(legal_waits(rules, hand)))
    return got


def _column(value: object) -> tuple[Tile, ...]:
    """The tiles of a column, the top one first."""
    if not isinstance(value, list) or not value:
        raise ValueError(f"a column is {value!r}; it is a list of its tiles")
    return tuple(parse_tile(str(tile)) for tile in value)


def count_wall(rules: RuleSet, given: Given) -> Answer | None:
    """The wall's live and dead tiles after kongs, or whether its end has begun; none if not asked.

    Raises:
        ValueError: the rules keep no such count.
    """
    if "live_left" in given:
        if rules.wall.after_kongs is None:
            raise ValueError(f"{rules.id} has no dead wall that grows")
        live, dead, kongs = (given.whole(key) for key in ("live_left", "dead_wall", "kongs"))
        live, dead = rules.wall.after_kongs(live, dead, kongs, rules.chosen)
        return {"live_left": live, "dead_wall": dead}
    if "tiles_left_including_dead" in given:
        if rules.wall.is_ending is None:
            raise ValueError(f"{rules.id} has no rules for the end of the wall")
        left, dead = given.whole("tiles_left_including_dead"), given.whole("dead_wall")
        return {"last_twelve": rules.wall.is_ending(left, dead, rules.chosen)}
    return None
