"""The entries of a record, kept small: an evening has ten thousand of them, and all are kept."""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import overload

from table_assist.game.events import (
    BoardSaid,
    Claimed,
    DiceRolled,
    Discarded,
    KongDeclared,
    ReadyDeclared,
    WallBuilt,
    WinDeclared,
)
from table_assist.record.log import (
    Amended,
    Entry,
    Inserted,
    Logged,
    Retracted,
    Source,
)

# What is said again and again in the same words. Their fields are texts, numbers and tiles alone,
# so that equal ones are the same to the last bit, which True and 1 would not be.
_REPEATED = frozenset(
    {
        BoardSaid,
        Claimed,
        DiceRolled,
        Discarded,
        KongDeclared,
        ReadyDeclared,
        WallBuilt,
        WinDeclared,
    }
)
MOST_KNOWN = 4096


class Entries(Sequence[Entry]):
    """Entries in columns; an entry is put together when it is asked for.

    So one takes some sixty bytes beside its event, of which equal ones are kept once.

    Attributes:
        changes: those that retract, correct or insert, oldest first.
        commands: the first entry of each command, by its key.
    """

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._t = array("d")
        self._confidence = array("d")
        self._cause = array("q")
        self._source: list[Source] = []
        self._event: list[Logged] = []
        self._origin: list[str] = []
        self._by: list[str] = []
        self._keys: dict[int, str] = {}  # few entries have one
        self._known: dict[Logged, Logged] = {}
        self.changes: list[Entry] = []
        self.commands: dict[str, int] = {}
        for entry in entries:
            self.append(entry)

    def append(self, entry: Entry) -> None:
        """Add the next entry.

        Raises:
            ValueError: its number is not the next.
        """
        if entry.seq != len(self._event) + 1:
            raise ValueError(f"entry {len(self._event) + 1} is missing: {entry.seq} comes next")
        event = entry.event
        if type(event) in _REPEATED:
            if len(self._known) > MOST_KNOWN:
                self._known.clear()
            event = self._known.setdefault(event, event)
        elif isinstance(event, Retracted | Amended | Inserted):
            self.changes.append(entry)
        self._t.append(entry.t)
        self._confidence.append(entry.confidence)
        self._cause.append(entry.cause)
        self._source.append(entry.source)
        self._event.append(event)
        self._origin.append(entry.origin)
        self._by.append(entry.by)
        if entry.key:
            self.commands[entry.key] = entry.seq
            self._keys[entry.seq] = entry.key

    def copy(self) -> "Entries":
        """The same entries, to go on with otherwise."""
        return self.until(len(self))

    def until(self, seq: int) -> "Entries":
        """The entries up to this number."""
        other = Entries()
        other._t = self._t[:seq]
        other._confidence = self._confidence[:seq]
        other._cause = self._cause[:seq]
        other._source = self._source[:seq]
        other._event = self._event[:seq]
        other._origin = self._origin[:seq]
        other._by = self._by[:seq]
        other.changes = [entry for entry in self.changes if entry.seq <= seq]
        other._keys = {each: key for each, key in self._keys.items() if each <= seq}
        other.commands = {key: each for each, key in other._keys.items()}
        return other

    def event(self, seq: int) -> Logged:
        """What the entry said when it was written down."""
        return self._event[seq - 1]

    def caused_by(self, seq: int) -> Iterator[int]:
        """The numbers of the entries that follow from this one."""
        return (i + 1 for i in range(seq, len(self._cause)) if self._cause[i] == seq)

    def origins(self, last: int) -> list[str]:
        """Of the last so many entries that have one, where they came from, the newest last."""
        found: list[str] = []
        for origin in reversed(self._origin):
            if len(found) == last:
                break
            if origin:
                found.append(origin)
        return found[::-1]

    def __len__(self) -> int:
        return len(self._event)

    @overload
    def __getitem__(self, index: int) -> Entry: ...

    @overload
    def __getitem__(self, index: slice) -> list[Entry]: ...

    def __getitem__(self, index: int | slice) -> Entry | list[Entry]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        event = self._event[index]
        seq = (index if index >= 0 else len(self._event) + index) + 1
        return Entry(
            seq,
            self._t[index],
            self._source[index],
            event,
            self._confidence[index],
            self._origin[index],
            self._by[index],
            self._cause[index],
            self._keys.get(seq, ""),
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]  # it changes
