"""People's changes to a hand that they told: a photograph's tile renamed, or the hand tapped in."""

from collections import Counter
from collections.abc import Iterable

from table_assist.contract.snapshot import Snapshot
from table_assist.game.events import HandTold
from table_assist.languages.words import Words, joined
from table_assist.tiles.tile import Tile
from table_assist.tiles.tile_words import tile_words

# A told hand beside the photographs that it was read from: what people have changed by hand.


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


_NOTHING_READ = Words(
    "Tapped in by hand: nothing was read in the photograph", "手动录入：照片中没有读出牌"
)
_CHANGED = Words("Changed by hand: {how}", "手动改过：{how}")
TAPPED = Words("tapped in by hand, no photograph", "手动录入，无照片")


def changed_words(snapshot: Snapshot, seat: int) -> Words | None:
    """How this seat's told hand differs from its photographs; None: it does not, or has none."""
    told = _told(snapshot, seat)
    if told is None or told.read is None:
        return None
    if not told.read:
        return _NOTHING_READ
    how = retold(told.read, _tiles(told))
    return None if how is None else _CHANGED.filled(how=how)


def is_tapped(snapshot: Snapshot, seat: int) -> bool:
    """This seat's hand was told without any photograph."""
    told = _told(snapshot, seat)
    return told is not None and told.read is None and not _has_picture(snapshot, seat)


def _told(snapshot: Snapshot, seat: int) -> HandTold | None:
    return next((hand for hand in reversed(snapshot.state.told) if hand.seat == seat), None)


def _tiles(told: HandTold) -> list[Tile]:
    melds = (tile for meld in told.melds for tile in (*meld.tiles, *meld.supplements))
    return [*told.concealed, *told.bonus, *melds]


def _has_picture(snapshot: Snapshot, seat: int) -> bool:
    """Of an entry that told this hand, now or before it was told anew."""
    pictured = dict(snapshot.entry_evidence)
    return any(
        isinstance(entry.event, HandTold) and entry.event.seat == seat and entry.seq in pictured
        for entry in snapshot.entries
    )
