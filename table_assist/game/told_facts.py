"""Open facts of a told hand: only those that change what is paid.

Nothing here knows a rule set: each fact is tried both ways, and asked where the two differ.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations, pairwise

from table_assist.game.course import birds_due
from table_assist.game.events import HandTold
from table_assist.game.fold import apply
from table_assist.game.fold_win import all_laid
from table_assist.game.in_force import rules_in_force
from table_assist.game.outcome import end_of_hand
from table_assist.game.side_payments import could_be_undone, lying, side_payments
from table_assist.game.state import SEATS, TableState, replace
from table_assist.rules.play_rules import Appended
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.settlement import LaidKind
from table_assist.rules.shown import Circumstance, ReadyHand
from table_assist.rules.waiting import legal_waits
from table_assist.tiles.melds import Meld, MeldKind
from table_assist.tiles.tile import Tile

# Of so many tiles eggs are laid.
_EGGS = (4, 3)


def with_known(state: TableState, told: HandTold) -> HandTold:
    """The hand with what need not be asked.

    Which tiles of an egg were put to it, whose kong it is, which treasure completes a Rush.

    Args:
        state: of the hand that runs, before this telling.
    """
    rules = rules_in_force(state)
    melds = tuple(
        (meld if meld.supplements else next(iter(ways_apart(rules, meld)), meld))
        for meld in told.melds
    )
    givers = (*told.claimed_from, *(None for _ in melds))[: len(melds)]
    known = {
        each.tiles: each.discarder
        for each in all_laid(state)
        if each.seat == told.seat and each.kind is LaidKind.KONG_EXPOSED
    }
    claimed_from = tuple(
        known.get(meld.tiles) if giver is None and meld.kind is MeldKind.KONG_EXPOSED else giver
        for meld, giver in zip(melds, givers, strict=True)
    )
    told = replace(told, melds=melds, claimed_from=claimed_from)
    # The treasure that the hand waits for in the place of the unread winning tile
    is_rush = Circumstance.TREASURE_RUSH in told.circumstances
    if not is_rush or told.winning_tile is not Tile.UNKNOWN or not state.treasures:
        return told
    held = list(told.concealed)
    held.remove(Tile.UNKNOWN)
    waits = legal_waits(rules, ReadyHand(tuple(held), told.melds, told.seat, state.dealer))
    tile = next((each for each in state.treasures if each in waits), state.treasures[0])
    return replace(told, concealed=(*held, tile), winning_tile=tile)


def ways_apart(rules: RuleSet, meld: Meld) -> list[Meld]:
    """An egg as the tiles that it was laid of, and those put to it: largest eggs first."""
    eggs, tiles = rules.eggs, (*meld.tiles, *meld.supplements)
    found: list[Meld] = []
    if eggs is None or meld.kind is not MeldKind.LUCKY_EGG:
        return found
    for size in _EGGS:
        for places in combinations(range(len(tiles)), size):
            base = tuple(tiles[at] for at in places)
            put = tuple(tile for at, tile in enumerate(tiles) if at not in places)
            fits = (eggs.refuse(Appended(base, tile), rules.chosen) is None for tile in put)
            if eggs.kind_of(base, rules.chosen) is not None and all(fits):
                found.append(Meld(meld.kind, base, put))
                break
    return found


# Beyond these numbers no rule set makes a difference; the last range is open.
_MOST_LEFT, _MOST_ROUNDS = 16, 8
_AFTER = {
    MeldKind.KONG_CONCEALED: Circumstance.AFTER_KONG_CONCEALED,
    MeldKind.KONG_EXPOSED: Circumstance.AFTER_KONG_EXPOSED,
    MeldKind.KONG_ADDED: Circumstance.AFTER_KONG_ADDED,
}


# The name of the indicator's question where perhaps none was turned.
NOT_TURNED = "not_turned"
Numbered = Callable[[HandTold, int], HandTold]


class FactKind(StrEnum):
    """The subject of a fact."""

    CIRCUMSTANCE = "circumstance"
    WALL_LEFT = "wall_left"
    DISCARD_ROUND = "discard_round"
    GIVER = "giver"
    INDICATOR = "indicator"
    """The tile that was turned: it makes others wild, or names the treasure."""
    EGG = "egg"
    """Of which tiles an egg was laid, where more than one answer is possible."""
    BROKEN = "broken"
    """Whether an egg lost a tile to another player."""
    UNDOES = "undoes"
    """Which of the discarder's kongs or eggs the win robs, or follows."""
    CHASED = "chased"
    """Whether all discarded what the dealer did first."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing to ask.

    Attributes:
        name: which circumstance it is; the meld's index for a giver or an egg; `NOT_TURNED`.
        ranges: for a number, the ranges (low, high) that make a difference, lowest first.
        choices: for a kong or egg, the tiles of each that it can be, or was laid of.
    """

    kind: FactKind
    name: str = ""
    ranges: tuple[tuple[int, int], ...] = ()
    choices: tuple[tuple[Tile, ...], ...] = ()


