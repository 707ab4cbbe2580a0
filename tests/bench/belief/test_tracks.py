"""Each thing on the table has one identity, from the look that found it on."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bench.belief.tracks import SUREST, Tracks
from table_assist.tiles.tile import Tile
from tests.bench.belief.stages import READER, Thing, look

A: Thing = (0.0, 150.0, Tile.M1, 8.0)
B: Thing = (28.0, 150.0, Tile.P5, 8.0)


def followed(*looks: list[Thing]) -> Tracks:
    tracks = Tracks()
    for number, things in enumerate(looks):
        tracks = tracks.look(look(float(number), things), READER)
    return tracks


def test_what_is_found_at_its_place_is_the_same_thing() -> None:
    near = (3.0, 148.0, Tile.M1, 8.0)
    assert [track.id for track in followed([A, B], [B, near], [A]).every] == [0, 1]


def test_another_face_at_the_same_place_is_another_thing() -> None:
    other = (0.0, 150.0, Tile.S9, 12.0)
    tracks = followed([A], [A], [other], [other]).every
    assert [int(track.logs.argmax()) for track in tracks] == [Tile.M1, Tile.S9]
    assert tracks[0].there < 0 < tracks[1].there


def test_a_tile_that_is_laid_where_nothing_was_is_another_thing() -> None:
    """Else it would seem to have lain there before what was laid earlier."""
    nothing = (0.0, 150.0, Tile.UNKNOWN, 7.0)
    tracks = followed([nothing], [nothing], [A], [A]).every
    assert [track.first_t for track in tracks] == [0.0, 2.0]
    assert tracks[1].logs.argmax() == Tile.M1


def test_what_is_missed_in_plain_view_is_gone_and_what_is_hidden_is_not() -> None:
    seen = followed([A], [A])
    gone = hidden = seen
    for t in (2.0, 3.0, 4.0, 5.0):
        gone = gone.look(look(t, []), READER)
        hidden = hidden.look(look(t, [], hidden=[(50, 68)]), READER)  # 50, 68: where A lies
    assert gone.every[0].there < 0
    assert hidden.every[0].there == SUREST


def test_a_bumped_table_keeps_its_things() -> None:
    things = [(60.0 * i, 40.0 * j, Tile(3 * i + j), 8.0) for i in range(3) for j in range(3)]
    bumped = [(x + 31.0, y - 5.0, tile, nats) for x, y, tile, nats in things]
    tracks = followed(things, things, bumped).every
    assert [round(track.x_mm) for track in tracks] == [round(x) for x, *_ in bumped]


def test_a_reading_that_was_not_made_anew_adds_nothing() -> None:
    once = Tracks().look(look(0.0, [A]), READER)
    again = look(0.0, [A])
    assert np.array_equal(once.look(again, READER).every[0].logs, once.every[0].logs)


def test_before_a_hand_what_lies_there_is_rather_no_tile() -> None:
    before = Tracks().look(look(0.0, [A]), READER, is_dealt=False).every[0]
    after = Tracks().look(look(0.0, [A]), READER).every[0]
    assert before.logs.argmax() == Tile.M1  # a sure reading stands
    assert np.ptp(before.logs) < np.ptp(after.logs) or before.logs[-1] > after.logs[-1]


@given(st.lists(st.floats(0.5, 6.0), min_size=1, max_size=5), st.permutations(range(6)))
def test_the_order_of_readings_does_not_matter(nats: list[float], order: list[int]) -> None:
    def last(readings: list[float]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        tracks = followed([A], *[[(0.0, 150.0, Tile.M1, each)] for each in readings])
        return tracks.every[0].logs

    mixed = [nats[place] for place in order if place < len(nats)]
    assert np.allclose(last(nats), last(mixed), atol=1e-4)


@given(st.lists(st.floats(0.1, 6.0), min_size=1, max_size=6))
def test_more_evidence_for_the_truth_never_lowers_its_weight(nats: list[float]) -> None:
    tracks = Tracks().look(look(0.0, [A]), READER)
    before = -np.inf
    for t, each in enumerate(nats, start=1):
        logs = tracks.every[0].logs
        now = logs[Tile.M1] - np.logaddexp.reduce(np.delete(logs, Tile.M1))
        assert now >= before - 1e-6
        before = now
        tracks = tracks.look(look(float(t), [(0.0, 150.0, Tile.M1, each)]), READER)
