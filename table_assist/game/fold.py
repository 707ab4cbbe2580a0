"""The fold: what an event makes of the state of the table.

`apply` never refuses: what happened is a fact even when the rules forbid it. What the rules say
about it is asked of `irregular.irregularities`, before the event is applied.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import assert_never

from table_assist.game import fold_hand, fold_play, fold_told, fold_win
from table_assist.game.events import (
    Agreed,
    Answered,
    AntesPlaced,
    Asked,
    BirdTurned,
    BoardSaid,
    BonusLaid,
    Claimed,
    ClockSet,
    DealerChosen,
    DiceRolled,
    Discarded,
    Drew,
    EggAppended,
    EggLaid,
    Event,
    GameBegun,
    HandAbandoned,
    HandLaidDown,
    HandShown,
    HandStarted,
    HandTold,
    IndicatorTurned,
    IrregularityNoted,
    KongDeclared,
    LastTilePassed,
    OfAHand,
    Penalised,
    PlayerNamed,
    ReadyDeclared,
    Ruled,
    SeatsChanged,
    Settled,
    StartingHandShown,
    Throw,
    TilesExchanged,
    WallBuilt,
    WallExhausted,
    WinDeclared,
    WinRefused,
)
from table_assist.game.rolled import taken_by_roll
from table_assist.game.state import NO_TRANSFERS, TableState


def replay(events: Iterable[Event], state: TableState | None = None) -> TableState:
    """Fold events, from an empty table unless a state is given."""
    state = state or TableState()
    for event in events:
        state = apply(state, event)
    return state


def apply(state: TableState, event: Event) -> TableState:
    """The state after the event; before any hand was begun no play changes it."""
    if not state.rules and isinstance(event, OfAHand):
        return state
    return _applied(state, event)


def _applied(state: TableState, event: Event) -> TableState:  # noqa: C901 - one arm per event
    match event:
        case WallBuilt():
            return fold_hand.build_wall(state)
        case BoardSaid() | Ruled():
            return state
        case DiceRolled():
            thrown = replace(state, throws=(*state.throws, event))
            if event.throw is Throw.INDICATOR:
                return fold_hand.seek(thrown, event.values)
            return taken_by_roll(thrown) if event.throw is Throw.REPLACEMENT else thrown
        case GameBegun():
            return fold_hand.begin_game(state, event)
        case DealerChosen(seat):
            return fold_hand.choose_dealer(state, seat)
        case SeatsChanged():
            return fold_hand.change_seats(state, event)
        case AntesPlaced():
            return fold_hand.place_antes(state, event)
        case HandStarted():
            return fold_hand.start(state, event)
        case BonusLaid():
            return fold_hand.lay_bonus(state, event)
        case TilesExchanged():
            return fold_hand.exchange(state, event)
        case IndicatorTurned():
            return fold_hand.turn_indicator(state, event)
        case StartingHandShown():
            return fold_hand.open_hand(state, event)
        case EggLaid():
            return fold_hand.lay_egg(state, event)
        case EggAppended():
            return fold_play.append_to_egg(state, event)
        case Drew():
            return fold_play.draw(state, event)
        case LastTilePassed(seat):
            return fold_play.pass_last_tile(state, seat)
        case Discarded():
            return fold_play.discard(state, event)
        case Claimed():
            return fold_play.claim(state, event)
        case KongDeclared():
            return fold_play.kong(state, event)
        case ReadyDeclared(seat):
            return fold_play.declare_ready(state, seat)
        case WinDeclared(seat):
            return fold_win.declare(state, seat)
        case HandShown():
            return fold_win.show(state, event)
        case WinRefused():
            return fold_win.refuse(state, event)
        case HandLaidDown():
            return fold_win.lay_down(state, event)
        case HandTold():
            return fold_told.tell(state, event)
        case IrregularityNoted():
            return fold_win.note(state, event)
        case Penalised():
            return fold_win.penalise(state, event)
        case BirdTurned(tile):
            return replace(state, birds=(*state.birds, tile))
        case Settled():
            return fold_win.settle(state, event)
        case WallExhausted():
            return fold_win.settle(
                state,
                Settled(
                    (),
                    event.transfers,
                    event.dealer_next,
                    event.steps,
                    event.prevailing,
                    event.game_over,
                ),
            )
        case HandAbandoned():
            return fold_win.settle(state, Settled((), NO_TRANSFERS, None), is_played=False)
        case Asked(question):
            kept = tuple(q for q in state.questions if q.question != question)
            return replace(state, questions=(*kept, event))
        case Agreed():
            return replace(state, agreed=(*state.agreed, event))
        case ClockSet():
            return state  # time is in the entries
        case PlayerNamed(seat, name):
            return fold_hand.name_player(state, seat, name)
        case Answered(question):
            kept = tuple(q for q in state.questions if q.question != question)
            return replace(state, questions=kept)
        case _:
            assert_never(event)
