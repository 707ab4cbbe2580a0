"""Pictures as they come, on a thread of their own, and how the camera is doing."""

import logging
import math
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np

from table_assist.languages.words import Words
from table_assist.vision.pictures.picture import COARSE_PX, Image
from table_assist.vision.pictures.sources import CameraError, PictureSource, SourceKind

FIRST_PICTURE_S = 10.0  # a USB camera takes up to five to open
FIRST_RETRY_S, LONGEST_RETRY_S = 0.5, 8.0  # from the first try to reopen, doubled each time
MISSES = 5  # pictures in a row that may fail (a broken JPEG) before the source counts as gone
MISS_WAIT_S = 0.05
SLACK_S = 0.01  # pictures do not come quite evenly
COVER_SIDE = 160  # px of the longer side at which a picture is judged
DARK_LEVEL = 20  # grey level: no face can be told below
EDGE_LEVELS = 12  # grey levels between neighbours: more than noise leaves after reducing
# Share of edges below which nothing lies in sight: an empty felt's border has more
PLAIN_SHARE = 0.002

_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Picture:
    """One picture.

    Attributes:
        image: (h, w, 3) BGR.
        t_s: when it was taken, by the camera's clock; for a video by its pictures' spacing.
        seq: counts from 1; gaps are pictures that nobody took.
    """

    image: Image
    t_s: float
    seq: int


class CameraStatus(StrEnum):
    """How a camera is doing."""

    WAITING = "waiting"  # for its first picture
    LIVE = "live"
    STALE = "stale"  # nothing new for a while, or the same picture again and again
    COVERED = "covered"  # dark, or nothing to be seen
    LOST = "lost"  # gone or at its end


@dataclass(frozen=True, slots=True)
class CameraHealth:
    """How a camera is doing now.

    Attributes:
        age_s: seconds since the last new picture; None: there was none.
        says: one sentence; nothing when all is well.
        is_dark: it is covered because there is no light.
    """

    status: CameraStatus
    age_s: float | None
    says: Words
    is_dark: bool = False


