"""People and seats: scores belong to people, and people may take new seats between two hands.

A person is known by the seat taken when the record began. ``people`` names, for each seat, the
person who sits there now.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TypeVar

from table_assist.languages.words import Words, phrase

People = tuple[int, int, int, int]
FIRST_SEATS: People = (0, 1, 2, 3)
_UNNAMED = re.compile(r"Seat ([1-4])")  # as settings list who has said no name
# As the log writes who sits at a seat: the name, then the seat and the device that was let in.
_OF_A_SEAT = re.compile(r"\(seat ([1-4]), [0-9a-f]+\)$")
# What looks like a Latin letter, in other scripts and as a digit; each pair stands together.
_LOOK_ALIKE = (
    "аa вb еe рp сc оo хx уy кk мm нh тt іi ѕs јj һh ԁd αa βb εe ηn ιi κk μm νv οo ρp τt υu χx"
)
_ALIKE = str.maketrans(
    {each[0]: each[1] for each in (*_LOOK_ALIKE.split(), "0o", "1i", "li", "|i", "ıi")}
)
# Nothing is seen of format and space characters, and of these.
_UNSEEN = re.compile("[\u034f\u115f\u1160\u2800\ufe00-\ufe0f\U000e0100-\U000e01ef]")
T = TypeVar("T")
Names = tuple[str, str, str, str]  # by seat, or by person


def seated(by_person: Sequence[T], people: People) -> tuple[T, T, T, T]:
    """Values of people, by the seats in which they sit.

    >>> seated(("Ada", "Bo", "Cy", "Di"), (2, 0, 1, 3))
    ('Cy', 'Ada', 'Bo', 'Di')
    """
    a, b, c, d = (by_person[person] for person in people)
    return a, b, c, d


def by_person(by_seat: Sequence[T], people: People) -> tuple[T, T, T, T]:
    """Values of seats, by the people who sit there; the other way round.

    >>> by_person(("Cy", "Ada", "Bo", "Di"), (2, 0, 1, 3))
    ('Ada', 'Bo', 'Cy', 'Di')
    """
    a, b, c, d = (by_seat[people.index(person)] for person in range(len(people)))
    return a, b, c, d


def called(said: Names, listed: Names) -> Names:
    """The players' names, by person: as they said themselves, else as the settings list them."""
    a, b, c, d = (own or name for own, name in zip(said, listed, strict=True))
    return a, b, c, d


def name_words(name: str, seat: int) -> Words:
    """A name in a sentence; who has none is called by the seat, in the reader's language.

    >>> name_words("Seat 3", 1), name_words("Ana", 1).zh
    (Words(en='Seat 3', zh='3号位'), 'Ana')
    """
    unnamed = _UNNAMED.fullmatch(name)
    number = seat + 1 if unnamed is None else int(unnamed[1])
    if name and unnamed is None:
        return Words(name, name)
    return Words("Seat {number}", "{number}号位", number=number)


def giver(name: str, seat: int, device: str) -> str:
    """How the log names a player who gave a command: the device tells two of one name apart.

    >>> giver("Bo", 1, "3fa9c1")
    'Bo (seat 2, 3fa9c1)'
    """
    return f"{name} (seat {seat + 1}, {device})".lstrip()


def seat_of(by: str) -> int | None:
    """The seat of who gave a command; None for the desk, and nobody.

    >>> seat_of("Bo (seat 2, 3fa9c1)"), seat_of("Bo (seat 2, 3fa9c1) (scorer)"), seat_of("Bo")
    (1, None, None)
    """
    found = _OF_A_SEAT.search(by)
    return None if found is None else int(found[1]) - 1


@lru_cache(10_000)
def looks(name: str) -> str:
    r"""What a name looks like: equal for two that people at a table cannot tell apart.

    >>> looks("Bo\u200b") == looks("Во") == looks(" b0") == looks("BΟ") == "bo"
    True
    """
    letters = _UNSEEN.sub("", unicodedata.normalize("NFKC", name).casefold())
    seen = (each for each in letters if unicodedata.category(each) not in ("Cc", "Cf", "Zs"))
    return "".join(seen).translate(_ALIKE)


def alike(name: str, seat: int, names: Sequence[str]) -> set[int]:
    r"""The other seats whose player is called so by the looks, or would be without a name.

    Args:
        names: by seat.

    >>> alike("B0", 3, ("Ann", "Bo", "Chen", "Du")), alike("seat 1", 3, ("Ann", "Bo", "Chen", "Du"))
    ({1}, {0})
    """
    called = {other: name_words("", other) for other in FIRST_SEATS if other != seat}
    read = {other: (names[other], words.en, words.zh) for other, words in called.items()}
    return {other for other in read if looks(name) in map(looks, read[other])}


def with_gone(names: Names, said: Names, people: People, gone: Iterable[int]) -> Names:
    """Names by seat, without those that players whose phones are gone said themselves.

    Args:
        said: by person.
        gone: seats.
    """
    leave = {seat for seat in gone if said[people[seat]]}
    a, b, c, d = ("" if seat in leave else name for seat, name in enumerate(names))
    return a, b, c, d


def is_seating(came_from: Sequence[int]) -> bool:
    """Whether each of the four seats is named once."""
    return sorted(came_from) == list(FIRST_SEATS)


def no_seating(came_from: Sequence[int]) -> Words:
    """Why four seats cannot be taken like that."""
    return phrase("people.does_not_name_each", list=list(came_from))
