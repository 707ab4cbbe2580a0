"""Who gets a tile that several players want: ``award(rules, offer, claims) -> Award``."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from table_assist.melds import Meld, MeldKind
from table_assist.rules.judge import judge
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.shown import SEATS, Circumstance, ShownHand
from table_assist.rules.verdict import Refusal
from table_assist.rules.words import Words
from table_assist.tiles import Tile


class Call(StrEnum):
    """What a tile is called for."""

    CHOW = "chow"
    PUNG = "pung"
    KONG = "kong"
    """With a discard."""
    KONG_CONCEALED = "kong_concealed"
    KONG_ADDED = "kong_added"
    WIN = "win"


class Source(StrEnum):
    """Where the tile lies that is called for."""

    DISCARD = "discard"
    KONG_ADDED = "kong_added"
    """Just added to an exposed pung."""
    KONG_CONCEALED = "kong_concealed"
    OWN_DRAW = "own_draw"


@dataclass(frozen=True, slots=True)
class Offer:
    """A tile that may be called for.

    Attributes:
        seat: who discarded it, added it to a kong or drew it.
    """

    tile: Tile
    seat: int
    dealer: int
    source: Source = Source.DISCARD
    wall_remaining: int | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """What one player wants the tile for.

    Attributes:
        hand: the concealed tiles, without the tile called for.
    """

    seat: int
    call: Call
    hand: tuple[Tile, ...]
    melds: tuple[Meld, ...] = ()
    circumstances: frozenset[Circumstance] = frozenset()


@dataclass(frozen=True, slots=True)
class Award:
    """Who gets the tile; legal claims that were outranked are in neither list.

    Attributes:
        awarded: one claim, or several wins, the nearest after the tile's owner first.
        refused: claims that the rules do not allow, in the order they were made.
    """

    awarded: tuple[Claim, ...]
    refused: tuple[tuple[Claim, Refusal], ...]


# The order in which calls yield to one another.
_RANK = {
    Call.WIN: 2,
    Call.KONG: 1,
    Call.KONG_CONCEALED: 1,
    Call.KONG_ADDED: 1,
    Call.PUNG: 1,
    Call.CHOW: 0,
}

_WORDS = {
    "only_win_may_rob": Words("Only a win may rob a kong.", "抢杠只能和牌。"),
    "concealed_kong_cannot_be_robbed": Words("A concealed kong cannot be robbed.", "暗杠不能抢。"),
    "chow_not_in_ruleset": Words("This game has no chow claims.", "本玩法不能吃。"),
    "chow_only_next_player": Words("Only the next player may chow.", "只有下家可以吃。"),
    "tiles_do_not_match": Words("The hand lacks the tiles for it.", "手牌不配。"),
    "no_exposed_pung": Words("There is no exposed pung of it.", "没有碰过这张牌。"),
    "pung_already_exposed": Words(
        "A discard cannot be added to an exposed pung.", "已碰的牌不能再明杠别人打出的牌。"
    ),
}


def award(rules: RuleSet, offer: Offer, claims: Sequence[Claim]) -> Award:
    """Refuse what is not allowed and give the tile to the highest call, then to the nearest."""
    refused = []
    legal = []
    for claim in claims:
        refusal = refuse(rules, offer, claim)
        if refusal is None:
            legal.append(claim)
        else:
            refused.append((claim, refusal))
    if not legal:
        return Award((), tuple(refused))
    best = max(_RANK[claim.call] for claim in legal)
    highest = sorted(
        (claim for claim in legal if _RANK[claim.call] == best),
        key=lambda claim: (claim.seat - offer.seat) % SEATS,
    )
    together = best == _RANK[Call.WIN] and rules.settles_together(rules.chosen)
    return Award(tuple(highest if together else highest[:1]), tuple(refused))


def refuse(rules: RuleSet, offer: Offer, claim: Claim) -> Refusal | None:
    """Why a claim is not allowed; None if it is.

    Raises:
        ValueError: a player claims its own discard, or another's draw.
    """
    own = offer.source is Source.OWN_DRAW
    if own != (claim.seat == offer.seat):
        raise ValueError(f"seat {claim.seat} cannot call for a tile of seat {offer.seat}")
    if claim.call is Call.WIN:
        return _refuse_win(rules, offer, claim)
    if not offer.tile.is_face:
        return _refusal("tiles_do_not_match")
    if own:
        return _refuse_own_kong(offer, claim)
    if offer.source is not Source.DISCARD:
        return _refusal("only_win_may_rob")
    if claim.call is Call.CHOW:
        return _refuse_chow(rules, offer, claim)
    return _refuse_matching(offer, claim)


def _has_pung(claim: Claim, tile: Tile) -> bool:
    return any(meld.kind is MeldKind.PUNG and tile in meld.tiles for meld in claim.melds)


def _refuse_own_kong(offer: Offer, claim: Claim) -> Refusal | None:
    """A drawn tile makes a kong with three in hand, or on an exposed pung."""
    if claim.call is Call.KONG_ADDED:
        return None if _has_pung(claim, offer.tile) else _refusal("no_exposed_pung")
    if claim.call is Call.KONG_CONCEALED and claim.hand.count(offer.tile) == 3:
        return None
    return _refusal("tiles_do_not_match")


def _refuse_matching(offer: Offer, claim: Claim) -> Refusal | None:
    """A discard makes a pung with two in hand, a kong with three; never a kong on a pung."""
    if claim.call is not Call.PUNG and _has_pung(claim, offer.tile):
        return _refusal("pung_already_exposed")
    needed = {Call.PUNG: 2, Call.KONG: 3}.get(claim.call)
    if needed is None or claim.hand.count(offer.tile) < needed:
        return _refusal("tiles_do_not_match")
    return None


def _refuse_chow(rules: RuleSet, offer: Offer, claim: Claim) -> Refusal | None:
    if MeldKind.CHOW not in rules.melds:
        return _refusal("chow_not_in_ruleset")
    if claim.seat != (offer.seat + 1) % SEATS:
        return _refusal("chow_only_next_player")
    if not offer.tile.is_suited:
        return _refusal("tiles_do_not_match")
    numbers = {tile.number for tile in claim.hand if tile.suit == offer.tile.suit}
    number = offer.tile.number
    runs = ({number - 2, number - 1}, {number - 1, number + 1}, {number + 1, number + 2})
    return None if any(run <= numbers for run in runs) else _refusal("tiles_do_not_match")


def _refuse_win(rules: RuleSet, offer: Offer, claim: Claim) -> Refusal | None:
    if offer.source is Source.KONG_CONCEALED:
        return _refusal("concealed_kong_cannot_be_robbed")
    circumstances = claim.circumstances
    if offer.source is Source.KONG_ADDED:
        circumstances |= {Circumstance.ROBBING_KONG}
    verdict = judge(
        rules,
        ShownHand(
            concealed=(*claim.hand, offer.tile),
            winning_tile=offer.tile,
            winner=claim.seat,
            dealer=offer.dealer,
            melds=claim.melds,
            self_drawn=offer.source is Source.OWN_DRAW,
            discarder=None if offer.source is Source.OWN_DRAW else offer.seat,
            circumstances=circumstances,
            wall_remaining=offer.wall_remaining,
        ),
    )
    return verdict.refusals[0] if verdict.refusals else None


def _refusal(id: str) -> Refusal:
    return Refusal(id, _WORDS[id])
