"""A shown hand, by which a declared win is judged; and a tile on offer, with who wants it."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from table_assist.tiles.melds import Meld
from table_assist.tiles.tile import Tile, Tiles

SEAT_COUNT = 4


class Circumstance(StrEnum):
    """How the win came about; the values are the worked examples' flags."""

    READY_DECLARED = "ready_declared"
    READY_AFTER_KONG = "ready_after_kong"
    """The winner's concealed kong lay already when it declared ready."""
    SACRED_DISCARD = "sacred_discard"
    """The winner has discarded such a tile itself, and not drawn since."""
    TILE_INTO_HAND = "tile_into_hand"
    """The winning tile went into the hand, and was not shown at once."""
    TRIPLETS_UNMARKED = "triplets_unmarked"
    """The concealed triplets were laid down without a mark."""
    TREASURE_RUSH = "treasure_rush"
    """Won by the treasure alone: nothing drawn, nothing claimed."""
    ROBBING_KONG = "robbing_kong"
    ROBBED_EGG_SUPPLEMENT = "robbed_egg_supplement"
    ROBBED_REGULAR_KONG = "robbed_regular_kong"
    AFTER_KONG = "after_kong"
    """Self-drawn as the replacement tile of the winner's own kong."""
    AFTER_KONG_CONCEALED = "after_kong_concealed"
    AFTER_KONG_EXPOSED = "after_kong_exposed"
    AFTER_KONG_ADDED = "after_kong_added"
    AFTER_BONUS = "after_bonus"
    """Self-drawn as the replacement tile of a flower or season."""
    AFTER_KONG_DISCARD = "after_kong_discard"
    """Claimed from the discard that followed the discarder's kong."""
    LAST_TILE = "last_tile"
    LAST_TILE_WAS_KONG_REPLACEMENT = "last_tile_was_kong_replacement"
    FIRST_TURN = "first_turn"
    """The dealer's opening hand, or a non-dealer's first draw before any call."""


class Situation(NamedTuple):
    """How a win came about, whatever the tiles are."""

    winner: int
    dealer: int
    self_drawn: bool
    discarder: int | None
    circumstances: frozenset[Circumstance]

    def came_by(self, circumstance: Circumstance) -> bool:
        """Whether the win came about like that."""
        return circumstance in self.circumstances


@dataclass(frozen=True, slots=True)
class Antes:
    """The stakes before the deal.

    Attributes:
        challenges: tokens each seat put down against the dealer.
    """

    double_down: bool = False
    challenges: tuple[int, int, int, int] = (0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class ShownHand:
    """A hand declared as a win. Its tiles may be wrong in any way: judging them is the point.

    Attributes:
        concealed: the tiles in hand **with the winning tile**, also when it was claimed.
        winning_tile: the last tile of the hand; one copy of it among ``concealed``.
        discarder: whose discard or robbed tile was won; none on a self-draw.
        wall_remaining: tiles left to draw after the winner's draw; none if not known.
        birds: tiles turned up after the win; none if they are not drawn (yet).
        treasures: kinds that are the treasure in force.
        wilds: kinds that are wild.
        discard_round: number of the round of discards in progress, from 1; none if not known.
        bonus: flowers and seasons that the winner has laid out.
        prevailing: the wind of the round; none if not known or of no account.
        is_followed: nobody said these facts: they are of the play itself, however short its wall.
        is_said: people say these facts of a hand that they have played: no example, which may leave
            out what its facts rest on.

    Raises:
        ValueError: a seat is none of 0 to 3, or the winner is its own discarder.
    """

    concealed: Tiles
    winning_tile: Tile
    winner: int
    dealer: int
    melds: tuple[Meld, ...] = ()
    self_drawn: bool = False
    discarder: int | None = None
    circumstances: frozenset[Circumstance] = frozenset()
    wall_remaining: int | None = None
    birds: Tiles | None = None
    treasures: Tiles = ()
    wilds: Tiles = ()
    antes: Antes = Antes()
    discard_round: int | None = None
    bonus: Tiles = ()
    prevailing: Tile | None = None
    is_followed: bool = False
    is_said: bool = False

    def __post_init__(self) -> None:
        check_seat("winner", self.winner)
        check_seat("dealer", self.dealer)
        if self.discarder is not None:
            check_seat("discarder", self.discarder)
            if self.discarder == self.winner:
                raise ValueError(f"seat {self.winner} cannot win on its own discard")

    @property
    def tiles(self) -> Tiles:
        """Concealed tiles and melds, kongs' fourths and egg supplements included."""
        return self.concealed + tuple(
            tile for meld in self.melds for tile in meld.tiles + meld.supplements
        )

    @property
    def situation(self) -> Situation:
        """How the win came about."""
        return Situation(
            self.winner, self.dealer, self.self_drawn, self.discarder, self.circumstances
        )

    @property
    def before_the_win(self) -> "ReadyHand":
        """The hand without its winning tile."""
        held = list(self.concealed)
        held.remove(self.winning_tile)
        return ReadyHand(tuple(held), self.melds, self.winner, self.dealer)

    @property
    def payers(self) -> tuple[int, ...]:
        """The discarder, or the three others when there is none."""
        if self.discarder is not None:
            return (self.discarder,)
        return tuple(seat for seat in range(SEAT_COUNT) if seat != self.winner)


@dataclass(frozen=True, slots=True)
class ReadyHand:
    """A hand as it is when its player declares ready, after the discard.

    Attributes:
        concealed: 13 tiles less three for each meld.
        discard_number: the declaring discard is the player's so-manyth; none if not known.
        hand_changed: the hand was changed after it was declared.
    """

    concealed: Tiles
    melds: tuple[Meld, ...] = ()
    seat: int = 0
    dealer: int = 0
    wilds: Tiles = ()
    treasures: Tiles = ()
    discard_number: int | None = None
    hand_changed: bool = False

    def __post_init__(self) -> None:
        check_seat("seat", self.seat)
        check_seat("dealer", self.dealer)


def check_seat(what: str, seat: int) -> None:
    """Refuse what is no seat.

    Raises:
        ValueError: not 0 to 3.
    """
    if type(seat) is not int or not 0 <= seat < SEAT_COUNT:
        raise ValueError(f"{what} is {seat!r}; a seat is 0, 1, 2 or 3")


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
    wilds: Tiles = ()
    treasures: Tiles = ()
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
    hand: Tiles
    melds: tuple[Meld, ...] = ()
    circumstances: frozenset[Circumstance] = frozenset()
    completes: Completes | None = None
    passed: bool = False
    sacred: bool = False
    bonus: Tiles = ()

    @property
    def is_ready(self) -> bool:
        """The player has declared ready."""
        return Circumstance.READY_DECLARED in self.circumstances
