"""Choices of the other seats for a tile that was put down, and who of them wins on it."""

from collections.abc import Iterator, Sequence

from table_assist.game.choices import (
    INCOMPLETE,
    NOTHING_DRAWN,
    TREASURE_UNKNOWN,
    TURN_LOST,
    Choice,
    claim_of,
    far_from_complete,
    offer_of,
    refuse_replacement,
    treasure_unknown,
    wilds_unknown,
)
from table_assist.game.events import Claimed, EggAppended, Event, HandShown, WinDeclared
from table_assist.game.holding import is_late, undrawn
from table_assist.game.in_force import rules_in_force
from table_assist.game.state import TableState, replace
from table_assist.game.win import barred, circumstances, declared_hand, melds_as_marked
from table_assist.rules.calls import LAST_DISCARD, award, refuse
from table_assist.rules.judge import judge
from table_assist.rules.play_rules import Appended, Replaces
from table_assist.rules.reckoning import settle_wins
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.shown import Call, Claim, Offer, ShownHand, Since, TileSource
from table_assist.rules.verdict import Refusal, Settlement, Verdict, refused
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile, Tiles

_MELD_SOURCES = {
    MeldKind.KONG_ADDED: TileSource.KONG_ADDED,
    MeldKind.KONG_CONCEALED: TileSource.KONG_CONCEALED,
    MeldKind.LUCKY_EGG: TileSource.EGG_SUPPLEMENT,
}


def offer_now(state: TableState) -> Offer | None:
    """The tile that other seats may call for; None if there is none."""
    if state.robbable is not None:
        robbed = state.robbable
        return offer_of(state, robbed.tile, robbed.seat, _MELD_SOURCES[robbed.kind])
    if state.last_discard is None:
        return None
    seat, tile = state.last_discard
    since = Since.DREW if is_late(state) else Since.NOTHING
    return replace(offer_of(state, tile, seat, TileSource.DISCARD), since=since)


def offered_choices(state: TableState, seat: int) -> tuple[Choice, ...]:
    """The seat's choices for the offered tile; nothing if its hand is not followed."""
    offer = offer_now(state)
    held = state.seats[seat].concealed
    if (
        offer is None
        or not state.is_running
        or offer.seat == seat
        or held is None
        or Tile.UNKNOWN in held
    ):
        return ()
    rules = rules_in_force(state)
    if not offer.tile.is_face or (state.indicators and wilds_unknown(rules, state)):
        return ()
    if is_late(state) and seat == state.holder:
        return ()  # who has drawn has let the discard go
    if is_late(state):
        state = undrawn(state)
        held = state.seats[seat].concealed or ()
    return (
        _win(rules, state, offer, seat, held),
        *(
            Choice(seat, (event,), call, _refuse_meld(rules, state, offer, seat, call, held))
            for call, event in (
                *_melds(rules, offer, seat, held),
                *_to_eggs(rules, state, offer, seat),
            )
        ),
    )


def awarded(state: TableState, chosen: Sequence[Choice]) -> tuple[Choice, ...]:
    """Which of the seats' choices take the tile: one, or several wins."""
    offer = offer_now(state)
    if offer is None:
        return ()
    claims = [_claim(state, choice, offer.tile) for choice in chosen if choice.call is not None]
    won = award(rules_in_force(state), offer, claims).awarded
    made = {(choice.seat, choice.call): choice for choice in chosen}
    return tuple(made[claim.seat, claim.call] for claim in won)


def _claim(state: TableState, choice: Choice, tile: Tile) -> Claim:
    assert choice.call is not None
    held = state.seats[choice.seat].concealed or ()
    came_by = circumstances(state, choice.seat, self_drawn=False)
    return claim_of(state, choice.seat, choice.call, held, tile, came_by)


def _win(rules: RuleSet, state: TableState, offer: Offer, seat: int, held: Tiles) -> Choice:
    tile = offer.tile
    shown = HandShown(seat, tuple(sorted((*held, tile))), tile, self_drawn=False)
    if far_from_complete(rules, state, seat, spare=1):
        return Choice(seat, (WinDeclared(seat), shown), Call.WIN, INCOMPLETE)
    came_by = circumstances(state, seat, self_drawn=False)
    refusal = barred(rules, state, seat)
    refusal = refusal or refuse(rules, offer, claim_of(state, seat, Call.WIN, held, tile, came_by))
    return Choice(seat, (WinDeclared(seat), shown), Call.WIN, refusal)


def _melds(rules: RuleSet, offer: Offer, seat: int, held: Tiles) -> Iterator[tuple[Call, Event]]:
    """Every meld that the tiles would make, whether it is allowed or not."""
    tile, giver = offer.tile, offer.seat
    if held.count(tile) >= 3:
        yield Call.KONG, Claimed(seat, MeldKind.KONG_EXPOSED, (tile,) * 4, giver)
    if held.count(tile) >= 2:
        yield Call.PUNG, Claimed(seat, MeldKind.PUNG, (tile,) * 3, giver)
    if MeldKind.CHOW not in rules.meld_kinds or not tile.is_suited:
        return
    for low in range(max(1, tile.number - 2), min(7, tile.number) + 1):
        run = tuple(Tile(tile - tile.number + number) for number in range(low, low + 3))
        if all(other in held for other in run if other is not tile):
            yield Call.CHOW, Claimed(seat, MeldKind.CHOW, run, giver)


