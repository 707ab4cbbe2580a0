"""``python -m bench live speed``: the running program under a 4K camera, 30 pictures a second.

All threads run, by the clock. The pictures are drawn beforehand and handed over undamaged and
decoded: what a camera's driver and its compression cost comes on top and is told beside it.
"""

import argparse
import json
import os
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from bench.counting import CountingDetector
from bench.reading import machine_name
from table_assist.contract.commands import StartHand
from table_assist.game.events import Discarded, HandStarted
from table_assist.languages.words import same
from table_assist.live.live_table import LiveTable
from table_assist.rules.registry import find_rules
from table_assist.rules.ruleset import RuleSet
from table_assist.settings.config import RulesConfig
from table_assist.twin.demo.demo import demo_config
from table_assist.twin.evening import play_evening
from table_assist.twin.faces import load_faces
from table_assist.twin.lens import Lens
from table_assist.twin.looks import look_of
from table_assist.twin.render import Renderer
from table_assist.twin.scene import Scene, reaching_arm
from table_assist.twin.steps import TableStep
from table_assist.vision.pictures.camera import Camera, Picture
from table_assist.vision.pictures.picture import Image
from table_assist.vision.pictures.sources import SourceKind
from table_assist.vision.reading.read import Reader, open_reader
from table_assist.vision.reading.tiling import find_all

LENS = Lens(size_wh=(3840, 2160), px_per_mm=2.6)
PICTURES_PER_S = 30.0
VARIANTS = 3  # pictures of one scene, each with its own noise, in turn
ARM_S, PAUSE_S = 0.4, 1.2
IDLE_S = 20.0
EVENT_TIMEOUT_S = 10.0
SEED = 7


@dataclass(frozen=True, slots=True)
class LiveSpeed:
    """The measured times.

    Attributes:
        wall_ms: for each discard, from its first picture at rest to the published snapshot.
        processing_ms: of that, without the time in which the next picture was waited for.
        cpu_ms: processor time of the whole program in the same span, all threads together.
        missed: discards that did not become an event in time.
        idle_share: processor seconds a second while nothing happens at the table.
        passes: of the detector in the whole run.
        passes_whole: that reading every picture whole would have taken.
        decode_ms: of processor, what decoding one picture from JPEG takes.
        load: of the machine, over the last minute, before and after.
    """

    machine: str
    cores: int
    date: str
    wall_ms: tuple[float, ...]
    processing_ms: tuple[float, ...]
    cpu_ms: tuple[float, ...]
    missed: int
    idle_share: float
    pictures: int
    passes: int
    passes_whole: int
    decode_ms: float
    load: tuple[float, float]

    @property
    def less_work(self) -> float:
        """How many times less the detector has to do than to read every picture whole."""
        return self.passes_whole / max(self.passes, 1)


def run(options: argparse.Namespace) -> int:
    """Measure; returns the exit code."""
    speed = measure_speed(find_rules((options.rules or ["changsha"])[0]), min(options.hands, 40))
    if options.json:
        print(json.dumps(asdict(speed) | {"less_work": speed.less_work}))
        return 0
    print(f"{speed.machine}, {speed.cores} cores, {speed.date} UTC, load {speed.load}")
    print(
        f"  discard at rest to published event, {len(speed.wall_ms)} discards, {speed.missed} not "
        f"in time: by the clock median {_part(speed.wall_ms, 50):.0f} ms, p95 "
        f"{_part(speed.wall_ms, 95):.0f} ms; without waiting for pictures median "
        f"{_part(speed.processing_ms, 50):.0f} ms, p95 {_part(speed.processing_ms, 95):.0f} ms; "
        f"of processor, all threads, median {_part(speed.cpu_ms, 50):.0f} ms, p95 "
        f"{_part(speed.cpu_ms, 95):.0f} ms"
    )
    print(f"  idle table: {speed.idle_share:.1%} of one core")
    print(
        f"  detector: {speed.passes} passes in {speed.pictures} pictures; reading each whole "
        f"{speed.passes_whole}: {speed.less_work:.0f} times more"
    )
    print(f"  decoding one such picture from JPEG would take {speed.decode_ms:.0f} ms of processor")
    return 0


def measure_speed(rules: RuleSet, discards: int) -> LiveSpeed:
    """Follow so many discards of one hand, then an idle table."""
    load = os.getloadavg()[0]
    reader = open_reader()
    counting = CountingDetector(reader.detector)
    source = PacedSource()
    renderer = Renderer(load_faces(needed=rules.kinds), look_of(SEED), LENS, SEED)
    with tempfile.TemporaryDirectory(prefix="table-assist-") as folder:
        camera = TimedCamera(source)
        table = _table(rules, replace(reader, detector=counting), camera, Path(folder))
        steps = _steps_of_play(rules)
        source.show(_pictures(renderer, steps[0].scene))
        table.start()
        try:
            time.sleep(2.0)
            (started,) = (e for e in steps[0].events if isinstance(e, HandStarted))
            table.submit(StartHand(started.dealer))
            measured = _follow(table, camera, source, renderer, steps[1:], discards)
            idle = _idle_share()
        finally:
            table.stop()
    whole = CountingDetector(reader.detector)
    image = renderer.picture(steps[-1].scene)
    find_all(whole, image)
    seen = [each for each in measured if each is not None]
    return LiveSpeed(
        machine=machine_name(),
        cores=os.cpu_count() or 1,
        date=time.strftime("%Y-%m-%d %H:%M", time.gmtime()),
        wall_ms=tuple(round(each.wall_ms, 1) for each in seen),
        processing_ms=tuple(round(each.wall_ms - each.waited_ms, 1) for each in seen),
        cpu_ms=tuple(round(each.cpu_ms, 1) for each in seen),
        missed=len(measured) - len(seen),
        idle_share=round(idle, 3),
        pictures=source.pictures,
        passes=counting.passes,
        passes_whole=source.pictures * whole.passes,
        decode_ms=round(_decode_ms(image), 1),
        load=(round(load, 2), round(os.getloadavg()[0], 2)),
    )


