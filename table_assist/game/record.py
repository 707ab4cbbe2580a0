"""The record of the evening: entries, the state they fold to, and the file that keeps them."""

from collections.abc import Callable

from table_assist.game.events import (
    Answered,
    Asked,
    Claimed,
    DiceRolled,
    Discarded,
    Event,
    HandAbandoned,
    HandStarted,
    Settled,
    Transfers,
    WallBuilt,
    WallExhausted,
)
from table_assist.game.fold import apply
from table_assist.game.log import Amended, Entry, Retracted, Source, effective
from table_assist.game.state import TableState
from table_assist.game.store import Store, StoreError

# More events than a board keeps unacknowledged.
ORIGINS = 32


class Record:
    """Appends entries and keeps the state. One thread uses it.

    When the file cannot be written the entries stay in memory, `trouble` says why, and every
    further entry tries again: play goes on and nothing is lost as long as the program runs.

    Args:
        store: None keeps the record in memory only.

    Raises:
        StoreError: the log cannot be read.
    """

    def __init__(self, store: Store | None, now: Callable[[], float]) -> None:
        self._store = store
        self._now = now
        self._unsaved: list[Entry] = []
        self.entries: list[Entry] = list(store.load()) if store else []
        self.counting: list[tuple[int, Event]] = list(effective(self.entries))
        self.state = TableState()
        # (hand, transfers, scores after it) of each hand that is over, oldest first.
        self.history: list[tuple[int, Transfers, Transfers]] = []
        self._fold_again()
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

    def append(
        self,
        event: Event | Retracted | Amended,
        source: Source,
        *,
        confidence: float = 1.0,
        origin: str = "",
    ) -> int:
        """Add an entry and fold it in. Returns its number."""
        entry = Entry(self.seq + 1, self._now(), source, event, confidence, origin)
        self.entries.append(entry)
        self._unsaved.append(entry)
        if isinstance(event, Retracted | Amended):
            self.counting = list(effective(self.entries))
            self._fold_again()
        else:
            self.counting.append((entry.seq, event))
            self._fold(event)
        return entry.seq

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

    def _fold_again(self) -> None:
        self.state, self.history = TableState(), []
        for _, event in self.counting:
            self._fold(event)

    def _fold(self, event: Event) -> None:
        self.state = apply(self.state, event)
        if isinstance(event, Settled | WallExhausted | HandAbandoned):
            state = self.state
            self.history.append((state.hand, state.last_transfers, state.scores))

    def event(self, seq: int) -> Event | None:
        """What counts as the entry's event; None if it was retracted or never was."""
        return next((event for number, event in self.counting if number == seq), None)

    def hand_entries(self) -> tuple[Entry, ...]:
        """The entries of the current hand that count, its dice included."""
        start = max(
            (i for i, (_, event) in enumerate(self.counting) if isinstance(event, HandStarted)),
            default=0,
        )
        while start and isinstance(self.counting[start - 1][1], WallBuilt | DiceRolled):
            start -= 1
        return tuple(
            Entry(seq, was.t, was.source, event, was.confidence, was.origin)
            for seq, event in self.counting[start:]
            for was in (self.entries[seq - 1],)
        )

    def retracted_settlements(self) -> int:
        """How many settlements of the hand that is running were taken back by a person."""
        start = max(
            (seq for seq, event in self.counting if isinstance(event, HandStarted)), default=0
        )
        counting = {seq for seq, _ in self.counting}
        return sum(
            isinstance(entry.event, Settled) and entry.seq not in counting
            for entry in self.entries[start:]
        )

    def why_kept(self, seq: int) -> str:
        """Why an entry cannot be taken back; empty when it can.

        An answer is taken back by taking back what followed from it, and what a settlement rests
        on only after the settlement itself.
        """
        event = self.event(seq)
        if event is None:
            return f"entry {seq} does not count (any more), so it cannot be taken back"
        if isinstance(event, Asked | Answered):
            return f"entry {seq} is a question or an answer: take back what followed from it"
        ends = (Settled, WallExhausted, HandAbandoned)
        over = any(isinstance(later, ends) for number, later in self.counting if number > seq)
        if over and not isinstance(event, ends):
            return "that hand is settled: take its settlement back first"
        return ""

    def rejected(self) -> list[Event]:
        """The events of the hand that is running that a person took back."""
        start = max(
            (seq for seq, event in self.counting if isinstance(event, HandStarted)), default=0
        )
        taken = {
            entry.event.seq
            for entry in self.entries[start:]
            if isinstance(entry.event, Retracted) and entry.source is Source.PERSON
        }
        counting = {seq for seq, _ in self.counting}
        return [
            entry.event
            for entry in self.entries[start:]
            if entry.seq in taken - counting and not isinstance(entry.event, Retracted | Amended)
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
        for seq, event in self.counting:
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
