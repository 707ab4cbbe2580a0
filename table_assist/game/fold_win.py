"""The fold, at the end of a hand: declared wins, shown hands, refusals, points."""

from dataclasses import replace

from table_assist.game.events import (
    HandLaidDown,
    HandShown,
    HandTold,
    IrregularityNoted,
    Penalised,
    Settled,
    Transfers,
    WinRefused,
)
from table_assist.game.holding import give, is_late, next_turn, undrawn, with_seat, without
from table_assist.game.in_force import rules_in_force
from table_assist.game.state import SEATS, Phase, TableState
from table_assist.rules.play_rules import Consequences
from table_assist.tiles.tile import Tile


def declare(state: TableState, seat: int) -> TableState:
    """A win is declared, and nothing is judged yet."""
    declared = (*(other for other in state.declared if other != seat), seat)
    return replace(state, phase=Phase.SHOWING, declared=declared)


def show(state: TableState, event: HandShown) -> TableState:
    """A hand lies open; shown again, it takes the place of what was read before."""
    if is_late(state) and state.holder != event.seat:
        state = undrawn(state)
    shown = (*(hand for hand in state.shown if hand.seat != event.seat), event)
    return replace(state, shown=shown)


def lay_down(state: TableState, event: HandLaidDown) -> TableState:
    """A hand that has not won lies open."""
    kept = tuple(hand for hand in state.laid_down if hand.seat != event.seat)
    return replace(state, laid_down=(*kept, event))


def refuse(state: TableState, event: WinRefused) -> TableState:
    """The hand does not win; play goes on unless others have declared, too."""
    declared = tuple(seat for seat in state.declared if seat != event.seat)
    told = tuple(_as_lost(hand) if hand.seat == event.seat else hand for hand in state.told)
    state = replace(state, told=told) if told != state.told else state
    state = state if declared else without_birds(state)
    return replace(
        state,
        declared=declared,
        shown=tuple(hand for hand in state.shown if hand.seat != event.seat),
        refused=(*state.refused, event),
        phase=Phase.SHOWING if declared else Phase.PLAYING,
    )


def _as_lost(hand: HandTold) -> HandTold:
    """The rest of a told win that was refused: its melds are paid for all the same."""
    return replace(
        hand,
        concealed=(),
        winning_tile=None,
        discarder=None,
        circumstances=(),
        wall_left=None,
        discard_round=None,
        undoes=(),
    )


def without_birds(state: TableState) -> TableState:
    """Birds belong to the win that they were turned for."""
    if not state.birds:
        return state
    return replace(state, birds=(), old_birds=(*state.old_birds, *state.birds))


def note(state: TableState, event: IrregularityNoted) -> TableState:
    """Something against the rules of play is on record; the hand may be dead by it."""
    state = replace(state, noted=(*state.noted, event))
    follows = _consequences(state, event)
    if follows.get("second_claimable") is False:
        state = _second_taken_back(state, event.seat)
    if follows.get("turn_lost") is True:
        state = replace(state, turns_lost=(*state.turns_lost, event.seat))
    was_to_draw = state.holder is None and state.turn == event.seat
    if was_to_draw and (follows.get("turn_forfeited") or follows.get("turn_lost")):
        state = replace(state, turn=next_turn(state, event.seat))
    if event.dead is None:
        return state
    return with_seat(state, event.seat, replace(state.seats[event.seat], dead=event.dead))


def _consequences(state: TableState, event: IrregularityNoted) -> Consequences:
    """The rule set's consequences; nothing where it does not know the irregularity."""
    if not state.rules:
        return {}
    rules = rules_in_force(state)
    known = () if rules.irregularities is None else rules.irregularities(rules.chosen)
    said = (each.consequences for each in known if each.id == event.irregularity)
    return next(said, {})


def _second_taken_back(state: TableState, seat: int) -> TableState:
    """Of two tiles discarded at once the first is the discard (Classical > Irregularities 5)."""
    first, last = state.first_of_two, state.last_discard
    if first is None or last is None or last[0] != seat:
        return state
    own = state.seats[seat]
    # It was counted as drawn and discarded; it was neither.
    seats = [replace(other, seen=other.seen[:-1]) for other in state.seats]
    seats[seat] = replace(
        own,
        concealed=without(give(state, seat, (last[1],)).seats[seat].concealed, (Tile.UNKNOWN,)),
        river=own.river[:-1],
        discards=own.discards - 1,
        thrown=(first,),
    )
    wall = replace(state.wall, left=state.wall.left + 1, from_front=state.wall.from_front - 1)
    return replace(
        state,
        seats=(seats[0], seats[1], seats[2], seats[3]),
        wall=wall,
        last_discard=(seat, first),
        first_of_two=None,
    )


def penalise(state: TableState, event: Penalised) -> TableState:
    """Points move beside any hand; between two hands that may end the game."""
    scores = _moved(state.scores, event.transfers)
    over = state.phase is Phase.SETTLED and state.game.is_over(scores)
    return replace(state, scores=scores, game_over=state.game_over or over)


def settle(state: TableState, event: Settled, *, is_played: bool = True) -> TableState:
    """The hand is over and points move.

    Args:
        is_played: it was won or drawn, and counts among those that the game may last.
    """
    if state.phase is Phase.SETTLED:
        return state  # a hand is settled once, whatever was answered later
    scores = _moved(state.scores, event.transfers)
    game = replace(state.game, played=state.game.played + is_played)
    first_east = state.first_east
    if event.prevailing not in (None, state.prevailing) and event.dealer_next is not None:
        first_east = event.dealer_next
    return replace(
        state,
        phase=Phase.SETTLED,
        declared=(),
        agreed=(),
        settled=event,
        scores=scores,
        last_transfers=event.transfers,
        dealer_next=event.dealer_next,
        prevailing_next=event.prevailing or state.prevailing,
        first_east_next=first_east,
        game_over=event.game_over or game.is_over(scores),
        game=game,
        east_wins=_east_wins(state, event),
    )


def _east_wins(state: TableState, event: Settled) -> int:
    """A draw does not break the dealer's run."""
    if not event.winners:
        return state.east_wins
    return state.east_wins + 1 if state.dealer in event.winners else 0


def _moved(scores: Transfers, transfers: Transfers) -> Transfers:
    a, b, c, d = (scores[seat] + transfers[seat] for seat in SEATS)
    return a, b, c, d
