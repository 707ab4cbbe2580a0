"""The facts of an evening, in the past tense. Who saw one and how surely is in its `Entry`.

Two records of one fact agree where all of it does, or what `agree_on` names of it.

Seats are 0-3 counter-clockwise. A tile nobody could read is `Tile.UNKNOWN`: it is a fact that a
tile was discarded, even when its face is still a question.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, ClassVar

from table_assist.game.question import QuestionId
from table_assist.languages.words import Words
from table_assist.rules.options import OptionValue
from table_assist.rules.play_rules import DeadHand
from table_assist.rules.shown import Circumstance
from table_assist.rules.verdict import Transfers as Transfers
from table_assist.tiles.melds import Meld, MeldKind
from table_assist.tiles.tile import Tile, Tiles

# Bounds of an event's numbers, and of its lists: said beside their types.


@dataclass(frozen=True, slots=True)
class Within:
    """From `low` to `high`: a number, or how many a list holds."""

    low: int
    high: int


Seat = Annotated[int, Within(0, 3)]
OfTheWall = Annotated[int, Within(0, 144)]
"""So many of its tiles."""


Tokens = Annotated[int, Within(0, 99)]
Hands = Annotated[tuple[Tiles, ...], Within(0, 4)]


class Throw(StrEnum):
    """The purpose of a throw."""

    UNSAID = ""
    DEALER = "dealer"
    BREAK = "break"
    SECOND_BREAK = "second_break"
    EXCHANGE = "exchange"
    INDICATOR = "indicator"
    """For the column of the tile that makes others wild, or names the treasure."""
    REPLACEMENT = "replacement"
    """For the place of a kong's replacement tile."""


@dataclass(frozen=True, slots=True)
class WallBuilt:
    """The automatic table has raised a new wall."""


@dataclass(frozen=True, slots=True)
class BoardSaid:
    """The board said something from which nothing follows; it is kept as evidence.

    Attributes:
        kind: of the board's event, as in its protocol: ``KEY``, ``LIFT``, ...
        fields: as the board wrote them.
    """

    kind: str
    fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Attested(BoardSaid):
    """An attestation beside the game: nothing follows from it, as with the board's words.

    Attributes:
        kind: ``key`` (of the installation: its public key), ``names`` (the players'), ``rules``
            (sha256 of the printed sheet) or ``picture`` (number of the entry, `Evidence.digest`);
            earlier logs may hold a time stamp (``stamp``), which nothing reads.
    """


@dataclass(frozen=True, slots=True)
class DiceRolled:
    """Dice fell, thrown by the seat or after its dice key was pressed."""

    seat: Seat
    values: Annotated[tuple[Annotated[int, Within(1, 6)], ...], Within(1, 4)]
    throw: Throw = Throw.UNSAID


@dataclass(frozen=True, slots=True)
class GameBegun:
    """A game begins: what it is played from, and what ends it besides the rules.

    Attributes:
        points: what every seat begins with.
        floor: the game is over after the hand that leaves a seat with less; None: never so.
        length: it is over after so many hands that were not given up; 0: any number.
    """

    points: Annotated[int, Within(0, 1_000_000)] = 0
    floor: int | None = None
    length: Annotated[int, Within(0, 9999)] = 0


