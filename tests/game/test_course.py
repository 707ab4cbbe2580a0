"""The course of a hand, rule by rule, where no row of golden/courses.jsonl can say it."""

import re

import pytest

from table_assist.game.course import next_step
from table_assist.game.events import (
    BonusLaid,
    Claimed,
    DiceRolled,
    Discarded,
    Drew,
    Event,
    HandShown,
    HandStarted,
    IndicatorTurned,
    KongDeclared,
    ReadyDeclared,
    Throw,
    WallBuilt,
    WinDeclared,
)
from table_assist.game.fold import replay
from table_assist.game.outcome import end_of_hand
from table_assist.game.places import columns_left, indicator, next_tile, replacement_tile
from table_assist.game.state import TableState
from table_assist.game.step import Act
from table_assist.game.win import declared_hand
from table_assist.languages.words import Words
from table_assist.rules.play_rules import DeadHand, HandValues, Replaces
from table_assist.rules.reckoning import pay_laid
from table_assist.rules.registry import find_rules
from table_assist.rules.settlement import Laid, LaidIn, LaidKind
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import SUITED, Tile, parse_tiles
from table_assist.twin.play.deck import Deck
from tests.stages.course_table import COURSES, DULL, course_events, dealt, then


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


def test_the_next_tile_lies_where_the_dice_say() -> None:
    started = _started(dealt("tianjin"))
    state = replay([WallBuilt(), DiceRolled(0, (4, 3), Throw.BREAK), started])
    spot = next_tile(state)
    assert spot is not None
    # 53 tiles are gone from stack 8 on: 26 stacks and one tile. Seat 2 has 10 stacks left of its
    # side, then 16 of seat 1's; the 17th has its bottom tile left.
    assert (spot.place.seat, spot.place.stack, spot.layer) == (1, 17, "bottom")


@pytest.mark.parametrize("row", COURSES, ids=lambda row: row["id"])
def test_every_step_speaks_each_language_alone(row: dict[str, object]) -> None:
    state = replay(course_events(row))
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


def table() -> TableState:
    """A hand nobody's tiles of which are known; four stacks of seat 0 are counted off."""
    return replay(
        [WallBuilt(), DiceRolled(0, (3, 2), Throw.BREAK), HandStarted(1, "changchun", 0, 69, 14)]
    )


def test_cc_27_columns_are_counted_from_the_back_of_what_is_left() -> None:
    kong = then(
        table(),
        KongDeclared(0, MeldKind.KONG_CONCEALED, Tile.M5),
        Discarded(0, Tile.M1),
        KongDeclared(1, MeldKind.KONG_CONCEALED, Tile.M6),
    )
    # Two tiles, one stack, have left the tail.
    third, fourth = indicator(kong, 3), indicator(table(), 4)
    assert third == fourth
    one_gone = then(table(), KongDeclared(0, MeldKind.KONG_CONCEALED, Tile.M5))
    first = indicator(one_gone, 1)
    assert first is not None
    assert first.layer == "bottom"


def test_cc_31_half_a_stack_at_each_end_is_a_column() -> None:
    state = then(table(), KongDeclared(0, MeldKind.KONG_CONCEALED, Tile.M5))
    assert (state.wall.from_front, state.wall.from_tail) == (53, 1)
    # 136 tiles are 68 stacks, of which 26 have gone whole.
    assert columns_left(state) == 42


def test_cc_32_the_first_to_declare_is_first_however_many_discards_it_has_made() -> None:
    state = then(
        table(),
        Discarded(0, Tile.M1),
        Discarded(1, Tile.M2),
        Claimed(0, MeldKind.PUNG, parse_tiles("222m"), 1),
        ReadyDeclared(0),
        Discarded(0, Tile.M3),
        Discarded(1, Tile.M4),
        ReadyDeclared(2),
        Discarded(2, Tile.M5),
    )
    assert [seat.ready_discard for seat in state.seats] == [2, 0, 1, 0]
    assert state.first_ready == 0


WON = HandShown(0, parse_tiles("111m 222p 333s 44456p"), Tile.P6, True)


def rounds(number: int) -> TableState:
    """So many rounds of discards, and nothing else."""
    discards: list[Event] = [Discarded(seat, Tile.M9) for _ in range(number) for seat in range(4)]
    return replay([HandStarted(1, "wanzhou", 0, 55), *discards])


def test_wz_26g_a_draw_that_was_not_told_counts_too() -> None:
    state = then(rounds(4), WinDeclared(0), WON)
    assert declared_hand(state, WON).discard_round == 5
    claimed = HandShown(0, WON.concealed, Tile.P6, False)
    assert declared_hand(state, claimed).discard_round == 4


def test_tj_19_the_turned_tile_stays_and_replacements_go_round_it() -> None:
    state = replay(
        [
            *(WallBuilt(), DiceRolled(0, (3, 2), Throw.BREAK), HandStarted(1, "tianjin", 0, 83)),
            *(DiceRolled(2, (1, 1), Throw.INDICATOR), IndicatorTurned(Tile.M5, 2)),
        ]
    )
    stacks = []
    for tile in (Tile.P1, Tile.P2, Tile.P3):
        spot = replacement_tile(state, Replaces.KONG)
        assert spot is not None
        stacks.append((spot.place.stack, spot.layer))
        state = then(state, KongDeclared(0, MeldKind.KONG_CONCEALED, tile))
    # Stack 5 lies behind the turned tile's stack 4; what comes next lies before it.
    assert stacks == [(5, "top"), (5, "bottom"), (3, "top")]
    deck = Deck(SUITED)
    turned = deck.look(2)
    deck.keep(2)
    assert turned not in [deck.draw_tail() for _ in range(10)]


@pytest.mark.parametrize(
    ("number", "draw", "said"),
    [("CL-12", "wind_markers", "wind markers"), ("CL-13", "highest_dice", "highest total"),
     ("CL-14", "dice_and_row", "from the row")],
)  # fmt: skip
def test_east_is_found_as_the_table_agreed(number: str, draw: str, said: str) -> None:
    rules = find_rules("classical").with_options({"seat_draw": draw})
    step = next_step(rules, TableState())
    assert step.act is Act.CHOOSE_DEALER
    assert said in step.words.en
