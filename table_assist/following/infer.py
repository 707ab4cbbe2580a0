"""The inference: events that must have happened, from the hand's state and the table's tiles.

Nothing here remembers: the difference between the recorded state and a steady observation says
what is new. So the program may be stopped and started at any moment, and a step that was missed
is found with the next picture.
"""

from dataclasses import dataclass, field, replace

from table_assist.following import hands, indicators, melds, opening, rivers
from table_assist.following.as_it_lies import as_it_lies, is_found_running
from table_assist.following.discrepancies import doubts_about, unexplained_beside
from table_assist.following.hidden_discards import with_hidden
from table_assist.following.kept_places import as_owned, kept
from table_assist.following.pieces import NO_PIECES, Bound, Pieces
from table_assist.following.proposed import (
    Exposed,
    FlowerRead,
    LastDiscard,
    Proposed,
    Reread,
    Reveal,
)
from table_assist.following.seen_table import (
    DOUBTFUL_PICTURES,
    LONG_PICTURES,
    MELD_TILES,
    MISSED_AT_MOST,
    TableSight,
    laid_beside,
    sight_of,
)
from table_assist.following.washing import STEPS_AT_MOST, is_washed
from table_assist.game.doubt import Doubt
from table_assist.game.events import Event
from table_assist.game.fold import apply
from table_assist.game.in_force import rules_in_force
from table_assist.game.question import QuestionKind
from table_assist.game.state import SEATS, Phase, TableState
from table_assist.game.turn import on_turn, thrown
from table_assist.vision.table.observation import Observation
from table_assist.vision.table.unseen import OccludedZone, WhyUnseen
from table_assist.vision.table.zones import Zone, ZoneKind

NO_DISCARD = LastDiscard()
UNBOUND = Bound()


