"""The doctor: every finding can be met, and every bad one says what to do."""

import json
import re
import threading
import time
from pathlib import Path

import cv2
import numpy as np
import pytest

from firmware_bridge.events import Fault, Key, KeyPressed, WallReady
from firmware_bridge.messages import BoardSnapshot, Inputs
from firmware_bridge.ports import FoundPort
from firmware_bridge.receiver import Reading
from table_assist.cli.main import main
from table_assist.health import checks
from table_assist.health.checks import Measured, State, machine_checks
from table_assist.settings.config import CameraConfig, Config
from table_assist.trust.installation import Address
from table_assist.upkeep.doctor.board import BoardExam, SensorTicks, find_port, sensors_of
from table_assist.upkeep.doctor.table import (
    camera_findings,
    corners_finding,
    eyes_finding,
    size_findings,
)
from table_assist.vision.reading.readings import Readings, box_readings
from table_assist.vision.reading.recognise import Name
from tests.stages.linked_board import VirtualBoard
from tests.stages.opened_camera import open_pictures

Said = pytest.CaptureFixture[str]

ARDUINO = FoundPort("/dev/ttyACM0", "Arduino Uno", "2341:0043", None)
OTHER = FoundPort("/dev/ttyUSB0", "USB serial", "1a86:7523", None)
SQUARE = ((100.0, 900.0), (900.0, 900.0), (900.0, 100.0), (100.0, 100.0))


def reading(content: object) -> Reading:
    return Reading(content, "5EED0001", 1, 0, 0.0)  # type: ignore[arg-type]


# -- the board


def test_a_sensor_is_ticked_by_its_event_or_by_its_level() -> None:
    ticks = SensorTicks(sensors_of(("KEY", "WALL", "DOME")))
    assert ticks.note(reading(KeyPressed(2, Key.WIN))) == ["seat 2 win"]
    assert ticks.note(reading(KeyPressed(2, Key.WIN))) == []
    assert ticks.note(reading(snapshot(0))) == []  # the first shows no change
    assert ticks.note(reading(snapshot(1 << 21))) == ["dome"]
    assert ticks.note(reading(WallReady())) == ["wall ready"]
    assert len(ticks.missing) == 15


def snapshot(bits: int) -> BoardSnapshot:
    return BoardSnapshot(0, "5EED0001", 0, 0, Inputs(bits), 0, 0)


@pytest.mark.parametrize(
    ("configured", "ports", "port", "state"),
    [
        ("", (), "", State.DOUBT),
        ("", (ARDUINO,), "/dev/ttyACM0", State.DOUBT),
        ("", (ARDUINO, OTHER), "", State.DOUBT),
        ("usb:2341:0043", (ARDUINO, OTHER), "usb:2341:0043", State.GOOD),
    ],
)
def test_the_port_is_the_configured_or_the_only_one(
    configured: str, ports: tuple[FoundPort, ...], port: str, state: State
) -> None:
    found, finding = find_port(Address(configured), lambda: ports)
    assert (found.whole, finding.state) == (port, state)
    assert finding.state is State.GOOD or finding.advice


def test_a_board_is_named_and_its_keys_are_ticked_as_they_are_pressed() -> None:
    with VirtualBoard() as board, BoardExam(board.port) as exam:
        found = exam.findings()
        assert [finding.id for finding in found] == ["board", "line"]
        assert all(finding.state is State.GOOD for finding in found)
        threading.Timer(0.2, lambda: board.press(1, Key.KONG)).start()
        assert next(iter(exam.watch(5.0))) == "seat 1 kong"
        assert "seat 1 ready" in exam.sensor_finding().says.en
        wait_until(lambda: board.pending == 0)


def wait_until(holds: object) -> None:
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        if holds():  # type: ignore[operator]
            return
        time.sleep(0.01)
    raise AssertionError("it did not come about")


def test_events_that_wait_to_be_stored_are_left_on_the_board() -> None:
    with VirtualBoard() as board:
        board.press(0, Key.WIN)
        wait_until(lambda: board.pending == 1)
        with BoardExam(board.port) as exam:
            waiting = [f for f in exam.findings() if f.id == "events"]
            assert waiting[0].says.en == "1 events wait on the board to be stored."
            list(exam.watch(0.3))
        assert board.pending == 1


def test_a_fault_that_the_board_reports_is_bad() -> None:
    with VirtualBoard() as board, BoardExam(board.port) as exam:
        board.happen(Fault("LADDER-2"))
        bad = [f for f in exam.findings() if f.state is State.BAD]
        assert [f.id for f in bad] == ["fault"]
        assert "keypad belongs to no key" in bad[0].says.en


def test_what_came_while_the_machine_stood_still_is_heard() -> None:
    exam = BoardExam("a port")
    for kind in ("LADDER-2", "WATCHDOG"):
        exam._items.put(reading(Fault(kind)))
    exam._listen(0.0)
    assert exam._faults == ["LADDER-2", "WATCHDOG"]


def test_a_port_on_which_nothing_speaks_is_bad(tmp_path: Path) -> None:
    with BoardExam(str(tmp_path / "nowhere")) as exam:
        finding = exam.findings()[0]
        assert (finding.id, finding.state) == ("board", State.BAD)
        assert "is not there" in finding.says.en
        assert finding.advice


# -- the rest


