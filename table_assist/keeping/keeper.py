"""What keeps one table going: its mode, its health, its backups; what the admin's page asks."""

import hashlib
import logging
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from table_assist.config import Config, ConfigError, load_config
from table_assist.doctor.command import Examination
from table_assist.doctor.findings import Finding
from table_assist.game.events import Asked
from table_assist.keeping.automatic import AFTER_GAME, DAILY, Automatic
from table_assist.keeping.backup import (
    BY_HAND,
    SUFFIX,
    backup_name,
    evidence_file,
    make_backup,
)
from table_assist.keeping.check import Check
from table_assist.keeping.checks import checks
from table_assist.keeping.figures import Figures
from table_assist.keeping.logcopy import copy_log
from table_assist.keeping.measured import NOTHING, Measured
from table_assist.keeping.measuring import (
    ClockWatch,
    free_bytes,
    size_of,
    temperature_c,
    write_error,
)
from table_assist.keeping.packing import BackupError, Contents, read_contents, verify
from table_assist.keeping.restore import Restored, restore
from table_assist.keeping.running import Running
from table_assist.keeping.trouble import Trouble, trouble_of
from table_assist.recording.bundle import make_bundle
from table_assist.recording.manifest import program_version
from table_assist.rules.words import Words

logger = logging.getLogger(__name__)

TICK_S = 2.0
UPLOAD = ".upload"
LARGEST_UPLOAD = 4_000_000_000
View = dict[str, Any]


class Mode(StrEnum):
    """What the program does with the table."""

    TABLE = "table"  # it is followed
    SETUP = "setup"  # a person sets it up; camera and board are free for trials
    RECOVERY = "recovery"  # it cannot be followed before something is repaired


