"""The facts of an evening, in the past tense. Who saw one and how surely is in its `Entry`.

Seats are 0-3 counter-clockwise. A tile nobody could read is `Tile.UNKNOWN`: it is a fact that a
tile was discarded, even when its face is still a question.
"""

from dataclasses import dataclass

from table_assist.melds import MeldKind
from table_assist.tiles import Tile

Transfers = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class WallBuilt:
    """The automatic table has raised a new wall."""


@dataclass(frozen=True, slots=True)
class DiceRolled:
    """Dice fell after the seat's dice key was pressed."""

    seat: int
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class HandStarted:
    """A hand was dealt.

    Attributes:
        hand: counts from 1 through the evening.
        rules: the rule set's id.
        wall_left: tiles in the wall after the deal, the dealer's extra tile taken.
    """

    hand: int
    rules: str
    dealer: int
    wall_left: int


@dataclass(frozen=True, slots=True)
class Discarded:
    """A tile was put into the seat's river."""

    seat: int
    tile: Tile


@dataclass(frozen=True, slots=True)
class Claimed:
    """The last discard was taken and laid down with tiles from the hand.

    Attributes:
        kind: chow, pung or kong_exposed.
        tiles: the whole meld, the claimed tile included.
        discarder: whose discard it was.
    """

    seat: int
    kind: MeldKind
    tiles: tuple[Tile, ...]
    discarder: int


@dataclass(frozen=True, slots=True)
class KongDeclared:
    """A kong from the own hand: kong_concealed, or kong_added onto an exposed pung."""

    seat: int
    kind: MeldKind
    tile: Tile


@dataclass(frozen=True, slots=True)
class ReadyDeclared:
    """The seat pressed its ready key."""

    seat: int


@dataclass(frozen=True, slots=True)
class WinDeclared:
    """The seat says it has won; nothing is judged yet."""

    seat: int


@dataclass(frozen=True, slots=True)
class HandShown:
    """The declared hand lies face up and was read.

    Attributes:
        concealed: the hand's tiles with the winning tile, melds not included.
        self_drawn: the winning tile came from the wall, not from another player.
    """

    seat: int
    concealed: tuple[Tile, ...]
    winning_tile: Tile
    self_drawn: bool


@dataclass(frozen=True, slots=True)
class WinRefused:
    """The shown hand does not win under the rules; the reasons are the judge's ids."""

    seat: int
    refusals: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BirdTurned:
    """A bird tile was turned over after a win."""

    tile: Tile


@dataclass(frozen=True, slots=True)
class Settled:
    """Points moved and the hand is over. The four transfers add up to 0.

    Attributes:
        dealer_next: who deals the next hand; None when the players choose among the winners.
        steps: the arithmetic in words, as (English, Chinese) lines, kept with the hand.
    """

    winners: tuple[int, ...]
    transfers: Transfers
    dealer_next: int | None
    steps: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class WallExhausted:
    """The wall ran out and nobody won."""

    dealer_next: int | None


@dataclass(frozen=True, slots=True)
class HandAbandoned:
    """The tiles went back into the machine before the hand was won or the wall was empty."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A doubt was put to the people at the table.

    Attributes:
        question: id, the same for the same doubt.
        text: (English, Chinese), one sentence.
        choices: what can be tapped: tile text, or the words yes and no.
        about: the entry in doubt, which a chosen tile corrects and "no" retracts; 0 for none.
        if_yes: what "yes" means: it takes the place of the entry in doubt, or is added.
        blocks: the hand is not settled while this is open.
    """

    question: str
    text: tuple[str, str]
    choices: tuple[str, ...]
    about: int = 0
    if_yes: "Event | None" = None
    blocks: bool = False


@dataclass(frozen=True, slots=True)
class Answered:
    """A person answered; an empty answer means the doubt went away by itself."""

    question: str
    answer: str


Event = (
    WallBuilt
    | DiceRolled
    | HandStarted
    | Discarded
    | Claimed
    | KongDeclared
    | ReadyDeclared
    | WinDeclared
    | HandShown
    | WinRefused
    | BirdTurned
    | Settled
    | WallExhausted
    | HandAbandoned
    | Asked
    | Answered
)
