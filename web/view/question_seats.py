"""Which seats a question is put to."""

from table_assist.game.events import Asked
from table_assist.record.log import Entry


def seats_of(asked: Asked, entries: tuple[Entry, ...]) -> set[int]:
    """The seats that a question is about; empty for a question about the table."""
    found = {seat for seat in range(4) if f"{{{seat}}}" in asked.text.en}
    events = [asked.if_yes, *(entry.event for entry in entries if entry.seq == asked.about)]
    return found | {seat for each in events if isinstance(seat := getattr(each, "seat", None), int)}
