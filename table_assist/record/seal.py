"""A seal after each entry of the log: who changes an entry changes every seal after it.

A seal is the sha256 of the seal before it and the entry as JSON. Its first letters are shown when a
hand is over, so that whoever noted them can tell later whether the record is the one of that day.
"""

import hashlib
from collections.abc import Iterable, Iterator

from table_assist.record.log import Entry, entry_to_json

SHOWN = 8  # letters of a seal that people compare; one in four thousand million fits by chance


def seal_after(before: str, line: str) -> str:
    """The seal after an entry.

    Args:
        before: the seal before it; empty for the first entry.
        line: the entry as JSON.

    >>> seal_after("", "{}")[:8]
    '44136fa3'
    """
    return hashlib.sha256(f"{before}{line}".encode()).hexdigest()


def sealed(entries: Iterable[Entry]) -> Iterator[tuple[str, str]]:
    """The (seal, line) of each entry, oldest first."""
    seal = ""
    for entry in entries:
        line = entry_to_json(entry)
        seal = seal_after(seal, line)
        yield seal, line
