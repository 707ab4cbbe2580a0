"""A seal after each entry of the log: who changes an entry changes every seal after it.

A seal is the sha256 of the seal before it and the entry as JSON, as it stands in the log. Its first
letters are shown when a hand is over, and phones keep it: whoever noted them can tell later
whether the record is the one of that day.
"""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from table_assist.game.events import HandAbandoned, HandStarted, Settled, WallExhausted
from table_assist.record.log import Entry, compact_json, entry_to_json, row_and_entry

SHOWN = 16  # letters of a seal that people note; to meet them by trying takes 2**64 tries
_KEYS = ("seq", "t", "source", "confidence", "origin", "event", "by", "cause", "key")


@dataclass(frozen=True, slots=True)
class HandSeal:
    """The seal of a hand: after the entry that ended it.

    Attributes:
        seq: the entry's number.
        seal: 64 hexadecimal letters.
    """

    hand: int
    seq: int
    seal: str


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
    """The (seal, line) of each entry, oldest first, as this program writes them."""
    seal = ""
    for entry in entries:
        line = entry_to_json(entry)
        seal = seal_after(seal, line)
        yield seal, line


class HandSeals:
    """Notes the seal of each hand as entries come, oldest first.

    Attributes:
        noted: so far.
        first: the seal of the first entry, by which one log is told from another; empty for none.
    """

    def __init__(self) -> None:
        self.noted: tuple[HandSeal, ...] = ()
        self.first = ""
        self._hand = 0

    def note(self, entry: Entry, seal: str) -> None:
        """The next entry, and the seal after it."""
        self.first = self.first or seal
        if isinstance(entry.event, HandStarted):
            self._hand = entry.event.hand
        elif isinstance(entry.event, Settled | WallExhausted | HandAbandoned):
            self.noted = (*self.noted, HandSeal(self._hand, entry.seq, seal))


def hand_seals(chain: Iterable[tuple[str, Entry]]) -> tuple[HandSeal, ...]:
    """The seal of each hand in a whole log, given as (seal, entry)."""
    seals = HandSeals()
    for seal, entry in chain:
        seals.note(entry, seal)
    return seals.noted


def is_canonical(line: str) -> bool:
    """Whether a line is written as this program writes, with nothing in it that it does not know.

    Where anything else passes, a forger tries spaces, or keys that nobody reads, until a seal fits.
    """
    try:
        return read_canonical(line)[1]
    except (ValueError, TypeError):
        return False


def read_canonical(line: str) -> tuple[Entry, bool]:
    """The entry of a line, and whether the line is canonical; it is parsed once.

    Raises:
        ValueError: the line is not an entry; the message says what is wrong.
    """
    row, entry = row_and_entry(line)
    # A key that stands there twice is written once.
    return entry, [key for key in _KEYS if key in row] == list(row) and line == compact_json(row)