@dataclass(frozen=True, slots=True)
class DealerChosen:
    """The dealer of the next hand, by dice, lot or consent."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class SeatsChanged:
    """The players took new seats between two hands; each keeps its score.

    Attributes:
        came_from: for each seat, the seat that its player comes from; each of them once.
        east: who deals the next hand, by the new seats; None for who would have dealt it anyway.
    """

    came_from: tuple[Seat, Seat, Seat, Seat]
    east: Seat | None = None


@dataclass(frozen=True, slots=True)
class AntesPlaced:
    """Stakes for the hand that is about to be dealt.

    Attributes:
        challenges: tokens each seat put down against the dealer.
    """

    double_down: bool
    challenges: tuple[Tokens, Tokens, Tokens, Tokens]


@dataclass(frozen=True, slots=True)
class HandStarted:
    """A hand was dealt.

    Attributes:
        hand: counts from 1 through the evening.
        rules: the rule set's id.
        wall_left: tiles to draw after the deal, the dealer's extra tile taken.
        dead: tiles of the wall that stay out of play.
        prevailing: the wind of the round, where there are winds.
        first_east: who was dealer in the first hand of the round.
        profile: id of the house profile; empty where the table has none.
        hash: of the profile and every option in force, see `rules.profile`.
        options: those that differ from the rule set's defaults, so that the hand is always judged
            by the rules under which it was played.
        hands: each seat's dealt tiles, where they are known to the program.
    """

    agree_on: ClassVar = ("dealer",)
    hand: Annotated[int, Within(1, 9999)]
    rules: str
    dealer: Seat
    wall_left: OfTheWall
    dead: OfTheWall = 0
    prevailing: Tile = Tile.EAST
    first_east: Seat = 0
    profile: str = ""
    hash: str = ""
    options: tuple[tuple[str, OptionValue], ...] = ()
    hands: Hands = ()


@dataclass(frozen=True, slots=True)
class BonusLaid:
    """Flowers or seasons were laid out; each is replaced."""

    seat: Seat
    tiles: Tiles


@dataclass(frozen=True, slots=True)
class TilesExchanged:
    """Every seat passed tiles on before play.

    Attributes:
        seats_on: how many seats counter-clockwise they went.
        given: by the seat that gave them, where they are known.
    """

    seats_on: Annotated[int, Within(1, 3)]
    given: Hands = ()


@dataclass(frozen=True, slots=True)
class IndicatorTurned:
    """The tile was looked at that makes others wild, or names the treasure.

    Attributes:
        tile: UNKNOWN as long as it is a secret.
        column: counted from the tail of the wall; 0 when not known.
    """

    tile: Tile
    column: Annotated[int, Within(0, 72)] = 0


@dataclass(frozen=True, slots=True)
class StartingHandShown:
    """A dealt hand was revealed for what it scores before play; it goes back and is played on."""

    seat: Seat
    tiles: Tiles


@dataclass(frozen=True, slots=True)
class EggLaid:
    """A lucky egg was laid from the dealt hand."""

    seat: Seat
    tiles: Tiles


@dataclass(frozen=True, slots=True)
class EggAppended:
    """A tile was put to one of the seat's own eggs.

    Attributes:
        egg: which of the seat's eggs, from 0.
    """

    seat: Seat
    egg: Annotated[int, Within(0, 9)]
    tile: Tile


@dataclass(frozen=True, slots=True)
class Drew:
    """The seat took a tile from the wall.

    Draws need not be told: a discard without one is understood to have been drawn for, and the
    replacement of a kong, an egg or a bonus tile is counted with it. Told then, the face is added.
    """

    seat: Seat
    tile: Tile = Tile.UNKNOWN


@dataclass(frozen=True, slots=True)
class LastTilePassed:
    """The seat left the last tile of the wall to the next."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Discarded:
    """A tile was put into the seat's river."""

    seat: Seat
    tile: Tile


@dataclass(frozen=True, slots=True)
class Claimed:
    """The last discard was taken and laid down with tiles from the hand.

    Attributes:
        kind: chow, pung or kong_exposed.
        tiles: the whole meld, the claimed tile included.
        discarder: whose discard it was.
    """

    seat: Seat
    kind: MeldKind
    tiles: Tiles
    discarder: Seat


@dataclass(frozen=True, slots=True)
class KongDeclared:
    """A kong from the own hand: kong_concealed, or kong_added onto an exposed pung."""

    seat: Seat
    kind: MeldKind
    tile: Tile


@dataclass(frozen=True, slots=True)
class ReadyDeclared:
    """The seat pressed its ready key."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class WinDeclared:
    """The seat says it has won; nothing is judged yet."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class HandShown:
    """The declared hand lies face up and was read.

    Attributes:
        concealed: the hand's tiles with the winning tile, melds not included.
        self_drawn: the winning tile came from the wall, not from another player.
        rush: won by the treasure alone, which was neither drawn nor claimed.
    """

    seat: Seat
    concealed: Tiles
    winning_tile: Tile
    self_drawn: bool
    rush: bool = False


@dataclass(frozen=True, slots=True)
class WinRefused:
    """The shown hand does not win under the rules; the reasons are the judge's ids."""

    agree_on: ClassVar = ("seat",)
    seat: Seat
    refusals: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HandLaidDown:
    """A hand that has not won lies open for the settlement.

    Attributes:
        concealed: its tiles, melds not included.
    """

    seat: Seat
    concealed: Tiles


