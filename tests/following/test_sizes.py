"""What lies side by side, in which row and at which stack follows the tiles' measured size."""

from dataclasses import replace

import pytest

from table_assist.following.indicators import stack_mm
from table_assist.following.melds import new_groups
from table_assist.following.seen_table import flowers, laid_beside, river_order, sight_of
from table_assist.following.washing import is_washed
from table_assist.game.events import HandStarted
from table_assist.game.fold import replay
from table_assist.game.in_force import rules_in_force
from table_assist.game.state import TableState
from table_assist.rules.registry import find_rules
from table_assist.tiles.tile import Tile, parse_tiles
from table_assist.twin.river import LARGEST_SCALE, Fit, on_table
from table_assist.vision.table.observation import Observation, SeenTile
from table_assist.vision.table.tile_size import TILE_MM
from table_assist.vision.table.zones import Layout, Zone, ZoneKind, from_seat, to_seat

RULES = find_rules("classical")
scales = pytest.mark.parametrize("scale", [0.72, 1.0, LARGEST_SCALE])


def row(
    kind: ZoneKind, faces: str, *, r: float, d: float, scale: float, step: int = 1
) -> tuple[SeenTile, ...]:
    """Tiles of seat 1 side by side, from r on: to the right, or to the left."""
    found = []
    for place, tile in enumerate(parse_tiles(faces)):
        x, y = from_seat(r + step * place * (26 * scale + 0.4), d, 1)
        width = 26 * scale
        found.append(SeenTile(tile, 0.99, x, y, width, Zone(kind, 1), ((tile, 0.99),), 9))
    return tuple(found)


def backs(number: int, *, d: float) -> tuple[SeenTile, ...]:
    """What lies face down in seat 1's river."""
    lying = row(ZoneKind.RIVER, "1" * number + "m", r=-60, d=d, scale=1.0)
    return tuple(replace(tile, tile=Tile.BACK, candidates=((Tile.BACK, 0.99),)) for tile in lying)


def seen(*rows: tuple[SeenTile, ...], scale: float) -> Observation:
    tiles = tuple(tile for each in rows for tile in each)
    mm = TILE_MM * scale
    return Observation(1.0, tiles, tile_mm=mm, layout=Layout().fitted(mm))


@scales
def test_a_meld_of_tiles_of_any_size_is_seen(scale: float) -> None:
    lying = row(ZoneKind.MELDS, "123m", r=310, d=Fit(scale).melds_d, scale=scale, step=-1)
    found = laid_beside(TableState(rules="classical"), sight_of(RULES, seen(lying, scale=scale)), 1)
    assert {tile.tile for tile in found.fresh} == set(parse_tiles("123m"))


def test_tiles_that_lie_too_near_for_their_size_are_not_taken_for_a_meld() -> None:
    """They are seen in one another, as in a bump."""
    lying = row(ZoneKind.MELDS, "123m", r=310, d=300, scale=0.72, step=-1)
    as_wide_as_usual = tuple(replace(tile, width_mm=TILE_MM) for tile in lying)
    taken_for_usual = replace(seen(as_wide_as_usual, scale=0.72), tile_mm=TILE_MM)
    assert not new_groups(TableState(rules="classical"), sight_of(RULES, taken_for_usual), 1)


@pytest.mark.parametrize("scale", [0.7, 0.8, 1.0])
def test_a_meld_of_small_tiles_is_one_before_anybody_knows_how_small_they_are(scale: float) -> None:
    """In the first round too few tiles lie side by side to tell their size."""
    lying = row(ZoneKind.MELDS, "123m", r=310, d=300, scale=scale, step=-1)
    taken_for_usual = replace(seen(lying, scale=scale), tile_mm=TILE_MM)
    found = laid_beside(TableState(rules="classical"), sight_of(RULES, taken_for_usual), 1)
    assert {tile.tile for tile in found.fresh} == set(parse_tiles("123m"))


@scales
def test_rows_of_a_river_are_told_apart(scale: float) -> None:
    fit = Fit(scale)
    first = fit.river_first_r
    rows = [
        row(ZoneKind.RIVER, faces, r=first, d=fit.river_d + n * (fit.river_row + 1), scale=scale)
        for n, faces in enumerate(("123m456p", "EESSWW", "19s"))
    ]
    crooked = tuple(replace(tile, y_mm=tile.y_mm + 3 * (-1) ** n) for n, tile in enumerate(rows[1]))
    told = river_order(seen(rows[2], crooked, rows[0], scale=scale), 1)
    assert [tile.tile for tile in told] == list(parse_tiles("123m456pEESSWW19s"))


@scales
def test_an_unread_flower_beside_the_others_is_one(scale: float) -> None:
    lying = row(ZoneKind.MELDS, "1f2q?", r=-261, d=Fit(scale).melds_d, scale=scale)
    state = TableState()
    bonus = replace(state.seats[1], bonus=tuple(parse_tiles("1f2q")))
    state = replace(state, seats=(state.seats[0], bonus, *state.seats[2:]))
    found = flowers(state, seen(lying, scale=scale), 1)
    assert [tile.tile for tile in found] == [*parse_tiles("1f2q"), Tile.UNKNOWN]


@scales
def test_a_stack_is_where_people_build_it(scale: float) -> None:
    """Within less than a tile: the corners of long walls overlap like a pinwheel."""
    fit = Fit(scale)
    for stack in (1, 9, 17):
        layout = Layout().fitted(TILE_MM * scale)
        x, y = stack_mm((17, 17, 17, 17), 1, stack, scale, layout)
        built = on_table(1, fit.stack_r(17, stack), fit.wall_d)
        assert (x, y) == pytest.approx(built, abs=20 * scale)


def test_a_wall_is_where_borders_that_were_set_by_hand_say() -> None:
    own = Layout(river=200.0, wall=240.0, melds=320.0)
    _, d = to_seat(*stack_mm((17, 17, 17, 17), 1, 9, layout=own), 1)
    assert own.river < d < own.wall - 15


def test_what_counts_as_washed_keeps_to_borders_that_were_set_by_hand() -> None:
    """Backs 170 mm out are beside the wall if rivers end at 200, and not if they end at 226."""
    down = backs(5, d=170)
    state = TableState(rules="changsha")
    usual = seen(down, scale=1.0)
    own = replace(usual, layout=Layout(river=200.0, wall=240.0, melds=320.0))
    assert is_washed(state, sight_of(find_rules("changsha"), usual))
    assert not is_washed(state, sight_of(find_rules("changsha"), own))


def test_a_hidden_discard_and_the_wall_keep_to_borders_that_were_set_by_hand() -> None:
    """Where discards lie face down (Classical), what lies near the wall is one of its tiles."""
    down = backs(1, d=195)
    usual = seen(down, scale=1.0)
    own = replace(usual, layout=Layout(river=200.0, wall=240.0, melds=320.0))
    rules = rules_in_force(
        replay([HandStarted(1, "classical", 0, 75, 16, options=(("discard_face", "down"),))])
    )
    lying = [sight_of(rules, each).observation.tiles[0].tile for each in (usual, own)]
    assert lying == [Tile.UNKNOWN, Tile.BACK]
