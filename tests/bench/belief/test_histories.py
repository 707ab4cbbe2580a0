"""A hand's likeliest courses are those that explain the tracks best, and no other way is better."""

from collections.abc import Iterator
from itertools import permutations, product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.belief.beam import Belief
from bench.belief.histories import History, HistoryEntry, Scales, begun, pool_left
from bench.belief.moves import MoveTable, Prices, moves
from bench.belief.seen import TrackEvidence, TracksEvidence, face_of, say
from bench.belief.tracks import Tracks
from table_assist.game.events import Claimed, Discarded, HandStarted, WinDeclared
from table_assist.game.fold import replay
from table_assist.game.irregular import irregularities
from table_assist.game.state import TableState
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile
from table_assist.vision.table.zones import Layout, from_seat
from tests.bench.belief.stages import READER, Thing, look

START = replay([HandStarted(1, "changsha", 0, 55)])
TABLE = MoveTable()
FACES = st.sampled_from([Tile.M1, Tile.M2, Tile.P5, Tile.S9])


def in_river(seat: int, place: int, tile: Tile, nats: float = 9.0) -> Thing:
    return (*from_seat(-60.0 + 28.0 * place, 100.0, seat), tile, nats)


def among_melds(seat: int, place: int, tile: Tile, nats: float = 9.0) -> Thing:
    return (*from_seat(200.0 + 28.0 * place, 300.0, seat), tile, nats)


def seen_of(tracks: Tracks) -> TracksEvidence:
    said: dict[int, TrackEvidence] = {each.id: say(each, READER, Layout()) for each in tracks.every}
    return TracksEvidence(said)


def followed(*looks: list[Thing], state: TableState = START, width: int = 24) -> Belief:
    """Each look is made twice, as the program's are."""
    tracks, belief = Tracks(), Belief.of(state)
    for number, things in enumerate(looks):
        for t in (2.0 * number, 2.0 * number + 1.0):
            tracks = tracks.look(look(t, things), READER)
            belief = belief.look(seen_of(tracks), TABLE, width)
    return belief


def events(belief: Belief) -> list[object]:
    return list(belief.likeliest.events)


def test_discards_in_turn_are_recorded_as_they_come() -> None:
    first, second = in_river(0, 0, Tile.M1), in_river(1, 0, Tile.P5)
    belief = followed([first], [first, second])
    assert events(belief) == [Discarded(0, Tile.M1), Discarded(1, Tile.P5)]
    assert min(belief.agreed()) > 0.99


def test_two_discards_at_once_are_in_the_order_of_turns() -> None:
    belief = followed([in_river(1, 0, Tile.P5), in_river(0, 0, Tile.M1)])
    assert events(belief) == [Discarded(0, Tile.M1), Discarded(1, Tile.P5)]


def test_a_gap_in_the_turns_is_a_discard_that_nobody_saw() -> None:
    first, third = in_river(0, 0, Tile.M1), in_river(2, 0, Tile.P5)
    belief = followed([first], [first, third])
    assert events(belief) == [
        Discarded(0, Tile.M1), Discarded(1, Tile.UNKNOWN), Discarded(2, Tile.P5),
    ]  # fmt: skip
    late = in_river(1, 0, Tile.S9)
    belief = followed([first], [first, third], [first, third, late])
    assert events(belief)[1] == Discarded(1, Tile.S9)


def test_a_claim_takes_the_last_discard() -> None:
    thrown = in_river(0, 0, Tile.M2)
    meld = [among_melds(1, place, tile) for place, tile in enumerate((Tile.M1, Tile.M2, Tile.M3))]
    belief = followed([thrown], meld)
    run = (Tile.M1, Tile.M2, Tile.M3)
    assert events(belief) == [Discarded(0, Tile.M2), Claimed(1, MeldKind.CHOW, run, 0)]


def test_an_unread_tile_of_a_meld_is_what_the_others_make_it() -> None:
    thrown = in_river(0, 0, Tile.M2)
    meld = [among_melds(2, 0, Tile.M2), among_melds(2, 1, Tile.M7, 1.0), among_melds(2, 2, Tile.M2)]
    belief = followed([thrown], meld)
    assert events(belief)[1] == Claimed(2, MeldKind.PUNG, (Tile.M2,) * 3, 0)


def test_another_tile_where_a_discard_was_taken_up_is_that_discard() -> None:
    belief = followed([in_river(0, 0, Tile.M1)], [], [in_river(0, 0, Tile.P5, 14.0)])
    assert events(belief) == [Discarded(0, Tile.P5)]


def test_discards_in_a_heap_are_in_the_order_in_which_they_were_found() -> None:
    """Whose a tile in the middle is, nothing but the order says."""
    heap = MoveTable(heap=True)
    thrown = [in_river(0, place, tile) for place, tile in enumerate((Tile.S9, Tile.M1, Tile.P5))]
    tracks, belief = Tracks(), Belief.of(START)
    for count in (1, 2, 3):
        for t in (3.0 * count, 3.0 * count + 1.0):
            tracks = tracks.look(look(t, thrown[-count:]), READER)
            belief = belief.look(seen_of(tracks), heap)
    assert events(belief) == [
        Discarded(0, Tile.P5), Discarded(1, Tile.M1), Discarded(2, Tile.S9),
    ]  # fmt: skip
    assert min(belief.agreed()) > 0.9


