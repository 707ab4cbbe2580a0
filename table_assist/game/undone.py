"""Which kong or egg a win undoes: the one that it robs, or after which the won discard came."""

from collections.abc import Sequence
from dataclasses import replace

from table_assist.game.in_force import rules_in_force
from table_assist.game.state import TableState
from table_assist.rules.eggs import Appended
from table_assist.rules.laid import Laid, LaidKind
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile


def ways_undone(
    state: TableState, laid: Sequence[Laid], winner: int
) -> tuple[tuple[Laid, ...], ...]:
    """The melds laid after the win, in every way that its telling leaves open; the likeliest first.

    Args:
        laid: what events say, then what was only told; see `fold_told.all_laid`.
    """
    places = _places(state, laid, winner)
    if any(hand.winning_tile is not None for hand in state.told):
        said = next((hand.undoes for hand in reversed(state.told) if hand.undoes), ())
        places = [at for at in places if lying(laid[at]) == tuple(sorted(said))] or places
    else:  # it was followed: of what events say the last
        places = [at for at in places if at < len(state.laid)][-1:] or places
    ways = tuple(
        (*laid[:at], undone, *laid[at + 1 :])
        for at in reversed(places)
        for undone in _undone(state, laid[at], winner)
    )
    return ways or (tuple(laid),)


def could_be_undone(state: TableState, laid: Sequence[Laid], winner: int) -> list[Laid]:
    """The kongs and eggs of which the told win of the seat undoes one."""
    return [laid[at] for at in _places(state, laid, winner)]


def lying(laid: Laid) -> tuple[Tile, ...]:
    """The tiles of a kong or egg as they are on record, sorted."""
    return tuple(sorted((*laid.tiles, *laid.supplements)))


def _places(state: TableState, laid: Sequence[Laid], winner: int) -> list[int]:
    robbed, shooter = state.robbable, state.kong_discarder
    seat = shooter if robbed is None else robbed.seat
    own = [at for at, each in enumerate(laid) if each.seat == seat and seat != winner]
    if robbed is None:
        return [at for at in own if not laid[at].is_egg]
    if robbed.kind is not MeldKind.LUCKY_EGG:
        kind = LaidKind(robbed.kind)
        return [at for at in own if laid[at].kind is kind and robbed.tile in laid[at].tiles]
    eggs = [at for at in own if laid[at].is_egg]
    if robbed.egg is not None:
        return eggs[robbed.egg : robbed.egg + 1]
    # Told as it lay, or as it lies now, without the tile; one that has lost a tile lost this one.
    return [at for at in eggs if _fits(state, laid[at], robbed.tile)] or eggs


def _fits(state: TableState, egg: Laid, tile: Tile) -> bool:
    rules = rules_in_force(state)
    if rules.eggs is None:
        return False
    return rules.eggs.refuse(Appended(egg.tiles, tile), rules.chosen) is None


def _undone(state: TableState, laid: Laid, winner: int) -> tuple[Laid, ...]:
    """The meld afterwards; two ways where it is not said which tiles of an egg are left."""
    robbed = state.robbable
    if robbed is None:
        return (replace(laid, won_on_next_discard_by=winner),)
    if robbed.kind is not MeldKind.LUCKY_EGG:
        return (replace(laid, robbed_by=winner),)
    left, taken = replace(laid, robbed=True), laid.broken(robbed.tile)
    appended = (*laid.supplements, *(tile for tile, _ in laid.not_allowed[-1:]))
    if robbed.tile not in appended:
        return (left,)
    if not _is_told_broken(state, laid):
        return (taken,)
    # Told after the win it lies as it was left; told before, another tile may have been meant.
    return (left,) if laid.seat not in told_before_the_win(state) else (taken, left)


def _is_told_broken(state: TableState, laid: Laid) -> bool:
    return any(
        sorted(hand.melds[at].tiles) == sorted(laid.tiles)
        for hand in state.told
        if hand.seat == laid.seat
        for at in hand.broken
    )


def told_before_the_win(state: TableState) -> tuple[int, ...]:
    """Seats whose melds were told before a win was, if any was, and not since."""
    wins = [at for at, hand in enumerate(state.told) if hand.winning_tile is not None]
    first = wins[0] if wins else len(state.told)
    return tuple(hand.seat for hand in state.told[:first])
