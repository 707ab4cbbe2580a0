"""What everybody but the session's thread sees: one frozen value, replaced as a whole."""

from dataclasses import dataclass, field

from table_assist.game.log import Entry
from table_assist.game.state import TableState
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.verdict import Settlement, Verdict


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
    """

    name: str
    status: str
    message: str = ""
    last_t: float | None = None
    counters: tuple[tuple[str, int], ...] = ()


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
    notices: tuple[str, ...] = field(default=())


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


Command = Answer | Undo | StartHand | DeclareWin | EndHand
