"""What a told confidence is worth: a share of pieces that were so, and never certain."""

from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.live.calibrate import ToldPiece, fit, told_pieces
from bench.live.disturb import Disturber
from bench.live.eyes import RealEyes
from bench.live.moments import ENDING, Lay, Looked, load_hand, save_hand
from bench.live.record import Notes, NotingEyes
from table_assist.following.told_scale import ToldScale, chances
from table_assist.rules.registry import find_rules
from table_assist.tiles.tile import Tile
from table_assist.twin.evening import play_evening
from table_assist.vision.reading.read import open_reader
from table_assist.vision.table.attention import Attention
from table_assist.vision.table.observation import SeenTile
from table_assist.vision.table.zones import Zone, ZoneKind
from tests.stages.sighted import hand_of
from tests.stages.trial_person import NEAR

KINDS = find_rules("changsha").kinds
faces = st.sampled_from(KINDS)
pieces = st.builds(ToldPiece, faces, st.floats(0.5, 1.0), st.one_of(st.none(), faces))


def test_a_share_is_that_of_the_pieces_told_so() -> None:
    right = [ToldPiece(Tile.M1, 0.99, Tile.M1)] * 98
    wrong = [ToldPiece(Tile.M1, 0.60, Tile.M2)] * 48 + [ToldPiece(Tile.M1, 0.60, Tile.M1)] * 50
    scale = fit([right, wrong])
    assert scale.chance(0.995) == pytest.approx(99 / 100)
    assert scale.chance(0.7) == pytest.approx(51 / 100)
    assert scale.chance(0.1) == pytest.approx(51 / 100)


def test_pieces_told_wrongly_alike_are_stuck() -> None:
    alike = [ToldPiece(Tile.M1, 0.9, Tile.M2)] * 20
    apart = [ToldPiece(Tile.M1, 0.9, Tile.M2), *[ToldPiece(Tile.M2, 0.9, Tile.M2)] * 20]
    assert fit([alike]).stuck > 0.9 > 0.1 > fit([apart]).stuck


@given(
    st.lists(st.tuples(faces, st.floats(0, 0.1)), max_size=3, unique_by=lambda each: each[0]),
    st.floats(0.7, 1.0),
)
def test_chances_add_up_and_the_likelier_face_has_more(
    named: list[tuple[Tile, float]], sure: float
) -> None:
    scale = ToldScale((0.0,), (0.95,), 0.5, 1)
    seen = SeenTile(Tile.M1, sure, 0, 0, 26, Zone(ZoneKind.HAND, 0), candidates=tuple(named))
    found = chances(seen, KINDS, scale)
    assert sum(found.values()) == pytest.approx(1.0)
    assert found[Tile.M1] == 0.95
    others = sorted((chance, face) for face, chance in named if face is not Tile.M1)
    assert [found[face] for _, face in others] == sorted(found[face] for _, face in others)


CHANGSHA = find_rules("changsha")


@pytest.mark.slow
def test_each_look_is_kept_as_it_was_told(tmp_path: Path) -> None:
    reader = open_reader(threads=1)
    notes = Notes()
    real = RealEyes(CHANGSHA, reader, NEAR, seed=1, faces=None)
    eyes = NotingEyes(real, notes)
    eyes.attend(Attention(frozenset({Zone(ZoneKind.RIVER, 0)})))
    disturber, t = Disturber(1), 0.0
    for step in islice(play_evening(1, CHANGSHA, hands=1), 7, 12):
        for moment in disturber.moments(step):
            t += moment.seconds
            eyes.look(moment, t)
    looks = [each for each in notes.moments if isinstance(each, Looked)]
    assert isinstance(notes.moments[0], Lay)
    assert len(looks) > 10
    assert all(look.calibration is not None for look in looks)
    assert any(tile.confidence > 0.9 for look in looks for tile in look.observation.tiles)
    path = tmp_path / f"a{ENDING}"
    save_hand(hand_of(notes.moments), path)
    assert list(load_hand(path).moments) == notes.moments
    pieces = told_pieces(notes.moments, NEAR.size_wh)
    assert len(pieces) >= 3
    assert all(piece.is_so for piece in pieces)
