"""Staged: draws, discards, claims, kongs, eggs, ready; and what an observer may know of them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from firmware_bridge.events import EventContent, Key, KeyPressed
from table_assist.contract.commands import Command
from table_assist.game.events import (
    Claimed,
    Discarded,
    Drew,
    EggAppended,
    Event,
    HandShown,
    HandStarted,
    IndicatorTurned,
    KongDeclared,
    TilesExchanged,
    WinDeclared,
)
from table_assist.game.fold import apply
from table_assist.game.fold_play import takes_discard
from table_assist.game.holding import is_late
from table_assist.game.in_force import rules_in_force
from table_assist.game.state import TableState
from table_assist.rules.play_rules import WallEnd
from table_assist.rules.ruleset import RuleSet
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile
from table_assist.twin.holdings import Holdings, LaidGroup
from table_assist.twin.river import on_table
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
