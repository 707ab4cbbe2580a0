"""The table as the observation shows it, by the recorded state: rivers, melds, hands, birds."""

from collections.abc import Sequence

from table_assist.game.state import TableState
from table_assist.melds import Meld, MeldKind
from table_assist.tiles import Tile
from table_assist.vision.observe import Observation, SeenTile
from table_assist.vision.zones import ZoneKind, to_seat

# Pictures a thing must have been seen in before it is taken for a fact ...
SURE_PICTURES = 2
# ... and before it is recorded although its face is not sure, or although it is nobody's turn.
DOUBTFUL_PICTURES = 5
# ... before a single tile beside a pung is a kong, not the first tile of a meld being laid ...
LAID_PICTURES = 4
# A tile set apart from its neighbours: half the gap that players leave for a drawn tile.
APART_MM = 8.0


def river_order(observation: Observation, seat: int) -> tuple[SeenTile, ...]:
    """The seat's river, oldest discard first: row by row from the centre, left to right."""
    tiles = [
        (*to_seat(tile.x_mm, tile.y_mm, seat), tile)
        for tile in observation.in_zone(ZoneKind.RIVER, seat)
        if tile.tile is not Tile.BACK
    ]
    tiles.sort(key=lambda item: item[1])
    rows: list[list[tuple[float, float, SeenTile]]] = []
    for item in tiles:
        # A new row begins half a tile's length further out than the last one's first tile.
        if not rows or item[1] - rows[-1][0][1] > 17.0:
            rows.append([])
        rows[-1].append(item)
    return tuple(item[2] for row in rows for item in sorted(row, key=lambda placed: placed[0]))


def hand_faces(observation: Observation, seat: int) -> list[SeenTile]:
    """Face-up tiles in the seat's hand row, left to right."""
    tiles = [t for t in observation.in_zone(ZoneKind.HAND, seat) if not _is_likely_back(t)]
    return sorted(tiles, key=lambda tile: to_seat(tile.x_mm, tile.y_mm, seat)[0])


def _is_likely_back(seen: SeenTile) -> bool:
    """Standing tiles show a little of their backs: they are none of a shown hand's tiles."""
    named = [tile for tile, _ in seen.candidates if tile is not Tile.UNKNOWN]
    return seen.tile is Tile.BACK or (
        seen.tile is Tile.UNKNOWN and bool(named) and named[0] is Tile.BACK
    )


def set_apart(tiles: Sequence[SeenTile], seat: int) -> Tile:
    """The drawn tile that lies apart at the right-hand end; UNKNOWN when none does."""
    if len(tiles) == 1:
        return tiles[0].tile
    last, neighbour = tiles[-1], tiles[-2]
    right = to_seat(last.x_mm, last.y_mm, seat)[0] - last.width_mm / 2
    left = to_seat(neighbour.x_mm, neighbour.y_mm, seat)[0] + neighbour.width_mm / 2
    return last.tile if right - left >= APART_MM else Tile.UNKNOWN


def turned_birds(observation: Observation) -> list[SeenTile]:
    """What lies face up where birds are turned."""
    return [t for t in observation.in_zone(ZoneKind.BIRDS) if t.tile is not Tile.BACK]


def unexplained(
    state: TableState, observation: Observation, seat: int
) -> tuple[Tile | None, tuple[SeenTile, ...]]:
    """The tile added to a recorded pung, if any, and the tiles that belong to no recorded meld.

    Melds are packed from the player's right-hand end in the order in which they were made, but
    each recorded meld may lie anywhere: it is looked for by its faces.
    """
    rest = sorted(
        observation.in_zone(ZoneKind.MELDS, seat),
        key=lambda tile: -to_seat(tile.x_mm, tile.y_mm, seat)[0],
    )
    for meld in state.seats[seat].melds:
        for tile in lying(meld):
            match = next((s for s in rest if s.tile is tile), None) or next(
                (s for s in rest if s.tile is Tile.UNKNOWN), None
            )
            if match is None:
                return None, ()  # a recorded meld is not fully seen: nothing can be said
            rest.remove(match)
    if len(rest) == 1 and rest[0].tile.is_face and rest[0].pictures >= LAID_PICTURES:
        pungs = [m for m in state.seats[seat].melds if m.kind is MeldKind.PUNG]
        if any(rest[0].tile in pung.tiles for pung in pungs):
            return rest[0].tile, tuple(rest)
    return None, tuple(rest)


def lying(meld: Meld) -> tuple[Tile, ...]:
    """The meld's tiles as they lie: of a concealed kong the outer two face down."""
    if meld.kind is MeldKind.KONG_CONCEALED:
        return (*meld.tiles[:2], Tile.BACK, Tile.BACK)
    return meld.tiles


def faces_of(seen: SeenTile) -> tuple[Tile, ...]:
    """The likeliest faces, best first."""
    return tuple(tile for tile, _ in seen.candidates if tile.is_face)
