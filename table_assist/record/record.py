"""The record of the evening: entries, the state they fold to, and the file that keeps them."""

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import cast, overload

from table_assist.game.events import (
    Answered,
    Claimed,
    DiceRolled,
    Discarded,
    End,
    Event,
    HandStarted,
    Settled,
    Transfers,
    WallBuilt,
)
from table_assist.game.fold import apply
from table_assist.game.people import by_person
from table_assist.game.question import QuestionId
from table_assist.game.state import Phase, TableState
from table_assist.record.course import skim
from table_assist.record.log import (
    Amended,
    Entry,
    Inserted,
    Logged,
    Retracted,
    Source,
    changed,
    dropped,
    entry_to_json,
    in_order,
)
from table_assist.record.spans import Span, span_between
from table_assist.record.store import Store, StoreError

# The entries of a record, all of an evening's, with what is asked of them again and again.


class Entries(list[Entry]):
    """Entries in their order, the first with the number 1. They are only ever added to.

    Attributes:
        changes: those that retract, correct or insert, oldest first.
        commands: the first entry of each command, by its key.
    """

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        super().__init__()
        self.changes: list[Entry] = []
        self.commands: dict[str, int] = {}
        for entry in entries:
            self.append(entry)

    def append(self, entry: Entry) -> None:
        """Add the next entry.

        Raises:
            ValueError: its number is not the next.
        """
        if entry.seq != len(self) + 1:
            raise ValueError(f"entry {len(self) + 1} is missing: {entry.seq} comes next")
        if isinstance(entry.event, Retracted | Amended | Inserted):
            self.changes.append(entry)
        if entry.key:
            self.commands[entry.key] = entry.seq
        super().append(entry)

    def copy(self) -> "Entries":
        """The same entries, to go on with otherwise."""
        return self.until(len(self))

    def until(self, seq: int) -> "Entries":
        """The entries up to this number."""
        other = Entries()
        other.extend(self[:seq])
        other.changes = [entry for entry in self.changes if entry.seq <= seq]
        other.commands = {key: each for key, each in self.commands.items() if each <= seq}
        return other

    def event(self, seq: int) -> Logged:
        """The entry's event as it was written down."""
        return self[seq - 1].event

    def origins(self, last: int) -> list[str]:
        """Of the last so many entries that have one, where they came from, the newest last."""
        found: list[str] = []
        for entry in reversed(self):
            if len(found) == last:
                break
            if entry.origin:
                found.append(entry.origin)
        return found[::-1]


# The entries that count, in the order in which they happened.

NO_INDEX = -1


class Counting(Sequence[tuple[int, Event]]):
    """(number, event) of the entries that count: as `log.effective`, worked out from the changes.

    What was said is read from the entries; only what was changed is kept here.

    Args:
        entries: more may be added to them later, and are then added here.
    """

    def __init__(self, entries: Entries) -> None:
        self._entries = entries
        self._told, dropped, placed = changed(entries.changes)
        gone = dropped | {
            entry.seq for entry in entries.changes if not isinstance(entry.event, Inserted)
        }
        own = range(1, len(entries) + 1)
        order = in_order(own, placed) if placed else own
        self._seqs = array("q", [seq for seq in order if seq not in gone])
        self._places = array("q", [NO_INDEX]) * (len(entries) + 1)
        for index, seq in enumerate(self._seqs):
            self._places[seq] = index

    def copy(self, entries: Entries) -> "Counting":
        """The same, of a copy of the entries."""
        other = Counting.__new__(Counting)
        other._entries = entries
        other._told = dict(self._told)
        other._seqs = self._seqs[:]
        other._places = self._places[:]
        return other

    def append(self) -> None:
        """The entry that was added to the entries counts, and happened after all others."""
        self._places.append(len(self._seqs))
        self._seqs.append(len(self._entries))

    def place(self, seq: int) -> int | None:
        """The entry's index; None if it does not count."""
        index = self._places[seq] if 0 < seq < len(self._places) else NO_INDEX
        return None if index == NO_INDEX else index

    def event(self, seq: int) -> Event:
        """The present event of an entry that counts."""
        told = self._told.get(seq)
        return cast(Event, self._entries.event(seq)) if told is None else told

    def beside(self, other: "Counting") -> tuple[int, int]:
        """How many at the beginning and how many at the end are as in another counting.

        The two may overlap, where something was only taken out or put in.
        """
        first, last = _alike(self._seqs, other._seqs), _alike(self._seqs[::-1], other._seqs[::-1])
        for seq in self._told.keys() | other._told.keys():
            if self._told.get(seq) == other._told.get(seq):
                continue
            for counting in (self, other):
                index = counting.place(seq)
                if index is not None:
                    first, last = min(first, index), min(last, len(counting) - 1 - index)
        return first, last

    def __len__(self) -> int:
        return len(self._seqs)

    @overload
    def __getitem__(self, index: int) -> tuple[int, Event]: ...

    @overload
    def __getitem__(self, index: slice) -> list[tuple[int, Event]]: ...

    def __getitem__(self, index: int | slice) -> tuple[int, Event] | list[tuple[int, Event]]:
        if isinstance(index, slice):
            return [(seq, self.event(seq)) for seq in self._seqs[index]]
        seq = self._seqs[index]
        return seq, self.event(seq)

    def __iter__(self) -> Iterator[tuple[int, Event]]:
        return self.since(0)

    def since(self, index: int) -> Iterator[tuple[int, Event]]:
        """Those from this index on."""
        for at in range(index, len(self._seqs)):
            seq = self._seqs[at]
            yield seq, self.event(seq)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]  # it changes


