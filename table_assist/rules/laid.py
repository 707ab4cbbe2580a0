"""Kongs and eggs laid during a hand, which are paid for beside any win."""

from dataclasses import dataclass, replace
from enum import StrEnum

from table_assist.rules.shown import Antes, check_seat
from table_assist.rules.verdict import Refusal
from table_assist.tiles.tile import Tile

_NO_ANTES = Antes()


class LaidKind(StrEnum):
    """The kinds of kongs and eggs; the values are the worked examples' ``type``."""

    LUCKY_EGG = "lucky_egg"
    KONG_CONCEALED = "kong_concealed"
    KONG_EXPOSED = "kong_exposed"
    KONG_ADDED = "kong_added"
    GOLDEN_KONG = "golden_kong"


@dataclass(frozen=True, slots=True)
class Laid:
    """One kong or egg, and what became of it.

    Attributes:
        discarder: whose discard made an exposed kong; none if not known or not one.
        tiles: an egg's base tiles; a kong's may be left out.
        supplements: tiles appended to an egg that still stand.
        robbed: an egg lost an appended tile to another player.
        robbed_by: who won with the tile added to a kong.
        won_on_next_discard_by: who won with the discard that followed the kong.
        forbidden: why the rules did not allow it; none if they did. It lies there and is not paid.
        not_allowed: the tiles appended to an egg against the rules, each with the reason.

    Raises:
        ValueError: a seat is none of 0 to 3.
    """

    kind: LaidKind
    seat: int
    discarder: int | None = None
    tiles: tuple[Tile, ...] = ()
    supplements: tuple[Tile, ...] = ()
    robbed: bool = False
    robbed_by: int | None = None
    won_on_next_discard_by: int | None = None
    forbidden: Refusal | None = None
    not_allowed: tuple[tuple[Tile, Refusal], ...] = ()

    @property
    def is_egg(self) -> bool:
        """It is a lucky egg."""
        return self.kind is LaidKind.LUCKY_EGG

    def broken(self, tile: Tile) -> "Laid":
        """The egg without an appended tile that another player took."""
        if self.not_allowed and self.not_allowed[-1][0] is tile:
            return replace(self, not_allowed=self.not_allowed[:-1], robbed=True)
        # The last of all where it was followed; what was told has its tiles in any order.
        such = (at for at, each in enumerate(self.supplements) if each is tile)
        gone = max(such, default=len(self.supplements) - 1)
        rest = tuple(each for at, each in enumerate(self.supplements) if at != gone)
        return replace(self, supplements=rest, robbed=True)

    def __post_init__(self) -> None:
        check_seat("seat", self.seat)
        for what, seat in (
            ("discarder", self.discarder),
            ("robber", self.robbed_by),
            ("winner", self.won_on_next_discard_by),
        ):
            if seat is not None:
                check_seat(what, seat)
                if seat == self.seat:
                    raise ValueError(f"the {what} is seat {seat}, who laid the {self.kind}")


@dataclass(frozen=True, slots=True)
class LaidIn:
    """The hand in which kongs and eggs were laid.

    Attributes:
        drawn: it ended without a winner.
    """

    dealer: int
    antes: Antes = _NO_ANTES
    drawn: bool = False

    def __post_init__(self) -> None:
        check_seat("dealer", self.dealer)
