"""The commands of a person at the table to the session, and what one would change."""

import hashlib
from dataclasses import dataclass

from table_assist.game.events import Asked, Event, HandTold, Transfers
from table_assist.game.question import QuestionId
from table_assist.game.state import NO_TRANSFERS
from table_assist.languages.words import Words
from table_assist.rules.play_rules import DeadHand
from table_assist.rules.shown import Antes
from table_assist.tiles.tile import Tile, Tiles


class NotKeptError(Exception):
    """A command of which nothing is on disk: nobody may be told that it is done.

    Attributes:
        words: why, and what became of it, in one sentence.
        is_withdrawn: it was taken back before anything was done.
    """

    def __init__(self, words: Words, *, is_withdrawn: bool = False) -> None:
        super().__init__(words.en)
        self.words = words
        self.is_withdrawn = is_withdrawn


@dataclass(frozen=True, slots=True)
class Answer:
    """A person answers an open question with one of its choices.

    Attributes:
        seat: who answers on the own phone what all may answer (`acceptance`): others may have to
            say the same; None for one whose word is enough.
    """

    question: QuestionId
    answer: str
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Undo:
    """A person takes the log's entry back."""

    seq: int


@dataclass(frozen=True, slots=True)
class StartHand:
    """A person says that a hand was dealt: for tables without a board."""

    dealer: int


@dataclass(frozen=True, slots=True)
class DeclareWin:
    """A person says that the seat declares a win, as its win key would."""

    seat: int


@dataclass(frozen=True, slots=True)
class DeclareReady:
    """A person says that the seat declares ready, as its ready key would."""

    seat: int


@dataclass(frozen=True, slots=True)
class PassLastTile:
    """A person says that the seat leaves the last tile to the next, as its pass key would."""

    seat: int


@dataclass(frozen=True, slots=True)
class EndHand:
    """A person says that the tiles go back: the wall is empty or the hand is given up."""


@dataclass(frozen=True, slots=True)
class BeginGame:
    """A person says that a game begins, from how many points, and what ends it.

    Attributes:
        floor: it is over once a seat has less; None: never so.
        length: after so many hands it is over; 0: any number.
    """

    points: int
    floor: int | None = None
    length: int = 0


@dataclass(frozen=True, slots=True)
class PlaceAntes:
    """A person says what is staked on the next hand.

    Attributes:
        challenges: tokens each seat puts down against the dealer.
    """

    double_down: bool
    challenges: tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class ChangeSeats:
    """People take new seats between two hands: at a new round, or when they agree on it.

    Attributes:
        came_from: for each seat, the seat that its player comes from.
        east: who deals next, by the new seats; None for who would have dealt it anyway.
    """

    came_from: tuple[int, int, int, int]
    east: int | None = None


@dataclass(frozen=True, slots=True)
class ChooseDealer:
    """A person says who deals the next hand, where the rules leave it to lot or consent."""

    seat: int


@dataclass(frozen=True, slots=True)
class TellTreasure:
    """A seat that declared ready says which tile it looked at, hidden from the others."""

    seat: int
    tile: Tile


@dataclass(frozen=True, slots=True)
class TellHand:
    """A person tells a hand that no camera followed; a hand begins with it if none is running.

    Attributes:
        dealer: who dealt it, where no hand is running and the rules leave it open.
        indicator: the tile that was turned for wild tiles or the treasure; None if not said.
        photos: the photographs that it was read from, by their ids.
        antes: what was staked before the deal; None if not said.
    """

    hand: HandTold
    dealer: int | None = None
    indicator: Tile | None = None
    photos: tuple[str, ...] = ()
    antes: Antes | None = None


@dataclass(frozen=True, slots=True)
class TellOpening:
    """A person tells a dealt hand that scores before play, as it was shown.

    Attributes:
        dealer: as in `TellHand`.
    """

    seat: int
    tiles: Tiles
    dealer: int | None = None


@dataclass(frozen=True, slots=True)
class RaiseObjection:
    """A player does not agree with the hand that is shown: it waits until a person has answered."""

    seat: int


@dataclass(frozen=True, slots=True)
class TellBirds:
    """A person tells the birds that were turned after a win."""

    tiles: Tiles


