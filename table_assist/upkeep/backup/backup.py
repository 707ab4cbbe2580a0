"""A backup's content, and making one: while the table is followed, and by itself, too."""

import datetime
import logging
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from table_assist.live.camera_service import kept_calibrations
from table_assist.live.manifest import program_version
from table_assist.record.evidence import EVIDENCE_SUFFIX as EVIDENCE
from table_assist.record.export import played_hands
from table_assist.record.snapshot import Hidden, hidden_in
from table_assist.record.store import LOG_SCHEMA, StoreError
from table_assist.settings.config import Config, ConfigError, load_config
from table_assist.settings.edit import LEARNT_FOLDER
from table_assist.trust.installation import fingerprint_of, open_key, without_secrets
from table_assist.upkeep.backup.packing import (
    HOMES,
    BackupError,
    Contents,
    ToPack,
    copy_database,
    copy_log,
    pack,
    read_contents,
    read_copy,
    schema_of,
    unpack,
)
from table_assist.vision.enrolment.files import SET_SUFFIX, sets_folder

BACKUP_SUFFIX = ".tablebackup"
BY_HAND = "by-hand"
# The table's own files and databases, as they are called when they lie elsewhere.
BACKED_UP_LOG, BACKED_UP_PROFILE, BACKED_UP_CALIBRATION = (
    "table-assist.sqlite",
    "profile.toml",
    "table.calibration.json",
)

CopyLog = Callable[[Path, Path], None]


@dataclass(frozen=True, slots=True)
class Made:
    """A backup that was made."""

    path: Path
    contents: Contents
    size_bytes: int


@dataclass(slots=True)
class _Found:
    """The files for a backup, and those that could not be read."""

    items: list[ToPack] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)

    def add(self, kind: str, home: str, path: Path) -> None:
        if path.is_file():
            self.items.append(ToPack(kind, home, path))
        else:
            self.missing.append(f"There is no {kind} {path}.")


def make_backup(
    settings: Path,
    out: Path,
    *,
    now_s: float,
    reason: str = BY_HAND,
    evidence: bool = False,
    copy: CopyLog = copy_log,
) -> Made:
    """Pack log, settings, calibration, profile and own tile set into one file.

    What is not there is told in the manifest, and the rest is packed. The settings are packed as
    they are, with a camera's password if one is in them.

    Args:
        settings: the table's TOML file.
        out: must not exist.
        evidence: with the pictures that were kept.
        copy: of the running table's log, where this program follows it.

    Raises:
        BackupError: there are no settings, or the file cannot be written.
        StoreError: there is a log, and it cannot be copied or read.
    """
    if not settings.is_file():
        raise BackupError.told("no_settings", settings=settings)
    key = open_key()
    with tempfile.TemporaryDirectory(prefix="table-assist-") as folder:
        found = _Found()
        found.facts["installation"] = key.fingerprint
        found.add("settings", settings.name, settings)
        try:
            config = load_config(settings)
        except ConfigError as error:
            found.missing.append(f"All that the settings name: {error}.")
        else:
            _find(found, config, settings, Path(folder), evidence=evidence, copy=copy)
        contents = pack(
            out,
            found.items,
            program=program_version(),
            made_s=now_s,
            reason=reason,
            facts=found.facts,
            missing=found.missing,
            key=key,
        )
    return Made(out, contents, out.stat().st_size)


def backup_name(settings: Path, reason: str, now_s: float) -> str:
    """The name of a backup's file: by its time the names sort.

    >>> backup_name(Path("table.toml"), "daily", 0.0)
    'table-19700101-000000-daily.tablebackup'
    """
    moment = datetime.datetime.fromtimestamp(now_s, datetime.UTC)
    return f"{settings.stem}-{moment:%Y%m%d-%H%M%S}-{reason}{BACKUP_SUFFIX}"


def backup_lines(made: Made) -> Iterator[str]:
    """For people."""
    yield from made.contents.missing
    facts = made.contents.facts
    if "entries" in facts:
        yield f"{facts['hands']} hands, {facts['entries']} entries, scores {facts['scores']}"
    kilobytes = made.size_bytes / 1e3
    yield f"{made.path}: {len(made.contents.members)} files, {kilobytes:.0f} kB"


def contents_lines(contents: Contents) -> Iterator[str]:
    """For people: what is inside."""
    made = datetime.datetime.fromtimestamp(contents.made_s, datetime.UTC)
    yield f"Made {made:%Y-%m-%d %H:%M:%S} UTC by version {contents.program}, {contents.reason}."
    for member in contents.members:
        yield f"  {member.kind:<12}{member.home}  {member.size / 1e3:.0f} kB"
    if contents.signer:
        yield f"Signed by the installation {fingerprint_of(contents.signer)}."
    yield from contents.missing


