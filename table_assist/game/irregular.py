"""Irregularities: events that are against the rules or cannot be, though they were seen."""

from collections import Counter
from enum import StrEnum

from table_assist.game import events as facts
from table_assist.game.allowed import (
    refuse,
    refuse_declaring,
    refuse_discard,
    refuse_with_held,
    with_due_draw,
)
from table_assist.game.choices import may_open
from table_assist.game.holding import is_late, put_down
from table_assist.game.in_force import rules_in_force
from table_assist.game.people import is_seating
from table_assist.game.state import SEATS, Phase, TableState, replace
from table_assist.game.turn import may_pass
from table_assist.game.win import may_turn, names_the_last
from table_assist.rules.wall import refuse_selection
from table_assist.tiles.melds import Meld, MeldKind
from table_assist.tiles.tile import COPIES, Tile, Tiles


class Irregularity(StrEnum):
    """An event that is against the rules or cannot be, though it was seen."""

    OUT_OF_TURN = "out_of_turn"
    NOTHING_TO_CLAIM = "nothing_to_claim"
    CHOW_NOT_FROM_LEFT = "chow_not_from_left"
    CALL_FORBIDDEN = "call_forbidden"
    CHOW_NOT_EXPOSED = "chow_not_exposed"
    MELD_INVALID = "meld_invalid"
    NO_EXPOSED_PUNG = "no_exposed_pung"
    FIFTH_COPY = "fifth_copy"
    DREW_TWICE = "drew_twice"
    NO_HAND_RUNNING = "no_hand_running"
    WALL_EMPTY = "wall_empty"
    TRANSFERS_UNBALANCED = "transfers_unbalanced"
    NO_REPLACEMENT = "no_replacement"
    KONG_UNDRAWN = "kong_undrawn"
    EGG_FORBIDDEN = "egg_forbidden"
    READY_FORBIDDEN = "ready_forbidden"
    READY_CHANGED = "ready_changed"
    BONUS_DISCARDED = "bonus_discarded"
    LAST_TILE_KEPT = "last_tile_kept"
    PASS_FORBIDDEN = "pass_forbidden"
    SEATS_IMPOSSIBLE = "seats_impossible"
    OPENING_FORBIDDEN = "opening_forbidden"
    INDICATOR_FORBIDDEN = "indicator_forbidden"
    EXCHANGE_FORBIDDEN = "exchange_forbidden"


def irregularities(state: TableState, event: facts.Event) -> tuple[Irregularity, ...]:
    """Everything that is wrong with the event at this state, not only the first thing."""
    found: list[Irregularity] = []
    if isinstance(
        event, facts.Discarded | facts.Claimed | facts.KongDeclared | facts.WinDeclared
    ) and state.phase not in (
        Phase.PLAYING,
        Phase.SHOWING,
    ):
        found.append(Irregularity.NO_HAND_RUNNING)
    if _keeps_chow_back(state, event):
        found.append(Irregularity.CHOW_NOT_EXPOSED)
    if _lays_too_many(state, event):
        found.append(Irregularity.FIFTH_COPY)
    return (*found, *_problems(state, event))


def _lays_too_many(state: TableState, event: facts.Event) -> bool:
    """The laid tiles are more of a kind than there are, with the open ones."""
    if not isinstance(event, facts.Melded | facts.EggLaid | facts.BonusLaid):
        return False
    laid, given = put_down(event), state.given_up
    if isinstance(event, facts.Claimed) and given is not None and given[1] in laid:
        laid.remove(given[1])  # it lies there
    # Hands that lie open are those that the tiles come from.
    lying = Counter(visible_tiles(replace(state, shown=(), laid_down=())))
    return any(
        lying[tile] + laid.count(tile) > (1 if tile.is_bonus else COPIES)
        for tile in laid
        if tile.is_face
    )


