"""Lucky eggs: combinations laid from the dealt hand, to which drawn tiles may be appended."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from table_assist.languages.words import Words
from table_assist.rules.options import Options
from table_assist.rules.verdict import Refusal
from table_assist.tiles.tile import Tile


@dataclass(frozen=True, slots=True)
class Appended:
    """A tile to be appended to an egg.

    Attributes:
        drawn: it was drawn from the wall; else it is another player's discard.
        wall_remaining: tiles left to draw; none if not known.
    """

    egg: tuple[Tile, ...]
    tile: Tile
    drawn: bool = True
    dealer_first_turn: bool = False
    wall_remaining: int | None = None


@dataclass(frozen=True, slots=True)
class EggRule:
    """Which eggs there are.

    Attributes:
        names: of each kind of egg, by id.
        kind_of: the id of the egg that tiles form, none if they form none.
        refuse: why a tile may not be appended; none if it may.
        needs_replacement: eggs of so many tiles need a replacement draw, as a kong does.
    """

    names: Mapping[str, Words]
    kind_of: Callable[[Sequence[Tile], Options], str | None]
    refuse: Callable[[Appended, Options], Refusal | None]
    needs_replacement: int = 4