def _to_eggs(
    rules: RuleSet, state: TableState, offer: Offer, seat: int
) -> Iterator[tuple[Call, Event]]:
    """Every egg of the seat that a discard fits (CC-20)."""
    if rules.eggs is None or offer.source is not TileSource.DISCARD:
        return
    for number, egg in enumerate(state.seats[seat].eggs):
        as_drawn = rules.eggs.refuse(Appended(egg.tiles, offer.tile), rules.chosen)
        if as_drawn is None:
            yield Call.EGG_SUPPLEMENT, EggAppended(seat, number, offer.tile)


def _refuse_meld(
    rules: RuleSet,
    state: TableState,
    offer: Offer,
    seat: int,
    call: Call,
    held: Tiles,
) -> Refusal | None:
    if state.wall_left == 0:
        return LAST_DISCARD
    if call is Call.CHOW and seat in state.turns_lost:
        return TURN_LOST
    replaced = {Call.KONG: Replaces.KONG, Call.EGG_SUPPLEMENT: Replaces.EGG}.get(call)
    refusal = None if replaced is None else refuse_replacement(state, replaced)
    return refusal or refuse(rules, offer, claim_of(state, seat, call, held, offer.tile))


def who_won(rules: RuleSet, state: TableState) -> Settlement:
    """Judge every hand shown, and say who of them is paid.

    Raises:
        ValueError: the hands cannot have been won together.
    """
    wins = [
        replace(declared_hand(state, hand), melds=melds_as_marked(rules, state, hand.seat))
        for hand in state.shown
    ]
    may_not = {shown.winner: why for shown in wins if (why := barred(rules, state, shown.winner))}
    told = {each.seat for each in state.told}  # of what people told nothing was followed
    may_not |= {
        hand.seat: NOTHING_DRAWN
        for hand in state.shown
        if hand.self_drawn and state.claimed and hand.seat == state.holder and hand.seat not in told
    }
    refused, outranked = _called(rules, state, [w for w in wins if w.winner not in may_not])
    may_not |= refused
    left_out = {*may_not, *outranked}
    settlement = settle_wins(
        rules, [shown for shown in wins if shown.winner not in left_out], state.birds
    )
    verdicts = dict(settlement.verdicts)
    for shown in wins:
        verdict = verdicts.get(shown.winner)
        if verdict is not None and not verdict.valid and _rests_on_treasure(rules, state, shown):
            verdicts[shown.winner] = _with(verdict, TREASURE_UNKNOWN)
    for shown in wins:
        if shown.winner in left_out:
            verdicts[shown.winner] = _with(judge(rules, shown), may_not.get(shown.winner))
    return replace(settlement, verdicts=verdicts)


def _rests_on_treasure(rules: RuleSet, state: TableState, shown: ShownHand) -> bool:
    """A ready player's tile that was not another's may be the treasure, which nobody has told."""
    wild = shown.discarder is None or rules.chosen.get("treasure_wild_on_discard") is True
    return wild and treasure_unknown(rules, state, shown.winner)


def _with(verdict: Verdict, refusal: Refusal | None) -> Verdict:
    """The verdict with what bars the hand beside its tiles."""
    if refusal is None or any(each.id == refusal.id for each in verdict.refusals):
        return verdict
    return refused((refusal, *verdict.refusals), verdict.figures, verdict.completions)


def _called(
    rules: RuleSet, state: TableState, wins: list[ShownHand]
) -> tuple[dict[int, Refusal], set[int]]:
    """Whose win on another's tile the rules of calls refuse, and whose goes after another's."""
    offer = offer_now(state)
    claimed = [
        shown
        for shown in wins
        if offer is not None
        and shown.discarder == offer.seat
        and shown.winning_tile in shown.concealed
    ]
    if offer is None or not claimed:
        return {}, set()
    first = claimed[0]  # of a told hand its player says what the state does not know
    offer = replace(
        offer,
        tile=first.winning_tile,
        wall_remaining=first.wall_remaining,
        discard_round=first.discard_round,
    )
    claims = []
    for shown in claimed:
        held = list(shown.concealed)
        held.remove(shown.winning_tile)
        own, won = tuple(held), shown.winning_tile
        claims.append(claim_of(state, shown.winner, Call.WIN, own, won, shown.circumstances))
    result = award(rules, offer, claims)
    refused = {claim.seat: refusal for claim, refusal in result.refused}
    awarded = {claim.seat for claim in result.awarded}
    return refused, {shown.winner for shown in claimed} - awarded - set(refused)
