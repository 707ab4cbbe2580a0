"""What is counted of a running table: pictures, passes, the machine's own state."""

from pathlib import Path

import numpy as np
import pytest

from table_assist.health.measuring import (
    ClockWatch,
    CountedCamera,
    counted,
    free_bytes,
    size_of,
    temperature_c,
    write_error,
)
from table_assist.languages.words import same
from table_assist.vision.pictures.sources import SourceKind
from table_assist.vision.reading.limits import Limits
from table_assist.vision.reading.read import Reader
from tests.stages.vision_stubs import ColourRecogniser, RectangleDetector


class Changing:
    """A camera whose every picture is another one."""

    def __init__(self) -> None:
        self.count = 0

    def read(self) -> np.ndarray:
        self.count += 1
        image = np.zeros((64, 64, 3), np.uint8)
        image[::2, ::2] = self.count
        return image


def test_pictures_that_nobody_took_are_counted_as_skipped() -> None:
    source = Changing()
    camera = CountedCamera(
        SourceKind(lambda: source, same("camera"), is_live=True), now=lambda: 7.0
    )
    assert (camera.came, camera.taken, camera.skipped) == (0, 0, 0)
    for _ in range(3):
        camera.step()
    assert camera.skipped == 2  # the newest still waits
    assert camera.next_picture(0.1) is not None
    assert (camera.came, camera.taken, camera.skipped, camera.taken_s) == (3, 1, 2, 7.0)
    camera.step()
    assert camera.next_picture(0.1) is not None
    assert (camera.came, camera.taken, camera.skipped) == (4, 2, 2)


def test_passes_of_the_detector_are_counted_and_timed() -> None:
    plain = Reader(RectangleDetector(), ColourRecogniser(), Limits.alike(0.5))
    reader, detector = counted(plain)
    assert (detector.passes, detector.mean_s) == (0, None)
    assert reader.detector.input_size == plain.detector.input_size
    image = np.zeros((640, 640, 3), np.uint8)
    found, before = reader.read(image), plain.read(image)
    assert found.labels == before.labels
    assert detector.passes > 0
    assert detector.seconds > 0
    assert detector.mean_s is not None


def test_the_hottest_sensor_counts_and_nonsense_does_not(tmp_path: Path) -> None:
    assert temperature_c(tmp_path) is None
    for number, text in enumerate(("48000", "61500", "-274000", "oops", "999000")):
        zone = tmp_path / f"thermal_zone{number}"
        zone.mkdir()
        (zone / "temp").write_text(text)
    assert temperature_c(tmp_path) == 61.5


def test_a_clock_that_is_set_is_noticed_and_one_that_runs_is_not() -> None:
    now, steady = [1000.0], [5.0]
    clock = ClockWatch(lambda: now[0], lambda: steady[0])
    assert clock.jump_s() == 0
    now[0], steady[0] = 1060.0, 65.0
    assert clock.jump_s() == 0
    now[0] -= 3600
    assert clock.jump_s() == -3600


def test_room_size_and_leave_to_write_are_asked_of_the_logs_own_folder(tmp_path: Path) -> None:
    log = tmp_path / "not" / "yet" / "log.sqlite"
    assert free_bytes(log) == pytest.approx(free_bytes(tmp_path / "x"), rel=0.1)
    assert size_of(log) is None
    (tmp_path / "a").write_bytes(bytes(10))
    (tmp_path / "b").write_bytes(bytes(5))
    assert size_of(tmp_path / "a") == 10
    assert size_of(tmp_path) == 15
    assert write_error(tmp_path / "log.sqlite") == ""
    assert "no such file" in write_error(log)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a", "b"]
