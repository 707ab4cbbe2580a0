"""The award of a tile that several players want: ``award(rules, offer, claims) -> Award``."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from table_assist.rules.judge import judge
from table_assist.rules.play_rules import Appended
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.shown import (
    SEAT_COUNT,
    Call,
    Circumstance,
    Claim,
    Offer,
    ReadyHand,
    ShownHand,
    TileSource,
)
from table_assist.rules.verdict import Refusal
from table_assist.rules.waiting import legal_waits
from table_assist.tiles.melds import Meld, MeldKind
from table_assist.tiles.tile import Tile

LAST_DISCARD = Refusal.of("no_call_after_last_tile")
PUNG_EXPOSED = Refusal.of("pung_already_exposed")
ONLY_WIN_MAY_ROB = Refusal.of("only_win_may_rob")


@dataclass(frozen=True, slots=True)
class Award:
    """The award of the tile; legal claims that were outranked are in neither list.

    Attributes:
        awarded: one claim, or several wins, the nearest after the tile's owner first.
        refused: claims that the rules do not allow, in the order they were made.
    """

    awarded: tuple[Claim, ...]
    refused: tuple[tuple[Claim, Refusal], ...]


# The order in which calls yield to one another.
_RANK = {
    Call.WIN: 3,
    Call.KONG: 2,
    Call.KONG_CONCEALED: 2,
    Call.KONG_ADDED: 2,
    Call.PUNG: 2,
    Call.EGG_SUPPLEMENT: 1,
    Call.CHOW: 0,
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
    rank = rules.claim_rank
    ranks = [
        default_rank(claim) if rank is None else rank(offer, claim, rules.chosen) for claim in legal
    ]
    best = max(ranks)
    highest = sorted(
        (claim for claim, of in zip(legal, ranks, strict=True) if of == best),
        key=lambda claim: (claim.seat - offer.seat) % SEAT_COUNT,
    )
    if highest[0].call is Call.WIN and rules.settles_together(rules.chosen):
        return Award(tuple(c for c in highest if c.call is Call.WIN), tuple(refused))
    return Award(tuple(highest[:1]), tuple(refused))


def default_rank(claim: Claim) -> int:
    """How far a call goes before others where the rules say nothing special."""
    return _RANK[claim.call]


def by_condition(rules: RuleSet, offer: Offer, claim: Claim) -> Refusal | None:
    """The first of the rules' own conditions that a claim does not meet."""
    for condition in rules.claim_conditions:
        if condition.refuses(offer, claim, rules.chosen):
            return Refusal(condition.id, condition.words)
    return None


def refuse(rules: RuleSet, offer: Offer, claim: Claim) -> Refusal | None:
    """Why a claim is not allowed; None if it is.

    Raises:
        ValueError: a player claims its own discard, or another's draw.
    """
    own = offer.source is TileSource.OWN_DRAW
    if own != (claim.seat == offer.seat):
        raise ValueError(f"seat {claim.seat} cannot call for a tile of seat {offer.seat}")
    refusal = by_condition(rules, offer, claim)
    if refusal is not None:
        return refusal
    if claim.call is Call.WIN:
        return _refuse_win(rules, offer, claim)
    last = offer.wall_remaining == 0 or Circumstance.LAST_TILE in claim.circumstances
    if not own and last:
        return LAST_DISCARD
    if not offer.tile.is_face:
        return Refusal.of("tiles_do_not_match")
    if _is_locked(rules, claim) and not may_kong_when_ready(rules, claim.call):
        return Refusal.of("ready_locked")
    if own:
        # A kong or an appended tile of the own draw, by what the tiles allow
        if claim.call is Call.EGG_SUPPLEMENT:
            return _refuse_egg(rules, offer, claim)
        return _refuse_own_kong(offer, claim) or _refuse_ready_kong(rules, offer, claim)
    if offer.source not in (TileSource.DISCARD, TileSource.EGG_SUPPLEMENT):
        return ONLY_WIN_MAY_ROB
    # A call for a tile of another player, by what the tiles allow
    if claim.call is Call.CHOW:
        return _refuse_chow(rules, offer, claim)
    if claim.call is Call.EGG_SUPPLEMENT:
        return _refuse_egg(rules, offer, claim)
    # A discard makes a pung with two in hand, a kong with three; never a kong on a pung
    if claim.call is not Call.PUNG and has_pung(claim.melds, offer.tile):
        return PUNG_EXPOSED
    needed = {Call.PUNG: 2, Call.KONG: 3}.get(claim.call)
    if needed is None or claim.hand.count(offer.tile) < needed:
        return Refusal.of("tiles_do_not_match")
    return None


