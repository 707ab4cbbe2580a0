"""A seal after each entry: who changes one changes every seal after it; a log as published.

A seal is the sha256 of the seal before it and the entry as JSON, as it stands in the log. Its first
letters are shown when a hand is over, and phones keep it: whoever noted them can tell later
whether the record is the one of that day.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from table_assist.game.events import End, HandStarted
from table_assist.parts import VERSION
from table_assist.record.log import (
    Entry,
    compact_json,
    entries_from_json,
    entry_to_json,
    row_and_entry,
)

SHOWN_LETTERS = 16  # letters of a seal that people note; to meet them by trying takes 2**64 tries
_ENTRY_KEYS = ("seq", "t", "source", "confidence", "origin", "event", "by", "cause", "key")


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
        elif isinstance(entry.event, End):
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
    return entry, [key for key in _ENTRY_KEYS if key in row] == list(row) and line == compact_json(
        row
    )


EXPORT_FORMAT, EXPORT_VERSION = "table-assist log", 1
_ROW_BEGIN, _ROW_BETWEEN, _ROW_END = '{"seal":"', '","entry":', "}"
SEAL_LETTERS = 64
_LETTERS = frozenset("0123456789abcdef")
_HEADER = ("format", "version", "program", "names")


class PublishedError(ValueError):
    """A file that is no log of ours, or was changed; the message is one sentence with the line."""


@dataclass(frozen=True, slots=True)
class Published:
    """A file that was read and checked."""

    program: str
    names: tuple[str, ...]
    entries: tuple[Entry, ...]
    seals: tuple[HandSeal, ...]


def published_lines(chain: Iterable[tuple[str, str]], names: Iterable[str]) -> Iterator[str]:
    """The lines of the file.

    Args:
        chain: (seal, line) of each entry, oldest first.
        names: the players', by the seats in which they began.
    """
    known = list(chain)
    entries = entries_from_json([line for _, line in known])
    header = {
        "format": EXPORT_FORMAT,
        "version": EXPORT_VERSION,
        "program": VERSION,
        "names": [*names],
    }
    yield json.dumps(header, ensure_ascii=False, separators=(",", ":"))
    for seal, line in known[: _told(entries)]:
        yield published_row(seal, line)


def published_row(seal: str, line: str) -> str:
    """An entry's line of the file."""
    return f"{_ROW_BEGIN}{seal}{_ROW_BETWEEN}{line}{_ROW_END}"


def read_row(row: str, number: int, seq: int) -> tuple[str, str, Entry]:
    """The seal, the text and the entry of a line; whether the seal fits is not looked at.

    Args:
        number: of the line, for what is said of it.
        seq: the number that the entry must have.

    Raises:
        PublishedError: it is no such line.
    """
    begin = len(_ROW_BEGIN) + SEAL_LETTERS
    seal, between = row[len(_ROW_BEGIN) : begin], row[begin : begin + len(_ROW_BETWEEN)]
    is_sound = (
        row.startswith(_ROW_BEGIN) and between == _ROW_BETWEEN and row.endswith(_ROW_END)
        and _LETTERS.issuperset(seal)
    )  # fmt: skip
    if not is_sound:
        raise PublishedError(f'line {number}: it is not {{"seal":"…","entry":…}}')
    line = row[begin + len(_ROW_BETWEEN) : -len(_ROW_END)]
    try:
        entry, is_as_written = read_canonical(line)
    except (ValueError, TypeError) as error:
        raise PublishedError(f"line {number}: {error}") from error
    if entry.seq != seq:
        raise PublishedError(f"line {number}: entry {entry.seq} stands where {seq} belongs")
    if not is_as_written:
        raise PublishedError(f"line {number}: it has spaces, or keys that no entry has")
    return seal, line, entry


def read_published(lines: Iterable[str]) -> Published:
    """Read a file and check every line of it.

    Raises:
        PublishedError: the first thing that is wrong.
    """
    rows = iter(lines)
    program, names = _header(next(rows, ""))
    entries: list[Entry] = []
    seals, seal = HandSeals(), ""
    for number, row in enumerate(rows, start=2):
        said, line, entry = read_row(row.rstrip("\r\n"), number, len(entries) + 1)
        seal = seal_after(seal, line)
        if seal != said:
            raise PublishedError(
                f"line {number}: the seal does not fit: this entry or one before it was changed"
            )
        entries.append(entry)
        seals.note(entry, seal)
    if _told(entries) != len(entries):
        raise PublishedError(f"line {len(entries) + 1}: the file ends within a hand")
    return Published(program, names, tuple(entries), seals.noted)


def _told(entries: Iterable[Entry]) -> int:
    """How many entries may be told: those before a hand that is not over; else all.

    Corrections that came after a hand belong to it, so that nothing is cut off but an open hand.
    """
    number = before_open = 0
    is_open = False
    for number, entry in enumerate(entries, start=1):
        if isinstance(entry.event, HandStarted):
            is_open, before_open = True, number - 1
        elif isinstance(entry.event, End):
            is_open = False
    return before_open if is_open else number


def _header(row: str) -> tuple[str, tuple[str, ...]]:
    try:
        said = json.loads(row)
    except ValueError:
        said = None
    if not isinstance(said, dict) or said.get("format") != EXPORT_FORMAT:
        raise PublishedError(f"line 1: this is no file of the format {EXPORT_FORMAT!r}")
    if said.get("version") != EXPORT_VERSION:
        raise PublishedError(
            f"line 1: the file's version is {said.get('version')!r}; this program reads "
            f"{EXPORT_VERSION}"
        )
    names = said.get("names")
    is_sound = (
        tuple(said) == _HEADER
        and isinstance(said["program"], str)
        and isinstance(names, list)
        and len(names) == 4
        and all(isinstance(name, str) for name in names)
    )
    if not is_sound:
        raise PublishedError(f"line 1: it needs {', '.join(_HEADER)}, with four names")
    return said["program"], tuple(names or ())
