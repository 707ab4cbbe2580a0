"""One simulated Changsha hand, from the washed tiles to the birds and back into the machine.

``play_hand`` lets four players play by the rules and yields every physical step. It knows all
tiles; the players are shown their own and the open ones only (see `players.View`).

Of what the rules leave to the players: they always take the wall's last tile, draw a kong's
replacement from the tail, win whenever they can, and never reveal a starting-hand win.
"""

from collections.abc import Generator, Iterable, Iterator, Sequence
from random import Random

from firmware_bridge.events import DiceRolled as BoardDice
from firmware_bridge.events import Dome, EventContent, Key, KeyPressed, WallReady
from table_assist.game.events import (
    BirdTurned,
    Claimed,
    DiceRolled,
    Discarded,
    Event,
    HandShown,
    HandStarted,
    KongDeclared,
    Settled,
    WallBuilt,
    WallExhausted,
    WinDeclared,
)
from table_assist.melds import MeldKind
from table_assist.rules.reckoning import next_dealer, settle_wins
from table_assist.rules.ruleset import HandResult, RuleSet, ShownHand
from table_assist.tiles import Tile
from table_assist.twin.deal import Wall, face, shuffled_wall
from table_assist.twin.places import on_table
from table_assist.twin.players import (
    HABITS,
    Claim,
    Habits,
    choose_claim,
    choose_discard,
    choose_kong,
)
from table_assist.twin.position import Position
from table_assist.twin.steps import (
    Reach,
    Step,
)
from table_assist.twin.table import (
    BIRDS_MM,
    HAND_D,
    MELDS_D,
    SimulatedTable,
    stack_place,
)
from table_assist.twin.truth import circumstances, wins


def play_hand(
    rng: Random,
    rules: RuleSet,
    *,
    dealer: int,
    hand_number: int,
    habits: Sequence[Habits] = HABITS,
    table: SimulatedTable | None = None,
    wall: Wall | None = None,
) -> Iterator[Step]:
    """Play one hand; everything is decided by ``rng``, the rules, the habits and the wall.

    The table must be empty; without one a new table is taken, and without a wall a shuffled one.

    Raises:
        ValueError: each of several winners turns birds of its own; there is room for one set.
    """
    if rules.birds is not None and not rules.birds.shared(rules.chosen):
        raise ValueError("the simulated table has room for birds that all winners share only")
    table = table or SimulatedTable(rng, [each.turns_claimed for each in habits])
    wall = wall or shuffled_wall(rng, rules.wall.stacks(dealer, rules.chosen))
    return _Hand(rng, rules, hand_number, habits, Position(wall, table, dealer)).play()


