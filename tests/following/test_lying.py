"""How tiles lie where that is a matter of rules: the camera's side of it."""

import pytest

from table_assist.following.infer import step
from table_assist.game.events import (
    Claimed,
    Discarded,
    Drew,
    HandStarted,
    KongDeclared,
    WinDeclared,
)
from table_assist.game.fold import replay
from table_assist.game.state import TableState
from table_assist.rules.options import OptionValue
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile
from table_assist.vision.table.observation import Observation, SeenTile
from tests.following.test_infer import river, shown, tile


def seen(state: TableState, *tiles: list[SeenTile]) -> list[object]:
    observation = Observation(1.0, tuple(each for row in tiles for each in row))
    return [proposed.event for proposed in step(state, observation).proposed]


def classical(**options: OptionValue) -> TableState:
    chosen = tuple(options.items())
    return replay([HandStarted(1, "classical", 0, 75, 16, options=chosen)])


def laid(seat: int, faces: list[Tile]) -> list[SeenTile]:
    return [tile(face, 312 - 26.5 * place, 300, seat) for place, face in enumerate(faces)]


@pytest.mark.parametrize("up", [1, 2])
def test_changchun_a_concealed_kong_lies_face_down_with_one_or_two_tiles_up(up: int) -> None:
    faces = [Tile.BACK, *(Tile.M5,) * up, *(Tile.BACK,) * (3 - up)]
    state = replay([HandStarted(1, "changchun", 0, 69, 14)])
    kong = KongDeclared(0, MeldKind.KONG_CONCEALED, Tile.M5)
    assert seen(state, laid(0, faces)) == [kong]
    assert seen(replay([kong], state), laid(0, faces)) == []


def test_elsewhere_one_tile_up_is_no_concealed_kong() -> None:
    state = replay([HandStarted(1, "changsha", 0, 55)])
    assert seen(state, laid(0, [Tile.BACK, Tile.M5, Tile.BACK, Tile.BACK])) == []


@pytest.mark.parametrize("mark", ["all_face_up", "claimed_tile_down"])
def test_classical_of_a_kong_the_claimed_tile_may_lie_face_down(mark: str) -> None:
    state = replay([Discarded(0, Tile.P5)], classical(kong_from_discard_mark=mark))
    kong = Claimed(2, MeldKind.KONG_EXPOSED, (Tile.P5,) * 4, 0)
    down = laid(2, [Tile.P5, Tile.P5, Tile.BACK, Tile.P5])
    assert seen(state, down) == ([kong] if mark == "claimed_tile_down" else [])
    if mark == "claimed_tile_down":
        assert seen(replay([kong], state), down) == []


@pytest.mark.parametrize("face", ["up", "down"])
def test_classical_a_discard_that_lies_face_down_is_one(face: str) -> None:
    state = classical(discard_face=face)
    back = [tile(Tile.BACK, -65, 98, 0)]
    assert seen(state, back) == ([Discarded(0, Tile.UNKNOWN)] if face == "down" else [])


def test_classical_the_turned_middle_tile_of_an_open_hand_is_read() -> None:
    state = replay(
        [Discarded(0, Tile.M9), Drew(1), Discarded(1, Tile.S5), WinDeclared(2)], classical()
    )
    hand = shown(2, "123m 456m 777p 88s 55s")
    hand[7] = tile(Tile.BACK, -307 + 26.5 * 7, 362, 2)
    events = seen(state, [*river(0, "9m"), *river(1, "5s"), *hand])
    assert [event.concealed.count(Tile.P7) for event in events] == [3]  # type: ignore[attr-defined]
