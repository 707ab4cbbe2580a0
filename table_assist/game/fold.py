"""The fold: what an event makes of the state of the table.

`apply` never refuses: what happened is a fact even when the rules forbid it. What the rules say
about it is asked of `irregular.irregularities`, before the event is applied.
"""

from collections.abc import Iterable
from typing import assert_never

from table_assist.game import events as facts
from table_assist.game import fold_play, fold_win, holding
from table_assist.game.allowed import refuse
from table_assist.game.in_force import rules_in_force
from table_assist.game.people import FIRST_SEATS, by_person, is_seating, seated
from table_assist.game.places import laid_aside, taken_by_roll
from table_assist.game.state import (
    NO_ANTES,
    NO_TRANSFERS,
    SEATS,
    Game,
    Phase,
    SeatState,
    TableState,
    Wall,
    replace,
)
from table_assist.game.win import may_turn, names_the_last
from table_assist.rules.play_rules import Replaces
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.settlement import Laid, LaidKind
from table_assist.rules.shown import Antes
from table_assist.rules.verdict import Transfers
from table_assist.rules.wall import make_wild, stacks_of
from table_assist.tiles.melds import Meld, MeldKind
from table_assist.tiles.tile import Tile

# The fold, before the first discard: wall, stakes, deal, flowers, exchange, turned tiles, eggs.


def begin_game(state: TableState, event: facts.GameBegun) -> TableState:
    """Everybody has the same again; after hands of another game nothing of that goes on."""
    points = event.points
    if state.hand > state.game.since:
        state = replace(
            state,
            dealer_next=None,
            prevailing_next=Tile.EAST,
            antes_next=NO_ANTES,
            antes_placed=False,
            dealt=frozenset(),
            spent=NO_TRANSFERS,
        )
    return replace(
        state,
        scores=(points, points, points, points),
        last_transfers=NO_TRANSFERS,
        game_over=False,
        game=Game(points, event.floor, event.length, since=state.hand),
    )


def choose_dealer(state: TableState, seat: int) -> TableState:
    """Set the next dealer; a round that begins is counted from its first dealer."""
    begins = state.prevailing_next is not state.prevailing and not state.is_running
    first = seat if begins else state.first_east_next
    return replace(state, dealer_next=seat, first_east_next=first)


def change_seats(state: TableState, event: facts.SeatsChanged) -> TableState:
    """Everybody takes what is theirs along; what lay on the table before is over."""
    came_from = event.came_from
    if state.is_running or not is_seating(came_from):
        return state
    goes_to = by_person(FIRST_SEATS, came_from)
    dealer_next = None if state.dealer_next is None else goes_to[state.dealer_next]
    moved = replace(
        state,
        phase=Phase.WAITING if state.phase is Phase.SETTLED else state.phase,
        seats=(SeatState(),) * 4,
        declared=(),
        shown=(),
        laid_down=(),
        birds=(),
        settled=None,
        dealer=goes_to[state.dealer],
        first_east=goes_to[state.first_east],
        first_east_next=goes_to[state.first_east_next],
        dealer_next=dealer_next,
        scores=seated(state.scores, came_from),
        last_transfers=seated(state.last_transfers, came_from),
        antes_next=replace(
            state.antes_next, challenges=seated(state.antes_next.challenges, came_from)
        ),
        dealt=frozenset(goes_to[seat] for seat in state.dealt),
        spent=seated(state.spent, came_from),
        people=seated(state.people, came_from),
        reseated=True,
    )
    return moved if event.east is None else choose_dealer(moved, event.east)


def start(state: TableState, event: facts.HandStarted) -> TableState:
    """A hand begins; only scores, stakes, throws, streaks and lasting questions go on."""
    same = state.hand > state.game.since and state.dealer == event.dealer
    dealt = frozenset() if len(state.dealt) == len(SEATS) else state.dealt
    stakes = state.antes_next.challenges
    a, b, c, d = stakes if not dealt else map(sum, zip(state.spent, stakes, strict=True))
    scores, game = _begun_from(state, event)
    dealt_out = sum(len(hand) for hand in event.hands) or 13 * len(SEATS) + 1
    return TableState(
        rules=event.rules,
        profile=event.profile,
        hash=event.hash,
        options=event.options,
        hand=event.hand,
        phase=Phase.PLAYING,
        dealer=event.dealer,
        prevailing=event.prevailing,
        first_east=event.first_east,
        antes=state.antes_next,
        turn=event.dealer,
        holder=event.dealer,
        wall=Wall(event.wall_left, event.dead, from_front=dealt_out),
        last_drawer=event.dealer,
        throws=state.throws,
        seats=_dealt(event),
        scores=scores,
        last_transfers=state.last_transfers,
        streak=state.streak + 1 if same else 1,
        dealt=dealt | {event.dealer},
        spent=(a, b, c, d),
        east_wins=state.east_wins if same else 0,
        game=game,
        people=state.people,
        names=state.names,
        questions=tuple(question for question in state.questions if question.lasts),
    )


