"""Moves: how a history may go on, by the tracks that it does not explain.

A move is an event that the rules know; what is against them, or rare, costs what `Prices` says.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import hypot, inf

from bench.belief.histories import History, HistoryEntry, Logs, Piece, pool_left
from bench.belief.melds import ways_of, with_tiles
from bench.belief.seen import UNSEEN, TrackEvidence, TracksEvidence, face_of
from table_assist.game.events import (
    BonusLaid,
    Claimed,
    Discarded,
    EggAppended,
    EggLaid,
    Event,
    KongDeclared,
)
from table_assist.game.in_force import rules_in_force
from table_assist.game.irregular import irregularities
from table_assist.game.state import SEATS, TableState
from table_assist.game.turn import on_turn
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile
from table_assist.vision.table.tile_size import TILE_MM
from table_assist.vision.table.zones import ZoneKind, to_seat

# A track that is likelier nothing than so, or likelier gone, is not explained.
WORTH = -2.0
# Tiles of one meld, from middle to middle, in widths of a tile: one lies sideways.
NEIGHBOURS = 1.6
# A tile is pushed no farther, and an added tile lies no farther from its meld, in widths.
NEAR = 2.5
# Tiles of one row are pushed together: what is found so soon after another costs less.
TOGETHER_S, PUSHED_ALONG = 5.0, -1.0
AWAY = -2.0  # for each width of a tile that it lies from its meld
MOST_NEW = 4  # discards between two looks
MOST_EARLIER = 3  # places before the end at which something that is seen late may have happened


@dataclass(frozen=True, slots=True)
class Prices:
    """The logarithms of how often what happens for each event of its kind.

    Attributes:
        unseen: a discard that no look has shown.
        wrong_row: it lies before another seat.
        irregular: the rules forbid it; each time.
        pushed: a tile lies elsewhere than before.
        taken_back: a discard is changed for another.
        claimed: it is claimed.
        laid: a kong, an egg or a flower is laid before a discard.
    """

    unseen: float = -5.0
    wrong_row: float = -6.5
    irregular: float = -8.0
    pushed: float = -5.0
    taken_back: float = -5.0
    claimed: float = -2.5
    laid: float = -4.0


@dataclass(frozen=True, slots=True)
class MoveTable:
    """How a table is played at.

    Attributes:
        heap: discards are thrown into the middle, whosever they are.
        tile_mm: how wide a tile is.
    """

    prices: Prices = Prices()
    heap: bool = False
    tile_mm: float = TILE_MM


@dataclass(frozen=True, slots=True)
class MoveAsked:
    """Of what it was asked, in which courses, whether it happened before what is known.

    As long as nothing new is said of it, and the course is the same, the answer is the same.
    """

    before: frozenset[tuple[object, TrackEvidence]] = frozenset()
    since: set[tuple[object, TrackEvidence]] = field(default_factory=set)

    def now(self) -> "MoveAsked":
        """For the next look."""
        return MoveAsked(frozenset(self.since))

    def is_new(self, history: History, group: Sequence[TrackEvidence]) -> bool:
        """Whether it was not asked of all of them before; it is from now on."""
        keys = {(history.course, said) for said in group}
        self.since.update(keys)
        return not keys <= self.before


def moves(
    history: History, seen: TracksEvidence, table: MoveTable, asked: MoveAsked | None = None
) -> Iterator[History]:
    """Each way in which the history may go on.

    Args:
        asked: what is seen late may also have happened before what is known, unless that was asked
            before; None: it has not.
    """
    return _Moves(history, seen, table, pool_left(history.state), asked).every()


@dataclass(frozen=True, slots=True, eq=False)
class _Moves:
    history: History
    seen: TracksEvidence
    table: MoveTable
    pool: Logs
    asked: MoveAsked | None

    def every(self) -> Iterator[History]:
        explained = self.history.tracks
        new = [
            said for said in self.seen.by_id.values()
            if said.id not in explained and said.lies > WORTH and said.worth > WORTH
        ]  # fmt: skip
        if not any(said.shows_face for said in new):
            return
        rivers = [s for s in new if s.zone.kind is ZoneKind.RIVER and s.shows_face]
        rivers.sort(key=lambda said: said.first_t)
        for said in rivers[:MOST_NEW]:
            yield from self._discards(said)
        for seat in SEATS:
            laid = [s for s in new if s.zone.kind is ZoneKind.MELDS and s.zone.seat == seat]
            if laid:
                yield from self._melds(seat, laid)
        unseen = Discarded(on_turn(self.history.state), Tile.UNKNOWN)
        yield self._then(unseen, ((),), self.table.prices.unseen)

    def _then(
        self,
        event: Event,
        pieces: tuple[Piece, ...],
        price: float,
        takes: int | None = None,
        at: int | None = None,
    ) -> History:
        """The event at a place of the course; None: after all of it."""
        irregular, history = self.table.prices.irregular, self.history
        found_s = min((self.seen.first_s(id) for piece in pieces for id in piece), default=inf)
        wrong = _wrong(self._state(at), event)
        price += irregular * wrong
        entry = HistoryEntry(event, self.pool, pieces, price, takes, (), found_s, wrong)
        if at is None:
            return history.then(entry)
        return history.inserted(at, entry, _wrong, irregular)

    def _state(self, at: int | None) -> TableState:
        return self.history.state if at is None else self.history.before[at]

    def _asks(self, group: Sequence[TrackEvidence]) -> bool:
        """Whether it may have happened before what is known."""
        return self.asked is not None and self.asked.is_new(self.history, group)

    def _after_discards(self, seat: int, *, earlier: bool) -> Iterator[int | None]:
        """Where the seat may have claimed: now, or before a discard that it made next."""
        yield None
        if not earlier:
            return
        nexts, found = None, 0
        for index in reversed(range(len(self.history.entries))):
            entry = self.history.entries[index]
            if isinstance(entry.event, Discarded):
                if nexts == seat != entry.event.seat and index not in self.history.taken:
                    yield index + 1
                    found += 1
                nexts = entry.event.seat
            if found == MOST_EARLIER:
                return

    def _before_discards(self, seat: int, *, earlier: bool) -> Iterator[int | None]:
        """Where the seat had its turn: now, or before one of its last discards."""
        yield None
        if not earlier:
            return
        own = [
            index for index, entry in enumerate(self.history.entries)
            if isinstance(entry.event, Discarded) and entry.event.seat == seat
        ]  # fmt: skip
        yield from own[-MOST_EARLIER:]

    # -- discards --------------------------------------------------------------------------------

    def _discards(self, said: TrackEvidence) -> Iterator[History]:
        """A tile in a river is a new discard, one that nobody saw, or one that lay elsewhere."""
        turn, prices = on_turn(self.history.state), self.table.prices
        owner = turn if self.table.heap or said.zone.seat is None else said.zone.seat
        tile, sure = face_of(self.seen.rows((said.id,)), self.pool)
        face = tile if sure > 0.5 else Tile.UNKNOWN
        for seat in {turn, owner}:
            price = 0.0 if seat == owner else prices.wrong_row
            yield self._then(Discarded(seat, face), ((said.id,),), price)
        yield from self._earlier(said)

    def _earlier(self, said: TrackEvidence) -> Iterator[History]:
        history, prices = self.history, self.table.prices
        latest: set[int] = set()
        for index in reversed(range(len(history.entries))):
            entry = history.entries[index]
            if not isinstance(entry.event, Discarded) or index in history.taken:
                continue
            seat, piece = entry.event.seat, entry.pieces[0] if entry.pieces else ()
            if not piece and (self.table.heap or seat == said.zone.seat):
                yield self._found(index, 0, said)
            if piece and self.seen.lies(piece[-1]) < WORTH:
                old = self.seen.by_id[piece[-1]].place
                if _apart(old, said.place) < self._near:
                    pushed = entry.seen_as(0, (*piece, said.id), prices.pushed)
                    yield history.bound(index, pushed)
                if seat not in latest:
                    other = entry.seen_as(0, (said.id,), prices.taken_back)
                    returned = (*entry.returned, *piece)
                    yield history.bound(
                        index, replace(other, returned=returned, found_s=said.first_t)
                    )
            latest.add(seat)

    def _found(self, index: int, place: int, said: TrackEvidence) -> History:
        """A part of an entry that nobody had seen is seen."""
        entry = self.history.entries[index].seen_as(place, (said.id,), -self.table.prices.unseen)
        # Of a meld the first tile says when it was laid.
        found_s = min(entry.found_s, said.first_t)
        return self.history.bound(index, replace(entry, found_s=found_s))

    # -- melds -----------------------------------------------------------------------------------

    def _melds(self, seat: int, laid: list[TrackEvidence]) -> Iterator[History]:
        laid = sorted(laid, key=lambda said: to_seat(said.place[0], said.place[1], seat)[0])
        for size in (2, 3, 4):
            for start in range(len(laid) - size + 1):
                group = laid[start : start + size]
                if self._is_group(group) and any(said.shows_face for said in group):
                    yield from self._groups(seat, group)
        for said in laid:
            yield from self._late_of_meld(seat, said)
            yield from self._pushed_of_meld(seat, said)
            if said.shows_face:
                yield from self._singles(seat, said)

    def _is_group(self, group: list[TrackEvidence]) -> bool:
        gaps = (_apart(a.place, b.place) for a, b in itertools.pairwise(group))
        most = NEIGHBOURS * (2 if len(group) == 2 else 1)  # one may lie between, unseen
        return max(gaps) < most * self.table.tile_mm

    def _groups(self, seat: int, group: list[TrackEvidence]) -> Iterator[History]:
        prices = self.table.prices
        pieces: tuple[Piece, ...] = tuple((said.id,) for said in group)
        earlier = self._asks(group)
        for at in self._after_discards(seat, earlier=earlier):
            yield from self._claims(seat, pieces, at)
        if len(group) == 2:
            return
        for at in self._before_discards(seat, earlier=earlier):
            state = self._state(at)
            if len(group) == 4:
                concealed = KongDeclared(seat, MeldKind.KONG_CONCEALED, Tile.UNKNOWN)
                yield from self._laid(concealed, pieces, prices.laid, at)
            if rules_in_force(state).eggs is not None and not state.seats[seat].discards:
                yield from self._laid(EggLaid(seat, ()), pieces, prices.laid, at)

    def _claims(self, seat: int, pieces: tuple[Piece, ...], at: int | None) -> Iterator[History]:
        state, price = self._state(at), self.table.prices.claimed
        given = state.last_discard
        last = _last_discard(self.history) if at is None else at - 1
        if given is None or given[0] == seat or last is None:
            return
        kinds = (MeldKind.KONG_EXPOSED,) if len(pieces) == 4 else (MeldKind.CHOW, MeldKind.PUNG)
        if len(pieces) == 2:
            pieces, price = (*pieces, ()), price + self.table.prices.unseen
        for kind in kinds:
            if kind in rules_in_force(state).meld_kinds:
                claim = Claimed(seat, kind, (), given[0])
                yield from self._laid(claim, pieces, price, at, last)

    def _laid(
        self,
        event: Event,
        pieces: tuple[Piece, ...],
        price: float,
        at: int | None,
        takes: int | None = None,
    ) -> Iterator[History]:
        found = self._read(event, pieces, takes)
        if found is not None:
            yield self._then(found, pieces, price, takes, at)

    def _late_of_meld(self, seat: int, said: TrackEvidence) -> Iterator[History]:
        """The tile of a meld that was not seen with the others."""
        for index, entry in enumerate(self.history.entries):
            is_own = isinstance(entry.event, Claimed) and entry.event.seat == seat
            if is_own and () in entry.pieces and self._away(entry, said) < NEAR:
                yield self._found(index, entry.pieces.index(()), said)

    def _pushed_of_meld(self, seat: int, said: TrackEvidence) -> Iterator[History]:
        """A tile of a meld that lies elsewhere than before."""
        price = self.table.prices.pushed if self._is_first_push(seat, said) else PUSHED_ALONG
        for index, entry in enumerate(self.history.entries):
            if getattr(entry.event, "seat", None) != seat or isinstance(entry.event, Discarded):
                continue
            for place, piece in enumerate(entry.pieces):
                if not piece or self.seen.lies(piece[-1]) > WORTH:
                    continue
                if _apart(self.seen.by_id[piece[-1]].place, said.place) < self._near:
                    moved = entry.seen_as(place, (*piece, said.id), price)
                    yield self.history.bound(index, moved)

    def _is_first_push(self, seat: int, said: TrackEvidence) -> bool:
        """Whether no other tile of the seat's melds was pushed in the last seconds."""
        pushed = (
            self.seen.first_s(piece[-1])
            for entry in self.history.entries
            if getattr(entry.event, "seat", None) == seat and not isinstance(entry.event, Discarded)
            for piece in entry.pieces
            if len(piece) > 1
        )
        return all(abs(said.first_t - t) > TOGETHER_S for t in pushed)

    @property
    def _near(self) -> float:
        return NEAR * self.table.tile_mm

    def _read(self, event: Event, pieces: tuple[Piece, ...], takes: int | None) -> Event | None:
        """The event with the faces that the tracks likeliest have; None where it cannot be."""
        rows = self.seen.rows([piece[0] if piece else UNSEEN for piece in pieces])
        ways = ways_of(self.history.state, event, rows)
        given = None
        if takes is not None:
            discard = self.history.entries[takes].pieces
            given = self.seen.rows(discard[0] if discard else ()).sum(axis=0)
        weight, tiles, _ = ways.weigh(rows, given)
        return with_tiles(event, tiles) if tiles and weight > 0 else None

    def _singles(self, seat: int, said: TrackEvidence) -> Iterator[History]:
        """A flower, the fourth tile of a pung, or a tile that is put to an egg."""
        price, pieces = self.table.prices.laid, ((said.id,),)
        if rules_in_force(self.history.state).bonus_tiles:
            for at in self._before_discards(seat, earlier=self._asks((said,))):
                yield from self._laid(BonusLaid(seat, ()), pieces, price, at)
        egg = -1
        for entry in self.history.entries:
            event = entry.event
            if getattr(event, "seat", None) != seat:
                continue
            match event:
                case EggLaid():
                    egg += 1
                    put, away = EggAppended(seat, egg, Tile.UNKNOWN), self._away(entry, said)
                    if away < NEAR:
                        yield from self._laid(put, pieces, price + AWAY * away, None)
                case Claimed(kind=MeldKind.PUNG, tiles=tiles) if tiles:
                    kong = KongDeclared(seat, MeldKind.KONG_ADDED, tiles[0])
                    away = self._away(entry, said)
                    if away < NEAR:
                        yield from self._laid(kong, pieces, price + AWAY * away, None)

    def _away(self, entry: HistoryEntry, said: TrackEvidence) -> float:
        """How far it lies from the nearest piece of an entry, in widths of a tile."""
        by_id = self.seen.by_id
        each = [by_id[piece[-1]].place for piece in entry.pieces if piece and piece[-1] in by_id]
        mm = min((_apart(place, said.place) for place in each), default=inf)
        return mm / self.table.tile_mm


def _wrong(state: TableState, event: Event) -> int:
    """In how many ways the rules forbid it."""
    return len(irregularities(state, event)) + _is_out_of_turn(state, event)


def _is_out_of_turn(state: TableState, event: Event) -> bool:
    """Nobody plays on while a win is declared.

    A flower is laid by who draws, but before the first discard, when all lay theirs.
    """
    if state.declared:
        return True
    if not isinstance(event, BonusLaid) or event.seat == on_turn(state):
        return False
    return any(seat.discards for seat in state.seats)


def _apart(place: tuple[float, float], other: tuple[float, float]) -> float:
    return hypot(place[0] - other[0], place[1] - other[1])


def _last_discard(history: History) -> int | None:
    for index in reversed(range(len(history.entries))):
        if isinstance(history.entries[index].event, Discarded):
            return None if index in history.taken else index
    return None
