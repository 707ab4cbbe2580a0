"""What a told confidence is worth: a share of pieces that were so, and never certain."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.live.calibrate import ToldPiece, fit
from table_assist.following.told_scale import ToldScale, chances
from table_assist.rules.registry import find_rules
from table_assist.tiles.tile import Tile
from table_assist.vision.table.observation import SeenTile
from table_assist.vision.table.zones import Zone, ZoneKind

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
