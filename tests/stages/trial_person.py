"""The twin plays the person: it lays what the script says, with a person's mistakes."""

import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from random import Random

from bench.live.disturb import DisturbedRenderer
from bench.live.evening import EveningTable, Said
from bench.live.eyes import StandInEyes
from table_assist.game.events import Attested, Discarded, Event
from table_assist.languages.words import Words
from table_assist.live.live_table import LiveTable
from table_assist.live.replay_folder import start_recording
from table_assist.record.commands import Command
from table_assist.record.log import Entry, Source
from table_assist.rules.registry import find_rules
from table_assist.rules.ruleset import RuleSet
from table_assist.settings.config import Config, RulesConfig
from table_assist.settings.edit import rules_of
from table_assist.twin.faces import load_faces
from table_assist.twin.lens import Lens
from table_assist.twin.looks import look_of
from table_assist.twin.moment import CameraMoment
from table_assist.twin.river import on_table
from table_assist.twin.scene import PlacedTile, Scene, reaching_arm
from table_assist.upkeep.demo import PICTURES_PER_S, SIMULATED, demo_config
from table_assist.upkeep.trial.courses import Instruction, Script, TrialAct
from table_assist.upkeep.trial.script import Mark, Marked, Progress, begun, make_script
from table_assist.upkeep.trial.service import TRIAL_LOG, TrialService, next_recording, trial_config
from table_assist.vision.pictures.camera import Camera
from table_assist.vision.pictures.picture import Image
from table_assist.vision.pictures.sources import SourceKind
from table_assist.vision.reading.limits import Limits
from table_assist.vision.reading.read import Reader, open_reader
from table_assist.vision.table.attention import Attention
from table_assist.vision.table.observation import Observation
from table_assist.vision.table.tile_tracker import TileTracker
from tests.stages.recorded_table import observation

PICTURE_S = 0.4
MOST_S = 3.0


@dataclass(frozen=True, slots=True)
class Mistakes:
    """Which of the discards of the short hand, from 0, go wrong how.

    Attributes:
        wrong_tile: another tile than the script's is laid, and nobody notices.
        forgotten: it is not laid, and "done" is tapped.
        arm_stays: an arm lies over the next seat's discards until the discard after it.
    """

    wrong_tile: int | None = None
    forgotten: int | None = None
    arm_stays: int | None = None


NO_MISTAKES = Mistakes()


@dataclass(slots=True)
class TrialPerson:
    """Lays a script's steps one after the other.

    Attributes:
        wrong: the steps that were not laid as the script says, and what became of each; the twin
            knows them and nobody else does.
    """

    script: Script
    mistakes: Mistakes = NO_MISTAKES
    wrong: dict[int, str] = field(default_factory=dict)
    _instead: dict[PlacedTile, PlacedTile | None] = field(default_factory=dict)
    _arm: int | None = None
    _discards: int = 0

    def lay(self, number: int) -> CameraMoment:
        """How the table looks when the step is laid."""
        step = self.script.steps[number]
        before = self.script.steps[number - 1].look.scene if number else Scene()
        if step.act == "hand" and any(isinstance(e, Discarded) for e in step.events):
            self._err(number, step, before)
            self._discards += 1
        look = step.look
        tiles = [self._instead.get(tile, tile) for tile in look.scene.tiles]
        scene = replace(look.scene, tiles=tuple(tile for tile in tiles if tile is not None))
        if self._arm is not None:
            x, y = on_table(self._arm, 0, 75)
            scene = replace(scene, covers=(*scene.covers, *reaching_arm(self._arm, x, y)))
        return replace(look, scene=scene)

    def moments(self, number: int) -> Iterator[CameraMoment]:
        """The same, as a camera meets it until the next step."""
        look = self.lay(number)
        seconds = min(max(look.seconds, 3 * PICTURE_S), MOST_S if not look.scene.covers else 6.0)
        pictures = round(seconds / PICTURE_S)
        for _ in range(pictures):
            yield replace(look, seconds=seconds / pictures)

    def _err(self, number: int, step: Instruction, before: Scene) -> None:
        new = [tile for tile in step.look.scene.tiles if tile not in before.tiles]
        mistakes, at = self.mistakes, self._discards
        if self._arm is not None:
            self._arm = None
        if at == mistakes.wrong_tile and new:
            faces = sorted({tile.tile for tile in self.script.steps[-1].look.scene.tiles} | {
                face for each in self.script.steps for face in each.tiles
            })  # fmt: skip
            others = [face for face in faces if face is not new[0].tile and face.is_suited]
            other = Random(self.script.seed).choice(others)
            self._instead[new[0]] = replace(new[0], tile=other)
            self.wrong[number] = f"{other}"
        elif at == mistakes.forgotten and new:
            self._instead[new[0]] = None
            self.wrong[number] = ""
        elif at == mistakes.arm_stays and step.seat is not None:
            self._arm = (step.seat + 1) % 4


NAMES = ("Ann", "Bo", "Chen", "Du")
SHORTEST = 8  # events


def rules_named(id: str) -> RuleSet:
    return find_rules(id)


@cache
def script(
    id: str = "wanzhou", seed: int = 1, acts: tuple[TrialAct, ...] = tuple(TrialAct), most: int = 40
) -> Script:
    return make_script(rules_named(id), seed, acts, most=most)


class PerfectEyes:
    """Sees every tile as it is, whatever lies over it."""

    def __init__(self) -> None:
        self._steady = TileTracker(Limits.alike(0.9))

    def attend(self, attention: Attention) -> None:
        """It sees everything."""

    def look(self, moment: CameraMoment, t: float) -> Observation:
        return self._steady.update(observation(moment.scene, t))


