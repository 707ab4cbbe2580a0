"""Tiles and melds as people say them, in English and Chinese."""

from collections.abc import Iterable, Mapping
from itertools import groupby

from table_assist.languages.words import GAP, NOTHING, Joined, Words, same
from table_assist.tiles.melds import Meld, MeldKind
from table_assist.tiles.tile import Tile, format_tiles

SUITS = {
    "m": Words("characters", "万"),
    "p": Words("dots", "筒"),
    "s": Words("bamboo", "条"),
}
MELDS: Mapping[MeldKind, Words] = {
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
    Words("1", "一"),
    Words("2", "二"),
    Words("3", "三"),
    Words("4", "四"),
    Words("5", "五"),
    Words("6", "六"),
    Words("7", "七"),
    Words("8", "八"),
    Words("9", "九"),
)
_HONOURS = {
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
_BONUS = (
    Words("plum", "梅"),
    Words("orchid", "兰"),
    Words("chrysanthemum", "菊"),
    Words("bamboo plant", "竹"),
    Words("spring", "春"),
    Words("summer", "夏"),
    Words("autumn", "秋"),
    Words("winter", "冬"),
)


def tile_words(tile: Tile) -> Words:
    """A tile's name.

    >>> tile_words(Tile.P5)
    Words(en='5 dots', zh='五筒')
    """
    if tile.is_suited:
        suit = SUITS[tile.suit]
        return Words(
            "{number} {suit}",
            "{number}{suit}",
            number=_NUMERALS[tile.number - 1],
            suit=suit,
        )
    if tile.is_honour:
        return _HONOURS[tile]
    if tile.is_bonus:
        return _BONUS[tile - Tile.FLOWER1]
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
        "{code}", "{names}", code=format_tiles(row), names=Joined(map(_row_of, groups), GAP)
    )


def meld_words(meld: Meld) -> Words:
    """A meld, its kind and its tiles."""
    name, tiles = MELDS[meld.kind], tiles_words(meld.tiles + meld.supplements)
    return Words("{name} {tiles}", "{name} {tiles}", name=name, tiles=tiles)


def _row_of(tiles: tuple[Tile, ...]) -> Words:
    """Neighbours of one suit."""
    if tiles[0].is_suited:
        numbers = Joined([_NUMERALS[tile.number - 1] for tile in tiles], NOTHING)
        return Words(
            "{numbers}{suit}", "{numbers}{suit}", numbers=numbers, suit=SUITS[tiles[0].suit]
        )
    if tiles[0].is_honour:
        return Joined([_SHORT[tile] for tile in tiles], NOTHING)
    if tiles[0].is_bonus:
        return Joined([tile_words(tile) for tile in tiles], NOTHING)
    return same(format_tiles(tiles))
