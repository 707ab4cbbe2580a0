"""Power cuts: what SQLite has not synced is lost when the process is killed."""

import ctypes
import os
import subprocess
from pathlib import Path

SOURCE = Path(__file__).with_name("power_cut.c")


class NoCompilerError(Exception):
    """The layer that loses writes cannot be built; the message is one sentence."""


def build(folder: Path) -> Path:
    """Compile the layer; a C compiler and SQLite's header (libsqlite3-dev) must be there.

    Raises:
        NoCompilerError: they are not.
    """
    library = folder / "power_cut.so"
    command = ["cc", "-O1", "-shared", "-fPIC", "-o", str(library), str(SOURCE), "-lsqlite3"]
    try:
        subprocess.run(command, check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError) as error:
        why = getattr(error, "stderr", None) or str(error)
        raise NoCompilerError(f"power_cut.c cannot be compiled: {why.strip()[:300]}") from error
    return library


def lose_unsynced(library: Path) -> None:
    """From now on this process's databases lose what is not synced when it is killed."""
    failed = ctypes.CDLL(str(library)).power_cut_begin(os.getpid())
    if failed:
        raise NoCompilerError(f"SQLite does not take the layer {library}: error {failed}")
