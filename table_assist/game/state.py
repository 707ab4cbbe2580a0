"""The state of the table: a fold over events.

`apply` never refuses: what happened is a fact even when the rules forbid it. What the rules say
about it is asked of `irregularities`, before the event is applied.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import assert_never

from table_assist.game.events import (
    Answered,
    Asked,
    BirdTurned,
    Claimed,
    DiceRolled,
    Discarded,
    Event,
    HandAbandoned,
    HandShown,
    HandStarted,
    KongDeclared,
    ReadyDeclared,
    Settled,
    Transfers,
    WallBuilt,
    WallExhausted,
    WinDeclared,
    WinRefused,
)
from table_assist.melds import Meld, MeldKind
from table_assist.tiles import COPIES, Tile

SEATS = range(4)
NO_TRANSFERS: Transfers = (0, 0, 0, 0)


class Phase(StrEnum):
    """Where the evening stands."""

    WAITING = "waiting"  # no wall yet, or tiles are being washed
    WALL_READY = "wall_ready"
    PLAYING = "playing"
    SHOWING = "showing"  # at least one win is declared and not yet settled
    SETTLED = "settled"


@dataclass(frozen=True, slots=True)
class SeatState:
    """What lies before one player.

    Attributes:
        river: own discards that nobody claimed, oldest first.
        discards: how many tiles the player has discarded in this hand.
        ready: the player declared ready.
    """

    melds: tuple[Meld, ...] = ()
    river: tuple[Tile, ...] = ()
    discards: int = 0
    ready: bool = False


@dataclass(frozen=True, slots=True)
class TableState:
    """Everything known about the table.

    Attributes:
        turn: who must discard, or who draws next.
        holder: the seat that holds its extra tile and must discard; None: `turn` draws first.
        wall_left: tiles not yet drawn, as far as events tell.
        last_drawer: who took the latest tile from the wall; None before the first draw.
        last_discard: (seat, tile) as long as it can be claimed.
        after_kong: the seat whose last draw replaced a kong and has not discarded since.
        kong_discarder: the last discard was this seat's, made right after its own kong.
        robbable: (seat, tile) of a kong added by the last event.
        declared: seats whose declared win is open, in the order declared.
        shown: hands shown so far in this win. What a self-drawn hand drew is not yet taken from
            the wall: a hand may turn out to have been won otherwise.
        old_birds: turned after a win of this hand that was refused; they may still lie there.
        dealer_next: who deals next; None before the first hand or when the players choose.
        streak: how many hands in a row the dealer has dealt, this one included.
        questions: open ones, oldest first.
    """

    rules: str = ""
    hand: int = 0
    phase: Phase = Phase.WAITING
    dealer: int = 0
    turn: int = 0
    holder: int | None = None
    wall_left: int = 0
    last_drawer: int | None = None
    last_discard: tuple[int, Tile] | None = None
    after_kong: int | None = None
    kong_discarder: int | None = None
    robbable: tuple[int, Tile] | None = None
    dice: DiceRolled | None = None
    seats: tuple[SeatState, SeatState, SeatState, SeatState] = (SeatState(),) * 4
    declared: tuple[int, ...] = ()
    shown: tuple[HandShown, ...] = ()
    refused: tuple[WinRefused, ...] = ()
    birds: tuple[Tile, ...] = ()
    old_birds: tuple[Tile, ...] = ()
    scores: Transfers = NO_TRANSFERS
    last_transfers: Transfers = NO_TRANSFERS
    settled: Settled | None = None
    dealer_next: int | None = None
    streak: int = 0
    questions: tuple[Asked, ...] = ()

    def hand_size(self, seat: int) -> int:
        """Tiles the seat should hold concealed right now, melds not counted."""
        return 13 - 3 * len(self.seats[seat].melds) + (1 if self.holder == seat else 0)


class Irregularity(StrEnum):
    """What is against the rules or cannot be, though it was seen."""

    OUT_OF_TURN = "out_of_turn"
    NOTHING_TO_CLAIM = "nothing_to_claim"
    CHOW_NOT_FROM_LEFT = "chow_not_from_left"
    MELD_INVALID = "meld_invalid"
    NO_EXPOSED_PUNG = "no_exposed_pung"
    FIFTH_COPY = "fifth_copy"
    NO_HAND_RUNNING = "no_hand_running"
    WALL_EMPTY = "wall_empty"
    TRANSFERS_UNBALANCED = "transfers_unbalanced"


def replay(events: Iterable[Event], state: TableState | None = None) -> TableState:
    """Fold events, from an empty table unless a state is given."""
    state = state or TableState()
    for event in events:
        state = apply(state, event)
    return state


def apply(state: TableState, event: Event) -> TableState:  # noqa: C901 - one arm per event
    """The state after the event."""
    match event:
        case WallBuilt():
            return replace(state, phase=Phase.WALL_READY, dice=None)
        case DiceRolled():
            return replace(state, dice=event)
        case HandStarted():
            return _start_hand(state, event)
        case Discarded():
            return _discard(state, event)
        case Claimed():
            return _claim(state, event)
        case KongDeclared():
            return _kong(state, event)
        case ReadyDeclared(seat):
            return _with_seat(state, seat, replace(state.seats[seat], ready=True))
        case WinDeclared(seat):
            declared = (*(s for s in state.declared if s != seat), seat)
            return replace(state, phase=Phase.SHOWING, declared=declared)
        case HandShown(seat):
            shown = (*(hand for hand in state.shown if hand.seat != seat), event)
            return replace(state, shown=shown)
        case WinRefused():
            return _refuse(state, event)
        case BirdTurned(tile):
            return replace(state, birds=(*state.birds, tile))
        case Settled():
            return _settle(state, event)
        case WallExhausted(dealer_next):
            return _settle(state, Settled((), NO_TRANSFERS, dealer_next))
        case HandAbandoned():
            return _settle(state, Settled((), NO_TRANSFERS, None))
        case Asked(question):
            kept = tuple(q for q in state.questions if q.question != question)
            return replace(state, questions=(*kept, event))
        case Answered(question):
            kept = tuple(q for q in state.questions if q.question != question)
            return replace(state, questions=kept)
        case _:
            assert_never(event)


def irregularities(state: TableState, event: Event) -> tuple[Irregularity, ...]:
    """Everything that is wrong with the event at this state, not only the first thing."""
    found: list[Irregularity] = []
    if isinstance(event, Discarded | Claimed | KongDeclared | WinDeclared) and state.phase not in (
        Phase.PLAYING,
        Phase.SHOWING,
    ):
        found.append(Irregularity.NO_HAND_RUNNING)
    match event:
        case Discarded(seat, tile):
            found += _turn_problems(state, seat)
            if tile.is_face and _visible(state, tile) >= COPIES:
                found.append(Irregularity.FIFTH_COPY)
        case Claimed(seat, kind, tiles):
            found += _claim_problems(state, seat, kind, tiles)
        case KongDeclared(seat, kind, tile):
            found += _turn_problems(state, seat)
            pungs = [m for m in state.seats[seat].melds if m.kind is MeldKind.PUNG]
            if kind is MeldKind.KONG_ADDED and not any(tile in m.tiles for m in pungs):
                found.append(Irregularity.NO_EXPOSED_PUNG)
        case Settled(_, transfers):
            if sum(transfers) != 0:
                found.append(Irregularity.TRANSFERS_UNBALANCED)
        case _:
            pass
    return tuple(found)


def visible_tiles(state: TableState) -> tuple[Tile, ...]:
    """Every tile of this hand that lies face up and is known: rivers, melds, shown, birds."""
    tiles: list[Tile] = list(state.birds)
    for seat in state.seats:
        tiles += seat.river
        for meld in seat.melds:
            tiles += meld.tiles
    for hand in state.shown:
        own = list(hand.concealed)
        if not hand.self_drawn and hand.winning_tile in own:
            own.remove(hand.winning_tile)  # it lies in the discarder's river
        tiles += own
    return tuple(tile for tile in tiles if tile.is_face)


def _visible(state: TableState, tile: Tile) -> int:
    return visible_tiles(state).count(tile)


def _turn_problems(state: TableState, seat: int) -> list[Irregularity]:
    problems = []
    if seat != (state.holder if state.holder is not None else state.turn):
        problems.append(Irregularity.OUT_OF_TURN)
    if state.holder != seat and state.wall_left <= 0:
        problems.append(Irregularity.WALL_EMPTY)
    return problems


def _claim_problems(
    state: TableState, seat: int, kind: MeldKind, tiles: tuple[Tile, ...]
) -> list[Irregularity]:
    problems = []
    if not Meld(kind, tiles).is_well_formed:
        problems.append(Irregularity.MELD_INVALID)
    if state.last_discard is None or state.last_discard[1] not in tiles:
        problems.append(Irregularity.NOTHING_TO_CLAIM)
    elif kind is MeldKind.CHOW and (state.last_discard[0] + 1) % 4 != seat:
        problems.append(Irregularity.CHOW_NOT_FROM_LEFT)
    return problems


def _with_seat(state: TableState, seat: int, value: SeatState) -> TableState:
    seats = list(state.seats)
    seats[seat] = value
    return replace(state, seats=(seats[0], seats[1], seats[2], seats[3]))


def _start_hand(state: TableState, event: HandStarted) -> TableState:
    same = state.hand > 0 and state.dealer == event.dealer
    return TableState(
        rules=event.rules,
        hand=event.hand,
        phase=Phase.PLAYING,
        dealer=event.dealer,
        turn=event.dealer,
        holder=event.dealer,
        wall_left=event.wall_left,
        last_drawer=event.dealer,
        dice=state.dice,
        scores=state.scores,
        last_transfers=state.last_transfers,
        streak=state.streak + 1 if same else 1,
    )


def _drawn(state: TableState, seat: int, tiles: int = 1) -> TableState:
    """The state after the seat took tiles from the wall."""
    left = max(state.wall_left - tiles, 0)
    return replace(state, wall_left=left, last_drawer=seat, holder=seat, turn=seat)


def _discard(state: TableState, event: Discarded) -> TableState:
    seat = event.seat
    after_kong = state.after_kong if state.holder == seat else None
    if state.holder != seat:
        state = _drawn(state, seat)
    own = state.seats[seat]
    state = _with_seat(
        state, seat, replace(own, river=(*own.river, event.tile), discards=own.discards + 1)
    )
    # The keys are faster than the camera: another seat may have declared a win on this very tile.
    declared = tuple(other for other in state.declared if other != seat)
    state = state if declared else _without_birds(state)
    return replace(
        state,
        phase=Phase.SHOWING if declared else Phase.PLAYING,
        declared=declared,
        shown=tuple(hand for hand in state.shown if hand.seat != seat),
        turn=(seat + 1) % 4,
        holder=None,
        last_discard=(seat, event.tile),
        kong_discarder=seat if after_kong == seat else None,
        after_kong=None,
        robbable=None,
    )


def _claim(state: TableState, event: Claimed) -> TableState:
    giver = state.seats[event.discarder]
    if state.last_discard is not None and state.last_discard[0] == event.discarder and giver.river:
        state = _with_seat(state, event.discarder, replace(giver, river=giver.river[:-1]))
    own = state.seats[event.seat]
    melds = (*own.melds, Meld(event.kind, event.tiles))
    state = _with_seat(state, event.seat, replace(own, melds=melds))
    state = replace(
        state, turn=event.seat, holder=event.seat, last_discard=None, kong_discarder=None
    )
    if event.kind.is_kong:
        state = replace(_drawn(state, event.seat), after_kong=event.seat)
    return state


def _kong(state: TableState, event: KongDeclared) -> TableState:
    seat, tile = event.seat, event.tile
    if state.holder != seat:
        state = _drawn(state, seat)
    own = state.seats[seat]
    kong = Meld(event.kind, (tile,) * 4)
    melds = list(own.melds)
    at = [i for i, meld in enumerate(melds) if meld.kind is MeldKind.PUNG and tile in meld.tiles]
    if event.kind is MeldKind.KONG_ADDED and at:
        melds[at[0]] = kong
    else:
        melds.append(kong)
    state = _with_seat(state, seat, replace(own, melds=tuple(melds)))
    added = event.kind is MeldKind.KONG_ADDED
    return replace(
        _drawn(state, seat),
        after_kong=seat,
        last_discard=None,
        kong_discarder=None,
        robbable=(seat, tile) if added else None,
    )


def _refuse(state: TableState, event: WinRefused) -> TableState:
    declared = tuple(seat for seat in state.declared if seat != event.seat)
    state = state if declared else _without_birds(state)
    return replace(
        state,
        declared=declared,
        shown=tuple(hand for hand in state.shown if hand.seat != event.seat),
        refused=(*state.refused, event),
        phase=Phase.SHOWING if declared else Phase.PLAYING,
    )


def _without_birds(state: TableState) -> TableState:
    """Birds belong to the win that they were turned for."""
    return replace(state, birds=(), old_birds=(*state.old_birds, *state.birds))


def _settle(state: TableState, event: Settled) -> TableState:
    if state.phase is Phase.SETTLED:
        return state  # a hand is settled once, whatever was answered later
    a, b, c, d = (score + move for score, move in zip(state.scores, event.transfers, strict=True))
    return replace(
        state,
        phase=Phase.SETTLED,
        declared=(),
        settled=event,
        scores=(a, b, c, d),
        last_transfers=event.transfers,
        dealer_next=event.dealer_next,
    )
