"""A whole hand that bots have played, staged on the table step by step."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from firmware_bridge.events import DiceReport as BoardDice
from firmware_bridge.events import Dome, EventContent, Key, KeyPressed, WallReady
from table_assist.game.events import (
    AntesPlaced,
    BirdTurned,
    BonusLaid,
    Claimed,
    DealerChosen,
    DiceRolled,
    Discarded,
    Drew,
    EggAppended,
    EggLaid,
    Event,
    HandLaidDown,
    HandShown,
    HandStarted,
    IndicatorTurned,
    KongDeclared,
    LastTilePassed,
    Penalised,
    ReadyDeclared,
    SeatsChanged,
    Settled,
    StartingHandShown,
    Throw,
    TilesExchanged,
    WallBuilt,
    WallExhausted,
    WinDeclared,
)
from table_assist.game.fold import apply
from table_assist.game.fold_play import takes_discard
from table_assist.game.holding import is_late
from table_assist.game.in_force import rules_in_force
from table_assist.game.places import opened
from table_assist.game.question import QuestionId, QuestionKind
from table_assist.game.state import SEATS, TableState
from table_assist.record.commands import Answer, ChangeSeats, ChooseDealer, Command, PlaceAntes
from table_assist.rules import wall
from table_assist.rules.play_rules import WallEnd
from table_assist.rules.ruleset import RuleSet
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile, Tiles
from table_assist.twin.holdings import Holdings, LaidGroup, PieceSet, PieceWall
from table_assist.twin.river import BONUS_FIRST_R, on_table
from table_assist.twin.table import ArmReach, SimulatedTable, Steps, TableStep


@dataclass(frozen=True, slots=True)
class StagedMoment:
    """An event with what was so before and is so after it.

    Attributes:
        event: what happened, hidden faces included.
        truth: what a perfect observer can record of it.
        before: the state that the players are in, hidden faces included.
        then: the event that follows; None for the last one.
    """

    event: Event
    truth: tuple[Event, ...]
    before: TableState
    after: TableState
    then: Event | None = None


def moments(state: TableState, events: Sequence[Event]) -> Iterator[StagedMoment]:
    """The events of a hand one by one, beside what can be recorded of each.

    Args:
        state: before them.
    """
    events = in_order(events)
    for number, event in enumerate(events):
        then = events[number + 1] if number + 1 < len(events) else None
        after = apply(state, event)
        yield StagedMoment(event, observed(state, event), state, after, then)
        state = after


def in_order(events: Sequence[Event]) -> list[Event]:
    """With several winners all press their keys before the first one shows a hand."""
    ordered: list[Event] = []
    for event in events:
        at = len(ordered)
        if isinstance(event, WinDeclared):
            while at and isinstance(ordered[at - 1], HandShown):
                at -= 1
        ordered.insert(at, event)
    return ordered


def observed(before: TableState, event: Event) -> tuple[Event, ...]:
    """The recordable part of an event."""
    match event:
        case HandStarted():
            return (replace(event, hands=()),)
        case TilesExchanged():
            return (replace(event, given=()),)
        case IndicatorTurned() if rules_in_force(before).treasure is not None:
            return (replace(event, tile=Tile.UNKNOWN),)
        case Drew():
            return ()  # a discard, a kong, a flower says that it was drawn for
        case _:
            return (event,)


def revealed(state: TableState) -> IndicatorTurned | None:
    """The secret that is turned up for a win of somebody who may profit from it; None if none is.

    Args:
        state: as the players know it.
    """
    if rules_in_force(state).treasure is None or not state.indicators:
        return None
    if not any(state.seats[seat].ready for seat in state.declared):
        return None
    return state.indicators[-1]


# A player's own rows are reached a little to the right of their middle.
_OWN_R = 100.0


class StagingError(AssertionError):
    """The event is impossible with the tiles that lie on the table."""


@dataclass(slots=True)
class Stage:
    """One hand on the table.

    Attributes:
        rules: of the hand.
        dealt: all pieces, as the table will raise them.
        holdings: who holds what; None while all is in the machine.
    """

    rules: RuleSet
    table: SimulatedTable
    dealt: Holdings
    hand: int
    game: int
    holdings: Holdings | None = None

    @property
    def held(self) -> Holdings:
        """The holdings, once the wall is built.

        Raises:
            StagingError: it is not built yet.
        """
        if self.holdings is None:
            raise StagingError("no wall is built")
        return self.holdings

    def step(
        self,
        text: str,
        seconds: float,
        *events: Event,
        signals: Iterable[EventContent] = (),
        commands: Iterable[Command] = (),
        reach: ArmReach | None = None,
    ) -> TableStep:
        """The table as it is now, and what is said with it."""
        return TableStep(
            hand=self.hand,
            scene=self.table.scene(self.holdings),
            text=text,
            seconds=seconds,
            signals=tuple(signals),
            events=events,
            reach=reach,
            commands=tuple(commands),
            game=self.game,
        )

    def press(self, seat: int, key: Key, *events: Event) -> TableStep:
        """A seat presses a key."""
        text = f"Seat {seat} presses {key}."
        return self.step(text, 1.0, *events, signals=[KeyPressed(seat, key)])

    def own_reach(self, seat: int) -> ArmReach:
        """A hand over the seat's own tiles."""
        return ArmReach(seat, *on_table(seat, _OWN_R, self.table.fit.hand_d))

    def melds_reach(self, seat: int) -> ArmReach:
        """A hand over what the seat lays open."""
        return ArmReach(seat, *on_table(seat, _OWN_R, self.table.fit.melds_d))

    def wall_reach(self, seat: int, spot: int) -> ArmReach:
        """A hand over a spot of the wall."""
        wall, fit = self.held.wall, self.table.fit
        place = wall.place(spot)
        r = fit.stack_r(wall.stacks[place.seat], place.stack)
        return ArmReach(seat, *on_table(place.seat, r, fit.wall_d))

    def expect(self, found: Tile, told: Tile) -> None:
        """The piece that was found must be the one that was told.

        Raises:
            StagingError: it is another one.
        """
        if found is not told:
            raise StagingError(f"the wall gives {found} where {told} was taken")


