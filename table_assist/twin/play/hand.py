"""Whole hands played by bots: every event from the dice for the dealer to the settlement.

``play_hand(rules, state, ...)`` follows `course.next_step`, lets the bots choose among what the
rules allow, and folds every event as a live table would.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random

from table_assist.game.allowed import own_choices, rush_choices
from table_assist.game.choices import Choice, egg_choices, opening_choices
from table_assist.game.course import next_step
from table_assist.game.events import (
    AntesPlaced,
    BirdTurned,
    BonusLaid,
    DealerChosen,
    DiceRolled,
    Discarded,
    Drew,
    EggAppended,
    Event,
    HandLaidDown,
    IndicatorTurned,
    KongDeclared,
    LastTilePassed,
    ReadyDeclared,
    SeatsChanged,
    Throw,
    TilesExchanged,
    WallBuilt,
)
from table_assist.game.fold import apply
from table_assist.game.holding import is_late
from table_assist.game.in_force import rules_in_force
from table_assist.game.offered import awarded, offered_choices
from table_assist.game.outcome import end_of_hand, exhausted_event, settled_event
from table_assist.game.places import columns_left, dealing, may_roll, rolled_tile, total_thrown
from table_assist.game.start import hand_started
from table_assist.game.state import SEATS, Phase, Rolled, TableState
from table_assist.game.step import Act, Step, seats_are_due
from table_assist.game.win import may_seek_again
from table_assist.rules import wall
from table_assist.rules.play_rules import Replaces, WallEnd, must_throw_again
from table_assist.rules.profile import plain_profile
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.shown import Antes, Call
from table_assist.rules.wall import exchange, first_dealer, place_antes
from table_assist.tiles.ready import shanten
from table_assist.tiles.tile import Tile
from table_assist.twin.play.deck import Deck, shuffled


@dataclass(frozen=True, slots=True)
class Habits:
    """How a player chooses.

    Attributes:
        aims: the share of discards that keep the hand as near to a win as it is.
        wins, claims, kongs, ready: how often such a choice is taken where it is allowed.
        rolls: how often dice are thrown for a kong's replacement, where that is a choice.
    """

    aims: float = 1.0
    wins: float = 0.97
    claims: float = 0.35
    kongs: float = 0.8
    ready: float = 0.6
    rolls: float = 0.0


KEEN = Habits()
WILD = Habits(aims=0.0, claims=0.6)


def choose_own(
    state: TableState, choices: Sequence[Choice], habits: Habits, random: Random
) -> Choice:
    """One of the allowed choices of the seat that holds its extra tile."""
    for choice in choices:
        if choice.call is Call.WIN and random.random() < habits.wins:
            return choice
        if isinstance(choice.events[0], BonusLaid):
            return choice
        laid = isinstance(choice.events[0], KongDeclared | EggAppended)
        if laid and random.random() < habits.kongs:
            return choice
    declaring = [each for each in choices if isinstance(each.events[0], ReadyDeclared)]
    if declaring and random.random() < habits.ready:
        return random.choice(declaring)
    discards = [each for each in choices if isinstance(each.events[0], Discarded)]
    if random.random() >= habits.aims:
        return random.choice(discards)
    # The discard after which the fewest tiles are lacking; any of several
    own = state.seats[discards[0].seat]
    held = own.concealed or ()
    far: dict[Tile, int] = {}
    for choice in discards:
        event = choice.events[0]
        assert isinstance(event, Discarded)
        left = [tile for tile in held if tile not in state.wilds]
        wilds = len(held) - len(left)
        if event.tile in left:
            left.remove(event.tile)
        else:
            wilds -= 1
        far[event.tile] = shanten(left, len(own.melds), wilds=wilds)
    best = min(far.values())
    return random.choice(
        [
            choice
            for choice in discards
            if isinstance(choice.events[0], Discarded) and far[choice.events[0].tile] == best
        ]
    )


def choose_offered(choices: Sequence[Choice], habits: Habits, random: Random) -> Choice | None:
    """One of the allowed calls for another player's tile, or none."""
    wins = [choice for choice in choices if choice.call is Call.WIN]
    if wins and random.random() < habits.wins:
        return wins[0]
    others = [choice for choice in choices if choice.call is not Call.WIN]
    if others and random.random() < habits.claims:
        return random.choice(others)
    return None


