"""A tile that may be called for, and what a player wants it for."""

from dataclasses import dataclass
from enum import StrEnum

from table_assist.rules.shown import Antes, Circumstance
from table_assist.tiles.melds import Meld
from table_assist.tiles.tile import Tile

NO_ANTES = Antes()


class Call(StrEnum):
    """The kinds of calls."""

    CHOW = "chow"
    PUNG = "pung"
    KONG = "kong"
    """With a discard."""
    KONG_CONCEALED = "kong_concealed"
    KONG_ADDED = "kong_added"
    EGG_SUPPLEMENT = "egg_supplement"
    """To append it to a lucky egg on the table."""
    WIN = "win"


class TileSource(StrEnum):
    """Where the tile lies that is called for."""

    DISCARD = "discard"
    KONG_ADDED = "kong_added"
    """Just added to an exposed pung."""
    KONG_CONCEALED = "kong_concealed"
    EGG_SUPPLEMENT = "egg_supplement"
    """Just appended to a lucky egg."""
    OWN_DRAW = "own_draw"


class Since(StrEnum):
    """The next player's actions since the tile was discarded."""

    NOTHING = "nothing"
    DREW = "next_has_drawn"
    TOOK_REPLACEMENT = "next_took_loose_or_bonus"
    """Grounded a bonus tile or completed a kong."""
    DISCARDED = "next_has_discarded"


class Completes(StrEnum):
    """The set that the tile of a win completes."""

    SPECIAL = "special"
    PUNG = "pung"
    CHOW = "chow"
    PAIR = "pair"


@dataclass(frozen=True, slots=True)
class Offer:
    """A tile that may be called for.

    Attributes:
        seat: who discarded it, added it to a kong or an egg, or drew it.
        wall_remaining: tiles left to draw; none if not known.
        last_four: it is known to be one of the last four tiles of the wall, or later.
        wilds: kinds that are wild.
        treasures: kinds that are the treasure in force.
        antes: what was staked before the deal.
        discard_round: number of the round of discards in progress; none if not known.
        prevailing: the wind of the round; none if not known or of no account.
    """

    tile: Tile
    seat: int
    dealer: int
    source: TileSource = TileSource.DISCARD
    wall_remaining: int | None = None
    last_four: bool = False
    wilds: tuple[Tile, ...] = ()
    treasures: tuple[Tile, ...] = ()
    since: Since = Since.NOTHING
    antes: Antes = NO_ANTES
    discard_round: int | None = None
    prevailing: Tile | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """One player's claim on the tile.

    Attributes:
        hand: the concealed tiles, without the tile called for.
        completes: how a win is completed, where that was said; else it is read off the hand.
        passed: the player let the same tile go by since its last turn.
        sacred: the player has discarded the same tile and not drawn since.
        bonus: flowers and seasons that the player has laid out.
    """

    seat: int
    call: Call
    hand: tuple[Tile, ...]
    melds: tuple[Meld, ...] = ()
    circumstances: frozenset[Circumstance] = frozenset()
    completes: Completes | None = None
    passed: bool = False
    sacred: bool = False
    bonus: tuple[Tile, ...] = ()

    @property
    def is_ready(self) -> bool:
        """The player has declared ready."""
        return Circumstance.READY_DECLARED in self.circumstances
