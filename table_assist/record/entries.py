"""The entries of a record, all of an evening's, with what is asked of them again and again."""

from collections.abc import Iterable, Iterator

from table_assist.record.log import Amended, Entry, Inserted, Logged, Retracted


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

    def caused_by(self, seq: int) -> Iterator[int]:
        """The numbers of the entries that follow from this one."""
        return (entry.seq for entry in self[seq:] if entry.cause == seq)

    def origins(self, last: int) -> list[str]:
        """Of the last so many entries that have one, where they came from, the newest last."""
        found: list[str] = []
        for entry in reversed(self):
            if len(found) == last:
                break
            if entry.origin:
                found.append(entry.origin)
        return found[::-1]
