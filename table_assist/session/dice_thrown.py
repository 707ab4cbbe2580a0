"""A throw's purpose, and its consequences at this state of the table."""

from dataclasses import dataclass, replace

from table_assist.game.course import next_step
from table_assist.game.doubt import Doubt
from table_assist.game.events import (
    DealerChosen,
    DiceRolled,
    Event,
    HandStarted,
    IndicatorTurned,
    Throw,
    TilesExchanged,
    WallBuilt,
)
from table_assist.game.fold import apply, replay
from table_assist.game.in_force import rules_in_force
from table_assist.game.places import columns_left, total_thrown
from table_assist.game.question import QuestionId, QuestionKind
from table_assist.game.start import hand_started
from table_assist.game.state import Phase, TableState
from table_assist.game.step import Act
from table_assist.game.win import may_seek
from table_assist.languages.words import Words, player_at
from table_assist.rules.play_rules import must_throw_again
from table_assist.rules.profile import Profile
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.wall import first_dealer
from table_assist.tiles.tile import Tile


@dataclass(frozen=True, slots=True)
class SignalEffect:
    """A signal's additions to the record.

    Attributes:
        doubts: each is about the last of the events, if there is one. ``{2}`` in a text stands for
            the name of the player in seat 2.
        notice: why nothing follows from what a person said; None if something does.
        told: what was odd, for everybody to read, with the same stand-ins.
    """

    events: tuple[Event, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    notice: Words | None = None
    told: Words | None = None


def read_dice(
    state: TableState, side: int, values: tuple[int, ...], profile: Profile
) -> SignalEffect:
    """A throw's additions to the record.

    Args:
        side: the seat that threw, or whose key was pressed.
        profile: the rules of the next hand.
    """
    if state.is_running:
        return _in_the_hand(state, side, values)
    rules = profile.rules
    is_first = state.dealer_next is None and state.hand == state.game.since
    if rules.first_dealer is not None and is_first:
        rolled = DiceRolled(side, values, Throw.DEALER)
        return SignalEffect((rolled, DealerChosen(first_dealer(rules, side, values))))
    # The wall is opened, by one throw or two; then the tiles are dealt
    rules = profile.rules
    built = () if state.phase is Phase.WALL_READY else (WallBuilt(),)
    state = replay(built, state)
    if state.dealer_next is None:  # who opens the wall deals: nobody has said otherwise
        opener = next((d.seat for d in state.throws if d.throw is Throw.BREAK), side)
        state = replace(state, dealer_next=opener)
    rolled = DiceRolled(side, values, next_step(rules, state).throw)
    state = apply(state, rolled)
    if next_step(rules, state).act is not Act.DEAL:
        return SignalEffect((*built, rolled))
    # The hand starts with the dealer of the rules; who broke the wall may be another
    before = (*built, rolled)
    dealer = state.dealer if state.dealer_next is None else state.dealer_next
    broke = next(dice.seat for dice in reversed(state.throws) if dice.throw is Throw.BREAK)
    started = _started(state, dealer, profile)
    if broke == dealer:
        return SignalEffect((*before, started))
    text = Words(
        "{broke} rolled the dice, but by the rules {dealer} deals: does {broke} deal?",
        "{broke} 掷了骰子，但按规则应由 {dealer} 坐庄。由 {broke} 坐庄吗？",
        broke=player_at(broke),
        dealer=player_at(dealer),
    )
    other = _started(state, broke, profile)
    question = QuestionId(started.hand, QuestionKind.DEALER)
    doubt = Doubt(question, text, ("yes", "no"), if_yes=other)
    return SignalEffect((*before, started), (doubt,))


def _started(state: TableState, dealer: int, profile: Profile) -> HandStarted:
    return hand_started(profile, state, dealer, counted=counted(profile.rules, state))


def counted(rules: RuleSet, state: TableState) -> int | None:
    """The stacks counted off, where two throws open the wall; None if they are not known."""
    first, second = total_thrown(state, Throw.BREAK), total_thrown(state, Throw.SECOND_BREAK)
    if rules.wall.breach is None or first is None or second is None:
        return None
    return rules.wall.breach.count(first, second, rules.chosen)


# --- In the hand


def _in_the_hand(state: TableState, side: int, values: tuple[int, ...]) -> SignalEffect:
    rules = rules_in_force(state)
    throw = _thrown_for(rules, state, side)
    rolled, is_on = DiceRolled(side, values, throw), state.phase is Phase.PLAYING
    match throw:
        case Throw.EXCHANGE:
            assert rules.exchange is not None
            if len(rolled.values) != 1:
                shown = " ".join(map(str, rolled.values))
                text = Words(
                    "One die says where the exchanged tiles go, and {shown} was reported.",
                    "换牌方向由一颗骰子决定，而报来的是 {shown}。",
                    shown=shown,
                )
                question = QuestionId(state.hand, QuestionKind.EXCHANGE, subject=shown)
                return SignalEffect((rolled,), (Doubt(question, text),))
            seats_on = rules.exchange.passed_to(rolled.values[0], rules.chosen)
            return SignalEffect((rolled, TilesExchanged(seats_on)))
        case Throw.INDICATOR:
            # The treasure is looked at by who is ready; a tile that makes others wild is seen
            if rules.treasure is None or must_throw_again(rolled.values, columns_left(state)):
                return SignalEffect((rolled,))
            return SignalEffect((rolled, IndicatorTurned(Tile.UNKNOWN, sum(rolled.values))))
        case Throw.UNSAID if is_on and side == state.first_ready and may_seek(rules, state):
            # That people are asked, and how, is the same whatever the treasure: it is a secret, and
            # with it whether three of it lie open
            return SignalEffect((rolled,), (_another_treasure(state, rolled),))
        case _:
            return SignalEffect((rolled,))


def _thrown_for(rules: RuleSet, state: TableState, side: int) -> Throw:
    """The purpose of a throw now; the camera may be a discard behind the dice."""
    throw = next_step(rules, state).throw
    if throw is not Throw.UNSAID or rules.treasure is None or state.phase is not Phase.PLAYING:
        return throw
    if side != state.first_ready or not may_seek(rules, state) or state.treasures:
        return throw  # whether another treasure is due nobody may see who does not know the first
    return Throw.INDICATOR


def _another_treasure(state: TableState, rolled: DiceRolled) -> Doubt:
    """A question that must not tell how many treasures lie open: the treasure is a secret."""
    shown = " ".join(map(str, rolled.values))
    text = Words(
        "{seat} threw {shown}. Was it for another treasure, as three lie open?",
        "{seat} 掷出 {shown}。是因明宝满三张而另定宝牌吗？",
        seat=player_at(rolled.seat),
        shown=shown,
    )
    return Doubt(
        QuestionId(state.hand, QuestionKind.SEEK, subject=str(len(state.throws))),
        text,
        ("yes", "no"),
        if_yes=replace(rolled, throw=Throw.INDICATOR),
        blocks=True,  # with another treasure the hand is worth something else
    )
