"""The fold of a hand that people told: what it says takes the place of what was not followed."""

from dataclasses import replace

from table_assist.game.events import HandLaidDown, HandShown, HandTold
from table_assist.game.fold_win import lay_down, show
from table_assist.game.holding import with_seat
from table_assist.game.state import Robbable, TableState
from table_assist.rules.laid import Laid, LaidKind
from table_assist.rules.shown import Circumstance
from table_assist.tiles.melds import MeldKind


def tell(state: TableState, event: HandTold) -> TableState:
    """The hand lies open as told; told again, it takes the place of what was said before."""
    told = (*(hand for hand in state.told if hand.seat != event.seat), event)
    state = replace(state, told=told)
    own = state.seats[event.seat]
    declared = own.ready and own.ready_discard > 0  # it was followed, and not told before
    ready = declared or Circumstance.READY_DECLARED in event.circumstances
    own = replace(own, melds=event.melds, bonus=event.bonus, ready=ready)
    state = with_seat(state, event.seat, own)
    if event.winning_tile is None:
        state = _won_with(state)
        if not event.concealed:
            return state  # a kong or an egg, told when it was laid
        return lay_down(state, HandLaidDown(event.seat, event.concealed))
    rush = Circumstance.TREASURE_RUSH in event.circumstances
    shown = HandShown(
        event.seat,
        event.concealed,
        event.winning_tile,
        self_drawn=event.discarder is None and not rush,
        rush=rush,
    )
    return show(_won_with(state), shown)


def _won_with(state: TableState) -> TableState:
    """Whose tile the told wins were won with, and whose kong they rob or follow."""
    wins = [hand for hand in state.told if hand.winning_tile is not None]
    if not wins:
        return state
    claimed = [
        (hand.discarder, hand.winning_tile)
        for hand in wins
        if hand.discarder is not None and hand.winning_tile is not None
    ]
    robbed = next((found for hand in wins if (found := _robbed(state, hand))), None)
    after = Circumstance.AFTER_KONG_DISCARD
    shooter = next((hand.discarder for hand in wins if after in hand.circumstances), None)
    return replace(
        state,
        robbable=robbed,
        kong_discarder=shooter,
        last_discard=claimed[-1] if claimed and robbed is None else None,
        holder=None if claimed else state.holder,
    )


def _robbed(state: TableState, hand: HandTold) -> Robbable | None:
    if hand.discarder is None or hand.winning_tile is None:
        return None
    if Circumstance.ROBBED_EGG_SUPPLEMENT in hand.circumstances:
        told = Robbable(hand.discarder, hand.winning_tile, MeldKind.LUCKY_EGG)
        seen = state.robbable  # which egg it was, where the table was followed so far
        return seen if seen is not None and replace(seen, egg=None) == told else told
    if Circumstance.ROBBING_KONG not in hand.circumstances:
        return None
    # An added kong, unless a concealed one of that tile is on record.
    concealed = any(
        laid.seat == hand.discarder
        and laid.kind is LaidKind.KONG_CONCEALED
        and hand.winning_tile in laid.tiles
        for laid in all_laid(state)
    )
    kind = MeldKind.KONG_CONCEALED if concealed else MeldKind.KONG_ADDED
    return Robbable(hand.discarder, hand.winning_tile, kind)


def all_laid(state: TableState) -> tuple[Laid, ...]:
    """Kongs and eggs on record, and behind them those that only a told hand shows."""
    if not state.told:
        return state.laid
    found = list(state.laid)
    for hand in state.told:
        own = [at for at, each in enumerate(state.laid) if each.seat == hand.seat]
        for told in _of(hand):
            # Which of the seat's own it is: one with the same tiles, else one that an egg once
            # was
            same = [
                at
                for at in own
                if state.laid[at].is_egg is told.is_egg
                and sorted(state.laid[at].tiles) == sorted(told.tiles)
            ]
            exact = (
                at for at in same if sorted(state.laid[at].supplements) == sorted(told.supplements)
            )
            at = next(exact, same[0] if same else None)
            if at is None:
                found.append(told)
            else:
                own.remove(at)
                found[at] = _told_too(found[at], told)
    return tuple(found)


def told_otherwise(state: TableState) -> tuple[tuple[Laid, Laid], ...]:
    """Kongs on record, each with that which was told of the same tiles as another kind."""
    found = []
    for told in (each for hand in state.told for each in _of(hand)):
        for each in state.laid:
            same = (each.seat, each.tiles) == (told.seat, told.tiles)
            if same and not told.is_egg and each.kind is not told.kind:
                found.append((each, told))
    return tuple(found)


def _told_too(recorded: Laid, told: Laid) -> Laid:
    """The recorded kongs and eggs, with all that only people can say of them."""
    if not told.is_egg:
        giver = told.discarder if recorded.discarder is None else recorded.discarder
        exposed = recorded.kind is LaidKind.KONG_EXPOSED
        return replace(recorded, discarder=giver) if exposed else recorded
    lying = list(told.supplements)
    for tile, _ in recorded.not_allowed:
        if tile in lying:
            lying.remove(tile)
    robbed = recorded.robbed or told.robbed
    return replace(recorded, supplements=tuple(lying), robbed=robbed)


def _of(event: HandTold) -> tuple[Laid, ...]:
    """The melds that are paid for beside the hand."""
    givers = (*event.claimed_from, *(None for _ in event.melds))
    return tuple(
        Laid(
            LaidKind(meld.kind),
            event.seat,
            giver if meld.kind is MeldKind.KONG_EXPOSED else None,
            meld.tiles,
            meld.supplements,
            robbed=at in event.broken,
        )
        for at, (meld, giver) in enumerate(zip(event.melds, givers, strict=False))
        if meld.kind.is_kong or meld.kind is MeldKind.LUCKY_EGG
    )
