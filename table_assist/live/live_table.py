"""A table being followed: threads that join camera, board, session and dashboard.

camera thread: newest picture wins; link thread: nothing is dropped; session thread: the only
writer; everybody else reads snapshots.
"""

import os
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Protocol

from firmware_bridge.events import SERIAL_LINE, EventContent, SourceError, find_source
from firmware_bridge.frames import SEQ_MODULUS, encode
from firmware_bridge.link import Link, LinkDown, LinkItem, LinkStatus, LinkTiming
from firmware_bridge.messages import MS_MODULUS, PROTOCOL, Event, Hello, Message, to_frame
from firmware_bridge.receiver import Reading
from table_assist.club.orders import order_words
from table_assist.game.acceptance import AcceptedBy
from table_assist.game.events import Attested
from table_assist.languages.board_words import board_words
from table_assist.languages.words import NOTHING, Words
from table_assist.live.recorder import NotingStore, Recorder
from table_assist.live.sight import Eye, Sight, TableEyes
from table_assist.record.commands import Change, Command, NotKeptError
from table_assist.record.dispute.file import attestations, not_yet_said, rule_sheet
from table_assist.record.evidence import Evidence, EvidenceMoment
from table_assist.record.log import Entry
from table_assist.record.photographer import open_photographer
from table_assist.record.record import Record
from table_assist.record.seal import HandSeal
from table_assist.record.snapshot import Snapshot, SourceHealth
from table_assist.record.store import Store, StoreError
from table_assist.session.bindings import PIECES_SUFFIX as PIECES
from table_assist.session.from_board import board_signal
from table_assist.session.session import Session
from table_assist.settings.config import BoardConfig, Config, ConfigError
from table_assist.settings.edit import is_placed, layout_of, profile_of, watcher_of
from table_assist.vision.enrolment.files import find_set
from table_assist.vision.photos.photo_hand import PhotoService
from table_assist.vision.pictures.camera import Camera
from table_assist.vision.reading.read import Reader, open_reader
from table_assist.vision.table.zones import Layout

# The line to what tells keys, dice and wall: a serial board, or what a package brings instead.
#
# What kind it is is a setting; to the session all of them are one board.

Deliver = Callable[[LinkItem], None]
# Sees what arrives as a board's bytes, for a recording.
Watch = Callable[[bytes], None]

NO_BOARD = SourceHealth("board", "none", Words("No board is set up.", "未设置电路板。"))
_STATUS = {
    LinkStatus.CONNECTED: "live",
    LinkStatus.CONNECTING: "stale",
    LinkStatus.LOST: "lost",
    LinkStatus.NONE: "none",
}


class BoardLine(Protocol):
    """A thread that hears what the board says."""

    def start(self) -> None:
        """Begin to listen."""

    def stop(self) -> None:
        """Give the line back and end the thread."""

    def acknowledge(self, reading: Reading) -> None:
        """This event, and all before it, are stored."""

    def health(self, now_s: float) -> SourceHealth:
        """How the line is.

        Args:
            now_s: seconds since the epoch.
        """


def board_line(config: BoardConfig, deliver: Deliver, watch: Watch | None) -> BoardLine | None:
    """The line that the settings name; None for a table without a board.

    Raises:
        ConfigError: no installed package brings this kind of board.
    """
    if config.kind != SERIAL_LINE:
        return OtherBoard(config, deliver, watch)
    return SerialBoard(config, deliver, watch) if config.port else None


class SerialBoard:
    """A board at a serial port: what it says is kept by it until it is acknowledged."""

    def __init__(self, config: BoardConfig, deliver: Deliver, watch: Watch | None) -> None:
        self._link = Link(
            config.port.whole,
            deliver,
            baud=config.baud,
            timing=LinkTiming(silent_s=config.silent_s),
            watch=watch,
            say=config.port.hide,
        )
        self.start, self.stop = self._link.start, self._link.stop
        self.acknowledge = self._link.acknowledge

    def health(self, now_s: float) -> SourceHealth:
        """How the link is."""
        health = self._link.health
        last_t = None if health.age_s is None else now_s - health.age_s
        status, counters = _STATUS[health.status], health.counters
        counted = (("good", counters.good), ("bad", counters.bad), ("unknown", counters.unknown))
        said = NOTHING if status == "live" else board_words(health.message)
        return SourceHealth("board", status, said, last_t, counted)


