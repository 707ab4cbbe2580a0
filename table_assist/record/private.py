"""Files of people's play and faces, for their owner alone; archives that others made."""

import hashlib
import json
import os
import stat
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO


def sync_file(path: Path) -> None:
    """Have the file's bytes on the disk when this returns."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def sync_folder(path: Path) -> None:
    """Have the names in the folder on the disk; where a system cannot do that, nothing happens."""
    with suppress(OSError):
        folder = os.open(path, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


PRIVATE_FILE, PRIVATE_FOLDER = 0o600, 0o700


@contextmanager
def written_whole(path: Path) -> Iterator[BinaryIO]:
    """A file to write: it stands under its name once all of it is on the disk, or not at all."""
    beside = path.with_name(f".{path.name}.new")
    try:
        opened = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, PRIVATE_FILE)
        with os.fdopen(opened, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
        sync_folder(path.parent)
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


def write_whole(path: Path, content: str | bytes) -> None:
    """The same at once."""
    with written_whole(path) as file:
        file.write(content.encode() if isinstance(content, str) else content)


def make_private(path: Path) -> None:
    """Let nobody but its owner read a file, which is made if there is none, or a folder.

    SQLite gives its journals the rights of their file.

    Raises:
        OSError: the file cannot be made.
    """
    if not path.exists():
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_FILE))
        return
    wanted = PRIVATE_FOLDER if path.is_dir() else PRIVATE_FILE
    found = path.stat()
    mine = not hasattr(os, "geteuid") or found.st_uid == os.geteuid()
    if mine and stat.S_IMODE(found.st_mode) & 0o077:
        path.chmod(wanted)


def keep_new_files_private() -> None:
    """Files that this program writes from now on are for its owner alone."""
    os.umask(0o077)


CHUNK = 1 << 20
MOST_MEMBERS = 100_000
# The errors that reading a spoiled archive may raise.
DAMAGED_ARCHIVE = (
    KeyError,
    zipfile.BadZipFile,
    EOFError,
    NotImplementedError,
    RuntimeError,
    zlib.error,
)


class TooLargeError(ValueError):
    """Something unpacks to more than it may; the message says what."""


def unpacked_size(archive: zipfile.ZipFile, most: int) -> int:
    """The unpacked size that the archive tells.

    Raises:
        TooLargeError: that is more than the limit, or there are too many members.
    """
    members = archive.infolist()
    if len(members) > MOST_MEMBERS:
        raise TooLargeError(f"it has {len(members)} members, more than {MOST_MEMBERS}")
    size = sum(info.file_size for info in members)
    if size > most:
        raise TooLargeError(f"it unpacks to {size} bytes, more than {most}")
    return size


def chunks(archive: zipfile.ZipFile, name: str, most: int) -> Iterator[bytes]:
    """A member's bytes, piece by piece.

    Raises:
        TooLargeError: there are more than the limit.
        Exception: any of `DAMAGED_ARCHIVE`, where it cannot be read.
    """
    left = most
    with archive.open(name) as source:
        while chunk := source.read(CHUNK):
            left -= len(chunk)
            if left < 0:
                raise TooLargeError(f"{name} unpacks to more than {most} bytes")
            yield chunk


def small(archive: zipfile.ZipFile, name: str, most: int) -> bytes:
    """A member that is kept in memory as a whole; raises as `chunks`."""
    return b"".join(chunks(archive, name, most))


def digest(archive: zipfile.ZipFile, name: str, most: int) -> str:
    """A member's SHA-256; raises as `chunks`."""
    found = hashlib.sha256()
    for chunk in chunks(archive, name, most):
        found.update(chunk)
    return found.hexdigest()


def parsed(content: bytes | str) -> Any:
    """JSON of anybody's.

    Raises:
        ValueError: it is none, or it is nested without end.
    """
    try:
        return json.loads(content)
    except RecursionError as error:
        raise ValueError("it is nested too deep") from error
