"""A memory of late things only."""

from typing import TypeVar

Kept = TypeVar("Kept")


class Recent(dict[int, Kept]):
    """By number, and only of the latest: what was put in first goes first.

    >>> recent = Recent(2)
    >>> for number in (3, 4, 5): recent[number] = str(number)
    >>> recent
    {4: '4', 5: '5'}
    """

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def __setitem__(self, number: int, kept: Kept) -> None:
        super().__setitem__(number, kept)
        if len(self) > self._most:
            del self[next(iter(self))]
