"""Two cameras over one table: the better view counts, the other confirms, what differs is asked."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_assist.tiles.tile import SUITED, Tile
from table_assist.vision.table.observation import Observation, SeenTile
from table_assist.vision.table.unseen import OccludedZone, WhyUnseen
from table_assist.vision.table.viewpoint import Viewpoint
from table_assist.vision.table.views import HASTE_S, CameraView, JoinedViews
from table_assist.vision.table.zones import Zone, ZoneKind

RIVER = Zone(ZoneKind.RIVER, 0)
MELDS = Zone(ZoneKind.MELDS, 2)
DICE = Zone(ZoneKind.DICE)


def seen(
    tile: Tile,
    x_mm: float = 0.0,
    *,
    zone: Zone = RIVER,
    confidence: float = 0.95,
    id: int = 1,
    y_mm: float = -100.0,
) -> SeenTile:
    other = Tile.M1 if tile is not Tile.M1 else Tile.M2
    return SeenTile(
        tile, confidence, x_mm, y_mm, 26.0, zone, ((tile, confidence), (other, 0.02)), 3, id
    )


def view(*tiles: SeenTile, gone: tuple[Zone, ...] = (), dice: tuple[int, ...] = ()) -> CameraView:
    hidden = tuple(OccludedZone(zone, 5.0, WhyUnseen.HIDDEN) for zone in gone)
    return CameraView(Observation(10.0, tiles, dice, (), hidden))


def joined(t: float = 10.0, views: JoinedViews | None = None, **cameras: CameraView) -> Observation:
    return (views or JoinedViews()).together(cameras, t)


def faces(observation: Observation) -> list[Tile]:
    return [tile.tile for tile in observation.tiles]


def test_a_zone_under_an_arm_is_told_by_the_other_camera() -> None:
    covered = view(seen(Tile.P3), gone=(RIVER,))
    found = joined(a=covered, b=view(seen(Tile.P3), seen(Tile.S5, 26.0, id=2)))
    assert faces(found) == [Tile.P3, Tile.S5]
    assert found.unavailable == ()


def test_what_no_camera_sees_cannot_be_seen() -> None:
    first, second = view(gone=(RIVER,)), view(gone=(RIVER, MELDS))
    second = replace(
        second,
        observation=replace(
            second.observation,
            unavailable=(
                OccludedZone(RIVER, 8.0, WhyUnseen.GLARE),
                OccludedZone(MELDS, 7.0, WhyUnseen.DARK),
            ),
        ),
    )
    found = joined(a=first, b=second)
    assert found.unavailable == (OccludedZone(RIVER, 8.0, WhyUnseen.GLARE),)


def test_the_surer_view_of_each_zone_counts() -> None:
    a = view(
        seen(Tile.P3, confidence=0.99),
        seen(Tile.UNKNOWN, zone=MELDS, confidence=0.4, id=2, y_mm=300),
    )
    b = view(seen(Tile.UNKNOWN, confidence=0.3), seen(Tile.S1, zone=MELDS, id=2, y_mm=300))
    assert sorted(map(str, faces(joined(a=a, b=b)))) == ["1s", "3p"]


def test_two_sure_faces_are_a_question_and_no_choice() -> None:
    found = joined(a=view(seen(Tile.P3, confidence=0.99)), b=view(seen(Tile.P2, 4.0)))
    (tile,) = found.tiles
    assert tile.tile is Tile.UNKNOWN
    assert [face for face, _ in tile.candidates][:2] == [Tile.P3, Tile.P2]


def test_a_tile_that_one_camera_does_not_see_disputes_its_zone_after_a_while() -> None:
    views = JoinedViews()
    a, b = view(seen(Tile.P3), seen(Tile.S9, 26.0, id=2)), view(seen(Tile.P3))
    assert joined(10.0, views, a=a, b=b).unavailable == ()
    assert joined(10.0 + HASTE_S - 0.1, views, a=a, b=b).unavailable == ()
    found = joined(10.0 + HASTE_S, views, a=a, b=b)
    assert found.unavailable == (OccludedZone(RIVER, 10.0, WhyUnseen.DISPUTED),)
    assert found.unavailable[0].words.zh
    assert joined(14.0, views, a=a, b=a).unavailable == (), "they agree again"


def test_dice_that_are_read_differently_are_not_told() -> None:
    views = JoinedViews()
    a, b = view(dice=(2, 5)), view(dice=(2, 6))
    joined(10.0, views, a=a, b=b)
    found = joined(10.0 + HASTE_S, views, a=a, b=b)
    assert found.dice == ()
    assert [gone.zone for gone in found.unavailable] == [DICE]


def test_a_tile_keeps_its_number_whichever_camera_tells_it() -> None:
    views = JoinedViews()
    first = joined(10.0, views, a=view(seen(Tile.P3, id=7)), b=view(seen(Tile.P3, 5.0, id=70)))
    under = view(seen(Tile.P3, id=7), gone=(RIVER,))
    second = joined(11.0, views, a=under, b=view(seen(Tile.P3, 5.0, id=70)))
    third = joined(12.0, views, b=view(seen(Tile.P3, 5.0, id=71)))
    assert len({each.tiles[0].id for each in (first, second, third)}) == 1


def test_tiles_seen_from_aside_are_the_same_where_they_stand() -> None:
    """A camera low over the far edge sees a tile's upper side 16 mm from where it stands."""
    left, right = Viewpoint(-900.0, -100.0, 700.0), Viewpoint(900.0, -100.0, 700.0)
    at_mm, height_mm = 40.0, 20.0

    def by(above: Viewpoint) -> CameraView:
        share = height_mm / above.z_mm
        x_mm = (at_mm - above.x_mm * share) / (1 - share)
        tile = seen(Tile.P3, x_mm)
        return CameraView(Observation(10.0, (tile,)), above)

    found = joined(a=by(left), b=by(right))
    (tile,) = found.tiles
    assert tile.x_mm == pytest.approx(at_mm)