def test_a_meld_is_a_meld_though_one_of_its_tiles_is_not_seen() -> None:
    thrown = in_river(0, 0, Tile.M2)
    meld = [among_melds(1, place, tile) for place, tile in enumerate((Tile.M1, Tile.M2, Tile.M3))]
    run = (Tile.M1, Tile.M2, Tile.M3)
    claimed = [Discarded(0, Tile.M2), Claimed(1, MeldKind.CHOW, run, 0)]
    belief = followed([thrown], [meld[0], meld[2]])
    assert events(belief) == claimed
    assert () in belief.likeliest.entries[-1].pieces
    assert events(followed([thrown], [meld[0], meld[2]], meld)) == claimed


def test_a_meld_that_is_seen_late_was_claimed_before_what_followed() -> None:
    thrown, then = in_river(0, 0, Tile.M2), in_river(2, 0, Tile.P5)
    meld = [among_melds(2, place, Tile.M2) for place in range(3)]
    belief = followed([thrown], [then], [then, *meld])
    assert events(belief) == [
        Discarded(0, Tile.M2), Claimed(2, MeldKind.PUNG, (Tile.M2,) * 3, 0), Discarded(2, Tile.P5),
    ]  # fmt: skip


def test_nobody_discards_while_a_win_is_declared() -> None:
    first = in_river(0, 0, Tile.M1)
    tracks = Tracks().look(look(0.0, [first]), READER)
    belief = Belief.of(START).look(seen_of(tracks), TABLE)
    tracks = tracks.look(look(2.0, [first, in_river(1, 0, Tile.P5)]), READER)
    seen = seen_of(tracks)

    def wrong(belief: Belief) -> list[int]:
        longer = moves(belief.likeliest, seen, TABLE)
        return [
            each.entries[-1].wrong for each in longer
            if each.entries[-1].event == Discarded(1, Tile.P5)
        ]  # fmt: skip

    assert wrong(belief) == [0]
    assert wrong(belief.told(WinDeclared(2), 1.0)) == [1]


def test_what_is_as_likely_nothing_stays_undecided() -> None:
    belief = followed([in_river(0, 0, Tile.M1, 0.5)])
    history = belief.likeliest
    assert not history.events or belief.agreed()[0] < 0.99


def every_history(tracks: list[int], seen: TracksEvidence) -> Iterator[History]:
    """All discards of these tracks in any order, by any seats, and one that nobody saw anywhere."""
    for count in range(len(tracks) + 1):
        for order in permutations(tracks, count):
            for seats in product(range(4), repeat=count):
                bound = [((id,), seat) for id, seat in zip(order, seats, strict=True)]
                yield _history(bound, seen)
                for place, seat in product(range(count), range(4)):
                    yield _history([*bound[:place], ((), seat), *bound[place:]], seen)


def _history(bound: list[tuple[tuple[int, ...], int]], seen: TracksEvidence) -> History:
    history = begun(START)
    for piece, seat in bound:
        tile, sure = face_of(seen.rows(piece), pool_left(history.state))
        event = Discarded(seat, tile if sure > 0.5 else Tile.UNKNOWN)
        price = Prices().irregular * len(irregularities(history.state, event))
        price += 0.0 if piece else Prices().unseen
        if piece and seen.by_id[piece[0]].zone.seat != seat:
            price += Prices().wrong_row
        history = history.then(HistoryEntry(event, pool_left(history.state), (piece,), price))
    return history


@settings(max_examples=6, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 3), FACES, st.floats(1.0, 9.0)), min_size=1, max_size=2),
)
def test_no_history_of_a_tiny_table_is_likelier_than_the_beams(
    thrown: list[tuple[int, Tile, float]],
) -> None:
    things = [in_river(seat, 2 * at, tile, nats) for at, (seat, tile, nats) in enumerate(thrown)]
    tracks = Tracks().look(look(0.0, things), READER)
    seen = seen_of(tracks)
    belief = Belief.of(START).look(seen, TABLE)
    scales = Scales(seen)
    tried = [scales.weigh(each) for each in every_history([*seen.by_id], seen)]
    best = max(tried, key=lambda history: history.weight)
    # The tiles that are left are those of when an event was thought of: hence so little off.
    assert belief.likeliest.weight >= best.weight - 0.05
    by_course = {history.course: history.weight for history in (*tried, *belief.histories)}
    assert belief.likeliest.course in {history.course for history in tried}
    # What the beam leaves out makes it too sure, by little.
    total = np.logaddexp.reduce(list(by_course.values()))
    assert belief.shares[0] - np.exp(belief.likeliest.weight - total) < 0.05


@settings(max_examples=6, deadline=None)
@given(st.permutations(range(3)))
def test_the_order_in_which_things_are_told_does_not_matter(order: list[int]) -> None:
    things = [in_river(seat, 0, tile) for seat, tile in enumerate((Tile.M1, Tile.P5, Tile.S9))]
    belief = followed([things[place] for place in order])
    assert events(belief) == [
        Discarded(0, Tile.M1), Discarded(1, Tile.P5), Discarded(2, Tile.S9),
    ]  # fmt: skip


@settings(max_examples=6, deadline=None)
@given(st.floats(1.0, 8.0), st.floats(0.0, 4.0))
def test_a_surer_reading_makes_the_true_history_likelier(nats: float, more: float) -> None:
    def likely(each: float) -> float:
        belief = followed([in_river(0, 0, Tile.M1, each)])
        return sum(
            share
            for history, share in zip(belief.histories, belief.shares, strict=True)
            if history.entries and history.entries[0].pieces == ((0,),)
        )

    assert likely(nats + more) >= likely(nats) - 1e-9
