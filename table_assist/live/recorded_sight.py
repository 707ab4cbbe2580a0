"""The several cameras of a recorded table: the recording says whose turn it is."""

from pathlib import Path

from table_assist.languages.words import NOTHING
from table_assist.live.joined_eyes import JoinedEyes
from table_assist.live.sight import Turn
from table_assist.settings.build import kept_watcher
from table_assist.settings.config import Config
from table_assist.vision.pictures.camera import CameraHealth, CameraStatus, Picture
from table_assist.vision.reading.read import Reader
from table_assist.vision.table.attention import Attention
from table_assist.vision.table.calibration import Calibration, load_calibration
from table_assist.vision.table.observation import Observation
from table_assist.vision.table.unseen import WhyUnseen


class RecordedSight:
    """As `Sight`; nobody is shown its pictures.

    Attributes:
        turn: of the moment that is followed.
    """

    shown = None
    words = figures = NOTHING

    def __init__(self, config: Config, reader: Reader) -> None:
        self._config, self._reader = config, reader
        self._eyes = JoinedEyes()
        self.turn = Turn()

    def place(self, camera: str, calibration: Path | None) -> None:
        """Where the table lies in a camera's pictures from now on.

        Raises:
            CalibrationError: the file is damaged.
        """
        watcher = None
        if calibration is not None:
            kept = load_calibration(calibration)
            watcher = kept_watcher(self._config, self._reader, kept)
        self._eyes.place(camera, watcher)

    @property
    def own(self) -> Observation | None:
        """As `Sight`, as with all below."""
        eye = self._eyes.eye(self.turn.camera)
        return None if eye is None else eye.own

    @property
    def calibration(self) -> Calibration | None:
        """Where the table was."""
        eye = self._eyes.eye(self.turn.camera)
        return None if eye is None else eye.watcher.calibration

    @property
    def certain_calibration(self) -> Calibration | None:
        """Where the table surely was."""
        eye = self._eyes.eye(self.turn.camera)
        return None if eye is None else eye.watcher.certain_calibration

    @property
    def is_lost(self) -> bool:
        """None of them knew where the table lay."""
        return self._eyes.is_lost

    @property
    def healed(self) -> int:
        """Second looks."""
        return self._eyes.healed

    @property
    def tile_mm(self) -> float:
        """How wide tiles are."""
        return self._eyes.tile_mm

    def start(self) -> None:
        """Nothing starts here."""

    def close(self) -> None:
        """Nor ends."""

    def next_picture(self, wait_s: float) -> Picture | None:
        """Pictures are handed to the table."""
        return None

    def hidden(self) -> WhyUnseen | None:
        """The recording says it."""
        return None

    def attend(self, attention: Attention) -> None:
        """Take over what is decisive."""
        self._eyes.attend(attention)

    def see(self, picture: Picture) -> Observation | None:
        """The observation of all together."""
        return self._eyes.see(self.turn.camera, picture, self.turn.counting)

    def blind(self, why: WhyUnseen, t: float) -> Observation | None:
        """One saw nothing."""
        return self._eyes.blind(self.turn.camera, why, t, self.turn.counting)

    def tend(self, picture: Picture) -> None:
        """Whether it was moved."""
        self._eyes.tend(self.turn.camera, picture)

    def pace(self) -> None:
        """Nobody waits for pictures."""

    def health(self) -> CameraHealth:
        """It was there."""
        return CameraHealth(CameraStatus.LIVE, None, NOTHING)
