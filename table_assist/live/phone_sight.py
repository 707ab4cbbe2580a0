"""A table that phones watch: each with a calibration of its own, their views put together.

Whose pictures people see, and evidence keeps, is one phone at a time: the leader. Where the table
lies in a picture is remembered for one camera.
"""

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from table_assist.live.sight import why_hidden
from table_assist.phones.phones import CALM_S, Phone, Phones, figures, remark
from table_assist.phones.place import calibration_file
from table_assist.settings.build import kept_watcher
from table_assist.settings.config import Config
from table_assist.vision.pictures.camera import Camera, CameraHealth, CameraStatus, Picture
from table_assist.vision.pictures.sources import SourceKind
from table_assist.vision.reading.read import Reader
from table_assist.vision.table.attention import NOTHING_DECISIVE, Attention
from table_assist.vision.table.calibration import Calibration, CalibrationError, load_calibration
from table_assist.vision.table.observe import Observation
from table_assist.vision.table.observer import Watcher
from table_assist.vision.table.tile_size import TILE_MM
from table_assist.vision.table.unseen import Why
from table_assist.vision.table.views import CameraView, JoinedViews
from table_assist.words import NOTHING, Words

LEADER_GONE_S = 10.0  # a leader that is away for so long is followed by the other
_STANDING = (
    CameraStatus.LIVE,
    CameraStatus.COVERED,
    CameraStatus.STALE,
    CameraStatus.LOST,
    CameraStatus.NONE,
)


@dataclass(slots=True)
class _Eye:
    """One phone's camera.

    Attributes:
        watcher: None as long as nobody has shown where the table lies, or `words` says why.
        words: why its pictures are not read.
    """

    phone: Phone
    camera: Camera
    placed: int = -1
    watcher: Watcher | None = None
    words: Words = NOTHING
    own: Observation | None = None
    read_t: float = 0.0


