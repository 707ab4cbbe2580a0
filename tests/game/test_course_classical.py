"""The course of a hand in Chinese Classical: seats, flowers, dead and standing hands."""

import pytest

from table_assist.game.allowed import own_choices
from table_assist.game.course import Act, next_step
from table_assist.game.events import (
    BonusLaid,
    Claimed,
    DealerChosen,
    DiceRolled,
    Discarded,
    Drew,
    HandStarted,
    ReadyDeclared,
    Settled,
    Throw,
    WallBuilt,
)
from table_assist.game.fold import replay
from table_assist.game.irregular import Irregularity, irregularities
from table_assist.game.state import TableState
from table_assist.rules.offer import Call
from table_assist.rules.registry import find_rules
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile, parse_tiles
from tests.stages.course_table import DULL, allowed, dealt, may, rules_of, then, why_not


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