def draw(stage: Stage, moment: StagedMoment, event: Drew) -> Steps:
    """A tile comes from the front, from the tail, or from where dice said."""
    held, seat = stage.held, event.seat
    spot, is_replacement = _drawn_spot(stage, moment)
    reach = stage.wall_reach(seat, spot)
    stage.expect(held.draw(seat, spot, apart=moment.after.holder == seat), event.tile)
    text = f"Seat {seat} draws{' a replacement' if is_replacement else ''}."
    yield stage.step(text, 1.0, reach=reach)


def _drawn_spot(stage: Stage, moment: StagedMoment) -> tuple[int, bool]:
    """The spot that the seat draws, and whether it is a replacement's."""
    before, wall, rules = moment.before, stage.held.wall, stage.rules
    seat = moment.event.seat if isinstance(moment.event, Drew) else -1
    owed = before.owed if before.holder == seat else None
    what = owed or (before.replacing if seat in before.unnamed else None)
    if what is None:
        return wall.front(), False
    rolled = moment.after.wall.rolled
    if rolled and wall.holds(rolled[-1].tile):
        return rolled[-1].tile, True
    from_front = rules.wall.replaced_from(what, rules.chosen) is WallEnd.FRONT
    return (wall.front() if from_front else wall.tail()), True


def discard(stage: Stage, moment: StagedMoment, event: Discarded) -> Steps:
    """A tile goes into the river."""
    held, seat = stage.held, event.seat
    held.discard(seat, event.tile)
    step = stage.step(f"Seat {seat} discards {event.tile}.", 1.5, *moment.truth)
    placed = stage.table.rivers.place(held.seats[seat].river[-1], seat)
    yield replace(step, reach=ArmReach(seat, placed.x_mm, placed.y_mm))


