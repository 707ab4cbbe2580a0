"""Every check of the health page can be made to fire, and says what to do when it does."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from table_assist.health.checks import Measured, State, checks
from table_assist.health.measuring import (
    ClockWatch,
    counted,
    free_bytes,
    size_of,
    temperature_c,
    write_error,
)
from table_assist.languages.words import NOTHING, Words, same
from table_assist.record.snapshot import SourceHealth
from table_assist.vision.pictures.camera import Camera
from table_assist.vision.pictures.sources import SourceKind
from table_assist.vision.reading.limits import Limits
from table_assist.vision.reading.read import Reader
from tests.stages.vision_networks import ColourRecogniser, RectangleDetector

NOW = 1_790_000_000.0
LIVE = (
    SourceHealth("camera", "live", last_t=NOW),
    SourceHealth("board", "live", last_t=NOW, counters=(("good", 1000), ("bad", 1))),
    SourceHealth("log", "live", last_t=NOW),
)
WELL = Measured(
    now_s=NOW,
    running_s=600.0,
    sources=LIVE,
    has_camera=True,
    picture_s=NOW,
    pass_s=NOW - 0.3,
    pass_took_s=0.3,
    free_bytes=50_000_000_000,
    log_bytes=2_000_000,
    temperature_c=52.0,
    backup_s=NOW - 3600,
    has_entries=True,
)


def source(name: str, status: str, message: str = "", **counters: int) -> dict[str, object]:
    changed = SourceHealth(
        name,
        status,
        Words(message, f"{message}（中文）") if message else NOTHING,
        counters=tuple(counters.items()),
    )
    return {"sources": tuple(changed if each.name == name else each for each in LIVE)}


def test_a_healthy_table_has_nothing_to_be_done() -> None:
    found = checks(WELL)
    assert {check.state for check in found} == {State.GOOD}
    assert not any(check.advice for check in found)


# Everything that can be wrong: what is measured, which check fires, how, and a word it must say.
FIRES = [
    (source("camera", "covered"), "camera", State.DOUBT, "sees nothing"),
    (source("camera", "stale", "frozen"), "camera", State.BAD, "frozen"),
    (source("camera", "lost"), "camera", State.BAD, "gone"),
    (source("camera", "waiting"), "camera", State.DOUBT, "not given a picture"),
    (source("camera", "live", "The camera was moved."), "camera", State.DOUBT, "moved"),
    ({"sources": (), "has_camera": False}, "camera", State.NONE, "No camera"),
    (
        {"eyes_trouble": Words("Another size.", "画面尺寸不同。")},
        "detector",
        State.BAD,
        "Another size",
    ),
    ({"pass_s": NOW - 60}, "detector", State.BAD, "none was read for 60 s"),
    ({"pass_s": None}, "detector", State.BAD, "none was read"),
    ({"pass_took_s": 3.0}, "detector", State.DOUBT, "3.0 s"),
    ({"has_camera": False}, "detector", State.NONE, "without a camera"),
    (source("board", "lost", "Port x is gone."), "board", State.BAD, "Port x"),
    (source("board", "stale"), "board", State.DOUBT, "does not speak"),
    (source("board", "live", good=80, bad=20), "board", State.DOUBT, "20 of 100"),
    ({"sources": LIVE[:1]}, "board", State.NONE, "No board"),
    ({"waiting": 1000}, "session", State.BAD, "1000"),
    (source("log", "lost", "disk full"), "log", State.BAD, "disk full"),
    ({"log_error": "read-only"}, "log", State.BAD, "read-only"),
    ({"log_bytes": None}, "log", State.BAD, "gone"),
    ({"log_bytes": 600_000_000}, "log", State.DOUBT, "600 MB"),
    ({"evidence_trouble": Words("no room", "空间不足")}, "evidence", State.DOUBT, "no room"),
    ({"evidence_bytes": 3_000_000_000}, "evidence", State.DOUBT, "3.0 GB"),
    ({"free_bytes": 100_000_000}, "disk", State.BAD, "0.1 GB"),
    ({"free_bytes": 500_000_000}, "disk", State.DOUBT, "0.5 GB"),
    ({"free_bytes": None}, "disk", State.BAD, "cannot be asked"),
    ({"now_s": 1000.0}, "clock", State.BAD, "1970-01-01"),
    ({"clock_jump_s": -3600.0}, "clock", State.DOUBT, "-3600 s"),
    ({"temperature_c": 80.0}, "temperature", State.DOUBT, "80 °C"),
    ({"temperature_c": 90.0}, "temperature", State.BAD, "90 °C"),
    ({"temperature_c": None}, "temperature", State.NONE, "does not tell"),
    ({"backup_trouble": "no disk"}, "backup", State.BAD, "no disk"),
    ({"backups_on": False}, "backup", State.DOUBT, "by themselves"),
    ({"backup_s": None}, "backup", State.DOUBT, "never"),
    ({"backup_s": NOW - 5 * 86_400}, "backup", State.DOUBT, "5 days"),
    ({"settings_changed": True}, "settings", State.DOUBT, "was changed"),
]


@pytest.mark.parametrize(("changed", "id", "state", "word"), FIRES)
def test_what_is_wrong_is_told_with_what_to_do(
    changed: dict[str, object], id: str, state: State, word: str
) -> None:
    found = {check.id: check for check in checks(replace(WELL, **changed))}
    check = found[id]
    assert check.state is state
    assert word in check.says.en
    assert check.says.zh != check.says.en
    if state in (State.DOUBT, State.BAD):
        assert check.advice is not None
        assert check.advice.en
        assert check.advice.zh


def test_every_check_is_made_to_fire() -> None:
    fired = {id for _, id, state, _ in FIRES if state in (State.DOUBT, State.BAD)}
    assert fired == {check.id for check in checks(WELL)}


def test_one_thing_that_is_wrong_does_not_make_another_fire() -> None:
    for changed, id, _, _ in FIRES:
        if id in ("camera", "detector", "clock") or "sources" in changed:
            continue
        wrong = [
            check.id for check in checks(replace(WELL, **changed)) if check.state is not State.GOOD
        ]
        assert wrong == [id]


def test_a_table_without_anything_yet_is_well() -> None:
    fresh = Measured(now_s=NOW, free_bytes=50_000_000_000)
    assert not [check for check in checks(fresh) if check.state in (State.DOUBT, State.BAD)]


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
    camera = Camera(SourceKind(lambda: source, same("camera"), is_live=True), now=lambda: 7.0)
    assert (camera.came, camera.skipped) == (0, 0)
    for _ in range(3):
        camera.step()
    assert camera.skipped == 2  # the newest still waits
    assert camera.next_picture(0.1) is not None
    assert (camera.came, camera.skipped, camera.taken_s) == (3, 2, 7.0)
    camera.step()
    assert camera.next_picture(0.1) is not None
    assert (camera.came, camera.skipped) == (4, 2)


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
