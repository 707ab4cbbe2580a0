"""Ways to pay that rule sets choose from."""

from collections.abc import Callable, Iterable

from table_assist.languages.words import Words, WordsError
from table_assist.rules.laid import Laid, LaidKind
from table_assist.rules.options import Options
from table_assist.rules.payment import Owed, Payment
from table_assist.rules.shown import SEATS
from table_assist.rules.verdict import NO_TRANSFERS, Transfers

__all__ = [
    "Owed",
    "add",
    "as_transfers",
    "collect",
    "kong_payers",
    "pay_agreed_penalty",
    "pay_for_false_win",
    "together",
]


def collect(winner: int, payers: Iterable[int], owed: Callable[[int], Owed]) -> Payment:
    """Each payer pays the winner what it owes."""
    transfers = [0] * SEATS
    debts = []
    for payer in payers:
        debt = owed(payer)
        transfers[payer] -= debt.points
        transfers[winner] += debt.points
        debts.append((payer, debt))
    first, second, third, fourth = transfers
    return Payment((first, second, third, fourth), (), winner, debts)


def add(payments: Iterable[Transfers]) -> Transfers:
    """The sum of several payments, seat by seat.

    >>> add([(1, -1, 0, 0), (0, 2, 0, -2)])
    (1, 1, 0, -2)
    """
    return as_transfers([sum(seat) for seat in zip((0, 0, 0, 0), *payments, strict=True)])


def together(payments: Iterable[Payment]) -> Payment:
    """Several payments as one, with the steps of all."""
    every = tuple(payments)
    return Payment(
        add(payment.transfers for payment in every),
        tuple(step for payment in every for step in payment.steps),
    )


def kong_payers(kong: Laid) -> tuple[int, ...]:
    """The payers of a kong that is paid when it is laid: its discarder, or all three others.

    Raises:
        ValueError: nobody knows whose discard made it.
    """
    if kong.kind is not LaidKind.KONG_EXPOSED:
        return tuple(seat for seat in range(SEATS) if seat != kong.seat)
    if kong.discarder is None:
        raise WordsError.told("kong_of", seat=kong.seat)
    return (kong.discarder,)


def pay_agreed_penalty(seat: int, dealer: int, options: Options) -> Payment:
    """Nothing for a false win where it is only reported, else the amount agreed.

    The options are ``false_win_penalty`` (``report_only`` or ``custom``) and ``false_win_amount``.
    """
    if options["false_win_penalty"] == "report_only":
        return Payment(NO_TRANSFERS)
    return pay_for_false_win(seat, int(options["false_win_amount"]))


def pay_for_false_win(seat: int, amount: int) -> Payment:
    """The same amount to each other seat."""
    step = Words(
        "False win: seat {seat} pays {amount} to each other seat.",
        "诈和：座位 {seat} 赔其他三家各 {amount} 分。",
        seat=seat,
        amount=amount,
    )
    transfers = [-3 * amount if each == seat else amount for each in range(SEATS)]
    return Payment(as_transfers(transfers), (step,))


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
