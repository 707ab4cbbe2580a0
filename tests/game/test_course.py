"""The course of a hand, rule by rule: each test names the numbers it defends."""

import json
from pathlib import Path

import pytest

from table_assist.game.before_turn import egg_choices
from table_assist.game.course import Act, next_step
from table_assist.game.events import (
    BonusLaid,
    Claimed,
    DealerChosen,
    DiceRolled,
    Discarded,
    Drew,
    EggAppended,
    EggLaid,
    HandStarted,
    KongDeclared,
    LastTilePassed,
    ReadyDeclared,
    Settled,
    Throw,
    TilesExchanged,
    WallBuilt,
)
from table_assist.game.fold import replay
from table_assist.game.offered import awarded, offered_choices
from table_assist.game.outcome import end_of_hand
from table_assist.game.own_turn import own_choices
from table_assist.game.places import next_tile, replacement_tile
from table_assist.game.state import TableState
from table_assist.rules.offer import Call
from table_assist.rules.profile import plain_profile
from table_assist.rules.registry import find_rules, rule_sets
from table_assist.rules.ruleset import Replaces
from table_assist.rules.sheet.printed import Form, print_sheet
from table_assist.rules.sheet.sheet import make_sheet, named_in
from table_assist.rules.wall import deal
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile, parse_tile, parse_tiles
from tests.stages.course_table import DULL, allowed, dealt, may, rules_of, then, why_not

GOLDEN = Path(__file__).parents[1] / "golden"
PATTERNS = [
    (law.number, rules.id, law.explains)
    for rules in rule_sets()
    for law in rules.laws
    if law.explains in {pattern.id for pattern in rules.patterns}
]
# What is agreed or shown and changes nothing that is counted: it stands in the printed sheet.
AGREED = {
    "changchun": ("CC-03", "CC-22", "CC-23"),
    "changsha": ("CS-03",),
    "tianjin": ("TJ-39",),
    "wanzhou": ("WZ-29",),
    "classical": (
        *("CL-05", "CL-06", "CL-08", "CL-12", "CL-13", "CL-14", "CL-15", "CL-18", "CL-31"),
        *("CL-36", "CL-37", "CL-40", "CL-51", "CL-58", "CL-59", "CL-61", "CL-62"),
        "CL-66",
    ),
}


