"""Whose word a settlement waits for, and who has given it on the own phone."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum

from table_assist.game.events import Agreed, Settled
from table_assist.game.state import SEATS


class AcceptedBy(StrEnum):
    """A house's way to accept what is shown."""

    PAYERS = "payers"
    """Everybody who pays."""
    TWO = "two"
    """Any two seats; one of them does not gain."""
    SEEN = "seen"
    """Everybody has had it in view for a while, and nobody objected: the phones say so."""


@dataclass(frozen=True, slots=True)
class Acceptance:
    """How far a settlement is from being accepted on the players' phones.

    Attributes:
        settlement: its name, see `name_of`.
        by: the house's way.
        seats: whose word counts.
        accepted: of these, who has given it.
        missing: how many words are still to come.
    """

    settlement: str
    by: AcceptedBy
    seats: tuple[int, ...]
    accepted: tuple[int, ...]
    missing: int


def is_settlement(said: Agreed, hand: int, seat: int) -> bool:
    """Whether it is the seat's word to a settlement of this hand, whichever."""
    return said.seat == seat and said.to.startswith(f"{hand} ")


def name_of(hand: int, settled: Settled) -> str:
    """A settlement's name for those who accept it: another name for other payments.

    >>> name_of(3, Settled((0,), (6, -2, -2, -2), 0))
    '3 0 +6-2-2-2'
    """
    winners = ",".join(map(str, settled.winners))
    return f"{hand} {winners} {''.join(f'{points:+d}' for points in settled.transfers)}"


def acceptance(
    hand: int,
    settled: Settled,
    said: Iterable[Agreed],
    by: AcceptedBy,
    losers: Collection[int] = (),
) -> Acceptance:
    """The missing words; one that was given to another settlement counts for nothing.

    Args:
        losers: seats that get less by what others told: they are asked like those who pay.
    """
    name = name_of(hand, settled)
    gave = {each.seat for each in said if each.to == name}
    payers = tuple(seat for seat in SEATS if settled.transfers[seat] < 0 or seat in losers)
    if by is AcceptedBy.PAYERS and payers:
        accepted = tuple(seat for seat in payers if seat in gave)
        return Acceptance(name, by, payers, accepted, len(payers) - len(accepted))
    accepted = tuple(seat for seat in SEATS if seat in gave)
    if by is AcceptedBy.SEEN:
        return Acceptance(name, by, tuple(SEATS), accepted, len(SEATS) - len(accepted))
    only_gain = bool(accepted) and all(settled.transfers[seat] > 0 for seat in accepted)
    missing = max(2 - len(accepted), int(only_gain))
    return Acceptance(name, by, tuple(SEATS), accepted, missing)
