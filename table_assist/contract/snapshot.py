"""The view of everybody but the session's thread: one frozen value, replaced as a whole."""

from dataclasses import dataclass

from table_assist.contract.health import SourceHealth
from table_assist.game.acceptance import Acceptance
from table_assist.game.question import QuestionId
from table_assist.game.state import TableState
from table_assist.game.sureness import Sureness
from table_assist.languages.words import Words
from table_assist.record.log import Entry
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.verdict import Settlement, Verdict


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
        evidence: (question, evidence id) of the open questions that have some.
        entry_evidence: (entry's number, evidence id) of this hand's entries that have some.
        acceptance: whose word the settlement shown waits for; None while none could be accepted.
        sureness: of the settlement that is shown, or was accepted last; None: there is none.
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
    evidence: tuple[tuple[QuestionId, str], ...] = ()
    entry_evidence: tuple[tuple[int, str], ...] = ()
    acceptance: Acceptance | None = None
    sureness: Sureness | None = None

    @property
    def is_followed(self) -> bool:
        """Whether a camera or a board follows the table; else people tell what happened."""
        status = {source.name: source.status for source in self.health}
        return not status.get("camera") == status.get("board") == "none"

    @property
    def is_in_play(self) -> bool:
        """Whether a hand is played that the table follows: then nothing gives advice on it.

        A win that is shown may be refused, and the others play on.
        """
        return self.state.is_running and self.is_followed

    def is_concealed(self, seat: int) -> bool:
        """Whether the seat's hand is in play, and no win of it is declared."""
        wins = {*self.state.declared, *(hand.seat for hand in self.state.shown)}
        return self.is_in_play and seat not in wins
