"""A table being followed: threads that join camera, board, session and dashboard.

camera thread: newest picture wins; link thread: nothing is dropped; session thread: the only
writer; everybody else reads snapshots.
"""

import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path

from firmware_bridge.link import LinkDown, LinkItem
from firmware_bridge.receiver import Reading
from table_assist.capture.recorder import (
    NotingStore,
    Recorder,
)
from table_assist.club.orders import order_words
from table_assist.contract.change import Change
from table_assist.contract.commands import Command, NotKeptError
from table_assist.contract.evidence import Evidence
from table_assist.contract.health import SourceHealth
from table_assist.contract.snapshot import Snapshot
from table_assist.dispute.attested import attestations, not_yet_said
from table_assist.dispute.file import rule_sheet
from table_assist.evidence.photographer import (
    Shot,
    open_photographer,
)
from table_assist.evidence.store import EvidenceMoment
from table_assist.game.acceptance import AcceptedBy
from table_assist.game.events import Attested
from table_assist.live.board_line import NO_BOARD, BoardLine, board_line
from table_assist.live.sight import OneCamera, Sight
from table_assist.live.stamper import Stamper
from table_assist.photos.desk import PhotoDesk
from table_assist.record.log import Entry
from table_assist.record.record import Record
from table_assist.record.seal import HandSeal
from table_assist.record.store import Store, StoreError
from table_assist.session.bindings import SUFFIX as PIECES
from table_assist.session.from_board import board_signal
from table_assist.session.session import Session
from table_assist.settings.build import (
    layout_of,
    profile_of,
    watcher_of,
)
from table_assist.settings.config import Config
from table_assist.vision.enrolment.files import find_set
from table_assist.vision.pictures.camera import (
    Camera,
    CameraStatus,
    Picture,
)
from table_assist.vision.pictures.picture import (
    Image,
    jpeg,
)
from table_assist.vision.reading.read import Reader, open_reader
from table_assist.vision.table.blacken import Polygon
from table_assist.vision.table.calibration import Calibration, CalibrationError
from table_assist.vision.table.observe import Observation
from table_assist.vision.table.placement_history import Whereabouts
from table_assist.vision.table.unseen import (
    Unavailable,
    Why,
)
from table_assist.vision.table.zone_views import zone_polygons
from table_assist.vision.table.zones import Layout
from table_assist.words import NOTHING, Words

logger = logging.getLogger(__name__)
SELDOM_S = 60.0  # between two lines on the console about pictures that cannot be read

HEALTH_EVERY_S = 0.4  # with what a camera's fault takes to show, it is told within two seconds
# What cannot be seen for less than this is nothing to tell: a hand passed over it.
TOLD_S = 0.5
PICTURE_WAIT_S = 0.5
GONE_S = 6.0  # a camera whose picture is so much older than another's is not there any more


