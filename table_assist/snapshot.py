"""What everybody but the session's thread sees: one frozen value, replaced as a whole."""

from dataclasses import dataclass

from table_assist.game.events import Asked, Event, Transfers
from table_assist.game.log import Entry
from table_assist.game.state import NO_TRANSFERS, TableState
from table_assist.rules.rounds import DeadHand
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.verdict import Settlement, Verdict
from table_assist.rules.words import Words
from table_assist.tiles import Tile
from table_assist.vision.unavailable import Unavailable


@dataclass(frozen=True, slots=True)
class SourceHealth:
    """How one source of readings is doing.

    Attributes:
        name: camera, board or log.
        status: live, stale (nothing new for a while), covered, lost, or none (not configured);
            the log's is live or lost.
        message: one sentence for the people at the table; empty when all is well.
        last_t: when the last good reading came, seconds since the epoch; None: never.
        counters: what was counted, such as frames dropped, by name.
        message_zh: the message in Chinese; empty where there is only the English one.
        zones: of the camera: what of the table cannot be seen now, since when and why.
    """

    name: str
    status: str
    message: str = ""
    last_t: float | None = None
    counters: tuple[tuple[str, int], ...] = ()
    message_zh: str = ""
    zones: tuple[Unavailable, ...] = ()


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The table as the program sees it at one moment.

    Attributes:
        seq: the last log entry's number; grows with every change of the record.
        t: when the snapshot was made, seconds since the epoch.
        names: the players' names by seat.
        entries: the current hand's entries that count, oldest first, each carrying the event that
            counts (corrections applied).
        verdicts: (seat, verdict) for each hand shown in this win, the judge's latest word.
        settlement: the settlement of those wins with the birds turned so far; None before a win.
        history: (hand, transfers, scores after) of each settled hand, oldest first.
        health: the sources.
        notices: sentences of what was seen against the rules or could not be, latest last.
        settles_at: when the settlement shown is accepted by itself, seconds since the epoch; None
            where it waits for people, or there is none.
        evidence: (question's id, evidence id) of the open questions that have some.
        entry_evidence: (entry's number, evidence id) of this hand's entries that have some.
    """

    seq: int
    t: float
    names: tuple[str, str, str, str]
    rules: RuleSet
    state: TableState
    entries: tuple[Entry, ...] = ()
    verdicts: tuple[tuple[int, Verdict], ...] = ()
    settlement: Settlement | None = None
    history: tuple[tuple[int, tuple[int, int, int, int], tuple[int, int, int, int]], ...] = ()
    health: tuple[SourceHealth, ...] = ()
    notices: tuple[Words, ...] = ()
    settles_at: float | None = None
    evidence: tuple[tuple[str, str], ...] = ()
    entry_evidence: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the camera saw when something was decided or doubted.

    Attributes:
        id: as the snapshot names it.
        t: when the picture was taken, seconds since the epoch.
        jpeg: the whole picture, nothing drawn on it.
        readings: what was read from it, as JSON text.
        crop: the part that is in question, as JPEG; empty for none.
        crop_px: where in the picture that is, x0, y0, x1, y1; None where it is not known any more.
    """

    id: str
    t: float
    jpeg: bytes
    readings: str = "{}"
    crop: bytes = b""
    crop_px: tuple[int, int, int, int] | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """A person answers an open question with one of its choices."""

    question: str
    answer: str


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
class ChooseDealer:
    """A person says who deals the next hand, where the rules leave it to lot or consent."""

    seat: int


@dataclass(frozen=True, slots=True)
class TellTreasure:
    """A seat that declared ready says which tile it looked at, hidden from the others."""

    seat: int
    tile: Tile


@dataclass(frozen=True, slots=True)
class Settle:
    """A person accepts the settlement that is shown.

    Attributes:
        hand: an earlier hand that is to be settled as it is recorded; 0: the one on the table.
    """

    hand: int = 0


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
        reason: (English, Chinese).
        dead: how the hand is dead from now on; None if it is not.
        before: the entry before which it counts, for a ruling on an earlier hand; 0: now.
    """

    seat: int
    irregularity: str
    transfers: Transfers
    reason: tuple[str, str]
    dead: DeadHand | None = None
    before: int = 0


Command = (
    Answer
    | Undo
    | StartHand
    | DeclareWin
    | EndHand
    | BeginGame
    | PlaceAntes
    | ChooseDealer
    | TellTreasure
    | Settle
    | Correct
    | Insert
    | Rule
)


@dataclass(frozen=True, slots=True)
class HandChange:
    """What a command makes of a hand that is over.

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
    """What a command would change; nothing is recorded by asking.

    Attributes:
        scores_before: the standing now.
        hands: those hands of which something changes, oldest first.
        questions: what would be asked that is not asked now.
        unsettled: hands that were settled and would not be any more.
        sentences: what changes, as (English, Chinese), for people to read before they accept.
    """

    scores_before: Transfers
    scores_after: Transfers
    hands: tuple[HandChange, ...] = ()
    questions: tuple[Asked, ...] = ()
    unsettled: tuple[int, ...] = ()
    sentences: tuple[tuple[str, str], ...] = ()
