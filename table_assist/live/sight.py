"""The sight of a table: cameras, each with a watcher, put together, and read in a thread.

Who takes the pictures, and when a view is too old to count, is for others to say: a followed table
asks its camera or its phones, a replay its recording.
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from table_assist.languages.words import NOTHING, SPACE, Words, joined, phrase
from table_assist.live.corners import keep_tile_mm
from table_assist.live.recorder import Recorder
from table_assist.record.crop import draw_readings, readings_json
from table_assist.record.photographer import Shot
from table_assist.record.snapshot import SourceHealth
from table_assist.vision.pictures.camera import Camera, CameraHealth, CameraStatus, Picture
from table_assist.vision.pictures.picture import Image, jpeg
from table_assist.vision.table.attention import Attention
from table_assist.vision.table.blacken import Polygon
from table_assist.vision.table.calibration import CalibrationError
from table_assist.vision.table.observation import Observation
from table_assist.vision.table.placement_history import Whereabouts
from table_assist.vision.table.tile_size import TILE_MM
from table_assist.vision.table.unseen import OccludedZone, WhyUnseen
from table_assist.vision.table.views import CameraView, JoinedViews
from table_assist.vision.table.watcher import Watcher
from table_assist.vision.table.zone_views import zone_polygons
from table_assist.vision.table.zones import Layout, ZoneKind

# Between two pictures of a table on which nothing happens; where something does, all are looked at.
IDLE_LOOK_S = 0.1


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
        watcher: None: nobody has shown where the table lies; pictures come, and none is read.
        kept: where its corners, and the tiles' size, are kept; None: nowhere.
        own: what it saw last, by itself; None: nothing that could be read.
        trouble: why its last picture could not be read.
    """

    camera: Camera
    watcher: Watcher | None = None
    kept: Path | None = None
    own: Observation | None = None
    trouble: Words = NOTHING


_UNPLACED = joined(
    (
        Words("The table's corners are not known.", "还不知道牌桌的四角在哪里。"),
        phrase("sight.show_the_tables_corners"),
    ),
    SPACE,
)
_NOBODY = phrase("phone_sight.no_phone_sends_pictures")
# The better a camera fares, the earlier.
_LASTING = (
    CameraStatus.LIVE,
    CameraStatus.COVERED,
    CameraStatus.STALE,
    CameraStatus.WAITING,
    CameraStatus.LOST,
)