def facts_to_ask(state: TableState, told: HandTold) -> tuple[Fact, ...]:
    """The facts of a told hand that are not said and make a difference, given those said so far.

    Args:
        state: of the hand that runs, before this telling.
        told: its numbers and givers are None where they are not said.
    """
    of_melds = (
        *_indicator(state, told),
        *_givers(state, told),
        *_eggs(state, told),
        *_undone(state, told),
    )
    if told.winning_tile is None:
        return (*_unmarked(state, told), *of_melds)
    is_asked = asks_chase(state) and not any(hand.chased for hand in state.told)
    return (*_of_the_win(state, told), *of_melds, *[Fact(FactKind.CHASED)] * is_asked)


def _of_the_win(state: TableState, told: HandTold) -> Iterator[Fact]:
    known = _worth(state, told)
    rules = rules_in_force(state)
    always = set()
    if rules.treasure is not None:
        always |= {Circumstance.READY_DECLARED, Circumstance.TREASURE_RUSH}
    if rules.eggs is not None:
        always.add(Circumstance.ROBBED_EGG_SUPPLEMENT)  # perhaps of an egg that is told later
    for each in _possible(rules, told):
        said = each in told.circumstances or each in always
        if said or _worth(state, with_circumstance(told, each)) != known:
            yield Fact(FactKind.CIRCUMSTANCE, each.value)
    left = _ranges(
        state, told, range(_MOST_LEFT + 1), lambda told, left: replace(told, wall_left=left)
    )
    if told.wall_left is not None or len(left) > 1:
        yield Fact(FactKind.WALL_LEFT, ranges=left)
    rounds = _ranges(
        state, told, range(1, _MOST_ROUNDS + 1), lambda told, at: replace(told, discard_round=at)
    )
    if told.discard_round is not None or len(rounds) > 1:
        yield Fact(FactKind.DISCARD_ROUND, ranges=rounds)


def _unmarked(state: TableState, told: HandTold) -> Iterator[Fact]:
    """Whether the triplets of a hand that is laid down and has not won were marked."""
    each = Circumstance.TRIPLETS_UNMARKED
    if each in told.circumstances or _worth(state, with_circumstance(told, each)) != _worth(
        state, told
    ):
        yield Fact(FactKind.CIRCUMSTANCE, each.value)


def _indicator(state: TableState, told: HandTold) -> Iterator[Fact]:
    """Which tile was turned: for wild tiles, or for the treasure of who was ready."""
    rules, wins = rules_in_force(state), told.winning_tile is not None
    golden = any(meld.kind is MeldKind.KONG_CONCEALED for meld in told.melds)  # of wild ones
    if rules.wilds is not None and not state.wilds and (wins or golden):
        yield Fact(FactKind.INDICATOR)
    if rules.treasure is None or not wins or (state.treasures and not may_tell_treasure(state)):
        return
    ready = {Circumstance.READY_DECLARED, Circumstance.TREASURE_RUSH} & set(told.circumstances)
    if Circumstance.TREASURE_RUSH in ready:
        yield Fact(FactKind.INDICATOR)
    elif ready or not rules.chosen.get("treasure_needs_ready", True):
        yield Fact(FactKind.INDICATOR, NOT_TURNED)


def may_tell_treasure(state: TableState) -> bool:
    """Nobody has followed which treasure is in force: another may have been turned since."""
    told = bool(state.told) and all(not each.column for each in state.indicators)
    return not state.indicators or (rules_in_force(state).treasure is not None and told)


def with_implied(told: HandTold) -> HandTold:
    """The hand with all that follows from what is said of it."""
    for circumstance in told.circumstances:
        told = with_circumstance(told, circumstance)
    return told


def _possible(rules: RuleSet, told: HandTold) -> Iterator[Circumstance]:
    """The possible circumstances, by how the tile came."""
    if rules.ready is not None:
        yield Circumstance.READY_DECLARED
        if any(meld.kind is MeldKind.KONG_CONCEALED for meld in told.melds):
            yield Circumstance.READY_AFTER_KONG
    yield Circumstance.FIRST_TURN
    yield Circumstance.TILE_INTO_HAND
    yield Circumstance.TRIPLETS_UNMARKED
    if told.discarder is not None:
        if rules.eggs is not None:
            yield Circumstance.ROBBED_EGG_SUPPLEMENT
        yield Circumstance.SACRED_DISCARD
        yield Circumstance.ROBBING_KONG
        yield Circumstance.AFTER_KONG_DISCARD
        return
    rushed = Circumstance.TREASURE_RUSH in told.circumstances
    if rules.treasure is not None and (rushed or told.winning_tile is Tile.UNKNOWN):
        yield Circumstance.TREASURE_RUSH  # thirteen tiles lie there: the treasure is none of them
    if told.bonus:
        yield Circumstance.AFTER_BONUS
    for kind in dict.fromkeys(meld.kind for meld in told.melds):
        if kind in _AFTER:
            yield _AFTER[kind]


