"""Phones stand for the camera, an installed package for the board: seen, heard, recorded."""

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import cv2
import numpy as np
import pytest

from table_assist.game.events import DiceRolled, HandStarted
from table_assist.health.checks import State
from table_assist.live import phone_sight
from table_assist.live.camera_service import calibration_file
from table_assist.live.corners import CornersFrom, FoundCorners, keep_corners, known_tile
from table_assist.live.live_table import LiveTable
from table_assist.live.manifest import config_of, make_manifest
from table_assist.live.phone_sight import PhoneSight
from table_assist.live.phones import Phones, PhoneTold
from table_assist.live.recorder import Recorder
from table_assist.live.replay_folder import replay_folder
from table_assist.live.sight import Eye, Sight
from table_assist.record.commands import EndHand, StartHand
from table_assist.record.log import Source
from table_assist.record.snapshot import Snapshot, SourceHealth
from table_assist.settings.config import (
    BoardConfig,
    CameraConfig,
    Config,
    ConfigError,
    EyesConfig,
    Length,
    LogConfig,
)
from table_assist.settings.edit import profile_of
from table_assist.trust.installation import Address
from table_assist.upkeep.doctor.board import source_finding
from table_assist.vision.enrolment.files import find_set
from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.limits import Limits
from table_assist.vision.reading.read import Reader
from table_assist.vision.table.watcher import Watcher
from tests.live.test_live_table import until
from tests.stages.opened_camera import open_pictures
from tests.stages.recorded_table import no_reader
from tests.stages.vision_networks import ColourRecogniser, RectangleDetector

TIMEOUT_S = 30.0
PACKAGE = """
from firmware_bridge.events import DiceReport
from firmware_bridge.events import SourceCondition

class Dice:
    tells_dice = True
    made = []

    def __init__(self, port, deliver):
        self.port, self.deliver, self.is_near = port, deliver, True
        self.made.append(self)

    def start(self): pass
    def stop(self): pass
    def throw(self): self.deliver(DiceReport(0, (6, 6)))
    def condition(self): return SourceCondition(self.is_near, "A die is away.", "骰子不在。")
"""


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list:
    """The sources that the installed package has made."""
    site = tmp_path / "site"
    info = site / "our_dice-1.dist-info"
    info.mkdir(parents=True)
    (site / "our_dice.py").write_text(PACKAGE, encoding="utf-8")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: our-dice\nVersion: 1\n")
    (info / "entry_points.txt").write_text(
        "[table_assist.board_sources]\nradio-dice = our_dice:Dice\nbroken = our_dice:Cup\n"
    )
    monkeypatch.syspath_prepend(str(site))
    import our_dice

    our_dice.Dice.made.clear()
    return our_dice.Dice.made


def status(snapshot: Snapshot) -> str:
    return next((each.status for each in snapshot.health if each.name == "board"), "")


def test_dice_of_a_package_deal_a_hand_by_whose_turn_it_is(tmp_path: Path, made: list) -> None:
    config = Config(
        board=BoardConfig(kind="radio-dice", port=Address("AA:01")),
        log=LogConfig(str(tmp_path / "log.sqlite")),
    )
    manifest = make_manifest(config, profile_of(config), {}, time.time())
    recorder = Recorder(tmp_path / "kept", manifest, config)
    table = LiveTable(config, camera=None, reader=None, recorder=recorder)
    (dice,) = made
    table.start()
    try:
        until(table, lambda now: status(now) == "live")
        assert table.submit(StartHand(2)) is None
        assert table.submit(EndHand()) is None
        dice.throw()
        dealt = until(table, lambda now: now.state.hand == 2)
        dice.is_near = False
        until(table, lambda now: status(now) == "stale")
    finally:
        table.stop()
    assert dice.port == "AA:01"
    assert dealt.state.questions == ()  # who threw is who deals by the rules
    rolled = [entry for entry in table.entries() if isinstance(entry.event, DiceRolled)]
    started = [each.event for each in table.entries() if isinstance(each.event, HandStarted)]
    assert [(each.event.values, each.source) for each in rolled] == [((6, 6), Source.BOARD)]
    assert rolled[0].event.seat == started[-1].dealer
    assert replay_folder(tmp_path / "kept", lambda config: no_reader()).is_same


