"""Before and between discards: flowers, and dealt hands that are shown and taken back."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from table_assist.following.claimed_tiles import faces_together
from table_assist.following.proposed import FlowerRead, Proposed
from table_assist.following.seen_table import (
    DOUBTFUL_PICTURES,
    FLOWERS_R,
    NEIGHBOURS_APART,
    REST_PICTURES,
    TableSight,
    beyond,
    fewest,
    flowers,
    hand_faces,
    is_last_apart,
    least,
    pictures_needed,
)
from table_assist.game.events import BonusLaid, StartingHandShown
from table_assist.game.holding import may_still_open, with_seat
from table_assist.game.in_force import rules_in_force
from table_assist.game.state import SEATS, Phase, TableState
from table_assist.game.turn import on_turn
from table_assist.rules.reckoning import instant_wins
from table_assist.tiles.tile import Tile
from table_assist.vision.table.observation import SURE_PICTURES, Observation, SeenTile
from table_assist.vision.table.zones import Zone, ZoneKind

# So many faces in a hand are no tile that fell over: the hand is shown.
FEWEST_SHOWN = 7


def has_begun(state: TableState) -> bool:
    """Somebody has discarded, or called for a tile."""
    return state.called or any(seat.discards for seat in state.seats)


def bonus(state: TableState, sight: TableSight, seat: int) -> Proposed | None:
    """Flowers and seasons that are not recorded, all those that lie there."""
    rules = rules_in_force(state)
    if not rules.bonus_tiles:
        return None
    lying = flowers(state, sight.observation, seat)
    fresh, left = beyond(lying, state.seats[seat].bonus)
    unread = [tile for tile in fresh if not tile.tile.is_face][left[Tile.UNKNOWN] :]
    fresh = [tile for tile in fresh if tile.tile.is_face] + unread
    hasty = has_begun(state) and seat != on_turn(state)
    patience = REST_PICTURES if hasty else SURE_PICTURES
    fresh = fresh[: len(lying) - len(state.seats[seat].bonus)]
    fresh = [
        tile
        for tile in fresh
        if tile.pictures >= (patience if tile.tile.is_face else max(patience, DOUBTFUL_PICTURES))
    ]
    if not fresh:
        return None
    event = BonusLaid(seat, tuple(tile.tile for tile in fresh))
    return Proposed(event, least(fresh), seen=tuple(fresh))


def flowers_read(state: TableState, sight: TableSight) -> tuple[FlowerRead, ...]:
    """Flowers and seasons that were recorded unread, and of which the face is seen now.

    As many lie there as are on record, and no place among them is empty: what is not on record by
    its face is what could not be read.
    """
    found = []
    for seat in SEATS:
        recorded = state.seats[seat].bonus
        unread = [index for index, tile in enumerate(recorded) if not tile.is_face]
        lying = flowers(state, sight.observation, seat) if unread else ()
        if not unread or len(lying) < len(recorded) or _lacks_one(lying, sight, seat):
            continue
        rest, left = beyond(lying, recorded)
        if left.total() > len(unread):
            continue  # another one is not seen as recorded: which is which, nobody can tell
        found += [
            FlowerRead(seat, index, seen.tile)
            for index, seen in zip(unread, rest, strict=False)
            if seen.tile.is_face and seen.is_clear and seen.pictures >= pictures_needed(seen)
        ]
    return tuple(found)


def _lacks_one(lying: Sequence[SeenTile], sight: TableSight, seat: int) -> bool:
    """Whether a flower may lie there, among or before those that are seen."""
    pitch = sight.observation.tile_mm
    row = [FLOWERS_R - pitch, *(tile.to_seat(seat)[0] for tile in lying)]
    return any(right - left > NEIGHBOURS_APART * pitch for left, right in pairwise(row))


def with_flowers(state: TableState, found: Sequence[FlowerRead]) -> TableState:
    """The state as it is once the flowers that are read now are on record so."""
    for read in found:
        own = state.seats[read.seat]
        bonus = (*own.bonus[: read.index], read.tile, *own.bonus[read.index + 1 :])
        state = with_seat(state, read.seat, replace(own, bonus=bonus))
    return state


def starting_hand(state: TableState, sight: TableSight, seat: int) -> Proposed | None:
    """A dealt hand that lies open and is paid; once play has begun, only one that scores."""
    known = any(opening.seat == seat for opening in state.openings)
    tiles = None if known else _dealt_tiles(state, sight, seat)
    if tiles is None:
        return None
    rules = rules_in_force(state)

    def wins(held: Sequence[Tile]) -> object:
        dealt = tuple(sorted(held))
        return instant_wins(rules, dealt, seat=seat, dealer=state.dealer).wins

    faces = tuple(sorted(faces_together(tiles, lambda held: bool(wins(held)), wins)))
    if has_begun(state) and not wins(faces):
        return None
    if Tile.UNKNOWN in faces and max(tile.pictures for tile in tiles) < DOUBTFUL_PICTURES:
        return None
    return Proposed(StartingHandShown(seat, faces), least(tiles))


def lying_open(state: TableState, sight: TableSight) -> Iterator[StartingHandShown]:
    """Dealt hands on record that still lie there, as they are read now: as well, or better."""
    for known in state.openings:
        tiles = _dealt_tiles(state, sight, known.seat) or []
        faces = tuple(sorted(tile.tile for tile in tiles))
        read, before = (
            Counter(face for face in some if face is not Tile.UNKNOWN)
            for some in (faces, known.tiles)
        )
        if read >= before and len(faces) == len(known.tiles):
            yield known if read == before else StartingHandShown(known.seat, faces)


def unread_hands(state: TableState, observation: Observation) -> frozenset[Zone]:
    """Where a dealt hand lies open that is not on record with all of its faces."""
    if state.phase is not Phase.PLAYING or not rules_in_force(state).opening:
        return frozenset()
    read = {known.seat for known in state.openings if Tile.UNKNOWN not in known.tiles}
    return frozenset(
        Zone(ZoneKind.HAND, seat)
        for seat in SEATS
        if seat not in read and may_still_open(state, seat)
        if len(hand_faces(observation, seat)) >= FEWEST_SHOWN
    )


def _dealt_tiles(state: TableState, sight: TableSight, seat: int) -> list[SeenTile] | None:
    """The seat's dealt tiles, once all of them lie open surely."""
    rules = rules_in_force(state)
    if not rules.opening or not may_still_open(state, seat) or seat in state.declared:
        return None
    if not sight.observation.can_see(ZoneKind.HAND, seat):
        return None
    tiles = hand_faces(sight.observation, seat)
    due = rules.starting_tiles(seat == state.dealer, rules.chosen)
    if len(tiles) == due + 1 and is_last_apart(tiles, seat):
        tiles = tiles[:-1]  # the tile that the dealer begins with is none of the dealt ones
    if len(tiles) != due or fewest(tiles) < SURE_PICTURES:
        return None
    return tiles