def with_circumstance(told: HandTold, circumstance: Circumstance) -> HandTold:
    """The hand with one more thing said of it, and what that implies."""
    implied = {circumstance}
    if circumstance in _AFTER.values():
        implied.add(Circumstance.AFTER_KONG)
    of_egg = Circumstance.ROBBED_EGG_SUPPLEMENT in told.circumstances
    if circumstance is Circumstance.ROBBING_KONG and not of_egg:
        implied.add(Circumstance.ROBBED_REGULAR_KONG)
    if circumstance is Circumstance.ROBBED_EGG_SUPPLEMENT:
        implied.add(Circumstance.ROBBING_KONG)
    said = (*told.circumstances, *sorted(implied - set(told.circumstances)))
    return replace(told, circumstances=said)


def _worth(state: TableState, told: HandTold) -> object:
    """Whether the hand wins, and what everything together pays; or why it cannot be told."""
    try:
        after = apply(state, told)
        ended = end_of_hand(after, rules_in_force(after))
    except ValueError as error:
        return str(error)
    if told.winning_tile is None:
        # The winner is another seat, and nothing is undone: its kongs and eggs may be paid in a won
        # hand alone.
        rules, other = rules_in_force(after), (told.seat + 1) % len(SEATS)
        paid = side_payments(rules, replace(after, shown=()), (other,), over=True)
        return paid.laid, paid.unsure, ended.total
    verdict = ended.verdicts[told.seat]
    refusals = tuple(refusal.id for refusal in verdict.refusals)
    return verdict.valid, refusals, ended.total, birds_due(rules_in_force(after), after)


def _ranges(
    state: TableState, told: HandTold, values: Sequence[int], number: Numbered
) -> tuple[tuple[int, int], ...]:
    """The ranges of a number in which the hand is worth the same; the last one is open."""
    worth = [_worth(state, number(told, value)) for value in values]
    cuts = [0, *(n for n in range(1, len(worth)) if worth[n] != worth[n - 1]), len(worth)]
    return tuple((values[low], values[high - 1]) for low, high in pairwise(cuts))


def _givers(state: TableState, told: HandTold) -> Iterator[Fact]:
    """Exposed kongs whose giver makes a difference and is not said."""
    givers = (*told.claimed_from, *(None for _ in told.melds))[: len(told.melds)]
    for at, meld in enumerate(told.melds):
        if meld.kind is not MeldKind.KONG_EXPOSED:
            continue
        tried = {
            _worth(state, replace(told, claimed_from=(*givers[:at], seat, *givers[at + 1 :])))
            for seat in (None, *(each for each in SEATS if each != told.seat))
        }
        if len(tried) > 1:
            yield Fact(FactKind.GIVER, str(at))


def _eggs(state: TableState, told: HandTold) -> Iterator[Fact]:
    """The tiles of the laid eggs, where they make a difference, and whether each egg is whole."""
    for at, meld in enumerate(told.melds):
        if meld.kind is not MeldKind.LUCKY_EGG:
            continue
        ways = ways_apart(rules_in_force(state), meld)
        if len(ways) > 1:
            yield Fact(FactKind.EGG, str(at), choices=tuple(way.tiles for way in ways))
        # Always: where only the lost tile is not paid, the win that takes one may be told later.
        yield Fact(FactKind.BROKEN, str(at))


def _undone(state: TableState, told: HandTold) -> Iterator[Fact]:
    """Of which kong or egg the tile was, or which one the discard followed.

    Asked with the win, and with the kongs and eggs that are told after it.
    """
    after = apply(state, told)
    winner = next((hand.seat for hand in after.told if hand.winning_tile is not None), None)
    could = [] if winner is None else could_be_undone(after, all_laid(after), winner)
    if told.winning_tile is None and all(each.seat != told.seat for each in could):
        return
    choices = tuple(dict.fromkeys(lying(each) for each in could))
    tried = {_worth(state, replace(told, undoes=each)) for each in choices}
    if len(tried) > 1:
        yield Fact(FactKind.UNDOES, choices=choices)


def asks_chase(state: TableState) -> bool:
    """Whether the first discards are paid for, and nobody has followed them."""
    rules = rules_in_force(state)
    return rules.chase is not None and len(state.first_discards) < len(SEATS)
