"""The real program at a simulated table, with eyes that need no pictures to be drawn."""

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from firmware_bridge.events import EventContent
from firmware_bridge.link import LinkItem
from firmware_bridge.receiver import Reading
from table_assist.live.live_table import LiveTable
from table_assist.live.sight import TableEyes
from table_assist.record.commands import Undo
from table_assist.record.photographer import Shot
from table_assist.record.snapshot import SourceHealth
from table_assist.rules.ruleset import RuleSet
from table_assist.session.from_board import board_signal
from table_assist.settings.config import SeatsConfig
from table_assist.twin.lens import Lens
from table_assist.twin.scene import Scene
from table_assist.upkeep.demo import demo_config, make_renderer
from table_assist.vision.pictures.picture import jpeg
from table_assist.vision.reading.limits import Limits
from table_assist.vision.table.calibration import Calibration
from table_assist.vision.table.observation import Observation
from table_assist.vision.table.tile_tracker import TileTracker
from table_assist.vision.table.zones import Layout
from tests.stages.linked_board import VirtualBoard
from tests.stages.recorded_table import NAMES, observation

PICTURES_A_STEP = 3
PICTURE_S = 0.3
SURE = 0.9
LENS = Lens(size_wh=(1280, 720), px_per_mm=0.85)
HEARD_WITHIN_S = 30.0

Misread = Callable[[Observation], Observation]


class DrawnEyes(TableEyes):
    """What a camera would see, drawn when somebody asks for it."""

    def __init__(self, table: "DrivenTable") -> None:
        super().__init__(
            None, Layout(), time.time, table.session.put, lambda: table.session.attention, None
        )
        self._table = table

    def picture(self) -> bytes | None:
        """The table as a camera would see it now."""
        return jpeg(self._table.draw().image)

    def shot(self) -> Shot | None:
        """The same, to be kept."""
        return self._table.draw()

    def health(self) -> SourceHealth:
        """All is well."""
        return SourceHealth("camera", "live", last_t=time.time())


class DrivenTable(LiveTable):
    """What `table-assist run` starts, but for the camera: what lies there is told without error.

    The board speaks over a pseudo-terminal, the log and the evidence are on disk, and the pictures
    that are kept or asked for are drawn when they are.

    Attributes:
        scene: what lies on the table.
        folder: where its log lies; for what people keep of it, too.
        misread: what the eyes make of a table, where they err.
    """

    def __init__(self, rules: RuleSet, folder: Path, seed: int) -> None:
        self.scene = Scene()
        self.folder = folder
        self.misread: Misread | None = None
        self.board = VirtualBoard(seed=seed)
        self._renderer = make_renderer(rules, seed=seed, lens=LENS)
        self._drawing = threading.Lock()
        self._calibration_of_lens = Calibration(LENS.corners_px())
        self._steady = TileTracker(Limits.alike(SURE))
        self._camera_t = 0.0
        self._sent = self._heard = 0
        config = demo_config(LENS, port=self.board.port, log=folder / "table.sqlite", rules=rules)
        config = replace(config, seats=SeatsConfig(NAMES))
        super().__init__(config, camera=None, reader=None)
        self.eyes = DrawnEyes(self)

    def __enter__(self) -> "DrivenTable":
        self.board.__enter__()
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self.board.__exit__()

    # -- what happens at the table -----------------------------------------------------------------

    def show(self, scene: Scene) -> None:
        """Let it lie there, and be seen."""
        self.scene = scene
        for _ in range(PICTURES_A_STEP):
            self._camera_t += PICTURE_S
            seen = observation(scene, self._camera_t)
            self.session.put(self._steady.update(self.misread(seen) if self.misread else seen))

    def happen(self, signal: EventContent) -> None:
        """Let it happen at the board; returns when it was heard.

        Raises:
            TimeoutError: the line is broken.
        """
        self._sent += 1
        self.board.happen(signal)
        until = time.monotonic() + HEARD_WITHIN_S
        while self._heard < self._sent:
            if time.monotonic() > until:
                raise TimeoutError(f"the board's {signal} was not heard")
            time.sleep(0.002)

    def catch_up(self) -> None:
        """Return when all that was seen and heard so far is recorded."""
        self.session.preview(Undo(1 << 40))  # waits for its turn behind everything else

    # -- what stands in for the camera -------------------------------------------------------------

    def hear(self, item: LinkItem, acknowledge: Callable[[Reading], None]) -> None:
        """As `LiveTable.hear`, counted."""
        super().hear(item, acknowledge)
        if isinstance(item, Reading):
            signal = board_signal(item, acknowledge)
            self._heard += signal is not None and type(signal.content).__name__ != "Hello"

    def draw(self) -> Shot:
        with self._drawing:
            image = self._renderer.picture(self.scene)
        seen = observation(self.scene, self._camera_t)
        return Shot(time.time(), image, seen, self._calibration_of_lens)
