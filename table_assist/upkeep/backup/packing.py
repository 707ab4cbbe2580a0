"""The file of a backup: a zip with the sha256 of everything in it, the log as a whole copy."""

import hashlib
import json
import re
import sqlite3
import time
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Any

from table_assist.languages.words import SaidError, Words
from table_assist.record.log import Entry
from table_assist.record.private import (
    DAMAGED_ARCHIVE,
    TooLargeError,
    parsed,
    small,
    unpacked_size,
    written_whole,
)
from table_assist.record.sqlite import IN_USE, code_of, copy_online, opened, refused_as
from table_assist.record.store import Store, StoreError
from table_assist.trust.installation import InstallationKey, signer_of

# Changes when a backup can no longer be read as before.
# 2: signed by the installation that made it; it says which hidden hand it holds.
# 3: with what the table has learnt of its set.
BACKUP_FORMAT = 3
BACKUP_FORMATS = (1, 2, BACKUP_FORMAT)
BACKUP_SIGNATURE, BACKUP_PURPOSE, MOST_SIGNATURE_BYTES = "manifest.sig", "backup", 1_000
# The names of each kind, in no folder: a backup chooses no other name on the disk.
HOMES = {
    "settings": re.compile(r"\w[\w-]{0,63}\.toml"),
    "log": re.compile(r"\w[\w.-]{0,63}\.sqlite"),
    "calibration": re.compile(r"\w[\w.-]{0,63}\.json"),
    "phone": re.compile(r"\w[\w.-]{0,48}\.[0-9a-f]{12}\.json"),  # how it sees the table
    "profile": re.compile(r"\w[\w-]{0,63}\.toml"),
    "set": re.compile(r"\w[\w .+-]{0,63}\.npz"),
    "learnt": re.compile(
        r"\w{1,16}@\w[\w .+-]{0,63}\.npz"
    ),  # a camera's folder, and the file in it
    "evidence": re.compile(r"\w[\w.-]{0,63}\.evidence\.sqlite"),
}
# Devices that were let in and the table's keys are no kind, whatever a file is called.
NEVER = (".devices.json", "pyproject.toml")
BACKUP_MANIFEST = "manifest.json"
OWN = (BACKUP_MANIFEST, BACKUP_SIGNATURE)
STORED = {".jpg", ".png", ".npz"}  # small as they are
CHUNK = 1 << 20
MOST_BACKUP_BYTES = 1 << 40  # of all members, which are read piece by piece
MOST_MANIFEST_BYTES = 4_000_000


class BackupError(SaidError):
    """A backup that cannot be made or restored."""


@dataclass(frozen=True, slots=True)
class Member:
    """One file of a backup.

    Attributes:
        name: in the archive.
        kind: settings, log, calibration, phone, profile, set, learnt or evidence.
        home: where it belongs, relative to the settings' folder; a tile set's is its file's name
            in the folder of sets.
    """

    name: str
    kind: str
    home: str
    sha256: str
    size: int


@dataclass(frozen=True, slots=True)
class Contents:
    """A backup's own description.

    Attributes:
        program: the version of table-assist that made it.
        made_s: seconds since the epoch.
        reason: by hand, daily, after-game, before-migration or before-version.
        facts: of the evening, for people: names, hands, scores, entries, rules.
        missing: a sentence for each thing that could not be put in.
        signer: the public key of the installation that signed it; empty for none.
    """

    program: str
    made_s: float
    reason: str
    members: tuple[Member, ...]
    facts: Mapping[str, Any] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    signer: str = ""

    def of_kind(self, kind: str) -> tuple[Member, ...]:
        """The members of one kind."""
        return tuple(member for member in self.members if member.kind == kind)


@dataclass(frozen=True, slots=True)
class ToPack:
    """A file to be packed."""

    kind: str
    home: str
    path: Path


def pack(
    out: Path, items: Iterable[ToPack], *, program: str, made_s: float, reason: str,
    facts: Mapping[str, Any], missing: Iterable[str] = (), key: InstallationKey | None = None,
) -> Contents:  # fmt: skip
    """Write a backup; it appears when it is whole.

    Raises:
        BackupError: ``out`` exists, or something cannot be read or written.
    """
    if out.exists():
        raise BackupError.told("out_exists", out=out)
    members = []
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with (
            written_whole(out) as file,
            zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive,
        ):
            for item in items:
                members.append(_add(archive, item))
            contents = Contents(
                program, made_s, reason, tuple(members), dict(facts), tuple(missing)
            )
            content = {"format": BACKUP_FORMAT, **asdict(contents)}
            del content["signer"]  # the signature itself says it
            manifest = json.dumps(content, indent=1, ensure_ascii=False) + "\n"
            archive.writestr(BACKUP_MANIFEST, manifest)
            if key is not None:
                archive.writestr(BACKUP_SIGNATURE, key.sign(BACKUP_PURPOSE, manifest.encode()))
                contents = replace(contents, signer=key.public)
    except OSError as error:
        reason_why = (error.strerror or str(error)).lower()
        raise BackupError.told("unwritten", out=out, reason_why=reason_why) from error
    return contents


