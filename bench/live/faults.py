"""``python -m bench live faults``: what befalls a camera in the middle of a hand.

The running program without its threads, on simulated time: camera, reader, session and log are the
real ones, the pictures are drawn. Play goes on while the camera sees nothing or something wrong.
"""

import argparse
import json
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from pathlib import Path

import numpy as np

from bench.live.evening import Clock
from bench.live.wire import SimulatedWire
from firmware_bridge.receiver import Reading
from table_assist.game.events import Event
from table_assist.languages.words import same
from table_assist.live.live_table import HEALTH_EVERY_S, LiveTable
from table_assist.record.record import Record
from table_assist.record.store import Store
from table_assist.rules.registry import find_rules
from table_assist.rules.ruleset import RuleSet
from table_assist.settings.config import Config, RulesConfig
from table_assist.twin.demo.compare import HandFigures, compare
from table_assist.twin.demo.demo import demo_config
from table_assist.twin.disturb import BUMP_MM, CameraMoment, Spoiled
from table_assist.twin.disturb_pictures import DisturbedRenderer
from table_assist.twin.evening import play_evening
from table_assist.twin.faces import load_faces
from table_assist.twin.lens import Lens
from table_assist.twin.looks import look_of
from table_assist.twin.render import Renderer
from table_assist.twin.scene import Scene
from table_assist.twin.steps import TableStep, tapped
from table_assist.vision.pictures.camera import Camera
from table_assist.vision.pictures.picture import Image
from table_assist.vision.pictures.sources import CameraError, SourceKind
from table_assist.vision.reading.read import Reader, open_reader

PERIOD_S = 0.25
LASTS_S = 6.0
BEGINS_AT = 24  # step of the hand
LEAST_STEPS, HANDS_LOOKED_AT = 40, 12  # of these the shortest is played, that long at least
WANTED_S = 2.0


class CameraFault(StrEnum):
    """The faults of a camera."""

    FROZEN = "frozen"
    BUMPED = "table bumped by 3 cm"
    LOST = "lost"
    COVERED = "covered"
    TINTED = "wrong white balance"
    MOVED = "camera moved and turned"


@dataclass(frozen=True, slots=True)
class Noticed:
    """One fault in one hand.

    Attributes:
        after_s: from the fault until the camera's health said something; None: never.
        said: what it said.
    """

    fault: CameraFault
    after_s: float | None
    said: str
    figures: HandFigures

    @property
    def holds(self) -> bool:
        """Noticed in time, and the hand is settled as it should be, without a question."""
        in_time = self.after_s is not None and self.after_s <= WANTED_S
        return in_time and self.figures.is_right and not self.figures.questions

    @property
    def line(self) -> str:
        """The figures in one line."""
        when = "NEVER NOTICED" if self.after_s is None else f"noticed after {self.after_s:.2f} s"
        figures = self.figures
        ledger = "right" if figures.is_right else f"{figures.ledger} for {figures.truth}"
        return (
            f"{self.fault}: {when} ({self.said}); then {figures.events_right} of "
            f"{figures.events_true} events right, ledger {ledger}, "
            f"{len(figures.questions)} questions {list(figures.questions)[:2]}"
        )


