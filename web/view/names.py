"""Who sits where: the players' names, in sentences that the rules wrote with seat numbers."""

import re

from table_assist.contract.snapshot import Snapshot
from table_assist.game.people import Names, by_person, name_words
from table_assist.words import Words
from web.view.vocabulary import joined

# "seat 2", "Seats 1, 3", "seats 0 and 1", "座位 2", "座位 1、3"
_SEATS_EN = re.compile(r"\b[Ss]eats? ([0-3](?:(?:, | and )[0-3]\b)*)(?![0-9])")
_SEATS_ZH = re.compile(r" ?座位 ?([0-3](?:(?:、|, ?)[0-3])*)(?![0-9])(?: (?![0-9]))?")
_PLACEHOLDER = re.compile(r"\{([0-3])\}")


def person_names(snapshot: Snapshot) -> Names:
    """The players' names by the seats in which they began, wherever they sit now."""
    return by_person(snapshot.names, snapshot.state.people)


def player(names: Names, seat: int) -> Words:
    """The name of who sits there, or the seat's number where nobody gave one."""
    return name_words(names[seat], seat)


def with_names(words: Words, names: Names) -> Words:
    """The same sentence with names: the rules speak of seats."""

    def named(seats: str) -> Words:
        return joined([player(names, int(seat)) for seat in re.findall(r"[0-3]", seats)], zh="、")

    return Words(
        _SEATS_EN.sub(lambda found: named(found[1]).en, words.en),
        _SEATS_ZH.sub(lambda found: named(found[1]).zh, words.zh),
    )


def with_placeholders(words: Words, names: Names) -> Words:
    """The same sentence with names for ``{0}`` to ``{3}``."""
    players = [player(names, seat) for seat in range(len(names))]
    return Words(
        _PLACEHOLDER.sub(lambda found: players[int(found[1])].en, words.en),
        _PLACEHOLDER.sub(lambda found: players[int(found[1])].zh, words.zh),
    )
