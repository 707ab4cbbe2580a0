"""Whom the club has seated at a table, wherever they have moved since."""

from collections.abc import Sequence

from table_assist.club.orders import Order, OrderKind, kept_order, kept_orders
from table_assist.game.events import Attested, SeatsChanged
from table_assist.game.people import FIRST_SEATS, Names, People, by_person, is_seating, seated
from table_assist.record.log import Entry, effective

_SEATS = (OrderKind.SEATS, OrderKind.STAND_IN)


class SeatedNames:
    """The names of the latest order of seats; worked out when another order has come."""

    def __init__(self) -> None:
        self._orders = 0
        self._by_person: Names | None = None

    def by_seat(self, entries: Sequence[Entry], people: People) -> Names | None:
        """By seat, as they sit now; None where the club has seated nobody."""
        orders = sum(each.order.kind in _SEATS for each in kept_orders(entries))
        if orders != self._orders:
            self._orders, self._by_person = orders, _last(entries)
        return None if self._by_person is None else seated(self._by_person, people)


def _last(entries: Sequence[Entry]) -> Names | None:
    names = tuple(seated_by_person(entries).values())
    return (names[0], names[1], names[2], names[3]) if len(names) == 4 else None


def seated_by_person(entries: Sequence[Entry]) -> dict[int, str]:
    """The names that the club has seated, by player, in the order of the persons; or nobody."""
    by_seq = {entry.seq: entry for entry in entries}
    people = FIRST_SEATS
    found: dict[int, str] = {}  # by player, in the order of the persons
    for seq, event in effective(entries):
        if isinstance(event, SeatsChanged) and is_seating(event.came_from):
            people = seated(people, event.came_from)
        elif isinstance(event, Attested):
            kept = kept_order(by_seq[seq])
            if kept is not None and kept.order.kind in _SEATS and not kept.refused:
                found = _seats(kept.order, found, people)
    return found


def _seats(order: Order, before: dict[int, str], people: People) -> dict[int, str]:
    content = order.content
    if order.kind is OrderKind.STAND_IN:
        player, by = content.get("player"), (content.get("by"), str(content.get("name", "")))
        rows = [by if number == player else (number, name) for number, name in before.items()]
        return {int(str(number)): name for number, name in rows}
    names, players = content.get("names"), content.get("players")
    if not isinstance(names, list) or not isinstance(players, list):
        return before
    if len(names) != 4 or len({str(n) for n in players if type(n) is int}) != 4:
        return {}  # nobody is named
    return dict(
        by_person([(int(n), str(name)) for n, name in zip(players, names, strict=True)], people)
    )
