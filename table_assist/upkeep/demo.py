"""The demo: the program follows a simulated table, through a camera and a browser.

The program's side is what `table-assist run` starts. The simulated side draws what lies on the
table, and says what its keys, dice and wall do.
"""

import threading
import time
from pathlib import Path

from table_assist.languages.words import Words
from table_assist.live.live_table import LiveTable, ToldBoard
from table_assist.rules.ruleset import RuleSet
from table_assist.session.from_board import BoardSignal
from table_assist.settings import config as settings
from table_assist.trust.installation import Address
from table_assist.twin.evening import play_evening
from table_assist.twin.faces import load_faces
from table_assist.twin.lens import Lens
from table_assist.twin.looks import look_of
from table_assist.twin.render import Renderer
from table_assist.twin.river import RiverStyle
from table_assist.twin.scene import TABLE_MM, Scene
from table_assist.twin.table import Manners, tapped
from table_assist.vision.pictures.camera import Camera
from table_assist.vision.pictures.picture import Image
from table_assist.vision.pictures.sources import SourceKind
from table_assist.vision.reading.read import Reader

PICTURES_PER_S = 4.0
NAMES = ("Seat 1", "Seat 2", "Seat 3", "Seat 4")
PEOPLE = "the people at the table"  # who give the commands
SIMULATED = Words("the simulated camera", "模拟摄像头")
# Nobody watches longer; the evening is made up as it goes on.
HANDS = 10_000


# Where its camera may hang: straight above in two resolutions, or over seat 0's shoulder.
DEMO_CAMERAS = {
    "overhead": Lens(),
    "4k": Lens(size_wh=(3840, 2160), px_per_mm=2.56),
    "oblique": Lens(px_per_mm=1.16, height_mm=1500.0, tilt_deg=28.0),
}


class SimulatedCamera:
    """A camera above the simulated table: draws the scene that is set, a few times a second."""

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer
        self._due_s = time.monotonic()
        self.scene = Scene()

    def read(self) -> Image:
        """Wait until the next picture is due, and take it."""
        time.sleep(max(0.0, self._due_s - time.monotonic()))
        self._due_s = max(self._due_s, time.monotonic() - 1.0) + 1.0 / PICTURES_PER_S
        return self._renderer.picture(self.scene)


class Demo:
    """A simulated table and the program that follows it; a context manager.

    Args:
        faces: a folder of tile faces to dress the tiles in; None for the built-in ones.
        speed: how many times faster than people the simulated players are.
        camera: of `DEMO_CAMERAS`.
        heap: the simulated players throw their discards into the middle; the program is told so.
        vouches: as of `LiveTable`.
    """

    def __init__(
        self,
        rules: RuleSet,
        reader: Reader,
        *,
        log: Path,
        seed: int,
        speed: float = 1.0,
        faces: Path | None = None,
        hands: int = HANDS,
        camera: str = "overhead",
        heap: bool = False,
        vouches: str = "",
    ) -> None:
        lens, river = DEMO_CAMERAS[camera], RiverStyle.HEAP if heap else RiverStyle.ROWS
        self._camera = SimulatedCamera(make_renderer(rules, seed=seed, faces=faces, lens=lens))
        self._steps = play_evening(seed, rules, hands=hands, manners=Manners(river=river))
        self._speed = speed
        self._stop = threading.Event()
        self._players = threading.Thread(target=self._play, name="players", daemon=True)
        config = demo_config(lens, port="", log=log, rules=rules, river=river)
        kind = SourceKind(lambda: self._camera, SIMULATED, is_live=True)
        self.table = LiveTable(
            config, camera=Camera(kind), reader=reader, board=ToldBoard(), vouches=vouches
        )

    def __enter__(self) -> "Demo":
        self.table.start()
        self._players.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._players.join()
        self.table.stop()

    def _play(self) -> None:
        self._stop.wait(2.0)  # a real table is empty when the program starts
        for step in self._steps:
            for command in step.commands:
                said = tapped(command, self.table.snapshot.state)
                if said is not None:
                    self.table.submit(said, PEOPLE)
            self._camera.scene = step.scene
            for signal in step.signals:
                self.table.session.put(BoardSignal(signal))
            if self._stop.wait(step.seconds / self._speed):
                return


def make_renderer(
    rules: RuleSet, *, seed: int, faces: Path | None = None, lens: Lens | None = None
) -> Renderer:
    """The simulated camera's eye.

    Raises:
        FacesError: the faces lack a tile of the rule set.
    """
    drawn = load_faces(faces, needed=(*rules.kinds, *rules.bonus_tiles))
    return Renderer(drawn, look_of(seed), lens or Lens(), seed)


def demo_config(
    lens: Lens,
    *,
    port: str,
    log: Path,
    rules: RuleSet | None = None,
    river: RiverStyle = RiverStyle.ROWS,
    corners_px: settings.Corners | None = None,
) -> settings.Config:
    """The settings that a user of such a table would write.

    Args:
        corners_px: where the user sees the table's corners, if not exactly where they are.
    """
    played = (
        settings.RulesConfig()
        if rules is None
        else settings.RulesConfig(id=rules.id, options=dict(rules.chosen))
    )
    return settings.Config(
        rules=played,
        camera=settings.CameraConfig(
            Address("simulated"), corners_px or lens.corners_px(), TABLE_MM
        ),
        board=settings.BoardConfig(Address(port)),
        seats=settings.SeatsConfig(NAMES),
        log=settings.LogConfig(str(log)),
        zones=settings.ZonesConfig(river_style=river.value),
    )
