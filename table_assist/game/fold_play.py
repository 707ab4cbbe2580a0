"""The fold, in play: draws, discards, claims, kongs, eggs, ready."""

from table_assist.game.allowed import refuse
from table_assist.game.events import Claimed, Discarded, Drew, EggAppended, KongDeclared
from table_assist.game.fold_win import without_birds
from table_assist.game.holding import (
    declares_now,
    drawn,
    give,
    is_late,
    next_turn,
    replaced,
    settled_debts,
    still_lost,
    take,
    thrown_in_all,
    undrawn,
    with_seat,
    without,
)
from table_assist.game.in_force import rules_in_force
from table_assist.game.state import SEATS, Phase, Robbable, TableState, replace
from table_assist.rules.play_rules import Appended, Replaces
from table_assist.rules.settlement import Laid, LaidKind
from table_assist.tiles.melds import Meld, MeldKind
from table_assist.tiles.tile import Tile


def draw(state: TableState, event: Drew) -> TableState:
    """A tile is drawn, or the one named that was counted already."""
    state = settled_debts(state)
    if event.seat in state.unnamed:
        own = state.seats[event.seat]
        held = without(own.concealed, (Tile.UNKNOWN,))
        named = None if held is None else (*held, event.tile)
        state = with_seat(state, event.seat, replace(own, concealed=named))
        at = state.unnamed.index(event.seat)
        return replace(
            state,
            unnamed=state.unnamed[:at] + state.unnamed[at + 1 :],
            drawn_tile=event.tile if state.holder == event.seat else state.drawn_tile,
        )
    late = rules_in_force(state).late_claims
    return replace(
        drawn(state, event.seat, event.tile),
        last_discard=state.last_discard if late else None,
        kong_discarder=state.kong_discarder if late else None,
        robbable=None,
        unnamed=(),
    )


def discard(state: TableState, event: Discarded) -> TableState:
    """A tile lies in the river and may be claimed."""
    seat, tile = event.seat, event.tile
    state = settled_debts(state) if state.holder == seat else state
    after_kong = state.after_kong if state.holder == seat else None
    before, first = state.last_discard, None
    if not (state.holder == seat and state.claimed):
        state = replace(state, turns_lost=still_lost(state, seat))
    if state.holder != seat:
        first = before[1] if before is not None and before[0] == seat else None
        state = drawn(state, seat)
    # The keys are faster than the camera: another seat may have declared a win on this very tile.
    declared = tuple(other for other in state.declared if other != seat)
    state = state if declared else without_birds(state)
    # The tile leaves the hand for the river, and the others see it
    own = state.seats[seat]
    seats = [replace(other, seen=(*other.seen, tile)) for other in state.seats]
    seats[seat] = replace(
        own,
        changed=own.changed or _changes(state, seat, tile),
        seen=(),
        concealed=without(own.concealed, (tile,)),
        river=(*own.river, tile),
        discards=own.discards + 1,
        thrown=(*own.thrown, tile),
    )
    return replace(
        state,
        seats=tuple(seats),
        phase=Phase.SHOWING if declared else Phase.PLAYING,
        declared=declared,
        shown=tuple(hand for hand in state.shown if hand.seat != seat),
        turn=next_turn(state, seat),
        holder=None,
        claimed=False,
        owed=None,
        unnamed=(),
        last_discard=(seat, tile),
        first_of_two=first,
        first_discards=_first_discards(state, seat, tile),
        kong_discarder=seat if after_kong == seat else None,
        after_kong=None,
        robbable=None,
    )


def _changes(state: TableState, seat: int, tile: Tile) -> bool:
    """A ready seat discards another tile than the one that it has drawn, as far as is known."""
    own = state.seats[seat]
    if not own.ready or own.ready_discard > own.discards or not own.concealed:
        return False
    drawn_tile = own.concealed[-1]
    return tile.is_face and drawn_tile.is_face and tile is not drawn_tile


