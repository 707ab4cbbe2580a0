"""The waits of a hand of thirteen tiles, as its own player may reckon them from the open tiles."""

from collections import Counter
from dataclasses import replace

from table_assist.game.events import HandTold
from table_assist.game.in_force import rules_in_force
from table_assist.game.state import TableState
from table_assist.languages.words import WordsError
from table_assist.rules.bigger import Bigger, nearest_bigger
from table_assist.rules.ready_help import ReadyHelp, ready_help
from table_assist.rules.shown import Circumstance, ShownHand
from table_assist.rules.verdict import Verdict
from table_assist.tiles.tile import Tile


def waits_of(state: TableState, told: HandTold) -> ReadyHelp:
    """The hand's waits, what each is worth, how many copies nobody has seen.

    Args:
        state: of the hand that runs, or as it would begin; what it hides stays out of it.
        told: without a winning tile.

    Raises:
        ValueError: there is no hand; or hand and tiles seen hold more of a kind than the set.
    """
    shown = _shown(state, told)
    return ready_help(rules_in_force(state), shown, lying_open(state, told.seat))


def bigger_than(state: TableState, told: HandTold) -> Bigger | None:
    """The nearest bigger hand; of one that waits, beside the best win that it waits for.

    Args:
        state, told: as in `waits_of`; with a winning tile, too.

    Raises:
        ValueError: as `waits_of`.
    """
    rules, seen = rules_in_force(state), lying_open(state, told.seat)
    if told.winning_tile is None:
        shown = _best_win(waits_of(state, told), told)
        found = None if shown is None else nearest_bigger(rules, shown, seen, waits=True)
        return None if found is None else _while_waiting(found, told)
    shown = replace(
        _shown(state, told),
        winning_tile=told.winning_tile,
        self_drawn=told.discarder is None,
        discarder=told.discarder,
    )
    return nearest_bigger(rules, shown, seen)


def _while_waiting(found: Bigger, told: HandTold) -> Bigger:
    """The same with the tiles that a hand of thirteen has to change."""
    held, wanted = Counter(told.concealed), Counter(found.shown.concealed)
    wanted.subtract((found.shown.winning_tile,))
    out, instead = held - wanted, wanted - held
    return replace(
        found,
        out=tuple(sorted(out.elements())),
        instead=tuple(sorted(instead.elements())),
    )


def _best_win(found: ReadyHelp, told: HandTold) -> ShownHand | None:
    """The hand with the wait that pays most."""
    wins: list[tuple[Verdict, Tile, int | None]] = [
        (wait.drawn, wait.tile, None) for wait in found.waits if wait.drawn is not None
    ]
    wins += [
        (verdict, wait.tile, giver)
        for wait in found.waits
        for giver, verdict in wait.claimed.items()
    ]
    if not wins:
        return None
    _, tile, giver = max(wins, key=lambda win: win[0].payments[told.seat])
    return replace(
        found.shown,
        concealed=(*told.concealed, tile),
        winning_tile=tile,
        self_drawn=giver is None,
        discarder=giver,
    )


def _shown(state: TableState, told: HandTold) -> ShownHand:
    """The hand as it is held; its winning tile says nothing."""
    if not told.concealed:
        raise WordsError("there is no tile in the hand", "手牌是空的")
    said = set(told.circumstances)
    if state.seats[told.seat].ready:
        said.add(Circumstance.READY_DECLARED)
    return ShownHand(
        told.concealed,
        told.concealed[0],  # not looked at
        told.seat,
        state.dealer,
        melds=told.melds,
        circumstances=frozenset(said),
        treasures=state.treasures,
        wilds=state.wilds,
        antes=state.antes,
        bonus=told.bonus,
        prevailing=state.prevailing,
    )


def lying_open(state: TableState, own: int) -> tuple[Tile, ...]:
    """Everything that a player sees on the table besides the own tiles and an indicator."""
    seen: Counter[Tile] = Counter(state.birds)
    for seat, each in enumerate(state.seats):
        seen.update(each.river)
        if seat != own:
            for meld in each.melds:
                seen.update((*meld.tiles, *meld.supplements))
    laid = [(hand.seat, hand.concealed) for hand in state.shown]
    laid += [(hand.seat, hand.concealed) for hand in state.laid_down]
    for seat, tiles in laid:
        if seat != own:
            seen.update(tiles)
    return tuple(sorted(tile for tile in seen.elements() if tile.is_face))
