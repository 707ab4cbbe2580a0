"""Runs the worked examples of eggs, treasures and the wall's end.

Each function answers one kind of case from what it states; ``rules.cases`` calls it where the rule
set has the mechanic.
"""

from collections import Counter

from table_assist.rules.eggs import Appended, EggRule
from table_assist.rules.examples.given import Given, read_melds
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.shown import ReadyHand
from table_assist.rules.treasure import TreasureRule, must_throw_again
from table_assist.rules.waiting import legal_waits
from table_assist.tiles.tile import Tile, parse_tile

# Where a supplement may come from, and whether that is a draw.
_SOURCES = {"own_draw": True, "draw": True, "discard": False}


def check_egg(rules: RuleSet, eggs: EggRule, given: Given) -> dict[str, object]:
    """Whether an egg may be laid, or a tile appended to one."""
    check = given.text("check")
    if check == "egg":
        return _check_laying(rules, eggs, given)
    if check == "supplement":
        return _check_appending(rules, eggs, given)
    raise ValueError(f"no check {check!r}; it is egg or supplement")


def _check_laying(rules: RuleSet, eggs: EggRule, given: Given) -> dict[str, object]:
    tiles, hand = given.tiles("tiles"), given.tiles("initial_hand")
    phase = given.text("phase") if "phase" in given else "initial_hand"
    given.done()
    kind = eggs.kind_of(tiles, rules.chosen)
    if kind is None:
        return {"legal": False, "failed": "no_such_egg"}
    if Counter(tiles) - Counter(hand):
        return {"legal": False, "failed": "tiles_not_held"}
    if phase != "initial_hand":
        return {"legal": False, "failed": "not_initial_hand"}
    replaced = len(tiles) >= eggs.needs_replacement
    return {"legal": True, "egg": kind, "replacement_draw": replaced}


def _check_appending(rules: RuleSet, eggs: EggRule, given: Given) -> dict[str, object]:
    source = given.text("source") if "source" in given else "own_draw"
    if source not in _SOURCES:
        raise ValueError(f"no source {source!r}; there are {sorted(_SOURCES)}")
    appended = Appended(
        given.tiles("egg_tiles"),
        given.tile("tile"),
        drawn=_SOURCES[source],
        dealer_first_turn=given.flag("dealer_first_turn"),
        wall_remaining=given.whole_or_none("wall_remaining"),
    )
    given.done()
    refusal = eggs.refuse(appended, rules.chosen)
    return {"legal": True} if refusal is None else {"legal": False, "failed": refusal.id}


def find_treasure(rules: RuleSet, treasure: TreasureRule, given: Given) -> dict[str, object]:
    """The revealed treasure, the name of a turned tile, and whether a hand may rush."""
    if "visible_treasures" in given:
        seen = given.whole("visible_treasures")
        given.done()
        return {"may_reroll": seen >= treasure.visible}
    if "tiles_left" in given:
        left = given.whole("tiles_left")
        given.wholes("dice")
        given.done()
        if left < treasure.fewest_tiles:
            return {"revealed": False, "failed": "too_few_tiles"}
        return {"revealed": True}
    if "dice" in given:
        return _throw(rules, treasure, given)
    named = treasure.named_by(given.tile("indicator"), rules.chosen)
    got: dict[str, object] = {"treasure": _texts(named)}
    if given.flag("rush_check"):
        hand = ReadyHand(
            given.tiles("concealed"),
            read_melds(given.items("melds")),
            seat=given.whole_or_none("seat") or 0,
        )
        got["rush"] = bool(set(named) & set(legal_waits(rules, hand)))
    given.done()
    return got


def _throw(rules: RuleSet, treasure: TreasureRule, given: Given) -> dict[str, object]:
    """The dice count columns from the tail: either so many, or with their tiles."""
    dice = given.wholes("dice")
    columns = [_column(value) for value in given.items("columns_from_tail")]
    count = given.whole_or_none("columns")
    given.done()
    again = must_throw_again(dice, len(columns) if count is None else count)
    if again or not columns:
        return {"reroll": again, "revealed": not again}
    indicator = columns[sum(dice) - 1][0]
    return {
        "reroll": False,
        "revealed": True,
        "indicator": str(indicator),
        "treasure": _texts(treasure.named_by(indicator, rules.chosen)),
    }


def _column(value: object) -> tuple[Tile, ...]:
    """The tiles of a column, the top one first."""
    if not isinstance(value, list) or not value:
        raise ValueError(f"a column is {value!r}; it is a list of its tiles")
    return tuple(parse_tile(str(tile)) for tile in value)


def count_wall(rules: RuleSet, given: Given) -> dict[str, object] | None:
    """The wall's live and dead tiles after kongs, or whether its end has begun; none if not asked.

    Raises:
        ValueError: the rules keep no such count.
    """
    if "live_left" in given:
        if rules.wall.after_kongs is None:
            raise ValueError(f"{rules.id} has no dead wall that grows")
        live, dead, kongs = (given.whole(key) for key in ("live_left", "dead_wall", "kongs"))
        given.done()
        live, dead = rules.wall.after_kongs(live, dead, kongs, rules.chosen)
        return {"live_left": live, "dead_wall": dead}
    if "tiles_left_including_dead" in given:
        if rules.wall.is_ending is None:
            raise ValueError(f"{rules.id} has no rules for the end of the wall")
        left, dead = given.whole("tiles_left_including_dead"), given.whole("dead_wall")
        given.done()
        return {"last_twelve": rules.wall.is_ending(left, dead, rules.chosen)}
    return None


def _texts(tiles: tuple[Tile, ...]) -> list[str]:
    return [str(tile) for tile in tiles]
