"""Which kong or egg a win undoes: the one that it robs, or after which the won discard came."""

from collections.abc import Sequence
from dataclasses import replace

from table_assist.game.in_force import rules_in_force
from table_assist.game.state import TableState
from table_assist.melds import MeldKind
from table_assist.rules.eggs import Appended
from table_assist.rules.laid import Laid, LaidKind
from table_assist.tiles import Tile


def ways_undone(
    state: TableState, laid: Sequence[Laid], winner: int
) -> tuple[tuple[Laid, ...], ...]:
    """What was laid after the win, in every way that its telling leaves open; the likeliest first.

    Args:
        laid: what events say, then what was only told; see `fold_told.all_laid`.
    """
    places = _places(state, laid, winner)
    told = [hand for hand in state.told if hand.winning_tile is not None]
    if told:
        said = next((hand.undoes for hand in told if hand.undoes), ())
        places = [at for at in places if lying(laid[at]) == tuple(sorted(said))] or places
    else:  # it was followed: of what events say the last
        places = [at for at in places if at < len(state.laid)][-1:] or places
    ways = tuple(_with(state, laid, at, winner) for at in reversed(places))
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


def _with(state: TableState, laid: Sequence[Laid], at: int, winner: int) -> tuple[Laid, ...]:
    after = list(laid)
    after[at] = _undone(state, after[at], winner)
    return tuple(after)


def _undone(state: TableState, laid: Laid, winner: int) -> Laid:
    robbed = state.robbable
    if robbed is None:
        return replace(laid, won_on_next_discard_by=winner)
    if robbed.kind is not MeldKind.LUCKY_EGG:
        return replace(laid, robbed_by=winner)
    appended = (*laid.supplements, *(tile for tile, _ in laid.not_allowed[-1:]))
    if robbed.tile in appended and not laid.robbed:
        return laid.broken(robbed.tile)
    return replace(laid, robbed=True)
