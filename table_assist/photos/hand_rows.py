"""Which rows of tiles in a photo are the declared hand."""

from collections.abc import Sequence
from itertools import groupby

import numpy as np

from table_assist.tiles.tile import COPIES, Tile
from table_assist.vision.reading.readings import Readings, tile_of
from table_assist.vision.reading.recognise import UNKNOWN
from table_assist.vision.reading.rows import TileRow, find_rows, sizes

HAND = 14  # tiles of a complete hand; each kong adds one
BESIDE = 2.5  # tile sizes between the middles of a hand's rows: they touch, or nearly
PARALLEL = 0.94  # cosine: 20 degrees
ALIKE = 1.45  # rows of one hand have tiles of about one size


def hand_rows(readings: Readings) -> list[TileRow]:
    """The main row, then those beside it while tiles are missing."""
    free = [index for index, label in enumerate(readings.labels) if tile_of(label) is not None]
    rows = find_rows(readings, free)[:1]
    while rows and _playing(readings, rows) < HAND:
        taken = {index for row in rows for index in row.members}
        others = find_rows(readings, [index for index in free if index not in taken])
        row = next((row for row in others if _belongs(readings, row, rows)), None)
        if row is None:
            break
        rows.append(row)
    return sorted(rows, key=lambda row: float(readings.centres[list(row.members)][:, 1].mean()))


def _playing(readings: Readings, rows: Sequence[TileRow]) -> int:
    """Tiles in the rows without flowers and seasons."""
    return sum(not is_bonus(readings, index) for row in rows for index in row.members)


def is_bonus(readings: Readings, index: int) -> bool:
    """A flower or a season; also one of which only the number is unsure."""
    tile = tile_of(readings.labels[index])
    if tile is not Tile.UNKNOWN:
        return tile is not None and tile.is_bonus
    bonus = other = 0.0
    for candidate in readings.candidates[index]:
        named = tile_of(candidate.label)
        if named is not None and named.is_bonus:
            bonus += candidate.confidence
        else:
            other += candidate.confidence
    return bonus > other


def _belongs(readings: Readings, row: TileRow, rows: Sequence[TileRow]) -> bool:
    """Whether a row is a part of the hand: near it, like it, and not more than is missing."""
    main = rows[0]
    size = sizes(readings)
    ratio = float(np.median(size[list(row.members)]) / np.median(size[list(main.members)]))
    # More would be a river or a wall in front of the hand.
    few_enough = _playing(readings, [*rows, row]) <= HAND + COPIES
    return (
        few_enough
        and 1 / ALIKE < ratio < ALIKE
        and any(_is_beside(readings, index, rows) for index in row.members)
        and _is_parallel(readings, row, main)
    )


def _is_beside(readings: Readings, index: int, rows: Sequence[TileRow]) -> bool:
    members = [member for row in rows for member in row.members]
    distances = np.hypot(*(readings.centres[members] - readings.centres[index]).T)
    size = sizes(readings)[members]
    # A box that fits its tile tightly makes it no smaller than its neighbours.
    return bool((distances < BESIDE * np.maximum(size, np.median(size))).any())


def _is_parallel(readings: Readings, row: TileRow, main: TileRow) -> bool:
    """Also true of a single tile, which has no direction."""
    if len(row.members) < 2 or len(main.members) < 2:
        return len(row.members) < 2
    one, other = (
        readings.centres[each.members[-1]] - readings.centres[each.members[0]]
        for each in (row, main)
    )
    return bool(abs(one @ other) > PARALLEL * np.hypot(*one) * np.hypot(*other))


def without_unread_ends(readings: Readings, rows: Sequence[TileRow]) -> list[TileRow]:
    """In rows of too many tiles, what was not read at an end is hardly a tile of the hand."""
    spare = _playing(readings, rows) - HAND - sum(_kongs(readings, row) for row in rows)
    kept = list(rows)
    for position in range(len(kept)):
        while spare > 0 and (shorter := _without_unread_end(readings, kept[position])):
            kept[position] = shorter
            spare -= 1
    return kept


def _without_unread_end(readings: Readings, row: TileRow) -> TileRow | None:
    for index in (row.members[-1], row.members[0]):
        if len(row.members) > 1 and readings.labels[index] == UNKNOWN:
            groups = (tuple(i for i in group if i != index) for group in row.groups)
            members = tuple(i for i in row.members if i != index)
            return TileRow(members, tuple(group for group in groups if group))
    return None


def _kongs(readings: Readings, row: TileRow) -> int:
    """Four alike beside each other, or a group of four with backs."""
    labels = [readings.labels[index] for index in row.members]
    alike = sum(
        len(list(run)) // 4 for label, run in groupby(labels) if label not in (UNKNOWN, "back")
    )
    grouped = [[readings.labels[index] for index in group] for group in row.groups]
    return alike + sum(len(group) == 4 and "back" in group for group in grouped)
