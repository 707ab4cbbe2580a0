"""How a meld can lie there: every way in which so many tracks can be it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations, product

import numpy as np
from numpy.typing import NDArray

from bench.belief.evidence import FACES
from bench.belief.seen import sum_logs
from table_assist.game.events import BonusLaid, Claimed, EggAppended, EggLaid, Event, KongDeclared
from table_assist.game.in_force import rules_in_force
from table_assist.game.state import TableState
from table_assist.rules.ruleset import RuleSet
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import SUITED, Tile

Logs = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Ways:
    """The possible meanings of so many tracks, one by one.

    Attributes:
        shown: (k, n) what each track shows, of each way.
        tiles: of each way the meld.
    """

    shown: NDArray[np.int64]
    tiles: tuple[tuple[Tile, ...], ...]

    def weigh(self, rows: Logs, given: Logs | None = None) -> tuple[float, tuple[Tile, ...], float]:
        """The logarithm of how likely the tracks are, the likeliest meld, and its probability.

        Args:
            rows: (n, FACES + 1) of the tracks.
            given: the same of a discard that is one of the meld's tiles; None: there is none.
        """
        if not self.tiles:
            return -np.inf, (), 0.0
        logs = rows[np.arange(rows.shape[0])[None], self.shown].sum(axis=1)
        if given is not None:
            logs = logs + given[np.array(self.tiles, np.int64)].max(axis=1)
        total = sum_logs(logs) - float(np.log(len(logs)))
        best = self.tiles[int(logs.argmax())]
        same = np.array([tiles == best for tiles in self.tiles], np.bool_)
        return total, best, float(np.exp(sum_logs(logs[same]) - sum_logs(logs)))


def ways_of(state: TableState, event: Event, rows: Logs) -> Ways:
    """All that the pieces of such an event may be under the rules of the hand."""
    rules = rules_in_force(state)
    match event:
        case Claimed(kind=kind) | KongDeclared(kind=MeldKind.KONG_CONCEALED as kind):
            return _sets(rules.id, kind, _lying_of(rules, kind))
        case KongDeclared(tile=tile):
            return _known((tile,))
        case BonusLaid():
            return _all_of(tuple(rules.bonus_tiles))
        case EggAppended():
            return _all_of(tuple(rules.kinds))
        case EggLaid():
            return _eggs(rules, rows)
    return _known(())


def _known(tiles: tuple[Tile, ...]) -> Ways:
    return Ways(np.array([tiles], np.int64).reshape(-1, len(tiles)), (tiles,) if tiles else ())


def _all_of(tiles: tuple[Tile, ...]) -> Ways:
    return Ways(np.array(tiles, np.int64).reshape(-1, 1), tuple((tile,) for tile in tiles))


def _lying_of(rules: RuleSet, kind: MeldKind) -> tuple[int, ...]:
    """How many tiles of such a set may show their faces."""
    lying = rules.lying(rules.chosen)
    if kind is MeldKind.KONG_CONCEALED:
        least, most = min(lying.concealed_kong_up), max(lying.concealed_kong_up)
        return tuple(range(least, most + 1))
    hides = kind is MeldKind.KONG_EXPOSED and lying.claimed_kong_tile_down
    return (3,) if hides else (4 if kind.is_kong else 3,)


@cache
def _sets(rules: str, kind: MeldKind, faces_up: tuple[int, ...]) -> Ways:
    """Every chow, pung or kong, lying as the rules let it lie."""
    every: list[tuple[Tile, ...]]
    if kind is MeldKind.CHOW:
        every = [(tile, Tile(tile + 1), Tile(tile + 2)) for tile in SUITED if tile.number <= 7]
    else:
        size = 4 if kind.is_kong else 3
        every = [(Tile(face),) * size for face in range(34)]
    shown, tiles = [], []
    for meld, up in product(every, faces_up):
        lying = (*meld[:up], *(Tile.BACK,) * (len(meld) - up))
        for way in sorted(set(permutations(lying))):
            shown.append(way)
            tiles.append(meld)
    return Ways(np.array(shown, np.int64), tuple(tiles))


def _eggs(rules: RuleSet, rows: Logs) -> Ways:
    """The eggs that the two likeliest faces of each track make."""
    if rules.eggs is None:
        return _known(())
    likely = np.argsort(-rows[:, :FACES], axis=1)[:, :2].tolist()
    every = (tuple(Tile(face) for face in faces) for faces in product(*likely))
    found = [tiles for tiles in every if rules.eggs.kind_of(tiles, rules.chosen) is not None]
    return Ways(np.array(found, np.int64).reshape(-1, len(rows)), tuple(found))


def with_tiles(event: Event, tiles: Sequence[Tile]) -> Event:
    """The event with the faces that its pieces likeliest have."""
    match event:
        case Claimed(seat, kind, _, discarder):
            return Claimed(seat, kind, tuple(tiles), discarder)
        case KongDeclared(seat, kind):
            return KongDeclared(seat, kind, tiles[0])
        case BonusLaid(seat):
            return BonusLaid(seat, tuple(tiles))
        case EggLaid(seat):
            return EggLaid(seat, tuple(sorted(tiles)))
        case EggAppended(seat, egg):
            return EggAppended(seat, egg, tiles[0])
    return event
