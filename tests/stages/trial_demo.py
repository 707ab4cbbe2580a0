"""A trial at a drawn table, where the twin plays the person."""

import sys
import threading
import time
from pathlib import Path

from table_assist.live.live_table import LiveTable
from table_assist.live.replay_folder import start_recording
from table_assist.rules.ruleset import RuleSet
from table_assist.settings.config import Config, RulesConfig
from table_assist.settings.edit import rules_of
from table_assist.twin.demo.demo import PICTURES_PER_S, SIMULATED, demo_config
from table_assist.twin.disturb import CameraMoment, DisturbedRenderer
from table_assist.twin.faces import load_faces
from table_assist.twin.lens import Lens
from table_assist.twin.looks import look_of
from table_assist.twin.render import Renderer
from table_assist.twin.scene import Scene
from table_assist.upkeep.trial.courses import TrialAct
from table_assist.upkeep.trial.script import begun
from table_assist.upkeep.trial.service import LOG, TrialService, next_recording, trial_config
from table_assist.vision.pictures.camera import Camera
from table_assist.vision.pictures.picture import Image
from table_assist.vision.pictures.sources import SourceKind
from table_assist.vision.reading.read import Reader, open_reader
from tests.stages.trial_person import NO_MISTAKES, Mistakes, TrialPerson

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

        def make(lens: Lens) -> Renderer:
            return Renderer(faces, look_of(seed), lens, seed)

        # The table's holdings must not lead here: here is the script.
        lens = lens or Lens()
        camera = self.camera = _LaidCamera(DisturbedRenderer(make, lens, seed), speed)
        config = demo_config(lens, port="", log=folder / LOG, rules=rules)
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
    demo = TrialDemo(rules, folder, seed=1, acts=(TrialAct.HAND,), most=8, speed=50.0)
    with demo:
        while not demo.is_over:
            print(demo.desk.progress.step, flush=True)
            time.sleep(0.2)
        demo.desk.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
