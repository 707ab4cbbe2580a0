"""The game's attention: those zones are read afresh, whatever is remembered of them."""

from dataclasses import dataclass

from table_assist.vision.table.zones import Zone


@dataclass(frozen=True, slots=True)
class Attention:
    """The zones that matter at this moment.

    Attributes:
        wanted: zones in which something decisive lies or is about to be laid.
        bare: zones over which nothing lies, as people have said: what was taken for a thing is
            the cloth, or a shadow.
        is_undealt: all tiles stand in the wall: what lies elsewhere is none.
    """

    wanted: frozenset[Zone] = frozenset()
    bare: frozenset[Zone] = frozenset()
    is_undealt: bool = False


NOTHING_DECISIVE = Attention()