def put_back(stage: Stage, before: TableState, seat: int) -> Steps:
    """A discard is called for when the next player has drawn already: that tile goes back."""
    if is_late(before) and before.holder is not None and before.holder != seat:
        stage.held.undraw()
        yield stage.step(f"Seat {before.holder} puts the drawn tile back.", 2.0)


def claim(stage: Stage, moment: StagedMoment, event: Claimed) -> Steps:
    """The tile is taken and laid down with tiles from the hand."""
    held, seat, giver = stage.held, event.seat, event.discarder
    yield from put_back(stage, moment.before, seat)
    if event.kind.is_kong:
        yield stage.press(seat, Key.KONG)
    robbed = moment.before.robbable
    if robbed is not None and robbed.kind is MeldKind.LUCKY_EGG:
        claimed = held.take_added(giver, robbed.tile)
    else:
        claimed = held.seats[giver].river.pop()
    own = list(event.tiles)
    own.remove(held.set.face(claimed))
    pieces = (claimed, *held.take(seat, own))
    lying = stage.rules.lying(stage.rules.chosen)
    down = event.kind.is_kong and lying.claimed_kong_tile_down
    group = LaidGroup(event.kind, pieces, giver, down=(claimed,) * down)
    held.seats[seat].groups.append(group)
    tiles = " ".join(map(str, event.tiles))
    reach = stage.melds_reach(seat)
    yield stage.step(f"Seat {seat} claims {tiles}.", 2.0, *moment.truth, reach=reach)


def declare_kong(stage: Stage, moment: StagedMoment, event: KongDeclared) -> Steps:
    """A key, and four tiles, or the fourth one beside its pung."""
    held, seat, tile = stage.held, event.seat, event.tile
    yield stage.press(seat, Key.KONG)
    groups = held.seats[seat].groups
    if event.kind is MeldKind.KONG_ADDED:
        at = next(
            at
            for at, group in enumerate(groups)
            if group.kind is MeldKind.PUNG and held.set.face(group.pieces[0]) is tile
        )
        (piece,) = held.take(seat, (tile,))
        held.add(seat, at, piece, event.kind)
    else:
        first, *inner, last = held.take(seat, (tile,) * 4)
        up = stage.rules.lying(stage.rules.chosen).concealed_kong_up[0]
        down = (first, last, *inner[up:])
        groups.append(LaidGroup(event.kind, (first, *inner, last), down=down))
    text = f"Seat {seat} lays a {event.kind} of {tile}."
    yield stage.step(text, 2.0, *moment.truth, reach=stage.melds_reach(seat))


def append_to_egg(stage: Stage, moment: StagedMoment, event: EggAppended) -> Steps:
    """The drawn tile, or a discard, lies beside the egg."""
    held, seat, before = stage.held, event.seat, moment.before
    given = before.last_discard
    if given is not None and takes_discard(before, event):
        piece = held.seats[given[0]].river.pop()
    else:
        (piece,) = held.take(seat, (event.tile,))
    groups = held.seats[seat].groups
    eggs = [at for at, group in enumerate(groups) if group.kind is MeldKind.LUCKY_EGG]
    held.add(seat, eggs[event.egg], piece)
    text = f"Seat {seat} puts {event.tile} to an egg."
    yield stage.step(text, 2.0, *moment.truth, reach=stage.melds_reach(seat))


# Staged: everything up to the first discard.

# Tiles that everybody takes together before the next turn round the table.
_ROUND = 16
_WHAT_FOR = {
    Throw.DEALER: " for the first dealer",
    Throw.BREAK: " to break the wall",
    Throw.SECOND_BREAK: " again to break the wall",
    Throw.EXCHANGE: " for where the tiles go",
    Throw.INDICATOR: " for the tile to turn",
    Throw.REPLACEMENT: " for the replacement",
}


