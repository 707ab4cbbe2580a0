"""The course of a hand in Changchun: eggs, treasure, the end of the wall."""

from table_assist.game.allowed import refuse_kong
from table_assist.game.course import Act, next_step
from table_assist.game.events import (
    Claimed,
    DiceRolled,
    Discarded,
    Drew,
    EggAppended,
    EggLaid,
    HandStarted,
    IndicatorTurned,
    KongDeclared,
    ReadyDeclared,
    Throw,
    WallBuilt,
)
from table_assist.game.fold import replay
from table_assist.game.places import columns_left, indicator
from table_assist.game.state import TableState
from table_assist.rules.offer import Call
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile, parse_tiles
from tests.stages.course_table import DULL, allowed, dealt, may, rules_of, then, why_not


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


def test_cc_29_cc_31_cc_32_the_treasure_is_rolled_for_looked_at_and_sought_again() -> None:
    state = then(table(), ReadyDeclared(0), Discarded(0, Tile.M1))
    assert next_step(rules_of(state), state).throw is Throw.INDICATOR
    thrown = then(state, DiceRolled(0, (1, 2), Throw.INDICATOR))
    step = next_step(rules_of(thrown), thrown)
    assert step.act is Act.TURN_INDICATOR
    assert step.words.en == (
        "Count 3 stacks from the tail: the top tile of stack 3 before seat 0. Seat 0 looks at the "
        "top tile and lays it face down in the middle; other ready players may look."
    )
    looked = then(thrown, IndicatorTurned(Tile.M3, 3))
    assert next_step(rules_of(looked), looked).act is Act.DRAW
    again = then(looked, DiceRolled(0, (6, 6), Throw.INDICATOR))
    assert "Count 12 stacks" in next_step(rules_of(again), again).words.en
    few = replay([HandStarted(1, "changchun", 0, 6, 0), ReadyDeclared(0), Discarded(0, Tile.M1)])
    few = then(few, DiceRolled(0, (6, 6), Throw.INDICATOR))
    assert next_step(rules_of(few), few).words.en == "Seat 0 rolls again for the tile to turn."


def test_cc_33_the_last_twelve_are_counted_with_the_dead_wall_where_that_is_agreed() -> None:
    hand = "6666m 2p4p 6p7p 1s2s4s5s7s"
    for base, why in (("live", "no_kong_last_twelve"), ("physical", "")):
        state = dealt("changchun", hand, wall_left=12, options={"end_count_base": base})
        assert why_not(state, 0, Call.KONG_CONCEALED) == why


def test_cc_20_an_egg_takes_a_discard_where_that_is_agreed_and_only_there() -> None:
    for agreed in (True, False):
        options: dict[str, bool | int | str] = {"egg_supplement_from_discard": agreed}
        state = dealt("changchun", DULL, DULL, "CFP 234m567m 345p 8m", options=options)
        state = then(state, EggLaid(2, parse_tiles("CFP")), Discarded(0, Tile.RED))
        assert allowed(state, 2, Call.EGG_SUPPLEMENT) is agreed
        if not agreed:
            assert why_not(state, 2, Call.EGG_SUPPLEMENT) == "must_be_drawn"
            continue
        left = state.wall_left
        state = then(state, EggAppended(2, 0, Tile.RED))
        assert state.seats[0].river == ()
        assert (state.holder, state.wall_left) == (2, left - 1)
        assert len(state.seats[2].concealed or ()) == state.hand_size(2)
        assert state.laid[0].supplements == (Tile.RED,)


def test_cc_16_no_kong_is_added_with_nothing_drawn() -> None:
    state = dealt("changchun", DULL, DULL, "555m 1p2p4p 6p7p 1s2s4s5s7s")
    state = then(state, Discarded(0, Tile.M5), Claimed(2, MeldKind.PUNG, parse_tiles("555m"), 0))
    assert why_not(state, 2, Call.KONG_ADDED) == "kong_needs_a_draw"
    drawn = then(state, Discarded(2, Tile.P1), Discarded(3, Tile.EAST), Discarded(0, Tile.EAST))
    held = then(drawn, Discarded(1, Tile.EAST), Drew(2, Tile.P9))
    assert why_not(held, 2, Call.KONG_ADDED) == "kong_added_was_held"
    unseen = then(drawn, Discarded(1, Tile.EAST), Drew(2, Tile.UNKNOWN))
    assert refuse_kong(unseen, KongDeclared(2, MeldKind.KONG_ADDED, Tile.M5)) is None


def test_a_tile_nobody_could_read_is_offered_to_nobody() -> None:
    state = then(dealt("changchun"), Discarded(0, Tile.UNKNOWN))
    assert may(state, 1, Call.WIN) is None
