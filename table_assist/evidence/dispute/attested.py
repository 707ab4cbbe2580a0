"""The log's attestations beside the game: its installation, the names, the rules, the pictures."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence

from table_assist.game.events import Attested
from table_assist.record.log import Entry


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


def vouched(entries: Iterable[Entry], kind: str) -> tuple[tuple[str, ...], ...]:
    """The log's attestations of one kind, oldest first."""
    found = (entry.event for entry in entries)
    return tuple(e.fields for e in found if isinstance(e, Attested) and e.kind == kind)
