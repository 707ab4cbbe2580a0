"""The log's attestations beside the game: its installation, the names, the rules, the pictures."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence

from table_assist.game.events import Attested
from table_assist.game.fold import apply
from table_assist.game.people import Names, called
from table_assist.game.state import TableState
from table_assist.record.log import Entry, effective

UNNAMED = ("Seat 1", "Seat 2", "Seat 3", "Seat 4")


def attestations(public: str, names: Sequence[str], sheet: bytes) -> tuple[Attested, ...]:
    """The attestations at the start of an evening."""
    return (
        Attested("key", (public,)),
        Attested("names", tuple(names)),
        Attested("rules", (hashlib.sha256(sheet).hexdigest(),)),
    )


def not_yet_said(said: Iterable[Attested], entries: Iterable[Entry]) -> Iterator[Attested]:
    """The attestations that are not already the log's last ones of their kind."""
    last: dict[str, Attested] = {}
    for entry in entries:
        if isinstance(entry.event, Attested):
            last[entry.event.kind] = entry.event
    return (each for each in said if last.get(each.kind) != each)


def names_then(
    said: Names, entries: Sequence[Entry], seq: int, listed_here: Names = UNNAMED
) -> Names:
    """What the players were called: as they had said, else as the log says the settings did.

    Args:
        seq: so many entries had been written; names that were first vouched for later count, too.
        listed_here: the settings' names, for a log that vouches for none.
    """
    listed = [
        (e.seq, e.event.fields)
        for e in entries
        if isinstance(e.event, Attested) and e.event.kind == "names" and len(e.event.fields) == 4
    ]
    if not listed:
        return called(said, listed_here)
    by_then = [fields for at, fields in listed if at <= seq]
    a, b, c, d = by_then[-1] if by_then else listed[0][1]
    return called(said, (a, b, c, d))


def vouched(entries: Iterable[Entry], kind: str) -> tuple[tuple[str, ...], ...]:
    """The log's attestations of one kind, oldest first."""
    found = (entry.event for entry in entries)
    return tuple(e.fields for e in found if isinstance(e, Attested) and e.kind == kind)


def log_names(entries: Sequence[Entry], listed_here: Names = UNNAMED) -> Names:
    """What the players are called at a log's end."""
    state = TableState()
    for _, event in effective(entries):
        state = apply(state, event)
    return names_then(state.names, entries, len(entries), listed_here)