@dataclass(frozen=True, slots=True)
class HandTold:
    """A hand that people told or photographed, and no camera followed.

    It stands for all that led to it: its melds, and how the win came about.

    Attributes:
        concealed: the hand's tiles with the winning tile, melds not included.
        melds: all of this seat's; kongs among them are paid for.
        claimed_from: for each meld, whose tile it holds; None for nobody's, or where not said.
        winning_tile: None: it has not won, and lies open for the settlement.
        discarder: whose tile was won, discarded or robbed; None for a self-drawn one.
        circumstances: how the win came about.
        wall_left: tiles left to draw after the win; None if not said.
        discard_round: the round of discards in which it was won, from 1; None if not said.
        bonus: flowers and seasons laid out.
        undoes: of the discarder's kongs and eggs the one that is robbed, or that the discard came
            right after: its tiles as they are on record; empty if not said. It is said with the
            win, or with the kongs and eggs that are told after it.
        broken: which of the melds are eggs that lost a tile to another player, from 0: their tiles
            are those that were left.
        chased: in the first round all discarded the tile that the dealer did.
        read: all its tiles as photographs were read, before people named any; empty: nothing could
            be read in them; None: there were none.
    """

    seat: Seat
    concealed: Tiles
    melds: tuple[Meld, ...] = ()
    claimed_from: Annotated[tuple[Seat | None, ...], Within(0, 4)] = ()
    winning_tile: Tile | None = None
    discarder: Seat | None = None
    circumstances: tuple[Circumstance, ...] = ()
    wall_left: OfTheWall | None = None
    discard_round: Annotated[int, Within(1, 99)] | None = None
    bonus: Tiles = ()
    undoes: Tiles = ()
    broken: Annotated[tuple[Annotated[int, Within(0, 3)], ...], Within(0, 4)] = ()
    chased: bool = False
    read: Tiles | None = None


@dataclass(frozen=True, slots=True)
class IrregularityNoted:
    """The seat broke a rule of play, and it is on record.

    Attributes:
        irregularity: its id in the rule set's list.
        dead: the hand is dead from now on; None if it is not.
    """

    agree_on: ClassVar = ("seat", "irregularity")
    seat: Seat
    irregularity: str
    dead: DeadHand | None = None


@dataclass(frozen=True, slots=True)
class Penalised:
    """Points that a referee or the rules moved beside any hand. They add up to 0."""

    agree_on: ClassVar = ("transfers",)
    transfers: Transfers
    reason: Words


@dataclass(frozen=True, slots=True)
class Ruled:
    """A referee decided, and no points move by it."""

    seat: Seat
    reason: Words


@dataclass(frozen=True, slots=True)
class BirdTurned:
    """A bird tile was turned over after a win."""

    tile: Tile


@dataclass(frozen=True, slots=True)
class Settled:
    """Points moved and the hand is over. The four transfers add up to 0.

    Attributes:
        dealer_next: who deals the next hand; None when the players choose among the winners.
        steps: the arithmetic in words, line by line, kept with the hand.
        prevailing: the wind of the next hand, where there are winds; None for the same.
        game_over: all rounds are played.
    """

    agree_on: ClassVar = ("winners", "transfers")
    winners: Annotated[tuple[Seat, ...], Within(0, 4)]
    transfers: Transfers
    dealer_next: Seat | None
    steps: tuple[Words, ...] = ()
    prevailing: Tile | None = None
    game_over: bool = False


@dataclass(frozen=True, slots=True)
class WallExhausted:
    """The wall ran out and nobody won.

    Attributes:
        transfers: what kongs, eggs and the like are paid all the same.
    """

    agree_on: ClassVar = ("dealer_next", "transfers")
    dealer_next: Seat | None
    transfers: Transfers = (0, 0, 0, 0)
    steps: tuple[Words, ...] = ()
    prevailing: Tile | None = None
    game_over: bool = False