def _begun_from(state: TableState, event: facts.HandStarted) -> tuple[Transfers, Game]:
    """Scores and game; a first hand that no game was begun for has the points that were agreed."""
    untold = not state.hand and state.game == Game() and state.scores == NO_TRANSFERS
    each = int(dict(event.options).get("starting_points", 0))
    if not untold or not each:
        return state.scores, state.game
    return (each, each, each, each), replace(state.game, points=each)


def _dealt(event: facts.HandStarted) -> tuple[SeatState, SeatState, SeatState, SeatState]:
    if len(event.hands) != len(SEATS):
        return (SeatState(),) * 4
    a, b, c, d = (SeatState(concealed=hand) for hand in event.hands)
    return a, b, c, d


def lay_bonus(state: TableState, event: facts.BonusLaid) -> TableState:
    """Each laid tile is replaced; a seat that holds no extra tile holds none afterwards."""
    state = _with_drawn(state, event.seat)
    holder, turn, last_drawer = state.holder, state.turn, state.last_drawer
    state = holding.take(state, event.seat, event.tiles)
    own = state.seats[event.seat]
    state = holding.with_seat(state, event.seat, replace(own, bonus=(*own.bonus, *event.tiles)))
    state = replace(state, last_discard=None, kong_discarder=None)
    for _ in event.tiles:
        state = holding.replaced(state, event.seat, Replaces.BONUS)
    if holder == event.seat:
        return state
    return replace(state, holder=holder, turn=turn, last_drawer=last_drawer)


def _with_drawn(state: TableState, seat: int) -> TableState:
    """With the draw that has not been told: who is on turn lays out what it has drawn."""
    if state.holder == seat:
        return holding.settled_debts(state)
    due = state.holder is None and state.turn == seat and state.wall.left > 0
    return holding.drawn(state, seat) if due else state


def exchange(state: TableState, event: facts.TilesExchanged) -> TableState:
    """Every seat passes tiles on; hands of which that is not known are not followed any more."""
    state = replace(state, exchanged=True)
    if not event.given:
        return replace(state, seats=tuple(replace(seat, concealed=None) for seat in state.seats))
    for seat, tiles in enumerate(event.given):
        state = holding.take(state, seat, tiles)
    for seat, tiles in enumerate(event.given):
        state = holding.give(state, (seat + event.seats_on) % len(SEATS), tiles)
    return state


def seek(state: TableState, values: tuple[int, ...]) -> TableState:
    """A column is thrown for; where another treasure is sought, the last one is over with it."""
    wrongly = state.turned_wrongly or _turns_wrongly(state)
    return replace(state, seeking=values, treasures=(), turned_wrongly=wrongly)


def _turns_wrongly(state: TableState) -> bool:
    """No treasure may be looked for now: nobody is ready, or too few of the last one lie open.

    Of a hand that people tell nobody knows who was ready when.
    """
    running = bool(state.rules) and state.is_running and not state.told
    return running and rules_in_force(state).treasure is not None and not may_turn(state)


def turn_indicator(state: TableState, event: facts.IndicatorTurned) -> TableState:
    """A tile is looked at: it makes tiles wild and stays there, or names the treasure.

    The treasure's lies beside the wall from then on; where nobody has said the column, nobody knows
    whether it was one of the dead tiles (CC-29).
    """
    rules = rules_in_force(state)
    if names_the_last(state, event):
        state = replace(state, indicators=(*state.indicators[:-1], event))
    else:
        wrongly = state.turned_wrongly or _turns_wrongly(state)
        state = replace(_turned(rules, state, event), turned_wrongly=wrongly)
    if event.tile not in rules.kinds:
        # Another treasure is in force from now on, and nobody has said which of the tiles.
        return replace(state, treasures=()) if rules.treasure is not None else state
    if rules.wilds is not None:
        return replace(state, wilds=make_wild(rules, event.tile).kinds)
    if rules.treasure is not None:
        return replace(state, treasures=rules.treasure.named_by(event.tile, rules.chosen))
    return state


def _turned(rules: RuleSet, state: TableState, event: facts.IndicatorTurned) -> TableState:
    wall, column = state.wall, event.column or sum(state.seeking)
    first = not state.indicators
    state = replace(state, indicators=(*state.indicators, event), seeking=())
    if rules.wilds is not None and event.column and first:
        behind = 2 * event.column
        return replace(state, wall=replace(wall, left=wall.left - behind, dead=behind))
    if rules.treasure is not None and column:
        built = 2 * sum(stacks_of(rules, state.dealer))
        return replace(state, wall=laid_aside(wall, built, column))
    return state


def open_hand(state: TableState, event: facts.StartingHandShown) -> TableState:
    """A dealt hand is shown for what it scores; shown too late it scores nothing (CS-29)."""
    late = () if holding.may_still_open(state, event.seat) else (event.seat,)
    return replace(
        state,
        openings=(*state.openings, event),
        late_openings=(*state.late_openings, *late),
    )


