"""A declared win as the rules want to see it, who may win, and when a treasure may be sought."""

from collections.abc import Iterable

from table_assist.game.events import HandShown, HandTold, IndicatorTurned
from table_assist.game.holding import is_boxed, settled_debts
from table_assist.game.in_force import rules_in_force
from table_assist.game.state import SEATS, TableState, replace
from table_assist.rules.play_rules import Replaces
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.settlement import LaidKind
from table_assist.rules.shown import Circumstance, ReadyHand, ShownHand
from table_assist.rules.shown_hand_validity import is_first_turn_over
from table_assist.rules.verdict import Refusal
from table_assist.tiles.melds import Meld, MeldKind
from table_assist.tiles.tile import Tile

DEAD = Refusal.of("dead_hand")
# The rule sets' name for a hand declared ready that is changed.
_STANDING_CHANGED = "standing_hand_changed"
_HELD_TILES = 13


def is_ready(state: TableState, seat: int) -> bool:
    """The seat has declared ready, might do so, and has kept its hand (CC-25, CC-26, WZ-16)."""
    own = state.seats[seat]
    if not _declared(state, seat) or own.changed:
        return False
    return refuse_melds(state, seat, own.melds[: own.ready_melds], own.ready_discard) is None


def is_locked(state: TableState, seat: int) -> bool:
    """The seat has said that it is ready, rightly or not, and its hand may not change."""
    rule = rules_in_force(state).ready
    return rule is not None and rule.locks and _declared(state, seat)


def _declared(state: TableState, seat: int) -> bool:
    """The seat has declared ready in time (WZ-15, CL-28); a late declaration is void."""
    own, rule = state.seats[seat], rules_in_force(state).ready
    if rule is None or rule.until is None:
        return own.ready
    return own.ready and own.ready_discard <= rule.until


def refuse_melds(
    state: TableState, seat: int, melds: tuple[Meld, ...], number: int
) -> Refusal | None:
    """Why a hand with these melds may not be declared ready, whatever its tiles in hand are.

    Args:
        number: the declaring discard is the seat's so-manyth.
    """
    rules = rules_in_force(state)
    if rules.ready is None:
        return None
    unread = (Tile.UNKNOWN,) * (_HELD_TILES - 3 * len(melds))
    hand = ReadyHand(unread, melds, seat, state.dealer, state.wilds, discard_number=number)
    for condition in rules.ready.on_hand:
        if not condition.needs_tiles and not condition.predicate(hand, rules.chosen):
            return Refusal(condition.id, condition.words)
    return None


def barred(rules: RuleSet, state: TableState, seat: int) -> Refusal | None:
    """Why the seat may not win at all, whatever its tiles; None if it may."""
    own = state.seats[seat]
    if own.dead is not None:
        return DEAD
    known = () if rules.irregularities is None else rules.irregularities(rules.chosen)
    noted = {event.irregularity for event in state.noted if event.seat == seat}
    if own.changed and _declared(state, seat):
        noted.add(_STANDING_CHANGED)
    for irregularity in known:
        if irregularity.id in noted and irregularity.consequences.get("may_go_out") is False:
            return Refusal(irregularity.id, irregularity.words)
    return None


def melds_as_marked(rules: RuleSet, state: TableState, seat: int) -> tuple[Meld, ...]:
    """The seat's melds as they are scored (CL-46)."""
    melds = state.seats[seat].melds
    marked, concealed = _marked_wrongly(rules, state, seat), _concealed(melds)
    if not marked or marked < len(concealed):
        return melds
    return tuple(
        replace(meld, kind=MeldKind.KONG_EXPOSED) if at in concealed else meld
        for at, meld in enumerate(melds)
    )


def is_mark_unsure(rules: RuleSet, state: TableState, seat: int) -> bool:
    """Not every concealed kong of the seat was marked wrongly, and nobody said which."""
    return 0 < _marked_wrongly(rules, state, seat) < len(_concealed(state.seats[seat].melds))


def _concealed(melds: tuple[Meld, ...]) -> list[int]:
    return [at for at, meld in enumerate(melds) if meld.kind is MeldKind.KONG_CONCEALED]


def _marked_wrongly(rules: RuleSet, state: TableState, seat: int) -> int:
    """How often that was noted of the seat."""
    noted = [event.irregularity for event in state.noted if event.seat == seat]
    if rules.irregularities is None or not noted:
        return 0
    return sum(
        noted.count(irregularity.id)
        for irregularity in rules.irregularities(rules.chosen)
        if irregularity.consequences.get("scored_as") == "exposed_kong"
    )


# Notes on a hand that are a circumstance of it, for who types or tells it, too (CL-67).
_CIRCUMSTANCES = {
    "triplets_not_marked": Circumstance.TRIPLETS_UNMARKED,
    "winning_tile_into_hand": Circumstance.TILE_INTO_HAND,
}


