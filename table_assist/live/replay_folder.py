"""`table-assist run --record` and `table-assist replay`."""

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from table_assist.capture.compare import Difference, compare, difference_lines, difference_to_json
from table_assist.capture.manifest import (
    RecordingError,
    current_weights,
    make_manifest,
    program_version,
)
from table_assist.capture.reading import Recording, load_recording
from table_assist.capture.recorder import Recorder
from table_assist.live.replay import Replayed, replay
from table_assist.settings.build import profile_of
from table_assist.settings.config import Config
from table_assist.vision.reading.read import Reader


def start_recording(config: Config, folder: Path) -> Recorder:
    """Begin to record a table that is about to run.

    Raises:
        ConfigError: the profile cannot be used.
        RecordingError: the folder holds something already, or cannot be made.
    """
    weights = current_weights(config.eyes.set) if config.camera.source else {}
    manifest = make_manifest(config, profile_of(config), weights, time.time())
    return Recorder(folder, manifest, config)


@dataclass(frozen=True, slots=True)
class ComparedReplay:
    """A recording and what it led to this time.

    Attributes:
        beyond: entries of the replay after the last one of a recording that breaks off: they may
            not have been written any more, and are no differences.
    """

    recording: Recording
    replayed: Replayed
    differences: tuple[Difference, ...]
    beyond: int
    remarks: tuple[str, ...]

    @property
    def is_same(self) -> bool:
        """The replay has led to the very log that was recorded."""
        return not self.differences

    def lines(self) -> Iterator[str]:
        """For people: the differences, and the sum of it."""
        yield from self.remarks
        for difference in self.differences:
            yield from difference_lines(difference, self.recording.manifest.started_s)
        recorded = len(self.recording.entries) - self.recording.earlier
        looked, kept = self.replayed.pictures
        yield (
            f"{self._verdict()}: {recorded} recorded entries, {looked} pictures looked at "
            f"({kept} kept), {self.replayed.lasted_s:.1f} s"
        )

    def to_json(self) -> str:
        """For programs, on one line."""
        looked, kept = self.replayed.pictures
        row = {
            "same": self.is_same,
            "recorded": len(self.recording.entries) - self.recording.earlier,
            "replayed": len(self.replayed.entries) - self.recording.earlier,
            "beyond": self.beyond,
            "pictures": looked,
            "pictures_kept": kept,
            "seconds": self.replayed.lasted_s,
            "remarks": list(self.remarks),
            "differences": [difference_to_json(each) for each in self.differences],
        }
        return json.dumps(row, ensure_ascii=False)

    def _verdict(self) -> str:
        if self.is_same:
            return "The same log"
        kinds = [difference.kind for difference in self.differences]
        told = [f"{kinds.count(kind)} {kind}" for kind in ("differs", "missing", "added")]
        return f"ANOTHER log ({', '.join(told)})"


def replay_folder(
    folder: Path, open_eyes: Callable[[Config], Reader], *, anyway: bool = False
) -> ComparedReplay:
    """Follow a recording again and compare the logs.

    Args:
        open_eyes: opens the reader for a table with a camera.
        anyway: also with other weights than it was recorded with.

    Raises:
        RecordingError: it is no recording, is damaged, or was made with other weights or rules.
    """
    recording = load_recording(folder)
    remarks = [] if anyway else list(_check_alike(recording))
    has_camera = bool(recording.config.camera.source)
    replayed = replay(recording, open_eyes(recording.config) if has_camera else None)
    ours, theirs = recording.entries, replayed.entries
    differences = compare(ours, theirs, replayed.causes)
    beyond = 0
    if not recording.is_whole:
        remarks.append("The recording breaks off: the program was killed, or its disk was full.")
        while differences and differences[-1].recorded is None:
            if differences[-1].replayed is not theirs[len(theirs) - 1 - beyond]:
                break
            differences, beyond = differences[:-1], beyond + 1
    return ComparedReplay(recording, replayed, differences, beyond, (*remarks, *replayed.remarks))


def _check_alike(recording: Recording) -> Iterator[str]:
    """Refuses what makes a comparison worthless; tells what may explain a difference."""
    manifest = recording.manifest
    if manifest.weights:
        now = current_weights(recording.config.eyes.set)
        for name, digest in manifest.weights.items():
            if now.get(name) != digest:
                raise RecordingError(
                    f"the recording {recording.folder} was made with other eyes: {name} "
                    f"{digest[:12]}…, now {now.get(name, 'none')[:12]}…; --anyway replays it still"
                )
    profile = profile_of(recording.config)
    if profile.hash != manifest.profile.get("hash"):
        raise RecordingError(
            f"the recording {recording.folder} was made under other rules than "
            f"{profile.id} has now; --anyway replays it still"
        )
    if manifest.program != program_version():
        yield f"Recorded by version {manifest.program}; this is version {program_version()}."
