"""What is against the rules or cannot be, though it was seen."""

from dataclasses import replace
from enum import StrEnum

from table_assist.game.choices import claim_of, offer_of
from table_assist.game.events import (
    Claimed,
    Discarded,
    Drew,
    Event,
    KongDeclared,
    Settled,
    WinDeclared,
)
from table_assist.game.holding import is_late
from table_assist.game.in_force import rules_in_force
from table_assist.game.offered import offer_now
from table_assist.game.ready import is_ready
from table_assist.game.state import Phase, TableState
from table_assist.melds import Meld, MeldKind
from table_assist.rules.offer import Call, Offer, Source
from table_assist.tiles import COPIES, Tile


class Irregularity(StrEnum):
    """What is against the rules or cannot be, though it was seen."""

    OUT_OF_TURN = "out_of_turn"
    NOTHING_TO_CLAIM = "nothing_to_claim"
    CHOW_NOT_FROM_LEFT = "chow_not_from_left"
    CALL_FORBIDDEN = "call_forbidden"
    MELD_INVALID = "meld_invalid"
    NO_EXPOSED_PUNG = "no_exposed_pung"
    FIFTH_COPY = "fifth_copy"
    DREW_TWICE = "drew_twice"
    NO_HAND_RUNNING = "no_hand_running"
    WALL_EMPTY = "wall_empty"
    TRANSFERS_UNBALANCED = "transfers_unbalanced"


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
            others = tuple(hand for hand in state.shown if hand.seat != seat)
            if tile.is_face and _visible(replace(state, shown=others), tile) >= COPIES:
                found.append(Irregularity.FIFTH_COPY)
        case Claimed(seat, kind, tiles):
            found += _claim_problems(state, seat, kind, tiles) or _forbidden(state, event)
        case KongDeclared(seat, kind, tile):
            found += _turn_problems(state, seat)
            pungs = [m for m in state.seats[seat].melds if m.kind is MeldKind.PUNG]
            if kind is MeldKind.KONG_ADDED and not any(tile in m.tiles for m in pungs):
                found.append(Irregularity.NO_EXPOSED_PUNG)
            found += _forbidden(state, event)
        case Drew(seat):
            found += _draw_problems(state, seat)
        case Settled(_, transfers):
            if sum(transfers) != 0:
                found.append(Irregularity.TRANSFERS_UNBALANCED)
        case _:
            pass
    return tuple(found)


def visible_tiles(state: TableState) -> tuple[Tile, ...]:
    """Every tile of this hand that is known: rivers, melds, flowers, turned tiles, open hands."""
    tiles: list[Tile] = list(state.birds)
    if state.wilds:  # it lies there for the whole hand; a treasure may be drawn yet
        tiles += (turned.tile for turned in state.indicators)
    for seat in state.seats:
        tiles += (*seat.river, *seat.bonus)
        for meld in seat.melds:
            tiles += meld.tiles + meld.supplements
    for down in state.laid_down:
        tiles += down.concealed
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
    given = state.given_up
    if given is None or (given[1] is not Tile.UNKNOWN and given[1] not in tiles):
        problems.append(Irregularity.NOTHING_TO_CLAIM)
    elif is_late(state) and seat == state.holder:
        problems.append(Irregularity.NOTHING_TO_CLAIM)  # who has drawn has let the discard go
    elif kind is MeldKind.CHOW and (given[0] + 1) % 4 != seat:
        problems.append(Irregularity.CHOW_NOT_FROM_LEFT)
    return problems


_CALLS = {
    MeldKind.CHOW: Call.CHOW,
    MeldKind.PUNG: Call.PUNG,
    MeldKind.KONG_EXPOSED: Call.KONG,
    MeldKind.KONG_CONCEALED: Call.KONG_CONCEALED,
    MeldKind.KONG_ADDED: Call.KONG_ADDED,
}


def _forbidden(state: TableState, event: Claimed | KongDeclared) -> list[Irregularity]:
    """What the rules of calls forbid whatever the seat holds: its tiles need not be known."""
    rules, call = rules_in_force(state), _CALLS.get(event.kind)
    offer: Offer | None
    if isinstance(event, KongDeclared):
        offer = offer_of(state, event.tile, event.seat, Source.OWN_DRAW)
    else:
        offer = offer_now(state)
    if call is None or offer is None or not state.is_running:
        return []
    strange = event.kind not in rules.meld_kinds
    locked = is_ready(state, event.seat) and rules.ready is not None and rules.ready.locks
    claim = claim_of(state, event.seat, call, (), offer.tile)
    refused = any(each.refuses(offer, claim, rules.chosen) for each in rules.claim_conditions)
    wrong = strange or refused or (locked and call is not Call.KONG_CONCEALED)
    return [Irregularity.CALL_FORBIDDEN] * wrong


def _draw_problems(state: TableState, seat: int) -> list[Irregularity]:
    if seat in state.unnamed or (state.holder == seat and state.owed is not None):
        return []
    if state.holder == seat:
        return [Irregularity.DREW_TWICE]
    problems = []
    if state.holder is not None or seat != state.turn:
        problems.append(Irregularity.OUT_OF_TURN)
    if state.wall_left <= 0:
        problems.append(Irregularity.WALL_EMPTY)
    return problems