Watch = Callable[[Deck, TableState, Event, TableState], None]
_MOST_EVENTS = 2000
# How often somebody thinks of claiming a discard only when the next player has drawn.
_LATE = 0.2


@dataclass(slots=True)
class HandPlay:
    """One hand in the making.

    Attributes:
        rules: of the hand, its options in force.
        state: what the events so far fold to.
        watch: told of each event with the states before and after it.
    """

    rules: RuleSet
    state: TableState
    random: Random
    habits: tuple[Habits, Habits, Habits, Habits]
    watch: Watch
    deck: Deck = field(default_factory=lambda: Deck(()))
    events: list[Event] = field(default_factory=list)

    def happen(self, *events: Event) -> None:
        """Fold events in."""
        for event in events:
            before = self.state
            self.state = apply(before, event)
            self.events.append(event)
            self.watch(self.deck, before, event, self.state)

    def draw(self, seat: int) -> None:
        """The seat takes the next tile."""
        self.happen(Drew(seat, self.deck.draw()))

    def tempt(self, seat: int, *, calls: bool = False) -> bool:
        """Before a seat plays, or the others call for its tile; whether somebody took that."""
        return False

    def roll(self, seat: int, dice: int, throw: Throw) -> tuple[int, ...]:
        """Throw dice for something."""
        values = tuple(self.random.randint(1, 6) for _ in range(dice))
        self.happen(DiceRolled(seat, values, throw))
        return values

    def replacement(self, seat: int, what: Replaces) -> Tile:
        """Take the tile that replaces another of the seat's."""
        rolled = self._roll_for(seat) if what is Replaces.KONG else None
        if rolled is not None:
            return self.deck.take(rolled.tile)
        front = self.rules.wall.replaced_from(what, self.rules.chosen) is WallEnd.FRONT
        return self.deck.draw() if front else self.deck.draw_tail()

    def _roll_for(self, seat: int) -> Rolled | None:
        """The seat throws dice for the place of its replacement, where it may and likes to."""
        rolls = self.habits[seat].rolls
        if not rolls or not may_roll(self.state) or self.random.random() >= rolls:
            return None
        self.roll(seat, 2, Throw.REPLACEMENT)
        return rolled_tile(self.state, seat) if self.state.owed else self.state.wall.rolled[-1]


def play_hand(
    rules: RuleSet,
    state: TableState,
    random: Random,
    *,
    habits: tuple[Habits, Habits, Habits, Habits] = (KEEN,) * 4,
    watch: Watch = lambda deck, before, event, after: None,
    players: Callable[..., HandPlay] = HandPlay,
) -> tuple[list[Event], TableState]:
    """Play one hand to its settlement.

    Args:
        state: before the first hand, or after one that is settled.
        players: those of the tests do what is against the rules, too.

    Raises:
        RuntimeError: the hand does not end.
    """
    play = players(rules, state, random, habits, watch)
    while len(play.events) < _MOST_EVENTS:
        step = next_step(play.rules, play.state)
        if step.act is Act.GAME_OVER:
            return play.events, play.state
        _take(play, step)
        if play.state.phase is Phase.SETTLED and play.state.hand > state.hand:
            return play.events, play.state
    raise RuntimeError(f"a hand of {rules.id} has not ended after {_MOST_EVENTS} events")


# --- Before the first discard


def _place_antes(play: HandPlay, step: Step) -> None:
    rules, state, dealer = play.rules, play.state, dealing(play.state)
    assert rules.antes is not None
    left = {seat: rules.antes.tokens - state.spent_now[seat] for seat in SEATS}
    a, b, c, d = (
        0 if seat == dealer else play.random.choice((0, 0, *range(left[seat] + 1)))
        for seat in SEATS
    )
    antes = Antes(play.random.random() < 0.3, (a, b, c, d))
    placed = place_antes(rules, antes, dealer=dealer, tokens=left)
    assert not placed.refusals
    play.happen(AntesPlaced(antes.double_down, antes.challenges))


