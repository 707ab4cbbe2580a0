"""Somebody else's backup is no takeover, and no copy of a log tells what is hidden in a hand."""

import hashlib
import json
import zipfile
from pathlib import Path
from random import Random

import pytest

from table_assist.cli.main import main
from table_assist.game.events import HandAbandoned, HandStarted, IndicatorTurned, ReadyDeclared
from table_assist.live.live_table import LiveTable
from table_assist.record.log import Entry, Source
from table_assist.record.record import Record
from table_assist.record.snapshot import hidden_in
from table_assist.record.store import Store
from table_assist.settings.config import load_config
from table_assist.tiles.tile import Tile
from table_assist.upkeep.backup.backup import hidden_in_backup, make_backup
from table_assist.upkeep.backup.packing import (
    BACKUP_MANIFEST,
    BACKUP_SIGNATURE,
    BackupError,
    read_contents,
    verify,
)
from table_assist.upkeep.backup.restore import restore
from table_assist.upkeep.table_service import TableService, TreasureError

SETTINGS = '[rules]\nid = "changchun"\n[camera]\nsource = "rtsp://me:secret@10.0.0.9/live"\n'


def made_up(path: Path, *members: tuple[str, str, bytes]) -> Path:
    """A backup that somebody wrote by hand: (kind, home, content)."""
    rows = []
    with zipfile.ZipFile(path, "w") as archive:
        for kind, home, content in members:
            name = f"{kind}/{home}"
            archive.writestr(name, content)
            digest = hashlib.sha256(content).hexdigest()
            rows.append(
                {"name": name, "kind": kind, "home": home, "sha256": digest, "size": len(content)}
            )
        row = {"format": 1, "program": "0", "made_s": 1.0, "reason": "x", "facts": {}}
        archive.writestr(BACKUP_MANIFEST, json.dumps({**row, "members": rows, "missing": []}))
    return path


@pytest.mark.parametrize(
    ("kind", "home"),
    [
        ("profile", ".profile"),
        ("profile", ".bashrc"),
        ("log", ".ssh/authorized_keys"),
        ("calibration", "table.devices.json"),
        ("profile", "pyproject.toml"),
        ("set", "installation.key"),
        ("settings", ".config/autostart/x.desktop"),
        ("devices", "table.devices.json"),
        ("learnt", "..@home.npz"),
        ("log", "sub/.hidden.sqlite"),
    ],
)
def test_a_made_up_backup_writes_no_file_that_is_not_the_tables(
    folder: Path, tmp_path: Path, kind: str, home: str
) -> None:
    bad = made_up(tmp_path / "x.tablebackup", (kind, home, b"evil"))
    with pytest.raises(BackupError, match="damaged"):
        restore(bad, folder, now_s=1.0, force=True)
    assert [path.name for path in folder.rglob("*")] == ["table.toml"]


def test_a_backup_puts_nothing_into_folders_of_its_own_choice(folder: Path, tmp_path: Path) -> None:
    bad = made_up(tmp_path / "x.tablebackup", ("profile", ".cargo/config.toml", b"evil"))
    restore(bad, folder, now_s=1.0)
    assert not (folder / ".cargo").exists()
    assert (folder / "config.toml").read_bytes() == b"evil"


