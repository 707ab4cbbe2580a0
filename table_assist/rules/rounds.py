"""Rounds of winds: who is East, and what four hands of known value settle."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from table_assist.languages.words import Words
from table_assist.rules.shown import SEATS, Circumstance, check_seat
from table_assist.tiles.melds import Meld
from table_assist.tiles.tile import Tile


class DeadHand(StrEnum):
    """Why a hand is dead."""

    LONG = "long"
    """Too many tiles, or a false win."""
    SHORT = "short"


@dataclass(frozen=True, slots=True)
class HandValues:
    """Four hands as they are valued at the end, points and doubles done.

    Attributes:
        values: by seat, before the limit.
        winner: none after a draw.
        limit: no hand counts more; none for the one in the options.
        dead: seats whose hands are dead.

    Raises:
        ValueError: a seat is none, a value is negative, or the winner's hand is dead.
    """

    values: tuple[int, int, int, int]
    winner: int | None
    east: int
    limit: int | None = None
    dead: Mapping[int, DeadHand] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_seat("east", self.east)
        if self.winner is not None:
            check_seat("winner", self.winner)
        for seat in self.dead:
            check_seat("dead hand", seat)
        if min(self.values) < 0 or (self.limit is not None and self.limit < 0):
            raise ValueError(
                f"hands of {self.values} with the limit {self.limit}: none is negative"
            )
        if self.winner in self.dead:
            raise ValueError(f"the hand of seat {self.winner} is dead and cannot have won")


@dataclass(frozen=True, slots=True)
class LosingHand:
    """A hand that did not win, as it lies open for the settlement.

    Attributes:
        concealed: its tiles beside the melds.
        bonus: flowers and seasons laid out.
    """

    concealed: tuple[Tile, ...]
    melds: tuple[Meld, ...]
    bonus: tuple[Tile, ...]
    seat: int
    east: int
    prevailing: Tile
    circumstances: frozenset[Circumstance] = frozenset()

    def __post_init__(self) -> None:
        check_seat("seat", self.seat)
        check_seat("east", self.east)


@dataclass(frozen=True, slots=True)
class HandValue:
    """A hand's worth, before any limit.

    Attributes:
        steps: the arithmetic in words.
    """

    value: int
    steps: tuple[Words, ...] = ()


@dataclass(frozen=True, slots=True)
class RoundResult:
    """How a hand ended, as far as the next East and wind depend on it.

    Attributes:
        first_east: who was East in the first hand of the round.
        prevailing: the wind of the round.
        winner: none after a draw.
        streak: wins that East had in a row before this hand, draws aside.
    """

    east: int
    first_east: int
    prevailing: Tile
    winner: int | None = None
    streak: int = 0

    def __post_init__(self) -> None:
        check_seat("east", self.east)
        check_seat("first east", self.first_east)
        if self.winner is not None:
            check_seat("winner", self.winner)
        if not self.prevailing.is_wind:
            raise ValueError(f"the prevailing wind is {self.prevailing}; it is E, S, W or N")


@dataclass(frozen=True, slots=True)
class RoundNext:
    """The next hand's dealer and round.

    Attributes:
        east: none when the game is over.
        limit_hand: East has won so often that the hand counts as a limit hand.
    """

    east: int | None
    prevailing: Tile
    limit_hand: bool = False

    @property
    def game_over(self) -> bool:
        """All rounds are played."""
        return self.east is None


def own_wind(seat: int, east: int) -> Tile:
    """The wind of a seat.

    >>> str(own_wind(1, 3))
    'W'
    """
    return Tile(Tile.EAST + (seat - east) % SEATS)
