"""People's changes to a hand that they told: a photograph's tile renamed, or the hand tapped in."""

from table_assist.contract.snapshot import Snapshot
from table_assist.game.events import HandTold
from table_assist.languages.words import Words
from table_assist.tiles.retold import retold
from table_assist.tiles.tile import Tile

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
