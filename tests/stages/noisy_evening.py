"""An evening of which the camera misses moments, tiles and faces."""

from dataclasses import replace
from random import Random

from table_assist.game.events import Asked, Settled, WallExhausted
from table_assist.game.state import Phase
from table_assist.rules.ruleset import RuleSet
from table_assist.tiles.tile import Tile
from table_assist.vision.table.observation import Observation, SeenTile
from tests.stages.played_evening import PlayedEvening

# What is shown stays until people have looked at it: a dealt hand, and hands at the end.
LOOKS_WHILE_SHOWN = 4


class NoisyEvening(PlayedEvening):
    """As `PlayedEvening`, through worse eyes.

    Args:
        missed: how many of the moments are not seen at all.
        hidden: how many of the tiles are not seen in a look.
        unread: how many of the faces are not read in a look.
    """

    def __init__(
        self, rules: RuleSet, seed: int, *, missed: float, hidden: float, unread: float
    ) -> None:
        super().__init__(rules, seed)
        self._noise = Random(f"noise {seed}")
        self._missed, self._hidden, self._unread = missed, hidden, unread

    def look(self) -> None:
        shown = self.state.phase is Phase.SHOWING or bool(self.table.open_hands)
        for _ in range(LOOKS_WHILE_SHOWN if shown else 1):
            if shown or self._noise.random() >= self._missed:
                super().look()

    def seen(self) -> Observation:
        clear = super().seen()
        tiles = [self._blurred(tile) for tile in clear.tiles]
        return replace(clear, tiles=tuple(tile for tile in tiles if tile is not None))

    def _blurred(self, tile: SeenTile) -> SeenTile | None:
        chance = self._noise.random()
        if chance < self._hidden:
            return None
        if chance < self._hidden + self._unread and tile.tile is not Tile.BACK:
            return replace(tile, tile=Tile.UNKNOWN, candidates=((tile.tile, 0.5),))
        return tile

    def is_silently_wrong(self) -> bool:
        """Whether the last hand moved other points than it should, and nobody was asked."""
        true = next(e for e in reversed(self.truth) if isinstance(e, Settled | WallExhausted))
        recorded = {hand: transfers for hand, transfers, _ in self.record.history}
        moved = recorded.get(self.state.hand)
        asked = any(
            isinstance(event, Asked) and event.question.hand == self.state.hand
            for _, event in self.record.counting
        )
        is_open = self.record.state.is_running  # the next wall asks about it
        return moved != true.transfers and not asked and not is_open
