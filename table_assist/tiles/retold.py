"""A told hand beside the photographs that it was read from: what people have changed by hand."""

from collections import Counter
from collections.abc import Iterable

from table_assist.languages.words import Words, joined
from table_assist.tiles.tile import Tile
from table_assist.tiles.tile_words import tile_words


def retold(read: Iterable[Tile], told: Iterable[Tile]) -> Words | None:
    """The differences between the told hand and the read one; None where it is all the same.

    A tile that could not be read may be any: whoever names it changes nothing.

    >>> from table_assist.tiles.tile import parse_tiles
    >>> retold(parse_tiles("123m ?"), parse_tiles("124m 9p")).en
    '3 characters read, 4 characters, 9 dots told'
    >>> retold(parse_tiles("123m ?"), parse_tiles("123m 9p"))
    """
    seen, said = Counter(read), Counter(told)
    unread = sum(count for tile, count in seen.items() if not tile.is_face)
    added = said - seen
    gone = Counter({tile: n for tile, n in (seen - said).items() if tile.is_face})
    if not gone and added.total() <= unread:
        return None
    now, was = _named(added), _named(gone)
    if not gone:
        return Words("{now} added", "添加{now}", now=now)
    if not added:
        return Words("{was} left out", "去掉{was}", was=was)
    return Words("{was} read, {now} told", "读作{was}，报为{now}", was=was, now=now)


def _named(tiles: Counter[Tile]) -> Words:
    return joined([_counted(tile, tiles[tile]) for tile in sorted(tiles)])


def _counted(tile: Tile, count: int) -> Words:
    name = tile_words(tile)
    return name if count == 1 else Words("{tile} ×{n}", "{tile}×{n}", tile=name, n=count)
