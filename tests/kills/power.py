"""Power cuts: what was not synced is lost when the process is killed, names in folders, too."""

import ctypes
import os
import subprocess
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

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


def lose_unsynced(library: Path, telling: int) -> None:
    """From now on this process loses what is not synced when it is killed.

    Args:
        telling: a pipe, which is told as lines what becomes of names in folders: ``created FILE``,
            ``renamed FILE TO`` and ``synced FOLDER``, for `FileNames`.
    """
    failed = ctypes.CDLL(str(library)).power_cut_begin(os.getpid(), telling)
    if failed:
        raise NoCompilerError(f"SQLite does not take the layer {library}: error {failed}")
    _watch_names(telling)


def _watch_names(telling: int) -> None:
    """Have this process tell which names it makes, and which folders it syncs."""
    open_file, replace, sync = os.open, os.replace, os.fsync

    def tell(*words: object) -> None:
        os.write(telling, (" ".join(map(str, words)) + "\n").encode())

    def opening(path: Any, flags: int, *more: Any, **named: Any) -> int:
        is_new = bool(flags & os.O_CREAT) and not os.path.exists(path)
        opened = open_file(path, flags, *more, **named)
        if is_new:
            tell("created", path)
        return opened

    def replacing(old: Any, new: Any, **named: Any) -> None:
        is_new = not os.path.exists(new)
        replace(old, new, **named)
        if is_new:
            tell("renamed", old, new)

    def syncing(file: Any) -> None:
        sync(file)
        path = Path(os.readlink(f"/proc/self/fd/{file}"))
        if path.is_dir():
            tell("synced", path)

    for name, watched in (("open", opening), ("replace", replacing), ("fsync", syncing)):
        setattr(os, name, watched)


@dataclass(slots=True)
class FileNames:
    """Which names a power cut would take with it."""

    _open: list[tuple[str, ...]] = field(default_factory=list)
    lost: int = 0

    def note(self, line: str) -> bool:
        """A line as `lose_unsynced` tells it; whether it is one."""
        what, *paths = line.split(" ")
        match what:
            case "created" | "renamed":
                self._open.append((what, *paths))
            case "synced":
                self._open = [each for each in self._open if str(Path(each[-1]).parent) != paths[0]]
            case _:
                return False
        return True

    def cut(self, random: Random) -> None:
        """The power goes: of the names that were not synced, the last ones are gone."""
        gone = self._open[random.randint(0, len(self._open)) :]
        for what, *paths in reversed(gone):
            with suppress(FileNotFoundError):
                if what == "created":
                    Path(paths[0]).unlink()
                else:
                    Path(paths[1]).replace(paths[0])
                self.lost += 1
        self._open.clear()
