"""A running table whose camera or board fails: it is told, and what was recorded stays."""

import json
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import pytest

from firmware_bridge.events import DiceReport, WallReady
from table_assist.game.events import Attested, Discarded, Settled, WallExhausted
from table_assist.game.state import Phase
from table_assist.health.checks import unrecorded
from table_assist.languages.words import NOTHING, same
from table_assist.live.live_table import HEALTH_EVERY_S, LiveTable
from table_assist.live.manifest import RecordingError
from table_assist.live.recorder import load_recording
from table_assist.live.replay_folder import ComparedReplay, replay_folder
from table_assist.record.commands import Correct, StartHand, Undo
from table_assist.record.snapshot import Snapshot, SourceHealth
from table_assist.settings.config import BoardConfig, CameraConfig, Config, LogConfig
from table_assist.tiles.tile import Tile
from table_assist.trust.installation import Address, open_key
from table_assist.twin.lens import Lens
from table_assist.twin.table import TableStep
from table_assist.upkeep.demo import demo_config
from table_assist.vision.pictures.camera import Camera
from table_assist.vision.pictures.picture import Image, jpeg
from table_assist.vision.pictures.sources import CameraError, SourceKind
from table_assist.vision.reading.limits import Limits
from table_assist.vision.reading.read import Reader
from table_assist.vision.table.observation import Observation
from table_assist.vision.table.unseen import WhyUnseen
from table_assist.vision.table.zones import ZoneKind
from tests.following.test_infer import river
from tests.stages.linked_board import VirtualBoard
from tests.stages.opened_camera import open_pictures
from tests.stages.plain_session import command, hear, record, session
from tests.stages.recorded_table import (
    no_reader,
    picture_of,
    record_evening,
    steps,
    use_perfect_eyes,
)
from tests.stages.vision_networks import ColourRecogniser, RectangleDetector
from web.view.sentences import is_unfollowed

TIMEOUT_S = 30.0


@pytest.fixture
def board() -> Iterator[VirtualBoard]:
    with VirtualBoard() as running:
        yield running


def until(table: LiveTable, holds: Callable[[Snapshot], bool]) -> Snapshot:
    """The first snapshot for which it holds."""
    ends = time.monotonic() + TIMEOUT_S
    version = -1
    while time.monotonic() < ends:
        snapshot = table.wait(version, 1.0)
        if snapshot is not None:
            version = table.version
            if holds(snapshot):
                return snapshot
    raise AssertionError(f"it did not come to hold: {table.snapshot.health}")


def health(snapshot: Snapshot, name: str) -> SourceHealth:
    return next((h for h in snapshot.health if h.name == name), SourceHealth(name, "untold"))


class Running:
    """Starts a table and ends it whatever happens."""

    def __init__(self, table: LiveTable) -> None:
        self.table = table

    def __enter__(self) -> LiveTable:
        self.table.start()
        return self.table

    def __exit__(self, *_: object) -> None:
        self.table.stop()


class DyingCamera:
    """Gives a few pictures of an empty table, then is pulled out."""

    def __init__(self) -> None:
        self.left = 5
        self._noise = np.random.default_rng(1)

    def read(self) -> Image:
        time.sleep(0.05)
        self.left -= 1
        if self.left < 0:
            raise CameraError.of(same("the camera was unplugged"))
        felt = np.full((1080, 1920, 3), (60, 90, 50), np.uint8)
        felt[300:400, 300:400] = 200
        return felt + self._noise.integers(0, 5, felt.shape, np.uint8)


def test_a_missing_camera_and_port_are_told_and_the_table_runs(
    tmp_path: Path, reader: Reader
) -> None:
    config = Config(
        camera=CameraConfig(Address("7"), Lens().corners_px()),
        board=BoardConfig(Address("/dev/no-such-port")),
        log=LogConfig(str(tmp_path / "log.sqlite")),
    )
    with Running(LiveTable(config, camera=open_pictures("7"), reader=reader)) as table:
        snapshot = until(
            table,
            lambda s: health(s, "camera").status == "lost" and health(s, "board").status == "lost",
        )
        assert "camera 7" in health(snapshot, "camera").says.en
        assert "/dev/no-such-port" in health(snapshot, "board").says.en
        assert health(snapshot, "log").status == "live"


