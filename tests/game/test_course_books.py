"""The course of a hand in Changchun: eggs, treasure, the end of the wall."""

import pytest

from table_assist.game.allowed import own_choices, refuse_kong
from table_assist.game.course import birds_due, next_step
from table_assist.game.events import (
    AntesPlaced,
    BirdTurned,
    BonusLaid,
    Claimed,
    DealerChosen,
    DiceRolled,
    Discarded,
    Drew,
    EggAppended,
    EggLaid,
    Event,
    HandShown,
    HandStarted,
    IndicatorTurned,
    KongDeclared,
    LastTilePassed,
    ReadyDeclared,
    Settled,
    Throw,
    WallBuilt,
    WinDeclared,
)
from table_assist.game.fold import replay
from table_assist.game.irregular import Irregularity, irregularities
from table_assist.game.offered import offered_choices
from table_assist.game.places import columns_left, indicator, replacement_tile
from table_assist.game.state import TableState
from table_assist.game.step import Act
from table_assist.game.win import declared_hand
from table_assist.rules.play_rules import Replaces
from table_assist.rules.registry import find_rules
from table_assist.rules.shown import Call
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import SUITED, Tile, parse_tiles
from table_assist.twin.play.deck import Deck
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


SMALL = parse_tiles("123m 456m 789p 123s 55p")


def won(left: int = 55, **options: bool | int | str) -> TableState:
    """Seat 1 has drawn its win; the dice have opened the wall of seat 0 after stack 5."""
    started = HandStarted(1, "changsha", 0, left, options=tuple(options.items()))
    return replay(
        [
            *(WallBuilt(), DiceRolled(0, (3, 2), Throw.BREAK), started),
            *(Discarded(0, Tile.M9), Drew(1), WinDeclared(1), HandShown(1, SMALL, Tile.P5, True)),
        ]
    )


def test_cs_25_birds_lie_where_the_next_tiles_do_one_after_the_other() -> None:
    state = won()
    step = next_step(rules_of(state), state)
    # 54 tiles are gone: 27 stacks from stack 6 of seat 0 on.
    assert (step.act, step.words.en) == (
        Act.TURN_BIRDS,
        "Turn 2 birds: the top tile of stack 6 before seat 2.",
    )
    state = then(state, BirdTurned(Tile.M1))
    assert next_step(rules_of(state), state).words.en == (
        "Turn 1 more bird: the bottom tile of stack 6 before seat 2."
    )
    state = then(state, BirdTurned(Tile.M2))
    assert next_step(rules_of(state), state).act is Act.SETTLE


def test_cs_25_birds_come_from_the_tail_where_that_is_agreed() -> None:
    state = won(bird_source="wall_tail")
    assert next_step(rules_of(state), state).words.en == (
        "Turn 2 birds: the top tile of stack 5 before seat 0."
    )


def test_cs_25_too_few_birds_are_turned_or_none_for_the_winner_they_would_be_for() -> None:
    each: dict[str, bool | int | str] = {"birds_multi_winner": "each"}
    for shortage, due in (("turn_what_is_left", 3), ("none", 2)):
        options = tuple({**each, "bird_shortage": shortage}.items())
        started = HandStarted(1, "changsha", 0, 3, options=options)
        state = replay([started, Discarded(0, Tile.P5), WinDeclared(1), WinDeclared(2)])
        shown = (HandShown(seat, SMALL, Tile.P5, False) for seat in (1, 2))
        assert birds_due(rules_of(state), then(state, *shown)) == due
    assert birds_due(rules_of(won()), won(left=2, bird_shortage="none")) == 1
    alone = won(left=2, bird_shortage="none")
    assert birds_due(rules_of(alone), alone) == 0


def test_a_shown_hand_that_does_not_win_is_refused_before_birds_are_turned() -> None:
    state = then(won(), HandShown(1, parse_tiles("123m 456m 789p 124s 55p"), Tile.P5, True))
    step = next_step(rules_of(state), state)
    assert (step.act, step.seats) == (Act.REFUSE_WIN, (1,))
    assert "does not win" in step.words.en


def test_cs_16_a_last_tile_left_to_the_next_makes_the_discard_dead() -> None:
    state = then(dealt("changsha", "", "", "5m5m1p2p4p6p7p1s2s4s5s7s9s", wall_left=1))
    state = then(state, Discarded(0, Tile.M5))
    assert may(state, 2, Call.PUNG) is not None
    assert may(then(state, LastTilePassed(1)), 2, Call.PUNG) is None


