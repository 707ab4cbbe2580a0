"""A bundle holds what is needed to see what went wrong, and no password."""

import json
import zipfile
from pathlib import Path

import pytest

from table_assist.capture.manifest import RecordingError
from table_assist.capture.recorder import load_recording
from table_assist.game.events import WallBuilt
from table_assist.live.replay_folder import start_recording
from table_assist.record.log import Entry, Source
from table_assist.record.store import Store
from table_assist.settings.config import load_config
from table_assist.upkeep.doctor.command import make_bundle


def table_in(folder: Path, more: str = "") -> Path:
    settings = folder / "table.toml"
    settings.write_text(f'[log]\npath = "log.sqlite"\n{more}', encoding="utf-8")
    return settings


def test_a_bundle_holds_log_settings_versions_findings_and_the_last_recording(
    tmp_path: Path,
) -> None:
    settings = table_in(tmp_path)
    with Store(tmp_path / "log.sqlite") as store:
        store.append([Entry(1, 5.0, Source.BOARD, WallBuilt())])
    recorder = start_recording(load_config(settings), tmp_path / "kept")
    recorder.begin(())
    recorder.close()
    out = tmp_path / "out.zip"
    bundled = make_bundle(out, settings)
    assert bundled.missing == ()
    with zipfile.ZipFile(out) as bundle:
        assert bundle.testzip() is None
        names = set(bundle.namelist())
        assert json.loads(bundle.read("versions.json"))["weights"]["detector"]
        assert '"WallBuilt"' in bundle.read("log.jsonl").decode()
        assert "rules" in bundle.read("doctor.txt").decode()
        bundle.extractall(tmp_path / "theirs")
    assert {"settings.json", "recording/manifest.json", "recording/serial.txt"} <= names
    assert load_recording(tmp_path / "theirs" / "recording").is_whole


def test_what_cannot_be_packed_is_told_and_the_rest_is_packed(tmp_path: Path) -> None:
    bundled = make_bundle(tmp_path / "out.zip", tmp_path / "nowhere.toml")
    assert [line.split()[:2] for line in bundled.missing] == [
        ["The", "settings:"],
        ["There", "is"],
    ]
    with zipfile.ZipFile(bundled.path) as bundle:
        assert "nowhere.toml" in bundle.read("missing.txt").decode()
        assert "doctor.txt" in bundle.namelist()


def test_a_table_that_is_running_is_not_disturbed(tmp_path: Path) -> None:
    settings = table_in(tmp_path)
    with Store(tmp_path / "log.sqlite") as store:
        store.append([Entry(1, 5.0, Source.BOARD, WallBuilt())])
        bundled = make_bundle(tmp_path / "out.zip", settings)
        given = make_bundle(tmp_path / "given.zip", settings, entries=store.load())
    assert "another program has it open" in bundled.missing[0]
    assert "disturb the table" in bundled.missing[1]
    with zipfile.ZipFile(given.path) as bundle:
        assert "WallBuilt" in bundle.read("log.jsonl").decode()
        assert "doctor.txt" not in bundle.namelist()


def test_the_cameras_password_is_not_in_a_bundle(tmp_path: Path) -> None:
    settings = table_in(tmp_path, '[camera]\nsource = "mms://me:secret@127.0.0.1:9/live"\n')
    make_bundle(tmp_path / "out.zip", settings)
    with zipfile.ZipFile(tmp_path / "out.zip") as bundle:
        for name in bundle.namelist():
            assert b"secret" not in bundle.read(name), name


def test_a_bundle_overwrites_nothing(tmp_path: Path) -> None:
    settings = table_in(tmp_path)
    out = tmp_path / "out.zip"
    out.write_bytes(b"mine")
    with pytest.raises(RecordingError, match="is there already"):
        make_bundle(out, settings)
    assert out.read_bytes() == b"mine"
