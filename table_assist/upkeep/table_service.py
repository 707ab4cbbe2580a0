"""The service of one table: its mode, its health, its backups; all that the admin's page asks."""

import logging
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import replace
from enum import StrEnum
from pathlib import Path

from table_assist.game.events import Asked
from table_assist.health.checks import Finding, Measured, checks
from table_assist.health.measuring import ClockWatch, Figures, free_bytes, size_of, temperature_c
from table_assist.languages.words import NOTHING, View, Words, phrase, words_view
from table_assist.live.manifest import program_version
from table_assist.record.evidence import EvidenceError, EvidenceStore, evenings
from table_assist.record.snapshot import SourceHealth, has_secret
from table_assist.record.store import DamagedError
from table_assist.settings.config import Config, ConfigError, load_config
from table_assist.settings.trouble import Trouble, trouble_of
from table_assist.upkeep.backup.backup import (
    AFTER_GAME,
    BY_HAND,
    DAILY,
    Automatic,
    backup_name,
    evidence_file,
    hidden_in_backup,
    holds_secrets,
    make_backup,
)
from table_assist.upkeep.backup.packing import copy_log
from table_assist.upkeep.doctor.command import Examination
from table_assist.upkeep.doctor.table import measure_machine
from table_assist.upkeep.running import Running
from table_assist.upkeep.shelf import Shelf, evening_view, finding_view, trouble_view


class RefusedError(Exception):
    """The wish cannot be done; the message is one sentence, ``words`` in both languages.

    Args:
        words: a sentence that is there in one language only stands for both.
    """

    def __init__(self, words: Words | str) -> None:
        self.words = words if isinstance(words, Words) else Words(words, words)
        super().__init__(self.words.en)


def measure(
    running: Running,
    automatic: Automatic | None,
    *,
    now_s: float,
    clock_jump_s: float,
    settings: Path,
) -> Measured:
    """Everything that the checks look at.

    Args:
        clock_jump_s: how far the clock was set since the table was begun.
        settings: the file, which may be another one now than it was.
    """
    snapshot = running.table.snapshot
    source = _source(running, "camera")
    camera, detector = running.camera, running.detector
    evidence = _source(running, "evidence")
    text = b""
    with suppress(OSError):
        text = settings.read_bytes()
    return replace(
        measure_machine(running.config, automatic, now_s),
        running_s=now_s - running.started_s,
        sources=snapshot.health,
        has_camera=camera is not None,
        picture_s=None if source is None else source.last_t,
        pass_s=None if camera is None else camera.taken_s,
        pass_took_s=None if detector is None else detector.mean_s,
        eyes_trouble=source.says if source and source.status == "unread" else NOTHING,
        waiting=running.table.session.waiting,
        evidence_trouble=evidence.says if evidence and evidence.status == "lost" else NOTHING,
        clock_jump_s=clock_jump_s,
        has_entries=snapshot.seq > 0,
        settings_changed=text != running.text,
    )


def fill(base: Figures, running: Running, automatic: Automatic | None) -> Figures:
    """The figures of a running table beside the program's own."""
    entries = running.table.entries()
    snapshot = running.table.snapshot
    board, eyes = _source(running, "board"), _source(running, "camera")
    camera, detector = running.camera, running.detector
    cameras = [] if camera is None else [eye.camera for eye in camera.eyes.values()]
    log = Path(running.config.log.path)
    return replace(
        base,
        pictures=None if camera is None else sum(each.came for each in cameras),
        pictures_skipped=None if camera is None else sum(each.skipped for each in cameras),
        passes=None if detector is None else detector.passes,
        pass_seconds=None if detector is None else detector.seconds,
        healed=None if eyes is None else dict(eyes.counters).get("healed"),
        entries=Counter(str(entry.source) for entry in entries),
        hands=len(snapshot.history),
        questions_asked=sum(isinstance(entry.event, Asked) for entry in entries),
        questions_open=len(snapshot.state.questions),
        frames={} if board is None else dict(board.counters),
        queue=running.table.session.waiting,
        disk_free_bytes=free_bytes(log),
        log_bytes=size_of(log),
        sources={each.name: int(each.status == "live") for each in snapshot.health},
        temperature_c=temperature_c(),
        backup_s=None if automatic is None else automatic.last_s,
    )


def _source(running: Running, name: str) -> SourceHealth | None:
    return next((each for each in running.table.snapshot.health if each.name == name), None)


logger = logging.getLogger(__name__)

TICK_S = 2.0


class Mode(StrEnum):
    """The program's mode at the table."""

    TABLE = "table"  # it is followed
    SETUP = "setup"  # a person sets it up; camera and board are free for trials
    TRIAL = "trial"  # a trial is laid at it, with a log of its own
    RECOVERY = "recovery"  # it cannot be followed before something is repaired


class TreasureError(RefusedError):
    """The wanted file holds the log, and the log names a treasure that is hidden now."""

    def __init__(self) -> None:
        super().__init__(phrase("table_service.treasure_is_hidden"))