class LiveTable:
    """Everything that runs for one table; what the dashboard looks at.

    Args:
        camera: not started yet; None for a table without one.
        recorder: keeps what the table sees, hears and is told; None for none.
        board: another line than the one that the settings name.
        vouches: by the public key of this installation the log vouches for itself, names, rules
            and pictures; empty: it does not.
        sight: what sees the table instead of a camera: phones.

    Raises:
        ConfigError: settings that do not fit together.
        StoreError: the log cannot be opened.
    """

    def __init__(
        self,
        config: Config,
        *,
        camera: Camera | None,
        reader: Reader | None,
        now: Callable[[], float] = time.time,
        recorder: Recorder | None = None,
        board: BoardLine | None = None,
        vouches: str = "",
        sight: Sight | None = None,
    ) -> None:
        self._vouches = vouches
        profile = profile_of(config)
        self._sight: Sight | None = sight
        if camera is not None and reader is not None:
            self._sight = OneCamera(camera, watcher_of(config, reader))
        self._layout = layout_of(config) if self._sight else Layout()
        self._whereabouts = Whereabouts(self._layout)
        self._shown = 0
        self._now = now
        self._recorder = recorder
        log = Path(config.log.path)
        self._store = NotingStore(log, recorder.entries) if recorder else Store(log)
        a, b, c, d = config.seats.names
        try:
            record = Record(self._store, now)
        except StoreError:
            self._store.close()  # what repairs it, or looks at it, is to find it free
            raise
        self._shot: Shot | None = None
        # For who may not see all of it: the latest of which it is sure where the table lay, and
        # one that may become it.
        self._sure_shot: Shot | None = None
        self._next_shot: Shot | None = None
        most_bytes = config.log.evidence_mb * 1_000_000
        self.photos = PhotoDesk(lambda: reader or open_reader(own_set=find_set(config.eyes.set)))
        self._photographer = open_photographer(
            log,
            most_bytes,
            self._picture_now,
            self._picture_kept,
            entries=record.seq,
            most_days=config.log.evidence_days,
        )
        self.session = Session(
            profile,
            (a, b, c, d),
            record,
            now=now,
            settle_after_s=config.rules.settle_after_s,
            accepted_by=AcceptedBy(config.rules.accepted_by),
            photographer=self._photographer,
            heap=config.zones.river_style == "heap",
            photos=self.photos,
            pieces=log.with_name(log.name + PIECES),
            attested_words=order_words,
        )
        if recorder is not None:
            recorder.begin(record.entries)
        self._to_vouch: tuple[Attested, ...] = ()
        if vouches:
            sheet = rule_sheet(profile.id, profile.rules, profile.hash)
            said = attestations(vouches, config.seats.names, sheet)
            self._to_vouch = tuple(not_yet_said(said, record.entries))
        self._stamper: Stamper | None = None
        if config.stamps.authority:
            self._stamper = Stamper(
                config.stamps.authority, self._newest_seal, self.vouch, record.entries
            )
        self._board = board or board_line(
            config.board,
            lambda item: self.hear(item, self._acknowledge),
            recorder.heard if recorder else None,
        )
        self._latest: Image | None = None
        self._pictures: dict[str, Picture] = {}  # the latest of each camera
        self._unread = NOTHING  # why the latest picture could not be read
        self._logged_t = -SELDOM_S
        self._unavailable: tuple[Unavailable, ...] = ()
        self._stop = threading.Event()
        loops = (self._follow_session, self._watch, self._check_health)
        self._threads = [
            threading.Thread(target=loop, name=loop.__name__, daemon=True) for loop in loops
        ]

    def start(self) -> None:
        """Begin to follow the table."""
        for said in self._to_vouch:
            self.vouch(said)
        self.session.drain()  # a dispute file made at once has all that the log vouches for
        if self._sight is not None:
            self._sight.start()
        if self._board is not None:
            self._board.start()
        if self._stamper is not None:
            self._stamper.start()
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """End all threads and close the log; `session.unsaved` says what could not be kept."""
        self._stop.set()
        if self._stamper is not None:
            self._stamper.stop()
        if self._sight is not None:
            self._sight.close()
        for thread in self._threads:
            thread.join()
        if self._board is not None:
            self._board.stop()
        self.close()

    def close(self) -> None:
        """Take in what came last, and close the log."""
        self.session.drain()
        self._photographer.close()
        self.session.drain()  # for what was kept last the log vouches, too
        self.session.process(None)  # what could not be saved before is tried once more
        self._store.close()
        if self._recorder is not None:
            self._recorder.close()

    # -- what the dashboard needs --------------------------------------------------------------

    @property
    def snapshot(self) -> Snapshot:
        """The newest snapshot."""
        return self.session.snapshot

    @property
    def version(self) -> int:
        """Grows with every published snapshot."""
        return self.session.version

    def wait(self, after: int, timeout_s: float) -> Snapshot | None:
        """As `Session.wait`."""
        return self.session.wait(after, timeout_s)

    def submit(self, command: Command, by: str = "", key: str = "") -> Words | None:
        """As `Session.submit`."""
        given_t = self._recorder.commanded(command, by, key) if self._recorder else 0.0
        try:
            return self.session.submit(command, by, key)
        except NotKeptError as error:
            if self._recorder is not None and error.is_withdrawn:
                self._recorder.withdrawn(given_t)
            raise

    def was_done(self, key: str) -> bool:
        """As `Session.was_done`."""
        return self.session.was_done(key)

    def preview(self, command: Command) -> Change | Words:
        """As `Session.preview`."""
        return self.session.preview(command)

    def entries(self) -> tuple[Entry, ...]:
        """As `Session.entries`."""
        return self.session.entries()

    def evidence(self, id: str) -> Evidence | None:
        """The picture and readings kept under an id of the snapshot; None when there are none."""
        return self._photographer.evidence(id)

    def hold_evidence(self, hand: int) -> None:
        """Keep a hand's evidence for good: something in it is disputed."""
        self._photographer.hold(hand)

    def hand_seals(self) -> tuple[str, tuple[HandSeal, ...]]:
        """As `TableSource.hand_seals`."""
        return self._store.seals.first, self._store.seals.noted

    def holds_seal(self, seal: str) -> bool:
        """Whether the log has an entry with this seal."""
        return self._store.holds_seal(seal)

    def rows_after(self, seq: int, most: int) -> list[tuple[int, str, str]]:
        """As `Store.rows_after`."""
        return self._store.rows_after(seq, most)

    def copy_log(self, log: Path, target: Path) -> None:
        """Copy the log to a new file while the table runs.

        Args:
            log: the table's; no other is open here.

        Raises:
            StoreError: it cannot be copied.
        """
        self._store.copy_to(target)

    def picture(self) -> bytes | None:
        """The camera's latest picture as JPEG."""
        image = self._latest
        return None if image is None else jpeg(image)

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
        """As `TableSource.sure_picture`."""
        shot = self._sure_shot
        return None if shot is None else (shot.t, jpeg(shot.image))

    def open_places(self, t: float) -> tuple[Polygon, ...]:
        """As `TableSource.open_places`."""
        return self._whereabouts.open_places(t)

    def hand_places(self, t: float, size_wh: tuple[int, int]) -> tuple[Polygon, ...]:
        """As `TableSource.hand_places`."""
        return self._whereabouts.hand_places(t, size_wh)

    # -- what the sources say ------------------------------------------------------------------

    def look(self, picture: Picture) -> None:
        """Read a picture and hand in what is on the table."""
        sight = self._sight
        if sight is None:
            return
        observation: Observation | None = None
        try:
            sight.attend(self.session.attention)
            observation = sight.see(picture)
            self._unread = sight.words if sight.is_lost else NOTHING
            if observation is not None:
                self._unavailable = observation.unavailable
            self._keep_shot(sight, picture)
        except CalibrationError as error:
            self._unread = error.words
        except Exception as error:
            self._log_unread(picture)
            self._unread = Words(
                "The pictures cannot be read: {error}", "画面无法读取：{error}", error=error
            )
        if self._recorder is not None:
            self._recorder.looked(picture, sight.turn.camera, sight.turn.counting)
        if observation is not None:
            self.session.put(observation)
            sight.tend(picture)

    def _log_unread(self, picture: Picture) -> None:
        """Why a picture was not read, once a minute: the next ones are like it."""
        if picture.t_s - self._logged_t >= SELDOM_S or picture.t_s < self._logged_t:
            self._logged_t = picture.t_s
            logger.exception("picture %d could not be read", picture.seq)

    def blind(self, why: Why, t: float) -> None:
        """A picture shows nothing: what lies on the table lies there still, with its age."""
        sight = self._sight
        if sight is None:
            return
        observation = sight.blind(why, t)
        if self._recorder is not None:
            self._recorder.hidden(t, why, sight.turn.camera, sight.turn.counting)
        if observation is not None:
            self._unavailable = observation.unavailable
            self.session.put(observation)

    def watch_once(self, wait_s: float) -> None:
        """Take in the camera's next picture, if one comes in time."""
        sight = self._sight
        picture = None if sight is None else sight.take(wait_s)
        if sight is None or picture is None:
            return
        if sight.shown is not None:
            self._latest = picture.image
        self._pictures[sight.turn.camera] = picture
        hidden = sight.hidden()
        if hidden is not None:
            self.blind(hidden, picture.t_s)
        else:
            self.look(picture)
        sight.pace()

    def hear(self, item: LinkItem, acknowledge: Callable[[Reading], None]) -> None:
        """Hand in what the board says."""
        if isinstance(item, LinkDown) and self._recorder is not None:
            self._recorder.line_lost()
        if not isinstance(item, Reading):
            return
        signal = board_signal(item, acknowledge)
        if signal is not None:
            self.session.put(signal)

    def check_health(self) -> None:
        """Tell the session how the sources are doing."""
        if self._recorder is not None:
            self._recorder.checked()
            self.session.put(self._recorder.health)
        self.session.put(self._camera_health())
        self.session.put(self._board_health())
        self.session.put(self._photographer.health)
        if self._stamper is not None:
            self.session.put(self._stamper.health)

    @property
    def profile_hash(self) -> str:
        """Of the rule profile by which the next hand is played."""
        return self.session.profile.hash

    def vouch(self, said: Attested) -> None:
        """Have the log say something beside the game. From any thread."""
        if self._recorder is not None:
            self._recorder.vouched(said)
        self.session.put(said)

    def tell_health(self, health: SourceHealth) -> None:
        """How something beside the table's own sources is doing. From any thread."""
        self.session.put(health)

    # -- threads -------------------------------------------------------------------------------

    def _follow_session(self) -> None:
        self.session.run(self._stop)

    def _watch(self) -> None:
        while self._sight is not None and not self._stop.is_set():
            self.watch_once(PICTURE_WAIT_S)

    def _check_health(self) -> None:
        while not self._stop.wait(HEALTH_EVERY_S):
            self.check_health()

    def _acknowledge(self, reading: Reading) -> None:
        if self._board is not None:
            self._board.acknowledge(reading)

    def _keep_shot(self, sight: Sight, picture: Picture) -> None:
        """The picture is what the table is judged by now, if people see this camera's."""
        if sight.shown is None or sight.own is None:
            return
        if sight.shown != self._shown:  # places in another camera's pictures mean nothing in these
            self._shown = sight.shown
            self._whereabouts = Whereabouts(self._layout)
            self._sure_shot = self._next_shot = None
        self._shot = Shot(self._now(), picture.image, sight.own, sight.calibration)
        self._note_place(self._shot, sight.certain_calibration)

    def _note_place(self, shot: Shot, certain: Calibration | None) -> None:
        """Remember where the table lay in the picture, and the picture if it is to be shown."""
        gone = shot.observation.unavailable if shot.observation is not None else ()
        is_lost = any(each.why is Why.MOVED for each in gone)
        where = None if is_lost else certain
        self._whereabouts.tell(shot.t, where, gone)
        due = self._next_shot
        if due is None or not due.t <= shot.t < due.t + self._whereabouts.held_s:
            self._sure_shot = due if due and self.open_places(due.t) else None
            self._next_shot = shot

    def _picture_kept(self, moment: EvidenceMoment, digest: str) -> None:
        if self._vouches:
            self.vouch(Attested("picture", (str(moment.seq), digest)))

    def _newest_seal(self) -> HandSeal | None:
        noted = self._store.seals.noted
        return noted[-1] if noted else None

    def _picture_now(self) -> Shot | None:
        return self._shot

    def _camera_health(self) -> SourceHealth:
        sight = self._sight
        if sight is None:
            return SourceHealth("camera", "none", Words("No camera is set up.", "未设置摄像头。"))
        health = sight.health()
        status, words = str(health.status), health.says
        if health.status is CameraStatus.LIVE:
            status, words = ("lost", self._unread) if self._unread else ("live", sight.words)
        last_t = None if health.age_s is None else self._now() - health.age_s
        zones = self._unseen_zones(health.status, last_t)
        counted = (("healed", sight.healed), ("tile_mm", round(sight.tile_mm)))
        return SourceHealth("camera", status, words, last_t, counted, zones, figures=sight.figures)

    def _unseen_zones(self, status: CameraStatus, last_t: float | None) -> tuple[Unavailable, ...]:
        """What of the table cannot be seen, and has not been for a moment."""
        if status in (CameraStatus.STALE, CameraStatus.LOST) and last_t is not None:
            return tuple(Unavailable(zone, last_t, Why.STALE) for zone in zone_polygons(Layout()))
        told_before_t = self._now() - TOLD_S
        return tuple(gone for gone in self._unavailable if gone.since_t <= told_before_t)

    def _board_health(self) -> SourceHealth:
        return NO_BOARD if self._board is None else self._board.health(self._now())
