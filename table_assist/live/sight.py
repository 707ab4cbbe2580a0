"""The sight of a table: one camera with what reads its pictures, or several as one."""

from dataclasses import dataclass
from typing import Protocol

from table_assist.languages.words import NOTHING, Words
from table_assist.vision.pictures.camera import Camera, CameraHealth, CameraStatus, Picture
from table_assist.vision.table.attention import Attention
from table_assist.vision.table.calibration import Calibration
from table_assist.vision.table.observation import Observation
from table_assist.vision.table.unseen import WhyUnseen
from table_assist.vision.table.watcher import Watcher

# Between two pictures of a table on which nothing happens; where something does, all are looked at.
IDLE_S = 0.1


@dataclass(frozen=True, slots=True)
class Turn:
    """Whose picture was taken last.

    Attributes:
        camera: empty where there is one alone.
        counting: the cameras whose newest views count now, this one's included.
    """

    camera: str = ""
    counting: tuple[str, ...] = ()


class Sight(Protocol):
    """One thread takes and looks; any may ask how it is doing."""

    @property
    def turn(self) -> Turn:
        """Whose picture was taken last."""
        ...

    @property
    def shown(self) -> int | None:
        """Whose pictures people see and evidence keeps; None: not the one taken last.

        Places in pictures under another number are not comparable.
        """
        ...

    @property
    def own(self) -> Observation | None:
        """The findings of the last picture by itself."""
        ...

    @property
    def calibration(self) -> Calibration | None:
        """Where the table was in it; None while that is not certain."""
        ...

    @property
    def certain_calibration(self) -> Calibration | None:
        """As `Watcher.certain_calibration`."""
        ...

    @property
    def words(self) -> Words:
        """The advice to people; nothing when all is well."""
        ...

    @property
    def is_lost(self) -> bool:
        """Pictures come, and it is not known where the table lies in them."""
        ...

    @property
    def figures(self) -> Words:
        """Its own figures, well or not."""
        ...

    @property
    def healed(self) -> int:
        """As `Watcher.healed`."""
        ...

    @property
    def tile_mm(self) -> float:
        """As `Watcher.tile_mm`."""
        ...

    def start(self) -> None:
        """Begin to take pictures."""
        ...

    def close(self) -> None:
        """End."""
        ...

    def next_picture(self, wait_s: float) -> Picture | None:
        """The next picture, if one comes in time."""
        ...

    def hidden(self) -> WhyUnseen | None:
        """Why the picture taken last shows nothing."""
        ...

    def attend(self, attention: Attention) -> None:
        """As `Watcher.attend`."""
        ...

    def see(self, picture: Picture) -> Observation | None:
        """The things on the table by this picture; None where it tells nothing.

        Raises:
            CalibrationError: the picture is not of the size that was calibrated on.
        """
        ...

    def blind(self, why: WhyUnseen, t: float) -> Observation | None:
        """As `Watcher.blind`."""
        ...

    def tend(self, picture: Picture) -> None:
        """As `Watcher.tend`."""
        ...

    def pace(self) -> None:
        """Say how many pictures are wanted from now on."""
        ...

    def health(self) -> CameraHealth:
        """How it is doing now."""
        ...


class OneCamera:
    """The usual sight."""

    shown = 0
    turn = Turn()
    figures = NOTHING

    def __init__(self, camera: Camera, watcher: Watcher) -> None:
        self._camera = camera
        self._watcher = watcher
        self.own: Observation | None = None

    @property
    def calibration(self) -> Calibration | None:
        """As `Sight`, as with all below."""
        return self._watcher.calibration

    @property
    def certain_calibration(self) -> Calibration | None:
        """Where the table surely lies."""
        return self._watcher.certain_calibration

    @property
    def words(self) -> Words:
        """The advice to people."""
        return self._watcher.words

    @property
    def is_lost(self) -> bool:
        """The camera was moved."""
        return bool(self._watcher.trouble)

    @property
    def healed(self) -> int:
        """Second looks."""
        return self._watcher.healed

    @property
    def tile_mm(self) -> float:
        """How wide tiles are."""
        return self._watcher.tile_mm

    def start(self) -> None:
        """Begin."""
        self._camera.start()

    def close(self) -> None:
        """End."""
        self._camera.close()

    def next_picture(self, wait_s: float) -> Picture | None:
        """The next picture."""
        return self._camera.next_picture(wait_s)

    def hidden(self) -> WhyUnseen | None:
        """Whether the lens is covered."""
        return why_hidden(self._camera.health())

    def attend(self, attention: Attention) -> None:
        """Take over what is decisive now."""
        self._watcher.attend(attention)

    def see(self, picture: Picture) -> Observation:
        """Look at a picture."""
        self.own = self._watcher.see(picture.image, picture.t_s)
        return self.own

    def blind(self, why: WhyUnseen, t: float) -> Observation:
        """Nothing is seen."""
        return self._watcher.blind(why, t)

    def tend(self, picture: Picture) -> None:
        """Look whether the camera was moved."""
        self._watcher.tend(picture.image, picture.t_s)

    def pace(self) -> None:
        """Every picture, or fewer."""
        self._camera.pace(0.0 if self._watcher.is_busy else IDLE_S)

    def health(self) -> CameraHealth:
        """How the camera is doing."""
        return self._camera.health()


def why_hidden(health: CameraHealth) -> WhyUnseen | None:
    """Why a camera's newest picture shows nothing; None where it shows something."""
    if health.status is not CameraStatus.COVERED:
        return None
    return WhyUnseen.DARK if health.is_dark else WhyUnseen.COVERED
