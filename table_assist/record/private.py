"""Files of people's play and faces: for their owner alone."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO


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


FILE, FOLDER = 0o600, 0o700


@contextmanager
def written_whole(path: Path) -> Iterator[BinaryIO]:
    """A file to write: it stands under its name once all of it is on the disk, or not at all."""
    beside = path.with_name(f".{path.name}.new")
    try:
        opened = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, FILE)
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
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE))
        return
    wanted = FOLDER if path.is_dir() else FILE
    found = path.stat()
    mine = not hasattr(os, "geteuid") or found.st_uid == os.geteuid()
    if mine and stat.S_IMODE(found.st_mode) & 0o077:
        path.chmod(wanted)


def keep_new_files_private() -> None:
    """Files that this program writes from now on are for its owner alone."""
    os.umask(0o077)