def read_contents(file: Path) -> Contents:
    """A backup's own description; nothing is checked but its form.

    Raises:
        BackupError: it is no backup, of a newer format, or damaged.
    """
    with _opened(file) as archive:
        return _contents(archive, file)


def verify(file: Path) -> Contents:
    """Read every byte and compare it with the manifest.

    Raises:
        BackupError: something is missing, changed or not named; the sentence says what.
    """
    with _opened(file) as archive:
        contents = _contents(archive, file)
        named = {member.name for member in contents.members}
        found = [info.filename for info in archive.infolist() if info.filename not in OWN]
        if sorted(found) != sorted(named):
            odd = sorted(set(found) ^ named) or sorted(found)
            raise BackupError.told("differs", file=file, odd=odd[0])
        for member in contents.members:
            digest = hashlib.sha256()
            for chunk in _chunks(archive, member, file):
                digest.update(chunk)
            if digest.hexdigest() != member.sha256:
                raise BackupError.told("member_changed", name=member.name, file=file)
    return contents


def unpack(file: Path, member: Member, target: Path) -> None:
    """Write one member to a new file, whole or not at all.

    Raises:
        BackupError: its bytes are not those of the manifest, or it cannot be written.
    """
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with _opened(file) as archive, written_whole(target) as out:
            digest = hashlib.sha256()
            for chunk in _chunks(archive, member, file):
                digest.update(chunk)
                out.write(chunk)
            if digest.hexdigest() != member.sha256:
                raise BackupError.told("unpacked_changed", name=member.name, file=file)
    except OSError as error:
        raise BackupError.told(
            "target_unwritten", target=target, strerror=error.strerror
        ) from error


def _add(archive: zipfile.ZipFile, item: ToPack) -> Member:
    name = f"{item.kind}/{item.home}"
    stored = item.path.suffix in STORED
    info = zipfile.ZipInfo.from_file(item.path, name, strict_timestamps=False)
    info.compress_type = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
    digest, size = hashlib.sha256(), 0
    with item.path.open("rb") as source, archive.open(info, "w") as target:
        while chunk := source.read(CHUNK):
            digest.update(chunk)
            size += len(chunk)
            target.write(chunk)
    return Member(name, item.kind, item.home, digest.hexdigest(), size)