class TableService:
    """One table's keeping. Every public member may be used from any thread.

    Args:
        settings: the table's TOML file; it need not exist.
        now: seconds since the epoch.

    Attributes:
        mode: now.
        wanted: the mode to go on with once `switched` is set.
        switched: somebody wants another mode, or the table started again.
        trouble: why the table cannot be followed; None where it can, as far as is known.
        told: what happened last that a person should know; nothing for nothing.
        by_phones: people keep the score with phones, which may ask to join from the network.
        shelf: its backups.
    """

    def __init__(self, settings: Path, *, now: Callable[[], float] = time.time) -> None:
        self.settings = settings
        self.shelf = Shelf(settings, self._config)
        self.mode = self.wanted = Mode.TABLE
        self.switched = threading.Event()
        self.trouble: Trouble | None = None
        self.told = NOTHING
        self.by_phones = False
        self.running: Running | None = None
        self.started_s = now()
        self._now = now
        self._clock = ClockWatch(now)
        self._automatic: Automatic | None = None
        self._checks: tuple[Finding, ...] = ()
        self._findings: list[Finding] = []
        self._examined_s: float | None = None
        self._examining = False
        self._restoring: Path | None = None
        self._game_over = False
        self._hid = False
        self._lock = threading.RLock()
        self._ticking = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    # -- the loop's side -----------------------------------------------------------------------

    def attach(self, running: Running) -> None:
        """A table is followed from now on."""
        with self._lock:
            self.running = running
            self.trouble = None
            self.started_s = running.started_s
            self._clock = ClockWatch(self._now)
            self._automatic = Automatic(self.settings, running.config, self._now)
            self._game_over = running.table.snapshot.state.game_over
        self._stop.clear()
        self._thread = threading.Thread(target=self._watch, name="table-service", daemon=True)
        self._thread.start()

    def detach(self) -> None:
        """The table is not followed any more; it may be closed."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
        with self._lock:
            self._hid = self.hides_treasure
            self.running = None
            self._checks = ()

    def take_switch(self) -> Mode:
        """The mode that is wanted; what was put off until the table stands still is done."""
        with self._lock:
            self.switched.clear()
            mode, restoring, self._restoring = self.wanted, self._restoring, None
        if restoring is not None:
            self.told = self.shelf.put_back(restoring, self._now())
        return mode

    def before_start(self, config: Config) -> None:
        """Make the backup that is due before the log is opened."""
        automatic = Automatic(self.settings, config, self._now)
        automatic.before_start()
        if automatic.trouble:
            logger.warning("no backup before the start: %s", automatic.trouble)

    def tick(self) -> None:
        """Look at everything once, and make the backup that is due."""
        with self._ticking:  # two that look at once would both find that one is due
            measured = self.measure()
            found = checks(measured)
            with self._lock:
                before = {check.id: check for check in self._checks}
                self._checks = tuple(
                    _since(check, before.get(check.id), self._now()) for check in found
                )
                automatic, running = self._automatic, self.running
            if not measured.has_entries or automatic is None or running is None:
                return
            was_over, self._game_over = self._game_over, running.table.snapshot.state.game_over
            if self._game_over and not was_over and automatic.is_on:
                automatic.make(AFTER_GAME, running.table.copy_log)
            elif automatic.is_due():
                automatic.make(DAILY, running.table.copy_log)

    def _watch(self) -> None:
        while True:
            try:
                self.tick()
            except Exception:
                logger.exception("the table's health could not be looked at")
            if self._stop.wait(TICK_S):
                return

    def measure(self) -> Measured:
        """Everything that the checks look at."""
        running = self.running
        if running is None:
            return Measured(self._now(), free_bytes=free_bytes(self.settings.resolve()))
        return measure(
            running,
            self._automatic,
            now_s=self._now(),
            clock_jump_s=self._clock.jump_s(),
            settings=self.settings,
        )

    @property
    def hides_treasure(self) -> bool:
        """A treasure is hidden from somebody in the hand that is running, or was when it paused.

        The log names it, so nothing that holds the log is handed out meanwhile.
        """
        return self._hid if self.running is None else has_secret(self.running.table.snapshot)

    def figures(self, viewers: int) -> Figures:
        """The figures now, for monitoring."""
        base = Figures(program_version(), self.started_s, viewers=viewers)
        return base if self.running is None else fill(base, self.running, self._automatic)

    # -- the admin's page ----------------------------------------------------------------------

    def view(self) -> View:
        """Everything on the page."""
        with self._lock:
            if self.running is None:
                self._checks = tuple(
                    _since(check, None, self.started_s)
                    for check in checks(self.measure())
                    if check.id in ("disk", "clock", "temperature")
                )
            return {
                "mode": str(self.mode),
                "switching": self.switched.is_set(),
                "now": self._now(),
                "version": program_version(),
                "settings": str(self.settings),
                "trouble": None if self.trouble is None else trouble_view(self.trouble),
                "told": words_view(self.told) if self.told else None,
                "checks": [finding_view(check) for check in self._checks],
                "backups": self.shelf.views(coarse=self.hides_treasure),
                "folder": str(self.shelf.folder),
                "hidden": self.hides_treasure,
                "findings": [finding_view(finding) for finding in self._findings],
                "examined": self._examined_s,
                "examining": self._examining,
                "evenings": self._evening_views(),
            }

    def switch(self, mode: Mode) -> None:
        """Go on in another mode, or with the table started again.

        Raises:
            RefusedError: what is not on disk would be lost.
        """
        unsaved = None if self.running is None else self.running.table.session.unsaved
        if unsaved is not None:
            raise RefusedError(phrase("table_service.make_room_first_what", unsaved=unsaved))
        with self._lock:
            self.wanted = mode
            self.switched.set()

    def restart(self) -> None:
        """Start the table again."""
        self.switch(Mode.TABLE)

    def examine(self) -> None:
        """Run the doctor; what he finds is in the view when he is done."""
        with self._lock:
            if self._examining:
                return
            self._examining = True
        threading.Thread(target=self._examine, name="doctor", daemon=True).start()

    def _examine(self) -> None:
        # Camera and board belong to a followed table, from before its pages answer.
        examination = Examination(
            self.settings, "", 0.0, has_devices=self.mode in (Mode.SETUP, Mode.RECOVERY)
        )
        try:
            for _ in examination.lines():
                pass
        except Exception as error:
            logger.exception("the doctor met a fault")
            self.told = phrase("table_service.doctor_met_a_fault", error=error)
        with self._lock:
            self._findings = list(examination.findings)
            self._examined_s = self._now()
            self._examining = False

    def back_up(self, *, evidence: bool) -> str:
        """Make a backup; its name.

        Raises:
            BackupError: it cannot be made.
            StoreError: the log cannot be copied.
        """
        now_s = self._now()
        name = backup_name(self.settings, BY_HAND, now_s)
        running = self.running
        make_backup(
            self.settings,
            self.shelf.folder / name,
            now_s=now_s,
            evidence=evidence,
            copy=copy_log if running is None else running.table.copy_log,
        )
        if self._automatic is not None:
            self._automatic.last_s, self._automatic.trouble = now_s, ""
        return name

    def backup_file(self, name: str, *, at_machine: bool) -> Path | None:
        """A backup in the folder, or the one that was uploaded; None where there is none.

        Args:
            at_machine: who asks sits at the table's own machine.

        Raises:
            TreasureError: it would tell the treasure of the hand that is running.
            RefusedError: it would tell a camera's password to somebody elsewhere.
        """
        self.refuse_while_hidden()
        path = self.shelf.find(name)
        if path is not None:
            hidden = hidden_in_backup(path)
            running = self.running  # a copy's hidden parts are told once its log has gone on
            if hidden is not None and not (running and running.table.store.holds_seal(hidden.seal)):
                raise TreasureError
            if not at_machine and holds_secrets(path):
                raise RefusedError(phrase("table_service.this_backup_holds"))
        return path

    def refuse_while_hidden(self) -> None:
        """Raise TreasureError where the log names, or the camera sees, what is hidden now."""
        if self.hides_treasure:
            raise TreasureError

    def put_back(self, name: str) -> None:
        """Restore a backup as soon as the table stands still, and go on with it.

        Raises:
            BackupError: there is none of that name, it is damaged, or another table's.
        """
        path = self.shelf.own(name)
        with self._lock:
            self.switch(Mode.TABLE)
            self._restoring = path

    def forget_pictures(self, day: str) -> int:
        """Delete an evening's pictures for good; the bytes freed.

        Raises:
            EvidenceError: they cannot be deleted.
        """
        with self._lock, closing(EvidenceStore(evidence_file(self._config()))) as store:
            found = [each for each in evenings(store.hands()) if each.day == day]
            return store.forget(hand for each in found for hand in each.hands)

    def _evening_views(self) -> list[View]:
        """None where they cannot be read: a check, or the trouble, says so."""
        try:
            file = evidence_file(self._config())
            if not file.exists():
                return []
            with closing(EvidenceStore(file)) as store:
                return [evening_view(each) for each in evenings(store.hands())]
        except (ConfigError, EvidenceError):
            return []

    def _config(self) -> Config:
        running = self.running
        return load_config(self.settings) if running is None else running.config

    def fail(self, error: Exception) -> None:
        """The table cannot be followed."""
        self.trouble = trouble_of(error, self.settings)
        if isinstance(error, DamagedError):
            self.trouble = replace(self.trouble, advice=self.shelf.to_repair(error.whole))


def _since(check: Finding, before: Finding | None, now_s: float) -> Finding:
    """The check with the time since when it is so."""
    if before is None or before.state is not check.state:
        return replace(check, since_s=now_s)
    return replace(check, since_s=before.since_s)
