"""The view of everybody but the session's thread, one frozen value; and what is secret in it."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from table_assist.game.acceptance import Acceptance
from table_assist.game.events import Drew, HandStarted, IndicatorTurned, Settled, TilesExchanged
from table_assist.game.in_force import rules_in_force
from table_assist.game.question import QuestionId
from table_assist.game.state import Phase, TableState
from table_assist.game.sureness import Sureness
from table_assist.languages.words import NOTHING, Words
from table_assist.record.log import Amended, Entry, Inserted
from table_assist.record.record import Record
from table_assist.record.seal import sealed
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.verdict import Settlement, Verdict
from table_assist.tiles.tile import Tile
from table_assist.vision.table.unseen import OccludedZone


@dataclass(frozen=True, slots=True)
class SourceHealth:
    """How one source of readings is doing.

    Attributes:
        name: camera, board or log.
        status: waiting (no picture yet), live, stale (nothing new for a while), covered, lost,
            unread (pictures come, and cannot be read), idle (they are read, and nothing of them is
            recorded), or none (not configured); the log's is live or lost.
        says: one sentence for the people at the table; empty when all is well.
        last_t: when the last good reading came, seconds since the epoch; None: never.
        counters: what was counted, such as frames dropped, by name.
        zones: of the camera: what of the table cannot be seen now, since when and why.
        figures: what it tells of itself, well or not, in one line.
        tells_dice: of the board: it says what was thrown, so the camera need not.
    """

    name: str
    status: str
    says: Words = NOTHING
    last_t: float | None = None
    counters: tuple[tuple[str, int], ...] = ()
    zones: tuple[OccludedZone, ...] = ()
    tells_dice: bool = True
    figures: Words = NOTHING


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


def face_down(event: Any) -> Any:
    """The event without the tiles in it that only one player sees, or none."""
    match event:
        case HandStarted() if event.hands:
            return replace(event, hands=())
        case Drew() if event.tile is not Tile.UNKNOWN:
            return replace(event, tile=Tile.UNKNOWN)
        case TilesExchanged() if event.given:
            return replace(event, given=())
        case _:
            return event


def has_secret(snapshot: Snapshot) -> bool:
    """Whether a treasure is, or is about to be, hidden from anybody: from the first ready on.

    It stays hidden when the declaration, or even the deal, is taken back: what was looked at was.
    """
    state = snapshot.state
    if _rules(snapshot).treasure is None and snapshot.rules.treasure is None:
        return False
    turned = [n for n, entry in enumerate(snapshot.entries) if is_about_treasure(entry.event)]
    if not (turned or state.indicators or state.readied):
        return False
    if state.phase is Phase.SHOWING and snapshot.settlement is not None:
        return not _guarded(snapshot).intersection(snapshot.settlement.winners)
    since = snapshot.entries[turned[-1] if turned else 0 :]
    return not any(isinstance(each.event, Settled) and each.event.winners for each in since)


def _rules(snapshot: Snapshot) -> RuleSet:
    """Those of the hand, or of the table before the first."""
    return rules_in_force(snapshot.state) if snapshot.state.rules else snapshot.rules


def _guarded(snapshot: Snapshot) -> frozenset[int]:
    """The seats whose hands are judged by the treasure: what is said of them could tell it."""
    everybody = not _rules(snapshot).chosen.get("treasure_needs_ready", True)
    return frozenset(
        seat for seat, own in enumerate(snapshot.state.seats) if everybody or own.ready
    )


def is_about_treasure(event: object) -> bool:
    """Whether the event says which tile was looked at."""
    match event:
        case IndicatorTurned():
            return True
        case Amended(_, inner) | Inserted(_, inner):
            return is_about_treasure(inner)
        case _:
            return False


NOBODY = ("", "", "", "")


@dataclass(frozen=True, slots=True)
class Hidden:
    """The last hand of a log has a secret.

    Attributes:
        seal: after the log's last entry: a log that has it goes on from this one.
    """

    hand: int
    seal: str


def hidden_in(entries: Iterable[Entry]) -> Hidden | None:
    """The log's hidden parts; None where nothing in it is hidden from anybody."""
    known = tuple(entries)
    record = Record(None, lambda: 0.0, known)
    state = record.state
    if not state.rules:
        return None
    rules, own = rules_in_force(state), record.hand_entries()
    if not has_secret(Snapshot(record.seq, 0.0, NOBODY, rules, state, own)):
        return None
    *_, (seal, _) = sealed(known)
    return Hidden(state.hand, seal)
