"""What the program makes of the table it watches does not depend on the treasure it was told."""

from dataclasses import replace
from random import Random

import pytest

from table_assist.contract.commands import TellTreasure
from table_assist.contract.snapshot import Snapshot
from table_assist.game.events import IndicatorTurned, WinDeclared
from table_assist.rules.registry import find_rules
from table_assist.tiles.tile import Tile
from table_assist.twin.scene import Scene
from table_assist.vision.table.observation import Observation, SeenTile
from tests.stages.perfect_eyes import PerfectTable, evening, observation
from web.access.roles import LOCAL, STRANGER, Role, Viewer
from web.answers import to_json
from web.secrecy.secrecy import is_secret, masked
from web.view import present

pytestmark = pytest.mark.slow

CHANGCHUN = find_rules("changchun")
SEEDS = (1, 24, 32)  # the treasure is known for long
UNSURE = 0.04  # of the tiles
PUBLIC = (STRANGER, LOCAL, Viewer(Role.SCORER), Viewer(Role.REFEREE))


class BlurredTable(PerfectTable):
    """Eyes that waver between the treasures that there may be, and ask."""

    def __init__(self, seed: int, faces: tuple[Tile, Tile]) -> None:
        super().__init__(CHANGCHUN)
        self.faces = faces
        self._seed = seed

    def look(self, scene: Scene, pictures: int = 3) -> None:
        for _ in range(pictures):
            self.t += 0.3
            clear = observation(scene, self.t)
            tiles = tuple(self._blurred(tile) for tile in clear.tiles)
            seen = Observation(self.t, tiles, clear.dice)
            self.session.process(self.steady.update(seen))

    def _blurred(self, tile: SeenTile) -> SeenTile:
        """Some are never read, as long as they lie there: that is asked about."""
        place = Random(f"{self._seed} {tile.x_mm:.0f} {tile.y_mm:.0f}")
        if tile.tile is Tile.BACK or place.random() >= UNSURE:
            return tile
        one, other = self.faces
        return replace(tile, tile=Tile.UNKNOWN, candidates=((one, 0.45), (other, 0.45)))

    def tell(self, tile: Tile) -> None:
        """Who is ready has looked, and says so."""
        ready = [seat for seat, own in enumerate(self.record.state.seats) if own.ready]
        for seat in ready[:1]:
            self.session.put_command(TellTreasure(seat, tile))
            self.session.drain()


def view(snapshot: Snapshot, viewer: Viewer) -> str:
    return to_json(present.present(masked(snapshot, viewer), viewer))


@pytest.mark.parametrize("seed", SEEDS)
def test_two_treasures_make_the_same_of_the_same_pictures(seed: int) -> None:
    kinds = CHANGCHUN.kinds
    faces = kinds[(7 * seed) % len(kinds)], kinds[(7 * seed + 5) % len(kinds)]
    tables = [BlurredTable(seed, faces), BlurredTable(seed, faces)]
    compared = 0
    for step in evening(CHANGCHUN, seed, 1):
        if any(isinstance(event, WinDeclared) for event in step.events):
            break  # the treasure may be turned up
        for table, face in zip(tables, faces, strict=True):
            table.follow(step)
            if any(isinstance(event, IndicatorTurned) for event in step.events):
                table.tell(face)
        one, other = (table.session.snapshot for table in tables)
        if one.state.treasures == other.state.treasures:
            continue
        compared += 1
        for viewer in PUBLIC:
            assert is_secret(one, viewer)
            assert view(one, viewer) == view(other, viewer), step.text
        ready = Viewer(Role.SEAT, one.state.first_ready)
        assert view(one, ready) != view(other, ready)
    assert compared >= 10
