"""Keys and claims faster than the camera, tiles that are gone or moved, heaps, nobody playing."""

from hypothesis import given, settings
from hypothesis import strategies as st

from table_assist.following.seen_table import DOUBTFUL_PICTURES
from table_assist.game.events import Discarded, HandStarted, WallBuilt
from table_assist.game.fold import replay
from table_assist.game.question import QuestionKind
from table_assist.tiles.tile import Tile
from tests.following.test_infer import melds, tile
from tests.stages.seen_play import Table, events, heap, started


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
    # Seen twice, not for so long as a piece of wall stands, and farther from the walls (at 226 mm)
    # than a bump moves the walls' tops.
    in_the_middle = sum(
        t.tile is Tile.BACK
        and t.zone.kind == "river"
        and 1 < t.pictures < 2 * DOUBTFUL_PICTURES
        and max(abs(t.x_mm), abs(t.y_mm)) < 176
        for t in tiles
    )
    played = events(started("changsha"), tiles)
    assert in_the_middle < 4 or played == []
    ended = replay([WallBuilt()])
    assert events(ended, tiles) == []
