"""Who sits where: scores belong to people, and people may take new seats between two hands.

A person is known by the seat taken when the record began. ``people`` names, for each seat, the
person who sits there now.
"""

from collections.abc import Sequence
from typing import TypeVar

from table_assist.words import Words

People = tuple[int, int, int, int]
FIRST_SEATS: People = (0, 1, 2, 3)
T = TypeVar("T")
Names = tuple[str, str, str, str]  # by seat, or by person


def seated(by_person: Sequence[T], people: People) -> tuple[T, T, T, T]:
    """What belongs to people, by the seats in which they sit.

    >>> seated(("Ada", "Bo", "Cy", "Di"), (2, 0, 1, 3))
    ('Cy', 'Ada', 'Bo', 'Di')
    """
    a, b, c, d = (by_person[person] for person in people)
    return a, b, c, d


def by_person(by_seat: Sequence[T], people: People) -> tuple[T, T, T, T]:
    """What lies at seats, by the people who sit there; the other way round.

    >>> by_person(("Cy", "Ada", "Bo", "Di"), (2, 0, 1, 3))
    ('Ada', 'Bo', 'Cy', 'Di')
    """
    a, b, c, d = (by_seat[people.index(person)] for person in range(len(people)))
    return a, b, c, d


def is_seating(came_from: Sequence[int]) -> bool:
    """Whether each of the four seats is named once."""
    return sorted(came_from) == list(FIRST_SEATS)


def no_seating(came_from: Sequence[int]) -> Words:
    """Why four seats cannot be taken like that."""
    return Words(
        f"{list(came_from)} does not name each of the four seats once",
        f"{list(came_from)} 没有把四个座位各写一次",
    )
