"""A running table's camera fails in every way: it is told within two seconds."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from firmware_bridge.events import DiceReport as BoardDice
from firmware_bridge.events import WallReady
from table_assist.contract.commands import Correct
from table_assist.contract.health import SourceHealth
from table_assist.game.events import Discarded
from table_assist.languages.words import NOTHING, same
from table_assist.live.live_table import HEALTH_EVERY_S, LiveTable
from table_assist.settings.config import CameraConfig, Config, LogConfig
from table_assist.tiles.tile import Tile
from table_assist.trust.address import Address
from table_assist.vision.pictures.camera import Camera
from table_assist.vision.pictures.picture import Image
from table_assist.vision.pictures.sources import CameraError, SourceKind
from table_assist.vision.reading.limits import Limits
from table_assist.vision.reading.read import Reader
from table_assist.vision.table.observation import Observation
from table_assist.vision.table.unseen import WhyUnseen
from table_assist.vision.table.zones import ZoneKind
from tests.following.test_infer import river
from tests.stages.plain_session import command, hear, record, session
from tests.stages.vision_stubs import ColourRecogniser, RectangleDetector

SIZE = (720, 960, 3)
CORNERS = ((30.0, 710.0), (730.0, 710.0), (730.0, 10.0), (30.0, 10.0))
PERIOD_S = 0.1
ZONES = 18  # four of each seat, dice and birds


class Source:
    """A camera above a felt with a few bright things on it and beside it."""

    def __init__(self) -> None:
        self.fault = ""
        self._rng = np.random.default_rng(1)
        self._table = np.full(SIZE, (60, 90, 50), np.uint8)
        for left in range(40, 900, 90):
            self._table[300:330, left : left + 22] = 200
            self._table[304:326:3, left + 3 : left + 19] = 120  # the strokes of a drawing
        floor = self._rng.integers(30, 200, (30, 9), np.uint8)
        self._table[:, 744:] = np.kron(floor, np.ones((24, 24), np.uint8))[..., None]
        self._last = self._table

    def read(self) -> Image:
        noise = self._rng.integers(0, 5, SIZE, np.uint8)
        match self.fault:
            case "lost":
                raise CameraError.of(same("the camera was unplugged"))
            case "frozen":
                return self._last
            case "dark":
                self._last = noise
            case "covered":
                self._last = np.asarray(noise + np.uint8(120), np.uint8)
            case "lamp":
                self._last = np.asarray(self._table * 0.6, np.uint8) + noise
            case _:
                self._last = self._table + noise
        return self._last


class Eyes:
    """A live table without threads, on a clock of its own."""

    def __init__(self, folder: Path) -> None:
        self.t = 1000.0
        self.source = Source()
        kind = SourceKind(lambda: self.source, same("the camera"), is_live=True)
        self._camera = Camera(kind, stale_s=Config().camera.stale_s, now=lambda: self.t)
        reader = Reader(
            RectangleDetector(640, smallest=8, largest=160), ColourRecogniser(), Limits.alike(0.6)
        )
        config = Config(
            camera=CameraConfig(Address("0"), CORNERS), log=LogConfig(str(folder / "log.sqlite"))
        )
        self.table = LiveTable(config, camera=self._camera, reader=reader, now=lambda: self.t)
        self._step_t = self._health_t = self.t

    def pass_time(self, seconds: float) -> SourceHealth:
        ends = self.t + seconds
        while self.t < ends:
            self.t += PERIOD_S
            if self.t >= self._step_t:
                self._step_t = self.t + self._camera.step()
            self.table.eyes.watch_once(0.0)
            if self.t - self._health_t >= HEALTH_EVERY_S:
                self._health_t = self.t
                self.table.check_health()
            self.table.session.drain()
        return next(h for h in self.table.snapshot.health if h.name == "camera")


@pytest.fixture
def eyes(tmp_path: Path) -> Eyes:
    eyes = Eyes(tmp_path)
    health = eyes.pass_time(3.0)
    assert (health.status, health.says, health.zones) == ("live", NOTHING, ())
    return eyes


@pytest.mark.parametrize(
    ("fault", "status", "says", "why"),
    [
        ("lost", "lost", "unplugged", WhyUnseen.STALE),
        ("frozen", "stale", "frozen", WhyUnseen.STALE),
        ("dark", "covered", "in the dark", WhyUnseen.DARK),
        ("covered", "covered", "sees nothing", WhyUnseen.COVERED),
    ],
)
def test_a_fault_is_told_within_two_seconds_with_every_zone_and_goes_away(
    eyes: Eyes, fault: str, status: str, says: str, why: WhyUnseen
) -> None:
    eyes.source.fault = fault
    since = eyes.t
    health = eyes.pass_time(2.0)
    assert health.status == status
    assert says in health.says.en
    assert health.says.zh
    assert {gone.why for gone in health.zones} == {why}
    assert len(health.zones) == ZONES
    assert all(abs(gone.since_t - since) <= 2 * PERIOD_S for gone in health.zones)
    eyes.source.fault = ""
    health = eyes.pass_time(3.0)
    assert (health.status, health.says, health.zones) == ("live", NOTHING, ())


def test_a_lamp_that_is_switched_is_no_fault(eyes: Eyes) -> None:
    for fault in ("lamp", "", "lamp"):
        eyes.source.fault = fault
        for _ in range(5):
            health = eyes.pass_time(0.5)
            assert (health.status, health.says, health.zones) == ("live", NOTHING, ())


def test_what_a_person_corrected_is_not_asked_again_by_the_next_look() -> None:
    table = session()
    hear(table, WallReady(), BoardDice(0, (1, 2)))
    table.process(Observation(0.0, tuple(river(0, "1m"))))
    assert command(table, Correct(record(table).seq, Discarded(0, Tile.M7))) is None
    for t in range(20):
        table.process(Observation(float(t), tuple(river(0, "1m"))))
    assert table.snapshot.state.seats[0].river == (Tile.M7,)
    assert table.snapshot.state.questions == ()


def test_people_see_what_was_read_of_the_discards_and_nothing_over_a_hand(eyes: Eyes) -> None:
    shot, shown = eyes.table.eyes.shot(), eyes.table.eyes.picture()
    assert shot is not None
    assert shot.observation is not None
    assert shot.calibration is not None
    image = cv2.imdecode(np.frombuffer(shown or b"", np.uint8), cv2.IMREAD_COLOR)
    changed = np.abs(np.asarray(image, np.int16) - shot.image).max(axis=2) > 60
    written = set()
    for tile in shot.observation.tiles:
        x, y = (round(each) for each in shot.calibration.point(tile.x_mm, tile.y_mm))
        if changed[y - 12 : y + 13, x - 12 : x + 13].any():
            written.add(tile.zone.kind)
    assert written == {ZoneKind.RIVER} < {tile.zone.kind for tile in shot.observation.tiles}