class PhoneSight:
    """As `Sight`, and as `CountedCamera` for who counts.

    Args:
        now: seconds since the epoch.
    """

    def __init__(
        self, config: Config, phones: Phones, reader: Reader, now: Callable[[], float] = time.time
    ) -> None:
        self._config = config
        self._phones = phones
        self._reader = reader
        self._now = now
        self._changed = threading.Condition()
        self._eyes: dict[str, _Eye] = {}
        self._views = JoinedViews()
        self._current: _Eye | None = None
        self._leader = ""
        self._generation = 0
        self._attention = NOTHING_DECISIVE
        self._took_s = 0.0
        self.taken_s: float | None = None

    # -- counted -------------------------------------------------------------------------------

    @property
    def came(self) -> int:
        """Pictures so far, of the phones that watch."""
        return sum(each.phone.came for each in self._all())

    @property
    def skipped(self) -> int:
        """Pictures that were replaced by newer ones."""
        return sum(each.phone.skipped for each in self._all())

    # -- what is seen --------------------------------------------------------------------------

    @property
    def shown(self) -> int | None:
        """As `Sight`, as with all below."""
        current = self._current
        if current is None or current.phone.device != self._leader:
            return None
        return self._generation

    @property
    def own(self) -> Observation | None:
        """By the phone itself."""
        return None if self._current is None else self._current.own

    @property
    def calibration(self) -> Calibration | None:
        """Of the phone whose picture was taken last."""
        watcher = None if self._current is None else self._current.watcher
        return None if watcher is None else watcher.calibration

    @property
    def certain_calibration(self) -> Calibration | None:
        """Where the table surely lies."""
        watcher = None if self._current is None else self._current.watcher
        return None if watcher is None else watcher.certain_calibration

    @property
    def healed(self) -> int:
        """Second looks of all."""
        return sum(each.watcher.healed for each in self._all() if each.watcher is not None)

    @property
    def tile_mm(self) -> float:
        """By the phone that saw another size than the usual one, if any did."""
        sizes = [each.watcher.tile_mm for each in self._all() if each.watcher is not None]
        return next((size for size in sizes if size != TILE_MM), TILE_MM)

    @property
    def is_lost(self) -> bool:
        """None of them knows where the table lies."""
        eyes = self._all()
        return bool(eyes) and not any(each.watcher and not each.watcher.trouble for each in eyes)

    @property
    def words(self) -> Words:
        """What people should know of each phone."""
        said = [words for eye in self._all() for words in _said(eye) if words]
        return Words(" ".join(each.en for each in said), "".join(each.zh for each in said))

    @property
    def figures(self) -> Words:
        """What the phones tell of themselves."""
        said = [figures(eye.phone) for eye in self._all()]
        return Words(" ".join(each.en for each in said), "".join(each.zh for each in said))

    def start(self) -> None:
        """Phones come by themselves."""
        self._meet()

    def close(self) -> None:
        """Let them go."""
        for eye in self._all():
            eye.camera.close()

    def take(self, wait_s: float) -> Picture | None:
        """The next picture of any phone, the one first whose was taken longest ago."""
        self._meet()
        with self._changed:
            self._changed.wait_for(self._has_new, wait_s)
            waiting = [each for each in self._all() if each.camera.has_new]
        self._phones.want(busy=self._is_busy())
        if not waiting:
            return None
        eye = min(waiting, key=lambda each: each.read_t)
        picture = eye.camera.take(0.0)
        if picture is None:
            return None
        self._current = eye
        self.taken_s = eye.read_t = self._now()
        self._lead(eye)
        return picture

    def hidden(self) -> Why | None:
        """Whether its lens is covered."""
        return None if self._current is None else why_hidden(self._current.camera.health())

    def attend(self, attention: Attention) -> None:
        """What is decisive now."""
        self._attention = attention

    def see(self, picture: Picture) -> Observation | None:
        """Look at a phone's picture; what all phones together see."""
        eye = self._current
        if eye is None:
            return None
        self._place(eye)
        if eye.watcher is None:
            eye.own = None
            return None
        started = time.monotonic()
        eye.watcher.attend(self._attention)
        try:
            eye.own = eye.watcher.see(picture.image, picture.t_s)
            eye.words = NOTHING
        except CalibrationError as error:
            eye.own = None
            eye.words = Words(f"{eye.phone.name}: {error}.", f"{eye.phone.name}：{error}。")
        self._took_s = time.monotonic() - started
        return self._together(picture.t_s)

    def blind(self, why: Why, t: float) -> Observation | None:
        """One phone sees nothing; the other may."""
        eye = self._current
        if eye is None or eye.watcher is None:
            return None
        eye.own = eye.watcher.blind(why, t)
        return self._together(t)

    def tend(self, picture: Picture) -> None:
        """Look whether it was moved."""
        eye = self._current
        if eye is not None and eye.watcher is not None and eye.own is not None:
            eye.watcher.tend(picture.image, picture.t_s)

    def pace(self) -> None:
        """The phones are told with each answer."""

    def health(self) -> CameraHealth:
        """Of the phone that fares best."""
        eyes = self._all()
        if not eyes:
            return CameraHealth(CameraStatus.NONE, None, _NOBODY)
        ready = [each for each in eyes if each.watcher is not None] or eyes
        healths = [each.camera.health() for each in ready]
        return min(healths, key=lambda each: _STANDING.index(each.status))

    # -- the phones ----------------------------------------------------------------------------

    def _all(self) -> tuple[_Eye, ...]:
        return tuple(self._eyes.values())

    def _meet(self) -> None:
        """Take in who has come, and let go who was let out."""
        watching = {phone.device: phone for phone in self._phones.watching}
        before, known = self._eyes, {}
        for device, phone in watching.items():
            eye = before.get(device)
            known[device] = eye if eye is not None and eye.phone is phone else self._eye(phone)
        self._eyes = known  # whole: others read it meanwhile
        for device, eye in before.items():
            if known.get(device) is not eye:
                eye.camera.close()

    def _eye(self, phone: Phone) -> _Eye:
        kind = SourceKind(_reading(phone), phone.name, is_live=True, waits=True)
        stale_s = self._config.camera.stale_s
        camera = Camera(kind, stale_s=stale_s, now=self._now, changed=self._changed)
        return _Eye(phone, camera.start())

    def _has_new(self) -> bool:
        return any(each.camera.has_new for each in self._all())

    def _is_busy(self) -> bool:
        """Whether twice as many pictures are of use: something moves, and all are read."""
        busy = any(each.watcher is not None and each.watcher.is_busy for each in self._all())
        return busy and self._took_s < CALM_S

    def _place(self, eye: _Eye) -> None:
        """Learn where the table lies in its pictures, when somebody has shown it."""
        if eye.placed == eye.phone.placed:
            return
        eye.placed, eye.watcher = eye.phone.placed, None
        name, path = eye.phone.name, calibration_file(self._config, eye.phone.device)
        if not path.exists():
            eye.words = Words(
                f"{name} does not know yet where the table is: show it on its own screen.",
                f"{name} 还不知道牌桌在哪里：请在该手机上标定。",
            )
            return
        try:
            eye.watcher = kept_watcher(self._config, self._reader, load_calibration(path))
            eye.words = NOTHING
        except CalibrationError as error:
            eye.words = Words(f"{name}: {error}.", f"{name}：{error}。")

    def _lead(self, eye: _Eye) -> None:
        leader = self._eyes.get(self._leader)
        if leader is not None and (leader is eye or self._leads(leader, eye)):
            return
        self._leader = eye.phone.device
        self._generation += 1

    def _leads(self, leader: _Eye, other: _Eye) -> bool:
        """Whether the leader stays it: it is there, and reads the table, or the other does not."""
        age_s = leader.camera.health().age_s
        if age_s is None or age_s > LEADER_GONE_S:
            return False
        return leader.watcher is not None or other.watcher is None

    def _together(self, t: float) -> Observation | None:
        views = {
            each.phone.device: CameraView(each.own, each.watcher.above)
            for each in self._all()
            if each.own is not None and each.watcher is not None and _is_fresh(each)
        }
        return self._views.together(views, t) if views else None


def _reading(phone: Phone) -> Callable[[], Phone]:
    return lambda: phone


def _is_fresh(eye: _Eye) -> bool:
    return eye.camera.health().status in (CameraStatus.LIVE, CameraStatus.COVERED)


def _said(eye: _Eye) -> Iterator[Words]:
    health = eye.camera.health()
    if health.status is not CameraStatus.LIVE:
        yield Words(f"{health.says.en}.", f"{health.says.zh}。") if health.says else NOTHING
    elif eye.words:
        yield eye.words
    elif eye.watcher is not None and eye.watcher.words:
        said, name = eye.watcher.words, eye.phone.name
        yield Words(f"{name}: {said.en}", f"{name}：{said.zh}")
    yield remark(eye.phone.name, eye.phone.told)


_NOBODY = Words(
    "No phone sends pictures: open /camera on the phone that was let in as a camera.",
    "没有手机传来画面：请在已允许作摄像头的手机上打开 /camera。",
)
