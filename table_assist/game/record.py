"""The record of the evening: entries, the state they fold to, and the file that keeps them."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from table_assist.game.events import (
    Answered,
    Claimed,
    DiceRolled,
    Discarded,
    Event,
    HandStarted,
    Settled,
    Transfers,
    WallBuilt,
)
from table_assist.game.fold import apply
from table_assist.game.log import (
    Amended,
    Entry,
    Inserted,
    Logged,
    Retracted,
    Source,
    dropped,
    effective,
)
from table_assist.game.skim import ENDS, skim
from table_assist.game.spans import Span, spans
from table_assist.game.state import Phase, TableState
from table_assist.game.store import Store, StoreError

# More events than a board keeps unacknowledged.
ORIGINS = 32
# (hand, transfers, scores after it) of a hand that is over.
Played = tuple[int, Transfers, Transfers]


@dataclass(frozen=True, slots=True)
class _Start:
    """Where a hand begins.

    Attributes:
        index: of its first event among those that count.
        state: after it.
        played: how many hands were over before.
    """

    index: int
    state: TableState
    played: int


class Record:
    """Appends entries and keeps the state. One thread uses it.

    When the file cannot be written the entries stay in memory, `trouble` says why, and every
    further entry tries again: play goes on and nothing is lost as long as the program runs.

    Attributes:
        entries: all of them, as they were written down.
        counting: (number, event) of those that count, in the order in which they happened.
        history: (hand, transfers, scores after it) of each hand that is over, oldest first.

    Args:
        store: None keeps the record in memory only.

    Raises:
        StoreError: the log cannot be read.
    """

    def __init__(
        self, store: Store | None, now: Callable[[], float], entries: Iterable[Entry] = ()
    ) -> None:
        self._store = store
        self._now = now
        self._unsaved: list[Entry] = []
        self.entries: list[Entry] = list(store.load()) if store else list(entries)
        self.counting: list[tuple[int, Event]] = []
        self.state = TableState()
        self.history: list[Played] = []
        self._starts: list[_Start] = []
        self._places: dict[int, int] = {}
        self._recount()
        # What the board may deliver again because this program ended before it could acknowledge.
        self.last_origins = [entry.origin for entry in self.entries if entry.origin][-ORIGINS:]
        self.trouble = ""

    @property
    def seq(self) -> int:
        """The last entry's number; 0 when there is none."""
        return len(self.entries)

    @property
    def is_saved(self) -> bool:
        """Whether every entry is on disk (or none is meant to be)."""
        return not self._unsaved

    def copy(self) -> "Record":
        """The same record in memory only: what is appended to it is written nowhere."""
        other = Record(None, self._now)
        other.entries = list(self.entries)
        other.counting = list(self.counting)
        other.state = self.state
        other.history = list(self.history)
        other._starts = list(self._starts)
        other._places = dict(self._places)
        return other

    def until(self, seq: int) -> "Record":
        """The record as it was with so many entries, in memory only."""
        return Record(None, self._now, self.entries[:seq])

    def append(
        self,
        event: Logged,
        source: Source,
        *,
        confidence: float = 1.0,
        origin: str = "",
        by: str = "",
        cause: int = 0,
    ) -> int:
        """Add an entry and fold it in. Returns its number."""
        entry = Entry(self.seq + 1, self._now(), source, event, confidence, origin, by, cause)
        self.entries.append(entry)
        self._unsaved.append(entry)
        if isinstance(event, Retracted | Amended | Inserted):
            self._recount()
        else:
            self.counting.append((entry.seq, event))
            self._fold(len(self.counting) - 1, apply)
        return entry.seq

    def forget(self, seq: int) -> None:
        """Drop the entries after this one, of which none was saved: what led to them failed.

        Raises:
            ValueError: one of them is on disk already.
        """
        if self.seq - seq > len(self._unsaved):
            raise ValueError(f"entry {seq + 1} is on disk: it can be taken back, not forgotten")
        if self.seq > seq:
            del self._unsaved[len(self._unsaved) - (self.seq - seq) :]
            del self.entries[seq:]
            self._recount()

    def save(self) -> None:
        """Write what is not yet on disk."""
        if self._store is None:
            self._unsaved.clear()
        if not self._unsaved:
            return
        assert self._store is not None
        try:
            self._store.append(self._unsaved)
        except StoreError as error:
            self.trouble = str(error)
            return
        self._unsaved.clear()
        self.trouble = ""

    # -- folding -------------------------------------------------------------------------------

    def _recount(self) -> None:
        """Apply retractions, corrections and insertions; fold again from the first change on.

        Hands that are over are only skimmed; the one on the table is folded whole.
        """
        was, self.counting = self.counting, list(effective(self.entries))
        same = _first_difference(was, self.counting)
        while self._starts and self._starts[-1].index >= same:
            self._starts.pop()
        last = max((i for i in range(len(self.counting)) if _is_start(self.counting[i])), default=0)
        begin, self.state, played = 0, TableState(), 0
        if self._starts:
            start = self._starts[-1]
            begin, self.state, played = start.index + 1, start.state, start.played
        del self.history[played:]
        self._places = {seq: index for index, (seq, _) in enumerate(self.counting)}
        for index in range(begin, len(self.counting)):
            self._fold(index, skim if index < last else apply)

    def _fold(self, index: int, fold: Callable[[TableState, Event], TableState]) -> None:
        seq, event = self.counting[index]
        was_over = self.state.phase is Phase.SETTLED
        self.state = state = fold(self.state, event)
        self._places[seq] = index
        if isinstance(event, HandStarted):
            self._starts.append(_Start(index, state, len(self.history)))
        elif isinstance(event, ENDS) and not was_over:
            self.history.append((state.hand, state.last_transfers, state.scores))

    def state_before(self, index: int) -> TableState:
        """What the events before this index fold to."""
        begin, state = 0, TableState()
        for start in self._starts:
            if start.index >= index:
                break
            begin, state = start.index + 1, start.state
        for _, event in self.counting[begin:index]:
            state = apply(state, event)
        return state

    # -- asking --------------------------------------------------------------------------------

    def event(self, seq: int) -> Event | None:
        """What counts as the entry's event; None if it was retracted or never was."""
        index = self._places.get(seq)
        return None if index is None else self.counting[index][1]

    def place(self, seq: int) -> int | None:
        """The entry's index among those that count; None if it does not."""
        return self._places.get(seq)

    def spans(self, first: int = 0) -> Iterator[Span]:
        """The hands that begin at this index or after, and the one that runs across it."""
        begin = max((s.index for s in self._starts if s.index <= first), default=0)
        return spans(self.counting, begin)

    def stands(self, seq: int) -> bool:
        """Whether the entry stands: a retraction, correction or insertion, too, may be undone."""
        return 0 < seq <= self.seq and seq not in dropped(self.entries)

    def caused_by(self, seq: int) -> list[int]:
        """The entries that stand and follow from this one."""
        gone = dropped(self.entries)
        return [e.seq for e in self.entries[seq:] if e.cause == seq and e.seq not in gone]

    def last_word(self, seq: int) -> Entry:
        """The entry that says what this entry's event is now: itself, or its latest correction."""
        gone = dropped(self.entries)
        for entry in reversed(self.entries[seq:]):
            about = isinstance(entry.event, Amended) and entry.event.seq == seq
            if about and entry.seq not in gone:
                return entry
        return self.entries[seq - 1]

    def hand_entries(self) -> tuple[Entry, ...]:
        """The entries of the current hand that count, its dice included."""
        start = self._starts[-1].index if self._starts else 0
        while start and isinstance(self.counting[start - 1][1], WallBuilt | DiceRolled):
            start -= 1
        return tuple(
            Entry(seq, was.t, was.source, event, was.confidence, was.origin, was.by, was.cause)
            for seq, event in self.counting[start:]
            for was in (self.entries[seq - 1],)
        )

    def answered(self, question: str) -> bool:
        """Whether a person has answered the question."""
        return any(
            type(event) is Answered and event.answer and event.question == question
            for _, event in reversed(self.counting)
        )

    def retracted_settlements(self) -> int:
        """How many settlements of the hand that is running were taken back by a person."""
        return sum(isinstance(event, Settled) for event in self.rejected())

    def rejected(self) -> list[Event]:
        """The events of the hand that is running that a person took back."""
        first = self.counting[self._starts[-1].index][0] if self._starts else 0
        gone = dropped(self.entries)
        taken = {
            entry.event.seq
            for entry in self.entries[first:]
            if isinstance(entry.event, Retracted)
            and entry.source is Source.PERSON
            and entry.seq not in gone
        }
        return [
            entry.event.event if isinstance(entry.event, Inserted) else entry.event
            for entry in self.entries[first:]
            if entry.seq in taken and not isinstance(entry.event, Retracted | Amended)
        ]

    def is_corrected(self, seq: int) -> bool:
        """Whether a person has said what the entry should have been."""
        return any(
            isinstance(entry.event, Amended)
            and entry.event.seq == seq
            and entry.source is Source.PERSON
            for entry in self.entries[seq:]
        )

    def discard_seq(self, seat: int, index: int) -> int | None:
        """The entry behind the tile at `index` of the seat's river in this hand."""
        river: list[int] = []
        last: tuple[int, int] | None = None
        start = self._starts[-1].index if self._starts else 0
        for seq, event in self.counting[start:]:
            match event:
                case HandStarted():
                    river, last = [], None
                case Discarded(who):
                    last = (who, seq)
                    if who == seat:
                        river.append(seq)
                case Claimed(_, _, _, discarder) if discarder == seat and river:
                    if last is not None and last[0] == seat:
                        river.pop()
                    last = None
                case _:
                    pass
        return river[index] if index < len(river) else None


def _is_start(counted: tuple[int, Event]) -> bool:
    return type(counted[1]) is HandStarted


def _first_difference(one: list[tuple[int, Event]], other: list[tuple[int, Event]]) -> int:
    for index, (a, b) in enumerate(zip(one, other, strict=False)):
        if a[0] != b[0] or (a[1] is not b[1] and a[1] != b[1]):
            return index
    return min(len(one), len(other))