def _deal(play: HandPlay, step: Step) -> None:
    rules, state, dealer = play.rules, play.state, dealing(play.state)
    built = 2 * sum(wall.stacks_of(rules, dealer))
    tiles = shuffled(rules, play.random)
    play.deck = Deck(tiles[:built], aside=tiles[built:])
    hands: list[list[Tile]] = [[], [], [], []]
    for seat in wall.dealt_in_order(rules, dealer):
        hands[seat].append(play.deck.draw())
    first, second = total_thrown(state, Throw.BREAK), total_thrown(state, Throw.SECOND_BREAK)
    counted = None  # stacks, where two throws open the wall
    if rules.wall.breach is not None and first is not None and second is not None:
        counted = rules.wall.breach.count(first, second, rules.chosen)
    dealt = tuple(map(tuple, hands))
    play.happen(hand_started(plain_profile(rules), state, dealer, counted=counted, hands=dealt))


def _name_replacements(play: HandPlay, what: Replaces) -> None:
    for seat in play.state.unnamed:
        play.happen(Drew(seat, play.replacement(seat, what)))


def _exchange(play: HandPlay, step: Step) -> None:
    assert play.rules.exchange is not None
    count, passed = play.rules.exchange.count, {}
    for seat in SEATS:
        dealt = play.rules.starting_tiles(seat == play.state.dealer, play.rules.chosen)
        held = (play.state.seats[seat].concealed or ())[:dealt]
        suits = [[tile for tile in held if tile.suit == suit] for suit in "mps"]
        suit = play.random.choice([tiles for tiles in suits if len(tiles) >= count])
        passed[seat] = tuple(play.random.sample(suit, count))
    die = play.roll(step.seats[0], 1, Throw.EXCHANGE)[0]
    exchanged = exchange(play.rules, die, passed)
    given = tuple(passed[seat] for seat in SEATS)
    play.happen(TilesExchanged(exchanged.seats_on, given))


def _turn_indicator(play: HandPlay, step: Step) -> None:
    if step.throw is Throw.INDICATOR:
        play.roll(step.seats[0], 2, Throw.INDICATOR)
        return
    column = sum(play.state.seeking)
    if play.rules.wilds is None:
        play.happen(IndicatorTurned(play.deck.lay_aside(column), column))
        return
    play.happen(IndicatorTurned(play.deck.look(column), column))
    play.deck.keep(column)


def _seek_treasure_again(play: HandPlay) -> None:
    """With the treasure nearly gone the first ready player may roll for another (CC-32)."""
    ready = play.state.first_ready
    if ready is None or not may_seek_again(play.rules, play.state) or play.random.random() < 0.5:
        return
    dice = play.roll(ready, 2, Throw.INDICATOR)
    while must_throw_again(dice, columns_left(play.state)):
        dice = play.roll(ready, 2, Throw.INDICATOR)
    play.happen(IndicatorTurned(play.deck.lay_aside(sum(dice)), sum(dice)))


# --- In play


def _hold(play: HandPlay, step: Step) -> None:
    """Before the first discard dealt hands are shown and eggs laid; then the holder plays."""
    if not any(seat.discards for seat in play.state.seats) and not play.state.called:
        _before_first_discard(play)
    seat = step.seats[0]
    play.tempt(seat)
    choices = [choice for choice in own_choices(play.state) if choice.allowed]
    choice = choose_own(play.state, choices, play.habits[seat], play.random)
    play.happen(*choice.events)
    # The others call for the tile; if nobody does, what was put down is replaced
    if play.state.phase is not Phase.PLAYING:
        return
    if play.state.given_up is not None and _called(play, choice.seat):
        return
    what = Replaces.BONUS if isinstance(choice.events[0], BonusLaid) else Replaces.KONG
    _name_replacements(play, what)


