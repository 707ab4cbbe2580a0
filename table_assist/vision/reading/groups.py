"""Everything in a picture as it lies: rows, what lies apart in them, sets and turned tiles."""

from collections.abc import Sequence
from dataclasses import dataclass

from table_assist.tiles.melds import MeldKind, is_set
from table_assist.tiles.tile import Tile, format_tiles
from table_assist.vision.reading.readings import Readings, tile_of
from table_assist.vision.reading.rows import all_rows, turned

_SET_KINDS = (MeldKind.CHOW, MeldKind.PUNG, MeldKind.KONG_EXPOSED)


@dataclass(frozen=True, slots=True)
class Group:
    """Tiles side by side without a gap.

    Attributes:
        members: indices into the readings, in order.
        turned: those of them that lie across the row.
        is_set: they are a chow, a pung or a kong; whether a meld, the picture does not tell.
    """

    members: tuple[int, ...]
    turned: tuple[int, ...]
    is_set: bool


@dataclass(frozen=True, slots=True)
class LaidRow:
    """Groups in one line, from left to right, or from the top if the line is steep."""

    groups: tuple[Group, ...]


def laid_rows(readings: Readings) -> tuple[LaidRow, ...]:
    """Every tile in exactly one group, the rows from the top of the picture; dice in none."""
    found = []
    for row in all_rows(readings):
        across = turned(readings, row)
        groups = tuple(
            Group(
                members,
                tuple(index for index in members if index in across),
                any(is_set(kind, tiles) for kind in _SET_KINDS),
            )
            for members in row.groups
            for tiles in [tuple(_tile(readings, index) for index in members)]
        )
        top = float(readings.centres[list(row.members)][:, 1].mean())
        found.append((top, LaidRow(groups)))
    return tuple(row for _, row in sorted(found, key=lambda each: each[0]))


def tell_row(readings: Readings, row: LaidRow) -> str:
    """A row as text: ``|`` is a gap, brackets hold a turned tile.

    For example ``234p 67s | 99p (9p) | 8s``.
    """
    return " | ".join(_tell_group(readings, group) for group in row.groups)


def rows_report(readings: Readings, rows: Sequence[LaidRow]) -> list[dict[str, object]]:
    """The rows as JSON; ``tiles`` and ``turned`` are places in the picture's list of tiles."""
    return [
        {
            "text": tell_row(readings, row),
            "groups": [
                {
                    "tiles": list(group.members),
                    "turned": list(group.turned),
                    "is_set": group.is_set,
                }
                for group in row.groups
            ],
        }
        for row in rows
    ]


def _tell_group(readings: Readings, group: Group) -> str:
    words: list[str] = []
    upright: list[Tile] = []
    for index in (*group.members, None):
        if index is not None and index not in group.turned:
            upright.append(_tile(readings, index))
            continue
        if upright:
            words.append(format_tiles(upright))
            upright = []
        if index is not None:
            words.append(f"({_tile(readings, index)})")
    return " ".join(words)


def _tile(readings: Readings, index: int) -> Tile:
    tile = tile_of(readings.labels[index])
    return Tile.UNKNOWN if tile is None else tile