def _first_discards(state: TableState, seat: int, tile: Tile) -> tuple[tuple[int, Tile], ...]:
    """Each seat's first discard, from the dealer on, if nobody's turn was skipped."""
    number = len(state.first_discards)
    follows = (state.dealer + number) % len(SEATS)
    if number < len(SEATS) and seat == follows and not state.seats[seat].discards:
        return (*state.first_discards, (seat, tile))
    return state.first_discards


def claim(state: TableState, event: Claimed) -> TableState:
    """The offered tile is taken for a meld."""
    taken, forbidden = state.given_up, refuse(state, event) if event.kind.is_kong else None
    if is_late(state):
        state = undrawn(state)
    state = _taken_from(state, event.discarder)
    own = state.seats[event.seat]
    used = list(event.tiles)
    if taken is not None and taken[1] in used:
        used.remove(taken[1])
    elif used:
        used.pop()
    melds = (*own.melds, Meld(event.kind, event.tiles))
    # The key was faster than the camera: ready was declared with this very call.
    now = declares_now(state, event.seat)
    state = with_seat(
        state,
        event.seat,
        replace(
            own,
            melds=melds,
            concealed=without(own.concealed, used),
            changed=own.changed or (own.ready and not now),
            ready_discard=own.discards + 1 if now else own.ready_discard,
            ready_melds=len(melds) if now else own.ready_melds,
        ),
    )
    state = replace(
        state,
        turn=event.seat,
        holder=event.seat,
        claimed=True,
        passed_on=(),
        owed=None,
        unnamed=(),
        last_discard=None,
        robbable=None,
        kong_discarder=None,
        after_kong=None,
        called=True,
    )
    if event.kind.is_kong:
        giver = None if event.discarder == event.seat else event.discarder
        kong = Laid(LaidKind(event.kind), event.seat, giver, event.tiles, forbidden=forbidden)
        state = replace(replaced(state, event.seat, Replaces.KONG), laid=(*state.laid, kong))
        state = replace(state, after_kong=event.seat)
    return state


def _taken_from(state: TableState, giver: int) -> TableState:
    """The tile leaves the river, or the egg that it was put to."""
    own = state.seats[giver]
    robbed = state.robbable
    if robbed is not None and robbed.seat == giver and robbed.kind is MeldKind.LUCKY_EGG:
        own = state.seats[robbed.seat]
        if robbed.egg is None:
            return state  # it was told, and what is told lies as it was left
        melds, laid = list(own.melds), list(state.laid)
        eggs = [i for i, meld in enumerate(melds) if meld.kind is MeldKind.LUCKY_EGG]
        egg = melds[eggs[robbed.egg]]
        melds[eggs[robbed.egg]] = replace(egg, supplements=egg.supplements[:-1])
        place = _place_of(state, robbed.seat, robbed.egg)
        laid[place] = laid[place].broken(robbed.tile)
        state = with_seat(state, robbed.seat, replace(own, melds=tuple(melds)))
        return replace(state, laid=tuple(laid))
    if state.last_discard is not None and state.last_discard[0] == giver and own.river:
        return with_seat(state, giver, replace(own, river=own.river[:-1]))
    return state


def kong(state: TableState, event: KongDeclared) -> TableState:
    """A kong from the own hand; an added one may be robbed before it is replaced."""
    if not event.kind.is_kong:
        return state  # nothing follows from what is none
    seat, tile = event.seat, event.tile
    forbidden = refuse(state, event)
    state = settled_debts(state) if state.holder == seat else drawn(state, seat)
    own = state.seats[seat]
    added = event.kind is MeldKind.KONG_ADDED
    melds = list(own.melds)
    at = [i for i, meld in enumerate(melds) if meld.kind is MeldKind.PUNG and tile in meld.tiles]
    if added and at:
        melds[at[0]] = Meld(event.kind, (tile,) * 4)
    else:
        melds.append(Meld(event.kind, (tile,) * 4))
    used = (tile,) if added else (tile,) * 4
    state = with_seat(
        state,
        seat,
        replace(own, melds=tuple(melds), concealed=without(own.concealed, used)),
    )
    laid = Laid(LaidKind(event.kind), seat, tiles=(tile,) * 4, forbidden=forbidden)
    robs = rules_in_force(state).robs_concealed
    robbable = added or bool(robs and robs(rules_in_force(state).chosen))
    state = replace(
        state,
        laid=(*state.laid, laid),
        called=True,
        after_kong=seat,
        last_discard=None,
        kong_discarder=None,
        unnamed=(),
        robbable=Robbable(seat, tile, event.kind) if robbable else None,
        owed=Replaces.KONG,
    )
    return state if robbable else settled_debts(state)


