"""Measurements of a running table: pictures, passes of the detector, the machine's own state."""

import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from shutil import disk_usage

from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.detect import Detections, Detector
from table_assist.vision.reading.read import Reader

THERMAL = Path("/sys/class/thermal")  # Linux; one folder a sensor, in thousandths of a degree
LAST_WEIGHS = 0.1  # of the last pass in the running mean


@dataclass(slots=True)
class CountedDetector:
    """A detector that notes how often it was asked and how long it took.

    Attributes:
        passes: so far.
        seconds: of all passes together.
        mean_s: of the last passes; None before the first.
    """

    inner: Detector
    passes: int = 0
    seconds: float = 0.0
    mean_s: float | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def input_size(self) -> int:
        """As the detector's."""
        return self.inner.input_size

    @property
    def largest_part(self) -> int:
        """As the detector's."""
        return self.inner.largest_part

    def detect(self, image: Image) -> Detections:
        """As the detector's."""
        return self._timed(self.inner.detect, image)

    def detect_part(self, image: Image) -> Detections:
        """As the detector's."""
        return self._timed(self.inner.detect_part, image)

    def _timed(self, look: Callable[[Image], Detections], image: Image) -> Detections:
        started = time.perf_counter()
        found = look(image)
        took = time.perf_counter() - started
        with self._lock:
            self.passes += 1
            self.seconds += took
            before = took if self.mean_s is None else self.mean_s
            self.mean_s = before + LAST_WEIGHS * (took - before)
        return found


def counted(reader: Reader) -> tuple[Reader, CountedDetector]:
    """The reader with its detector counted."""
    detector = CountedDetector(reader.detector)
    return replace(reader, detector=detector), detector


def free_bytes(path: Path) -> int | None:
    """Free on the disk on which the file is or will be; None where it cannot be asked."""
    for folder in (path.parent, *path.parent.parents):
        with suppress(OSError):
            return disk_usage(folder).free
    return None


def size_of(path: Path) -> int | None:
    """Bytes of a file, or of everything in a folder; None where there is none."""
    try:
        if path.is_dir():
            return sum(each.stat().st_size for each in path.rglob("*") if each.is_file())
        return path.stat().st_size
    except OSError:
        return None


def write_error(path: Path) -> str:
    """Why nothing can be written beside the file; empty when it can."""
    probe = path.with_name(f".{path.name}.probe")
    try:
        probe.write_bytes(b"")
        probe.unlink()
    except OSError as error:
        return f"nothing can be written to {path.parent}: {(error.strerror or '').lower()}"
    return ""


def temperature_c(thermal: Path = THERMAL) -> float | None:
    """The hottest part of the processor; None where the machine does not tell."""
    found = []
    for sensor in sorted(thermal.glob("thermal_zone*/temp")):
        with suppress(OSError, ValueError):
            degrees = int(sensor.read_text()) / 1000
            if 0 < degrees < 150:  # some report nonsense for parts that are switched off
                found.append(degrees)
    return max(found, default=None)


@dataclass(slots=True)
class ClockWatch:
    """Notices that the clock was set, by the one that only runs forward."""

    now: Callable[[], float] = time.time
    steady: Callable[[], float] = time.monotonic
    _apart: float | None = None

    def jump_s(self) -> float:
        """How far the clock was set since the first call."""
        apart = self.now() - self.steady()
        if self._apart is None:
            self._apart = apart
        return apart - self._apart


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of one moment; one that does not apply is None.

    Attributes:
        started_s: when the program began to follow the table, seconds since the epoch.
        entries: of the log, by who said so (camera, board, person, rules).
        healed: faces that a second look saw otherwise than they were remembered.
        hands: that are over.
        questions_asked: so far, in the whole log.
        questions_open: now.
        queue: items that wait for the session.
        viewers: who watch the dashboard live.
        sources: 1 where a source is live, else 0, by its name.
    """

    program: str
    started_s: float
    pictures: int | None = None
    pictures_skipped: int | None = None
    passes: int | None = None
    pass_seconds: float | None = None
    healed: int | None = None
    entries: Mapping[str, int] = field(default_factory=dict)
    hands: int = 0
    questions_asked: int = 0
    questions_open: int = 0
    frames: Mapping[str, int] = field(default_factory=dict)
    queue: int = 0
    disk_free_bytes: int | None = None
    log_bytes: int | None = None
    viewers: int = 0
    sources: Mapping[str, int] = field(default_factory=dict)
    temperature_c: float | None = None
    backup_s: float | None = None
