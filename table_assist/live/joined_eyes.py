"""Several cameras at one table, each with a watcher of its own, put together.

Who takes the pictures, and when a view is too old to count, is for others to say: a followed table
asks its phones, a replay its recording.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from table_assist.vision.pictures.camera import Picture
from table_assist.vision.table.attention import NOTHING_DECISIVE, Attention
from table_assist.vision.table.calibration import CalibrationError
from table_assist.vision.table.observation import Observation
from table_assist.vision.table.tile_size import TILE_MM
from table_assist.vision.table.unseen import WhyUnseen
from table_assist.vision.table.views import CameraView, JoinedViews
from table_assist.vision.table.watcher import Watcher


@dataclass(slots=True)
class Eye:
    """One camera.

    Attributes:
        own: what it saw last, by itself; None: nothing that could be read.
        trouble: why its last picture could not be read.
    """

    watcher: Watcher
    own: Observation | None = None
    trouble: str = ""


class JoinedEyes:
    """Cameras by name. One thread looks; any may ask."""

    def __init__(self) -> None:
        self._eyes: dict[str, Eye] = {}
        self._views = JoinedViews()
        self._attention = NOTHING_DECISIVE

    def place(self, camera: str, watcher: Watcher | None) -> None:
        """Read its pictures by this watcher from now on; None: by none."""
        others = {name: eye for name, eye in self._eyes.items() if name != camera}
        # Whole: others read it meanwhile.
        self._eyes = others if watcher is None else {**others, camera: Eye(watcher)}

    def eye(self, camera: str) -> Eye | None:
        """None as long as nobody has shown where the table lies in its pictures."""
        return self._eyes.get(camera)

    @property
    def healed(self) -> int:
        """Second looks of all."""
        return sum(eye.watcher.healed for eye in self._eyes.values())

    @property
    def tile_mm(self) -> float:
        """By the camera that saw another size than the usual one, if any did."""
        sizes = (eye.watcher.tile_mm for eye in self._eyes.values())
        return next((size for size in sizes if size != TILE_MM), TILE_MM)

    @property
    def is_lost(self) -> bool:
        """None of them knows where the table lies."""
        return all(eye.watcher.trouble for eye in self._eyes.values())

    @property
    def is_busy(self) -> bool:
        """Something moves before one of them."""
        return any(eye.watcher.is_busy for eye in self._eyes.values())

    def attend(self, attention: Attention) -> None:
        """Take over what is decisive now."""
        self._attention = attention

    def see(self, camera: str, picture: Picture, counting: Sequence[str]) -> Observation | None:
        """Look at a camera's picture; what all together see. None: it tells nothing.

        Args:
            counting: the cameras of which the newest view counts.
        """
        eye = self._eyes.get(camera)
        if eye is None:
            return None
        eye.watcher.attend(self._attention)
        try:
            eye.own, eye.trouble = eye.watcher.see(picture.image, picture.t_s), ""
        except CalibrationError as error:
            eye.own, eye.trouble = None, str(error)
        return self._together(counting, picture.t_s)

    def blind(
        self, camera: str, why: WhyUnseen, t: float, counting: Sequence[str]
    ) -> Observation | None:
        """One camera sees nothing; the others may."""
        eye = self._eyes.get(camera)
        if eye is None:
            return None
        eye.own = eye.watcher.blind(why, t)
        return self._together(counting, t)

    def tend(self, camera: str, picture: Picture) -> None:
        """Look whether it was moved."""
        eye = self._eyes.get(camera)
        if eye is not None and eye.own is not None:
            eye.watcher.tend(picture.image, picture.t_s)

    def _together(self, counting: Sequence[str], t: float) -> Observation | None:
        eyes = {name: self._eyes.get(name) for name in counting}
        views = {
            name: CameraView(eye.own, eye.watcher.above)
            for name, eye in eyes.items()
            if eye is not None and eye.own is not None
        }
        return self._views.together(views, t) if views else None