def lay_egg(state: TableState, event: facts.EggLaid) -> TableState:
    """An egg lies; one of four tiles is made up for, as a kong is."""
    rules, forbidden = rules_in_force(state), refuse(state, event)
    is_replaced = rules.eggs is not None and len(event.tiles) >= rules.eggs.needs_replacement
    if is_replaced:
        state = _with_drawn(state, event.seat)
    holder, turn, last_drawer = state.holder, state.turn, state.last_drawer
    state = holding.take(state, event.seat, event.tiles)
    own = state.seats[event.seat]
    melds = (*own.melds, Meld(MeldKind.LUCKY_EGG, event.tiles))
    state = holding.with_seat(state, event.seat, replace(own, melds=melds))
    egg = Laid(LaidKind.LUCKY_EGG, event.seat, tiles=event.tiles, forbidden=forbidden)
    state = replace(state, laid=(*state.laid, egg))
    if not is_replaced:
        return state
    state = holding.replaced(state, event.seat, Replaces.EGG)
    if holder == event.seat:
        return state
    return replace(state, holder=holder, turn=turn, last_drawer=last_drawer)


def replay(events: Iterable[facts.Event], state: TableState | None = None) -> TableState:
    """Fold events, from an empty table unless a state is given."""
    state = state or TableState()
    for event in events:
        state = apply(state, event)
    return state


def apply(state: TableState, event: facts.Event) -> TableState:  # noqa: C901 - one arm per event
    """The state after the event; before any hand was begun no play changes it."""
    if not state.rules and isinstance(event, facts.OfAHand):
        return state
    match event:
        case facts.WallBuilt():  # what was thrown for the last hand is of no account any more
            return replace(state, phase=Phase.WALL_READY, throws=(), seeking=())
        case facts.BoardSaid() | facts.Ruled():
            return state
        case facts.DiceRolled():
            thrown = replace(state, throws=(*state.throws, event))
            if event.throw is facts.Throw.INDICATOR:
                return seek(thrown, event.values)
            return taken_by_roll(thrown) if event.throw is facts.Throw.REPLACEMENT else thrown
        case facts.GameBegun():
            return begin_game(state, event)
        case facts.DealerChosen(seat):
            return choose_dealer(state, seat)
        case facts.SeatsChanged():
            return change_seats(state, event)
        case facts.AntesPlaced():
            antes = Antes(event.double_down, event.challenges)
            return replace(state, antes_next=antes, antes_placed=True)
        case facts.HandStarted():
            return start(state, event)
        case facts.BonusLaid():
            return lay_bonus(state, event)
        case facts.TilesExchanged():
            return exchange(state, event)
        case facts.IndicatorTurned():
            return turn_indicator(state, event)
        case facts.StartingHandShown():
            return open_hand(state, event)
        case facts.EggLaid():
            return lay_egg(state, event)
        case facts.EggAppended():
            return fold_play.append_to_egg(state, event)
        case facts.Drew():
            return fold_play.draw(state, event)
        case facts.LastTilePassed(seat):
            passed, turn = (*state.passed_on, seat), holding.next_turn(state, seat)
            dead = replace(state, last_discard=None, kong_discarder=None, robbable=None)
            return replace(dead, passed_on=passed, turn=turn)
        case facts.Discarded():
            return fold_play.discard(state, event)
        case facts.Claimed():
            return fold_play.claim(state, event)
        case facts.KongDeclared():
            return fold_play.kong(state, event)
        case facts.ReadyDeclared(seat):
            return fold_play.declare_ready(state, seat)
        case facts.WinDeclared(seat):
            return fold_win.declare(state, seat)
        case facts.HandShown():
            return fold_win.show(state, event)
        case facts.WinRefused():
            return fold_win.refuse(state, event)
        case facts.HandLaidDown():
            return fold_win.lay_down(state, event)
        case facts.HandTold():
            return fold_win.tell(state, event)
        case facts.IrregularityNoted():
            return fold_win.note(state, event)
        case facts.Penalised():
            return fold_win.penalise(state, event)
        case facts.BirdTurned(tile):
            return replace(state, birds=(*state.birds, tile))
        case facts.Settled():
            return fold_win.settle(state, event)
        case facts.WallExhausted():
            return fold_win.settle(
                state,
                facts.Settled(
                    (),
                    event.transfers,
                    event.dealer_next,
                    event.steps,
                    event.prevailing,
                    event.game_over,
                ),
            )
        case facts.HandAbandoned():
            return fold_win.settle(state, facts.Settled((), NO_TRANSFERS, None), is_played=False)
        case facts.Asked(question):
            kept = tuple(q for q in state.questions if q.question != question)
            return replace(state, questions=(*kept, event))
        case facts.Agreed():
            return replace(state, agreed=(*state.agreed, event))
        case facts.ClockSet():
            return state  # time is in the entries
        case facts.PlayerNamed(seat, name):
            names = list(state.names)
            names[state.people[seat]] = name  # wherever that player sits
            return replace(state, names=(names[0], names[1], names[2], names[3]))
        case facts.Answered(question):
            kept = tuple(q for q in state.questions if q.question != question)
            return replace(state, questions=kept)
        case _:
            assert_never(event)