def roll(stage: Stage, moment: StagedMoment, event: DiceRolled) -> Steps:
    """Dice are thrown; before those for an exchange everyone lays the tiles down."""
    then = moment.then
    if event.throw is Throw.EXCHANGE and isinstance(then, TilesExchanged):
        for seat in SEATS:
            hand = stage.held.seats[seat]
            hand.passing = list(stage.held.take(seat, then.given[seat]))
        yield stage.step(f"Everyone lays {len(then.given[0])} tiles face down.", 5.0)
    stage.table.roll(event.values)
    shown = " and ".join(map(str, event.values))
    text = f"Seat {event.seat} rolls {shown}{_WHAT_FOR.get(event.throw, '')}."
    yield stage.step(text, 3.0, *moment.truth, signals=[BoardDice(event.seat, event.values)])
    if event.throw is Throw.INDICATOR and moment.before.treasures:
        question = QuestionId(moment.before.hand, QuestionKind.SEEK)
        text = "Asked what for, people say: for another treasure."
        yield stage.step(text, 2.0, commands=[Answer(question, "yes")])


def deal(stage: Stage, moment: StagedMoment, event: HandStarted) -> Steps:
    """Everybody takes tiles in turn; the dealer's last one stands apart."""
    held, rules = stage.held, stage.rules
    breach, seats = rules.wall.breach, wall.dealt_in_order(rules, event.dealer)
    if breach is not None:
        held.wall.lift_out(*breach.loose(rules.chosen))
        yield stage.step("The wall is broken.", 2.0)
    for number, seat in enumerate(seats, start=1):
        held.draw(seat, held.wall.front(), apart=False)
        if number % _ROUND == 0 and number < len(seats):
            yield stage.step("Everybody takes tiles.", 3.0)
    for seat in SEATS:
        dealt = held.seats[seat].pieces
        assert held.faces(dealt) == tuple(sorted(event.hands[seat]))
    if len(event.hands[event.dealer]) > len(event.hands[(event.dealer + 1) % 4]):
        held.put_apart(event.dealer, event.hands[event.dealer][-1])
    yield stage.step("The hand is dealt.", 3.0, *moment.truth)


def exchange(stage: Stage, moment: StagedMoment, event: TilesExchanged) -> Steps:
    """Pass on the tiles that lie face down."""
    seats = stage.held.seats
    passing = [hand.passing for hand in seats]
    for seat, hand in enumerate(seats):
        hand.pieces += passing[(seat - event.seats_on) % len(SEATS)]
        hand.passing = []
    yield stage.step("The tiles are passed on.", 5.0, *moment.truth)


def turn_indicator(stage: Stage, moment: StagedMoment, event: IndicatorTurned) -> Steps:
    """A wild tile stays face up where it stands; a treasure is looked at and laid face down."""
    held, before = stage.held, moment.before
    spot = held.wall.in_column(event.column)
    roller = (before.dice.seat if before.dice is not None else before.dealer) % len(SEATS)
    reach = stage.wall_reach(roller, spot)
    if stage.rules.wilds is None:
        stage.expect(held.lay_aside(spot), event.tile)
        text = f"Seat {roller} looks at the tile in column {event.column} and lays it aside."
    else:
        held.wall.turn(spot, stays=True)
        text = f"{event.tile} is turned up in column {event.column}."
    yield stage.step(text, 3.0, *moment.truth, reach=reach)


def show_starting_hand(stage: Stage, moment: StagedMoment, event: StartingHandShown) -> Steps:
    """The dealt hand lies face up for a moment, then stands again."""
    held, seat = stage.held, event.seat
    hand = held.seats[seat]
    left = list(event.tiles)
    shown = []
    for piece in hand.held:
        face = held.set.face(piece)
        if face in left:
            left.remove(face)
            shown.append(piece)
    hand.shown = frozenset(shown)
    reach = stage.own_reach(seat)
    yield stage.step(f"Seat {seat} shows the dealt hand.", 4.0, *moment.truth, reach=reach)
    hand.shown = frozenset()
    yield stage.step(f"Seat {seat} takes it back.", 2.0, reach=reach)


# Staged: wins, hands laid down, birds, settlement, and the tiles back into the machine.