def test_a_camera_gone_in_mid_hand_leaves_the_record_as_it_was(
    tmp_path: Path, reader: Reader, board: VirtualBoard
) -> None:
    lens = Lens()
    dying = DyingCamera()
    kind = SourceKind(lambda: dying, same("the camera"), is_live=True)
    config = demo_config(lens, port=board.port, log=tmp_path / "log.sqlite")
    with Running(LiveTable(config, camera=Camera(kind), reader=reader)) as table:
        board.happen(WallReady())
        board.happen(DiceReport(2, (3, 4)))
        until(table, lambda s: s.state.phase is Phase.PLAYING)
        snapshot = until(table, lambda s: health(s, "camera").status == "lost")
        assert "unplugged" in health(snapshot, "camera").says.en
        assert (snapshot.state.hand, snapshot.state.dealer) == (1, 2)


def test_corners_of_another_picture_are_told_not_read_as_an_empty_table(
    tmp_path: Path, reader: Reader
) -> None:
    dying = DyingCamera()
    dying.left = 1000
    kind = SourceKind(lambda: dying, same("the camera"), is_live=True)
    lens = Lens(size_wh=(3840, 2160), px_per_mm=2.5)
    config = demo_config(lens, port="", log=tmp_path / "log.sqlite")
    with Running(LiveTable(config, camera=Camera(kind), reader=reader)) as table:
        snapshot = until(table, lambda s: health(s, "camera").status == "unread")
        assert "outside the camera's picture of 1920 x 1080" in health(snapshot, "camera").says.en


def test_a_camera_that_was_shown_no_table_starts_and_says_so(
    tmp_path: Path, reader: Reader
) -> None:
    dying = DyingCamera()
    dying.left = 1000
    kind = SourceKind(lambda: dying, same("the camera"), is_live=True)
    config = Config(camera=CameraConfig(Address("7")), log=LogConfig(str(tmp_path / "log.sqlite")))
    with Running(LiveTable(config, camera=Camera(kind), reader=reader)) as table:
        snapshot = until(table, lambda s: health(s, "camera").status == "unread")
        assert "corners are not known" in unrecorded(health(snapshot, "camera")).en
        assert table.eyes.picture() is not None
        assert table.submit(StartHand(1)) is None  # the score is kept by people meanwhile


def test_a_board_pulled_out_is_told_and_goes_on_when_it_is_back(
    tmp_path: Path, board: VirtualBoard
) -> None:
    config = demo_config(Lens(), port=board.port, log=tmp_path / "log.sqlite")
    with Running(LiveTable(config, camera=None, reader=None)) as table:
        until(table, lambda s: health(s, "board").status == "live")
        board.unplug()
        snapshot = until(table, lambda s: health(s, "board").status == "lost")
        assert "unplugged" in health(snapshot, "board").says.en
        board.replug()
        until(table, lambda s: health(s, "board").status == "live")
        board.happen(WallReady())
        until(table, lambda s: s.state.phase is Phase.WALL_READY)


def test_a_camera_that_gives_nothing_follows_the_table_as_much_as_one_that_does(
    tmp_path: Path, reader: Reader
) -> None:
    """Phones may not sit down, nor is anybody asked to photograph a win, while it starts."""
    released = threading.Event()

    class Hanging:
        def read(self) -> Image | None:
            released.wait()
            return None

    kind = SourceKind(Hanging, same("the camera"), is_live=True)
    config = demo_config(Lens(), port="", log=tmp_path / "log.sqlite")
    table = LiveTable(config, camera=Camera(kind), reader=reader)
    try:
        with Running(table):
            assert not is_unfollowed(table.snapshot)
            assert health(table.snapshot, "camera").status == "waiting"
            assert "no picture yet" in health(table.snapshot, "camera").says.en
            released.set()
    finally:
        released.set()


