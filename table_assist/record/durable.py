"""Files that survive a power cut: their bytes and the names under which they stand."""

import os
from contextlib import suppress
from pathlib import Path


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
