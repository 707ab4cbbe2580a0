"""Everything that could be done at a table, by anybody, whether the rules allow it or not.

``conceivable(state)`` yields what seats could do with the tiles they hold, as events in order. A
seat whose hand is not followed any more is left out: nobody knows what it could do.
"""

from collections.abc import Iterator
from itertools import combinations

from table_assist.game.events import (
    Claimed,
    Discarded,
    EggAppended,
    EggLaid,
    Event,
    HandShown,
    KongDeclared,
    ReadyDeclared,
    StartingHandShown,
    WinDeclared,
)
from table_assist.game.in_force import rules_in_force
from table_assist.game.state import SEATS, TableState
from table_assist.tiles.melds import MeldKind, is_set
from table_assist.tiles.tile import Tile

Deed = tuple[Event, ...]
# An egg of three or four tiles: what kinds could be in one at all.
_EGG_KINDS = {
    Tile.M1, Tile.M9, Tile.P1, Tile.P7, Tile.P9, Tile.S1, Tile.S2, Tile.S9,
    Tile.EAST, Tile.SOUTH, Tile.WEST, Tile.NORTH, Tile.RED, Tile.GREEN, Tile.WHITE,
}  # fmt: skip
_MOST_EGGS = 12


def followed(state: TableState, seat: int) -> tuple[Tile, ...]:
    """The seat's tiles; empty where they are not known."""
    held = state.seats[seat].concealed
    return () if held is None or Tile.UNKNOWN in held else held


def conceivable(state: TableState) -> Iterator[Deed]:
    """What any seat could do now."""
    for seat in SEATS:
        held = followed(state, seat)
        if held:
            yield from _own(state, seat, held)
            yield from _claims(state, seat, held)
            yield from _wins(state, seat, held)


def _own(state: TableState, seat: int, held: tuple[Tile, ...]) -> Iterator[Deed]:
    """With the own tiles; who is on turn and has not drawn has a draw due that nobody knows."""
    if state.holder is None and state.turn == seat:
        return
    kinds = dict.fromkeys(held)
    pungs = {meld.tiles[0] for meld in state.seats[seat].melds if meld.kind is MeldKind.PUNG}
    for tile in kinds:
        yield (Discarded(seat, tile),)
        if not state.seats[seat].ready:
            yield (ReadyDeclared(seat), Discarded(seat, tile))
        if held.count(tile) == 4:
            yield (KongDeclared(seat, MeldKind.KONG_CONCEALED, tile),)
        if tile in pungs:
            yield (KongDeclared(seat, MeldKind.KONG_ADDED, tile),)
    eggs = [meld for meld in state.seats[seat].melds if meld.kind is MeldKind.LUCKY_EGG]
    for number, _ in enumerate(eggs):  # a tile kept since an earlier draw fits too (CC-10)
        yield (EggAppended(seat, number, held[-1]),)
    yield from _eggs(seat, held)
    if not any(each.discards for each in state.seats):
        rules = rules_in_force(state)
        dealt = rules.starting_tiles(seat == state.dealer, rules.chosen)
        yield (StartingHandShown(seat, held[:dealt]),)


def _eggs(seat: int, held: tuple[Tile, ...]) -> Iterator[Deed]:
    kinds = sorted({tile for tile in held if tile in _EGG_KINDS})
    tiles = [each for size in (3, 4) for each in combinations(kinds, size)]
    for each in tiles[:: max(1, len(tiles) // _MOST_EGGS)]:
        yield (EggLaid(seat, each),)


def _claims(state: TableState, seat: int, held: tuple[Tile, ...]) -> Iterator[Deed]:
    """For the tile that another has given up; with none there, for one from the last river."""
    given = state.given_up
    if given is None or given[0] == seat or not given[1].is_face:
        return
    giver, tile = given
    if held.count(tile) >= 2:
        yield (Claimed(seat, MeldKind.PUNG, (tile,) * 3, giver),)
    if held.count(tile) >= 3:
        yield (Claimed(seat, MeldKind.KONG_EXPOSED, (tile,) * 4, giver),)
    for low in range(tile - 2, tile + 1) if tile.is_suited else ():
        run = tuple(Tile(low + step) for step in range(3) if 0 <= low + step < 27)
        if is_set(MeldKind.CHOW, run) and all(each in held for each in run if each is not tile):
            yield (Claimed(seat, MeldKind.CHOW, run, giver),)


def _wins(state: TableState, seat: int, held: tuple[Tile, ...]) -> Iterator[Deed]:
    given = state.given_up
    if given is not None and given[0] != seat and given[1].is_face:
        hand = tuple(sorted((*held, given[1])))
        shown = HandShown(seat, hand, given[1], self_drawn=False)
        yield (WinDeclared(seat), shown)
    if state.holder == seat and state.owed is None:
        shown = HandShown(seat, tuple(sorted(held)), held[-1], self_drawn=True)
        yield (WinDeclared(seat), shown)
