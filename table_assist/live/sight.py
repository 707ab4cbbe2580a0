"""The sight of a table: cameras, each with a watcher of its own, put together.

Who takes the pictures, and when a view is too old to count, is for others to say: a followed table
asks its camera or its phones, a replay its recording.
"""

from dataclasses import dataclass
from pathlib import Path

from table_assist.languages.words import NOTHING, SPACE, Words, joined
from table_assist.phones.corners import keep_tile_mm
from table_assist.vision.pictures.camera import Camera, CameraHealth, CameraStatus, Picture
from table_assist.vision.table.attention import NOTHING_DECISIVE, Attention
from table_assist.vision.table.calibration import Calibration, CalibrationError
from table_assist.vision.table.observation import Observation
from table_assist.vision.table.tile_size import TILE_MM
from table_assist.vision.table.unseen import WhyUnseen
from table_assist.vision.table.views import CameraView, JoinedViews
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


@dataclass(slots=True)
class Eye:
    """One camera.

    Attributes:
        own: what it saw last, by itself; None: nothing that could be read.
        trouble: why its last picture could not be read.
        kept: where its corners, and the tiles' size, are kept; None: nowhere.
    """

    watcher: Watcher
    kept: Path | None = None
    own: Observation | None = None
    trouble: str = ""


class Sight:
    """Cameras by name, to which pictures are handed: those of a recording.

    One thread takes and looks; any may ask how it is doing.

    Attributes:
        turn: whose picture was taken last.
    """

    def __init__(self) -> None:
        self.turn = Turn()
        self._eyes: dict[str, Eye] = {}
        self._views = JoinedViews()
        self._attention = NOTHING_DECISIVE

    def place(self, camera: str, watcher: Watcher | None, kept: Path | None = None) -> None:
        """Read its pictures by this watcher from now on; None: by none."""
        others = {name: eye for name, eye in self._eyes.items() if name != camera}
        # Whole: others read it meanwhile.
        self._eyes = others if watcher is None else {**others, camera: Eye(watcher, kept)}

    def eye(self, camera: str) -> Eye | None:
        """None as long as nobody has shown where the table lies in its pictures."""
        return self._eyes.get(camera)

    @property
    def shown(self) -> int | None:
        """Whose pictures people see and evidence keeps; None: not the one taken last.

        Places in pictures under another number are not comparable.
        """
        return None

    @property
    def own(self) -> Observation | None:
        """The findings of the last picture by itself."""
        eye = self.eye(self.turn.camera)
        return None if eye is None else eye.own

    @property
    def calibration(self) -> Calibration | None:
        """Where the table was in it; None while that is not certain."""
        eye = self.eye(self.turn.camera)
        return None if eye is None else eye.watcher.calibration

    @property
    def certain_calibration(self) -> Calibration | None:
        """As `Watcher.certain_calibration`."""
        eye = self.eye(self.turn.camera)
        return None if eye is None else eye.watcher.certain_calibration

    @property
    def words(self) -> Words:
        """The advice to people; nothing when all is well."""
        return NOTHING

    @property
    def figures(self) -> Words:
        """Its own figures, well or not."""
        return NOTHING

    @property
    def healed(self) -> int:
        """As `Watcher.healed`, of all."""
        return sum(eye.watcher.healed for eye in self._eyes.values())

    @property
    def tile_mm(self) -> float:
        """By the camera that saw another size than the usual one, if any did."""
        sizes = (eye.watcher.tile_mm for eye in self._eyes.values())
        return next((size for size in sizes if size != TILE_MM), TILE_MM)

    @property
    def is_lost(self) -> bool:
        """Pictures come, and none of the cameras knows where the table lies in them."""
        return all(eye.watcher.trouble for eye in self._eyes.values())

    @property
    def is_busy(self) -> bool:
        """Something moves before one of them."""
        return any(eye.watcher.is_busy for eye in self._eyes.values())

    def start(self) -> None:
        """Begin to take pictures."""

    def close(self) -> None:
        """End; how large the tiles are is known the next time."""
        for eye in self._eyes.values():
            if eye.kept is not None:
                keep_tile_mm(eye.kept, eye.watcher.calibration, eye.watcher.tile_mm)

    def next_picture(self, wait_s: float) -> Picture | None:
        """The next picture, if one comes in time."""
        return None

    def hidden(self) -> WhyUnseen | None:
        """Why the picture taken last shows nothing."""
        return None

    def pace(self) -> None:
        """Say how many pictures are wanted from now on."""

    def health(self) -> CameraHealth:
        """How it is doing now."""
        return CameraHealth(CameraStatus.LIVE, None, NOTHING)

    def attend(self, attention: Attention) -> None:
        """As `Watcher.attend`."""
        self._attention = attention

    def see(self, picture: Picture) -> Observation | None:
        """What all together see, with this picture of whose turn it is; None: it tells nothing.

        Raises:
            CalibrationError: the only camera's picture is not of the size that was calibrated on.
        """
        eye = self.eye(self.turn.camera)
        if eye is None:
            return None
        eye.watcher.attend(self._attention)
        try:
            eye.own, eye.trouble = eye.watcher.see(picture.image, picture.t_s), ""
        except CalibrationError as error:
            eye.own, eye.trouble = None, str(error)
        return self._together(picture.t_s)

    def blind(self, why: WhyUnseen, t: float) -> Observation | None:
        """As `Watcher.blind`, of whose turn it is; the others may see."""
        eye = self.eye(self.turn.camera)
        if eye is None:
            return None
        eye.own = eye.watcher.blind(why, t)
        return self._together(t)

    def tend(self, picture: Picture) -> None:
        """As `Watcher.tend`."""
        eye = self.eye(self.turn.camera)
        if eye is not None and eye.own is not None:
            eye.watcher.tend(picture.image, picture.t_s)

    def _together(self, t: float) -> Observation | None:
        eyes = {name: self.eye(name) for name in self.turn.counting}
        views = {
            name: CameraView(eye.own, eye.watcher.above)
            for name, eye in eyes.items()
            if eye is not None and eye.own is not None
        }
        return self._views.together(views, t) if views else None


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


