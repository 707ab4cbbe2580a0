"""What lies on the table says what happened."""

import pytest

from table_assist.following.claimed_tiles import claimed_meld
from table_assist.following.infer import Inferred, step
from table_assist.game.events import Discarded, Event, HandStarted
from table_assist.game.fold import replay
from table_assist.game.state import TableState
from table_assist.tiles.tile import Tile, parse_tile, parse_tiles
from table_assist.vision.table.observation import Observation, SeenTile
from table_assist.vision.table.zones import Layout, from_seat, zone_at

START = HandStarted(1, "changsha", 0, 55)
PITCH = 26.5


def tile(
    face: Tile, r: float, d: float, seat: int, *, pictures: int = 9, confidence: float = 0.99
) -> SeenTile:
    x, y = from_seat(r, d, seat)
    zone = zone_at(x, y, Layout())
    candidates = ((face, confidence),)
    return SeenTile(face, confidence, x, y, 26.0, zone, candidates, pictures)


def river(seat: int, text: str, **how: int) -> list[SeenTile]:
    return [
        tile(face, -65 + 26 * (i % 6), 98 + 35.5 * (i // 6), seat, **how)
        for i, face in enumerate(parse_tiles(text))
    ]


def melds(seat: int, *texts: str, **how: int) -> list[SeenTile]:
    found, r = [], 312.0
    for text in texts:
        for face in parse_tiles(text):
            face = Tile.BACK if face is Tile.BACK else face
            found.append(tile(face, r, 300, seat, **how))
            r -= PITCH
        r -= 8
    return found


def shown(seat: int, text: str, apart: str = "", **how: int) -> list[SeenTile]:
    tiles = parse_tiles(text)
    found = [tile(face, -307 + PITCH * i, 362, seat, **how) for i, face in enumerate(tiles)]
    if apart:
        r = -307 + PITCH * len(tiles) + 20
        found.append(tile(parse_tile(apart), r, 362, seat, **how))
    return found


def see(state: TableState, *groups: list[SeenTile], dice: tuple[int, ...] = ()) -> Inferred:
    return step(state, Observation(0.0, tuple(t for group in groups for t in group), dice))


def events(state: TableState, *groups: list[SeenTile]) -> list[Event]:
    return [proposed.event for proposed in see(state, *groups).proposed]


def hand(*events: Event) -> TableState:
    return replay([START, *events])


M1, M2 = Discarded(0, Tile.M1), Discarded(1, Tile.M2)


@pytest.mark.parametrize(
    ("tiles", "claimed", "meld"),
    [
        ("", "1m", None),
        ("111m", "1m", "pung 111m"),
        ("1111m", "1m", "kong_exposed 1111m"),
        ("132m", "3m", "chow 123m"),
        ("124m", "1m", None),
        ("123m", "9m", None),
        ("23m?", "1m", "chow 123m"),
        ("2m??", "1m", None),
        ("12?m".replace("?m", "m?"), "2m", "chow 123m"),
        ("23m?", "2m", None),
    ],
)
def test_a_meld_is_known_only_when_one_reading_fits(
    tiles: str, claimed: str, meld: str | None
) -> None:
    found = claimed_meld(parse_tiles(tiles), parse_tile(claimed))
    assert (str(found) if found else None) == meld