def declare_win(stage: Stage, moment: StagedMoment, event: WinDeclared) -> Steps:
    """A key; the secret tile is turned up for those who may profit from it."""
    yield from put_back(stage, moment.before, event.seat)
    yield stage.press(event.seat, Key.WIN, *moment.truth)
    if isinstance(moment.then, HandShown):
        secret = revealed(moment.after)
        if secret is not None and stage.held.looked_at[-1] not in stage.held.revealed:
            # The tile that was laid aside last is turned up where it lies
            held = stage.held
            held.revealed.add(held.looked_at[-1])
            reach = ArmReach(event.seat, *stage.table.fit.birds[len(held.looked_at) - 1])
            yield stage.step(f"The treasure was {secret.tile}.", 3.0, secret, reach=reach)


def show_hand(stage: Stage, moment: StagedMoment, event: HandShown) -> Steps:
    """The hand lies face up; what another gave lies where it was put, or among the winner's."""
    held, seat = stage.held, event.seat
    if event.self_drawn:
        held.put_apart(seat, event.winning_tile)
    else:
        held.tidy(seat)
        # The winner's manner may be to take the discard; the next winner finds it gone
        before, given = moment.before, moment.before.last_discard
        if given is not None and before.robbable is None and not (event.rush or before.shown):
            river = held.seats[given[0]].river
            lies = river and held.set.face(river[-1]) is event.winning_tile
            if lies and stage.table.manners.takes_won[seat]:
                held.seats[seat].drawn = river.pop()
    hand = held.seats[seat]
    hand.shown = frozenset(hand.held)
    text = f"Seat {seat} shows a win with {event.winning_tile}."
    yield stage.step(text, 4.0, *moment.truth, reach=stage.own_reach(seat))


def turn_bird(stage: Stage, moment: StagedMoment, event: BirdTurned) -> Steps:
    """A tile of the wall lies face up in the middle."""
    held, rules = stage.held, stage.rules
    from_tail = rules.chosen.get("bird_source") == "wall_tail"
    spot = held.wall.tail() if from_tail else held.wall.front()
    stage.expect(held.turn_bird(spot), event.tile)
    place = stage.table.fit.birds[len(held.birds) - 1]
    reach = ArmReach(moment.before.declared[0], *place)
    yield stage.step(f"The bird is {event.tile}.", 3.0, *moment.truth, reach=reach)


def _close(stage: Stage) -> Steps:
    yield stage.step("The dome opens.", 1.0, signals=[Dome(open=True)])
    stage.holdings = None
    stage.table.clear()
    yield stage.step("The tiles go into the machine.", 5.0)
    yield stage.step("The dome closes.", 1.0, signals=[Dome(open=False)])


def _moved(transfers: tuple[int, int, int, int]) -> str:
    return ", ".join(f"{points:+d}" for points in transfers)


