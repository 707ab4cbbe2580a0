"""Payments: the figures at once, the sentences when somebody asks for them."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from table_assist.languages.words import Words
from table_assist.rules.verdict import Transfers


class Owed(NamedTuple):
    """One payer's debt.

    Attributes:
        formula: how it comes about: the factors, or text such as ``2 × 900 × 1000 / 5400``; empty
            for an amount as such.
        uncapped: what the formula comes to where no more than the points is paid; else 0.
    """

    points: int
    formula: tuple[int, ...] | str = ""
    uncapped: int = 0

    @property
    def words(self) -> str:
        """The formula as it is written; what multiplies nothing is left out."""
        if isinstance(self.formula, str):
            return self.formula
        factors = list(self.formula)
        while factors and factors[-1] == 1:
            factors.pop()
        return formula_of(factors) if len(factors) > 1 else ""


def formula_of(factors: Iterable[int]) -> str:
    """A product as it is written.

    >>> formula_of((2, 7, 3))
    '2 × 7 × 3'
    """
    return " × ".join(map(str, factors))


class Payment(NamedTuple):
    """A payment's payers, payees and reasons.

    Attributes:
        notes: sentences that are no single debt.
        winner: who is owed the debts.
        debts: by payer.
    """

    transfers: Transfers
    notes: tuple[Words, ...] = ()
    winner: int = 0
    debts: Sequence[tuple[int, Owed]] = ()

    @property
    def steps(self) -> tuple[Words, ...]:
        """The payment in words."""
        return (*self.notes, *(_debt(payer, self.winner, owed) for payer, owed in self.debts))


def _debt(payer: int, winner: int, owed: Owed) -> Words:
    formula, most = owed.words, Words("", "")
    if owed.uncapped:
        most = Words(", at most {points}", "，最多 {points}", points=owed.points)
    points = owed.uncapped or owed.points
    sum_of = f"{formula} = {points}" if formula else f"{points}"
    return Words(
        "Seat {payer} pays seat {winner}: {sum_of}{most}.",
        "座位 {payer} 付座位 {winner}：{sum_of}{most}。",
        payer=payer,
        winner=winner,
        sum_of=sum_of,
        most=most,
    )
