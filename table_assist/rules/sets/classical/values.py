"""A losing hand's worth in Chinese Classical (CL-75).

**Not in the document**, like all of the scoring. Pungs, kongs, a pair and the flowers count as in a
winner's hand; going out and what only a winner can have do not. Four of a kind that were not laid
down count as a concealed triplet (CL-45).
"""

from collections import Counter

from table_assist.languages.words import NONE, PLUS, Words, joined, with_value
from table_assist.rules.options import Options
from table_assist.rules.rounds import HandValue, LosingHand, own_wind
from table_assist.rules.ruleset import Win
from table_assist.rules.sets.classical.scoring import (
    ANY_HAND_DOUBLES,
    BONUS_TILE,
    counts_exposed,
    pair_points,
    points_of,
)
from table_assist.rules.shown import ShownHand
from table_assist.rules.win import read_as
from table_assist.tiles.divide import HandSet, SetKind, division_of
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile


def lost_value(hand: LosingHand, options: Options) -> HandValue:
    """Points, doubled for every double; the limit is the settlement's."""
    triplets = _triplets(hand)
    win = _as_read(hand, triplets, options)
    exposed = counts_exposed(hand.circumstances, options)
    parts = (
        (Words("sets", "刻杠"), sum(_set_points(part, exposed=exposed) for part in win.sets)),
        (Words("pair", "将"), _best_pair(hand)),
        (Words("flowers", "花"), BONUS_TILE * len(hand.bonus)),
    )
    points = sum(amount for _, amount in parts)
    met = [
        (pattern.names, pattern.value if isinstance(pattern.value, int) else pattern.value(win))
        for pattern in ANY_HAND_DOUBLES
        if pattern.predicate(win)
    ]
    doubles = sum(value for _, value in met)
    whole = points << doubles
    summed = joined([with_value(*part) for part in parts if part[1]], PLUS)
    doubled = joined([with_value(*each) for each in met])
    return HandValue(
        whole,
        (
            Words(
                "The hand of seat {seat}: {said} = {points}.",
                "座位 {seat} 的牌：{said} = {points}。",
                seat=hand.seat,
                said=summed or Words("nothing", "无"),
                points=points,
            ),
            Words(
                "Doubles: {doubled}. {points} × 2^{doubles} = {whole}.",
                "番：{doubled}。{points} × 2^{doubles} = {whole}。",
                doubled=doubled or NONE,
                points=points,
                doubles=doubles,
                whole=whole,
            ),
        ),
    )


def _triplets(hand: LosingHand) -> tuple[HandSet, ...]:
    """Every triplet held: none is spared for a pair, which always counts for less."""
    counts = Counter(hand.concealed)
    return tuple(
        HandSet(SetKind.PUNG, (tile,) * 3) for tile, count in sorted(counts.items()) if count >= 3
    )


def _best_pair(hand: LosingHand) -> int:
    """The one pair that counts for most."""
    own = own_wind(hand.seat, hand.east)
    pairs = (tile for tile, count in Counter(hand.concealed).items() if count == 2)
    return max((pair_points(tile, own, hand.prevailing) for tile in pairs), default=0)


def _set_points(part: HandSet, *, exposed: bool) -> int:
    concealed = not exposed if part.meld is None else part.meld.kind is MeldKind.KONG_CONCEALED
    return points_of(part, concealed=concealed)


def _as_read(hand: LosingHand, triplets: tuple[HandSet, ...], options: Options) -> Win:
    """The hand as the doubles want to see it; it completes nothing."""
    shown = ShownHand(
        concealed=hand.concealed,
        winning_tile=Tile.UNKNOWN,
        winner=hand.seat,
        dealer=hand.east,
        melds=hand.melds,
        bonus=hand.bonus,
        prevailing=hand.prevailing,
    )
    return read_as(shown, division_of("laid_down", triplets), options)