class OtherBoard:
    """A source that is no board; its events are numbered as a board's that starts with it."""

    def __init__(self, config: BoardConfig, deliver: Deliver, watch: Watch | None) -> None:
        try:
            self._source = find_source(config.kind)(config.port.whole, self._hear)
        except SourceError as error:
            raise ConfigError(f"board.kind: {error}", "board.kind") from error
        self.start, self.stop = self._source.start, self._source.stop
        self._kind = config.kind
        self._deliver = deliver
        self._watch = watch
        self._lock = threading.Lock()
        self._boot_id = os.urandom(4).hex().upper()
        self._started_s = time.monotonic()
        self._heard, self._last_t = 0, 0.0

    def acknowledge(self, reading: Reading) -> None:
        """Nobody waits for it."""

    def health(self, now_s: float) -> SourceHealth:
        """As the source says."""
        condition = self._source.condition()
        with self._lock:
            counted, last_t = (("good", self._heard),), self._last_t or None
        status = "live" if condition.is_good else "stale"
        says = NOTHING if condition.is_good else Words(condition.en, condition.zh)
        tells_dice = self._source.tells_dice
        return SourceHealth("board", status, says, last_t, counted, tells_dice=tells_dice)

    def _hear(self, event: EventContent) -> None:
        with self._lock:
            self._heard, self._last_t = self._heard + 1, time.time()
            seq, received_s = self._heard % SEQ_MODULUS, self._last_t
        board_ms = int(1000 * (time.monotonic() - self._started_s)) % MS_MODULUS
        said: list[tuple[Message, Hello | EventContent]] = [
            (Event(seq, self._boot_id, board_ms, event), event)
        ]
        if seq == 1:
            hello = Hello(seq, self._boot_id, board_ms, 1, PROTOCOL, self._kind, ())
            said.insert(0, (hello, hello))
        for message, content in said:
            if self._watch is not None:
                self._watch(encode(to_frame(message)))
            self._deliver(Reading(content, self._boot_id, seq, board_ms, received_s))


class ToldBoard:
    """A board whose words come another way: of a recording, or of a simulated table."""

    def start(self) -> None:
        """Nothing starts here."""

    def stop(self) -> None:
        """Nor ends."""

    def acknowledge(self, reading: Reading) -> None:
        """Nobody waits for it."""

    def health(self, now_s: float) -> SourceHealth:
        """It is there: that decides who reads dice."""
        return SourceHealth("board", "live", last_t=now_s)


HEALTH_EVERY_S = 0.4  # with what a camera's fault takes to show, it is told within two seconds
EYES_WAIT_S = 0.5


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
        if camera is not None and reader is not None:
            watcher = watcher_of(config, reader) if is_placed(config) else None
            sight = Sight({"": Eye(camera, watcher, Path(config.camera.calibration))})
        self.eyes = TableEyes(
            sight,
            layout_of(config) if sight else Layout(),
            now,
            put=lambda seen: self.session.put(seen),
            attention=lambda: self.session.attention,
            recorder=recorder,
        )
        self._now = now
        self._recorder = recorder
        log = Path(config.log.path)
        self.store: Store = NotingStore(log, recorder.entries) if recorder else Store(log)
        a, b, c, d = config.seats.names
        try:
            record = Record(self.store, now)
        except StoreError:
            self.store.close()  # what repairs it, or looks at it, is to find it free
            raise
        most_bytes = config.log.evidence_mb * 1_000_000
        self.photos = PhotoService(lambda: reader or open_reader(own_set=find_set(config.eyes.set)))
        self._photographer = open_photographer(
            log,
            most_bytes,
            lambda: self.eyes.shot(),
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
        self._board = board or board_line(
            config.board,
            lambda item: self.hear(item, self._acknowledge),
            recorder.heard if recorder else None,
        )
        self._stop = threading.Event()
        loops: list[Callable[[], None]] = [partial(self.session.run, self._stop)]
        loops += [self._check_health] if sight is None else [self._watch, self._check_health]
        self._threads = [threading.Thread(target=loop, daemon=True) for loop in loops]

    def start(self) -> None:
        """Begin to follow the table."""
        for said in self._to_vouch:
            self.vouch(said)
        self.check_health()  # whether anything follows the table is known from its first moment
        self.session.drain()  # a dispute file made at once has all that the log vouches for
        if self.eyes.sight is not None:
            self.eyes.sight.start()
        if self._board is not None:
            self._board.start()
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """End all threads and close the log; `session.unsaved` says what could not be kept."""
        self._stop.set()
        if self.eyes.sight is not None:
            self.eyes.sight.close()
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
        self.store.close()
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
        """The picture and readings kept under an id of the snapshot; None when there are none.

        An entry of any hand that has some has it under ``e`` and its number.
        """
        return self._photographer.evidence(id)

    def hold_evidence(self, hand: int) -> None:
        """Keep a hand's evidence for good: something in it is disputed."""
        self._photographer.hold(hand)

    def hand_seals(self) -> tuple[str, tuple[HandSeal, ...]]:
        """The seal of the log's first entry, by which a log is known, and those of its hands.

        Only of what is on disk; the oldest first.
        """
        return self.store.seals.first, self.store.seals.noted

    def copy_log(self, log: Path, target: Path) -> None:
        """Copy the log to a new file while the table runs.

        Args:
            log: the table's; no other is open here.

        Raises:
            StoreError: it cannot be copied.
        """
        self.store.copy_to(target)

    # -- what the sources say ------------------------------------------------------------------

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
        self.session.put(self.eyes.health())
        self.session.put(NO_BOARD if self._board is None else self._board.health(self._now()))
        self.session.put(self._photographer.health)

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

    def _watch(self) -> None:
        while not self._stop.is_set():
            self.eyes.watch_once(EYES_WAIT_S)

    def _check_health(self) -> None:
        while not self._stop.wait(HEALTH_EVERY_S):
            self.check_health()

    def _acknowledge(self, reading: Reading) -> None:
        if self._board is not None:
            self._board.acknowledge(reading)

    def _picture_kept(self, moment: EvidenceMoment, digest: str) -> None:
        if self._vouches:
            self.vouch(Attested("picture", (str(moment.seq), digest)))