class _Hand:
    """The course of one hand. Each method yields the steps of one part of it."""

    def __init__(
        self,
        rng: Random,
        rules: RuleSet,
        number: int,
        habits: Sequence[Habits],
        position: Position,
    ) -> None:
        self._rng = rng
        self._rules = rules
        self._dealer = position.dealer
        self._number = number
        self._habits = habits
        self._table = position.table
        self._position = position
        # The seat whose latest draw replaced a kong and that has not discarded since.
        self._after_kong: int | None = None
        self._winners: list[ShownHand] = []

    def play(self) -> Iterator[Step]:
        """The whole hand."""
        yield from self._open()
        seat: int | None = self._dealer
        while seat is not None:
            seat = yield from self._turn(seat)
        if self._winners:
            yield from self._win()
        else:
            yield self._nobody_wins()
        yield from self._close()

    # Before the first discard

    def _open(self) -> Iterator[Step]:
        dealer, plan, position = self._dealer, self._rules.wall, self._position
        yield self._step("The wall is ready.", 3.0, signals=[WallReady()], events=[WallBuilt()])
        dice = (self._rng.randint(1, 6), self._rng.randint(1, 6))
        self._table.roll(dice)
        position.wall.break_at((dealer + plan.first_side(self._rules.chosen)) % 4, sum(dice))
        yield self._step(
            f"Seat {dealer} rolls {dice[0]} and {dice[1]}.",
            3.0,
            signals=[BoardDice(dealer, dice)],
            events=[DiceRolled(dealer, dice)],
        )
        *blocks, _ = plan.deal  # the last block is the dealer's first draw
        for offset, tiles in blocks:
            position.deal((dealer + offset) % 4, tiles)
            if offset == 3:
                yield self._step("Everybody takes tiles.", 4.0)
        position.draw(dealer)
        started = HandStarted(self._number, self._rules.id, dealer, position.wall.left)
        yield self._step("The hand is dealt.", 3.0, events=[started])

    # A turn: each part returns who has the next one, or None when the hand is over

    def _turn(self, seat: int) -> Generator[Step, None, int | None]:
        position = self._position
        while position.drawn[seat] is not None:
            if self._self_drawn_win(seat):
                return None
            kong = choose_kong(position.view(seat), self._habits[seat])
            if kong is None:
                break
            if (yield from self._own_kong(seat, *kong)):
                return None
        tile = self._tile_to_discard(seat)
        after_kong = self._after_kong == seat
        self._after_kong = None
        placed = position.discard(seat, tile)
        yield self._step(
            f"Seat {seat} discards {tile}.",
            1.5,
            events=[Discarded(seat, tile)],
            reach=Reach(seat, placed.x_mm, placed.y_mm),
        )
        self._claimed_wins(seat, tile, after_kong=after_kong)
        if self._winners or position.wall.left == 0:
            return None
        return (yield from self._answer(seat, tile))

    def _tile_to_discard(self, seat: int) -> Tile:
        position = self._position
        drawn = position.drawn[seat]
        if position.wall.left == 0 and not position.last_was_replacement and drawn is not None:
            return face(drawn)  # who takes the wall's last tile and cannot win discards it (CS-16)
        return choose_discard(position.view(seat), self._habits[seat])

    def _answer(self, discarder: int, tile: Tile) -> Generator[Step, None, int | None]:
        """Somebody claims the discard, or the next seat draws."""
        claims = [
            (seat, claim)
            for seat in _after(discarder)
            if (claim := self._claim_of(seat, discarder, tile)) is not None
        ]
        # Pungs and kongs before chows; no two seats can hold enough for either.
        claims.sort(key=lambda item: item[1].kind is MeldKind.CHOW)
        if claims:
            seat, claim = claims[0]
            yield from self._claim(seat, claim, discarder)
            return seat
        seat = (discarder + 1) % 4
        yield self._draw(seat, f"Seat {seat} draws.")
        return seat

    def _claim_of(self, seat: int, discarder: int, tile: Tile) -> Claim | None:
        next_seat = (discarder + 1) % 4 == seat
        view, habits = self._position.view(seat), self._habits[seat]
        return choose_claim(view, habits, tile, may_chow=next_seat)

    def _claim(self, seat: int, claim: Claim, discarder: int) -> Iterator[Step]:
        if claim.kind.is_kong:
            yield self._press(seat, Key.KONG)
        meld = self._position.claim(seat, claim.kind, claim.tiles, discarder=discarder)
        yield self._step(
            f"Seat {seat} claims it: {meld}.",
            2.0,
            events=[Claimed(seat, claim.kind, meld.tiles, discarder)],
            reach=_own_reach(seat, MELDS_D),
        )
        if claim.kind.is_kong:
            yield self._draw_replacement(seat)

    def _own_kong(self, seat: int, kind: MeldKind, tile: Tile) -> Generator[Step, None, bool]:
        """Lay a kong from the own hand. Returns whether it was robbed."""
        yield self._press(seat, Key.KONG)
        self._position.lay_kong(seat, kind, tile)
        yield self._step(
            f"Seat {seat} lays a {kind} of {tile}.",
            2.0,
            events=[KongDeclared(seat, kind, tile)],
            reach=_own_reach(seat, MELDS_D),
        )
        if kind is MeldKind.KONG_ADDED:
            self._claimed_wins(seat, tile, robbing=True)
            if self._winners:
                return True
        yield self._draw_replacement(seat)
        return False

    # Wins

    def _self_drawn_win(self, seat: int) -> bool:
        position = self._position
        came_by = circumstances(
            self_drawn=True,
            wall_left=position.wall.left,
            after_kong=self._after_kong == seat,
            last_was_replacement=position.last_was_replacement,
            first_turn=position.first_turn(seat),
        )
        shown = position.shown(seat, came_by)
        if wins(self._rules, shown):
            self._winners = [shown]
        return bool(self._winners)

    def _claimed_wins(
        self, giver: int, tile: Tile, *, after_kong: bool = False, robbing: bool = False
    ) -> None:
        """Who wins on a tile that another seat gave, the nearest in turn first."""
        position = self._position
        came_by = circumstances(
            self_drawn=False,
            wall_left=position.wall.left,
            after_kong=after_kong,
            robbing=robbing,
            last_was_replacement=position.last_was_replacement,
        )
        hands = (
            position.shown(seat, came_by, claimed=tile, discarder=giver) for seat in _after(giver)
        )
        found = [shown for shown in hands if wins(self._rules, shown)]
        together = self._rules.settles_together(self._rules.chosen)
        self._winners = found if together else found[:1]

    def _win(self) -> Iterator[Step]:
        for shown in self._winners:
            yield self._press(shown.winner, Key.WIN, WinDeclared(shown.winner))
        for shown in self._winners:
            seat = shown.winner
            self._position.show(seat)
            event = HandShown(seat, shown.concealed, shown.winning_tile, shown.self_drawn)
            yield self._step(
                f"Seat {seat} shows a win with {shown.winning_tile}.",
                4.0,
                events=[event],
                reach=_own_reach(seat, HAND_D),
            )
        birds = []
        for step in self._turn_birds():
            yield step
            birds += [event.tile for event in step.events if isinstance(event, BirdTurned)]
        yield self._settled(birds)

    def _turn_birds(self) -> Iterator[Step]:
        rule, wall, options = self._rules.birds, self._position.wall, self._rules.chosen
        if rule is None or (wall.left < rule.count and options["bird_shortage"] == "none"):
            return
        turner = self._winners[0].winner
        for place in BIRDS_MM[: min(rule.count, wall.left)]:
            tile = self._position.turn_bird(from_tail=options["bird_source"] == "wall_tail")
            yield self._step(
                f"The bird is {tile}.", 3.0, events=[BirdTurned(tile)], reach=Reach(turner, *place)
            )

    def _settled(self, birds: Sequence[Tile]) -> Step:
        settlement = settle_wins(self._rules, self._winners, tuple(birds))
        result = HandResult(self._dealer, settlement.winners, self._winners[0].discarder)
        words = tuple((step.en, step.zh) for step in settlement.steps)
        dealer = self._only_dealer(result)
        event = Settled(settlement.winners, settlement.payments, dealer, words)
        moved = ", ".join(f"{points:+d}" for points in settlement.payments)
        return self._step(f"The hand is settled: {moved}.", 4.0, events=[event])

    def _nobody_wins(self) -> Step:
        result = HandResult(self._dealer, last_drawer=self._position.last_drawer)
        event = WallExhausted(self._only_dealer(result))
        return self._step("The wall is empty and nobody has won.", 4.0, events=[event])

    def _only_dealer(self, result: HandResult) -> int | None:
        """Who deals next; None when the players choose among several."""
        seats = next_dealer(self._rules, result)
        return seats[0] if len(seats) == 1 else None

    def _close(self) -> Iterator[Step]:
        yield self._step("The dome opens.", 1.0, signals=[Dome(open=True)])
        self._table.clear()
        yield self._step("The tiles go into the machine.", 5.0)
        yield self._step("The dome closes.", 1.0, signals=[Dome(open=False)])

    # Single steps

    def _draw(self, seat: int, text: str, *, replacement: bool = False) -> Step:
        side, index = self._position.wall.next_stack(from_tail=replacement)
        x, y = stack_place(self._position.wall, side, index)
        self._position.draw(seat, replacement=replacement)
        return self._step(text, 1.0, reach=Reach(seat, x, y))

    def _draw_replacement(self, seat: int) -> Step:
        self._after_kong = seat
        return self._draw(seat, f"Seat {seat} draws from the tail.", replacement=True)

    def _press(self, seat: int, key: Key, *events: Event) -> Step:
        text = f"Seat {seat} presses {key}."
        return self._step(text, 1.0, signals=[KeyPressed(seat, key)], events=events)

    def _step(
        self,
        text: str,
        seconds: float,
        *,
        signals: Iterable[EventContent] = (),
        events: Iterable[Event] = (),
        reach: Reach | None = None,
    ) -> Step:
        return Step(
            hand=self._number,
            scene=self._table.scene(),
            text=text,
            seconds=seconds,
            signals=tuple(signals),
            events=tuple(events),
            reach=reach,
        )


def _after(seat: int) -> tuple[int, int, int]:
    """The other seats in order of play."""
    return (seat + 1) % 4, (seat + 2) % 4, (seat + 3) % 4


def _own_reach(seat: int, d: float) -> Reach:
    """A hand over the middle of the seat's own row."""
    return Reach(seat, *on_table(seat, 100.0, d))
