"""Changes to what one seat holds, and to the wall it draws from."""

from collections.abc import Iterable

from table_assist.game.events import EggAppended, KongDeclared, PutDown
from table_assist.game.in_force import rules_in_force
from table_assist.game.places import rolled_tile
from table_assist.game.state import Seats, SeatState, TableState, Wall, replace
from table_assist.rules.play_rules import Replacement, Replaces, WallEnd
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import COPIES, Tile, Tiles


def put_down(event: PutDown) -> list[Tile]:
    """All tiles that lie before the seat by it, also the one that was claimed."""
    match event:
        case KongDeclared(_, MeldKind.KONG_ADDED, tile) | EggAppended(_, _, tile):
            return [tile]
        case KongDeclared(_, _, tile):
            return [tile] * COPIES
        case _:
            return list(event.tiles)


def seats_with(state: TableState, seat: int, value: SeatState) -> Seats:
    """All seats with one of them changed."""
    seats = list(state.seats)
    seats[seat] = value
    return tuple(seats)


def with_seat(state: TableState, seat: int, value: SeatState) -> TableState:
    """The state with one seat changed."""
    return replace(state, seats=seats_with(state, seat, value))


def without(concealed: Tiles | None, tiles: Iterable[Tile]) -> Tiles | None:
    """A hand less some tiles; an unread one stands for a tile that it lacks.

    None, a hand that is not followed, once a tile cannot have been in it.
    """
    if concealed is None:
        return None
    left = list(concealed)
    for tile in tiles:
        if tile in left:
            left.remove(tile)
        elif Tile.UNKNOWN in left:
            left.remove(Tile.UNKNOWN)
        else:
            return None
    return tuple(left)


def take(state: TableState, seat: int, tiles: Iterable[Tile]) -> TableState:
    """Tiles leave the seat's hand."""
    own = state.seats[seat]
    return with_seat(state, seat, replace(own, concealed=without(own.concealed, tiles)))


def give(state: TableState, seat: int, tiles: Iterable[Tile]) -> TableState:
    """Tiles come into the seat's hand."""
    own = state.seats[seat]
    if own.concealed is None:
        return state
    return with_seat(state, seat, replace(own, concealed=(*own.concealed, *tiles)))


def drawn(state: TableState, seat: int, tile: Tile = Tile.UNKNOWN) -> TableState:
    """The seat takes the next tile of the wall."""
    was = state.wall
    left, from_front = max(was.left - 1, 0), was.from_front + 1
    wall = replace(was, left=left, from_front=from_front, boxed=False)
    return _holding(state, seat, tile, wall, state.unnamed)


def next_turn(state: TableState, after: int) -> int:
    """Whose turn to draw follows that of a seat; who has lost it is passed over."""
    seats = [(after + 1 + number) % len(state.seats) for number in range(len(state.seats))]
    return next((seat for seat in seats if seat not in state.turns_lost), seats[0])


def still_lost(state: TableState, player: int) -> tuple[int, ...]:
    """The seats that lose a turn yet, once another has drawn and played in their place."""
    seat, passed = player, {player}
    while (seat := (seat - 1) % len(state.seats)) in state.turns_lost and seat not in passed:
        passed.add(seat)
    return tuple(each for each in state.turns_lost if each not in passed)


def thrown_in_all(state: TableState) -> int:
    """How many tiles have been discarded in this hand."""
    return sum(seat.discards for seat in state.seats)


def declares_now(state: TableState, seat: int) -> bool:
    """Nobody has discarded since the seat declared ready: its key may precede the call with it."""
    own = state.seats[seat]
    return own.ready and own.ready_after == thrown_in_all(state)


def has_drawn(state: TableState, seat: int) -> bool:
    """The holder's extra tile came from the wall and not from another player."""
    return not (state.holder == seat and state.claimed)


