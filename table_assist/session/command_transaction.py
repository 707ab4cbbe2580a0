"""Writes down what one command comes to: what follows is linked to what was said first."""

from table_assist.record.log import Logged, Source
from table_assist.record.record import Record


class CommandTransaction:
    """Appends the entries of one command.

    Attributes:
        first: the command's first entry, with which the others are taken back; 0 before it.
        by: who gave the command.

    Args:
        key: of the command; kept with its first entry.
    """

    def __init__(self, record: Record, by: str = "", key: str = "") -> None:
        self.record = record
        self.first = 0
        self.by = by
        self._key = key

    def write(
        self, event: Logged, source: Source = Source.PERSON, *, confidence: float = 1.0
    ) -> int:
        """Add an entry. Returns its number."""
        key = "" if self.first else self._key
        seq = self.record.append(
            event, source, confidence=confidence, by=self.by, cause=self.first, key=key
        )
        self.first = self.first or seq
        return seq
