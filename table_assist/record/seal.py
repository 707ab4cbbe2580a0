"""A seal after each entry of the log: who changes an entry changes every seal after it.

A seal is the sha256 of the seal before it and the entry as JSON, as it stands in the log. Its first
letters are shown when a hand is over, and phones keep it: whoever noted them can tell later
whether the record is the one of that day.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from table_assist.game.events import HandAbandoned, HandStarted, Settled, WallExhausted
from table_assist.record.log import Entry, entry_from_json, entry_to_json

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
        row = json.loads(line, object_pairs_hook=_known_once)
        entry_from_json(line)
    except (ValueError, TypeError):
        return False
    keys = list(row)
    known = [key for key in _KEYS if key in row]
    return keys == known and line == json.dumps(row, ensure_ascii=False, separators=(",", ":"))


def _known_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    row = dict(pairs)
    if len(row) != len(pairs):
        raise ValueError("a key stands there twice")
    return row