def noted_of(state: TableState, seat: int) -> frozenset[Circumstance]:
    """What a referee noted of how the seat's hand was laid down."""
    notes = [event.irregularity for event in state.noted if event.seat == seat]
    return frozenset(_CIRCUMSTANCES[note] for note in notes if note in _CIRCUMSTANCES)


_AFTER_KONG = {
    LaidKind.KONG_CONCEALED: Circumstance.AFTER_KONG_CONCEALED,
    LaidKind.KONG_EXPOSED: Circumstance.AFTER_KONG_EXPOSED,
    LaidKind.KONG_ADDED: Circumstance.AFTER_KONG_ADDED,
}


def declared_hand(state: TableState, hand: HandShown) -> ShownHand:
    """The hand to judge."""
    own, told = state.seats[hand.seat], [each for each in state.told if each.seat == hand.seat]
    shown = ShownHand(
        concealed=hand.concealed,
        winning_tile=hand.winning_tile,
        winner=hand.seat,
        dealer=state.dealer,
        melds=own.melds,
        self_drawn=hand.self_drawn,
        treasures=state.treasures,
        wilds=state.wilds,
        antes=state.antes,
        bonus=own.bonus,
        prevailing=state.prevailing,
    )
    if told and told[0].winning_tile is not None:
        return _as_told(state, told[0], shown)
    from_other = not (hand.self_drawn or hand.rush)
    given = state.given_up if from_other else None
    return replace(
        shown,
        discarder=None if given is None or given[0] == hand.seat else given[0],
        circumstances=circumstances(state, hand.seat, self_drawn=hand.self_drawn, rush=hand.rush),
        wall_remaining=counted_left(
            state, wall_after(state, hand.seat, self_drawn=hand.self_drawn)
        ),
        discard_round=discard_round(state, hand.seat if hand.self_drawn else None),
        is_followed=True,
    )


def _as_told(state: TableState, told: HandTold, shown: ShownHand) -> ShownHand:
    """A hand that nobody followed: only what people said of it is known."""
    own = state.seats[told.seat]
    # Who won the same tile: what one says of it is so for all, and the least number the closest
    # (a number is the highest of the range that was tapped).
    on_tile = [told]
    if told.discarder is not None:
        won = (told.discarder, told.winning_tile)
        on_tile = [hand for hand in state.told if (hand.discarder, hand.winning_tile) == won]
    left = _least(hand.wall_left for hand in on_tile)
    of_tile = {each for hand in on_tile for each in hand.circumstances} & _OF_THE_TILE
    said = frozenset({*told.circumstances, *of_tile, *noted_of(state, told.seat)})
    if own.ready and not said & {Circumstance.READY_DECLARED} and is_ready(state, told.seat):
        said |= {Circumstance.READY_DECLARED}
    if _first_turn_over(state, told.seat):
        said -= {Circumstance.FIRST_TURN}
    boxed = told.discarder is None and any(
        each in said and is_boxed(state, what) for each, what in _REPLACES.items()
    )
    if left == 0 and not boxed:
        said |= {Circumstance.LAST_TILE}
    return replace(
        shown,
        discarder=told.discarder,
        circumstances=said,
        wall_remaining=left,
        discard_round=_least(hand.discard_round for hand in on_tile),
        is_said=True,
    )


_REPLACES = {
    Circumstance.AFTER_KONG: Replaces.KONG,
    Circumstance.AFTER_BONUS: Replaces.BONUS,
}
_OF_THE_TILE = {
    Circumstance.ROBBING_KONG,
    Circumstance.ROBBED_REGULAR_KONG,
    Circumstance.ROBBED_EGG_SUPPLEMENT,
    Circumstance.AFTER_KONG_DISCARD,
}


def _least(numbers: Iterable[int | None]) -> int | None:
    return min((each for each in numbers if each is not None), default=None)


def wall_after(state: TableState, seat: int, *, self_drawn: bool) -> int:
    """Tiles left when the hand is won: a self-drawn tile may not be counted off yet."""
    if not self_drawn:
        return state.wall_left
    if state.holder != seat:
        return max(state.wall_left - 1, 0)
    return settled_debts(state).wall_left


def counted_left(state: TableState, live: int) -> int:
    """How many tiles are left as the rules count them, where so many can be drawn."""
    rules = rules_in_force(state)
    return rules.wall.counted(live, state.wall.dead, rules.chosen)


def discard_round(state: TableState, drawer: int | None = None) -> int:
    """The round of discards in progress, from 1: who holds a drawn tile is in its next one.

    Args:
        drawer: who has drawn, where that is not told.
    """
    drawer = state.holder if drawer is None else drawer
    due = 0 if drawer is None else state.seats[drawer].discards + 1
    return max(1, due, *(seat.discards for seat in state.seats))


