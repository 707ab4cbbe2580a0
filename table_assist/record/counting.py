"""The entries that count, in the order in which they happened."""

from array import array
from collections.abc import Iterator, Sequence
from typing import cast, overload

from table_assist.game.events import Event
from table_assist.record.entries import Entries
from table_assist.record.log import Amended, Inserted, Retracted, in_order

NOWHERE = -1


class Counting(Sequence[tuple[int, Event]]):
    """(number, event) of the entries that count: as `log.effective`, worked out from the changes.

    What was said is read from the entries; only what was changed is kept here.

    Args:
        entries: more may be added to them later, and are then added here.
    """

    def __init__(self, entries: Entries) -> None:
        self._entries = entries
        self._told: dict[int, Event] = {}
        dropped: set[int] = set()
        placed: list[tuple[int, int]] = []
        for entry in reversed(entries.changes):
            if entry.seq in dropped:
                if isinstance(entry.event, Inserted):
                    placed.append((entry.seq, entry.event.before))
                continue
            match entry.event:
                case Retracted(seq) if seq < entry.seq:
                    dropped.add(seq)
                case Amended(seq, event) if seq < entry.seq:
                    self._told.setdefault(seq, event)
                case Inserted(before, event):
                    placed.append((entry.seq, before))
                    self._told.setdefault(entry.seq, event)
                case _:
                    pass
        gone = dropped | {
            entry.seq for entry in entries.changes if not isinstance(entry.event, Inserted)
        }
        own = range(1, len(entries) + 1)
        order = in_order(own, placed) if placed else own
        self._seqs = array("q", [seq for seq in order if seq not in gone])
        self._places = array("q", [NOWHERE]) * (len(entries) + 1)
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
        index = self._places[seq] if 0 < seq < len(self._places) else NOWHERE
        return None if index == NOWHERE else index

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
