"""The fold of a hand that people told: what it says takes the place of what was not followed."""

from dataclasses import replace

from table_assist.game.events import HandLaidDown, HandShown, HandTold
from table_assist.game.fold_win import lay_down, show
from table_assist.game.holding import with_seat
from table_assist.game.state import Robbable, TableState
from table_assist.melds import MeldKind
from table_assist.rules.laid import Laid, LaidKind
from table_assist.rules.shown import Circumstance
from table_assist.tiles import Tile


def tell(state: TableState, event: HandTold) -> TableState:
    """The hand lies open as told; told again, it takes the place of what was said before."""
    told = (*(hand for hand in state.told if hand.seat != event.seat), event)
    state = replace(state, told=told)
    own = state.seats[event.seat]
    ready = own.ready or Circumstance.READY_DECLARED in event.circumstances
    own = replace(own, melds=event.melds, bonus=event.bonus, ready=ready)
    state = with_seat(state, event.seat, own)
    if event.winning_tile is None:
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
    return show(_won_with(state, event), shown)


def _won_with(state: TableState, event: HandTold) -> TableState:
    """Whose kong the win robs or follows: it is not paid then."""
    robbed, after = None, None
    if event.discarder is not None and event.winning_tile is not None:
        if Circumstance.ROBBING_KONG in event.circumstances:
            egg = Circumstance.ROBBED_EGG_SUPPLEMENT in event.circumstances
            kind = MeldKind.LUCKY_EGG if egg else _robbed_kind(state, event)
            robbed = Robbable(event.discarder, event.winning_tile, kind)
        if Circumstance.AFTER_KONG_DISCARD in event.circumstances:
            after = event.discarder
    return replace(state, robbable=robbed, kong_discarder=after, last_discard=None)


def _robbed_kind(state: TableState, event: HandTold) -> MeldKind:
    """An added kong, unless a concealed one of that tile is on record."""
    concealed = any(
        laid.seat == event.discarder
        and laid.kind is LaidKind.KONG_CONCEALED
        and event.winning_tile in laid.tiles
        for laid in state.laid
    )
    return MeldKind.KONG_CONCEALED if concealed else MeldKind.KONG_ADDED


def all_laid(state: TableState) -> tuple[Laid, ...]:
    """Kongs and eggs on record, and behind them those that only a told hand shows."""
    if not state.told:
        return state.laid
    found = list(state.laid)
    recorded = [_key(each) for each in found]
    for each in (laid for hand in state.told for laid in _of(hand)):
        if _key(each) in recorded:
            recorded.remove(_key(each))
        else:
            found.append(each)
    return tuple(found)


def _of(event: HandTold) -> tuple[Laid, ...]:
    """What of the melds is paid for beside the hand."""
    givers = (*event.claimed_from, *(None for _ in event.melds))
    return tuple(
        Laid(
            LaidKind(meld.kind),
            event.seat,
            giver if meld.kind is MeldKind.KONG_EXPOSED else None,
            meld.tiles,
            meld.supplements,
        )
        for meld, giver in zip(event.melds, givers, strict=False)
        if meld.kind.is_kong or meld.kind is MeldKind.LUCKY_EGG
    )


def _key(laid: Laid) -> tuple[int, LaidKind, tuple[Tile, ...]]:
    return laid.seat, laid.kind, tuple(sorted((*laid.tiles, *laid.supplements)))