def test_the_doctor_asks_the_package(made: list) -> None:
    assert source_finding(BoardConfig(kind="radio-dice")).state is State.GOOD


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        ("modbus", "no installed package brings the board 'modbus'; there are: serial, broken"),
        ("broken", "the package of the board 'broken' cannot be loaded: .*Cup"),
    ],
)
def test_a_board_that_no_package_brings_is_refused_by_its_name(
    tmp_path: Path, made: list, kind: str, why: str
) -> None:
    config = Config(board=BoardConfig(kind=kind), log=LogConfig(str(tmp_path / "log.sqlite")))
    with pytest.raises(ConfigError, match=f"^board.kind: {why}"):
        LiveTable(config, camera=None, reader=None)
    assert source_finding(config.board).state is State.BAD


def test_a_recording_that_names_settings_of_earlier_programs_is_read(tmp_path: Path) -> None:
    manifest = make_manifest(Config(), profile_of(Config()), {}, 0.0)
    manifest.settings["board"] |= {"kind": "modbus", "map": "sensors.toml", "dice": []}
    manifest.settings["stamps"] = {"authority": "https://example.org"}
    assert config_of(tmp_path, manifest).board.is_there


SIZE = (720, 960, 3)
CORNERS = ((30.0, 710.0), (730.0, 710.0), (730.0, 10.0), (30.0, 10.0))
WAIT_S = 60.0  # the machine may be busy; nothing here takes three
SEND_S = 0.1


def table_picture() -> Image:
    table = np.full(SIZE, (60, 90, 50), np.uint8)
    for left in range(40, 900, 90):
        table[300:330, left : left + 22] = 200
        table[304:326:3, left + 3 : left + 19] = 120
    floor = np.random.default_rng(1).integers(30, 200, (30, 9), np.uint8)
    table[:, 744:] = np.kron(floor, np.ones((24, 24), np.uint8))[..., None]
    return table


class Table:
    """A followed table, and phones that send as long as they have a picture."""

    def __init__(self, folder: Path) -> None:
        self.config = Config(
            camera=CameraConfig(Address("phone"), calibration=str(folder / "table.json")),
            log=LogConfig(str(folder / "log.sqlite")),
        )
        self.phones = Phones()
        reader = Reader(
            RectangleDetector(640, smallest=8, largest=160), ColourRecogniser(), Limits.alike(0.6)
        )
        self.sight = PhoneSight(self.config, self.phones, reader)
        self.table = LiveTable(self.config, camera=None, reader=reader, sight=self.sight)
        self.pictures: dict[str, Image] = {}
        self.told = PhoneTold()
        self._stop = threading.Event()
        self._sending = threading.Thread(target=self._send, daemon=True)
        self.table.start()
        self._sending.start()

    def end(self) -> None:
        self._stop.set()
        self._sending.join()
        self.table.stop()

    def place(self, device: str) -> None:
        shown = FoundCorners(CORNERS, CornersFrom.PERSON)
        keep_corners(self.config, table_picture(), shown, calibration_file(self.config, device))
        self.phones.find(device, device).placed += 1

    @property
    def health(self) -> SourceHealth:
        known = self.table.snapshot.health
        return next((each for each in known if each.name == "camera"), SourceHealth("camera", ""))

    def wait(self, holds: Callable[[SourceHealth], object]) -> SourceHealth:
        ends = time.monotonic() + WAIT_S
        while not holds(health := self.health):
            assert time.monotonic() < ends, health
            time.sleep(0.05)
        return health

    def _send(self) -> None:
        rng = np.random.default_rng(2)
        while not self._stop.wait(SEND_S):
            for device, image in tuple(self.pictures.items()):
                noisy = image + rng.integers(0, 5, image.shape, np.uint8)
                data = cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes()
                clock = self.phones.clock_ms
                self.phones.hand_in(device, device, data, self.told, clock, self.phones.run)


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    yield table
    table.end()


def test_without_a_phone_the_table_says_what_to_do(here: Table) -> None:
    health = here.wait(lambda found: found.status)
    assert health.status == "waiting"
    assert "/camera" in health.says.en
    assert here.table.eyes.picture() is None


