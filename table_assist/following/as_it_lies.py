"""A hand that is found running: what lies there is taken as it lies.

Somebody switches the camera on in the middle of an evening, or says that the hand goes on. The
order of what lies there is not known: melds are laid to the player before, discards go round from
who is on turn. Washing tells itself by motion; what has come to rest, and what on record lies
among it, is play.
"""

from collections.abc import Iterator

from table_assist.following import indicators, melds, opening, rivers
from table_assist.following.claimed_tiles import claimed_meld, faces_together, turned_tile
from table_assist.following.proposed import Proposed
from table_assist.following.seen_table import REST_PICTURES, TableSight, least
from table_assist.game.events import Claimed, Discarded
from table_assist.game.fold import apply
from table_assist.game.in_force import rules_in_force
from table_assist.game.state import SEATS, TableState
from table_assist.game.turn import on_turn, thrown
from table_assist.rules.play_rules import Appended
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile

# So many new discards are more than a few quick ones.
FEW_DISCARDS = 3


def is_found_running(state: TableState, sight: TableSight, *, many: int) -> bool:
    """Whether much more lies there at rest than is on record.

    Args:
        many: new discards that cannot be told apart, where the hand has been played already.
    """
    most = many if opening.has_begun(state) else FEW_DISCARDS
    if len(sight.thrown) - len(thrown(state)) <= most:
        return False  # in a heap others' discards lie in a seat's part of it
    fresh = [rivers.lying_new(state, sight, seat) for seat in SEATS]
    at_rest = sum(tile.pictures >= REST_PICTURES for river in fresh for tile in river)
    return at_rest > most and sum(map(len, fresh)) - at_rest <= FEW_DISCARDS


def as_it_lies(state: TableState, sight: TableSight) -> tuple[Proposed, ...]:
    """Events after which the record is as the table is, in an order that may have been."""
    found: list[Proposed] = []
    for seat in SEATS:
        while laid := (
            opening.bonus(state, sight, seat)
            or melds.egg(state, sight, seat)
            or melds.own_meld(state, sight, seat)
        ):
            found.append(laid)
            state = apply(state, laid.event)
    turned = indicators.turned(state, sight)
    if turned is not None:
        found.append(turned)
        state = apply(state, turned.event)
    return (*found, *_round(state, sight))


def pays_as_it_came(state: TableState, claim: Claimed) -> bool:
    """A kong, by who gave its tile; or beside an egg a pung that may be of the egg."""
    rules, tile = rules_in_force(state), claim.tiles[0]
    if claim.kind is not MeldKind.PUNG or rules.eggs is None:
        return claim.kind.is_kong
    return any(
        rules.eggs.kind_of(tuple(sorted((*egg.tiles, tile))), rules.chosen)
        or rules.eggs.refuse(Appended(egg.tiles, tile), rules.chosen) is None
        for egg in state.seats[claim.seat].melds
        if egg.kind is MeldKind.LUCKY_EGG
    )


def _round(state: TableState, sight: TableSight) -> Iterator[Proposed]:
    """Discards and claims, from player to player."""
    left = {
        seat: [t for t in rivers.lying_new(state, sight, seat) if t.pictures >= REST_PICTURES]
        for seat in SEATS
    }
    claims = {seat: list(_claims(state, sight, seat)) for seat in SEATS}
    seat = on_turn(state)
    while any(left.values()) or any(claims.values()):
        follower = (seat + 1) % len(SEATS)
        if claims[follower]:
            given, claim = claims[follower].pop(0)
            yield Proposed(Discarded(seat, given), claim.confidence)
            yield claim
            seat = follower
        if left[seat]:
            yield rivers.discarded(state, seat, left[seat].pop(0))
        seat = (seat + 1) % len(SEATS)


def _claims(state: TableState, sight: TableSight, seat: int) -> Iterator[tuple[Tile, Proposed]]:
    """Of each new meld the tile that was claimed, and the claim, as from the player before."""
    for group in melds.sure_groups(state, sight, seat):
        faces = faces_together(group, lambda tiles: claimed_meld(tiles, Tile.UNKNOWN) is not None)
        meld = claimed_meld(faces, Tile.UNKNOWN)
        if meld is None:
            continue
        turned = turned_tile(group)
        given = turned if turned.is_face else meld.tiles[0]
        event = Claimed(seat, meld.kind, meld.tiles, (seat - 1) % len(SEATS))
        yield given, Proposed(event, least(group), seen=group)
