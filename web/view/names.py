"""The players' names, in sentences that the rules wrote with seat numbers."""

import re
from collections.abc import Sequence
from functools import cache

from table_assist.contract.snapshot import Snapshot
from table_assist.game.people import Names, by_person, name_words
from table_assist.languages.words import Changed, Words, isolated, joined, with_players

_SEAT = Words("seat {n}", "座位 {n}")
# "seat 2", "seats 1, 3", "seats 0 and 1", "座位 2", "座位 1、3"
_SEATS = r"{seat}([0-3](?:(?:, ?| and |、)[0-3](?![0-9]))*)(?![0-9]){after}"


def person_names(snapshot: Snapshot) -> Names:
    """The players' names by the seats in which they began, wherever they sit now."""
    return by_person(snapshot.names, snapshot.state.people)


def player(names: Names, seat: int) -> Words:
    """The name of who sits there, or the seat's number where nobody gave one."""
    return name_words(names[seat], seat)


def with_names(words: Words, names: Names) -> Words:
    """The same sentence with names: the rules speak of seats."""
    return with_seats(words, [player(names, seat) for seat in range(len(names))])


def with_seats(words: Words, players: Sequence[Words]) -> Words:
    """The same, by what the players are called."""

    def called(found: re.Match[str]) -> Words:
        return joined([players[int(seat)].map(isolated) for seat in re.findall(r"[0-3]", found[1])])

    return Changed(
        words, lambda text, tag: _seats(tag).sub(lambda found: called(found).said(tag), text)
    )


@cache
def _seats(language: str) -> re.Pattern[str]:
    """Seats as the language names them: by what it says for one."""
    before, _, after = _SEAT.said(language).partition("{n}")
    if language == "en":
        return re.compile(_SEATS.format(seat=r"\bseats? ", after=""), re.IGNORECASE)
    seat = r" ?" + re.escape(before.strip()) + " ?"
    return re.compile(_SEATS.format(seat=seat, after=re.escape(after) + r"(?: (?![0-9]))?"))


def with_placeholders(words: Words, names: Names) -> Words:
    """The same sentence with names for ``{0}`` to ``{3}``."""
    return with_players(words, [player(names, seat) for seat in range(len(names))])
