"""Tianjin's payments beside the win: by stakes, for kongs, for the chase."""

from collections.abc import Mapping

from table_assist.languages.words import Words
from table_assist.rules.laid import Laid, LaidIn, LaidKind
from table_assist.rules.options import Options
from table_assist.rules.ruleset import Payment
from table_assist.rules.settlement import Owed, collect, kong_payers, together
from table_assist.rules.shown import SEATS, Antes
from table_assist.rules.verdict import NO_TRANSFERS
from table_assist.tiles.tile import Tile

# --- Antes (TJ-04 to TJ-08)


def stake_factor(antes: Antes, dealer: int, one: int, other: int, options: Options) -> int:
    """Payments between the dealer and another are doubled by what either staked."""
    if dealer not in (one, other):
        return 1
    tokens = antes.challenges[other if one == dealer else one]
    factors = ([2] if antes.double_down else []) + ([1 << tokens] if tokens else [])
    if options["challenge_stack"] == "sum":
        return sum(factors) or 1
    product = 1
    for factor in factors:
        product *= factor
    return product


# --- Kongs and the chase (TJ-27 to TJ-29)

_KONG_POINTS: Mapping[LaidKind, int] = {
    LaidKind.KONG_CONCEALED: 2,
    LaidKind.KONG_EXPOSED: 1,
    LaidKind.KONG_ADDED: 1,
    LaidKind.GOLDEN_KONG: 8,
}


def pay_laid(laid: tuple[Laid, ...], hand: LaidIn, options: Options) -> Payment:
    """The payment for all kongs of a hand."""
    return together(_pay_kong(kong, hand, options) for kong in laid)


def _pay_kong(kong: Laid, hand: LaidIn, options: Options) -> Payment:
    points = _KONG_POINTS.get(kong.kind)
    if points is None:
        raise ValueError(f"tianjin has no {kong.kind}")
    payers = kong_payers(kong)
    if kong.robbed_by is not None:
        words = Words(
            "The kong of seat {seat} was robbed and is not paid.",
            "座位 {seat} 的杠被抢，不计分。",
            seat=kong.seat,
        )
        return Payment(NO_TRANSFERS, (words,))

    def owed(payer: int) -> Owed:
        factor = stake_factor(hand.antes, hand.dealer, payer, kong.seat, options)
        others = hand.dealer not in (payer, kong.seat) and hand.antes.double_down
        if others and options["double_down_kong_scope"] == "all":
            factor = 2
        return Owed(points * factor, (points, factor) if factor > 1 else ())

    return collect(kong.seat, payers, owed)


def chase(
    discards: tuple[Tile, ...], dealer: int, antes: Antes, options: Options
) -> Payment | None:
    """If all others discard what the dealer discarded first, the dealer pays each of them 1."""
    first, *others = discards
    if len(others) != SEATS - 1 or any(tile != first for tile in others):
        return None

    def paid(seat: int) -> Payment:
        owed = Owed(stake_factor(antes, dealer, dealer, seat, options))
        return collect(seat, (dealer,), lambda payer: owed)

    return together(paid(seat) for seat in range(SEATS) if seat != dealer)
