"""A real table run with a camera whose pictures tell the step of a simulated evening.

Camera, link, session, recorder: all as in the program; only the eyes are replaced by ones that make
no mistake, so that a hand takes seconds.
"""

import itertools
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from table_assist.languages.words import Words, same
from table_assist.live.live_table import LiveTable
from table_assist.live.recorder import Recorder
from table_assist.live.replay_folder import start_recording
from table_assist.record.record import Record
from table_assist.rules.profile import plain_profile
from table_assist.rules.ruleset import RuleSet
from table_assist.session.from_board import BoardSignal
from table_assist.session.session import Session
from table_assist.settings.config import Config
from table_assist.settings.edit import rules_of
from table_assist.twin.evening import play_evening
from table_assist.twin.lens import Lens
from table_assist.twin.scene import Scene
from table_assist.twin.table import TableStep, tapped
from table_assist.upkeep.demo import demo_config
from table_assist.vision.pictures.camera import Camera
from table_assist.vision.pictures.picture import Image
from table_assist.vision.pictures.sources import SourceKind
from table_assist.vision.reading.limits import Limits
from table_assist.vision.reading.read import Reader
from table_assist.vision.table.attention import Attention
from table_assist.vision.table.observation import Observation, SeenTile
from table_assist.vision.table.tile_tracker import TileTracker
from table_assist.vision.table.zones import Layout, ZoneKind, to_seat, zone_at
from tests.stages.linked_board import VirtualBoard

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


LOOKS = 3
BITS, SIDE = 16, 48
TIMEOUT_S = 20.0


def steps(seed: int = 4, hands: int = 1) -> list[TableStep]:
    return list(play_evening(seed, rules_of(Config()), hands=hands))


def picture_of(index: int) -> Image:
    """A picture from which `index_in` tells the number again."""
    grid = np.array([index >> bit & 1 for bit in range(BITS)], np.uint8).reshape(4, 4)
    grey = 60 + 140 * np.kron(grid, np.ones((SIDE, SIDE), np.uint8))
    grey[:: SIDE // 2, :] = 255  # something to be seen, whatever the number
    return np.repeat(grey[:, :, None], 3, axis=2).astype(np.uint8)


def index_in(image: Image) -> int:
    middles = image[SIDE // 3 :: SIDE, SIDE // 3 :: SIDE, 0]
    return sum(int(value > 130) << bit for bit, value in enumerate(middles.reshape(-1)))


class PerfectWatcher:
    """Stands where the watcher stands."""

    trouble = note = ""
    words = Words("", "")
    is_busy = True
    healed = 0
    lessons = None
    tile_mm, calibration = 26.0, None

    def __init__(self, evening: list[TableStep]) -> None:
        self._evening = evening
        self._steady = TileTracker(Limits.alike(0.9))
        self._counted = threading.Condition()
        self._looks: dict[int, int] = {}

    def attend(self, attention: Attention) -> None:
        """Nothing is remembered that would have to be read afresh."""

    def tend(self, image: Image, t: float) -> None:
        """The camera stands still."""

    def see(self, image: Image, t: float) -> Observation:
        index = index_in(image)
        seen = self._steady.update(observation(self._evening[index].scene, t))
        with self._counted:
            self._looks[index] = self._looks.get(index, 0) + 1
            self._counted.notify_all()
        return seen

    def wait(self, index: int) -> None:
        with self._counted:
            assert self._counted.wait_for(lambda: self._looks.get(index, 0) >= LOOKS, TIMEOUT_S)


class StepCamera:
    """Gives noisy pictures of the step that is set; each moves the clock on."""

    def __init__(self) -> None:
        self.index = 0
        self.t = 1_000.0
        self._noise = np.random.default_rng(1)
        self._pause = threading.Event()

    def now(self) -> float:
        return self.t

    def read(self) -> Image:
        self._pause.wait(0.004)
        self.t += 0.3
        image = picture_of(self.index)
        return np.clip(
            image.astype(np.int16) + self._noise.integers(0, 4, image.shape), 0, 255
        ).astype(np.uint8)


def use_perfect_eyes(
    monkeypatch: pytest.MonkeyPatch, evening: list[TableStep]
) -> list[PerfectWatcher]:
    """Every live table made from now on has them; the list gains each."""
    made: list[PerfectWatcher] = []

    def watcher_of(config: Config, reader: Reader) -> PerfectWatcher:
        made.append(PerfectWatcher(evening))
        return made[-1]

    monkeypatch.setattr("table_assist.live.live_table.watcher_of", watcher_of)
    return made


def no_reader() -> Reader:
    """A reader is wanted where a camera is; the perfect eyes do not ask it."""
    return Reader(None, None, Limits.alike(0.9))  # type: ignore[arg-type]


def record_evening(
    folder: Path,
    evening: list[TableStep],
    watchers: list[PerfectWatcher],
    *,
    then: Callable[[LiveTable], object] = lambda table: None,
    change: Callable[[Recorder, int], object] = lambda recorder, index: None,
) -> LiveTable:
    """Run the program at the table and record it in ``folder / "kept"``."""
    camera = StepCamera()
    with VirtualBoard(seed=1) as board:
        config = demo_config(Lens(), port=board.port, log=folder / "log.sqlite")
        recorder = start_recording(config, folder / "kept")
        kind = SourceKind(lambda: camera, same("the camera"), is_live=True)
        table = LiveTable(
            config,
            camera=Camera(kind, now=camera.now),
            reader=no_reader(),
            now=camera.now,
            recorder=recorder,
        )
        table.start()
        try:
            for index, step in enumerate(evening):
                change(recorder, index)
                for signal in step.signals:
                    board.happen(signal)
                for _ in patiently():
                    if not board.pending:
                        break
                camera.index = index
                watchers[0].wait(index)
            then(table)
        finally:
            table.stop()
    return table


def patiently() -> Iterator[int]:
    """As often as one may ask before giving up."""
    pause = threading.Event()
    for count in itertools.count():
        assert count < TIMEOUT_S / 0.002, "it did not come to hold"
        yield count
        pause.wait(0.002)
