"""Putting a backup back: checked first, nothing overwritten unasked, what was there is kept."""

import datetime
import tomllib
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from table_assist.record.evidence import EVIDENCE_SUFFIX as EVIDENCE
from table_assist.record.store import Store
from table_assist.settings.config import ConfigError
from table_assist.settings.edit import (
    LEARNT_FOLDER,
    REMOVED,
    SET_HERE,
    Changes,
    EditError,
    check,
    edit,
    read_text,
    write,
)
from table_assist.trust.installation import open_key
from table_assist.upkeep.backup.packing import (
    BackupError,
    Contents,
    Member,
    is_in_use,
    unpack,
    verify,
)
from table_assist.vision.enrolment.files import sets_folder

REPLACED = "replaced"
# SQLite's files beside a log; beside another one they would spoil it.
BESIDE_A_LOG = ("-wal", "-shm", "-journal")


@dataclass(frozen=True, slots=True)
class Restored:
    """The restored files.

    Attributes:
        settings: the table's file, to go on with; None where the backup has none.
        written: every file.
        kept: where the files went that were there before; None where there were none.
        changed: keys of the settings that name another place now.
        left: keys that were not taken from another installation.
    """

    contents: Contents
    settings: Path | None
    written: tuple[Path, ...]
    kept: Path | None
    changed: tuple[str, ...]
    left: tuple[str, ...] = ()


def restore(
    file: Path,
    to: Path,
    *,
    now_s: float,
    force: bool = False,
    take: Collection[str] = (),
) -> Restored:
    """Verify the backup, then write everything in it below a folder.

    The tile set goes where this user's sets are. With ``force`` the files that are there are moved
    to a folder beside them first; none is lost. Of a backup that this installation has not signed
    no device is taken over: its settings name none, and no other path than those written here.

    Args:
        file: what `make_backup` has made.
        to: the folder of the settings.
        now_s: seconds since the epoch.
        force: what is there is moved aside.
        take: keys such as ``camera.source`` that a person at the machine takes over all the same.

    Raises:
        BackupError: the backup is not whole; a file is there already and ``force`` is not given;
            a running table uses the log; or the folder cannot be written to.
    """
    contents = verify(file)
    log = "".join(member.home for member in contents.of_kind("log"))
    folders = {"set": sets_folder(), "learnt": to / (log + LEARNT_FOLDER)}
    targets = {
        member: folders.get(member.kind, to) / member.home.replace("@", "/")
        for member in contents.members
    }
    if len(set(targets.values())) != len(targets):
        raise BackupError.told("two_for_one", file=file)
    for member, target in targets.items():
        if member.kind == "log" and target.exists() and is_in_use(target):
            raise BackupError.told("in_use", target=target)
    there = list(_in_the_way(targets))
    if there and not force:
        raise BackupError.told("there_already", there=there[0])
    moved = _move_away(there, to, now_s)
    written = []
    for member, target in targets.items():
        unpack(file, member, target)
        if member.kind == "log":
            # Of a stranger's database the rows are taken, into a file of this program's own.
            given = target.with_name(f".{target.name}.given")
            target.replace(given)
            try:
                with Store(given, reads_only=True) as store:
                    store.copy_to(target)
            finally:
                given.unlink()
        written.append(target)
    settings = next((t for m, t in targets.items() if m.kind == "settings"), None)
    changed = () if settings is None else _point_to(settings, targets)
    left: tuple[str, ...] = ()
    if settings is not None and contents.signer != open_key().public:
        left = _leave_out(settings, targets, take)
    return Restored(contents, settings, tuple(written), moved, changed, left)


def restored_lines(restored: Restored) -> Iterator[str]:
    """For people."""
    if restored.kept is not None:
        yield f"What was there before is kept in {restored.kept}"
    for path in restored.written:
        yield f"{path}"
    if restored.changed:
        yield f"The settings name other places now: {', '.join(restored.changed)}"
    if restored.left:
        yield "It is not this installation's, so these settings were not taken from it: " + (
            f"{', '.join(restored.left)} (--take KEY takes one)"
        )
    if restored.settings is not None:
        yield f"Go on with: table-assist run --config {restored.settings}"


def _in_the_way(targets: dict[Member, Path]) -> Iterator[Path]:
    """The files that are there already, and those that belong to them.

    Evidence is kept under the numbers of its log's entries: beside another log its pictures would
    show something else.
    """
    found: dict[Path, None] = {}
    for member, target in targets.items():
        files = [target]
        if member.kind == "log":
            files.append(target.with_name(target.name + EVIDENCE))
        for file in files:
            for path in (file, *(file.with_name(file.name + end) for end in BESIDE_A_LOG)):
                if path.exists():
                    found[path] = None
    yield from found


def _move_away(there: list[Path], to: Path, now_s: float) -> Path | None:
    """Move what is there to a folder of its own, which keeps where each lay."""
    if not there:
        return None
    kept = to / f"{REPLACED}-{datetime.datetime.fromtimestamp(now_s, datetime.UTC):%Y%m%d-%H%M%S}"
    try:
        for path in there:
            inside = path.relative_to(to) if path.is_relative_to(to) else Path("sets", path.name)
            (kept / inside).parent.mkdir(parents=True, exist_ok=True)
            path.replace(kept / inside)
    except OSError as error:
        raise BackupError.told("unmoved", path=path, kept=kept, strerror=error.strerror) from error
    return kept


def _point_to(settings: Path, targets: dict[Member, Path]) -> tuple[str, ...]:
    """Where the settings name a place outside of their folder, let them name the restored file."""
    text, folder = read_text(settings), settings.parent
    try:
        config = check(text, folder)
    except ConfigError:
        return ()
    named = {
        "log": ("log", "path", config.log.path),
        "profile": ("rules", "profile", config.rules.profile),
        "calibration": ("camera", "calibration", config.camera.calibration),
    }
    changes: dict[tuple[str, str], object] = {}
    for member, target in targets.items():
        section, key, now = named.get(member.kind, ("", "", ""))
        if now and (folder / now).resolve() != target.resolve():
            changes[section, key] = target.relative_to(folder).as_posix()
    return _write(settings, text, changes)


def _leave_out(
    settings: Path, targets: dict[Member, Path], take: Collection[str]
) -> tuple[str, ...]:
    """Take devices, and paths to other files than those restored, out of foreign settings."""
    text = read_text(settings)
    try:
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return ()  # a person repairs it, and sees it
    restored = {target.resolve() for target in targets.values()}
    changes: dict[tuple[str, str], object] = {}
    for section, key in SET_HERE:
        named = table.get(section)
        value = named.get(key) if isinstance(named, dict) else None
        if value is None or f"{section}.{key}" in take:
            continue
        if (settings.parent / str(value)).resolve() not in restored:
            changes[section, key] = REMOVED
    return _write(settings, text, changes)


def _write(settings: Path, text: str, changes: Changes) -> tuple[str, ...]:
    if not changes:
        return ()
    try:
        write(settings, edit(text, changes))
    except EditError as error:
        raise BackupError.told("not_adapted", error=error) from error
    return tuple(f"{section}.{key}" for section, key in changes)
