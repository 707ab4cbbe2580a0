"""The record of the evening: entries, the state they fold to, and the file that keeps them."""

from collections.abc import Callable

from table_assist.game.events import (
    Claimed,
    Discarded,
    Event,
    HandAbandoned,
    HandStarted,
    Settled,
    Transfers,
    WallExhausted,
)
from table_assist.game.log import Amended, Entry, Retracted, Source, effective
from table_assist.game.state import TableState, apply
from table_assist.game.store import Store, StoreError


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
        self.origins: set[str] = {entry.origin for entry in self.entries if entry.origin}
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
        if origin:
            self.origins.add(origin)
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
        # The dice of this hand fell just before it started.
        start = max(start - 2, 0)
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
