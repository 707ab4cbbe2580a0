"""The waits of a hand of thirteen tiles, as its own player may reckon them from the open tiles."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from table_assist.game.events import HandTold
from table_assist.game.in_force import rules_in_force
from table_assist.game.state import TableState, replace
from table_assist.languages.words import WordsError
from table_assist.rules.judge import judge
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.shown import Circumstance, ShownHand
from table_assist.rules.verdict import Verdict
from table_assist.rules.waiting import ReadyHelp, ready_help
from table_assist.tiles.tile import Tile, Tiles

# The nearest bigger hand: what another tile, pair or set would have made of a win.


@dataclass(frozen=True, slots=True)
class Bigger:
    """A win that differs in one tile, pair or set, and pays more.

    Attributes:
        out: the tiles of the hand that go.
        instead: the tiles that would have to be there.
        shown: the hand that they make.
    """

    out: Tiles
    instead: Tiles
    shown: ShownHand
    verdict: Verdict


def nearest_bigger(
    rules: RuleSet, shown: ShownHand, seen: Tiles = (), *, waits: bool = False
) -> Bigger | None:
    """The win that pays more with the fewest other tiles; of those the one that pays most.

    Args:
        shown: a hand that wins. The tile that won stays, and so do the melds.
        seen: tiles that lie open elsewhere.
        waits: it has not won yet, so it may wait for another tile.

    Returns:
        None where no other tile, pair or set makes more of it, or the hand does not win.
    """
    now = judge(rules, shown)
    if not now.valid or now.division is None or not all(tile.is_face for tile in shown.tiles):
        return None
    own, lying = shown.winner, Counter(seen)
    for meld in shown.melds:
        lying.update((*meld.tiles, *meld.supplements))
    parts: set[Tiles] = {(tile,) for tile in shown.concealed}
    parts |= {part.tiles for part in now.division.sets if part.meld is None and not part.wilds}
    found = [
        bigger
        for part in sorted(parts)
        for bigger in _with_another(rules, shown, part, lying, waits=waits)
        if bigger.verdict.valid and bigger.verdict.payments[own] > now.payments[own]
    ]
    return min(
        found,
        key=lambda each: (len(each.out), -each.verdict.payments[own], each.instead),
        default=None,
    )


def _with_another(
    rules: RuleSet, shown: ShownHand, part: Tiles, lying: Counter[Tile], *, waits: bool
) -> Iterator[Bigger]:
    rest = Counter(shown.concealed)
    rest.subtract(part)
    for other in _groups(rules, len(part)):
        tiles = rest + Counter(other)
        can_be = all(tiles[tile] + lying[tile] <= rules.copies_of(tile) for tile in other)
        stays = tiles[shown.winning_tile] > 0
        if not can_be or not (stays or waits) or sorted(other) == sorted(part):
            continue
        won = shown.winning_tile if stays else other[-1]
        hand = replace(shown, concealed=tuple(sorted(tiles.elements())), winning_tile=won)
        out, instead = Counter(part) - Counter(other), Counter(other) - Counter(part)
        yield Bigger(
            tuple(sorted(out.elements())),
            tuple(sorted(instead.elements())),
            hand,
            judge(rules, hand),
        )


def _groups(rules: RuleSet, size: int) -> Iterator[Tiles]:
    """All tiles or pairs, or all pungs and chows."""
    kinds = set(rules.kinds)
    for tile in rules.kinds:
        yield (tile,) * size
        if size == 3 and tile.is_suited and tile.number <= 7:
            run = (tile, Tile(tile + 1), Tile(tile + 2))
            if kinds.issuperset(run):
                yield run


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


def lying_open(state: TableState, own: int) -> Tiles:
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