class Sight:
    """Cameras by name; one alone has the empty name.

    One thread takes and looks; any may ask how it is doing.

    Attributes:
        turn: whose picture was taken last.
        eyes: replaced as a whole, as others read it meanwhile.
    """

    def __init__(self, eyes: Mapping[str, Eye]) -> None:
        self.turn = Turn()
        self.eyes = eyes
        self._views = JoinedViews()
        self._leader, self._generation = "", 0

    @property
    def _watchers(self) -> list[Watcher]:
        return [eye.watcher for eye in self.eyes.values() if eye.watcher is not None]

    @property
    def shown(self) -> int | None:
        """Whose pictures people see and evidence keeps; None: not the one taken last.

        Places in pictures under another number are not comparable.
        """
        return self._generation if self.turn.camera == self._leader else None

    @property
    def words(self) -> Words:
        """The advice to people; nothing when all is well."""
        eye = self.eyes[self.turn.camera]
        return (eye.trouble or eye.watcher.words) if eye.watcher else _UNPLACED

    @property
    def figures(self) -> Words:
        """Its own figures, well or not: what the table has learnt of its set."""
        learnt = [each.lessons.learnt for each in self._watchers if each.lessons]
        return phrase("sight.this_table_has_learnt", faces=learnt[0]) if any(learnt) else NOTHING

    @property
    def healed(self) -> int:
        """As `Watcher.healed`, of all."""
        return sum(each.healed for each in self._watchers)

    @property
    def tile_mm(self) -> float:
        """By the camera that saw another size than the usual one, if any did."""
        sizes = (each.tile_mm for each in self._watchers)
        return next((size for size in sizes if size != TILE_MM), TILE_MM)

    @property
    def is_lost(self) -> bool:
        """Pictures come, and none of the cameras can tell where the table lies in them."""
        eyes = self.eyes.values()
        return all(eye.trouble or eye.watcher.trouble for eye in eyes if eye.watcher is not None)

    @property
    def is_busy(self) -> bool:
        """Something moves before one of them."""
        return any(each.is_busy for each in self._watchers)

    @property
    def taken_s(self) -> float | None:
        """When a picture was taken last, by the cameras' clock."""
        return max((eye.camera.taken_s or 0.0 for eye in self.eyes.values()), default=0.0) or None

    def start(self) -> None:
        """Begin to take pictures."""
        for eye in self.eyes.values():
            eye.camera.start()

    def close(self) -> None:
        """End; how large the tiles are is known the next time."""
        for eye in self.eyes.values():
            if eye.kept is not None and eye.watcher is not None:
                keep_tile_mm(eye.kept, eye.watcher.calibration, eye.watcher.tile_mm)
            eye.camera.close()

    def next_picture(self, wait_s: float) -> Picture | None:
        """The next picture, if one comes in time."""
        return self.eyes[self.turn.camera].camera.next_picture(wait_s)

    def hidden(self) -> WhyUnseen | None:
        """Why the picture taken last shows nothing; None where it shows something."""
        health = self.eyes[self.turn.camera].camera.health()
        if health.status is not CameraStatus.COVERED:
            return None
        return WhyUnseen.DARK if health.is_dark else WhyUnseen.COVERED

    def pace(self) -> None:
        """Say how many pictures are wanted from now on: every one, or fewer."""
        every_s = 0.0 if self.is_busy else IDLE_LOOK_S
        for eye in self.eyes.values():
            eye.camera.pace(every_s)

    def health(self) -> CameraHealth:
        """Of the camera that fares best, of those whose pictures are read if any are."""
        eyes = self.eyes.values()
        healths = [eye.camera.health() for eye in [eye for eye in eyes if eye.watcher] or eyes]
        nobody = CameraHealth(CameraStatus.WAITING, None, _NOBODY)
        return min(healths, key=lambda each: _LASTING.index(each.status), default=nobody)

    def see(self, picture: Picture, attention: Attention) -> Observation | None:
        """What all together see, with this picture of whose turn it is; None: it tells nothing."""
        eye = self.eyes.get(self.turn.camera)
        if eye is None or eye.watcher is None:
            return None
        eye.watcher.attend(attention)
        try:
            eye.own, eye.trouble = eye.watcher.see(picture.image, picture.t_s), NOTHING
        except CalibrationError as error:
            eye.own, eye.trouble = None, error.words
        return self._together(picture.t_s)

    def blind(self, why: WhyUnseen, t: float) -> Observation | None:
        """As `Watcher.blind`, of whose turn it is; the others may see."""
        eye = self.eyes.get(self.turn.camera)
        if eye is None or eye.watcher is None:
            return None
        eye.own = eye.watcher.blind(why, t)
        return self._together(t)

    def tend(self, picture: Picture) -> None:
        """As `Watcher.tend`."""
        eye = self.eyes[self.turn.camera]
        if eye.own is not None and eye.watcher is not None:
            eye.watcher.tend(picture.image, picture.t_s)

    def _together(self, t: float) -> Observation | None:
        if not self.turn.camera:
            return self.eyes[""].own
        views = {
            name: CameraView(eye.own, eye.watcher.above)
            for name in self.turn.counting
            if (eye := self.eyes.get(name)) and eye.watcher and eye.own is not None
        }
        return self._views.together(views, t) if views else None


