"""Ways to pay that rule sets choose from, kongs and eggs among them, and what is paid."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from table_assist.languages.words import Words, WordsError, phrase
from table_assist.rules.options import Options
from table_assist.rules.shown import SEAT_COUNT, Antes, check_seat
from table_assist.rules.verdict import NO_TRANSFERS, Refusal, Transfers
from table_assist.tiles.tile import Tile, Tiles

_NO_ANTES = Antes()


class LaidKind(StrEnum):
    """The kinds of kongs and eggs; the values are the worked examples' ``type``."""

    LUCKY_EGG = "lucky_egg"
    KONG_CONCEALED = "kong_concealed"
    KONG_EXPOSED = "kong_exposed"
    KONG_ADDED = "kong_added"
    GOLDEN_KONG = "golden_kong"


@dataclass(frozen=True, slots=True)
class Laid:
    """One kong or egg, and what became of it.

    Attributes:
        discarder: whose discard made an exposed kong; none if not known or not one.
        tiles: an egg's base tiles; a kong's may be left out.
        supplements: tiles appended to an egg that still stand.
        robbed: an egg lost an appended tile to another player.
        robbed_by: who won with the tile added to a kong.
        won_on_next_discard_by: who won with the discard that followed the kong.
        forbidden: why the rules did not allow it; none if they did. It lies there and is not paid.
        not_allowed: the tiles appended to an egg against the rules, each with the reason.

    Raises:
        ValueError: a seat is none of 0 to 3.
    """

    kind: LaidKind
    seat: int
    discarder: int | None = None
    tiles: Tiles = ()
    supplements: Tiles = ()
    robbed: bool = False
    robbed_by: int | None = None
    won_on_next_discard_by: int | None = None
    forbidden: Refusal | None = None
    not_allowed: tuple[tuple[Tile, Refusal], ...] = ()

    @property
    def is_egg(self) -> bool:
        """It is a lucky egg."""
        return self.kind is LaidKind.LUCKY_EGG

    def broken(self, tile: Tile) -> "Laid":
        """The egg without an appended tile that another player took."""
        if self.not_allowed and self.not_allowed[-1][0] is tile:
            return replace(self, not_allowed=self.not_allowed[:-1], robbed=True)
        # The last of all where it was followed; what was told has its tiles in any order.
        such = (at for at, each in enumerate(self.supplements) if each is tile)
        gone = max(such, default=len(self.supplements) - 1)
        rest = tuple(each for at, each in enumerate(self.supplements) if at != gone)
        return replace(self, supplements=rest, robbed=True)

    def __post_init__(self) -> None:
        check_seat("seat", self.seat)
        for what, seat in (
            ("discarder", self.discarder),
            ("robber", self.robbed_by),
            ("winner", self.won_on_next_discard_by),
        ):
            if seat is not None:
                check_seat(what, seat)
                if seat == self.seat:
                    raise ValueError(f"the {what} is seat {seat}, who laid the {self.kind}")


@dataclass(frozen=True, slots=True)
class LaidIn:
    """The hand in which kongs and eggs were laid.

    Attributes:
        drawn: it ended without a winner.
    """

    dealer: int
    antes: Antes = _NO_ANTES
    drawn: bool = False

    def __post_init__(self) -> None:
        check_seat("dealer", self.dealer)


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
    return phrase("settlement.seat_pays_seat", payer=payer, winner=winner, sum_of=sum_of, most=most)


def collect(winner: int, payers: Iterable[int], owed: Callable[[int], Owed]) -> Payment:
    """Each payer pays the winner what it owes."""
    transfers = [0] * SEAT_COUNT
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
        return tuple(seat for seat in range(SEAT_COUNT) if seat != kong.seat)
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
    step = phrase("settlement.false_win_seat_pays", seat=seat, amount=amount)
    transfers = [-3 * amount if each == seat else amount for each in range(SEAT_COUNT)]
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