class Keeper:
    """One table's keeping. Every public member may be used from any thread.

    Args:
        settings: the table's TOML file; it need not exist.
        now: seconds since the epoch.

    Attributes:
        mode: now.
        wanted: the mode to go on with once `switched` is set.
        switched: somebody wants another mode, or the table started again.
        trouble: why the table cannot be followed; None where it can, as far as is known.
        told: what happened last that a person should know; empty for nothing.
    """

    def __init__(self, settings: Path, *, now: Callable[[], float] = time.time) -> None:
        self.settings = settings
        self.mode = self.wanted = Mode.TABLE
        self.switched = threading.Event()
        self.trouble: Trouble | None = None
        self.told = ""
        self.running: Running | None = None
        self.started_s = now()
        self._now = now
        self._clock = ClockWatch(now)
        self._automatic: Automatic | None = None
        self._checks: tuple[Check, ...] = ()
        self._findings: list[Finding] = []
        self._examined_s: float | None = None
        self._examining = False
        self._restoring: Path | None = None
        self._games_over = 0
        self._lock = threading.RLock()
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
            self._games_over = self._games()
        self._stop.clear()
        self._thread = threading.Thread(target=self._watch, name="keeper", daemon=True)
        self._thread.start()

    def detach(self) -> None:
        """The table is not followed any more; it may be closed."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
        with self._lock:
            self.running = None
            self._checks = ()

    def take_switch(self) -> Mode:
        """The mode that is wanted; what was put off until the table stands still is done."""
        with self._lock:
            self.switched.clear()
            mode, restoring, self._restoring = self.wanted, self._restoring, None
        if restoring is not None:
            self._put_back(restoring)
        return mode

    def before_start(self, config: Config) -> None:
        """Make the backup that is due before the log is opened."""
        automatic = Automatic(self.settings, config, self._now)
        automatic.before_start()
        if automatic.trouble:
            logger.warning("no backup before the start: %s", automatic.trouble)

    def tick(self) -> None:
        """Look at everything once, and make the backup that is due."""
        measured = self.measure()
        found = checks(measured)
        with self._lock:
            before = {check.id: check for check in self._checks}
            self._checks = tuple(
                _since(check, before.get(check.id), self._now()) for check in found
            )
            automatic, running = self._automatic, self.running
        if automatic is None or running is None or not measured.has_entries:
            return
        games = self._games()
        if games > self._games_over and automatic.is_on:
            automatic.make(AFTER_GAME, running.table.copy_log)
        elif automatic.is_due():
            automatic.make(DAILY, running.table.copy_log)
        self._games_over = games

    def _watch(self) -> None:
        while True:
            try:
                self.tick()
            except Exception:
                logger.exception("the table's health could not be looked at")
            if self._stop.wait(TICK_S):
                return

    def _games(self) -> int:
        """How often a game was over, as the log counts it."""
        if self.running is None:
            return 0
        return sum(
            bool(getattr(entry.event, "game_over", False)) for entry in self.running.table.entries()
        )

    # -- measuring -----------------------------------------------------------------------------

    def measure(self) -> Measured:
        """Everything that the checks look at."""
        running = self.running
        now_s = self._now()
        if running is None:
            return Measured(now_s, free_bytes=free_bytes(self.settings.resolve()))
        snapshot = running.table.snapshot
        source = next((each for each in snapshot.health if each.name == "camera"), None)
        camera, detector = running.camera, running.detector
        log = Path(running.config.log.path)
        is_unread = source is not None and source.status == "lost" and _sees(running)
        automatic = self._automatic
        return Measured(
            now_s,
            running_s=now_s - running.started_s,
            sources=snapshot.health,
            has_camera=camera is not None,
            picture_s=None if source is None else source.last_t,
            pass_s=None if camera is None else camera.taken_s,
            pass_took_s=None if detector is None else detector.mean_s,
            eyes_trouble=(
                Words(source.message, source.message_zh or source.message)
                if is_unread and source is not None
                else NOTHING
            ),
            waiting=running.table.session.waiting,
            free_bytes=free_bytes(log),
            log_bytes=size_of(log),
            log_error=write_error(log),
            evidence_bytes=size_of(evidence_file(running.config)) or 0,
            evidence_trouble=_evidence_trouble(running),
            clock_jump_s=self._clock.jump_s(),
            temperature_c=temperature_c(),
            backup_s=None if automatic is None else automatic.last_s,
            backups_on=automatic is not None and automatic.is_on,
            backup_trouble="" if automatic is None else automatic.trouble,
            has_entries=snapshot.seq > 0,
            settings_changed=_bytes_of(self.settings) != running.text,
        )

    def figures(self, viewers: int) -> Figures:
        """The figures now, for monitoring."""
        running = self.running
        base = Figures(program_version(), self.started_s, viewers=viewers)
        if running is None:
            return base
        entries = running.table.entries()
        snapshot = running.table.snapshot
        board = next((each for each in snapshot.health if each.name == "board"), None)
        camera, detector = running.camera, running.detector
        log = Path(running.config.log.path)
        return replace(
            base,
            pictures=None if camera is None else camera.came,
            pictures_skipped=None if camera is None else camera.skipped,
            passes=None if detector is None else detector.passes,
            pass_seconds=None if detector is None else detector.seconds,
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
            backup_s=None if self._automatic is None else self._automatic.last_s,
        )

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
                "told": self.told,
                "checks": [_check_view(check) for check in self._checks],
                "backups": [_backup_view(path) for path in self._kept()],
                "folder": str(self._folder()),
                "findings": [_finding_view(finding) for finding in self._findings],
                "examined": self._examined_s,
                "examining": self._examining,
            }

    def switch(self, mode: Mode) -> None:
        """Go on in another mode, or with the table started again."""
        with self._lock:
            self.wanted = mode
            self.switched.set()

    def examine(self) -> None:
        """Run the doctor; what he finds is in the view when he is done."""
        with self._lock:
            if self._examining:
                return
            self._examining = True
        threading.Thread(target=self._examine, name="doctor", daemon=True).start()

    def _examine(self) -> None:
        # Camera and board belong to the running table: what they do is among the checks.
        examination = Examination(self.settings, "", 0.0, [], has_devices=self.running is None)
        try:
            for _ in examination.lines():
                pass
        except Exception as error:
            logger.exception("the doctor met a fault")
            self.told = f"The doctor met a fault: {error}"
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
            self._folder() / name,
            now_s=now_s,
            evidence=evidence,
            copy=copy_log if running is None else running.table.copy_log,
        )
        if self._automatic is not None:
            self._automatic.last_s, self._automatic.trouble = now_s, ""
        return name

    def backup_file(self, name: str) -> Path | None:
        """A backup in the folder, or the one that was uploaded; None where there is none."""
        known = {path.name: path for path in (*self._kept(), self._folder() / UPLOAD)}
        path = known.get(name)
        return path if path is not None and path.is_file() else None

    def receive(self, offset: int, data: bytes) -> int:
        """A piece of a backup that is uploaded, in order; how many bytes there are now.

        Raises:
            BackupError: it is not the next piece, is too much, or cannot be written.
        """
        path = self._folder() / UPLOAD
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            there = path.stat().st_size if offset and path.exists() else 0
            if offset != there:
                raise BackupError(f"the piece at {offset} does not follow after {there}")
            if offset + len(data) > LARGEST_UPLOAD:
                raise BackupError(f"a backup may have {LARGEST_UPLOAD} bytes")
            with path.open("ab" if offset else "wb") as file:
                file.write(data)
        except OSError as error:
            raise BackupError(f"{path} cannot be written: {error.strerror}") from error
        return offset + len(data)

    def look_inside(self, name: str) -> View:
        """What is in a backup, every byte of it checked.

        Raises:
            BackupError: there is none of that name, or it is damaged.
        """
        return contents_view(verify(self._named(name)), self.settings.name)

    def put_back(self, name: str) -> None:
        """Restore a backup as soon as the table stands still, and go on with it.

        Raises:
            BackupError: there is none of that name, it is damaged, or another table's.
        """
        path = self._named(name)
        contents = verify(path)
        homes = [member.home for member in contents.of_kind("settings")]
        if homes != [self.settings.name]:
            raise BackupError(
                f"it is of the table {', '.join(homes) or 'without settings'}, not of "
                f"{self.settings.name}: restore it with table-assist restore"
            )
        with self._lock:
            self._restoring = path
            self.switch(Mode.TABLE)

    def bundle(self) -> Path:
        """Pack what others need to see a fault.

        Raises:
            RecordingError: it cannot be written.
        """
        out = self._folder() / f"{self.settings.stem}-{int(self._now())}-bundle.zip"
        out.parent.mkdir(parents=True, exist_ok=True)
        running = self.running
        make_bundle(
            out, self.settings, entries=None if running is None else running.table.entries()
        )
        return out

    def _named(self, name: str) -> Path:
        path = self.backup_file(name)
        if path is None:
            raise BackupError(f"there is no backup {name!r}")
        return path

    def _folder(self) -> Path:
        try:
            config = self.running.config if self.running else load_config(self.settings)
            if config.backup.folder:
                return Path(config.backup.folder)
        except ConfigError:
            pass
        return self.settings.parent / "backups"

    def _kept(self) -> tuple[Path, ...]:
        found = self._folder().glob(f"*{SUFFIX}")
        return tuple(sorted(found, key=lambda path: path.stat().st_mtime_ns, reverse=True))

    def _put_back(self, path: Path) -> Restored | None:
        try:
            done = restore(path, self.settings.parent, now_s=self._now(), force=True)
        except BackupError as error:
            logger.warning("nothing was restored: %s", error)
            self.told = f"Nothing was restored: {error}."
            return None
        if path.name == UPLOAD:
            path.unlink(missing_ok=True)
        self.told = "The backup was restored."
        if done.kept is not None:
            self.told += f" What was there before is kept in {done.kept}."
        return done

    def fail(self, error: Exception) -> None:
        """The table cannot be followed."""
        self.trouble = trouble_of(error, self.settings)


def trouble_view(trouble: Trouble) -> View:
    """For the page."""
    return {
        "kind": str(trouble.kind),
        "file": trouble.file,
        "line": trouble.line,
        "key": trouble.key,
        "says": _words(trouble.says),
        "advice": _words(trouble.advice),
    }


def contents_view(contents: Contents, settings: str) -> View:
    """For the page, before anything is restored."""
    return {
        "program": contents.program,
        "made": contents.made_s,
        "reason": contents.reason,
        "facts": dict(contents.facts),
        "missing": list(contents.missing),
        "files": [
            {"kind": member.kind, "home": member.home, "size": member.size}
            for member in contents.members
        ],
        "own": [member.home for member in contents.of_kind("settings")] == [settings],
    }


def digest_of(text: str) -> str:
    """By which a page tells that the file was changed behind its back."""
    return hashlib.sha256(text.encode("utf-8", errors="replace")).hexdigest()[:16]


def _since(check: Check, before: Check | None, now_s: float) -> Check:
    """The check with the time since when it is so."""
    if before is None or before.state is not check.state:
        return replace(check, since_s=now_s)
    return replace(check, since_s=before.since_s)


def _sees(running: Running) -> bool:
    """Pictures come: that the camera is called lost means that they cannot be read."""
    camera = running.camera
    return camera is not None and str(camera.health().status) == "live"


def _evidence_trouble(running: Running) -> str:
    source = next((s for s in running.table.snapshot.health if s.name == "evidence"), None)
    return source.message if source is not None and source.status == "lost" else ""


def _bytes_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def _check_view(check: Check) -> View:
    return {
        "id": check.id,
        "state": str(check.state),
        "says": _words(check.says),
        "advice": None if check.advice is None else _words(check.advice),
        "since": check.since_s,
    }


def _backup_view(path: Path) -> View:
    view: View = {"name": path.name, "size": path.stat().st_size}
    try:
        contents = read_contents(path)
    except BackupError as error:
        return view | {"damaged": str(error)}
    return view | {
        "made": contents.made_s,
        "reason": contents.reason,
        "hands": contents.facts.get("hands"),
        "scores": contents.facts.get("scores"),
        "program": contents.program,
    }


def _finding_view(finding: Finding) -> View:
    return {
        "what": finding.what,
        "verdict": str(finding.verdict),
        "says": finding.says,
        "advice": finding.advice,
    }


def _words(words: Any) -> dict[str, str]:
    return {"en": words.en, "zh": words.zh}