class Camera:
    """Takes pictures on a thread; of a live source's, the newest waits and older ones are lost.

    Of a source that is not live every picture is given, and the next one is asked for only when the
    last was taken. A live source that is gone is opened again with growing delay.

    Attributes:
        came: new pictures so far.
        skipped: of them, replaced by newer ones before anybody took them.
        taken_s: when the last one was taken, by the camera's clock.
    """

    def __init__(
        self,
        source: SourceKind,
        *,
        stale_s: float = 1.5,
        now: Callable[[], float] = time.time,
        changed: threading.Condition | None = None,
    ) -> None:
        """Nothing is opened before ``start`` or ``step``.

        Args:
            source: how to open it.
            stale_s: without a new picture for so long, the camera is stale. The very same bytes
                again are no new picture: a sensor's noise never repeats.
            now: the clock, in seconds.
            changed: is notified of every new picture; several cameras may share one.
        """
        self._kind = source
        self._stale_s = stale_s
        self._now = now
        self._source: PictureSource | None = None
        self._retry_s = FIRST_RETRY_S
        self._misses = 0
        self._asked_t: float | None = None  # for the first picture
        self._started_t: float | None = None
        self._fingerprint = 0
        self.came = self.skipped = 0
        self.taken_s: float | None = None
        self._slot: Picture | None = None
        self._last_new_t: float | None = None
        self._last_read_t: float | None = None
        self._cover: WhyCovered | None = None
        self._trouble = Words("", "")
        self._every_s = 0.0
        self._taken_t = -math.inf
        self._has_ended = False
        self._closing = False
        self._changed = changed or threading.Condition()
        self._thread: threading.Thread | None = None

    def start(self) -> "Camera":
        """Begin to take pictures."""
        # OpenCV's own threads spin while they wait, and a picture's steps are too small for them.
        cv2.setNumThreads(1)
        self._thread = threading.Thread(target=self._run, name=self._kind.name.en, daemon=True)
        self._thread.start()
        return self

    def close(self, timeout_s: float = 2.0) -> None:
        """End; a read that hangs in the driver is left behind."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join(timeout_s)

    def __enter__(self) -> "Camera":
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[Picture]:
        """Pictures until the source has ended or the camera is closed."""
        while True:
            picture = self.next_picture()
            if picture is None:
                return
            yield picture

    def next_picture(self, timeout_s: float | None = None) -> Picture | None:
        """The newest picture that was not taken yet; waits for one.

        Returns:
            None: none came in time, the source has ended, or the camera was closed.
        """
        with self._changed:
            self._changed.wait_for(
                lambda: self._slot is not None or self._has_ended or self._closing, timeout_s
            )
            if self._slot is None and self._has_ended and timeout_s is not None:
                # A caller that asks again and again is not to do so without a pause.
                self._changed.wait_for(lambda: self._closing, timeout_s)
            picture, self._slot = self._slot, None
            if picture is not None:
                self.taken_s = self._now()
            self._changed.notify_all()
            return picture

    @property
    def has_new(self) -> bool:
        """Whether a picture waits to be taken."""
        return self._slot is not None

    def health(self) -> CameraHealth:
        """How the camera is doing now; told by the clock, so a hanging driver is seen too."""
        with self._changed:
            age_s = None if self._last_new_t is None else max(0.0, self._now() - self._last_new_t)
            status, words = self._judge(math.inf if age_s is None else age_s)
            is_dark = self._cover is WhyCovered.DARK
            return CameraHealth(status, age_s, words, is_dark)

    def pace(self, every_s: float) -> None:
        """How often pictures of a live source are wanted; others are passed over undecoded."""
        self._every_s = every_s

    def _judge(self, age_s: float) -> tuple[CameraStatus, Words]:
        name = self._kind.name
        if self._has_ended:
            return CameraStatus.LOST, Words("{name} has ended", "{name} 已结束", name=name)
        if self._trouble.en:
            return CameraStatus.LOST, self._trouble
        if self._last_new_t is None:
            words = Words("{name} has given no picture yet", "{name} 尚无画面", name=name)
            is_slow = self._asked_t is not None and self._now() - self._asked_t > FIRST_PICTURE_S
            return CameraStatus.STALE if is_slow else CameraStatus.WAITING, words
        if age_s > self._stale_s and self._kind.is_live:
            if self._last_read_t is not None and self._now() - self._last_read_t < self._stale_s:
                words = Words(
                    "{name} repeats the same picture: frozen", "{name} 画面冻结", name=name
                )
                return CameraStatus.STALE, words
            return CameraStatus.STALE, Words(
                "{name} has given no picture for {age_s} s",
                "{name} 已 {age_s} 秒没有画面",
                name=name,
                age_s=f"{age_s:.0f}",
            )
        if self._cover is not None:
            said = _COVERS[self._cover]
            return CameraStatus.COVERED, Words(
                "{name} {said}", "{name} {said}", name=name, said=said
            )
        return CameraStatus.LIVE, Words("", "")

    def _run(self) -> None:
        while not self._closing:
            with self._changed:
                # A source that can wait is not asked before its last picture was taken.
                self._changed.wait_for(
                    lambda: self._kind.is_live or self._slot is None or self._closing
                )
            wait_s = self.step()
            with self._changed:
                if self._has_ended:
                    break
                self._changed.wait_for(lambda: self._closing, wait_s)
        self._drop_source()

    def step(self) -> float:
        """Open the source or take one picture; returns the seconds to wait before the next step.

        The thread calls this; without ``start`` anyone may.
        """
        if self._asked_t is None:
            self._asked_t = self._now()
        try:
            if self._source is None:
                self._source = self._kind.open()
                self._misses = 0
            if self._is_too_soon() and self._pass_over(self._source):
                return 0.0
            image = self._source.read()
        except CameraError as error:
            return self._lose(error.words)
        except Exception:
            _logger.exception("reading %s failed", self._kind.name)
            return self._lose(self._of_it("{name} failed while it was read", "读取{name}时出错"))
        if image is not None:
            self._put(image)
            return 0.0
        if not self._kind.is_live:
            with self._changed:
                self._has_ended = True
                self._changed.notify_all()
            return 0.0
        if self._kind.waits:
            return 0.0
        self._misses += 1
        if self._misses < MISSES:
            return MISS_WAIT_S
        return self._lose(self._of_it("{name} is gone", "{name} 已断开"))

    def _is_too_soon(self) -> bool:
        """Whether nobody wants the next picture."""
        if not self._every_s or not self._kind.is_live:
            return False
        t = self._now()
        if 0 <= t - self._taken_t < self._every_s - SLACK_S:
            return True
        self._taken_t = t
        return False

    @staticmethod
    def _pass_over(source: PictureSource) -> bool:
        """Let a picture go by, undecoded where the source can do that; False: none came."""
        skip: Callable[[], bool] | None = getattr(source, "skip", None)
        return source.read() is not None if skip is None else skip()

    def _put(self, image: Image) -> None:
        cover = cover_of(image)
        # Every sixteenth row is enough: noise does not leave any row as it was.
        fingerprint = zlib.crc32(np.ascontiguousarray(image[::16]).data)
        with self._changed:
            t_s = self._now()
            self._misses = 0
            self._retry_s = FIRST_RETRY_S
            self._trouble = Words("", "")
            self._last_read_t = t_s
            is_new = not self._kind.is_live or self.came == 0 or fingerprint != self._fingerprint
            if not is_new:
                return
            if self._started_t is None:
                self._started_t = t_s
            self._fingerprint = fingerprint
            self._cover = cover
            self._last_new_t = t_s
            if self._kind.spacing_s is not None and not self._kind.is_live:
                t_s = self._started_t + self.came * self._kind.spacing_s
            self.came += 1
            self.skipped += self._slot is not None
            self._slot = Picture(image, t_s, self.came)
            self._changed.notify_all()

    def _of_it(self, en: str, zh: str) -> Words:
        return Words(en, zh, name=self._kind.name)

    def _lose(self, why: Words) -> float:
        self._drop_source()
        wait_s, self._retry_s = self._retry_s, min(2 * self._retry_s, LONGEST_RETRY_S)
        with self._changed:
            self._trouble = Words(
                "{why}; it is tried again every {wait_s} s",
                "{why}；每 {wait_s} 秒重试一次",
                why=why,
                wait_s=f"{wait_s:g}",
            )
            self._changed.notify_all()
        return wait_s

    def _drop_source(self) -> None:
        source, self._source = self._source, None
        close = getattr(source, "close", None)
        if close is not None:
            close()


class WhyCovered(StrEnum):
    """Why a picture shows nothing."""

    DARK = "dark"
    PLAIN = "plain"


_COVERS = {
    WhyCovered.DARK: Words("is in the dark, or its lens is covered", "光线太暗或镜头被遮住"),
    WhyCovered.PLAIN: Words("is covered, or sees nothing", "被遮住或看不到任何东西"),
}


def cover_of(image: Image) -> WhyCovered | None:
    """Whether a picture shows nothing: dark, or without any detail."""
    height, width = image.shape[:2]
    step = max(1, max(height, width) // (COARSE_PX * COVER_SIDE))
    image = np.ascontiguousarray(image[::step, ::step])
    scale = min(1.0, COVER_SIDE / max(image.shape[:2]))
    size = max(2, round(image.shape[1] * scale)), max(2, round(image.shape[0] * scale))
    small = cv2.cvtColor(
        cv2.resize(image, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY
    ).astype(np.int16)
    if np.percentile(small, 95) < DARK_LEVEL:
        return WhyCovered.DARK
    edges = (np.abs(np.diff(small, axis=0))[:, :-1] > EDGE_LEVELS) | (
        np.abs(np.diff(small, axis=1))[:-1] > EDGE_LEVELS
    )
    return WhyCovered.PLAIN if edges.mean() < PLAIN_SHARE else None


def is_covered(image: Image) -> bool:
    """Whether a picture shows nothing."""
    return cover_of(image) is not None
