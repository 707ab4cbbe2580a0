"""The sight of a table: one camera with what reads its pictures, or several as one."""

from dataclasses import dataclass
from typing import Protocol

from table_assist.languages.words import NOTHING, SPACE, Words, joined
from table_assist.vision.pictures.camera import Camera, CameraHealth, CameraStatus, Picture
from table_assist.vision.table.attention import Attention
from table_assist.vision.table.calibration import Calibration
from table_assist.vision.table.observation import Observation
from table_assist.vision.table.tile_size import TILE_MM
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


_UNPLACED = joined(
    (
        Words("The table's corners are not known.", "还不知道牌桌的四角在哪里。"),
        Words(
            "Show the table's corners in the assistant's step Calibration.",
            "请在设置向导的“标定”一步中指出牌桌四角。",
        ),
    ),
    SPACE,
)


class OneCamera:
    """The usual sight.

    Args:
        watcher: None: nobody has shown yet where the table lies; pictures come, and none is read.
    """

    shown = 0
    turn = Turn()
    figures = NOTHING

    def __init__(self, camera: Camera, watcher: Watcher | None) -> None:
        self._camera = camera
        self._watcher = watcher
        self.own: Observation | None = None

    @property
    def calibration(self) -> Calibration | None:
        """As `Sight`, as with all below."""
        return self._watcher.calibration if self._watcher else None

    @property
    def certain_calibration(self) -> Calibration | None:
        """Where the table surely lies."""
        return self._watcher.certain_calibration if self._watcher else None

    @property
    def words(self) -> Words:
        """The advice to people."""
        return self._watcher.words if self._watcher else _UNPLACED

    @property
    def is_lost(self) -> bool:
        """The camera was moved, or never shown the table."""
        return self._watcher is None or bool(self._watcher.trouble)

    @property
    def healed(self) -> int:
        """Second looks."""
        return self._watcher.healed if self._watcher else 0

    @property
    def tile_mm(self) -> float:
        """How wide tiles are."""
        return self._watcher.tile_mm if self._watcher else TILE_MM

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
        if self._watcher is not None:
            self._watcher.attend(attention)

    def see(self, picture: Picture) -> Observation | None:
        """Look at a picture."""
        if self._watcher is not None:
            self.own = self._watcher.see(picture.image, picture.t_s)
        return self.own

    def blind(self, why: WhyUnseen, t: float) -> Observation | None:
        """Nothing is seen."""
        return self._watcher.blind(why, t) if self._watcher else None

    def tend(self, picture: Picture) -> None:
        """Look whether the camera was moved."""
        if self._watcher is not None:
            self._watcher.tend(picture.image, picture.t_s)

    def pace(self) -> None:
        """Every picture, or fewer."""
        self._camera.pace(0.0 if self._watcher and self._watcher.is_busy else IDLE_S)

    def health(self) -> CameraHealth:
        """How the camera is doing."""
        return self._camera.health()


def why_hidden(health: CameraHealth) -> WhyUnseen | None:
    """Why a camera's newest picture shows nothing; None where it shows something."""
    if health.status is not CameraStatus.COVERED:
        return None
    return WhyUnseen.DARK if health.is_dark else WhyUnseen.COVERED
