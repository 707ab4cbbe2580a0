"""The stage of one hand: what is held where, and how one thing that happens becomes a step."""

from collections.abc import Iterable
from dataclasses import dataclass

from firmware_bridge.events import EventContent, Key, KeyPressed
from table_assist.contract.commands import Command
from table_assist.game.events import Event
from table_assist.rules.ruleset import RuleSet
from table_assist.tiles.tile import Tile
from table_assist.twin.holdings import Holdings
from table_assist.twin.places import on_table
from table_assist.twin.rows import wall_place
from table_assist.twin.steps import ArmReach, TableStep
from table_assist.twin.table import SimulatedTable

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
        return ArmReach(seat, *wall_place(self.held.wall, spot, self.table.fit))

    def expect(self, found: Tile, told: Tile) -> None:
        """The piece that was found must be the one that was told.

        Raises:
            StagingError: it is another one.
        """
        if found is not told:
            raise StagingError(f"the wall gives {found} where {told} was taken")
