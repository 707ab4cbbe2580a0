"""The additions of a picture to the record."""

from dataclasses import dataclass

from table_assist.game.events import Event
from table_assist.tiles.tile import Tile
from table_assist.vision.table.observation import SeenTile


@dataclass(frozen=True, slots=True)
class Proposed:
    """An event that the picture shows.

    Attributes:
        candidates: when the event's tile is UNKNOWN, the likeliest faces, best first.
        otherwise: what it may have been as well; a person must say.
        is_makeshift: it was read where something lay or moved: a clear reading replaces it.
        seen: the tiles that it lays down, or takes.
    """

    event: Event
    confidence: float
    candidates: tuple[Tile, ...] = ()
    otherwise: Event | None = None
    is_makeshift: bool = False
    seen: tuple[SeenTile, ...] = ()


@dataclass(frozen=True, slots=True)
class Reread:
    """A recorded discard whose face is now seen as `tile`.

    Attributes:
        index: in the seat's river as the state has it.
    """

    seat: int
    index: int
    recorded: Tile
    tile: Tile


@dataclass(frozen=True, slots=True)
class FlowerRead:
    """A flower or season on record whose face is seen for the first time.

    Attributes:
        index: among the seat's flowers and seasons as the state has them.
    """

    seat: int
    index: int
    tile: Tile


@dataclass(frozen=True, slots=True)
class LastDiscard:
    """How the last discard is seen while nobody has acted on it; all false if it is hidden.

    Attributes:
        lies: as it is recorded.
        is_lifted: its place is empty, and the rest of its river lies there.
        instead: another tile, surely read, lies in its place.
    """

    lies: bool = False
    is_lifted: bool = False
    instead: Reread | None = None


@dataclass(frozen=True, slots=True)
class Reveal:
    """A tile of the wall that was looked at before lies open now.

    Attributes:
        number: which of the hand's indicators, from 0.
        unread: it, where it lies there and its face cannot be read.
    """

    number: int
    tile: Tile
    confidence: float
    unread: SeenTile | None = None


@dataclass(frozen=True, slots=True)
class Exposed:
    """A chow that was claimed before lies there now.

    Attributes:
        number: which of the seat's melds, from 0.
    """

    seat: int
    number: int
    tiles: tuple[Tile, ...]
