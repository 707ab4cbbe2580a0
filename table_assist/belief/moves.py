"""What may have happened: how a history may go on, by what the tracks show and it does not explain.

A move is an event that the rules know; what is against them, or rare, costs what `Prices` says.
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from math import hypot

from table_assist.belief.histories import Entry, History, Piece, pool_left
from table_assist.belief.melds import ways_of, with_tiles
from table_assist.belief.seen import Said, Seen, face_of
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
from table_assist.game.state import SEATS
from table_assist.game.turn import on_turn
from table_assist.melds import MeldKind
from table_assist.tiles import Tile
from table_assist.vision.table.tile_size import TILE_MM
from table_assist.vision.table.zones import ZoneKind, to_seat

# What is likelier nothing than so, or likelier gone, is not explained.
WORTH = -2.0
# Tiles of one meld, from middle to middle, in widths of a tile: one lies sideways.
NEIGHBOURS = 1.6
# A tile is pushed no farther, and an added tile lies no farther from its meld, in widths.
NEAR = 2.5
MOST_NEW = 4  # discards between two looks


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
class Table:
    """How a table is played at.

    Attributes:
        heap: discards are thrown into the middle, whosever they are.
        tile_mm: how wide a tile is.
    """

    prices: Prices = Prices()
    heap: bool = False
    tile_mm: float = TILE_MM


def moves(history: History, seen: Seen, table: Table) -> Iterator[History]:
    """Each way in which the history may go on."""
    explained = history.tracks
    new = [
        said for said in seen.by_id.values()
        if said.id not in explained and said.lies > WORTH and said.worth > WORTH
    ]  # fmt: skip
    if not any(said.shows_face for said in new):
        return
    rivers = [s for s in new if s.zone.kind is ZoneKind.RIVER and s.shows_face]
    rivers.sort(key=lambda said: said.first_t)
    for said in rivers[:MOST_NEW]:
        yield from _discards(history, seen, said, table)
    for seat in SEATS:
        laid = [s for s in new if s.zone.kind is ZoneKind.MELDS and s.zone.seat == seat]
        if laid:
            yield from _melds(history, seen, seat, laid, table)
    yield _then(history, Discarded(on_turn(history.state), Tile.UNKNOWN), ((),), table,
                table.prices.unseen)  # fmt: skip


def _then(
    history: History,
    event: Event,
    pieces: tuple[Piece, ...],
    table: Table,
    price: float,
    takes: int | None = None,
) -> History:
    wrong = irregularities(history.state, event)
    price += table.prices.irregular * len(wrong)
    return history.then(Entry(event, pool_left(history.state), pieces, price, takes))


def _discards(history: History, seen: Seen, said: Said, table: Table) -> Iterator[History]:
    """A tile in a river is a new discard, one that nobody saw, or one that lay elsewhere."""
    turn, prices = on_turn(history.state), table.prices
    owner = turn if table.heap or said.zone.seat is None else said.zone.seat
    tile, sure = face_of(seen.rows((said.id,)), pool_left(history.state))
    face = tile if sure > 0.5 else Tile.UNKNOWN
    for seat in {turn, owner}:
        price = 0.0 if seat == owner else prices.wrong_row
        yield _then(history, Discarded(seat, face), ((said.id,),), table, price)
    taken = history.taken
    latest: set[int] = set()
    for index in reversed(range(len(history.entries))):
        entry = history.entries[index]
        if not isinstance(entry.event, Discarded) or index in taken:
            continue
        seat, piece = entry.event.seat, entry.pieces[0] if entry.pieces else ()
        if not piece and (table.heap or seat == said.zone.seat):
            yield history.bound(index, (said.id,), 0.0)
        if piece and seen.lies(piece[-1]) < WORTH:
            old = seen.by_id[piece[-1]].place
            if _apart(old, said.place) < NEAR * table.tile_mm:
                yield history.bound(index, (*piece, said.id), prices.pushed)
            if seat not in latest:
                yield history.bound(index, (said.id,), prices.taken_back, returned=piece)
        latest.add(seat)


def _apart(place: tuple[float, float], other: tuple[float, float]) -> float:
    return hypot(place[0] - other[0], place[1] - other[1])


def _melds(
    history: History, seen: Seen, seat: int, laid: list[Said], table: Table
) -> Iterator[History]:
    laid = sorted(laid, key=lambda said: to_seat(said.place[0], said.place[1], seat)[0])
    for size in (3, 4):
        for start in range(len(laid) - size + 1):
            group = laid[start : start + size]
            if _is_group(group, table) and any(said.shows_face for said in group):
                yield from _groups(history, seen, seat, group, table)
    for said in laid:
        if said.shows_face:
            yield from _singles(history, seen, seat, said, table)


def _is_group(group: list[Said], table: Table) -> bool:
    gaps = (_apart(a.place, b.place) for a, b in itertools.pairwise(group))
    return max(gaps) < NEIGHBOURS * table.tile_mm


def _groups(
    history: History, seen: Seen, seat: int, group: list[Said], table: Table
) -> Iterator[History]:
    state, prices = history.state, table.prices
    pieces = tuple((said.id,) for said in group)
    events: list[tuple[Event, float, int | None]] = []
    given, last = state.last_discard, _last_discard(history)
    if given is not None and given[0] != seat and last is not None:
        kinds = (MeldKind.CHOW, MeldKind.PUNG) if len(group) == 3 else (MeldKind.KONG_EXPOSED,)
        allowed = rules_in_force(state).meld_kinds
        events += [
            (Claimed(seat, kind, (), given[0]), prices.claimed, last)
            for kind in kinds
            if kind in allowed
        ]
    if len(group) == 4:
        events.append(
            (KongDeclared(seat, MeldKind.KONG_CONCEALED, Tile.UNKNOWN), prices.laid, None)
        )
    if rules_in_force(state).eggs is not None and not state.seats[seat].discards:
        events.append((EggLaid(seat, ()), prices.laid, None))
    for event, price, takes in events:
        found = _read(history, seen, event, pieces, takes)
        if found is not None:
            yield _then(history, found, pieces, table, price, takes)


def _last_discard(history: History) -> int | None:
    for index in reversed(range(len(history.entries))):
        if isinstance(history.entries[index].event, Discarded):
            return None if index in history.taken else index
    return None


def _read(
    history: History, seen: Seen, event: Event, pieces: tuple[Piece, ...], takes: int | None
) -> Event | None:
    """The event with the faces that the tracks likeliest have; None where it cannot be."""
    rows = seen.rows([piece[0] for piece in pieces])
    ways = ways_of(history.state, event, rows)
    given = None
    if takes is not None:
        discard = history.entries[takes].pieces
        given = seen.rows(discard[0] if discard else ()).sum(axis=0)
    weight, tiles, _ = ways.weigh(rows, given)
    return with_tiles(event, tiles) if tiles and weight > 0 else None


def _singles(
    history: History, seen: Seen, seat: int, said: Said, table: Table
) -> Iterator[History]:
    """A flower, the fourth tile of a pung, or a tile that is put to an egg."""
    state, prices, pieces = history.state, table.prices, ((said.id,),)
    rules = rules_in_force(state)
    if rules.bonus_tiles:
        flower = _read(history, seen, BonusLaid(seat, ()), pieces, None)
        if flower is not None:
            yield _then(history, flower, pieces, table, prices.laid)
    egg = -1
    for entry in history.entries:
        event = entry.event
        if getattr(event, "seat", None) != seat:
            continue
        near = any(
            _apart(seen.by_id[piece[-1]].place, said.place) < NEAR * table.tile_mm
            for piece in entry.pieces if piece and piece[-1] in seen.by_id
        )  # fmt: skip
        match event:
            case EggLaid():
                egg += 1
                put = _read(history, seen, EggAppended(seat, egg, Tile.UNKNOWN), pieces, None)
                if near and put is not None:
                    yield _then(history, put, pieces, table, prices.laid)
            case Claimed(kind=MeldKind.PUNG, tiles=tiles) if near and tiles:
                kong = KongDeclared(seat, MeldKind.KONG_ADDED, tiles[0])
                yield _then(history, kong, pieces, table, prices.laid)