def _keeps_chow_back(state: TableState, event: facts.Event) -> bool:
    """A claimed chow lies there at once, or before its player claims or draws again (CL-41)."""
    if (
        not isinstance(event, facts.Drew | facts.Discarded | facts.Claimed | facts.KongDeclared)
        or not state.is_running
    ):
        return False
    exposed = rules_in_force(state).chosen.get("chow_exposure")
    owed = any(meld.is_unexposed for meld in state.seats[event.seat].melds)
    if exposed is None or not owed:
        return False
    just_claimed = state.holder == event.seat and state.claimed
    return exposed == "at_once" or not (isinstance(event, facts.Discarded) and just_claimed)


def _problems(state: TableState, event: facts.Event) -> list[Irregularity]:
    match event:
        case facts.Discarded():
            return _discard_problems(state, event)
        case facts.Claimed(seat, kind, tiles):
            return _claim_problems(state, seat, kind, tiles) or _forbidden(state, event)
        case facts.KongDeclared():
            if not event.kind.is_kong:
                return [Irregularity.MELD_INVALID]
            found = _turn_problems(state, event.seat)
            pungs = [m for m in state.seats[event.seat].melds if m.kind is MeldKind.PUNG]
            if event.kind is MeldKind.KONG_ADDED and not any(event.tile in m.tiles for m in pungs):
                found.append(Irregularity.NO_EXPOSED_PUNG)
            return found + _forbidden(state, event)
        case facts.EggLaid() | facts.EggAppended():
            return _egg_problems(state, event)
        case facts.ReadyDeclared():
            refused = state.is_running and refuse(state, event) is not None
            return [Irregularity.READY_FORBIDDEN] * refused
        case facts.Drew(seat):
            return _draw_problems(state, seat)
        case facts.Settled(_, transfers):
            return [Irregularity.TRANSFERS_UNBALANCED] * (not is_balanced(transfers))
        case facts.SeatsChanged(came_from):
            wrong = state.is_running or not is_seating(came_from)
            return [Irregularity.SEATS_IMPOSSIBLE] * wrong
        case facts.LastTilePassed(seat):
            allowed = may_pass(state) and seat == state.turn and len(state.passed_on) < len(SEATS)
            return [Irregularity.PASS_FORBIDDEN] * (not allowed)
        case facts.StartingHandShown(seat):
            return [Irregularity.OPENING_FORBIDDEN] * (not may_open(state, seat))
        case facts.DiceRolled() | facts.IndicatorTurned():
            turns = (
                event.throw is facts.Throw.INDICATOR
                if isinstance(event, facts.DiceRolled)
                else not names_the_last(state, event)
            )
            return [Irregularity.INDICATOR_FORBIDDEN] * (turns and not may_turn(state))
        case facts.TilesExchanged():
            wrong = state.is_running and _exchanges_wrongly(state, event)
            return [Irregularity.EXCHANGE_FORBIDDEN] * wrong
        case _:
            return _unjudged(event)


# Nothing about them can be wrong at any state: people said them, or they are judged elsewhere.
_Unjudged = facts.Preparation | facts.BonusLaid | facts.Showing | facts.Decision | facts.Beside


def _unjudged(event: _Unjudged) -> list[Irregularity]:
    """Takes every event that nothing else judges: mypy refuses a new one until it is placed."""
    return []


def _exchanges_wrongly(state: TableState, event: facts.TilesExchanged) -> bool:
    """Tiles go another way than the die says, or are no three of one suit; or none may now."""
    rules = rules_in_force(state)
    begun = state.called or any(seat.discards for seat in state.seats)
    if rules.exchange is None or state.exchanged or begun:
        return True
    dice = [
        each.values for each in state.throws if each.throw is facts.Throw.EXCHANGE and each.values
    ]
    if dice and rules.exchange.passed_to(sum(dice[-1]), rules.chosen) != event.seats_on:
        return True
    return any(
        refuse_selection(rules, tiles, state.seats[seat].concealed)
        for seat, tiles in enumerate(event.given)
    )