def test_cs_16_passes_before_a_claim_do_not_count_after_it() -> None:
    state = then(dealt("changsha", wall_left=1), Discarded(0, Tile.M5), LastTilePassed(1))
    state = then(state, Claimed(2, MeldKind.PUNG, parse_tiles("555m"), 0))
    assert state.passed_on == ()


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


def test_wz_09_the_die_tells_where_the_tiles_go() -> None:
    for die, where in ((1, "to the right"), (4, "across"), (6, "to the left")):
        state = then(dealt("wanzhou"), DiceRolled(0, (die,), Throw.EXCHANGE))
        words = next_step(rules_of(state), state).words.en
        assert words == f"{die}: everyone passes the 3 tiles {where}."


def test_wz_08_the_dealers_fourteenth_tile_may_stay_out_of_the_exchange() -> None:
    state = dealt("wanzhou", options={"exchange_hand": "after_13"})
    assert "the dealer's fourteenth apart" in next_step(rules_of(state), state).words.en
    assert "apart" not in next_step(rules_of(dealt("wanzhou")), dealt("wanzhou")).words.en


RULES = find_rules("tianjin")


def test_tj_09_the_dice_name_the_first_dealer() -> None:
    state = replay([DiceRolled(1, (3, 2), Throw.DEALER)])
    step = next_step(RULES, state)
    assert (step.act, step.seats, step.words.en) == (
        Act.CHOOSE_DEALER,
        (1,),
        "5: seat 1 deals first.",
    )


def test_tj_04_stakes_are_asked_for_before_the_wall_is_built() -> None:
    state = replay([DealerChosen(0)])
    assert next_step(RULES, state).act is Act.PLACE_ANTES
    placed = then(state, AntesPlaced(False, (0, 0, 0, 0)))
    assert next_step(RULES, placed).act is Act.BUILD_WALL
    # A table that does without goes on.
    assert next_step(RULES, then(state, WallBuilt())).act is Act.ROLL_TO_BREAK


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


def test_a_wild_tile_nobody_could_read_leaves_wins_and_claims_open() -> None:
    won = "123m 456m 789m 123p 55s"
    state = dealt("tianjin", won, DULL, "147m 258p 369s EEE N")
    state = then(state, IndicatorTurned(Tile.UNKNOWN, 5))
    assert not any(choice.call is Call.WIN for choice in own_choices(state))
    assert offered_choices(then(state, Discarded(0, Tile.S5)), 2) == ()


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


@pytest.mark.parametrize("redraw", [True, False])
def test_cl_05_seats_are_drawn_again_for_a_new_round(redraw: bool) -> None:
    rules = find_rules("classical").with_options({"redraw_seats_each_round": redraw})
    settled = Settled((1,), (-1, 1, 0, 0), 1, prevailing=Tile.SOUTH)
    state = then(dealt("classical"), settled)
    assert ("draw for seats again" in next_step(rules, state).words.en) is redraw
    same = then(dealt("classical"), Settled((1,), (-1, 1, 0, 0), 1))
    assert "seats again" not in next_step(rules, same).words.en


def test_cl_19_cl_20_the_stack_that_is_lifted_out_and_where_its_tiles_go() -> None:
    state = replay([DealerChosen(0), WallBuilt(), DiceRolled(0, (3, 2), Throw.BREAK)])
    state = then(state, DiceRolled(0, (4, 3), Throw.SECOND_BREAK))
    assert next_step(find_rules("classical"), state).words.en == (
        "Break the wall of seat 0 after stack 12 and deal from seat 0 on: 4 tiles each, 3 times; "
        "2 to seat 0 (the first and the fifth); 1 to seat 1; 1 to seat 2; 1 to seat 3. "
        "Lift stack 12 out first: its lower tile goes on top 2 places to the right of the breach, "
        "its upper one 4 places to the right."
    )


def test_cl_11_a_drawn_flower_is_laid_out_before_the_discard() -> None:
    state = then(dealt("classical"), Discarded(0, Tile.M5), Drew(1, parse_tiles("1f")[0]))
    step = next_step(rules_of(state), state)
    assert (step.act, step.seats) == (Act.LAY_BONUS, (1,))


def test_cl_25_dealt_flowers_are_laid_out_in_turn_or_by_all_as_they_come() -> None:
    hand = "1f 4m7m 2p5p8p 3s6s9s ESWN"
    other = "2f 4m7m 2p5p8p 3s6s9s ESWN"
    for order, seats in (("player_order", (0,)), ("as_dealt", (0, 2))):
        state = dealt("classical", hand, DULL, other, options={"grounding_order": order})
        assert next_step(rules_of(state), state).seats == seats