@dataclass(frozen=True, slots=True)
class Inferred:
    """The additions of one observation.

    Attributes:
        revealed: what was a secret before any of the events.
        flowers: recorded unread before any of the events, and read now.
        exposed: a chow that was claimed before any of the events, and is laid down now.
        lying: dealt hands, shown hands and birds that are on record, as they are read now.
        last: how the last discard lies after the events.
        unexplained: seats before which lies, or has gone, what the record does not have.
        partly: seats before which only a part of a claimed meld is seen, and no more comes.
        covered: too much of what must be there is not seen; nothing was inferred.
        washed: tiles are being mixed; nothing was inferred.
        each_read: of a heap, as `rivers.is_each_read` after the events.
        running: the hand was found running: the events are in an order that may have been.
        pieces: where what was on record before any of the events lies now.
    """

    proposed: tuple[Proposed, ...] = ()
    reread: tuple[Reread, ...] = ()
    revealed: Reveal | None = None
    flowers: tuple[FlowerRead, ...] = ()
    exposed: Exposed | None = None
    lying: tuple[Event, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    last: LastDiscard = NO_DISCARD
    unexplained: frozenset[int] = frozenset()
    partly: frozenset[int] = frozenset()
    covered: bool = False
    washed: bool = False
    each_read: bool = False
    running: bool = False
    pieces: Pieces = field(default_factory=lambda: NO_PIECES, compare=False)


def step(
    state: TableState, observation: Observation, bound: Bound = UNBOUND, *, heap: bool = False
) -> Inferred:
    """Explain the observation: the events since `state`, in the order they happened.

    Args:
        bound: what of the record lies where, as `Inferred.pieces` of the last look had it.
        heap: discards are thrown into the middle, and not before who discards them.
    """
    if state.phase not in (Phase.PLAYING, Phase.SHOWING):
        return Inferred()
    sight = as_owned(sight_of(rules_in_force(state), observation, heap=heap), bound)
    covered = _covered(state, sight)
    if len(covered) > 1:
        return Inferred(covered=True, pieces=bound.pieces)
    hidden = (
        OccludedZone(Zone(ZoneKind.RIVER, s), observation.t, WhyUnseen.HIDDEN) for s in covered
    )
    seen = sight.observation
    seen = replace(seen, unavailable=(*seen.unavailable, *hidden))
    sight = with_hidden(state, replace(sight, observation=seen))
    sight, pieces = kept(state, sight, bound)
    if is_washed(state, sight):
        return Inferred(washed=True, pieces=bound.pieces)
    if is_found_running(state, sight, many=STEPS_AT_MOST):
        return Inferred(proposed=as_it_lies(state, sight), running=True, pieces=pieces)
    sight = hands.in_two_rows(state, rivers.without_strays(state, sight))
    revealed = indicators.reveal(state, sight)
    state = indicators.with_revealed(state, revealed)
    flowers = opening.flowers_read(state, sight)
    state = opening.with_flowers(state, flowers)
    exposed = melds.exposed(state, sight)
    state = melds.with_exposed(state, exposed)
    proposed: list[Proposed] = []
    for _ in range(STEPS_AT_MOST):
        found = _next_event(state, sight)
        if found is None:
            break
        proposed.append(found)
        state = apply(state, found.event)
        sight = rivers.with_discard(state, sight, found)
    return Inferred(
        proposed=tuple(proposed),
        reread=tuple(rivers.rereads(state, sight)),
        revealed=revealed,
        flowers=flowers,
        exposed=exposed,
        lying=(*opening.lying_open(state, sight), *hands.lying_open(state, sight)),
        doubts=tuple(_doubts(state, sight)),
        last=rivers.last_discard(state, sight),
        unexplained=frozenset(
            seat
            for seat in SEATS
            if not laid_beside(state, sight, seat).is_whole
            or unexplained_beside(state, sight, seat)
            or rivers.fresh_discards(state, sight, seat)
        ),
        partly=melds.partly_seen(state, sight, DOUBTFUL_PICTURES),
        each_read=sight.heap and rivers.is_each_read(state, sight),
        pieces=pieces,
    )


def _doubts(state: TableState, sight: TableSight) -> list[Doubt]:
    """The misfits. A discard that is gone is not asked for while its meld is being read."""
    found = doubts_about(state, sight)
    if sight.heap or not melds.is_claim_unsure(state, sight):
        return found
    return [doubt for doubt in found if doubt.question.kind is not QuestionKind.GONE]


def _covered(state: TableState, sight: TableSight) -> list[int]:
    """The seats whose rivers lack so much of what is recorded that something lies over them.

    Of a heap, and where each lacks a little, all of them.
    """
    if sight.heap:
        lacks = [len(thrown(state)) - len(sight.thrown)]
    else:
        pairs = zip(state.seats, sight.rivers, strict=True)
        lacks = [max(len(seat.river) - len(river), 0) for seat, river in pairs]
    much = [seat for seat, lack in enumerate(lacks) if lack > MISSED_AT_MOST]
    rest = sum(lack for lack in lacks if lack <= MISSED_AT_MOST)
    return list(SEATS) if rest > MISSED_AT_MOST or (sight.heap and much) else much


def _next_event(state: TableState, sight: TableSight) -> Proposed | None:
    if not state.shown:
        found = _in_play(state, sight)
        if found is not None:
            return found
    if state.phase is not Phase.SHOWING:
        return None
    if not state.shown and _is_unexplained(state, sight):
        return None  # what is not recorded yet may be the very tile that was won
    return (
        hands.shown(state, sight)
        or indicators.treasure_unannounced(state, sight)
        or hands.laid_down(state, sight)
        or hands.bird(state, sight)
    )


def _in_play(state: TableState, sight: TableSight) -> Proposed | None:
    """The next event, tried in the order in which they can have happened."""
    turn = on_turn(state)
    first = () if opening.has_begun(state) else (*SEATS[state.dealer :], *SEATS[: state.dealer])
    found = (
        next(filter(None, (_laid_out(state, sight, seat) for seat in first)), None)
        or indicators.turned(state, sight)
        or melds.claim(state, sight)
    )
    if found is not None or melds.is_claim_unsure(state, sight):
        return found
    found = (
        opening.bonus(state, sight, turn)
        or melds.egg(state, sight, turn)
        or melds.own_meld(state, sight, turn)
    )
    if found is not None or melds.is_egg_unsure(state, sight, turn):
        return found
    is_new = bool(rivers.fresh_discards(state, sight, turn))
    found = melds.unseen_discard(state, sight) if is_new else None
    if found is None and melds.is_older_unsure(state, sight, turn):
        return None
    found = found or rivers.discard(state, sight, turn)
    if found is not None:
        return found
    for seat in SEATS:
        found = _laid_out(state, sight, seat) or melds.own_meld(state, sight, seat)
        if found is not None:
            return found
    found = melds.unseen_discard(state, sight)
    if found is not None or any(melds.sure_groups(state, sight, s) for s in SEATS):
        return found
    return rivers.out_of_turn(state, sight)


def _laid_out(state: TableState, sight: TableSight, seat: int) -> Proposed | None:
    """The shown and laid tiles of a dealt hand."""
    return (
        opening.bonus(state, sight, seat)
        or opening.starting_hand(state, sight, seat)
        or melds.egg(state, sight, seat)
    )


def _is_unexplained(state: TableState, sight: TableSight) -> bool:
    """Whether tiles lie in a river or among melds that are not recorded."""
    if any(rivers.fresh_discards(state, sight, seat) for seat in SEATS):
        return True
    for seat in SEATS:
        lying = unexplained_beside(state, sight, seat)
        is_late = any(tile.pictures < LONG_PICTURES for tile in lying)
        if lying and (seat in state.declared or len(lying) >= MELD_TILES or is_late):
            return True
    return False