logger = logging.getLogger(__name__)
SELDOM_S = 60.0  # between two lines on the console about pictures that cannot be read
# A zone that is hidden for less than this is nothing to tell: a hand passed over it.
TOLD_S = 0.5
GONE_S = 6.0  # a camera whose picture is so much older than another's is not there any more


class TableEyes:
    """The eyes of a table, and their latest findings.

    Args:
        sight: None for a table without a camera.
        now: seconds since the epoch.
        put: is given each observation.
        attention: what is decisive at the table now.
        recorder: keeps the pictures that were looked at; None for none.

    Attributes:
        looked: pictures so far, those that could not be read included.
        sight: as it was given.
    """

    def __init__(
        self,
        sight: Sight | None,
        layout: Layout,
        now: Callable[[], float],
        put: Callable[[Observation], None],
        attention: Callable[[], Attention],
        recorder: Recorder | None,
    ) -> None:
        self.looked = 0
        self.sight = sight
        self._layout = layout
        self._now = now
        self._put = put
        self._attention = attention
        self._recorder = recorder
        self._whereabouts = Whereabouts(layout)
        self._shown = 0
        self._shot: Shot | None = None
        # For who may not see all of it: the latest of which it is sure where the table lay, and
        # one that may become it.
        self._sure_shot: Shot | None = None
        self._next_shot: Shot | None = None
        self._latest: Image | None = None
        self._pictures: dict[str, Picture] = {}  # the latest of each camera
        self._unread = NOTHING  # why the latest picture could not be read
        self._logged_t = -SELDOM_S
        self._unavailable: tuple[OccludedZone, ...] = ()

    # -- looking: one thread -------------------------------------------------------------------

    def watch_once(self, wait_s: float) -> None:
        """Take in the camera's next picture, if one comes in time."""
        sight = self.sight
        if sight is None:
            return
        sight.pace()
        picture = sight.next_picture(wait_s)
        if picture is None:
            return
        self._pictures[sight.turn.camera] = picture
        hidden = sight.hidden()
        if hidden is not None:
            self.blind(hidden, picture.t_s)
        else:
            self.look(picture)
        if sight.shown is not None:
            self._latest = picture.image

    def look(self, picture: Picture) -> None:
        """Read a picture and hand in what is on the table."""
        sight = self.sight
        if sight is None:
            return
        observation: Observation | None = None
        try:
            observation = sight.see(picture, self._attention())
            self._unread = sight.words if sight.is_lost else NOTHING
            if observation is not None:
                self._unavailable = observation.unavailable
            self._keep_shot(sight, picture)
        except Exception as error:
            # Why a picture was not read, once a minute: the next ones are like it
            if picture.t_s - self._logged_t >= SELDOM_S or picture.t_s < self._logged_t:
                self._logged_t = picture.t_s
                logger.exception("picture %d could not be read", picture.seq)
            self._unread = phrase("sight.pictures_cannot_be_read", error=error)
        if self._recorder is not None:
            self._recorder.looked(picture, sight.turn.camera, sight.turn.counting)
        if observation is not None:
            self._put(observation)
            sight.tend(picture)
        self.looked += 1

    def blind(self, why: WhyUnseen, t: float) -> None:
        """A picture shows nothing: what lies on the table lies there still, with its age."""
        sight = self.sight
        if sight is None:
            return
        observation = sight.blind(why, t)
        if self._recorder is not None:
            self._recorder.hidden(t, why, sight.turn.camera, sight.turn.counting)
        if observation is not None:
            self._unavailable = observation.unavailable
            self._put(observation)

    # -- what it saw: any thread ---------------------------------------------------------------

    def picture(self) -> bytes | None:
        """The camera's latest picture as JPEG, and over it the discards as they were read."""
        image, shot = self._latest, self._shot
        if image is None:
            return None
        return _with_discards(shot) if shot is not None and shot.image is image else jpeg(image)

    def pictures(self) -> dict[str, bytes]:
        """The latest picture of each camera that gives any, by its name, as JPEG."""
        known = dict(self._pictures)
        newest_t = max((picture.t_s for picture in known.values()), default=0.0)
        return {
            camera: jpeg(picture.image)
            for camera, picture in known.items()
            if picture.t_s > newest_t - GONE_S
        }

    def sure_picture(self) -> tuple[float, bytes] | None:
        """The latest picture of which it is sure where the table lay, and its time; seconds old.

        None where there is none.
        """
        shot = self._sure_shot
        return None if shot is None else (shot.t, _with_discards(shot))

    def open_places(self, t: float) -> tuple[Polygon, ...]:
        """Where rivers, melds and dice, for all to see, lie in the picture of time ``t``: pixels.

        Empty where that is not known for sure; then pictures with a secret are not shown.
        """
        return self._whereabouts.open_places(t)

    def hand_places(self, t: float, size_wh: tuple[int, int]) -> tuple[Polygon, ...]:
        """Where each seat's concealed tiles may be seen in the picture of time ``t``: pixels.

        Empty where that is not known.

        Args:
            size_wh: of the picture.
        """
        return self._whereabouts.hand_places(t, size_wh)

    def shot(self) -> Shot | None:
        """The picture that the table is judged by now."""
        return self._shot

    def health(self) -> SourceHealth:
        """How what sees the table is doing."""
        sight = self.sight
        if sight is None:
            return SourceHealth("camera", "none", Words("No camera is set up.", "未设置摄像头。"))
        health = sight.health()
        status, words = str(health.status), health.says
        if health.status is CameraStatus.LIVE:
            status, words = ("unread", self._unread) if self._unread else ("live", sight.words)
        last_t = None if health.age_s is None else self._now() - health.age_s
        # The zones that cannot be seen, and have not been for a moment
        if health.status in (CameraStatus.STALE, CameraStatus.LOST) and last_t is not None:
            zones = tuple(
                OccludedZone(zone, last_t, WhyUnseen.STALE) for zone in zone_polygons(Layout())
            )
        else:
            told_before_t = self._now() - TOLD_S
            zones = tuple(gone for gone in self._unavailable if gone.since_t <= told_before_t)
        counted = (("healed", sight.healed), ("tile_mm", round(sight.tile_mm)))
        return SourceHealth("camera", status, words, last_t, counted, zones, figures=sight.figures)

    # ------------------------------------------------------------------------------------------

    def _keep_shot(self, sight: Sight, picture: Picture) -> None:
        """The picture is what the table is judged by now, if people see this camera's."""
        eye = sight.eyes.get(sight.turn.camera)
        if sight.shown is None or eye is None or eye.watcher is None or eye.own is None:
            return
        if sight.shown != self._shown:  # places in another camera's pictures mean nothing in these
            self._shown = sight.shown
            self._whereabouts = Whereabouts(self._layout)
            self._sure_shot = self._next_shot = None
        shot = self._shot = Shot(self._now(), picture.image, eye.own, eye.watcher.calibration)
        # Remember where the table lay in the picture, and the picture if it is to be shown
        gone = eye.own.unavailable
        is_lost = any(each.why is WhyUnseen.MOVED for each in gone)
        where = None if is_lost else eye.watcher.certain_calibration
        self._whereabouts.tell(shot.t, where, gone)
        due = self._next_shot
        if due is None or not due.t <= shot.t < due.t + self._whereabouts.held_s:
            self._sure_shot = due if due and self.open_places(due.t) else None
            self._next_shot = shot


def _with_discards(shot: Shot) -> bytes:
    """The picture with what was read in the rivers, which lie open to everybody."""
    if shot.observation is None:
        return jpeg(shot.image)
    discards = replace(shot.observation, tiles=shot.observation.in_zone(ZoneKind.RIVER))
    return draw_readings(jpeg(shot.image), readings_json(discards, shot.calibration))