def append_to_egg(state: TableState, event: EggAppended) -> TableState:
    """A tile lies with an egg; a drawn one others may take before it is replaced."""
    seat, tile = event.seat, event.tile
    forbidden, claimed = refuse(state, event), takes_discard(state, event)
    if claimed and state.last_discard is not None:
        state = _taken_from(state, state.last_discard[0])
        state = replace(give(state, seat, (tile,)), holder=seat, turn=seat)
    else:
        state = settled_debts(state) if state.holder == seat else drawn(state, seat)
    own = state.seats[seat]
    eggs = [i for i, meld in enumerate(own.melds) if meld.kind is MeldKind.LUCKY_EGG]
    if event.egg >= len(eggs):
        return state
    melds = list(own.melds)
    at = eggs[event.egg]
    before = melds[at]
    melds[at] = replace(before, supplements=(*before.supplements, tile))
    state = take(with_seat(state, seat, replace(own, melds=tuple(melds))), seat, (tile,))
    laid = list(state.laid)
    place = _place_of(state, seat, event.egg)
    egg = laid[place]
    if forbidden is None:
        laid[place] = replace(egg, supplements=(*egg.supplements, tile))
    else:  # it lies there and is not paid
        laid[place] = replace(egg, not_allowed=(*egg.not_allowed, (tile, forbidden)))
    if claimed:
        state = replace(state, laid=tuple(laid), last_discard=None, called=True)
        return replace(replaced(state, seat, Replaces.EGG), kong_discarder=None)
    return replace(
        state,
        laid=tuple(laid),
        last_discard=None,
        kong_discarder=None,
        unnamed=(),
        robbable=Robbable(seat, tile, MeldKind.LUCKY_EGG, event.egg),
        owed=Replaces.EGG,
    )


def _place_of(state: TableState, seat: int, egg: int) -> int:
    """Where the seat's so-manyth egg, from 0, stands among all that was laid."""
    eggs = [i for i, each in enumerate(state.laid) if each.seat == seat and each.is_egg]
    return eggs[egg]


def takes_discard(state: TableState, event: EggAppended) -> bool:
    """The tile is another player's discard, where the rules allow an egg to have one."""
    rules, given = rules_in_force(state), state.last_discard
    eggs = state.seats[event.seat].eggs
    if rules.eggs is None or given is None or event.egg >= len(eggs):
        return False
    if given[0] == event.seat or given[1] is not event.tile or state.holder is not None:
        return False
    wanted = Appended(eggs[event.egg].tiles, event.tile, drawn=False)
    return rules.eggs.refuse(wanted, rules.chosen) is None


def declare_ready(state: TableState, seat: int) -> TableState:
    """Ready from the discard on that is being made, or, where the key came late, was."""
    own = state.seats[seat]
    # A discard is due of whoever's turn it is, though its draw need not have been told.
    due = state.holder == seat or (state.holder is None and state.turn == seat)
    number = own.discards + due
    if own.ready:
        return state
    state = replace(state, readied=(*state.readied, seat))
    declared = replace(
        own,
        ready=True,
        ready_discard=max(number, 1),
        ready_after=thrown_in_all(state),
        ready_melds=len(own.melds),
    )
    return with_seat(state, seat, declared)