def test_foreign_settings_bring_no_device_and_no_path_unless_each_is_named(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (
        '[camera]\nsource = "http://10.0.0.1/evil"\n[board]\nport = "/dev/evil"\n'
        '[log]\npath = "/etc/evil"\n[backup]\nfolder = "/etc"\n[seats]\nnames = ["a","b","c","d"]\n'
    )
    bad = made_up(tmp_path / "x.tablebackup", ("settings", "table.toml", text.encode()))
    done = restore(bad, folder, now_s=1.0, force=True)
    assert set(done.left) == {"camera.source", "board.port", "log.path", "backup.folder"}
    config = load_config(folder / "table.toml")
    assert not config.camera.source
    assert not config.board.port
    assert config.seats.names == ("a", "b", "c", "d")
    assert "evil" not in (folder / "table.toml").read_text()
    other = tmp_path / "other"
    arguments = ["restore", str(bad), "--to", str(other), "--take", "board.port"]
    assert main(arguments) == 0
    assert "camera.source" in capsys.readouterr().out
    assert load_config(other / "table.toml").board.port.whole == "/dev/evil"


def test_the_own_backup_is_signed_and_keeps_its_devices(folder: Path, tmp_path: Path) -> None:
    made = make_backup(folder / "table.toml", tmp_path / "own.tablebackup", now_s=1.0)
    assert verify(made.path).signer == made.contents.signer != ""
    done = restore(made.path, folder, now_s=2.0, force=True)
    assert done.left == ()
    assert (folder / "table.toml").read_text(encoding="utf-8") == SETTINGS


def test_a_signed_backup_that_was_changed_is_refused(folder: Path, tmp_path: Path) -> None:
    made = make_backup(folder / "table.toml", tmp_path / "own.tablebackup", now_s=1.0)
    with zipfile.ZipFile(made.path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    assert BACKUP_SIGNATURE in members
    members[BACKUP_MANIFEST] = members[BACKUP_MANIFEST].replace(b"by-hand", b"by-Hand")
    with zipfile.ZipFile(made.path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    with pytest.raises(BackupError, match="was changed after it was signed"):
        verify(made.path)


def play_until_hidden(log: Path) -> None:
    with Store(log) as store:
        record = Record(store, lambda: 1.0)
        record.append(HandStarted(1, "changchun", 0, 55), Source.BOARD)
        record.append(ReadyDeclared(1), Source.BOARD)
        record.append(IndicatorTurned(Random(1).choice([Tile.M5, Tile.P7])), Source.PERSON)
        record.save()


def test_a_copy_of_a_running_hand_is_not_given_out_whatever_table_runs(folder: Path) -> None:
    """The attack: another log is named, the table started again, and the old backup fetched."""
    settings, log = folder / "table.toml", folder / "table-assist.sqlite"
    settings.write_text('[rules]\nid = "changchun"\n', encoding="utf-8")
    play_until_hidden(log)
    table_service = TableService(settings)
    name = table_service.back_up(evidence=False)
    (path,) = (folder / "backups").glob("*.tablebackup")
    assert read_contents(path).facts["hides"]["hand"] == 1
    with pytest.raises(TreasureError):
        table_service.backup_file(name, at_machine=True)
    settings.write_text('[rules]\nid = "changchun"\n[log]\npath = "other.sqlite"\n')
    _with_table(table_service, settings, lambda: pytest.raises(TreasureError), name)
    with Store(log) as store:  # the hand goes on where it was, and ends
        record = Record(store, lambda: 2.0)
        record.append(HandAbandoned(), Source.PERSON)
        record.append(HandStarted(2, "changchun", 1, 55), Source.BOARD)
        record.save()
    settings.write_text('[rules]\nid = "changchun"\n', encoding="utf-8")
    running = _Running(LiveTable(load_config(settings), camera=None, reader=None))
    try:
        table_service.running = running  # type: ignore[assignment]
        assert table_service.backup_file(name, at_machine=True) == path
    finally:
        table_service.running = None
        running.table.close()


def test_an_older_backup_that_does_not_say_so_is_looked_into(folder: Path, tmp_path: Path) -> None:
    log = tmp_path / "log.sqlite"
    play_until_hidden(log)
    with Store(log) as store:
        store.copy_to(tmp_path / "copy.sqlite")
        entries = store.load()
    old = made_up(
        tmp_path / "x.tablebackup", ("log", "a.sqlite", (tmp_path / "copy.sqlite").read_bytes())
    )
    assert hidden_in_backup(old) == hidden_in(entries)
    assert hidden_in(entries) is not None
    assert hidden_in(entries[:1]) is None
    assert hidden_in(()) is None


def _entries(log: Path) -> tuple[Entry, ...]:
    with Store(log, reads_only=True) as store:
        return store.load()


class _Running:
    def __init__(self, table: LiveTable) -> None:
        self.table = table
        self.config = load_config(table.store.path.with_name("table.toml"))


def _with_table(table_service: TableService, settings: Path, expecting: object, name: str) -> None:
    running = _Running(LiveTable(load_config(settings), camera=None, reader=None))
    table_service.running = running  # type: ignore[assignment]
    try:
        with expecting():  # type: ignore[operator]
            table_service.backup_file(name, at_machine=True)
    finally:
        table_service.running = None
        running.table.close()