def circumstances(
    state: TableState, seat: int, *, self_drawn: bool, rush: bool = False
) -> frozenset[Circumstance]:
    """How a win of the seat would come about now."""
    found = set(noted_of(state, seat))
    if is_ready(state, seat):
        found.add(Circumstance.READY_DECLARED)
    if rush:
        return frozenset({*found, Circumstance.TREASURE_RUSH})
    robbed = None if self_drawn else state.robbable
    boxed = self_drawn and state.holder == seat and settled_debts(state).wall.boxed
    if wall_after(state, seat, self_drawn=self_drawn) == 0 and robbed is None and not boxed:
        found.add(Circumstance.LAST_TILE)
        if (state.after_kong if self_drawn else state.kong_discarder) is not None:
            found.add(Circumstance.LAST_TILE_WAS_KONG_REPLACEMENT)
    given = None if self_drawn else state.given_up
    if given is not None and given[1].is_face and given[1] in state.seats[seat].thrown:
        found.add(Circumstance.SACRED_DISCARD)
    if is_first_turn(state, seat, self_drawn=self_drawn):
        found.add(Circumstance.FIRST_TURN)
    if self_drawn and state.after_kong == seat:
        kinds = [laid.kind for laid in state.laid if laid.seat == seat and laid.kind in _AFTER_KONG]
        found |= {Circumstance.AFTER_KONG, _AFTER_KONG[kinds[-1]]}
    elif robbed is not None and robbed.kind is MeldKind.LUCKY_EGG:
        found.add(Circumstance.ROBBED_EGG_SUPPLEMENT)
    elif robbed is not None:
        found |= {Circumstance.ROBBING_KONG, Circumstance.ROBBED_REGULAR_KONG}
    elif not self_drawn and state.kong_discarder is not None:
        found.add(Circumstance.AFTER_KONG_DISCARD)
    return frozenset(found)


def is_first_turn(state: TableState, seat: int, *, self_drawn: bool) -> bool:
    """The dealer's opening hand, another seat's first draw, or the dealer's first discard.

    Source: Changsha, payout table, blessings (CS-21k, CS-21l); Tianjin (TJ-36); Classical, special
    starts 1, 3 and 4.
    """
    if state.seats[seat].discards or _first_turn_over(state, seat):
        return False
    others = sum(state.seats[other].discards for other in SEATS if other != seat)
    if not self_drawn:
        return seat != state.dealer and others == 1 == state.seats[state.dealer].discards
    return seat != state.dealer or not others


def _first_turn_over(state: TableState, seat: int) -> bool:
    others = [meld for other in SEATS if other != seat for meld in state.seats[other].melds]
    return is_first_turn_over(rules_in_force(state), state.seats[seat].melds, others)


def may_seek(rules: RuleSet, state: TableState) -> bool:
    """Whether somebody is ready, and tiles enough are left for a treasure (CC-27, CC-31)."""
    if rules.treasure is None or state.first_ready is None:
        return False
    return state.wall_left >= rules.treasure.fewest_tiles


def may_rush(rules: RuleSet, state: TableState) -> bool:
    """Whether tiles enough are left to win by the treasure alone (CC-29, CC-33)."""
    left = counted_left(state, state.wall_left)
    return rules.treasure is not None and left >= rules.treasure.rushing_from


def may_seek_again(rules: RuleSet, state: TableState) -> bool:
    """Whether the first ready player may roll for another treasure (CC-31, CC-32)."""
    if not may_seek(rules, state) or not state.treasures or rules.treasure is None:
        return False
    # How many treasures lie in rivers and melds, what was appended to eggs with them (CC-32)
    lying = [tile for seat in state.seats for tile in seat.river]
    melds = [meld for seat in state.seats for meld in seat.melds]
    lying += [tile for meld in melds for tile in (*meld.tiles, *meld.supplements)]
    return sum(tile in state.treasures for tile in lying) >= rules.treasure.visible


def may_turn(state: TableState) -> bool:
    """Whether a tile may be turned now; as far as is known, where a treasure is a secret."""
    rules = rules_in_force(state)
    if rules.wilds is not None:
        return not state.indicators
    if not may_seek(rules, state):
        return False
    return not (state.indicators and state.treasures) or may_seek_again(rules, state)


def names_the_last(state: TableState, event: IndicatorTurned) -> bool:
    """Nobody has thrown for another: it is said what the secret one was."""
    last = state.indicators[-1] if state.indicators else None
    if last is None or last.tile.is_face or state.seeking or not event.tile.is_face:
        return False
    return event.column in (0, last.column)