class FaultySource:
    """A simulated camera that can be harmed.

    Attributes:
        scene: what lies on the table now.
        fault: what befalls it now.
    """

    def __init__(self, pictures: DisturbedRenderer, moved: Renderer) -> None:
        self.scene = Scene()
        self.fault: CameraFault | None = None
        self._pictures = pictures
        self._moved = moved
        self._latest: Image | None = None

    def read(self) -> Image:
        """The next picture.

        Raises:
            CameraError: it is lost.
        """
        match self.fault:
            case CameraFault.LOST:
                raise CameraError.of(same("the simulated camera was unplugged"))
            case CameraFault.FROZEN if self._latest is not None:
                return self._latest
            case CameraFault.MOVED:
                image = self._moved.picture(self.scene)
            case _:
                image = self._pictures.picture(self._moment())
        if self.fault is CameraFault.COVERED:
            image = np.asarray(image // 40, np.uint8)
        self._latest = image
        return image

    def _moment(self) -> CameraMoment:
        tinted = self.fault is CameraFault.TINTED
        bumped = self.fault is CameraFault.BUMPED
        return CameraMoment(
            self.scene,
            PERIOD_S,
            spoiled=Spoiled.TINTED if tinted else Spoiled.CLEAR,
            moved_mm=(BUMP_MM, 0.0) if bumped else (0.0, 0.0),
        )


class FaultyTable:
    """The program above a simulated table, one camera period after the other."""

    def __init__(self, rules: RuleSet, reader: Reader, log: Path, seed: int) -> None:
        self.clock = Clock()
        lens = Lens()

        def make(where: Lens) -> Renderer:
            return Renderer(load_faces(needed=rules.kinds), look_of(seed), where, seed)

        moved = make(replace(lens, aim_mm=(25.0, -45.0), turn_deg=3.0))
        self.source = FaultySource(DisturbedRenderer(make, lens, seed), moved)
        kind = SourceKind(lambda: self.source, same("the simulated camera"), is_live=True)
        settings = demo_config(lens, port="", log=log)
        self._config: Config = replace(settings, rules=RulesConfig(id=rules.id, settle_after_s=0.0))
        self._camera = Camera(kind, stale_s=self._config.camera.stale_s, now=self.clock)
        self.table = LiveTable(self._config, camera=self._camera, reader=reader, now=self.clock)
        self.wire = SimulatedWire(seed, self.clock, self._hear)
        self._next_step_t = 0.0
        self._health_t = 0.0

    def pass_time(self, seconds: float) -> None:
        """So many seconds at the table, as they are."""
        until = self.clock.t + seconds
        while self.clock.t < until:
            self.clock.t += PERIOD_S
            self.wire.serve()
            if self.clock.t >= self._next_step_t:
                self._next_step_t = self.clock.t + self._camera.step()
            self.table.eyes.watch_once(0.0)
            if self.clock.t - self._health_t >= HEALTH_EVERY_S:
                self._health_t = self.clock.t
                self.table.check_health()
            self.table.session.drain()

    def tap(self, step: TableStep) -> None:
        """Tap as people do in a step."""
        for command in step.commands:
            said = tapped(command, self.table.snapshot.state)
            if said is not None:
                self.table.session.put_command(said)
                self.table.session.drain()

    @property
    def trouble(self) -> str:
        """The complaint of the camera's health; empty when all is well."""
        health = next((h for h in self.table.snapshot.health if h.name == "camera"), None)
        if health is None or (health.status == "live" and not health.says and not health.zones):
            return ""
        return f"{health.status}: {health.says.en or f'{len(health.zones)} zones not seen'}"

    def _hear(self, reading: Reading) -> None:
        self.table.hear(reading, self.wire.acknowledge)
        self.table.session.drain()


def run(options: argparse.Namespace) -> int:
    """Try every fault in a hand of its own; returns the exit code."""
    reader = open_reader()
    rules = find_rules((options.rules or ["changsha"])[0])
    failed = 0
    for number, fault in enumerate(CameraFault):
        with tempfile.TemporaryDirectory(prefix="table-assist-") as folder:
            log = Path(folder) / "log.sqlite"
            noticed = try_fault(rules, reader, log, fault, options.seed + 20 * number)
        failed += not noticed.holds
        text = json.dumps(asdict(noticed), ensure_ascii=False) if options.json else noticed.line
        print(text, flush=True)
    return 1 if failed else 0


def try_fault(rules: RuleSet, reader: Reader, log: Path, fault: CameraFault, seed: int) -> Noticed:
    """Play one hand with one fault in its middle."""
    seed, steps = _short_hand(rules, seed)
    there = FaultyTable(rules, reader, log, seed)
    began_t: float | None = None
    after_s: float | None = None
    said = ""
    stays = fault in (CameraFault.BUMPED, CameraFault.MOVED)
    for number, step in enumerate(steps):
        if number == min(BEGINS_AT, len(steps) // 2):
            there.source.fault, began_t = fault, there.clock.t
        there.tap(step)
        for signal in step.signals:
            there.wire.happen(signal)
        there.source.scene = step.scene
        left = max(step.seconds, PERIOD_S)
        while left > 0:
            there.pass_time(PERIOD_S)
            left -= PERIOD_S
            if began_t is None:
                continue
            if after_s is None and there.trouble:
                after_s, said = there.clock.t - began_t, there.trouble
            if not stays and there.clock.t - began_t >= LASTS_S:
                there.source.fault = None
    truth = [event for step in steps for event in step.events]
    there.table.close()
    return Noticed(fault, after_s, said, _figures(rules, seed, truth, log))


def _short_hand(rules: RuleSet, seed: int) -> tuple[int, list[TableStep]]:
    hands = [
        (other, list(play_evening(other, rules, hands=1)))
        for other in range(seed, seed + HANDS_LOOKED_AT)
    ]
    long = [hand for hand in hands if len(hand[1]) >= LEAST_STEPS] or hands
    return min(long, key=lambda hand: len(hand[1]))


def _figures(rules: RuleSet, seed: int, truth: Sequence[Event], log: Path) -> HandFigures:
    with Store(log) as store:
        return compare(rules.id, seed, 1, truth, Record(store, lambda: 0.0), 0)