def golden(rules: str) -> list[dict[str, object]]:
    lines = (GOLDEN / f"{rules}.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


@pytest.mark.parametrize(("number", "rules", "pattern"), PATTERNS)
def test_the_pattern_of_a_number_has_a_hand_and_one_that_misses_it(
    number: str, rules: str, pattern: str
) -> None:
    hands = [case for case in golden(rules) if case["kind"] in ("win", "settle", "reject")]
    text = [json.dumps(case["expect"]) for case in hands]
    named = [f'"{pattern}"' in each for each in text]
    assert any(named), f"{number}: no golden hand has {pattern}"
    assert not all(named), f"{number}: every golden hand has {pattern}"


@pytest.mark.parametrize(
    ("rules", "number"), [(rules, number) for rules, all in AGREED.items() for number in all]
)
def test_what_is_agreed_or_only_shown_stands_in_the_sheet(rules: str, number: str) -> None:
    cards = {"equipment": "cards"} if number == "CL-15" else {}
    profile = plain_profile(find_rules(rules).with_options(cards))
    law = next(law for law in profile.rules.laws if law.number == number)
    printed = " ".join(print_sheet(make_sheet(profile), Form.TEXT).split())
    assert number in printed
    assert law.say(named_in(profile.rules), profile.rules.chosen).en[:40] in printed


# -- the set, the seats, the deal


@pytest.mark.parametrize(
    ("number", "rules", "tiles"),
    [("CC-01", "changchun", 136), ("CS-01", "changsha", 108), ("WZ-01", "wanzhou", 108),
     ("TJ-01", "tianjin", 136), ("CL-16", "classical", 144)],
)  # fmt: skip
def test_so_many_tiles_are_in_the_set(number: str, rules: str, tiles: int) -> None:
    assert find_rules(rules).tiles_in_wall == tiles


@pytest.mark.parametrize(
    ("number", "rules"),
    [("CC-02", "changchun"), ("CS-02", "changsha"), ("WZ-02", "wanzhou"), ("TJ-02", "tianjin"),
     ("CL-07", "classical"), ("CL-30", "classical")],
)  # fmt: skip
def test_play_goes_counter_clockwise(number: str, rules: str) -> None:
    state = dealt(rules)
    state = then(state, Discarded(0, held(state, 0)[-1]))
    assert state.turn == 1
    assert [seat for seat, _ in deal(find_rules(rules), 2)[:4]] == [2, 3, 0, 1]


def held(state: TableState, seat: int) -> tuple[Tile, ...]:
    tiles = state.seats[seat].concealed
    assert tiles is not None
    return tiles


def test_cl_26_play_begins_with_easts_first_discard() -> None:
    step = next_step(find_rules("classical"), dealt("classical", dealer=2))
    assert (step.act, step.seats) == (Act.PLAY, (2,))


def test_cl_01_the_three_games_differ_in_what_may_win_and_in_the_dead_wall() -> None:
    hand = "123m 456p 789s 11p 22s"
    for variant, wins in (("mixed_hand", True), ("one_double", False), ("cleared_hand", False)):
        state = dealt("classical", DULL, hand, options={"game_variant": variant})
        assert state.wall.dead == (16 if variant == "mixed_hand" else 0)
        state = then(state, Discarded(0, Tile.M5), Drew(1, Tile.NORTH), Discarded(1, Tile.NORTH))
        state = then(state, Drew(2, Tile.P1), Discarded(2, Tile.P1))
        assert allowed(state, 1, Call.WIN) is wins


# -- turns and calls


def test_cc_14_a_turn_is_a_tile_then_a_win_or_a_discard() -> None:
    state = dealt("changchun")
    assert next_step(rules_of(state), state).act is Act.PLAY
    state = then(state, Discarded(0, Tile.M5))
    step = next_step(rules_of(state), state)
    assert (step.act, step.seats) == (Act.DRAW, (1,))
    state = then(state, Drew(1, Tile.P9))
    discards = [choice for choice in own_choices(state) if choice.call is None]
    assert {choice.events for choice in discards if choice.allowed}


@pytest.mark.parametrize(
    ("number", "rules"),
    [("CC-15", "changchun"), ("CS-09", "changsha"), ("WZ-10", "wanzhou"), ("TJ-14", "tianjin"),
     ("CL-42", "classical")],
)  # fmt: skip
def test_a_pung_from_any_player_skips_those_between(number: str, rules: str) -> None:
    state = dealt(rules, "5m", "", "55m")
    state = then(with_tiles(rules, {3: "55m 1m2m4m5p6p7p1s2s4s5s7s"}), Discarded(0, Tile.M5))
    assert allowed(state, 3, Call.PUNG)
    state = then(state, Claimed(3, MeldKind.PUNG, parse_tiles("555m"), 0))
    assert (state.turn, state.holder, state.wall_left) == (3, 3, state.wall_left)
    assert next_step(rules_of(state), state).seats == (3,)


def with_tiles(rules: str, hands: dict[int, str]) -> TableState:
    state = dealt(rules)
    dull = [" ".join(str(tile) for tile in held(state, seat)[:13]) for seat in range(4)]
    texts = [hands.get(seat, dull[seat]) for seat in range(4)]
    return dealt(rules, *texts)


def test_cc_16_cl_44_cl_39_kongs_of_every_kind_but_none_of_a_discard_on_a_pung() -> None:
    for rules in ("changchun", "classical"):
        state = with_tiles(rules, {1: "555m 1p2p4p 6p7p 1s2s4s5s7s"})
        claimed = then(state, Discarded(0, Tile.M5))
        assert allowed(claimed, 1, Call.KONG)
        state = with_tiles(rules, {1: "55m 9m 1p2p4p 6p7p 1s2s4s5s7s"})
        ponged = then(
            state,
            Discarded(0, Tile.M5),
            Claimed(1, MeldKind.PUNG, parse_tiles("555m"), 0),
            Discarded(1, Tile.M9),
        )
        drawn = then(ponged, Drew(2, Tile.P9), Discarded(2, Tile.P9), Drew(3, Tile.P9))
        drawn = then(drawn, Discarded(3, Tile.P9), Drew(0, Tile.P8), Discarded(0, Tile.P8))
        assert allowed(then(drawn, Drew(1, Tile.M5)), 1, Call.KONG_ADDED)
        fourth = then(ponged, Drew(2, Tile.M5), Discarded(2, Tile.M5))
        assert may(fourth, 1, Call.KONG) is None
        concealed = with_tiles(rules, {1: "5555m 2p4p 6p7p 1s2s4s5s7s"})
        concealed = then(concealed, Discarded(0, Tile.P9), Drew(1, Tile.P9))
        assert allowed(concealed, 1, Call.KONG_CONCEALED)


@pytest.mark.parametrize(("number", "rules"), [("CC-18", "changchun"), ("CL-41", "classical")])
def test_a_chow_only_by_the_next_player(number: str, rules: str) -> None:
    hands = dict.fromkeys((1, 2), "46m 1p2p4p6p7p 1s2s4s5s7s9s")
    state = then(with_tiles(rules, hands), Discarded(0, Tile.M5))
    assert allowed(state, 1, Call.CHOW)
    assert why_not(state, 2, Call.CHOW) == "chow_only_next_player"


def test_cc_19_cs_13_any_set_or_the_pair_may_be_completed_to_win_but_no_pair_claimed() -> None:
    for rules, hand, tile in (
        ("changchun", "123m 555p 678s 99s 2p3p E", "E"),
        ("changsha", "123m 555p 678s 22s 23p", "4p"),
        ("changsha", "123m 555p 678s 234p 2s", "2s"),
    ):
        state = then(with_tiles(rules, {2: hand}), Discarded(0, parse_tile(tile)))
        choices = offered_choices(state, 2)
        assert {choice.call for choice in choices} <= {Call.WIN, Call.PUNG, Call.CHOW}
    winning = then(with_tiles("changsha", {2: "123m 555p 678s 234p 2s"}), Discarded(0, Tile.S2))
    assert allowed(winning, 2, Call.WIN)


def test_cs_14_a_win_goes_before_a_pung_and_that_before_a_chow() -> None:
    state = with_tiles(
        "changsha",
        {
            1: "46m 1p2p4p6p7p 1s2s4s5s7s9s",
            2: "55m 1p2p4p6p7p 1s2s4s5s7s9s",
            3: "46m 555p 678s 234p 22s",
        },
    )
    state = then(state, Discarded(0, Tile.M5))
    made = [
        choice
        for seat, call in ((1, Call.CHOW), (2, Call.PUNG), (3, Call.WIN))
        if (choice := may(state, seat, call)) is not None
    ]
    assert [each.seat for each in awarded(state, made)] == [3]
    assert [each.seat for each in awarded(state, made[:2])] == [2]


def test_tj_16_a_kong_is_replaced_from_the_wall() -> None:
    state = with_tiles("tianjin", {0: "5555m 2p4p 6p7p 1s2s4s5s7s9s"})
    left = state.wall_left
    state = then(state, KongDeclared(0, MeldKind.KONG_CONCEALED, Tile.M5))
    assert (state.holder, state.wall_left, len(held(state, 0))) == (0, left - 1, 11)


# -- Changchun: eggs, ready


@pytest.mark.parametrize(
    ("number", "tiles"),
    [("CC-11a", "ESWN"), ("CC-11b", "CFP"), ("CC-11c", "1m1p1s"), ("CC-11d", "1s1pCP"),
     ("CC-11e", "1sES"), ("CC-11f", "7p5sE"), ("CC-11g", "2s1pP")],
)  # fmt: skip
def test_an_egg_is_laid_from_the_dealt_hand(number: str, tiles: str) -> None:
    egg = tuple(sorted(parse_tiles(tiles)))
    others = [t for t in parse_tiles("234m567m 345p 234s 8m9m4m6m") if t not in egg]
    hand = " ".join(str(tile) for tile in (*egg, *others[: 13 - len(egg)]))
    state = dealt("changchun", DULL, hand)
    assert (EggLaid(1, egg),) in [choice.events for choice in egg_choices(state, 1)]
    laid = then(state, EggLaid(1, egg))
    # Four tiles are made up for by a replacement, as a kong's are.
    assert len(held(laid, 1)) == 10
    assert laid.wall_left == state.wall_left - (len(egg) == 4)


def test_cc_10_eggs_come_from_the_initial_hand_and_take_drawn_tiles() -> None:
    state = dealt("changchun", DULL, "ESWN 234m567m 345p")
    state = then(state, Discarded(0, Tile.M5), Drew(1, Tile.RED))
    assert egg_choices(state, 1)
    state = then(state, EggLaid(1, parse_tiles("ESWN")), Drew(1, Tile.EAST))
    append = may(state, 1, Call.EGG_SUPPLEMENT)
    assert append is not None
    assert append.allowed
    after = then(state, EggAppended(1, 0, Tile.EAST), Drew(1, Tile.P9), Discarded(1, Tile.P9))
    assert egg_choices(after, 1) == ()
    assert end_of_hand(after).laid == (-2, 6, -2, -2)  # 1 and 1 for what was appended (CC-46)


def test_cc_24_ready_is_declared_with_a_discard_or_not_at_all() -> None:
    pung = Claimed(1, MeldKind.PUNG, parse_tiles("555p"), 0)
    state = dealt("changchun", "5p" + DULL[2:], "55p 123m 67s 678p 99s 5m"[:24])
    state = then(state, Discarded(0, Tile.P5), pung)
    ready = [c for c in own_choices(state) if isinstance(c.events[0], ReadyDeclared)]
    plain = [c for c in own_choices(state) if isinstance(c.events[0], Discarded)]
    assert any(choice.allowed for choice in ready)
    assert any(choice.allowed for choice in plain)


@pytest.mark.parametrize(
    ("number", "hand", "tile", "why"),
    [
        ("CC-36", "123m 456m 555p 678s 1s", "9s", "structure"),
        ("CC-37", "123m 456m 345p 678s 9s", "9s", "triplet"),
        ("CC-39", "123m 456m 555p 678p 9p", "9p", "three_suits"),
        ("CC-40", "11m 33m 55p 77p 99s EE C", "C", "structure"),
    ],
)
def test_what_a_changchun_win_needs(number: str, hand: str, tile: str, why: str) -> None:
    state = then(dealt("changchun", DULL, hand), Discarded(0, parse_tile(tile)))
    assert why_not(state, 1, Call.WIN) == why


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


@pytest.mark.parametrize(
    ("number", "box", "left"), [("CL-21", "14_total", 14), ("CL-22", "14_plus_2", 16)]
)
def test_a_hand_is_drawn_when_the_box_alone_is_left(number: str, box: str, left: int) -> None:
    state = dealt("classical", options={"kong_box": box})
    assert state.wall.dead == left
    state = dealt("classical", wall_left=0, options={"kong_box": box})
    state = then(state, Discarded(0, Tile.M5))
    assert next_step(rules_of(state), state).act is Act.NOBODY_WINS


def test_cl_23_two_more_loose_tiles_come_from_the_wall_where_that_is_agreed() -> None:
    flowers = "1f2f" + DULL[4:]
    state = dealt("classical", flowers, options={"kong_box_replenish": "loose_pair"})
    wall = state.wall
    one = then(state, BonusLaid(0, parse_tiles("1f"))).wall
    two = then(state, BonusLaid(0, parse_tiles("1f2f"))).wall
    assert (one.left, one.dead) == (wall.left, wall.dead - 1)
    assert (two.left, two.dead) == (wall.left - 2, wall.dead)


def test_cl_33_cl_34_cl_46_cl_52_to_cl_60_every_irregularity_has_its_consequence() -> None:
    rules = find_rules("classical")
    assert rules.irregularities is not None
    known = {each.id: dict(each.consequences) for each in rules.irregularities(rules.chosen)}
    for number, id, consequences in (
        ("CL-33", "due_wall_tile_exposed", {"tile_returned": False}),
        ("CL-35", "open_end_tile_touched", {"tile_returned": False}),
        ("CL-33", "other_wall_tile_exposed", {"tile_reshuffled_with_stacks": 6}),
        ("CL-34", "drawn_out_of_turn_face_not_seen", {"tile_returned": True}),
        ("CL-34", "drawn_out_of_turn_face_seen", {"tile_reshuffled_with_stacks": 6}),
        ("CL-46", "kong_marked_incorrectly", {"scored_as": "exposed_kong"}),
        ("CL-53", "wrong_set_grounded_not_corrected", {"hand": "foul"}),
        ("CL-53", "wrong_set_grounded_corrected_before_discard", {"hand": "live"}),
        ("CL-54", "unusable_discard_returned_before_discard", {"tile_returned": True}),
        ("CL-55", "chow_tile_wrongly_taken_offender_has_discarded", {"hand": "short"}),
        ("CL-56", "discard_placed_among_concealed_tiles", {"turn_forfeited": True}),
        ("CL-57", "two_tiles_discarded", {"second_claimable": False}),
        ("CL-58", "discard_recalled_after_quitting", {"discard_taken_back": False}),
        ("CL-59", "dead_discard_used_not_corrected", {}),
        ("CL-60", "discard_before_drawing", {"discard_may_be_sent_back": True}),
    ):
        assert consequences.items() <= known[id].items(), number


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


def test_cs_04_several_winners_agree_who_deals() -> None:
    state = then(dealt("changsha"), Settled((1, 2), (-2, 1, 1, 0), None))
    step = next_step(rules_of(state), state)
    assert (step.act, step.seats) == (Act.CHOOSE_DEALER, (1, 2))
    state = then(state, DealerChosen(2))
    assert next_step(rules_of(state), state).act is Act.BUILD_WALL


def test_cl_03_after_the_last_round_the_game_is_over() -> None:
    state = then(dealt("classical"), Settled((1,), (-1, 1, 0, 0), None, game_over=True))
    assert next_step(rules_of(state), state).act is Act.GAME_OVER


def test_cl_32_a_discard_may_be_claimed_after_the_next_draw_which_goes_back() -> None:
    state = with_tiles("classical", {2: "55m 1p2p4p6p7p 1s2s4s5s7s9s"})
    state = then(state, Discarded(0, Tile.M5), Drew(1, Tile.P9))
    assert allowed(state, 2, Call.PUNG)
    left = state.wall_left
    state = then(state, Claimed(2, MeldKind.PUNG, parse_tiles("555m"), 0))
    assert (state.holder, state.wall_left, len(held(state, 1))) == (2, left + 1, 13)


def test_cl_32_not_once_the_drawer_has_laid_out_a_flower_and_nowhere_else() -> None:
    state = with_tiles("classical", {2: "55m 1p2p4p6p7p 1s2s4s5s7s9s"})
    state = then(state, Discarded(0, Tile.M5), Drew(1, parse_tile("1f")))
    state = then(state, BonusLaid(1, parse_tiles("1f")))
    assert may(state, 2, Call.PUNG) is None
    state = with_tiles("changchun", {2: "55m 1p2p4p6p7p 1s2s4s5s7s9s"})
    state = then(state, Discarded(0, Tile.M5), Drew(1, Tile.P9))
    assert may(state, 2, Call.PUNG) is None