def test_a_picture_is_read_and_the_corners_are_measured(tmp_path: Path) -> None:
    image = np.full((1000, 1000, 3), 120, np.uint8)
    cv2.rectangle(image, (480, 460), (520, 520), (240, 240, 240), -1)
    cv2.imwrite(str(tmp_path / "a.png"), image)
    config = Config(camera=CameraConfig(source=Address(str(tmp_path)), corners=SQUARE))
    reader, eyes = eyes_finding(config)
    assert eyes.state is State.GOOD
    found = {f.id: f for f in camera_findings(config, open_pictures(tmp_path), reader)}
    assert found["camera"].says.en == "Pictures of 1000 × 1000 come."
    assert found["picture"].says.en
    assert found["corners"].says.en == "A tile is about 26 px wide."


def test_a_covered_lens_is_bad(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), np.zeros((400, 400, 3), np.uint8))
    found = list(camera_findings(Config(), open_pictures(tmp_path), None))
    assert ("picture", State.BAD) in [(f.id, f.state) for f in found]


@pytest.mark.parametrize(
    ("corners", "says"),
    [
        ((), "not known"),
        (((0.0, 2000.0), *SQUARE[1:]), "lies outside the picture"),
        (((10.0, 100.0), (100.0, 100.0), (100.0, 10.0), (10.0, 10.0)), "px"),
    ],
)
def test_corners_that_are_missing_outside_or_too_near_are_bad(
    corners: tuple[tuple[float, float], ...], says: str
) -> None:
    finding = corners_finding(Config(camera=CameraConfig(corners=corners)), 1000, 1000)
    assert finding.state is State.BAD
    assert says in finding.says.en
    assert finding.advice


def test_a_strange_tile_set_is_bad() -> None:
    config = Config(eyes=type(Config().eyes)(set="nobody has enrolled this"))
    reader, finding = eyes_finding(config)
    assert reader is None
    assert (finding.state, bool(finding.advice)) == (State.BAD, True)


def test_the_doctor_lists_what_the_health_page_lists(
    tmp_path: Path, capsys: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = tmp_path / "table.toml"
    settings.write_text(f'[log]\npath = "{tmp_path / "log.sqlite"}"\n')

    def told() -> dict[str, tuple[str, str]]:
        main(["doctor", "--config", str(settings), "--seconds", "0", "--json"])
        rows = json.loads(capsys.readouterr().out)["findings"]
        return {row["id"]: (row["state"], row["advice"]) for row in rows}

    machine = {each.id for each in machine_checks(Measured(0.0))}
    assert told().keys() >= machine
    assert list(tmp_path.iterdir()) == [settings]
    monkeypatch.setattr(checks, "LEAST_FREE", 1 << 60)
    monkeypatch.setattr(checks, "LITTLE_FREE", 1 << 60)
    assert told()["disk"] == ("bad", "Make room on the disk.")
    settings.write_text('[log]\npath = "/proc/log.sqlite"\n')
    assert told()["log"][0] == "bad"


def test_broken_settings_are_the_finding_and_the_exit_code_is_1(
    tmp_path: Path, capsys: Said
) -> None:
    broken = tmp_path / "table.toml"
    broken.write_text("[camera]\nsourse = 0\n")
    assert main(["doctor", "--config", str(broken), "--json"]) == 1
    row = json.loads(capsys.readouterr().out)
    assert row["well"] is False
    assert "camera.sourse" in row["findings"][0]["says"]


def test_the_whole_examination_with_a_board(tmp_path: Path, capsys: Said) -> None:
    settings = tmp_path / "table.toml"
    with VirtualBoard() as board:
        settings.write_text(f'[board]\nport = "{board.port}"\n')
        assert main(["doctor", "--config", str(settings), "--seconds", "0.2"]) == 0
    said = capsys.readouterr().out
    for what in ("settings", "rules", "eyes", "disk", "camera", "port", "board", "sensors"):
        assert f" {what:<9}" in said


def test_every_finding_of_a_table_without_devices_is_told_in_chinese_too(
    tmp_path: Path, capsys: Said
) -> None:
    settings = tmp_path / "table.toml"
    settings.write_text(f'[log]\npath = "{tmp_path / "log.sqlite"}"\n')
    main(["doctor", "--config", str(settings), "--lang", "zh", "--seconds", "0", "--json"])
    rows = json.loads(capsys.readouterr().out)["findings"]
    assert {row["id"] for row in rows} >= {"settings", "rules", "eyes", "disk", "camera"}
    for row in rows:
        for text in (row["says"], row["advice"]):
            assert not text or re.search(r"[\u4e00-\u9fff]", text), row


# -- how large the tiles are


def wall(width: float, count: int) -> Readings:
    """So many stacks side by side in the wall of seat 0, on a table of one pixel a mm."""
    left, top = 500 - width * count / 2, 500 + 247 - 17.5
    boxes = [(left + width * n, top, left + width * (n + 1), top + 35) for n in range(count)]
    names = [Name("back", 0.99, ())] * count
    return box_readings((1000, 1000), np.array(boxes, np.float32), names)


@pytest.mark.parametrize(
    ("width", "state", "says"),
    [
        (28.0, State.GOOD, "They are 27 wide on a table of 800, 27 px in the picture."),
        (20.0, State.DOUBT, "They are 19 wide on a table of 800, 19 px in the picture."),
        (34.0, State.DOUBT, "Tiles measure 33 on a table of 800"),
        (12.0, State.DOUBT, "By the tiles, what was found is 1797 mm wide"),
        (40.0, State.DOUBT, "By the tiles, what was found is 539 mm wide"),
    ],
)
def test_the_size_of_the_tiles_is_told_and_what_is_wrong_with_it(
    width: float, state: State, says: str
) -> None:
    config = Config(camera=CameraConfig(corners=SQUARE))
    (finding,) = size_findings(config, wall(width, 12))
    assert finding.state is state
    assert finding.says.en.startswith(says)
    assert bool(finding.advice) == (state is State.DOUBT)
