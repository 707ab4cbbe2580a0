"""Whether the discards can be read at all, or asking about each is no help.

On a table whose tiles the reader hardly names, people were asked up to 26 times a hand what a
discard was. What they can do is one thing: more light, a nearer camera, or a set that is made
known. So that is said, once, and the discards are asked about in one question when the hand ends.
"""

from table_assist.game.state import TableState
from table_assist.languages.words import NOTHING, Words
from table_assist.tiles.tile import Tile

LEAST_LYING = 6  # fewer discards tell nothing of a table
LEAST_UNREAD = 3
# Shares of the discards: a usual table's reader leaves one in fifty unread.
HOPELESS, LEGIBLE_AGAIN = 0.25, 0.15


class Legibility:
    """Remembers how the last discards were read that told something: also of the hand before.

    Attributes:
        too_many_unread: so many are unread that none is asked about by itself.
        words: what people can do about it, with the figure; nothing where all is well.
    """

    def __init__(self) -> None:
        self.too_many_unread = False
        self.words = NOTHING

    def update(self, state: TableState) -> None:
        """Take in what is recorded of the discards that lie there."""
        lying = [tile for seat in state.seats for tile in seat.river]
        if len(lying) < LEAST_LYING:
            return
        unread = lying.count(Tile.UNKNOWN)
        share = unread / len(lying)
        if self.too_many_unread:
            self.too_many_unread = share >= LEGIBLE_AGAIN
        else:
            self.too_many_unread = unread >= LEAST_UNREAD and share >= HOPELESS
        self.words = NOTHING
        if self.too_many_unread:
            self.words = Words(
                "{unread} of {lying} discards cannot be read: give more light, bring the camera "
                "closer, make this tile set known by three photographs (enrol), or choose the "
                "rules that have these tiles.",
                "{lying} 张弃牌中有 {unread} 张认不出：请增加光线、将摄像头移近、用三张照片"
                "录入这副牌（enrol），或选用有这些牌的规则。",
                unread=unread,
                lying=len(lying),
            )
