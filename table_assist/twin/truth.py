"""The truth of a simulated hand's end: judged from the real tiles, never from a picture."""

from collections.abc import Collection, Iterable, Sequence

from table_assist.hand.ready import shanten
from table_assist.melds import Meld
from table_assist.rules.judge import judge
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.shown import Circumstance, ShownHand
from table_assist.tiles import Tile

_GENERALS = (2, 5, 8)


def may_be_complete(concealed: Collection[Tile], melds: Sequence[Meld]) -> bool:
    """Whether the judge has to be asked at all: most hands are nowhere near a win."""
    if len(concealed) != 14 - 3 * len(melds):
        return False
    if shanten(concealed, len(melds)) < 0:
        return True
    tiles = [*concealed, *(tile for meld in melds for tile in meld.tiles)]
    return all(tile.number in _GENERALS for tile in tiles)


def wins(rules: RuleSet, shown: ShownHand) -> bool:
    """Whether the hand is a legal win."""
    return may_be_complete(shown.concealed, shown.melds) and judge(rules, shown).valid


def circumstances(
    *,
    self_drawn: bool,
    wall_left: int,
    after_kong: bool = False,
    robbing: bool = False,
    last_was_replacement: bool = False,
    first_turn: bool = False,
) -> frozenset[Circumstance]:
    """How a win came about.

    ``after_kong``: the tile is a kong's replacement, or the discard that followed one.
    ``first_turn``: it is the dealer's opening hand, or another's first draw, nothing melded.
    """
    found = set()
    if after_kong:
        found.add(Circumstance.AFTER_KONG if self_drawn else Circumstance.AFTER_KONG_DISCARD)
    if robbing:
        found.add(Circumstance.ROBBING_KONG)
    if wall_left == 0 and not robbing:
        found.add(Circumstance.LAST_TILE)
        if last_was_replacement:
            found.add(Circumstance.LAST_TILE_WAS_KONG_REPLACEMENT)
    if first_turn:
        found.add(Circumstance.FIRST_TURN)
    return frozenset(found)


def in_order(tiles: Iterable[Tile]) -> tuple[Tile, ...]:
    """Tiles ascending, as every hand is told."""
    return tuple(sorted(tiles))
