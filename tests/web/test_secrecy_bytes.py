"""No byte that is served tells the treasure; a planted leak is found (`tests.secrecy`)."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from table_assist.game.events import IndicatorTurned, WinDeclared
from table_assist.languages.words import View, Words
from table_assist.record.commands import TellTreasure
from table_assist.record.export import PlayedHand
from table_assist.record.snapshot import Snapshot
from table_assist.rules.registry import find_rules
from table_assist.tiles.tile import Tile
from table_assist.twin.scene import Scene
from table_assist.vision.table.observation import Observation, SeenTile
from tests.secrecy import houses
from tests.secrecy.search import search
from tests.secrecy.twins import TwinHand
from tests.stages.dealt import hidden_hand
from tests.stages.recorded_table import PerfectTable, evening, observation
from web.access.roles import LOCAL_VIEWER, STRANGER, Role, Viewer
from web.answers import to_json
from web.api import api, stream
from web.api.outlets import standing
from web.view import present
from web.view.secrecy import is_secret, masked

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def hand() -> TwinHand:
    return hidden_hand(lambda hand: len(hand.seats) == 3 and len(hand.told[0]) > 8)


def test_six_hands_tell_the_treasure_in_no_byte(tmp_path: Path) -> None:
    report = search(6, tmp_path / "devices.json", every=5, stride=6)
    assert report.leaks == []
    assert report.hidden >= 4
    assert report.entitled == report.hidden
    assert report.revealed > 0
    assert report.requests > 100


def _unmasked_for_the_scorer(patch: pytest.MonkeyPatch) -> None:
    def leaky(snapshot: Snapshot, viewer: Viewer) -> Snapshot:
        return snapshot if viewer.role is Role.SCORER else masked(snapshot, viewer)

    patch.setattr(stream, "masked", leaky)


def _unmasked_table(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(api, "masked", lambda snapshot, viewer: snapshot)


def _length_tells(patch: pytest.MonkeyPatch) -> None:
    def padded(snapshot: Snapshot, viewer: Viewer) -> Snapshot:
        known = masked(snapshot, viewer)
        return replace(known, notices=(Words("x" * sum(snapshot.state.treasures), ""),))

    patch.setattr(stream, "masked", padded)


def _picture_tells(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(api, "shown_picture", lambda source, viewer: source.eyes.picture())


def _guesses_are_answered(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(api, "withheld", lambda command, snapshot, viewer: "")


def _a_broker_is_told(patch: pytest.MonkeyPatch) -> None:
    def leaky(snapshot: Snapshot, last_win: PlayedHand | None) -> View:
        return {**standing(snapshot, last_win), "x": [int(t) for t in snapshot.state.treasures]}

    patch.setattr(houses, "standing", leaky)


# (what leaks, whether somebody has to ask for it: the rest is told by itself)
LEAKS = (
    (_a_broker_is_told, False),
    (_unmasked_for_the_scorer, False),
    (_length_tells, False),
    (_unmasked_table, True),
    (_picture_tells, True),
    (_guesses_are_answered, True),
)


@pytest.mark.parametrize(("leak", "is_asked"), LEAKS)
def test_a_planted_leak_is_found(
    leak: Callable[[pytest.MonkeyPatch], None],
    is_asked: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    hand: TwinHand,
) -> None:
    leak(monkeypatch)
    every = 1 if is_asked else 2
    report = search(
        1,
        tmp_path / "devices.json",
        first_seed=hand.seed,
        every=every,
        stride=8,
        ends_at_a_leak=True,
    )
    assert report.leaks


CHANGCHUN = find_rules("changchun")
SEED = 24  # the treasure is known for long
UNSURE = 0.04  # of the tiles
PUBLIC = (STRANGER, LOCAL_VIEWER, Viewer(Role.SCORER), Viewer(Role.REFEREE))


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


def test_two_treasures_make_the_same_of_the_same_pictures() -> None:
    kinds = CHANGCHUN.kinds
    faces = kinds[(7 * SEED) % len(kinds)], kinds[(7 * SEED + 5) % len(kinds)]
    tables = [BlurredTable(SEED, faces) for _ in faces]
    compared = 0
    for step in evening(CHANGCHUN, SEED, 1):
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
