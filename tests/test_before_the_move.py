"""What the program wrote before its modules moved is read by the program of today."""

import shutil
from pathlib import Path

import pytest

from table_assist.cli.main import main
from table_assist.game.events import Discarded, HandShown, Settled, WinDeclared
from table_assist.live.live_table import LiveTable
from table_assist.live.replay_folder import replay_folder
from table_assist.record.dispute.file import disputed_hand, read_dispute
from table_assist.record.dispute.verify import verify
from table_assist.record.evidence import EVIDENCE_SUFFIX, EvidenceStore
from table_assist.record.export import played_hands, read_log
from table_assist.record.log import Amended, Retracted, Source, effective
from table_assist.record.record import Record
from table_assist.record.store import Store
from table_assist.settings.config import load_config
from table_assist.settings.edit import profile_of
from table_assist.tiles.tile import Tile
from table_assist.upkeep.backup.packing import verify as verify_backup
from table_assist.upkeep.backup.restore import restore
from table_assist.vision.reading.read import open_reader
from table_assist.vision.table.calibration import load_calibration
from web.access.pairing_sessions import DeviceFile
from web.access.roles import Role

SAMPLES = Path(__file__).parent / "fixtures" / "before_the_move"
ENTRIES, MOVED = 31, (0, 0, 2, -2)
NAMES = ("Seat A", "Seat B", "座位丙", "Seat D")


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the old table's folder: what opens a log may write into it."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    return Path(shutil.copytree(SAMPLES, tmp_path / "table"))


def is_the_hand(record: Record) -> None:
    """All that the old log says of the evening, corrections counted."""
    assert len(record.entries) == ENTRIES
    assert record.state.scores == MOVED
    (hand,) = played_hands(record.entries)
    assert (hand.rules, hand.profile, hand.end) == ("changsha", "before-the-move", "won")
    assert (hand.winners, hand.transfers) == ((2,), MOVED)
    seen, said, taken_back = record.entries[4], record.entries[28], record.entries[30]
    assert (seen.source, seen.event) == (Source.CAMERA, Discarded(1, Tile.M9))
    assert said.event == Amended(5, Discarded(1, Tile.M6))
    assert taken_back.event == Retracted(30)
    counting = dict(effective(record.entries))
    assert counting[5] == Discarded(1, Tile.M6)
    assert 30 not in counting


def test_old_settings_mean_what_they_meant(table: Path) -> None:
    config = load_config(table / "table.toml")
    profile = profile_of(config)
    assert (profile.id, profile.rules.id) == ("before-the-move", "changsha")
    assert profile.rules.chosen["multiple_winners"] == "closest"
    assert (config.rules.settle_after_s, config.seats.names) == (2.5, NAMES)
    assert (config.board.port.whole, config.board.silent_s) == ("/dev/ttyUSB0", 3.0)
    assert Path(config.log.path) == table / "evening.sqlite"
    assert (config.log.evidence_mb, config.backup.keep, config.backup.evidence) == (50, 3, True)
    assert load_calibration(Path(config.camera.calibration)).size_wh == (720, 680)


def test_phones_that_were_let_in_before_stay_let_in(table: Path) -> None:
    (device,) = DeviceFile(table / "table.devices.json").kept.devices
    assert (device.role, device.name, device.hash) == (Role.SCORER, "a phone", "ab" * 32)


def test_an_old_log_folds_to_the_same_evening_and_goes_on(table: Path) -> None:
    with Store(table / "evening.sqlite") as store:
        is_the_hand(Record(store, lambda: 0.0))
    live = LiveTable(load_config(table / "table.toml"), camera=None, reader=None)
    try:
        assert live.snapshot.state.scores == MOVED
        assert live.snapshot.seq == ENTRIES
    finally:
        live.close()


def test_the_pictures_kept_beside_an_old_log_are_found(table: Path) -> None:
    store = EvidenceStore(table / f"evening.sqlite{EVIDENCE_SUFFIX}")
    try:
        moments = store.moments(1)
        kept = [store.get(moment.id) for moment in moments]
    finally:
        store.close()
    events = {
        moment.id: type(read_log(table / "evening.sqlite")[moment.seq - 1].event)
        for moment in moments
    }
    assert set(events.values()) >= {WinDeclared, HandShown, Settled}
    assert all(each is not None and each.jpeg.startswith(b"\xff\xd8") for each in kept)


def test_an_old_dispute_is_whole_and_judged_as_then(table: Path) -> None:
    file = read_dispute(table / "dispute.zip")
    findings = verify(file)
    (unsigned,) = (each.text for each in findings if not each.ok)
    assert "proves nothing" in unsigned.en, "it was made before files were signed"
    assert len(findings) >= 4
    hand = disputed_hand(file.entries, 1)
    assert hand.ended is not None
    assert isinstance(hand.end, Settled)
    assert hand.end.transfers == MOVED


def test_an_old_backup_is_put_back(table: Path, tmp_path: Path) -> None:
    file = table / "table.tablebackup"
    contents = verify_backup(file)
    assert not contents.missing
    done = restore(file, tmp_path / "restored", now_s=1.0)
    assert done.settings is not None
    config = load_config(done.settings)
    with Store(Path(config.log.path)) as store:
        is_the_hand(Record(store, lambda: 0.0))
    assert config.seats.names == NAMES
    assert load_calibration(Path(config.camera.calibration)).size_wh == (720, 680)
    assert profile_of(config).id == "before-the-move"


def test_an_old_recording_is_followed_to_the_same_log(table: Path) -> None:
    # Other eyes than then: the hand is told in commands, and the camera saw a table at rest.
    compared = replay_folder(table / "recording", lambda config: open_reader(), anyway=True)
    assert compared.recording.is_whole
    assert list(compared.lines())[:-1] == []
    assert compared.is_same
    assert compared.replayed.pictures == (2, 2)
    (end,) = (e.event for e in compared.replayed.entries if isinstance(e.event, Settled))
    assert end.transfers == MOVED


def test_the_commands_take_old_files(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = str(table / "table.toml")
    assert (
        main(["export", str(table / "evening.sqlite"), "--format", "csv", "--config", settings])
        == 0
    )
    assert "座位丙" in capsys.readouterr().out
    again = tmp_path / "again.zip"
    assert main(["dispute", "1", str(again), "--config", settings]) == 0
    assert main(["verify", str(again)]) == 0