def _before_first_discard(play: HandPlay) -> None:
    for turn in SEATS:
        seat = (play.state.dealer + turn) % len(SEATS)
        for choice in opening_choices(play.state, seat):
            if play.random.random() < 0.8:
                play.happen(*choice.events)
        eggs = egg_choices(play.state, seat)
        while eggs and play.random.random() < 0.8:
            play.happen(*play.random.choice(eggs).events)
            _name_replacements(play, Replaces.EGG)
            eggs = egg_choices(play.state, seat)


def _called(play: HandPlay, giver: int) -> bool:
    if play.tempt(giver, calls=True):
        return True
    chosen = []
    for seat in SEATS:
        if seat != giver:
            allowed = [each for each in offered_choices(play.state, seat) if each.allowed]
            picked = choose_offered(allowed, play.habits[seat], play.random)
            if picked is not None:
                chosen.append(picked)
    taken = awarded(play.state, chosen)
    if taken and is_late(play.state):
        play.deck.put_back()
    for choice in taken:
        play.happen(*choice.events)
    _name_replacements(play, Replaces.KONG)
    return bool(taken)


def _draw(play: HandPlay, step: Step) -> None:
    _seek_treasure_again(play)
    for choice in rush_choices(play.state):  # a ready player with the treasure wins
        if choice.allowed and play.random.random() < play.habits[choice.seat].wins:
            play.happen(*choice.events)
            return
    play.draw(step.seats[0])
    late = play.state.last_discard
    if late is not None and play.random.random() < _LATE:
        _called(play, late[0])


# --- The end


def _settle(play: HandPlay, step: Step) -> None:
    if rules_in_force(play.state).settle_values is not None:
        for seat in SEATS:
            held = play.state.seats[seat].concealed
            if seat not in play.state.declared and held is not None:
                play.happen(HandLaidDown(seat, held))
    play.happen(settled_event(end_of_hand(play.state)))


def _take(play: HandPlay, step: Step) -> None:
    """Do what is due."""
    seat = step.seats[0] if step.seats else 0
    match step.act:
        case Act.ROLL_FOR_DEALER:
            roller = play.random.randrange(4)
            dice = play.roll(roller, 2, Throw.DEALER)
            play.happen(DealerChosen(first_dealer(play.rules, roller, dice)))
        case Act.CHOOSE_DEALER:
            play.happen(DealerChosen(play.random.choice(step.seats)))
        case Act.BUILD_WALL:
            if seats_are_due(play.rules, play.state):
                # A new round: everybody draws a place, and one of them East (CL-05)
                a, b, c, d = play.random.sample(SEATS, len(SEATS))
                play.happen(SeatsChanged((a, b, c, d), east=play.random.randrange(len(SEATS))))
            play.happen(WallBuilt())
        case Act.ROLL_TO_BREAK | Act.ROLL_AGAIN_TO_BREAK:
            play.roll(seat, 2, step.throw)
        case Act.LAY_BONUS:
            held = play.state.seats[seat].concealed or ()
            tiles = tuple(tile for tile in held if tile in play.rules.bonus_tiles)
            play.happen(BonusLaid(seat, tiles))
            _name_replacements(play, Replaces.BONUS)
        case Act.TAKE_LAST_TILE if play.random.random() < 0.5:
            play.happen(LastTilePassed(seat))
        case Act.REPLACE:
            assert play.state.owed is not None
            play.happen(Drew(seat, play.replacement(seat, play.state.owed)))
        case Act.TURN_BIRDS:
            tail = play.rules.chosen.get("bird_source") == "wall_tail"
            play.happen(BirdTurned(play.deck.draw_tail() if tail else play.deck.draw()))
        case Act.NOBODY_WINS:
            play.happen(exhausted_event(end_of_hand(play.state)))
        case longer:
            _LONGER[longer](play, step)


_LONGER: dict[Act, Callable[[HandPlay, Step], None]] = {
    Act.PLACE_ANTES: _place_antes,
    Act.DEAL: _deal,
    Act.EXCHANGE: _exchange,
    Act.TURN_INDICATOR: _turn_indicator,
    Act.DRAW: _draw,
    Act.TAKE_LAST_TILE: _draw,
    Act.PLAY: _hold,
    Act.SETTLE: _settle,
}
