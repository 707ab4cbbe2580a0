"""The course of a hand, rule by rule: each test names the numbers it defends."""

import json
import re
from pathlib import Path

import pytest

from table_assist.game.course import next_step
from table_assist.game.events import (
    BonusLaid,
    DealerChosen,
    DiceRolled,
    Discarded,
    Drew,
    Event,
    HandStarted,
    LastTilePassed,
    Throw,
    TilesExchanged,
    WallBuilt,
)
from table_assist.game.fold import apply, replay
from table_assist.game.outcome import end_of_hand
from table_assist.game.places import next_tile, replacement_tile
from table_assist.game.state import TableState
from table_assist.game.step import Act
from table_assist.languages.words import Words
from table_assist.record.log import event_from_dict
from table_assist.rules.play_rules import DeadHand, HandValues, Replaces
from table_assist.rules.profile import differing
from table_assist.rules.reckoning import pay_laid
from table_assist.rules.registry import find_rules
from table_assist.rules.settlement import Laid, LaidIn, LaidKind
from table_assist.rules.shown import Call
from table_assist.tiles.tile import Tile, parse_tile, parse_tiles
from tests.stages.course_table import DULL, dealt, may, rules_of, then

GOLDEN = Path(__file__).parents[1] / "golden"


def golden(rules: str) -> list[dict[str, object]]:
    lines = (GOLDEN / f"{rules}.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


# -- the set, the seats, the deal


def held(state: TableState, seat: int) -> tuple[Tile, ...]:
    tiles = state.seats[seat].concealed
    assert tiles is not None
    return tiles


# -- turns and calls


def with_tiles(rules: str, hands: dict[int, str]) -> TableState:
    state = dealt(rules)
    dull = [" ".join(str(tile) for tile in held(state, seat)[:13]) for seat in range(4)]
    texts = [hands.get(seat, dull[seat]) for seat in range(4)]
    return dealt(rules, *texts)


# -- Changchun: eggs, ready


# -- Classical: flowers, the box, claims


def test_cl_10_cl_47_flowers_and_kongs_are_replaced_from_the_box_farthest_tile_first() -> None:
    started = _started(dealt("classical", "1f 4m7m 2p5p8p 3s6s9s ESWN"))
    state = replay([WallBuilt(), *thrown(0, (3, 2), (4, 1)), started])
    first = replacement_tile(state, Replaces.BONUS)
    laid = then(state, BonusLaid(0, parse_tiles("1f")), Drew(0, Tile.P9))
    second = replacement_tile(laid, Replaces.BONUS)
    assert first is not None
    assert second is not None
    assert (first.layer, second.layer) == ("loose", "loose")
    # Ten stacks were counted off on the side of seat 0: the loose tiles lie on the 4th and the
    # 2nd stack from there.
    assert (first.place.stack, second.place.stack) == (6, 8)
    assert (laid.wall.left, laid.wall.dead) == (state.wall.left, 15)


def thrown(seat: int, first: tuple[int, int], second: tuple[int, int]) -> tuple[DiceRolled, ...]:
    return (
        DiceRolled(seat, first, Throw.BREAK),
        DiceRolled(seat, second, Throw.SECOND_BREAK),
    )


def _started(state: TableState) -> HandStarted:
    return HandStarted(
        1,
        state.rules,
        0,
        state.wall.left,
        state.wall.dead,
        hands=tuple(seat.concealed or () for seat in state.seats),
    )


def test_cl_23_two_more_loose_tiles_come_from_the_wall_where_that_is_agreed() -> None:
    flowers = "1f2f" + DULL[4:]
    state = dealt("classical", flowers, options={"kong_box_replenish": "loose_pair"})
    wall = state.wall
    one = then(state, BonusLaid(0, parse_tiles("1f"))).wall
    two = then(state, BonusLaid(0, parse_tiles("1f2f"))).wall
    assert (one.left, one.dead) == (wall.left, wall.dead - 1)
    assert (two.left, two.dead) == (wall.left - 2, wall.dead)


# -- before and after the hand


def test_cc_06_cs_07_tj_12_the_dealer_rolls_and_the_wall_opens_after_the_counted_stack() -> None:
    rules = find_rules("tianjin")
    state = replay([DealerChosen(0), WallBuilt()])
    step = next_step(rules, state)
    assert (step.act, step.seats, step.throw) == (Act.ROLL_TO_BREAK, (0,), Throw.BREAK)
    state = then(state, DiceRolled(0, (4, 3), Throw.BREAK))
    step = next_step(rules, state)
    assert step.act is Act.DEAL
    assert step.words.en == (
        "Break the wall of seat 2 after stack 7 and deal from seat 0 on: 4 tiles each, 3 times; "
        "2 to seat 0; 1 to seat 1; 1 to seat 2; 1 to seat 3."
    )


def test_the_next_tile_lies_where_the_dice_say() -> None:
    started = _started(dealt("tianjin"))
    state = replay([WallBuilt(), DiceRolled(0, (4, 3), Throw.BREAK), started])
    spot = next_tile(state)
    assert spot is not None
    # 53 tiles are gone from stack 8 on: 26 stacks and one tile. Seat 2 has 10 stacks left of its
    # side, then 16 of seat 1's; the 17th has its bottom tile left.
    assert (spot.place.seat, spot.place.stack, spot.layer) == (1, 17, "bottom")


def test_wz_08_the_exchange_comes_before_the_first_discard() -> None:
    state = dealt("wanzhou")
    step = next_step(rules_of(state), state)
    assert (step.act, step.seats) == (Act.EXCHANGE, (0,))
    passed = tuple(parse_tiles(text) for text in ("147m", "258p", "369s", "147m"))
    state = then(state, TilesExchanged(1, passed))
    assert next_step(rules_of(state), state).act is Act.PLAY
    assert Tile.P5 in held(state, 2)


def test_tj_19_the_player_opposite_rolls_for_the_wild_tiles() -> None:
    step = next_step(find_rules("tianjin"), dealt("tianjin", dealer=1))
    assert (step.act, step.seats, step.throw) == (Act.TURN_INDICATOR, (3,), Throw.INDICATOR)


def test_cs_16_the_last_tile_is_taken_or_passed_on_and_four_passes_end_the_hand() -> None:
    state = then(dealt("changsha", wall_left=1), Discarded(0, Tile.M5))
    step = next_step(rules_of(state), state)
    assert (step.act, step.seats) == (Act.TAKE_LAST_TILE, (1,))
    state = then(state, *(LastTilePassed(seat) for seat in (1, 2, 3, 0)))
    assert next_step(rules_of(state), state).act is Act.NOBODY_WINS


def test_cl_32_not_once_the_drawer_has_laid_out_a_flower_and_nowhere_else() -> None:
    state = with_tiles("classical", {2: "55m 1p2p4p6p7p 1s2s4s5s7s9s"})
    state = then(state, Discarded(0, Tile.M5), Drew(1, parse_tile("1f")))
    state = then(state, BonusLaid(1, parse_tiles("1f")))
    assert may(state, 2, Call.PUNG) is None
    state = with_tiles("changchun", {2: "55m 1p2p4p6p7p 1s2s4s5s7s9s"})
    state = then(state, Discarded(0, Tile.M5), Drew(1, Tile.P9))
    assert may(state, 2, Call.PUNG) is None


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