@dataclass(frozen=True, slots=True)
class HandAbandoned:
    """The tiles went back into the machine before the hand was won or the wall was empty."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A doubt was put to the people at the table.

    Attributes:
        text: one sentence; ``{2}`` stands for the name of the player in seat 2.
        choices: what can be tapped: tile text, or the words yes and no.
        about: the entry in doubt, which a chosen tile corrects and "no" retracts; 0 for none.
        if_yes: what "yes" means: it takes the place of the entry in doubt, or is added.
        blocks: the hand is not settled while this is open.
        lasts: it stays open when the next hand begins.
    """

    question: QuestionId
    text: Words
    choices: tuple[str, ...]
    about: int = 0
    if_yes: "Event | None" = None
    blocks: bool = False
    lasts: bool = False


@dataclass(frozen=True, slots=True)
class Answered:
    """A person answered; an empty answer means the doubt went away by itself."""

    question: QuestionId
    answer: str


@dataclass(frozen=True, slots=True)
class Agreed:
    """A player gave a word on the own phone to what waits for more than one.

    Attributes:
        to: a settlement by its name (`acceptance.name_of`), or an answer (`answer_name`).
    """

    seat: Seat
    to: str


@dataclass(frozen=True, slots=True)
class PlayerNamed:
    """A player said the own name.

    Attributes:
        seat: where the player sits now; the name goes along to other seats.
    """

    seat: Seat
    name: str


@dataclass(frozen=True, slots=True)
class ClockSet:
    """The players gave themselves so much time from then on; 0: as much as they like.

    What stays the same goes on: the time that is gone is gone (`record.clock`).

    Attributes:
        evening_s: for all that is played.
        round_s: for each round.
        think_s: for each turn.
        running: False: it stands until it is said to run again.
    """

    evening_s: int = 0
    round_s: int = 0
    think_s: int = 0
    running: bool = True


# Families of events: what is so for all of one is said of the family. What differs within one is
# told event by event, and `tests/game/test_course_kong_roll.py` holds a row for each.
Preparation = (
    WallBuilt | DiceRolled | GameBegun | DealerChosen | SeatsChanged | AntesPlaced | HandStarted
)
BetweenHands = WallBuilt | GameBegun | DealerChosen | SeatsChanged | AntesPlaced
Deal = BonusLaid | TilesExchanged | IndicatorTurned | StartingHandShown | EggLaid | EggAppended
Play = Drew | LastTilePassed | Discarded | Claimed | KongDeclared | ReadyDeclared
# A hand lies face up, as the camera sees it; and one that was declared a win, seen or told.
OpenHand = HandShown | HandLaidDown
DeclaredHand = HandShown | HandTold
Showing = HandShown | WinRefused | HandLaidDown | HandTold | BirdTurned
# Tiles are put down before the seat, beside the hand.
Melded = Claimed | KongDeclared
PutDown = BonusLaid | EggLaid | EggAppended | Melded
# The last discard may be among the tiles that are put down.
Taking = Claimed | EggAppended
# A player's own word on the own hand.
OwnWord = ReadyDeclared | WinDeclared | LastTilePassed
# Its tiles lie open from then on, and a settlement may rest on how a camera read them.
OneTile = BirdTurned | Discarded | IndicatorTurned | KongDeclared
Readable = OpenHand | OneTile | Claimed | BonusLaid
# Events with a meaning under the rules of a hand alone.
OfAHand = Deal | Play | Showing | IrregularityNoted
PlayedOut = Settled | WallExhausted
End = PlayedOut | HandAbandoned
# Something was decided by it, or rests on it.
Decision = WinDeclared | DeclaredHand | WinRefused | IrregularityNoted | Penalised | Ruled | End
# Everybody sees it, and no verdict rests on it before a hand is shown.
OpenPlay = PutDown | Discarded | Drew | BirdTurned
# What a caller says aloud of it.
Called = PutDown | Discarded | BirdTurned | OwnWord | WinRefused | PlayedOut
# Events at the table, which people can tell.
Fact = Preparation | OfAHand | WinDeclared | Penalised | Ruled | End
# Events beside the game: the program's questions and attestations, people's words on them and on
# themselves, and the board's other words.
Questioning = Asked | Answered
Beside = BoardSaid | Attested | Questioning | Agreed | PlayerNamed | ClockSet
Event = Fact | Beside


def tiles_of(event: object) -> Tiles:
    """The tiles that lie open with it, and that somebody may have to name."""
    if isinstance(event, OpenHand):
        return event.concealed
    if isinstance(event, Claimed | BonusLaid | StartingHandShown):
        return event.tiles
    return (event.tile,) if isinstance(event, OneTile) else ()
