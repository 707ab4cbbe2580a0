"""The melds of a told hand as the record wants them: eggs taken apart, givers that are known."""

from dataclasses import replace
from itertools import combinations

from table_assist.game.events import HandTold
from table_assist.game.fold_told import all_laid
from table_assist.game.in_force import rules_in_force
from table_assist.game.state import TableState
from table_assist.rules.eggs import Appended
from table_assist.rules.laid import LaidKind
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.shown import Circumstance, ReadyHand
from table_assist.rules.waiting import legal_waits
from table_assist.tiles.melds import Meld, MeldKind
from table_assist.tiles.tile import Tile

# Of so many tiles eggs are laid.
_EGGS = (4, 3)


def with_known(state: TableState, told: HandTold) -> HandTold:
    """The hand with what need not be asked.

    Which tiles of an egg were put to it, whose kong it is, which treasure completes a Rush.

    Args:
        state: of the hand that runs, before this telling.
    """
    rules = rules_in_force(state)
    melds = tuple(
        (meld if meld.supplements else next(iter(ways_apart(rules, meld)), meld))
        for meld in told.melds
    )
    givers = (*told.claimed_from, *(None for _ in melds))[: len(melds)]
    known = {
        each.tiles: each.discarder
        for each in all_laid(state)
        if each.seat == told.seat and each.kind is LaidKind.KONG_EXPOSED
    }
    claimed_from = tuple(
        known.get(meld.tiles) if giver is None and meld.kind is MeldKind.KONG_EXPOSED else giver
        for meld, giver in zip(melds, givers, strict=True)
    )
    told = replace(told, melds=melds, claimed_from=claimed_from)
    # The treasure that the hand waits for in the place of the unread winning tile
    is_rush = Circumstance.TREASURE_RUSH in told.circumstances
    if not is_rush or told.winning_tile is not Tile.UNKNOWN or not state.treasures:
        return told
    held = list(told.concealed)
    held.remove(Tile.UNKNOWN)
    waits = legal_waits(rules, ReadyHand(tuple(held), told.melds, told.seat, state.dealer))
    tile = next((each for each in state.treasures if each in waits), state.treasures[0])
    return replace(told, concealed=(*held, tile), winning_tile=tile)


def ways_apart(rules: RuleSet, meld: Meld) -> list[Meld]:
    """An egg as the tiles that it was laid of, and those put to it: largest eggs first."""
    eggs, tiles = rules.eggs, (*meld.tiles, *meld.supplements)
    found: list[Meld] = []
    if eggs is None or meld.kind is not MeldKind.LUCKY_EGG:
        return found
    for size in _EGGS:
        for places in combinations(range(len(tiles)), size):
            base = tuple(tiles[at] for at in places)
            put = tuple(tile for at, tile in enumerate(tiles) if at not in places)
            fits = (eggs.refuse(Appended(base, tile), rules.chosen) is None for tile in put)
            if eggs.kind_of(base, rules.chosen) is not None and all(fits):
                found.append(Meld(meld.kind, base, put))
                break
    return found
