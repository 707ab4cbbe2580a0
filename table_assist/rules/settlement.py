"""Ways to pay that rule sets choose from."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from table_assist.rules.ruleset import Payment, Transfers
from table_assist.rules.shown import SEATS
from table_assist.rules.words import Words


@dataclass(frozen=True, slots=True)
class Owed:
    """What one payer owes.

    Attributes:
        formula: how it comes about, such as ``2 × 7 × 3``; empty for an amount as such.
    """

    points: int
    formula: str = ""


def collect(winner: int, payers: Iterable[int], owed: Callable[[int], Owed]) -> Payment:
    """Each payer pays the winner what it owes."""
    transfers = [0] * SEATS
    steps = []
    for payer in payers:
        debt = owed(payer)
        transfers[payer] -= debt.points
        transfers[winner] += debt.points
        sum_of = f"{debt.formula} = {debt.points}" if debt.formula else f"{debt.points}"
        steps.append(
            Words(
                f"Seat {payer} pays seat {winner}: {sum_of}.",
                f"座位 {payer} 付座位 {winner}：{sum_of}。",
            )
        )
    return Payment(as_transfers(transfers), tuple(steps))


def add(payments: Iterable[Transfers]) -> Transfers:
    """What several payments come to, seat by seat.

    >>> add([(1, -1, 0, 0), (0, 2, 0, -2)])
    (1, 1, 0, -2)
    """
    return as_transfers([sum(seat) for seat in zip((0, 0, 0, 0), *payments, strict=True)])


def as_transfers(amounts: Iterable[int]) -> Transfers:
    """Four amounts that come to zero.

    Raises:
        ValueError: not four, or points appear or vanish.
    """
    first, second, third, fourth = amounts
    transfers = (first, second, third, fourth)
    if sum(transfers) != 0:
        raise ValueError(f"payments {transfers} come to {sum(transfers)}, not to zero")
    return transfers
