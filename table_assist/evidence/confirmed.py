"""Tiles whose face people have confirmed, found again in the kept pictures.

Two things are truth: the hand of a win that was settled, and a discard that was ``?`` until
somebody said what it is. Whatever else was read is only a reading.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from table_assist.contract.evidence import Evidence
from table_assist.game.events import Discarded, HandShown, HandStarted, Settled
from table_assist.game.state import SeatState
from table_assist.record.log import Entry, Source
from table_assist.record.record import Record
from table_assist.tiles.tile import Tile, parse_tiles
from table_assist.vision.table.zones import ZoneKind


@dataclass(frozen=True, slots=True)
class ConfirmedZone:
    """The tiles in one zone of a kept picture, by what people said.

    Attributes:
        evidence: under which the picture is kept.
        faces: those that lie there, in no order.
        elsewhere: one of them that may lie where it was discarded.
        unread: only tiles that were not read are meant.
    """

    evidence: str
    kind: ZoneKind
    seat: int
    faces: tuple[Tile, ...]
    elsewhere: Tile | None = None
    unread: bool = False


@dataclass(frozen=True, slots=True)
class ConfirmedPicture:
    """A kept picture with its confirmed tiles.

    Attributes:
        tiles: the middle of each in the picture, in pixels, and its face.
    """

    t: float
    jpeg: bytes
    tiles: tuple[tuple[tuple[float, float], Tile], ...]


def confirmed_pictures(
    entries: Iterable[Entry], evidence: Callable[[str], Evidence | None]
) -> Iterator[ConfirmedPicture]:
    """Every kept picture in which tiles are confirmed, oldest first.

    Args:
        evidence: what is kept under an id; None where it is gone.
    """
    looks: dict[str, list[ConfirmedZone]] = {}
    for look in confirmed(Record(None, lambda: 0.0, entries)):
        looks.setdefault(look.evidence, []).append(look)
    for id, meant in looks.items():
        kept = evidence(id)
        if kept is None:
            continue
        rows = json.loads(kept.readings).get("tiles", [])
        tiles = tuple(named for look in meant for named in named_tiles(rows, look))
        if tiles:
            yield ConfirmedPicture(kept.t, kept.jpeg, tiles)


def confirmed(record: Record) -> Iterator[ConfirmedZone]:
    """The tiles that people confirmed, in the order in which they came to lie there."""
    hand: list[ConfirmedZone] = []
    for index, (seq, event) in enumerate(record.counting):
        match event:
            case HandStarted():
                hand = []
            case HandShown(seat):
                hand += shown_hand(f"e{seq}", event, record.state_before(index).seats[seat])
            case Discarded(seat, tile) if _was_unread(record.entries[seq - 1]):
                said = record.last_word(seq)
                if tile.is_face and said.source is Source.PERSON:
                    yield ConfirmedZone(f"e{seq}", ZoneKind.RIVER, seat, (tile,), unread=True)
            case Settled():
                yield from hand
                hand = []


def shown_hand(evidence: str, shown: HandShown, seat: SeatState) -> tuple[ConfirmedZone, ...]:
    """The tiles before the seat that shows a hand: the hand, and its melds with the flowers."""
    melds = [tile for meld in seat.melds for tile in (*meld.tiles, *meld.supplements)]
    won = None if shown.self_drawn else shown.winning_tile
    return (
        ConfirmedZone(evidence, ZoneKind.HAND, shown.seat, shown.concealed, won),
        ConfirmedZone(evidence, ZoneKind.MELDS, shown.seat, (*melds, *seat.bonus)),
    )


def _was_unread(entry: Entry) -> bool:
    return isinstance(entry.event, Discarded) and entry.event.tile is Tile.UNKNOWN


def named_tiles(
    rows: Sequence[dict[str, Any]], look: ConfirmedZone
) -> Iterator[tuple[tuple[float, float], Tile]]:
    """The tiles of the zone whose face follows from what people said, each with its middle.

    What was read as a face that lies there is that one. What is left is named where only one face
    is left, or where only one of those is among what the tile may be; else it is left out.

    Args:
        rows: as `readings_json` wrote them.
    """
    there = [
        row
        for row in rows
        if "px" in row and (row["zone"], row["seat"]) == (look.kind.value, look.seat)
    ]
    if look.unread:
        there = [row for row in there if row["tile"] == str(Tile.UNKNOWN)]
    left = Counter(face for face in look.faces if face.is_face)
    unnamed = []
    for row in there:
        (read,) = parse_tiles(row["tile"])
        if left[read] > 0:
            left[read] -= 1
            yield _middle(row), read
        else:
            unnamed.append(row)
    if look.elsewhere is not None and len(unnamed) == left.total() - 1 and left[look.elsewhere]:
        left[look.elsewhere] -= 1
    faces = set(+left)
    if len(unnamed) != left.total():
        return  # something lies there that nobody spoke of, or is hidden
    for row in unnamed:
        may_be = {tile for face, _ in row["candidates"] for tile in parse_tiles(face)}
        only = faces if len(faces) == 1 else faces & may_be
        if len(only) == 1:
            yield _middle(row), next(iter(only))


def _middle(row: dict[str, Any]) -> tuple[float, float]:
    x, y = row["px"]
    return (float(x), float(y))