@dataclass(frozen=True, slots=True)
class SpeedSeen:
    """How long a discard took, from its first picture at rest to the snapshot that has it."""

    wall_ms: float
    waited_ms: float
    cpu_ms: float


class TimedCamera(Camera):
    """A camera that knows how long its reader has waited for pictures.

    Attributes:
        waited_s: since the newest pictures were shown.
    """

    def __init__(self, source: "PacedSource") -> None:
        super().__init__(SourceKind(lambda: source, same("the simulated camera"), is_live=True))
        self.waited_s = 0.0
        self._paced = source
        self._of_s = 0.0

    def next_picture(self, timeout_s: float | None = None) -> Picture | None:
        """As the camera's."""
        began_s = time.monotonic()
        picture = super().next_picture(timeout_s)
        first_s = self._paced.first_s
        if self._of_s != first_s:
            self._of_s, self.waited_s = first_s, 0.0
        self.waited_s += max(0.0, time.monotonic() - max(began_s, first_s))
        return picture


class PacedSource:
    """A camera that gives a picture each thirtieth of a second, from those it was given.

    Attributes:
        pictures: how many were given, or passed over.
        first_s: when the first of the newest pictures was given, by the steady clock.
        first_cpu_s: the program's processor time then.
    """

    def __init__(self) -> None:
        self.pictures = 0
        self.first_s = self.first_cpu_s = 0.0
        self._images: Sequence[Image] = ()
        self._is_new = False
        self._due_s = time.monotonic()
        self._lock = threading.Lock()

    def show(self, images: Sequence[Image]) -> None:
        """From now on these, in turn."""
        with self._lock:
            self._images, self._is_new = images, True

    def read(self) -> Image:
        """The next picture, when it is due."""
        self._wait()
        with self._lock:
            if self._is_new:
                self._is_new = False
                self.first_s, self.first_cpu_s = time.monotonic(), time.process_time()
            return self._images[self.pictures % len(self._images)]

    def skip(self) -> bool:
        """Let one go by."""
        self._wait()
        return True

    def _wait(self) -> None:
        self._due_s = max(self._due_s + 1 / PICTURES_PER_S, time.monotonic() - 0.2)
        time.sleep(max(0.0, self._due_s - time.monotonic()))
        self.pictures += 1


def _table(rules: RuleSet, reader: Reader, camera: TimedCamera, folder: Path) -> LiveTable:
    config = replace(
        demo_config(LENS, port="", log=folder / "log.sqlite"), rules=RulesConfig(id=rules.id)
    )
    return LiveTable(config, camera=camera, reader=reader)


def _steps_of_play(rules: RuleSet) -> list[TableStep]:
    """From the dealt hand on."""
    steps = list(play_evening(SEED, rules, hands=1))
    first = next(
        number
        for number, step in enumerate(steps)
        if any(isinstance(event, HandStarted) for event in step.events)
    )
    return steps[first:]


def _follow(
    table: LiveTable,
    camera: TimedCamera,
    source: PacedSource,
    renderer: Renderer,
    steps: Sequence[TableStep],
    discards: int,
) -> list[SpeedSeen | None]:
    measured: list[SpeedSeen | None] = []
    for step in steps:
        if len(measured) >= discards:
            break
        after = _pictures(renderer, step.scene)
        if step.reach is not None:
            arm = reaching_arm(step.reach.seat, step.reach.x_mm, step.reach.y_mm)
            source.show(_pictures(renderer, replace(step.scene, covers=arm)))
            time.sleep(ARM_S)
        known = _discards(table)
        source.show(after)
        if any(isinstance(event, Discarded) for event in step.events):
            measured.append(_await_discard(table, camera, source, known))
        time.sleep(PAUSE_S)
    return measured


def _await_discard(
    table: LiveTable, camera: TimedCamera, source: PacedSource, known: int
) -> SpeedSeen | None:
    """How long the newest discard took; None: it did not come."""
    until, version = time.monotonic() + EVENT_TIMEOUT_S, table.version
    while time.monotonic() < until:
        if _discards(table) > known:
            wall, cpu = time.monotonic(), time.process_time()
            return SpeedSeen(
                1000 * (wall - source.first_s),
                1000 * camera.waited_s,
                1000 * (cpu - source.first_cpu_s),
            )
        if table.wait(version, 0.05) is not None:
            version = table.version
    return None


def _discards(table: LiveTable) -> int:
    return sum(seat.discards for seat in table.snapshot.state.seats)


def _pictures(renderer: Renderer, scene: Scene) -> list[Image]:
    return [renderer.picture(scene) for _ in range(VARIANTS)]


def _idle_share() -> float:
    time.sleep(3.0)
    cpu, wall = time.process_time(), time.monotonic()
    time.sleep(IDLE_S)
    return (time.process_time() - cpu) / (time.monotonic() - wall)


def _decode_ms(image: Image) -> float:
    _, packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 90])
    times = []
    for _ in range(5):
        before = time.process_time()
        cv2.imdecode(packed, cv2.IMREAD_COLOR)
        times.append(1000 * (time.process_time() - before))
    return min(times)


def _part(values: Sequence[float], percent: float) -> float:
    return float(np.percentile(values, percent)) if values else float("nan")