def _opened(file: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(file)
    except OSError as error:
        raise BackupError.told(
            "unread", file=file, lower=Words((error.strerror or "").lower(), error.strerror or "")
        ) from error
    except zipfile.BadZipFile as error:
        raise BackupError.told("no_backup", file=file, error=error) from error


def _contents(archive: zipfile.ZipFile, file: Path) -> Contents:
    try:
        unpacked_size(archive, MOST_BACKUP_BYTES)
        manifest, signature = small(archive, BACKUP_MANIFEST, MOST_MANIFEST_BYTES), b""
        content = parsed(manifest)
        if BACKUP_SIGNATURE in archive.namelist():
            signature = small(archive, BACKUP_SIGNATURE, MOST_SIGNATURE_BYTES)
    except TooLargeError as error:
        raise BackupError.told("too_large", file=file, error=error) from error
    except (*DAMAGED_ARCHIVE, ValueError, OSError) as error:
        raise BackupError.told("no_manifest", file=file, manifest=BACKUP_MANIFEST) from error
    found = content.get("format") if isinstance(content, dict) else None
    if found not in BACKUP_FORMATS:
        raise BackupError.told(
            "other_format", file=file, found=found, known=Words("1 to {n}", "{n}", n=BACKUP_FORMAT)
        )
    signer = signer_of(signature, BACKUP_PURPOSE, manifest)
    if signature and not signer:
        raise BackupError.told("changed_since", file=file)
    try:
        members = tuple(_member(row) for row in content["members"])
        return Contents(
            str(content["program"]),
            float(content["made_s"]),
            str(content["reason"]),
            members,
            dict(content["facts"]),
            tuple(map(str, content["missing"])),
            signer,
        )
    except (KeyError, TypeError, ValueError) as error:
        raise BackupError.told("manifest_damaged", file=file, error=f"{error!r}") from error


def _member(row: Mapping[str, Any]) -> Member:
    """A row of the manifest: its kind binds its name, and it goes into no folder."""
    kind, home = str(row["kind"]), str(row["home"])
    path = PurePosixPath(home)
    if path.is_absolute() or ".." in path.parts or not path.parts or "\\" in home or ":" in home:
        raise ValueError(f"{home!r} leads out of the folder")
    if kind not in HOMES or not HOMES[kind].fullmatch(path.name) or path.name.endswith(NEVER):
        raise ValueError(f"{path.name!r} is no name for {kind!r}")
    return Member(str(row["name"]), kind, path.name, str(row["sha256"]), int(row["size"]))


def _chunks(archive: zipfile.ZipFile, member: Member, file: Path) -> Iterator[bytes]:
    """The member's bytes; never more than the manifest says, so that no bomb unpacks."""
    left = member.size
    try:
        with archive.open(member.name) as source:
            while chunk := source.read(CHUNK):
                left -= len(chunk)
                if left < 0:
                    raise EOFError("it is longer than its manifest says")
                yield chunk
    except DAMAGED_ARCHIVE as error:
        raise BackupError.told(
            "member_damaged", name=member.name, file=file, error=error
        ) from error


TRIES = 20
WAIT_S = 0.05
WAL = "-wal"
# The header of a write-ahead log; its salts change when it is begun anew.
WAL_HEADER = 32


def copy_log(log: Path, target: Path) -> None:
    """Copy the log to a new file without opening or locking the original.

    A running table holds the log for itself alone, so SQLite itself may not read it from another
    program. Its two files are read instead, until the first was the same before and after the
    second: nothing moved between them then. What the write-ahead log ends with half-written is
    left out by its checksums, as after a power cut.

    Raises:
        StoreError: there is none, it cannot be read, or it never stood still.
    """
    if not log.is_file():
        raise StoreError(f"there is no log {log}")
    beside, wal = target.with_name(target.name + WAL), log.with_name(log.name + WAL)
    try:
        with refused_as(lambda why: StoreError(f"the log {log} cannot be copied: {why}")):
            for _ in range(TRIES):
                before, written = log.read_bytes(), _read(wal)
                if log.read_bytes() == before and _read(wal)[:WAL_HEADER] == written[:WAL_HEADER]:
                    target.write_bytes(before)
                    beside.write_bytes(written)
                    break
                time.sleep(WAIT_S)
            else:
                raise StoreError(f"the log {log} is written to without a pause: try again")
            # Take the write-ahead log into the file, and see that it is sound
            with closing(opened(target)) as database:
                found = database.execute("PRAGMA integrity_check").fetchone()[0]
                if found != "ok":
                    raise StoreError(f"the log {log} is damaged: {found}")
                database.execute("PRAGMA journal_mode=DELETE")
    finally:
        beside.unlink(missing_ok=True)


def copy_database(source: Path, target: Path) -> None:
    """Copy a database that others may read and write meanwhile, by SQLite's online backup.

    Raises:
        StoreError: it cannot be copied.
    """
    with (
        refused_as(lambda why: StoreError(f"{source} cannot be copied: {why}")),
        closing(opened(source, "mode=ro")) as database,
    ):
        copy_online(database, target)


def read_copy(copy: Path) -> tuple[Entry, ...]:
    """The entries of a copied log.

    Raises:
        StoreError: it is no log, it is damaged or has a gap.
    """
    with Store(copy, reads_only=True) as store:
        return store.load()


def schema_of(log: Path) -> int | None:
    """The log's format, read from its first bytes without opening it; None where there is none.

    Source: SQLite's file format, 1.3: the user version is 4 bytes at offset 60, big endian.
    """
    try:
        with log.open("rb") as file:
            head = file.read(64)
    except OSError:
        return None
    if len(head) < 64 or not head.startswith(b"SQLite format 3\0"):
        return None
    return int.from_bytes(head[60:64], "big")


def is_in_use(log: Path) -> bool:
    """Whether another program has the log open for itself; the file is not touched by asking."""
    try:
        with closing(opened(log, "mode=ro", wait_s=0.2)) as database:
            database.execute("SELECT count(*) FROM sqlite_master")
    except sqlite3.Error as error:
        return code_of(error) in IN_USE
    return False


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""
