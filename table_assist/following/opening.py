"""Before and between discards: flowers, and dealt hands that are shown and taken back."""

from collections import Counter

from table_assist.following.proposed import Proposed
from table_assist.following.seen_table import (
    DOUBTFUL_PICTURES,
    SURE_PICTURES,
    Sight,
    flowers,
    hand_faces,
    is_last_apart,
)
from table_assist.game.events import BonusLaid, StartingHandShown
from table_assist.game.in_force import rules_in_force
from table_assist.game.state import SEATS, Phase, TableState
from table_assist.game.turn import on_turn
from table_assist.tiles import Tile
from table_assist.vision.table.observe import Observation, SeenTile
from table_assist.vision.table.zones import Zone, ZoneKind

# So many faces in a hand are no tile that fell over: the hand is shown.
FEWEST_SHOWN = 7


def has_begun(state: TableState) -> bool:
    """Somebody has discarded, or called for a tile."""
    return state.called or any(seat.discards for seat in state.seats)


def bonus(state: TableState, sight: Sight, seat: int) -> Proposed | None:
    """Flowers and seasons that are not recorded, all those that lie there."""
    rules = rules_in_force(state)
    if not rules.bonus_tiles:
        return None
    left = Counter(state.seats[seat].bonus)
    fresh = []
    lying = flowers(state, sight.observation, seat)
    for tile in lying:
        if tile.tile.is_face and left[tile.tile] > 0:
            left[tile.tile] -= 1
        else:
            fresh.append(tile)
    fresh = [tile for tile in fresh if tile.tile.is_face] + _unread(fresh, left[Tile.UNKNOWN])
    hasty = has_begun(state) and seat != on_turn(state)
    patience = 2 * DOUBTFUL_PICTURES if hasty else SURE_PICTURES
    fresh = fresh[: len(lying) - len(state.seats[seat].bonus)]
    fresh = [
        tile
        for tile in fresh
        if tile.pictures >= (patience if tile.tile.is_face else max(patience, DOUBTFUL_PICTURES))
    ]
    if not fresh:
        return None
    event = BonusLaid(seat, tuple(tile.tile for tile in fresh))
    return Proposed(event, min(tile.confidence for tile in fresh))


def _unread(fresh: list[SeenTile], recorded: int) -> list[SeenTile]:
    return [tile for tile in fresh if not tile.tile.is_face][recorded:]


def starting_hand(state: TableState, sight: Sight, seat: int) -> Proposed | None:
    """A dealt hand that lies open before the first discard."""
    known = any(opening.seat == seat for opening in state.openings)
    tiles = None if known else _dealt_tiles(state, sight, seat)
    if tiles is None:
        return None
    faces = tuple(sorted(tile.tile for tile in tiles))
    if Tile.UNKNOWN in faces and max(tile.pictures for tile in tiles) < DOUBTFUL_PICTURES:
        return None
    return Proposed(StartingHandShown(seat, faces), min(tile.confidence for tile in tiles))


def read_better(state: TableState, sight: Sight) -> StartingHandShown | None:
    """A dealt hand on record of which more is read now, while it still lies there."""
    for known in state.openings:
        if Tile.UNKNOWN not in known.tiles:
            continue
        tiles = _dealt_tiles(state, sight, known.seat) or []
        faces = tuple(sorted(tile.tile for tile in tiles))
        read, before = (
            Counter(face for face in some if face is not Tile.UNKNOWN)
            for some in (faces, known.tiles)
        )
        if read > before and len(faces) == len(known.tiles):
            return StartingHandShown(known.seat, faces)
    return None


def unread_hands(state: TableState, observation: Observation) -> frozenset[Zone]:
    """Where a dealt hand lies open that is not on record with all of its faces."""
    if state.phase is not Phase.PLAYING or has_begun(state):
        return frozenset()
    if not rules_in_force(state).opening:
        return frozenset()
    read = {known.seat for known in state.openings if Tile.UNKNOWN not in known.tiles}
    return frozenset(
        Zone(ZoneKind.HAND, seat)
        for seat in SEATS
        if seat not in read and len(hand_faces(observation, seat)) >= FEWEST_SHOWN
    )


def _dealt_tiles(state: TableState, sight: Sight, seat: int) -> list[SeenTile] | None:
    """The seat's dealt tiles, once all of them lie open surely."""
    rules = rules_in_force(state)
    if not rules.opening or has_begun(state) or seat in state.declared:
        return None
    if not sight.observation.can_see(ZoneKind.HAND, seat):
        return None
    tiles = hand_faces(sight.observation, seat)
    due = rules.starting_tiles(seat == state.dealer, rules.chosen)
    if len(tiles) == due + 1 and is_last_apart(tiles, seat):
        tiles = tiles[:-1]  # the tile that the dealer begins with is none of the dealt ones
    if len(tiles) != due or min(tile.pictures for tile in tiles) < SURE_PICTURES:
        return None
    return tiles
