"""A camera and reader that make no mistake: what the following of a hand is tried with alone."""

from collections.abc import Iterator

from table_assist.record.record import Record
from table_assist.rules.profile import plain_profile
from table_assist.rules.ruleset import RuleSet
from table_assist.session.from_board import BoardSignal
from table_assist.session.session import Session
from table_assist.twin.evening import play_evening
from table_assist.twin.scene import Scene
from table_assist.twin.table import TableStep, tapped
from table_assist.vision.reading.limits import Limits
from table_assist.vision.table.observation import Observation, SeenTile
from table_assist.vision.table.tile_tracker import TileTracker
from table_assist.vision.table.zones import Layout, ZoneKind, to_seat, zone_at

PICTURES_PER_STEP = 3
NAMES = ("Ann", "Bo", "Chen", "Du")


def observation(scene: Scene, t: float = 0.0) -> Observation:
    """What lies on the table, seen without error."""
    tiles = []
    for placed in scene.tiles:
        face = placed.shows
        if face is None:
            continue
        zone = zone_at(placed.x_mm, placed.y_mm, Layout())
        assert zone.kind is not ZoneKind.ELSEWHERE, placed
        across = [to_seat(x, y, zone.seat or 0)[0] for x, y in placed.corners_mm()]
        width = max(across) - min(across)
        tiles.append(SeenTile(face, 1.0, placed.x_mm, placed.y_mm, width, zone, ((face, 1.0),)))
    return Observation(t, tuple(tiles), tuple(sorted(die.value for die in scene.dice)))


class PerfectTable:
    """A session that follows a simulated evening without a mistake of the eyes."""

    def __init__(self, rules: RuleSet, record: Record | None = None) -> None:
        self.t = 0.0
        self.record = record or Record(None, self.now)
        self.session = Session(plain_profile(rules), NAMES, self.record, now=self.now)
        self.steady = TileTracker(Limits.alike(0.9))

    def now(self) -> float:
        return self.t

    def follow(self, step: TableStep) -> None:
        for command in step.commands:
            said = tapped(command, self.record.state)
            if said is not None:
                self.session.put_command(said)
                self.session.drain()
        for signal in step.signals:
            self.session.process(BoardSignal(signal))
        self.look(step.scene)

    def look(self, scene: Scene, pictures: int = PICTURES_PER_STEP) -> None:
        for _ in range(pictures):
            self.t += 0.3
            self.session.process(self.steady.update(observation(scene, self.t)))


def evening(rules: RuleSet, seed: int, hands: int) -> Iterator[TableStep]:
    return play_evening(seed, rules, hands=hands)
