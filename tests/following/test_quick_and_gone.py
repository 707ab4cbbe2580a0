"""Keys and claims faster than the camera, tiles that are gone or moved, heaps, nobody playing."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table_assist.following.melds import UNSEEN_PICTURES
from table_assist.game.events import (
    Claimed,
    Discarded,
    HandStarted,
    WallBuilt,
)
from table_assist.game.fold import replay
from table_assist.game.question import QuestionKind
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile, parse_tiles
from tests.following.test_infer import melds, tile
from tests.stages.seen_play import Table, events, heap, started

# -- keys and eyes ---------------------------------------------------------------------------------


# -- what was too quick, what is gone, what was moved ----------------------------------------------


# -- discards in a heap ----------------------------------------------------------------------------


def test_in_a_heap_an_unread_tile_that_lay_there_before_is_not_the_last_discard() -> None:
    """A lamp was mirrored on it: every claim that followed was lost."""
    before = Discarded(0, Tile.UNKNOWN), Discarded(1, Tile.M1)
    state = replay([*before, Discarded(2, Tile.M2)], started("changsha"))
    unread, known = (replace(seen, id=n) for n, seen in enumerate(heap("?1m"), 1))
    pung = Claimed(0, MeldKind.PUNG, parse_tiles("222m"), 2)
    meld = melds(0, "222m")
    assert events(state, [unread, known], meld, heap=True) == [pung]
    late = replace(heap("?1m?")[2], id=3)
    assert events(state, [unread, known, late], meld, heap=True) == [], "it may lie there unread"


def test_in_a_heap_a_recorded_discard_that_lies_there_no_more_is_asked_about() -> None:
    """One that was seen late is on record for a wrong seat, and what was claimed for another.

    Whom the points come from would be wrong without a question otherwise.
    """
    table = Table("changsha", in_heap=True)
    table.put(HandStarted(1, "changsha", 0, 55))
    # Seat 0 threw 7m, and an arm lay over it until 9s and 4p lay beside it: seat 2 threw the 4p.
    lying = heap("9s4p7m")
    for seat, thrown in enumerate(lying):
        table.put(Discarded(seat, thrown.tile))
    table.look_for(10.0, lying)
    assert not table.asked
    table.look_for(10.0, [lying[0], lying[2]], melds(0, "444p", pictures=20))
    (question,) = [q for q in table.state.questions if q.question.kind is QuestionKind.GONE]
    wrong = next(seq for seq, event in table.record.counting if event == Discarded(1, Tile.P4))
    assert question.about == wrong, "nothing is settled while it is open"


@pytest.mark.parametrize("looks", [3, UNSEEN_PICTURES, 4 * UNSEEN_PICTURES])
def test_in_a_heap_what_came_after_a_new_meld_is_its_claimers_discard(looks: int) -> None:
    """The claimed tile was never seen in the heap, and the claimer throws one of the same face.

    Taken for the claimed tile, it would shift all turns that follow.
    """
    state = replay([Discarded(0, Tile.M9), Discarded(1, Tile.M1)], started("changsha"))
    lying = [replace(seen, id=3) for seen in heap("9m1m")]
    meld = [replace(seen, id=5, pictures=looks) for seen in melds(3, "321m")]
    thrown = replace(heap("9m1m2m")[-1], id=9, pictures=2)
    found = events(state, lying, [thrown], meld, heap=True)
    if looks < UNSEEN_PICTURES:
        assert found == []
    else:
        chow = Claimed(3, MeldKind.CHOW, parse_tiles("123m"), 2)
        assert found == [Discarded(2, Tile.UNKNOWN), chow, Discarded(3, Tile.M2)]
    lying.append(replace(thrown, id=4, pictures=9))
    assert events(state, lying, meld, heap=True) == [Discarded(2, Tile.M2)], "it lay there before"


# -- nobody plays ----------------------------------------------------------------------------------

anywhere = st.lists(
    st.tuples(
        st.sampled_from([*(t for t in Tile if t.is_suited), *([Tile.BACK] * 30)]),
        st.floats(-390, 390),
        st.floats(-390, 390),
        st.integers(1, 40),
    ),
    min_size=60,
    max_size=120,
)


@settings(max_examples=40)
@given(anywhere)
def test_tiles_that_are_washed_are_no_play(pieces: list[tuple[Tile, float, float, int]]) -> None:
    tiles = [tile(face, x, y, 0, pictures=often) for face, x, y, often in pieces]
    tiles = [each for each in tiles if each.zone.kind != "elsewhere"]
    # Seen twice, and farther from the walls (at 226 mm) than a bump moves the walls' tops.
    in_the_middle = sum(
        t.tile is Tile.BACK
        and t.zone.kind == "river"
        and t.pictures > 1
        and max(abs(t.x_mm), abs(t.y_mm)) < 176
        for t in tiles
    )
    played = events(started("changsha"), tiles)
    assert in_the_middle < 4 or played == []
    ended = replay([WallBuilt()])
    assert events(ended, tiles) == []
