"""Backups that are made by themselves, and how many of them are kept."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from table_assist.capture.manifest import program_version
from table_assist.record.store import SCHEMA, StoreError
from table_assist.settings.config import Config
from table_assist.upkeep.backup.backup import SUFFIX, CopyLog, Made, backup_name, make_backup
from table_assist.upkeep.backup.logcopy import copy_log, schema_of
from table_assist.upkeep.backup.packing import BackupError, read_contents

logger = logging.getLogger(__name__)

DAILY, AFTER_GAME = "daily", "after-game"
BEFORE_MIGRATION, BEFORE_VERSION = "before-migration", "before-version"
DAY_S = 24 * 3600.0


@dataclass(slots=True)
class Automatic:
    """The automatic backups of one table. Used by one thread.

    Attributes:
        trouble: why the last one could not be made; empty when it could.
        last_s: when the newest was made, seconds since the epoch; None: never.
    """

    settings: Path
    config: Config
    now: Callable[[], float]
    trouble: str = ""
    last_s: float | None = None

    def __post_init__(self) -> None:
        found = self.kept()
        self.last_s = None if not found else found[-1].stat().st_mtime

    @property
    def is_on(self) -> bool:
        """A folder is named."""
        return bool(self.config.backup.folder)

    def kept(self, reason: str = "") -> tuple[Path, ...]:
        """The backups that are there, of one occasion or of all, the oldest first."""
        folder = Path(self.config.backup.folder)
        pattern = f"{self.settings.stem}-*-{reason}{SUFFIX}" if reason else f"*{SUFFIX}"
        return tuple(sorted(folder.glob(pattern))) if self.is_on else ()

    def before_start(self) -> Made | None:
        """Before the log is opened: where its format or the program is another one now."""
        log = Path(self.config.log.path)
        if not self.is_on or not log.is_file():
            return None
        schema = schema_of(log)
        if schema is not None and 0 < schema < SCHEMA:
            return self.make(BEFORE_MIGRATION)
        if schema == SCHEMA and self._last_program() != program_version():
            return self.make(BEFORE_VERSION)
        return None

    def is_due(self) -> bool:
        """No backup was made for a day."""
        return self.is_on and (self.last_s is None or self.now() - self.last_s >= DAY_S)

    def make(self, reason: str, copy: CopyLog = copy_log) -> Made | None:
        """Make one and forget the oldest of its occasion; None where it could not be made."""
        now_s = self.now()
        folder = Path(self.config.backup.folder)
        try:
            made = make_backup(
                self.settings,
                _free(folder, self.settings, reason, now_s),
                now_s=now_s,
                reason=reason,
                evidence=self.config.backup.evidence,
                copy=copy,
            )
        except (BackupError, StoreError) as error:
            logger.warning("no backup: %s", error)
            self.trouble = str(error)
            return None
        self.trouble, self.last_s = "", now_s
        self._forget(reason)
        return made

    def _forget(self, reason: str) -> None:
        for path in self.kept(reason)[: -self.config.backup.keep]:
            try:
                path.unlink()
            except OSError as error:
                self.trouble = f"the old backup {path} cannot be deleted: {error.strerror}"

    def _last_program(self) -> str:
        """The program that made the newest readable backup; empty where there is none."""
        newest = sorted(self.kept(), key=lambda path: path.stat().st_mtime_ns, reverse=True)
        for path in newest:
            try:
                return read_contents(path).program
            except BackupError:
                continue
        return ""


def _free(folder: Path, settings: Path, reason: str, now_s: float) -> Path:
    """A later name where two backups fall into one second."""
    path = folder / backup_name(settings, reason, now_s)
    return path if not path.exists() else _free(folder, settings, reason, now_s + 1)
