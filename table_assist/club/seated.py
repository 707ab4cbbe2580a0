"""Whom the club has seated at a table, wherever they have moved since."""

from collections.abc import Sequence

from table_assist.club.told import Kind, kept_order, kept_orders
from table_assist.game.events import Attested, SeatsChanged
from table_assist.game.people import FIRST_SEATS, Names, People, by_person, is_seating, seated
from table_assist.record.log import Entry, effective


class SeatedNames:
    """The names of the latest order of seats; worked out when another order has come."""

    def __init__(self) -> None:
        self._orders = 0
        self._by_person: Names | None = None

    def by_seat(self, entries: Sequence[Entry], people: People) -> Names | None:
        """By seat, as they sit now; None where the club has seated nobody."""
        orders = sum(each.order.kind is Kind.SEATS for each in kept_orders(entries))
        if orders != self._orders:
            self._orders, self._by_person = orders, _last(entries)
        return None if self._by_person is None else seated(self._by_person, people)


def _last(entries: Sequence[Entry]) -> Names | None:
    by_seq = {entry.seq: entry for entry in entries}
    people, found = FIRST_SEATS, None
    for seq, event in effective(entries):
        if isinstance(event, SeatsChanged) and is_seating(event.came_from):
            people = seated(people, event.came_from)
        elif isinstance(event, Attested):
            kept = kept_order(by_seq[seq])
            names = kept.order.content.get("names") if kept is not None else None
            if isinstance(names, list) and len(names) == 4:
                found = by_person([str(each) for each in names], people)
    return found