def dealt_tiles(state: TableState, seat: int) -> Tiles:
    """Of the tiles in a followed hand, before its first discard, those that were dealt."""
    held, own = state.seats[seat].concealed or (), state.seats[seat]
    replaced_tiles = sum(len(meld.tiles) > 3 for meld in own.melds)
    held = held[: len(held) - replaced_tiles]
    if seat != state.dealer and state.holder == seat and has_drawn(state, seat):
        return held[:-1]
    return held


def may_still_open(state: TableState, seat: int) -> bool:
    """Whether a dealt hand that the seat shows now is paid (CS-29)."""
    own = state.seats[seat]
    if rules_in_force(state).chosen.get("instant_wins_until") == "first_discard":
        return not state.called and not any(each.discards for each in state.seats)
    return not own.discards and not own.melds


def is_late(state: TableState) -> bool:
    """The next player has drawn, and the discard before can be claimed all the same."""
    return state.holder is not None and state.last_discard is not None and state.robbable is None


def undrawn(state: TableState) -> TableState:
    """The holder puts the tile back that it has drawn: the discard before was claimed after all."""
    seat, was = state.holder, state.wall
    if seat is None:
        return state
    own = state.seats[seat]
    concealed = None if own.concealed is None else own.concealed[:-1]
    wall = replace(was, left=was.left + 1, from_front=was.from_front - 1)
    seats = seats_with(state, seat, replace(own, concealed=concealed))
    return replace(state, seats=seats, wall=wall, holder=None)


def replaced(state: TableState, seat: int, what: Replaces) -> TableState:
    """The seat takes a replacement tile, whose face may be told later."""
    plan = rules_in_force(state)
    wall = state.wall
    drawn_before = wall.from_tail + len(wall.rolled)
    left, dead = plan.wall.replacement(
        Replacement(what, wall.left, wall.dead, drawn_before), plan.chosen
    )
    if left < 0 or dead < 0:  # nothing is left to draw: the seat holds no extra tile any more
        return replace(state, owed=None, holder=None, turn=next_turn(state, seat))
    rolled = rolled_tile(state, seat) if what is Replaces.KONG else None
    wall = replace(wall, boxed=is_boxed(state, what))
    if rolled is not None:
        wall = replace(wall, left=left, dead=dead, rolled=(*wall.rolled, rolled))
    elif plan.wall.replaced_from(what, plan.chosen) is WallEnd.FRONT:
        wall = replace(wall, left=left, dead=dead, from_front=wall.from_front + 1)
    else:
        wall = replace(wall, left=left, dead=dead, from_tail=wall.from_tail + 1)
    state = replace(state, owed=None, replacing=what)
    return _holding(state, seat, Tile.UNKNOWN, wall, (*state.unnamed, seat))


def is_boxed(state: TableState, what: Replaces) -> bool:
    """The replacement comes out of the box, whose tiles form no part of the game (CL-22)."""
    wall = rules_in_force(state).wall
    end = wall.replaced_from(what, rules_in_force(state).chosen)
    return end is WallEnd.BOX and state.wall.dead > 0


def settled_debts(state: TableState) -> TableState:
    """The holder has drawn the replacement it was owed: nobody robbed the tile."""
    if state.owed is None or state.holder is None:
        return state
    seat, what = state.holder, state.owed
    after_kong = seat if what is Replaces.KONG else state.after_kong
    return replace(replaced(state, seat, what), after_kong=after_kong, robbable=None)


def _holding(
    state: TableState, seat: int, tile: Tile, wall: Wall, unnamed: tuple[int, ...]
) -> TableState:
    own = state.seats[seat]
    concealed = None if own.concealed is None else (*own.concealed, tile)
    seats = seats_with(state, seat, replace(own, concealed=concealed, seen=(), thrown=()))
    return replace(
        state,
        seats=seats,
        wall=wall,
        unnamed=unnamed,
        holder=seat,
        claimed=False,
        drawn_tile=tile,
        turn=seat,
        last_drawer=seat,
    )