TILES = st.lists(
    st.tuples(
        st.sampled_from([*SUITED[:4], Tile.UNKNOWN, Tile.BACK]),
        st.integers(0, 5),
        st.floats(0.5, 1.0),
    ),
    max_size=5,
    unique_by=lambda row: row[1],
)


@given(TILES, TILES, st.booleans())
def test_no_face_is_told_that_a_camera_surely_contradicts(
    mine: list[tuple[Tile, int, float]], others: list[tuple[Tile, int, float]], hidden: bool
) -> None:
    def made(rows: list[tuple[Tile, int, float]], gone: tuple[Zone, ...] = ()) -> CameraView:
        tiles = (seen(tile, 30.0 * at, confidence=c, id=at + 1) for tile, at, c in rows)
        return view(*tiles, gone=gone)

    found = joined(a=made(mine), b=made(others, (RIVER,) if hidden else ()))
    at_b = {30.0 * at: tile for tile, at, _ in others}
    at_a = {30.0 * at: tile for tile, at, _ in mine}
    for tile in found.tiles:
        if tile.tile is Tile.UNKNOWN:
            continue
        told = {where[tile.x_mm] for where in (at_a, at_b) if tile.x_mm in where}
        assert tile.tile in told
        if not hidden:
            assert told <= {tile.tile, Tile.UNKNOWN}
    ids = [tile.id for tile in found.tiles]
    assert len(ids) == len(set(ids)), "two tiles are never one"


def test_neighbours_of_small_tiles_are_not_one_and_the_same() -> None:
    """Two cameras that see other tiles 14 mm apart: usual ones would be one, small ones are two."""
    found = []
    for tile_mm in (26.0, 18.0):
        one, other = (
            replace(each, observation=replace(each.observation, tile_mm=tile_mm))
            for each in (view(seen(Tile.P3)), view(seen(Tile.S7, 14.0)))
        )
        found.append(faces(joined(a=one, b=other)))
    assert found == [[Tile.UNKNOWN], [Tile.P3]]


def test_small_tiles_stand_less_high_below_a_camera_that_looks_from_aside() -> None:
    tile = seen(Tile.P3)
    places = []
    for tile_mm in (26.0, 13.0):
        observation = Observation(10.0, (tile,), tile_mm=tile_mm)
        (found,) = joined(a=CameraView(observation, Viewpoint(600.0, 0.0, 1200.0))).tiles
        places.append(found.x_mm - tile.x_mm)
    assert places[0] == pytest.approx(2 * places[1])
    assert places[0] > 5
