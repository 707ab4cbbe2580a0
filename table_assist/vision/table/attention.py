"""The game's attention: what is read afresh, and what lies there by the record."""

from dataclasses import dataclass, field

from table_assist.tiles.tile import Tile
from table_assist.vision.table.zones import Zone


@dataclass(frozen=True, slots=True)
class RecordedTile:
    """A tile that lies on the table by the record.

    Attributes:
        key: the entry's number, and which of its tiles: it is the same one where its place wavers.
        x_mm: where it was seen last, as `y_mm`.
        is_said: a person has said what it is, whatever was read.
    """

    key: tuple[int, int]
    x_mm: float = field(compare=False)
    y_mm: float = field(compare=False)
    tile: Tile
    is_said: bool = False


@dataclass(frozen=True, slots=True)
class Attention:
    """The zones that matter at this moment.

    Attributes:
        wanted: zones in which something decisive lies or is about to be laid.
        bare: zones over which nothing lies, as people have said: what was taken for a thing is
            the cloth, or a shadow.
        is_undealt: all tiles stand in the wall: what lies elsewhere is none.
        recorded: the open tiles whose face is on record.
    """

    wanted: frozenset[Zone] = frozenset()
    bare: frozenset[Zone] = frozenset()
    is_undealt: bool = False
    recorded: tuple[RecordedTile, ...] = ()


NOTHING_DECISIVE = Attention()
