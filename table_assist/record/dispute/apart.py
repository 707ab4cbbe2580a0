"""Somebody's dispute file, verified in a process of its own: none can harm the table.

`python -m table_assist.record.dispute.apart FILE SEAL BYTES` writes what `verify` finds as JSON.
It takes so much memory at most and lets the table go first; whatever a file does to it, the table
goes on.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from table_assist.languages.words import Words
from table_assist.record.dispute.file import DisputeError, DisputeFile, read_dispute
from table_assist.record.dispute.verify import Rejudged, verify

MEMORY_BYTES = 1_500_000_000
JUDGING_LONGEST_S = 60.0
NICE = 10


def verify_apart(
    path: Path,
    noted: str = "",
    *,
    longest_s: float = JUDGING_LONGEST_S,
    memory_bytes: int = MEMORY_BYTES,
) -> list[Rejudged]:
    """As `verify`.

    Raises:
        DisputeError: the file is no dispute, takes too much time, or too much memory.
    """
    said = looked_at_apart(__name__, path, noted, longest_s=longest_s, memory_bytes=memory_bytes)
    return rejudged(said["findings"])


def looked_at_apart(
    module: str,
    path: Path,
    noted: str,
    *,
    longest_s: float = JUDGING_LONGEST_S,
    memory_bytes: int = MEMORY_BYTES,
) -> dict[str, Any]:
    """A module's process looks at a file and answers in JSON; it gets the arguments of `main`.

    Raises:
        DisputeError: the file is no dispute, takes too much time, or too much memory.
    """
    command = [sys.executable, "-m", module, str(path), noted, str(memory_bytes)]
    try:
        done = subprocess.run(command, capture_output=True, timeout=longest_s, check=False)
        said: dict[str, Any] = json.loads(done.stdout)
    except subprocess.TimeoutExpired as error:
        raise DisputeError.told("took_too_long", longest_s=f"{longest_s:.0f}") from error
    except ValueError as error:
        raise DisputeError.told("takes_too_much") from error
    if "error" in said:
        raise DisputeError(*said["error"])
    return said


def rejudged(rows: Sequence[Sequence[Any]]) -> list[Rejudged]:
    """The findings that a process has written."""
    return [Rejudged(ok, Words(en, zh), is_proven) for ok, is_proven, en, zh in rows]


def rows_of(found: Iterable[Rejudged]) -> list[tuple[bool, bool, str, str]]:
    """The findings as a process writes them."""
    return [(each.ok, each.is_proven, each.text.en, each.text.zh) for each in found]


def main(arguments: Sequence[str]) -> int:
    """The process that verifies."""
    return looked_at_here(arguments, lambda file, noted: {"findings": rows_of(verify(file, noted))})


def looked_at_here(
    arguments: Sequence[str], look: Callable[[DisputeFile, str], dict[str, Any]]
) -> int:
    """The body of a module's process: look at the file, and write the result."""
    file, noted, memory_bytes = arguments
    yield_to_table(int(memory_bytes))
    try:
        said = look(read_dispute(Path(file)), noted)
    except DisputeError as error:
        said = {"error": (error.words.en, error.words.zh)}
    print(json.dumps(said))
    return 0


def yield_to_table(memory_bytes: int) -> None:
    """The table goes first, and no file takes all memory."""
    with suppress(ImportError, OSError, ValueError):  # Windows has neither
        import resource

        os.nice(NICE)
        resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