def _staged(stage: Stage, moment: StagedMoment) -> Steps:
    """What happens at the table when this happens in the game."""
    truth = moment.truth
    match moment.event:
        case DealerChosen(seat):  # dice say it by themselves; lot and consent must be told
            dice, rules = moment.before.dice, stage.rules
            by_dice = rules.first_dealer is not None and dice is not None
            told = () if by_dice and not moment.before.hand else (ChooseDealer(seat),)
            yield stage.step(f"Seat {seat} deals.", 2.0, *truth, commands=told)
        case SeatsChanged(came_from, east):
            text = f"New seats: they come from {came_from}, and seat {east} is East."
            yield stage.step(text, 8.0, *truth, commands=[ChangeSeats(came_from, east)])
        case AntesPlaced(double_down, challenges):
            down = ", the dealer doubles down" if double_down else ""
            antes = [PlaceAntes(double_down, challenges)]
            yield stage.step(f"Stakes: {challenges}{down}.", 3.0, *truth, commands=antes)
        case WallBuilt():
            stage.holdings = stage.dealt
            yield stage.step("The wall is ready.", 3.0, *truth, signals=[WallReady()])
        case BonusLaid(seat, tiles):  # to the seat's left
            stage.held.seats[seat].bonus += stage.held.take(seat, tiles)
            place = on_table(seat, BONUS_FIRST_R, stage.table.fit.melds_d)
            text = f"Seat {seat} lays {' '.join(map(str, tiles))}."
            yield stage.step(text, 2.0, *truth, reach=ArmReach(seat, *place))
        case EggLaid(seat, tiles):  # where melds lie
            egg = LaidGroup(MeldKind.LUCKY_EGG, stage.held.take(seat, tiles))
            stage.held.seats[seat].groups.append(egg)
            text = f"Seat {seat} lays the egg {' '.join(map(str, tiles))}."
            yield stage.step(text, 2.0, *truth, reach=stage.melds_reach(seat))
        case LastTilePassed(seat):
            yield stage.press(seat, Key.PASS, *truth)
        case ReadyDeclared(seat):
            yield stage.press(seat, Key.READY, *truth)
        case Penalised():
            yield stage.step(f"Points move: {_moved(moment.event.transfers)}.", 2.0, *truth)
        case HandLaidDown(seat):  # of somebody who has not won
            stage.held.tidy(seat)
            hand = stage.held.seats[seat]
            hand.shown = frozenset(hand.held)
            text = f"Seat {seat} lays the hand down."
            yield stage.step(text, 3.0, *truth, reach=stage.own_reach(seat))
        case Settled():
            text = f"The hand is settled: {_moved(moment.event.transfers)}."
            yield stage.step(text, 4.0, *truth)
            yield from _close(stage)
        case WallExhausted():  # where there is nothing to show, the dome says it
            yield stage.step("The wall is empty and nobody has won.", 4.0, *truth)
            yield from _close(stage)
        case event if type(event) in _STAGED:
            yield from _STAGED[type(event)](stage, moment, event)
        case event:
            raise StagingError(f"nobody knows how {event} looks at the table")


# The longer ones. Each takes the event as its own type, which a dictionary cannot say.
_STAGED: dict[type[Event], Callable[[Stage, StagedMoment, Any], Steps]] = {
    DiceRolled: roll,
    HandStarted: deal,
    TilesExchanged: exchange,
    IndicatorTurned: turn_indicator,
    StartingHandShown: show_starting_hand,
    Drew: draw,
    Discarded: discard,
    Claimed: claim,
    KongDeclared: declare_kong,
    EggAppended: append_to_egg,
    WinDeclared: declare_win,
    HandShown: show_hand,
    BirdTurned: turn_bird,
}


@dataclass(frozen=True, slots=True)
class StagedHand:
    """A hand that was played to its end.

    Attributes:
        before: the state before it.
        events: all of them, hidden faces included.
        drawn: the tiles of the wall in the order of drawing, the dealt ones first.
        aside: those that no side of the wall has room for.
    """

    rules: RuleSet
    before: TableState
    events: tuple[Event, ...]
    drawn: Tiles
    aside: Tiles = ()


def stage_hand(
    played: StagedHand,
    table: SimulatedTable,
    *,
    hand: int = 1,
    game: int = 1,
) -> Steps:
    """Let the hand happen on an empty table.

    Raises:
        StagingError: what happened cannot have happened with the tiles of that wall.
    """
    told = list(moments(played.before, played.events))
    # All pieces as the table raises them: what will be drawn first lies where dice will say
    rules = played.rules
    dealt = next((m for m in told if isinstance(m.event, HandStarted)), None)
    if dealt is None:
        raise StagingError(f"no hand is dealt in {played.events}")
    stacks = wall.stacks_of(rules, dealt.after.dealer)
    broken = opened(dealt.after)
    if broken is None:
        raise StagingError("no dice say where the wall is broken")
    pieces = PieceSet(rules)
    order = pieces.all_of((*played.drawn, *played.aside))
    built = len(played.drawn)
    stage = Stage(
        played.rules,
        table,
        Holdings(
            pieces,
            PieceWall(stacks, broken, order[:built]),
            order[built:],
            discards_down=rules.lying(rules.chosen).discards_down,
        ),
        hand,
        game,
    )
    for moment in told:
        yield from _staged(stage, moment)
