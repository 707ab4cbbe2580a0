"""Melds, sets that a player has laid down; and how people say tiles and melds."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

from table_assist.languages.words import NOTHING, SPACED, Joined, Words, same
from table_assist.tiles.tile import Tile, Tiles, format_tiles


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
        return self in (MeldKind.CHOW, MeldKind.PUNG, MeldKind.KONG_EXPOSED, MeldKind.KONG_ADDED)


@dataclass(frozen=True, slots=True)
class Meld:
    """A set on the table. Nothing is checked: a wrong meld must be representable too.

    Attributes:
        tiles: the tiles as declared; a lucky egg's base tiles.
        supplements: tiles appended to a lucky egg; else empty.
    """

    kind: MeldKind
    tiles: Tiles
    supplements: Tiles = ()

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


def is_set(kind: MeldKind, tiles: Tiles) -> bool:
    """Whether the tiles form that kind of set.

    >>> is_set(MeldKind.CHOW, (Tile.M2, Tile.M1, Tile.M3)), is_set(MeldKind.PUNG, (Tile.M1,) * 3)
    (True, True)
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


SUITS = {
    "m": Words("characters", "万"),
    "p": Words("dots", "筒"),
    "s": Words("bamboo", "条"),
}
MELD_NAMES: Mapping[MeldKind, Words] = {
    MeldKind.CHOW: Words("chow", "吃"),
    MeldKind.PUNG: Words("pung", "碰"),
    MeldKind.KONG_EXPOSED: Words("exposed kong", "明杠"),
    MeldKind.KONG_CONCEALED: Words("concealed kong", "暗杠"),
    MeldKind.KONG_ADDED: Words("added kong", "补杠"),
    MeldKind.LUCKY_EGG: Words("lucky egg", "蛋"),
}
UNREADABLE = Words("a tile nobody could read", "一张看不清的牌")
FACE_DOWN = Words("a tile face down", "一张扣着的牌")
_NUMERALS = (
    Words("1", "一"), Words("2", "二"), Words("3", "三"), Words("4", "四"), Words("5", "五"),
    Words("6", "六"), Words("7", "七"), Words("8", "八"), Words("9", "九"),
)  # fmt: skip
_HONOUR_NAMES = {
    Tile.EAST: Words("east wind", "东风"),
    Tile.SOUTH: Words("south wind", "南风"),
    Tile.WEST: Words("west wind", "西风"),
    Tile.NORTH: Words("north wind", "北风"),
    Tile.RED: Words("red dragon", "红中"),
    Tile.GREEN: Words("green dragon", "发财"),
    Tile.WHITE: Words("white dragon", "白板"),
}
# The short form of an honour's name where several tiles stand in a row.
_SHORT = {
    Tile.EAST: Words("E", "东"),
    Tile.SOUTH: Words("S", "南"),
    Tile.WEST: Words("W", "西"),
    Tile.NORTH: Words("N", "北"),
    Tile.RED: Words("C", "中"),
    Tile.GREEN: Words("F", "发"),
    Tile.WHITE: Words("P", "白"),
}
_BONUS_NAMES = (
    Words("plum", "梅"), Words("orchid", "兰"), Words("chrysanthemum", "菊"),
    Words("bamboo plant", "竹"), Words("spring", "春"), Words("summer", "夏"),
    Words("autumn", "秋"), Words("winter", "冬"),
)  # fmt: skip


def tile_words(tile: Tile) -> Words:
    """A tile's name.

    >>> tile_words(Tile.P5)
    Words(en='5 dots', zh='五筒')
    """
    if tile.is_suited:
        number, suit = _NUMERALS[tile.number - 1], SUITS[tile.suit]
        return Words("{number} {suit}", "{number}{suit}", number=number, suit=suit)
    if tile.is_honour:
        return _HONOUR_NAMES[tile]
    if tile.is_bonus:
        return _BONUS_NAMES[tile - Tile.FLOWER1]
    return FACE_DOWN if tile is Tile.BACK else UNREADABLE


def tile_noted(tile: Tile) -> Words:
    """A tile's notation in English, elsewhere its name.

    >>> tile_noted(Tile.WHITE)
    Words(en='P', zh='白板')
    """
    return Words("{code}", "{name}", code=tile, name=tile_words(tile))


def tiles_words(tiles: Iterable[Tile]) -> Words:
    """Tiles in a row: the text notation in English, elsewhere as they are called.

    >>> from table_assist.tiles.tile import parse_tiles
    >>> tiles_words(parse_tiles("123m EE C ?"))
    Words(en='123m EEC ?', zh='一二三万 东东中 ?')
    """
    row = tuple(tiles)
    groups = [tuple(same) for _, same in groupby(row, key=lambda tile: tile.suit)]
    return Words(
        "{code}", "{names}", code=format_tiles(row), names=Joined(map(_row_of, groups), SPACED)
    )


def meld_words(meld: Meld) -> Words:
    """A meld, its kind and its tiles."""
    name, tiles = MELD_NAMES[meld.kind], tiles_words(meld.tiles + meld.supplements)
    return Words("{name} {tiles}", "{name} {tiles}", name=name, tiles=tiles)


def _row_of(tiles: Tiles) -> Words:
    """Neighbours of one suit."""
    if tiles[0].is_suited:
        numbers = Joined([_NUMERALS[tile.number - 1] for tile in tiles], NOTHING)
        return Words(
            "{numbers}{suit}", "{numbers}{suit}", numbers=numbers, suit=SUITS[tiles[0].suit]
        )
    if tiles[0].is_honour or tiles[0].is_bonus:
        return Joined([_SHORT.get(tile, tile_words(tile)) for tile in tiles], NOTHING)
    return same(format_tiles(tiles))
