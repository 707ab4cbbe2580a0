"""The course of a hand in Changsha: the last tile, birds, refused wins."""

from table_assist.game.course import Act, birds_due, next_step
from table_assist.game.events import (
    BirdTurned,
    Claimed,
    DiceRolled,
    Discarded,
    Drew,
    HandShown,
    HandStarted,
    LastTilePassed,
    Throw,
    WallBuilt,
    WinDeclared,
)
from table_assist.game.fold import replay
from table_assist.game.state import TableState
from table_assist.rules.offer import Call
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile, parse_tiles
from tests.stages.course_table import dealt, may, rules_of, then

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