def is_balanced(transfers: facts.Transfers) -> bool:
    """Whether what some lose is what the others gain."""
    return sum(transfers) == 0


def visible_tiles(state: TableState) -> Tiles:
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


def _turn_problems(state: TableState, seat: int) -> list[Irregularity]:
    problems = []
    if seat != (state.holder if state.holder is not None else state.turn):
        problems.append(Irregularity.OUT_OF_TURN)
    if state.holder != seat and state.wall_left <= 0:
        problems.append(Irregularity.WALL_EMPTY)
    return problems


def _claim_problems(
    state: TableState, seat: int, kind: MeldKind, tiles: Tiles
) -> list[Irregularity]:
    problems = []
    meld = Meld(kind, tiles)
    if Tile.UNKNOWN not in meld.tiles and not meld.is_well_formed:
        problems.append(Irregularity.MELD_INVALID)
    given = state.given_up
    if given is None or (given[1] is not Tile.UNKNOWN and given[1] not in tiles):
        problems.append(Irregularity.NOTHING_TO_CLAIM)
    elif seat == given[0] or (is_late(state) and seat == state.holder):
        # The own discard, or another's that who has drawn has let go.
        problems.append(Irregularity.NOTHING_TO_CLAIM)
    elif kind is MeldKind.CHOW and (given[0] + 1) % 4 != seat:
        problems.append(Irregularity.CHOW_NOT_FROM_LEFT)
    return problems


def _discard_problems(state: TableState, event: facts.Discarded) -> list[Irregularity]:
    seat, tile = event.seat, event.tile
    found = _turn_problems(state, seat)
    others = tuple(hand for hand in state.shown if hand.seat != seat)
    if tile.is_face and visible_tiles(replace(state, shown=others)).count(tile) >= COPIES:
        found.append(Irregularity.FIFTH_COPY)
    if not state.is_running:
        return found
    refusal = refuse_discard(rules_in_force(state), with_due_draw(state, seat), seat, tile)
    if refusal is not None:
        found.append(_OF_DISCARDS[refusal.id])
    if refuse_declaring(state, event) is not None:
        found.append(Irregularity.READY_FORBIDDEN)
    return found


_OF_DISCARDS = {
    "bonus_not_discarded": Irregularity.BONUS_DISCARDED,
    "ready_locked": Irregularity.READY_CHANGED,
    "last_tile_is_discarded": Irregularity.LAST_TILE_KEPT,
}


def _egg_problems(
    state: TableState, event: facts.EggLaid | facts.EggAppended
) -> list[Irregularity]:
    if not state.is_running:
        return [Irregularity.NO_HAND_RUNNING]
    on_turn = isinstance(event, facts.EggLaid) or event.seat == (
        state.turn if state.holder is None else state.holder
    )
    given = state.last_discard
    if isinstance(event, facts.EggAppended) and given is not None and given[0] != event.seat:
        on_turn = on_turn or given[1] is event.tile
    found = [Irregularity.OUT_OF_TURN] * (not on_turn)
    refusal = refuse(state, event)
    if refusal is None:
        return found
    kinds = {"no_such_egg": Irregularity.MELD_INVALID, "no_replacement": _NO_REPLACEMENT}
    return [*found, kinds.get(refusal.id, Irregularity.EGG_FORBIDDEN)]


_NO_REPLACEMENT = Irregularity.NO_REPLACEMENT


def _forbidden(state: TableState, event: facts.Melded) -> list[Irregularity]:
    """The calls that the rules forbid; the seat's tiles are asked only where they are followed."""
    if not state.is_running:
        return []
    refusal = refuse(state, event) or refuse_with_held(state, event)
    if refusal is None:
        return []
    kinds = {"no_replacement": _NO_REPLACEMENT, "kong_needs_a_draw": Irregularity.KONG_UNDRAWN}
    return [kinds.get(refusal.id, Irregularity.CALL_FORBIDDEN)]


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
