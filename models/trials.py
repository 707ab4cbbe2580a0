"""Every real table's trial, read and followed anew: `python -m models.trials FOLDER`.

The folder holds trials: folders as `table-assist trial` leaves them, or the files that
`table-assist contribute` makes. Each is replayed with the present networks and follower, and
compared with what its script says that was laid. One row a table, for docs/FIGURES.md.
"""

import argparse
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from table_assist.capture.manifest import config_of, read_manifest
from table_assist.capture.reading import load_recording
from table_assist.live.replay_folder import replay
from table_assist.record.log import Entry
from table_assist.settings.build import rules_of
from table_assist.upkeep.trial.marks import folded, script_of
from table_assist.upkeep.trial.report import LaidFate, compare, fit_of, right_share
from table_assist.vision.enrolment.files import find_set
from table_assist.vision.reading.read import open_reader

HEAD = (
    "| table | rules | events right / asked / wrong / silent | settlement | fit |",
    "|---" * 5 + "|",
)
NONE = "No real table yet."


@dataclass(frozen=True, slots=True)
class TrialOfTable:
    """The present program's result on one trial."""

    name: str
    rules: str
    events: tuple[int, int, int, int]
    settlement: str
    fit: str

    @property
    def line(self) -> str:
        """A row of a table in Markdown."""
        events = " / ".join(map(str, self.events))
        return f"| {self.name} | {self.rules} | {events} | {self.settlement} | {self.fit} |"


def tables(folder: Path) -> Iterator[TrialOfTable]:
    """Each trial in the folder, in the order of their names."""
    with ExitStack() as stack:
        for path in sorted(folder.iterdir()):
            if path.suffix == ".zip":
                inside = Path(stack.enter_context(tempfile.TemporaryDirectory()))
                with zipfile.ZipFile(path) as packed:
                    packed.extractall(inside)
                yield measured(inside, path.stem.removesuffix(".trial"))
            elif any(path.glob("recording-*")):
                yield measured(path, path.name)


def measured(trial: Path, name: str) -> TrialOfTable:
    """One trial with the present networks and follower.

    Raises:
        TrialError: it is damaged, or of rules that are others now.
        RecordingError: its recording is damaged.
    """
    parts = sorted(trial.glob("recording-*"))
    config = config_of(parts[0], read_manifest(parts[0]))
    reader = open_reader(own_set=find_set(config.eyes.set))
    entries: tuple[Entry, ...] = ()
    for part in parts:  # taken up again: each goes on where the one before has led to
        recording = replace(load_recording(part), entries=entries, earlier=len(entries))
        entries = replay(recording, reader).entries
    progress = folded(entries)
    script = script_of(progress, rules_of(config))
    compared = compare(script, progress, entries)
    settled = compared.settlement
    fit = fit_of(right_share(compared), is_silent=compared.is_silently_wrong)
    counts = (
        compared.count(fate)
        for fate in (LaidFate.RIGHT, LaidFate.ASKED, LaidFate.WRONG, LaidFate.SILENT)
    )
    right, asked, wrong, silent = counts
    return TrialOfTable(
        name,
        script.rules,
        (right, asked, wrong, silent),
        "none" if settled is None else settled.fate.value,
        fit.value,
    )


def main(arguments: list[str] | None = None) -> int:
    """Print the rows; 1 where something was wrong without a question."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="of trials")
    found = list(tables(parser.parse_args(arguments).folder))
    print("\n".join([*HEAD, *(table.line for table in found)]) if found else NONE)
    return 1 if any(table.events[-1] for table in found) else 0


if __name__ == "__main__":
    sys.exit(main())
