"""Histories: courses of a hand, each bound to the tracks that it explains, and how likely it is."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from table_assist.belief.evidence import FACES
from table_assist.belief.seen import Seen, as_tiles, face_of, one_of, pool_of, sum_logs
from table_assist.game.events import (
    BonusLaid,
    Claimed,
    Discarded,
    EggAppended,
    EggLaid,
    Event,
    KongDeclared,
)
from table_assist.game.fold import apply
from table_assist.game.in_force import rules_in_force
from table_assist.game.irregular import irregularities, visible_tiles
from table_assist.game.state import TableState
from table_assist.melds import MeldKind
from table_assist.tiles import Tile

# A face is written into the course of a history from this probability on; else it is unread there.
NAMED = 0.9
Logs = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Prices:
    """What happens rarely, as logarithms of how often it does for each discard.

    Attributes:
        unseen: a discard that no look has shown.
        wrong_row: a discard before another seat.
        irregular: what the rules forbid, each time.
        pushed: a tile that is put elsewhere.
        taken_back: a discard that is changed for another.
        claimed: a discard that is claimed, and `laid`: a kong, an egg or a flower.
        vanished: a tile that lies there no more, and nobody has claimed it.
    """

    unseen: float = -7.0
    wrong_row: float = -5.0
    irregular: float = -8.0
    pushed: float = -5.0
    taken_back: float = -4.0
    claimed: float = -2.5
    laid: float = -4.0
    vanished: float = -9.0


@dataclass(frozen=True, slots=True)
class Entry:
    """One event of a history, and the pieces that it brought.

    Attributes:
        event: with its faces as far as they are known by now; told ones as they were told.
        pieces: of each piece the tracks that it is seen as, the one where it lies now last.
        price: of the event itself, in nats.
    """

    event: Event
    pieces: tuple[tuple[int, ...], ...] = ()
    price: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class History:
    """One course of a hand.

    Attributes:
        entries: in their order.
        states: before the first entry, and after each.
        weight: the logarithm of how likely the tracks are by it, and of its events' prices.
    """

    entries: tuple[Entry, ...]
    states: tuple[TableState, ...]
    weight: float = 0.0

    @property
    def state(self) -> TableState:
        """After all of it."""
        return self.states[-1]

    @property
    def tracks(self) -> frozenset[int]:
        """All that it explains."""
        return frozenset(
            id for entry in self.entries for piece in entry.pieces for id in piece
        )

    @property
    def course(self) -> tuple[object, ...]:
        """What tells it from others: its kinds of events, by whom, bound to which tracks."""
        return tuple(
            (type(entry.event), getattr(entry.event, "seat", None), _kind(entry.event), entry.pieces)
            for entry in self.entries
        )

    def with_entry(self, entry: Entry) -> "History":
        """One event longer."""
        return replace(
            self,
            entries=(*self.entries, entry),
            states=(*self.states, apply(self.state, entry.event)),
        )

    def with_pieces(self, index: int, pieces: tuple[tuple[int, ...], ...], price: float) -> "History":
        """A piece of an earlier event is seen elsewhere now."""
        changed = replace(
            self.entries[index], pieces=pieces, price=self.entries[index].price + price
        )
        return replace(self, entries=(*self.entries[:index], changed, *self.entries[index + 1 :]))


def _kind(event: Event) -> object:
    return getattr(event, "kind", getattr(event, "egg", None))


def begin(state: TableState) -> History:
    """A history of which nothing is known but this state."""
    return History((), (state,))


def weighed(history: History, seen: Seen, prices: Prices) -> History:
    """The history with its weight, and with its faces as they are known now."""
    history = _with_faces(history, seen)
    total = 0.0
    taken = _claimed_discards(history)
    for index, entry in enumerate(history.entries):
        total += entry.price
        if not entry.pieces:
            continue
        state = history.states[index]
        pool = left_in_pool(state)
        match entry.event:
            case Discarded():
                piece = entry.pieces[0]
                if index in taken:
                    total += seen.gone(piece[-1])
                else:
                    total += one_of(seen.rows(piece), pool)
                    total += max(seen.lies(piece[-1]), prices.vanished)
                total += sum(seen.gone(id) for id in piece[:-1])
            case _:
                total += laid_weight(entry, seen, state, _given_rows(history, index, taken, seen))
                total += sum(
                    max(seen.lies(piece[-1]), prices.vanished) for piece in entry.pieces
                )
    return replace(history, weight=total)


_POOLS: dict[tuple[object, ...], Logs] = {}


def left_in_pool(state: TableState) -> Logs:
    """(FACES,) the logarithms of the shares of what does not lie open."""
    rules = rules_in_force(state)
    tiles = tuple(sorted(visible_tiles(state)))
    key = rules.id, tiles
    if key not in _POOLS:
        if len(_POOLS) > 4096:
            _POOLS.clear()
        _POOLS[key] = pool_of(rules, tiles)
    return _POOLS[key]


def _claimed_discards(history: History) -> dict[int, int]:
    """Of each claimed discard its entry, and the entry of the claim."""
    found: dict[int, int] = {}
    last = -1
    for index, entry in enumerate(history.entries):
        match entry.event:
            case Discarded():
                last = index
            case Claimed(discarder=giver) if last >= 0:
                given = history.entries[last].event
                if isinstance(given, Discarded) and given.seat == giver and last not in found:
                    found[last] = index
            case EggAppended() if last >= 0 and entry.price == _TAKEN:
                found[last] = index
    return found


_TAKEN = float("nan")


def _given_rows(
    history: History, index: int, taken: dict[int, int], seen: Seen
) -> NDArray[np.float64] | None:
    """(FACES,) what is said of the discard that this entry takes; None where it takes none."""
    for discard, claim in taken.items():
        if claim == index:
            piece = history.entries[discard].pieces
            return seen.rows(piece[0] if piece else ()).sum(axis=0)
    return None