def _alike(one: "array[int]", other: "array[int]") -> int:
    shorter = min(len(one), len(other))
    if one[:shorter] == other[:shorter]:
        return shorter
    return next(i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)


# More events than a board keeps unacknowledged.
ORIGINS = 32
# (hand, transfers, scores after it) of a hand that is over.
Played = tuple[int, Transfers, Transfers]


@dataclass(frozen=True, slots=True)
class RecordStart:
    """Where a hand begins.

    Attributes:
        seq: the number of the entry that started it.
        index: of its first event among those that count.
        state: after it.
        played: how many hands were over before.
    """

    seq: int
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
        history: (hand, transfers, scores after it) of each hand that is over, oldest first, in
            the order of people, wherever they sat (`game.people`).
        starts: where the hands begin, oldest first.

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
        self.entries = Entries(store.load() if store else entries)
        self.counting = Counting(Entries())
        self.state = TableState()
        self.history: list[Played] = []
        self.starts: list[RecordStart] = []
        self._asked = self.counting, 0, self.state  # for a state: of what, its index, and the state
        # By which changes from which state on others were tried, and what each made of it
        self._tried: tuple[TableState, list[tuple[Event, TableState]]] = self.state, []
        self._recount()
        # The signals that the board may deliver again because this program ended before it could
        # acknowledge.
        self.last_origins = self.entries.origins(ORIGINS)
        self.trouble = ""

    @property
    def seq(self) -> int:
        """The last entry's number; 0 when there is none."""
        return len(self.entries)

    @property
    def unsaved(self) -> int:
        """How many entries are in memory only, and meant to be on disk."""
        return len(self._unsaved)

    @property
    def is_saved(self) -> bool:
        """Whether every entry is on disk (or none is meant to be)."""
        return not self._unsaved

    def done_by(self, key: str) -> int:
        """The first entry of the command that was given under this key; 0 for none."""
        return self.entries.commands.get(key, 0) if key else 0

    def copy(self) -> "Record":
        """The same record in memory only: what is appended to it is written nowhere."""
        other = Record(None, self._now)
        other.entries = self.entries.copy()
        other.counting = self.counting.copy(other.entries)
        other.state = self.state
        other.history = list(self.history)
        other.starts = list(self.starts)
        return other

    def until(self, seq: int) -> "Record":
        """The record as it was with so many entries, in memory only."""
        other = self.copy()
        other.entries = self.entries.until(seq)
        other._recount()
        return other

    def append(
        self,
        event: Logged,
        source: Source,
        *,
        confidence: float = 1.0,
        origin: str = "",
        by: str = "",
        cause: int = 0,
        key: str = "",
    ) -> int:
        """Add an entry and fold it in. Returns its number.

        Raises:
            UnicodeEncodeError: what a person said cannot be written; nothing is added.
        """
        entry = Entry(self.seq + 1, self._now(), source, event, confidence, origin, by, cause, key)
        if source is Source.PERSON:  # an entry that cannot be saved would hold up all after it
            entry_to_json(entry).encode()
        self.entries.append(entry)
        self._unsaved.append(entry)
        if isinstance(event, Retracted | Amended | Inserted):
            self._recount()
        else:
            self.counting.append()
            self._fold(len(self.counting) - 1, entry.seq, event, apply)
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
            self.entries = self.entries.until(seq)
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
            self.trouble = error.why
            return
        self._unsaved.clear()
        self.trouble = ""

    # -- folding -------------------------------------------------------------------------------

    def _recount(self) -> None:
        """Apply retractions, corrections and insertions; fold again from the first change on.

        Hands that are over are only skimmed; the one on the table is folded whole. Where a hand
        after the last change begins as it did before, all that follows is as it was.
        """
        was, self.counting = self.counting, Counting(self.entries)
        same, alike = self.counting.beside(was)
        before = _Folded(self.state, self.history, self.starts)
        self.starts = [start for start in self.starts if start.index < same]
        begin, self.state, played = 0, TableState(), 0
        if self.starts:
            start = self.starts[-1]
            begin, self.state, played = start.index + 1, start.state, start.played
        self.history = self.history[:played]
        # The index of the last hand's start; 0 where there is none
        counting = self.counting
        places = reversed(range(len(counting)))
        last = next((i for i in places if type(counting[i][1]) is HandStarted), 0)
        shift = len(self.counting) - len(was)
        again = {
            start.index + shift: at
            for at, start in enumerate(before.starts)
            if start.index >= len(was) - alike
        }
        for index, (seq, event) in enumerate(self.counting.since(begin), start=begin):
            self._fold(index, seq, event, skim if index < last else apply)
            if index in again and before.starts[again[index]].state == self.state:
                self._take_over(before, again[index], shift)
                break

    def _take_over(self, before: "_Folded", at: int, shift: int) -> None:
        """From the hand that began there on, everything is as it was."""
        start = before.starts[at]
        more = len(self.history) - start.played
        self.starts[-1:] = [
            each
            if not (shift or more)
            else RecordStart(each.seq, each.index + shift, each.state, each.played + more)
            for each in before.starts[at:]
        ]
        self.history += before.history[start.played :]
        self.state = before.state

    def _fold(
        self, index: int, seq: int, event: Event, fold: Callable[[TableState, Event], TableState]
    ) -> None:
        was_over = self.state.phase is Phase.SETTLED
        self.state = state = fold(self.state, event)
        if isinstance(event, HandStarted):
            self.starts.append(RecordStart(seq, index, state, len(self.history)))
        elif isinstance(event, End) and not was_over:
            moved, scores = (
                by_person(each, state.people) for each in (state.last_transfers, state.scores)
            )
            self.history.append((state.hand, moved, scores))

    def state_before(self, index: int) -> TableState:
        """The state before this index."""
        begin, state = 0, TableState()
        found = self._starts_before(index)
        if found:
            begin, state = self.starts[found - 1].index + 1, self.starts[found - 1].state
        counting, known, before = self._asked
        if counting is self.counting and begin < known <= index:
            begin, state = known, before
        for _, event in self.counting[begin:index]:
            state = apply(state, event)
        self._asked = self.counting, index, state
        return state

    def state_with(self, *changes: Amended | Retracted) -> TableState:
        """The state as these changes would make it; nothing is recorded."""
        entries = self.entries.copy()
        for change in changes:
            entries.append(Entry(len(entries) + 1, self._now(), Source.RULES, change))
        counting = Counting(entries)
        first, _ = counting.beside(self.counting)
        state = self.state_before(first)
        if self._tried[0] is not state:
            self._tried = state, []
        folded = self._tried[1]  # as the last changes made it: the next ones mostly begin alike
        for at, (_, event) in enumerate(counting.since(first)):
            if at < len(folded) and folded[at][0] != event:
                del folded[at:]
            if at == len(folded):
                folded.append((event, apply(state, event)))
            state = folded[at][1]
        return state

    def _starts_before(self, index: int) -> int:
        """How many hands begin before this index."""
        return bisect_left(self.starts, index, key=lambda start: start.index)

    # -- asking --------------------------------------------------------------------------------

    def event(self, seq: int) -> Event | None:
        """The entry's event as it counts; None if it was retracted or never was."""
        return None if self.counting.place(seq) is None else self.counting.event(seq)

    def place(self, seq: int) -> int | None:
        """The entry's index among those that count; None if it does not."""
        return self.counting.place(seq)

    def spans(self, first: int = 0) -> Iterator[Span]:
        """The hands that begin at this index or after, and the one that runs across it."""
        return (self.span(start) for start in self.starts[self.hand_at(first) :])

    def hand_at(self, index: int) -> int:
        """Which of the hands, from 0, runs across this index; before the first one that one."""
        return max(self._starts_before(index + 1) - 1, 0)

    def span(self, start: RecordStart) -> Span:
        """Where the hand that begins there lies."""
        number = self._starts_before(start.index + 1)
        after = self.starts[number].index if number < len(self.starts) else len(self.counting)
        return span_between(self.counting, start.index, after)

    def stands(self, seq: int) -> bool:
        """Whether the entry stands: a retraction, correction or insertion, too, may be undone."""
        return 0 < seq <= self.seq and seq not in dropped(self.entries.changes)

    def caused_by(self, seq: int) -> list[int]:
        """The entries that stand and follow from this one."""
        gone = dropped(self.entries.changes)
        following = (each.seq for each in self.entries[seq:] if each.cause == seq)
        return [each for each in following if each not in gone]

    def last_word(self, seq: int) -> Entry:
        """The entry that says what this entry's event is now: itself, or its latest correction."""
        gone = dropped(self.entries.changes)
        for entry in reversed(self.entries.changes):
            about = isinstance(entry.event, Amended) and entry.event.seq == seq < entry.seq
            if about and entry.seq not in gone:
                return entry
        return self.entries[seq - 1]

    def hand_entries(self) -> tuple[Entry, ...]:
        """The entries of the current hand that count, its dice included."""
        start = self.starts[-1].index if self.starts else 0
        while start and isinstance(self.counting[start - 1][1], WallBuilt | DiceRolled):
            start -= 1
        return tuple(
            Entry(seq, was.t, was.source, event, was.confidence, was.origin, was.by, was.cause)
            for seq, event in self.counting[start:]
            for was in (self.entries[seq - 1],)
        )

    def answered(self, question: QuestionId) -> str:
        """What a person has answered the question last; empty for nothing."""
        return next(
            (
                event.answer
                for _, event in reversed(self.counting)
                if type(event) is Answered and event.answer and event.question == question
            ),
            "",
        )

    def withdraw(self, question: QuestionId, source: Source) -> None:
        """The question has lost its ground, and nobody need answer it."""
        self.append(Answered(question, ""), source)

    def retracted_settlements(self) -> int:
        """How many settlements of the hand that is running were taken back by a person."""
        return sum(isinstance(event, Settled) for event in self.rejected())

    def rejected(self) -> list[Event]:
        """The events of the hand that is running that a person took back."""
        first = self.starts[-1].seq if self.starts else 0
        changes = self.entries.changes
        gone = dropped(changes)
        taken = {
            change.event.seq
            for change in changes
            if isinstance(change.event, Retracted)
            and change.seq > first
            and change.source is Source.PERSON
            and change.seq not in gone
        }
        said = [self.entries.event(seq) for seq in sorted(taken) if first < seq <= self.seq]
        return [
            event.event if isinstance(event, Inserted) else event
            for event in said
            if not isinstance(event, Retracted | Amended)
        ]

    @property
    def corrected(self) -> frozenset[int]:
        """The entries of which a person has said what they should have been."""
        return frozenset(
            entry.event.seq
            for entry in self.entries.changes
            if isinstance(entry.event, Amended) and entry.source is Source.PERSON
        )

    def is_corrected(self, seq: int) -> bool:
        """Whether a person has said what the entry should have been."""
        return seq in self.corrected

    def discard_seq(self, seat: int, index: int) -> int | None:
        """The entry behind the tile at `index` of the seat's river in this hand; -1: the last."""
        river: list[int] = []
        last: int | None = None
        start = self.starts[-1].index if self.starts else 0
        for seq, event in self.counting[start:]:
            match event:
                case Discarded(who):
                    last = who
                    if who == seat:
                        river.append(seq)
                case Claimed(_, _, _, discarder) if discarder == seat and river:
                    if last == seat:
                        river.pop()
                    last = None
        return next(iter(river[index:]), None)


@dataclass(frozen=True, slots=True)
class _Folded:
    """The state that some events were folded to."""

    state: TableState
    history: list[Played]
    starts: list[RecordStart]