def _refuse_egg(rules: RuleSet, offer: Offer, claim: Claim) -> Refusal | None:
    """A tile is appended to one of the player's eggs."""
    eggs = [meld.tiles for meld in claim.melds if meld.kind is MeldKind.LUCKY_EGG]
    drawn = offer.source is TileSource.OWN_DRAW
    refusals = [
        rules.eggs.refuse(
            Appended(egg, offer.tile, drawn, wall_remaining=offer.wall_remaining), rules.chosen
        )
        for egg in eggs
        if rules.eggs is not None
    ]
    if not refusals:
        return Refusal.of("tiles_do_not_match")
    return None if None in refusals else refusals[0]


def _is_locked(rules: RuleSet, claim: Claim) -> bool:
    return rules.ready is not None and rules.ready.locks and claim.is_ready


def may_kong_when_ready(rules: RuleSet, call: Call) -> bool:
    """A closed triplet may become a kong after ready, where the rules allow it."""
    concealed = call is Call.KONG_CONCEALED
    return concealed and rules.ready is not None and rules.ready.kongs(rules.chosen)


def _refuse_ready_kong(rules: RuleSet, offer: Offer, claim: Claim) -> Refusal | None:
    """A ready player's kong must leave the waits as they were."""
    if not _is_locked(rules, claim):
        return None
    before = ReadyHand(
        claim.hand, claim.melds, claim.seat, offer.dealer, offer.wilds, offer.treasures
    )
    kong = Meld(MeldKind.KONG_CONCEALED, (offer.tile,) * 4)
    after = replace(
        before,
        concealed=tuple(tile for tile in claim.hand if tile != offer.tile),
        melds=(*claim.melds, kong),
    )
    same = legal_waits(rules, before) == legal_waits(rules, after)
    return None if same else Refusal.of("kong_changes_hand")


def has_pung(melds: Sequence[Meld], tile: Tile) -> bool:
    """Whether one of the melds is an exposed pung of it."""
    return any(meld.kind is MeldKind.PUNG and tile in meld.tiles for meld in melds)


def _refuse_own_kong(offer: Offer, claim: Claim) -> Refusal | None:
    """A drawn tile makes a kong with three in hand, or on an exposed pung."""
    if claim.call is Call.KONG_ADDED:
        return None if has_pung(claim.melds, offer.tile) else Refusal.of("no_exposed_pung")
    if claim.call is Call.KONG_CONCEALED and claim.hand.count(offer.tile) == 3:
        return None
    return Refusal.of("tiles_do_not_match")


def _refuse_chow(rules: RuleSet, offer: Offer, claim: Claim) -> Refusal | None:
    if MeldKind.CHOW not in rules.meld_kinds:
        return Refusal.of("chow_not_in_ruleset")
    if claim.seat != (offer.seat + 1) % SEAT_COUNT:
        return Refusal.of("chow_only_next_player")
    if not offer.tile.is_suited:
        return Refusal.of("tiles_do_not_match")
    numbers = {tile.number for tile in claim.hand if tile.suit == offer.tile.suit}
    number = offer.tile.number
    runs = ({number - 2, number - 1}, {number - 1, number + 1}, {number + 1, number + 2})
    return None if any(run <= numbers for run in runs) else Refusal.of("tiles_do_not_match")


def _refuse_win(rules: RuleSet, offer: Offer, claim: Claim) -> Refusal | None:
    robs = rules.robs_concealed
    robbable: frozenset[str] = frozenset() if robs is None else robs(rules.chosen)
    of_concealed = offer.source is TileSource.KONG_CONCEALED
    if of_concealed and not robbable:
        return Refusal.of("concealed_kong_cannot_be_robbed")
    circumstances = claim.circumstances
    if offer.source in (TileSource.KONG_ADDED, TileSource.KONG_CONCEALED):
        circumstances |= {Circumstance.ROBBING_KONG}
    elif offer.source is TileSource.EGG_SUPPLEMENT:
        circumstances |= {Circumstance.ROBBED_EGG_SUPPLEMENT}
    verdict = judge(
        rules,
        ShownHand(
            concealed=(*claim.hand, offer.tile),
            winning_tile=offer.tile,
            winner=claim.seat,
            dealer=offer.dealer,
            melds=claim.melds,
            self_drawn=offer.source is TileSource.OWN_DRAW,
            discarder=None if offer.source is TileSource.OWN_DRAW else offer.seat,
            circumstances=circumstances,
            wall_remaining=offer.wall_remaining,
            treasures=offer.treasures,
            wilds=offer.wilds,
            antes=offer.antes,
            discard_round=offer.discard_round,
            bonus=claim.bonus,
            prevailing=offer.prevailing,
        ),
    )
    if of_concealed and (verdict.division is None or verdict.division.shape not in robbable):
        return Refusal.of("concealed_kong_cannot_be_robbed")
    return verdict.refusals[0] if verdict.refusals else None