def hidden_in_backup(file: Path) -> Hidden | None:
    """The hidden parts of a backup's log; an older backup, which does not say so, is looked into.

    Raises:
        BackupError: it is none, or it is damaged.
        StoreError: the log in it is.
    """
    contents = read_contents(file)
    if "hides" in contents.facts:
        row = contents.facts["hides"]
        return None if row is None else Hidden(int(row["hand"]), str(row["seal"]))
    with tempfile.TemporaryDirectory(prefix="table-assist-") as folder:
        for member in contents.of_kind("log"):
            copy = Path(folder) / "log.sqlite"
            unpack(file, member, copy)
            return hidden_in(read_copy(copy))
    return None


def holds_secrets(file: Path) -> bool:
    """Whether the settings in a backup have a camera's or a board's password in them.

    Raises:
        BackupError: it is none, or it is damaged.
    """
    contents = read_contents(file)
    with tempfile.TemporaryDirectory(prefix="table-assist-") as folder:
        for member in contents.of_kind("settings"):
            copy = Path(folder) / "settings"
            unpack(file, member, copy)
            text = copy.read_text(encoding="utf-8", errors="replace")
            if without_secrets(text) != text:
                return True
    return False


def evidence_file(config: Config) -> Path:
    """Where the pictures of doubts and decisions are kept: beside the log."""
    log = Path(config.log.path)
    return log.with_name(log.name + EVIDENCE)


def _find(
    found: _Found, config: Config, settings: Path, folder: Path, *, evidence: bool, copy: CopyLog
) -> None:
    base = settings.parent
    found.facts["names"] = list(config.seats.names)
    found.facts["rules"] = config.rules.profile or config.rules.id
    log = Path(config.log.path)
    if log.exists():
        target = folder / "log.sqlite"
        copy(log, target)
        _tell(found, target)
        found.add("log", _home(log, base, BACKED_UP_LOG), target)
        for learnt in sorted(log.with_name(log.name + LEARNT_FOLDER).glob(f"*/*{SET_SUFFIX}")):
            home = f"{learnt.parent.name}@{learnt.name}"
            if HOMES["learnt"].fullmatch(home):
                found.add("learnt", home, learnt)
    else:
        found.missing.append(f"There is no log {log} yet.")
    if config.rules.profile:
        profile = Path(config.rules.profile)
        found.add("profile", _home(profile, base, BACKED_UP_PROFILE), profile)
    calibration = Path(config.camera.calibration)
    if calibration.is_file():
        found.add("calibration", _home(calibration, base, BACKED_UP_CALIBRATION), calibration)
    for own in sorted(kept_calibrations(config)):
        found.add("phone", _home(own, base, own.name), own)
    if config.eyes.set:
        name = f"{config.eyes.set}{SET_SUFFIX}"
        found.add("set", name, sets_folder() / name)
    if evidence and evidence_file(config).is_file():
        target = folder / "evidence.sqlite"
        copy_database(evidence_file(config), target)
        found.add("evidence", _home(log, base, BACKED_UP_LOG) + EVIDENCE, target)


def _tell(found: _Found, log: Path) -> None:
    entries = read_copy(log)
    hands = played_hands(entries)
    hidden = hidden_in(entries)
    found.facts["hides"] = None if hidden is None else asdict(hidden)
    found.facts |= {
        "entries": len(entries),
        "hands": len(hands),
        "scores": list(hands[-1].scores) if hands else [0, 0, 0, 0],
        "last_s": entries[-1].t if entries else None,
    }


def _home(path: Path, base: Path, otherwise: str) -> str:
    """The path below the settings' folder; what lies elsewhere gets a place there."""
    try:
        return path.resolve().relative_to(base.resolve()).as_posix()
    except ValueError:
        return otherwise


logger = logging.getLogger(__name__)

DAILY, AFTER_GAME = "daily", "after-game"
BEFORE_MIGRATION, BEFORE_VERSION = "before-migration", "before-version"
DAY_S = 86_400.0


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
        pattern = (
            f"{self.settings.stem}-*-{reason}{BACKUP_SUFFIX}" if reason else f"*{BACKUP_SUFFIX}"
        )
        return tuple(sorted(folder.glob(pattern))) if self.is_on else ()

    def before_start(self) -> Made | None:
        """Before the log is opened: where its format or the program is another one now."""
        log = Path(self.config.log.path)
        if not self.is_on or not log.is_file():
            return None
        schema = schema_of(log)
        if schema is not None and 0 < schema < LOG_SCHEMA:
            return self.make(BEFORE_MIGRATION)
        if schema == LOG_SCHEMA and self._last_program() != program_version():
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
        for path in self.kept(reason)[: -self.config.backup.keep]:
            try:
                path.unlink()
            except OSError as error:
                self.trouble = f"the old backup {path} cannot be deleted: {error.strerror}"
        return made

    def _last_program(self) -> str:
        """The program that made the newest readable backup; empty where there is none."""
        for path in sorted(self.kept(), key=lambda path: path.stat().st_mtime_ns, reverse=True):
            try:
                return read_contents(path).program
            except BackupError:
                continue
        return ""


def _free(folder: Path, settings: Path, reason: str, now_s: float) -> Path:
    """A later name where two backups fall into one second."""
    path = folder / backup_name(settings, reason, now_s)
    return path if not path.exists() else _free(folder, settings, reason, now_s + 1)
