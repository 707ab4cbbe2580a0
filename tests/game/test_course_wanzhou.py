"""The course of a hand in Wanzhou: the exchange, the first four rounds, ready in time."""

from table_assist.game.course import next_step
from table_assist.game.events import (
    DiceRolled,
    Discarded,
    Event,
    HandShown,
    HandStarted,
    Throw,
    WinDeclared,
)
from table_assist.game.fold import replay
from table_assist.game.state import TableState
from table_assist.game.win import declared_hand
from table_assist.tiles.tile import Tile, parse_tiles
from tests.stages.course_table import dealt, rules_of, then

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