class Table:
    """Stands for a followed table: keeps what it was told."""

    def __init__(self) -> None:
        self.told: list[tuple[Command, str]] = []
        self.refuses: Words | None = None
        self._entries: list[Entry] = []

    def submit(self, command: Command, by: str = "", key: str = "") -> Words | None:
        if self.refuses is None:
            self.told.append((command, key))
        return self.refuses

    def vouch(self, said: Attested) -> None:
        seq = len(self._entries) + 1
        self._entries.append(Entry(seq, float(seq), Source.RULES, said))

    def see(self, event: Event) -> None:
        seq = len(self._entries) + 1
        self._entries.append(Entry(seq, float(seq), Source.CAMERA, event))

    def entries(self) -> tuple[Entry, ...]:
        return tuple(self._entries)


TAP_S = 0.5  # from the last picture of a step until "done" is tapped


@dataclass(frozen=True, slots=True)
class LaidTrial:
    """A trial that was laid.

    Attributes:
        entries: of the session's log.
        person: knows which steps were laid wrongly.
    """

    progress: Progress
    entries: tuple[Entry, ...]
    person: TrialPerson


def lay_trial(
    rules: RuleSet, eyes: StandInEyes, script: Script, mistakes: Mistakes = NO_MISTAKES
) -> LaidTrial:
    """Lay every step before these eyes."""
    table = EveningTable(rules, eyes, seed=script.seed)
    person = TrialPerson(script, mistakes)
    marks = []
    for number, step in enumerate(script.steps):
        for tap in step.taps:
            table.take(Said(table.clock.t, tap))
        table.watch(person.moments(number))
        table.clock.t += TAP_S
        marks.append(Marked(table.clock.t, number, Mark.DONE))
    return LaidTrial(Progress(marks=tuple(marks)), tuple(table.record.entries), person)


LEAST_LOOKS = 4  # at what was laid, the ones on their way included
MOST_PACE = 2.5  # times the pictures of a usual camera: what looks five times a second needs them
TRIES = 3  # at what the table refuses, before the twin goes on


class _LaidCamera:
    """A camera above the simulated table: draws what the twin has laid."""

    def __init__(self, pictures: DisturbedRenderer, pace: float) -> None:
        self._pictures = pictures
        self._every_s = 1.0 / (PICTURES_PER_S * min(max(pace, 1.0), MOST_PACE))
        self._due_s = time.monotonic()
        self.moment = CameraMoment(Scene(), 0.0)

    def read(self) -> Image:
        """Wait until the next picture is due, and take it."""
        time.sleep(max(0.0, self._due_s - time.monotonic()))
        self._due_s = max(self._due_s, time.monotonic() - 1.0) + self._every_s
        return self._pictures.picture(self.moment)


NEAR = Lens((1280, 720), 0.87)  # a small picture is read in half the time


class TrialDemo:
    """A trial at a drawn table where the twin plays the person; a context manager.

    Args:
        speed: how many times as fast as a person the twin is; 0: it waits for `lay`.
    """

    def __init__(
        self,
        rules: RuleSet,
        folder: Path,
        *,
        seed: int,
        acts: tuple[TrialAct, ...],
        most: int,
        speed: float = 1.0,
        mistakes: Mistakes = NO_MISTAKES,
        reader: Reader | None = None,
        lens: Lens | None = None,
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        faces = load_faces(needed=(*rules.kinds, *rules.bonus_tiles))
        # The table's holdings must not lead here: here is the script.
        lens = lens or Lens()
        camera = self.camera = _LaidCamera(
            DisturbedRenderer(faces, look_of(seed), lens, seed), speed
        )
        config = demo_config(lens, port="", log=folder / TRIAL_LOG, rules=rules)
        config = trial_config(config, folder)
        eyes = reader or open_reader()
        source = SourceKind(lambda: camera, SIMULATED, is_live=True)
        self.table = LiveTable(
            config,
            camera=Camera(source),
            reader=eyes,
            recorder=start_recording(config, next_recording(folder)),
        )
        begin = begun(rules, seed, acts, has_board=False, most=most)
        a, b, c, d = config.seats.names
        self.desk = TrialService(folder, rules, begin, self.table, (a, b, c, d))
        self.person = TrialPerson(self.desk.script, mistakes)
        self._speed = speed
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._play, name="person", daemon=True)

    def __enter__(self) -> "TrialDemo":
        self.table.start()
        self.desk.start()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        self.table.stop()

    @property
    def is_over(self) -> bool:
        """Nothing is left to lay."""
        return self.desk.is_over

    def _play(self) -> None:
        at, tries, looked = -1, 0, 0
        while self._speed and not self._stop.wait(0.2):
            if self.is_over:
                return
            progress = self.desk.progress
            if progress.is_paused:
                continue
            if progress.step != at:
                at, tries = progress.step, 0
                self.camera.moment = self.person.lay(at)
                looked = self.table.eyes.looked
            if self.table.eyes.looked < looked + LEAST_LOOKS:  # the twin is no faster than the eyes
                continue
            if self._stop.wait(max(self.camera.moment.seconds, 1.5) / self._speed):
                return
            if self.desk.do("done", at) is not None:
                tries += 1
                if tries == TRIES:
                    self.desk.do("skip", at)


def main(folder: Path) -> None:
    """A short trial of wanzhou, to its report; a killed one is gone on with."""
    rules = rules_of(Config(rules=RulesConfig(id="wanzhou")))
    demo = TrialDemo(rules, folder, seed=1, acts=(TrialAct.HAND,), most=8, speed=50.0, lens=NEAR)
    with demo:
        while not demo.is_over:
            print(demo.desk.progress.step, flush=True)
            time.sleep(0.2)
        demo.desk.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