def test_cl_25_where_hands_are_not_known_flowers_are_asked_for() -> None:
    state = replay([HandStarted(1, "classical", 0, 75, 16)])
    step = next_step(rules_of(state), state)
    assert step.act is Act.PLAY
    assert step.words.en.startswith("Flowers are laid out and replaced in turn from seat 0 on")


def test_cl_22_a_flower_for_which_nothing_is_left_ends_the_hand() -> None:
    options: dict[str, bool | int | str] = {"game_variant": "one_double"}
    state = dealt("classical", wall_left=1, options=options)
    flower = parse_tiles("1f")
    state = then(state, Discarded(0, Tile.M5), Drew(1, flower[0]), BonusLaid(1, flower))
    assert (state.holder, state.wall_left) == (None, 0)
    assert len(state.seats[1].concealed or ()) == 13
    assert next_step(rules_of(state), state).act is Act.NOBODY_WINS


def test_cl_32_who_has_drawn_has_let_the_discard_go() -> None:
    state = dealt("classical", DULL, "55m 1p2p4p6p7p 1s2s4s5s7s9s")
    state = then(state, Discarded(0, Tile.M5), Drew(1, Tile.P9))
    assert may(state, 1, Call.PUNG) is None
    claim = Claimed(1, MeldKind.PUNG, parse_tiles("555m"), 0)
    assert irregularities(state, claim) == (Irregularity.NOTHING_TO_CLAIM,)


def test_cl_28_a_standing_hand_that_was_changed_may_not_go_out() -> None:
    state = dealt("classical", DULL, "55m 456p 789s 11p 22s N")
    state = then(state, Discarded(0, Tile.M9), Drew(1, Tile.M9), ReadyDeclared(1))
    state = then(state, Discarded(1, Tile.NORTH), Drew(2, Tile.M5), Discarded(2, Tile.M5))
    kept = then(state, Drew(3, Tile.P3), Discarded(3, Tile.P3))
    assert not kept.seats[1].changed
    changed = then(state, Claimed(1, MeldKind.PUNG, parse_tiles("555m"), 2))
    changed = then(changed, Discarded(1, Tile.M9), Drew(2, Tile.P1), Discarded(2, Tile.P1))
    assert why_not(changed, 1, Call.WIN) == "standing_hand_changed"


def test_cl_28_a_call_after_the_first_discard_is_none() -> None:
    state = then(dealt("classical"), Discarded(0, Tile.M5), Drew(1, Tile.P9))
    state = then(state, Discarded(1, Tile.P9), Drew(2, Tile.P9), Discarded(2, Tile.P9))
    state = then(state, Drew(3, Tile.P8), Discarded(3, Tile.P8), Drew(0, Tile.P8))
    state = then(state, ReadyDeclared(0), Discarded(0, Tile.P8), Drew(1, Tile.S1))
    state = then(state, Discarded(1, Tile.S1), Drew(2, Tile.S1), Discarded(2, Tile.S1))
    state = then(state, Drew(3, Tile.P7), Discarded(3, Tile.P7), Drew(0, Tile.P7))
    assert next_step(rules_of(state), state).act is Act.PLAY
    # It locks nothing either.
    discards = [each for each in own_choices(state) if isinstance(each.events[0], Discarded)]
    assert all(each.allowed for each in discards)


def test_cl_43_another_own_turn_frees_a_missed_pong_though_nothing_was_drawn() -> None:
    state = dealt("classical", DULL, "55m 44p 1s2s4s5s7s9s 1p8p N")
    missed = then(state, Discarded(0, Tile.M9), Drew(1, Tile.P9), Discarded(1, Tile.P9))
    missed = then(missed, Drew(2, Tile.M5), Discarded(2, Tile.M5), Drew(3, Tile.P4))
    missed = then(missed, Discarded(3, Tile.P4))
    again = then(missed, Drew(0, Tile.M5), Discarded(0, Tile.M5))
    assert why_not(again, 1, Call.PUNG) == "missed_pong_wait_a_turn"
    turn = then(missed, Claimed(1, MeldKind.PUNG, parse_tiles("444p"), 3), Discarded(1, Tile.P1))
    turn = then(turn, Drew(2, Tile.M5), Discarded(2, Tile.M5))
    assert allowed(turn, 1, Call.PUNG)


def test_cl_72_the_last_discard_may_still_be_won() -> None:
    state = then(dealt("classical", wall_left=0), Discarded(0, Tile.M5))
    step = next_step(rules_of(state), state)
    assert step.words.en == "If nobody wins with the last discard, the hand is drawn."
