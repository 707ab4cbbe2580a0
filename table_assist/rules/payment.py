"""Who pays whom: the figures at once, the sentences when somebody asks for them."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from table_assist.rules.verdict import Transfers
from table_assist.rules.words import Words


class Owed(NamedTuple):
    """What one payer owes.

    Attributes:
        formula: how it comes about: the factors, or text such as ``min(1000, 2 × 1024)``; empty
            for an amount as such.
    """

    points: int
    formula: tuple[int, ...] | str = ""

    @property
    def words(self) -> str:
        """The formula as it is written."""
        return self.formula if isinstance(self.formula, str) else formula_of(self.formula)


class Debt(NamedTuple):
    """What one seat owes another."""

    payer: int
    winner: int
    owed: Owed

    @property
    def words(self) -> Words:
        """The sentence that says so."""
        formula, points = self.owed.words, self.owed.points
        sum_of = f"{formula} = {points}" if formula else f"{points}"
        return Words(
            f"Seat {self.payer} pays seat {self.winner}: {sum_of}.",
            f"座位 {self.payer} 付座位 {self.winner}：{sum_of}。",
        )


def formula_of(factors: Iterable[int]) -> str:
    """A product as it is written.

    >>> formula_of((2, 7, 3))
    '2 × 7 × 3'
    """
    return " × ".join(map(str, factors))


@dataclass(frozen=True, slots=True)
class Payment:
    """Who pays whom, and why.

    Attributes:
        notes: sentences that are no single debt.
    """

    transfers: Transfers
    notes: tuple[Words, ...] = ()
    debts: tuple[Debt, ...] = ()

    @property
    def steps(self) -> tuple[Words, ...]:
        """The payment in words."""
        return (*self.notes, *(debt.words for debt in self.debts))
