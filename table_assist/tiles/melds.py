"""Melds: sets that a player has laid down."""

from dataclasses import dataclass
from enum import StrEnum

from table_assist.tiles.tile import Tile, format_tiles, parse_tiles


class MeldKind(StrEnum):
    """The kinds of melds; the values are those of the worked examples' ``type``."""

    CHOW = "chow"
    PUNG = "pung"
    KONG_EXPOSED = "kong_exposed"
    KONG_CONCEALED = "kong_concealed"
    KONG_ADDED = "kong_added"
    LUCKY_EGG = "lucky_egg"

    @property
    def is_kong(self) -> bool:
        """Any of the three kongs."""
        return self in (MeldKind.KONG_EXPOSED, MeldKind.KONG_CONCEALED, MeldKind.KONG_ADDED)

    @property
    def is_claimed(self) -> bool:
        """Made with another player's discard (an added kong stands on a claimed pung)."""
        return self in (
            MeldKind.CHOW,
            MeldKind.PUNG,
            MeldKind.KONG_EXPOSED,
            MeldKind.KONG_ADDED,
        )


@dataclass(frozen=True, slots=True)
class Meld:
    """A set on the table. Nothing is checked: a wrong meld must be representable too.

    Attributes:
        tiles: the tiles as declared; a lucky egg's base tiles.
        supplements: tiles appended to a lucky egg; else empty.
    """

    kind: MeldKind
    tiles: tuple[Tile, ...]
    supplements: tuple[Tile, ...] = ()

    def __str__(self) -> str:
        return f"{self.kind} {format_tiles(self.tiles + self.supplements)}"

    @property
    def is_well_formed(self) -> bool:
        """The tiles are what the kind says (lucky eggs are judged by their own rule set)."""
        return is_set(self.kind, self.tiles)

    @property
    def is_unexposed(self) -> bool:
        """A chow of which only the claimed tile is known: its player has not laid it down yet."""
        faces = sum(tile.is_face for tile in self.tiles)
        return self.kind is MeldKind.CHOW and len(self.tiles) == 3 and faces == 1


def parse_meld(kind: str, tiles: str, supplements: str = "") -> Meld:
    """Build a meld from text.

    >>> str(parse_meld("pung", "555p"))
    'pung 555p'

    Raises:
        ValueError: unknown kind or tiles.
    """
    return Meld(MeldKind(kind), parse_tiles(tiles), parse_tiles(supplements))


def is_set(kind: MeldKind, tiles: tuple[Tile, ...]) -> bool:
    """Whether the tiles form that kind of set.

    >>> is_set(MeldKind.CHOW, parse_tiles("213m")), is_set(MeldKind.PUNG, parse_tiles("112m"))
    (True, False)
    """
    match kind:
        case MeldKind.CHOW:
            low, *rest = sorted(tiles) or [Tile.UNKNOWN]
            return (
                len(rest) == 2
                and all(tile.is_suited and tile.suit == low.suit for tile in (low, *rest))
                and [int(tile) for tile in rest] == [low + 1, low + 2]
            )
        case MeldKind.LUCKY_EGG:
            return len(tiles) in (3, 4)
        case _:
            size = 4 if kind.is_kong else 3
            return len(tiles) == size and len(set(tiles)) == 1 and tiles[0].is_face