@dataclass(frozen=True, slots=True)
class TellDraw:
    """A person says that a hand that no camera followed ended with the wall, and nobody won.

    Attributes:
        last_drawer: who drew the last tile; None if not said.
        last_passed: all four left the last tile to the next, this seat as the fourth.
        chased: in the first round all discarded the tile that the dealer did.
        dealer: as in `TellHand`.
    """

    last_drawer: int | None = None
    dealer: int | None = None
    last_passed: int | None = None
    chased: bool = False


@dataclass(frozen=True, slots=True)
class Settle:
    """A person accepts the settlement that is shown.

    Attributes:
        hand: an earlier hand that is to be settled as it is recorded; 0: the one on the table.
        seen: the name of the settlement that was looked at, see `acceptance.name_of`: it is refused
            if another one is shown by now; empty for whichever is shown.
    """

    hand: int = 0
    seen: str = ""


@dataclass(frozen=True, slots=True)
class AcceptSettlement:
    """A player accepts the settlement that is shown, for the own seat.

    Attributes:
        seen: as in `Settle`.
    """

    seat: int
    seen: str


@dataclass(frozen=True, slots=True)
class WithdrawAcceptance:
    """A player takes the own acceptance back, and with it what was settled by it."""

    seat: int


@dataclass(frozen=True, slots=True)
class NamePlayer:
    """The player at that seat has this name from now on.

    Attributes:
        gone: seats whose players have no phone in any more: names that they said are free.
    """

    seat: int
    name: str
    gone: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class SetClock:
    """A person gives everybody so much time, in seconds; 0: as much as they like.

    Attributes:
        running: False: the clock stands.
    """

    evening_s: int
    round_s: int
    think_s: int
    running: bool


@dataclass(frozen=True, slots=True)
class Correct:
    """A person says what the entry's event was in truth, in this hand or an earlier one."""

    seq: int
    event: Event


@dataclass(frozen=True, slots=True)
class Insert:
    """A person says what is missing before the entry; 0: at the end of what is recorded."""

    before: int
    event: Event


@dataclass(frozen=True, slots=True)
class Rule:
    """A referee's ruling on the hand that is running, or between two hands.

    Attributes:
        irregularity: its id in the rule set's list; empty for points alone.
        transfers: points that it costs; they add up to 0.
        dead: how the hand is dead from now on; None if it is not.
        before: the entry before which it counts, for a ruling on an earlier hand; 0: now.
    """

    seat: int
    irregularity: str
    transfers: Transfers
    reason: Words
    dead: DeadHand | None = None
    before: int = 0


# The commands that tell the events of a table that nobody follows.
Told = TellHand | TellOpening | TellBirds | TellDraw

Command = (
    Answer
    | Undo
    | StartHand
    | DeclareWin
    | DeclareReady
    | PassLastTile
    | EndHand
    | BeginGame
    | PlaceAntes
    | ChangeSeats
    | ChooseDealer
    | TellTreasure
    | Told
    | RaiseObjection
    | Settle
    | AcceptSettlement
    | WithdrawAcceptance
    | NamePlayer
    | SetClock
    | Correct
    | Insert
    | Rule
)


def key_of(command: Command, by: str, key: str) -> str:
    """By what a command is known when it comes again; empty where its giver has made no key.

    The same key with another command, or from another person, is another command.
    """
    if not key:
        return ""
    return hashlib.sha256(f"{key}\n{by}\n{command!r}".encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class HandChange:
    """The effect of a command on a hand that is over.

    Attributes:
        before: what it moved; None where it was not over before.
        after: what it moves then; None where it is not over any more, or cannot be settled.
        penalties_before: what moved beside its settlement, as with `penalties_after`.
    """

    hand: int
    before: Transfers | None
    after: Transfers | None
    penalties_before: Transfers = NO_TRANSFERS
    penalties_after: Transfers = NO_TRANSFERS


@dataclass(frozen=True, slots=True)
class Change:
    """The effect of a command; nothing is recorded by asking.

    Attributes:
        scores_before: the standing now.
        hands: those hands of which something changes, oldest first.
        questions: what would be asked that is not asked now.
        unsettled: hands that were settled and would not be any more.
        sentences: what changes, for people to read before they accept.
    """

    scores_before: Transfers
    scores_after: Transfers
    hands: tuple[HandChange, ...] = ()
    questions: tuple[Asked, ...] = ()
    unsettled: tuple[int, ...] = ()
    sentences: tuple[Words, ...] = ()