def test_a_table_with_neither_camera_nor_board_says_so_from_its_first_moment(
    tmp_path: Path,
) -> None:
    config = Config(log=LogConfig(str(tmp_path / "log.sqlite")))
    with Running(LiveTable(config, camera=None, reader=None)) as table:
        assert is_unfollowed(table.snapshot)


def test_a_table_that_has_started_has_vouched_for_all_that_a_dispute_file_asks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file made in the first moment would else say that its names are not those of the log."""
    config = Config(log=LogConfig(str(tmp_path / "log.sqlite")))
    table = LiveTable(config, camera=None, reader=None, vouches=open_key().public)
    monkeypatch.setattr(table.session, "run", lambda stop: None)
    with Running(table):
        said = [entry.event for entry in table.entries()]
    kinds = [each.kind for each in said if isinstance(each, Attested)]
    assert kinds == ["key", "names", "rules"]


SIZE = (720, 960, 3)
CORNERS = ((30.0, 710.0), (730.0, 710.0), (730.0, 10.0), (30.0, 10.0))
PERIOD_S = 0.1
ZONES = 18  # four of each seat, dice and birds


class Source:
    """A camera above a felt with a few bright things on it and beside it."""

    def __init__(self) -> None:
        self.fault = ""
        self._rng = np.random.default_rng(1)
        self._table = np.full(SIZE, (60, 90, 50), np.uint8)
        for left in range(40, 900, 90):
            self._table[300:330, left : left + 22] = 200
            self._table[304:326:3, left + 3 : left + 19] = 120  # the strokes of a drawing
        floor = self._rng.integers(30, 200, (30, 9), np.uint8)
        self._table[:, 744:] = np.kron(floor, np.ones((24, 24), np.uint8))[..., None]
        self._last = self._table

    def read(self) -> Image:
        noise = self._rng.integers(0, 5, SIZE, np.uint8)
        match self.fault:
            case "lost":
                raise CameraError.of(same("the camera was unplugged"))
            case "frozen":
                return self._last
            case "dark":
                self._last = noise
            case "covered":
                self._last = np.asarray(noise + np.uint8(120), np.uint8)
            case "lamp":
                self._last = np.asarray(self._table * 0.6, np.uint8) + noise
            case _:
                self._last = self._table + noise
        return self._last


class Eyes:
    """A live table without threads, on a clock of its own."""

    def __init__(self, folder: Path) -> None:
        self.t = 1000.0
        self.source = Source()
        kind = SourceKind(lambda: self.source, same("the camera"), is_live=True)
        self._camera = Camera(kind, stale_s=Config().camera.stale_s, now=lambda: self.t)
        reader = Reader(
            RectangleDetector(640, smallest=8, largest=160), ColourRecogniser(), Limits.alike(0.6)
        )
        config = Config(
            camera=CameraConfig(Address("0"), CORNERS), log=LogConfig(str(folder / "log.sqlite"))
        )
        self.table = LiveTable(config, camera=self._camera, reader=reader, now=lambda: self.t)
        self._step_t = self._health_t = self.t

    def pass_time(self, seconds: float) -> SourceHealth:
        ends = self.t + seconds
        while self.t < ends:
            self.t += PERIOD_S
            if self.t >= self._step_t:
                self._step_t = self.t + self._camera.step()
            self.table.eyes.watch_once(0.0)
            if self.t - self._health_t >= HEALTH_EVERY_S:
                self._health_t = self.t
                self.table.check_health()
            self.table.session.drain()
        return next(h for h in self.table.snapshot.health if h.name == "camera")


@pytest.fixture
def eyes(tmp_path: Path) -> Eyes:
    eyes = Eyes(tmp_path)
    health = eyes.pass_time(3.0)
    assert (health.status, health.says, health.zones) == ("live", NOTHING, ())
    return eyes


@pytest.mark.parametrize(
    ("fault", "status", "says", "why"),
    [
        ("lost", "lost", "unplugged", WhyUnseen.STALE),
        ("frozen", "stale", "frozen", WhyUnseen.STALE),
        ("dark", "covered", "in the dark", WhyUnseen.DARK),
        ("covered", "covered", "sees nothing", WhyUnseen.COVERED),
    ],
)
def test_a_fault_is_told_within_two_seconds_with_every_zone_and_goes_away(
    eyes: Eyes, fault: str, status: str, says: str, why: WhyUnseen
) -> None:
    eyes.source.fault = fault
    since = eyes.t
    health = eyes.pass_time(2.0)
    assert health.status == status
    assert says in health.says.en
    assert health.says.zh
    assert {gone.why for gone in health.zones} == {why}
    assert len(health.zones) == ZONES
    assert all(abs(gone.since_t - since) <= 2 * PERIOD_S for gone in health.zones)
    eyes.source.fault = ""
    health = eyes.pass_time(3.0)
    assert (health.status, health.says, health.zones) == ("live", NOTHING, ())


def test_a_lamp_that_is_switched_is_no_fault(eyes: Eyes) -> None:
    for fault in ("lamp", "", "lamp"):
        eyes.source.fault = fault
        for _ in range(5):
            health = eyes.pass_time(0.5)
            assert (health.status, health.says, health.zones) == ("live", NOTHING, ())


def test_what_a_person_corrected_is_not_asked_again_by_the_next_look() -> None:
    table = session()
    hear(table, WallReady(), DiceReport(0, (1, 2)))
    table.process(Observation(0.0, tuple(river(0, "1m"))))
    assert command(table, Correct(record(table).seq, Discarded(0, Tile.M7))) is None
    for t in range(20):
        table.process(Observation(float(t), tuple(river(0, "1m"))))
    assert table.snapshot.state.seats[0].river == (Tile.M7,)
    assert table.snapshot.state.questions == ()


def test_people_see_what_was_read_of_the_discards_and_nothing_over_a_hand(eyes: Eyes) -> None:
    shot, shown = eyes.table.eyes.shot(), eyes.table.eyes.picture()
    assert shot is not None
    assert shot.observation is not None
    assert shot.calibration is not None
    image = cv2.imdecode(np.frombuffer(shown or b"", np.uint8), cv2.IMREAD_COLOR)
    changed = np.abs(np.asarray(image, np.int16) - shot.image).max(axis=2) > 60
    written = set()
    for tile in shot.observation.tiles:
        x, y = (round(each) for each in shot.calibration.point(tile.x_mm, tile.y_mm))
        if changed[y - 12 : y + 13, x - 12 : x + 13].any():
            written.add(tile.zone.kind)
    assert written == {ZoneKind.RIVER} < {tile.zone.kind for tile in shot.observation.tiles}


@dataclass(frozen=True)
class Hand:
    folder: Path
    evening: list[TableStep]

    def copy(self, path: Path) -> Path:
        return Path(shutil.copytree(self.folder, path))


@pytest.fixture(scope="module")
def hand(tmp_path_factory: pytest.TempPathFactory) -> Hand:
    """A whole hand, then a person takes back its end."""
    folder = tmp_path_factory.mktemp("hand")
    evening = steps()

    def take_back(table: LiveTable) -> None:
        assert table.submit(Undo(table.snapshot.entries[-1].seq)) is None

    with pytest.MonkeyPatch.context() as monkeypatch:
        record_evening(folder, evening, use_perfect_eyes(monkeypatch, evening), then=take_back)
    return Hand(folder / "kept", evening)


@pytest.fixture
def again(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> "Again":
    use_perfect_eyes(monkeypatch, hand.evening)
    return Again()


class Again:
    def __call__(self, folder: Path) -> ComparedReplay:
        return replay_folder(folder, lambda config: no_reader())


def test_a_replayed_hand_gives_the_same_log(hand: Hand, again: Again) -> None:
    compared = again(hand.folder)
    assert list(compared.lines())[:-1] == []
    assert compared.is_same
    assert compared.recording.is_whole
    ends = [e for e in compared.replayed.entries if isinstance(e.event, Settled | WallExhausted)]
    assert ends, "the hand was followed to its end"
    looked, kept = compared.replayed.pictures
    assert len(hand.evening) * 0.5 < kept < looked / 2


def test_a_changed_picture_is_named(hand: Hand, again: Again, tmp_path: Path) -> None:
    folder = hand.copy(tmp_path / "kept")
    names = sorted((folder / "pictures").iterdir())
    changed = names[len(names) // 2]
    changed.write_bytes(jpeg(picture_of(0), 90))
    remarks = again(folder).remarks
    assert remarks == (f"pictures/{changed.name} is not the picture that was recorded.",)


def test_a_line_taken_out_is_a_difference_that_names_the_entry(
    hand: Hand, again: Again, tmp_path: Path
) -> None:
    folder = hand.copy(tmp_path / "kept")
    serial = folder / "serial.txt"
    lines = serial.read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line in lines if ",WIN*" not in line]
    assert len(kept) < len(lines)
    serial.write_text("".join(kept), encoding="utf-8")
    compared = again(folder)
    assert not compared.is_same
    text = "\n".join(compared.lines())
    assert "WinDeclared" in text
    assert "ANOTHER log" in text
    assert json.loads(compared.to_json())["same"] is False


def test_an_entry_changed_in_the_recorded_log_is_told_with_what_the_replay_has_it_from(
    hand: Hand, again: Again, tmp_path: Path
) -> None:
    folder = hand.copy(tmp_path / "kept")
    log = folder / "log.jsonl"
    rows = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    row = next(row for row in rows if row["event"]["type"] == "Discarded")
    row["event"]["seat"] = (row["event"]["seat"] + 1) % 4
    log.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (difference,) = again(folder).differences
    assert difference.kind == "differs"
    assert difference.recorded is not None
    assert difference.recorded.seq == row["seq"]
    assert difference.cause.startswith("pictures/")


def test_a_recording_that_breaks_off_is_followed_as_far_as_it_goes(
    hand: Hand, again: Again, tmp_path: Path
) -> None:
    folder = hand.copy(tmp_path / "kept")
    for name, share in (("journal.jsonl", 0.6), ("serial.txt", 0.9), ("log.jsonl", 0.4)):
        data = (folder / name).read_bytes()
        (folder / name).write_bytes(data[: int(share * len(data))])
    compared = again(folder)
    assert not compared.recording.is_whole
    assert compared.is_same
    assert compared.beyond > 0
    assert any("breaks off" in remark for remark in compared.remarks)


@pytest.mark.parametrize(
    ("name", "old", "new", "says"),
    [
        ("manifest.json", '"format": 1', '"format": 7', "has format 7; this program knows"),
        ("manifest.json", '"detector": "', '"detector": "0', "made with other eyes: detector 0"),
        ("manifest.json", '"hash": "', '"hash": "0', "made under other rules"),
        ("manifest.json", "{", "", "is damaged"),
        ("journal.jsonl", '"looked"', '"booked"', "line 3 of the recording's"),
        ("log.jsonl", '"seq":1,', '"seq":2,', "lacks entry 1"),
    ],
)
def test_what_cannot_be_replayed_is_refused_in_one_sentence(
    hand: Hand, again: Again, tmp_path: Path, name: str, old: str, new: str, says: str
) -> None:
    folder = hand.copy(tmp_path / "kept")
    text = (folder / name).read_text(encoding="utf-8")
    assert old in text
    (folder / name).write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(RecordingError) as refused:
        again(folder)
    assert says in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_picture_cut_short_is_refused_in_one_sentence(
    hand: Hand, again: Again, tmp_path: Path
) -> None:
    folder = hand.copy(tmp_path / "kept")
    path = sorted((folder / "pictures").iterdir())[3]
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(RecordingError, match=r"damaged: .* is cut short"):
        again(folder)


def test_a_folder_that_is_no_recording_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match="is no recording"):
        load_recording(tmp_path)