def test_a_phone_that_was_shown_nothing_is_not_read_and_then_is(here: Table) -> None:
    here.pictures["Shelf"] = table_picture()
    health = here.wait(lambda found: found.status == "unread")
    assert "Shelf does not know yet where the table is" in health.says.en
    here.place("Shelf")
    health = here.wait(lambda found: found.status == "live")
    assert not health.says
    assert "Shelf: " in health.figures.en


def test_while_one_phone_is_covered_or_silent_the_other_tells_the_table(here: Table) -> None:
    for name in ("Shelf", "Lamp"):
        here.pictures[name] = table_picture()
        here.place(name)
    here.wait(lambda found: is_seen(found) and not found.says)
    here.pictures["Shelf"] = np.zeros(SIZE, np.uint8)
    here.wait(lambda found: "Shelf is in the dark" in found.says.en and is_seen(found))
    del here.pictures["Shelf"]
    here.wait(lambda found: "Shelf has given no picture" in found.says.en and is_seen(found))
    del here.pictures["Lamp"]
    health = here.wait(lambda found: found.status == "stale")
    assert len(health.zones) == 18


def is_seen(found: SourceHealth) -> bool:
    """The whole table; while the machine stands still, no phone tells it."""
    return found.status == "live" and not found.zones


def test_people_see_one_phone_s_pictures_until_it_is_gone(
    here: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the table lies is remembered for one camera: another's pictures begin anew."""
    monkeypatch.setattr(phone_sight, "LEADER_GONE_S", WAIT_S)  # though the machine stand still
    light, dim = table_picture(), np.asarray(table_picture() * 0.7, np.uint8)
    here.pictures["Shelf"] = light
    here.place("Shelf")
    here.wait(lambda found: found.status == "live" and here.table.eyes._shown)
    here.pictures["Lamp"] = dim
    here.place("Lamp")
    places = here.table.eyes._whereabouts
    ends = time.monotonic() + 1.5
    while time.monotonic() < ends:
        assert brightness(here) > 60, "a picture of the other phone was shown"
        time.sleep(0.05)
    assert here.table.eyes._whereabouts is places
    monkeypatch.setattr(phone_sight, "LEADER_GONE_S", 2.0)
    del here.pictures["Shelf"]
    here.wait(lambda _: brightness(here) < 55)
    here.wait(lambda _: here.table.eyes._whereabouts is not places)


def brightness(here: Table) -> float:
    data = here.table.eyes.picture()
    assert data is not None
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    return float(np.asarray(image)[:, :700].mean())


def test_a_picture_of_another_size_is_told_with_the_phone_s_name(here: Table) -> None:
    here.place("Shelf")
    here.pictures["Shelf"] = np.ascontiguousarray(table_picture()[:480, :640])
    health = here.wait(lambda found: "calibrate again" in found.says.en)
    assert health.says.en.startswith("Shelf: ")


def test_a_set_that_is_deleted_meanwhile_is_told_with_the_phone_s_name(
    here: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(phone_sight, "kept_watcher", lambda *_: find_set("gone"))
    here.place("Shelf")
    here.pictures["Shelf"] = table_picture()
    health = here.wait(lambda found: "gone" in found.says.en)
    assert health.says.en.startswith("Shelf: ")


def test_what_an_evening_measured_is_known_the_next_unless_the_settings_say_it(
    tmp_path: Path,
) -> None:
    path = tmp_path / "corners.json"
    config = Config(camera=CameraConfig(calibration=str(path)))
    shown = FoundCorners(CORNERS, CornersFrom.PERSON)
    kept = keep_corners(config, table_picture(), shown, path)
    for calibration, known in (
        (replace(kept.calibration, side_mm=9.0), None),
        (kept.calibration, 21 / 800),
    ):
        seen = SimpleNamespace(tile_mm=21.0, calibration=calibration)
        Sight({"": Eye(open_pictures("7"), cast(Watcher, seen), path)}).close()
        assert known_tile(config, path) == known
    own = replace(config, eyes=EyesConfig(tile_mm=Length(30.0)))
    assert known_tile(own, path) == 30 / 800