class OneCamera(Sight):
    """The usual sight.

    Args:
        watcher: None: nobody has shown yet where the table lies; pictures come, and none is read.
        kept: as `Eye.kept`.
    """

    shown = 0

    def __init__(self, camera: Camera, watcher: Watcher | None, kept: Path | None = None) -> None:
        super().__init__()
        self._camera, self._watcher = camera, watcher
        self.place(self.turn.camera, watcher, kept)

    @property
    def words(self) -> Words:
        """The advice to people."""
        return self._watcher.words if self._watcher else _UNPLACED

    @property
    def figures(self) -> Words:
        """What the table has learnt of its set."""
        lessons = self._watcher and self._watcher.lessons
        if not lessons or not lessons.learnt:
            return NOTHING
        return Words(
            "This table has learnt {faces} faces of its set.",
            "本桌已学会这副牌的 {faces} 种牌面。",
            faces=lessons.learnt,
        )

    def start(self) -> None:
        """Begin."""
        self._camera.start()

    def close(self) -> None:
        """End."""
        super().close()
        self._camera.close()

    def next_picture(self, wait_s: float) -> Picture | None:
        """The next picture."""
        return self._camera.next_picture(wait_s)

    def hidden(self) -> WhyUnseen | None:
        """Whether the lens is covered."""
        return why_hidden(self._camera.health())

    def see(self, picture: Picture) -> Observation | None:
        """Look at a picture: nothing is put together."""
        eye = self.eye(self.turn.camera)
        if eye is None:
            return None
        eye.watcher.attend(self._attention)
        eye.own = eye.watcher.see(picture.image, picture.t_s)
        return eye.own

    def blind(self, why: WhyUnseen, t: float) -> Observation | None:
        """Nothing is seen."""
        return self._watcher.blind(why, t) if self._watcher else None

    def pace(self) -> None:
        """Every picture, or fewer."""
        self._camera.pace(0.0 if self.is_busy else IDLE_S)

    def health(self) -> CameraHealth:
        """How the camera is doing."""
        return self._camera.health()


def why_hidden(health: CameraHealth) -> WhyUnseen | None:
    """Why a camera's newest picture shows nothing; None where it shows something."""
    if health.status is not CameraStatus.COVERED:
        return None
    return WhyUnseen.DARK if health.is_dark else WhyUnseen.COVERED
