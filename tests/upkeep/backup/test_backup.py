"""Backups: whole also while the table runs, checked before they are put back, nothing lost."""

import json
import random
import sqlite3
import subprocess
import sys
import threading
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from table_assist.cli.main import main
from table_assist.game.events import Discarded, HandStarted, Settled
from table_assist.live.live_table import LiveTable
from table_assist.record.commands import DeclareWin, EndHand, StartHand
from table_assist.record.evidence import EvidenceMoment, EvidenceStore
from table_assist.record.log import Source
from table_assist.record.record import Record
from table_assist.record.store import Store, StoreError
from table_assist.settings.config import load_config
from table_assist.tiles.tile import Tile
from table_assist.upkeep.backup import backup as automatic_module
from table_assist.upkeep.backup.backup import (
    AFTER_GAME,
    BEFORE_MIGRATION,
    BEFORE_VERSION,
    DAILY,
    Automatic,
    make_backup,
)
from table_assist.upkeep.backup.packing import (
    BACKUP_MANIFEST,
    BACKUP_SIGNATURE,
    BackupError,
    copy_log,
    read_contents,
    read_copy,
    schema_of,
    verify,
)
from table_assist.upkeep.backup.restore import restore

NOW = 1_790_000_000.0
SETTINGS = """# Our table; keep this line
[seats]
names = ["Ana", "Ben", "陈德", "Dai"]
"""


def play(log: Path, hands: int = 3, now: float = NOW) -> Record:
    """Hands that were settled, and one that goes on."""
    with Store(log) as store:
        record = Record(store, lambda: now)
        for number in range(1, hands + 1):
            record.append(HandStarted(number, "changsha", 0, 55), Source.RULES)
            record.append(Discarded(0, Tile.M1), Source.CAMERA)
            record.append(Settled((1,), (-14, 14, 0, 0), 1), Source.RULES)
        record.append(HandStarted(hands + 1, "changsha", 1, 55), Source.RULES)
        record.append(Discarded(1, Tile.P9), Source.CAMERA)
        record.save()
    return record


def folded(log: Path) -> Record:
    with Store(log) as store:
        return Record(store, lambda: NOW)


def spoil(file: Path, name: str) -> None:
    """The same backup with one byte of one member changed."""
    with zipfile.ZipFile(file) as archive:
        content = {each: archive.read(each) for each in archive.namelist()}
    changed = bytearray(content[name])
    changed[len(changed) // 2] ^= 1
    content[name] = bytes(changed)
    with zipfile.ZipFile(file, "w") as archive:
        for each, data in content.items():
            archive.writestr(each, data)


def test_how_a_phone_sees_the_table_comes_back_and_the_settings_stay(folder: Path) -> None:
    settings = folder / "table.toml"
    own = folder / "table.calibration.0123456789ab.json"
    own.write_text('{"corners": 1}', encoding="utf-8")
    (folder / "table.calibration.another.json").write_text("{}", encoding="utf-8")
    made = make_backup(settings, folder / "safe.tablebackup", now_s=NOW)
    assert [each.home for each in made.contents.of_kind("phone")] == [own.name]
    own.write_text("moved", encoding="utf-8")
    restore(made.path, folder, now_s=NOW + 9, force=True)
    assert own.read_text(encoding="utf-8") == '{"corners": 1}'
    assert settings.read_text(encoding="utf-8") == SETTINGS


def test_a_wrecked_table_comes_back_with_state_and_scores_and_goes_on(folder: Path) -> None:
    settings, log = folder / "table.toml", folder / "table-assist.sqlite"
    table = LiveTable(load_config(settings), camera=None, reader=None, now=lambda: NOW)
    table.start()
    try:
        assert table.submit(StartHand(0)) is None
        assert table.submit(EndHand()) is None
        assert table.submit(StartHand(1)) is None
        before = table.snapshot
        made = make_backup(settings, folder / "safe.tablebackup", now_s=NOW, copy=table.copy_log)
    finally:
        table.stop()
    settings.write_bytes(b"\xff\x00 wrecked")
    log.write_bytes(b"no log any more")
    done = restore(made.path, folder, now_s=NOW + 9, force=True)
    assert done.kept is not None
    assert (done.kept / "table-assist.sqlite").read_bytes() == b"no log any more"
    assert settings.read_text(encoding="utf-8") == SETTINGS
    again = LiveTable(load_config(settings), camera=None, reader=None, now=lambda: NOW + 10)
    again.start()
    try:
        assert again.snapshot.state == before.state
        assert again.snapshot.state.scores == before.state.scores
        assert again.snapshot.history == before.history
        assert again.submit(DeclareWin(2)) is None  # it goes on
        assert again.snapshot.seq > before.seq
    finally:
        again.stop()


def test_the_command_backs_up_and_restores(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = play(folder / "table-assist.sqlite")
    file = folder / "out.tablebackup"
    assert main(["backup", "--config", str(folder / "table.toml"), str(file)]) == 0
    assert "3 hands, 11 entries, scores [-42, 42, 0, 0]" in capsys.readouterr().out
    assert main(["restore", str(file)]) == 0
    assert "table-assist.sqlite" in capsys.readouterr().out
    other = folder.parent / "other"
    assert main(["restore", str(file), "--to", str(other)]) == 0
    assert f"run --config {other / 'table.toml'}" in capsys.readouterr().out
    assert folded(other / "table-assist.sqlite").state == record.state
    assert main(["restore", str(file), "--to", str(other)]) == 2
    assert "give --force" in capsys.readouterr().err


def test_a_log_that_another_program_is_writing_is_copied_without_a_gap(folder: Path) -> None:
    log = folder / "table-assist.sqlite"
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(log)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert writer.stdout is not None
    try:
        assert writer.stdout.readline() == b"begun\n"
        with pytest.raises(StoreError, match="another program"):
            Store(log)
        counts: list[int] = []
        while len(counts) < 8 or counts[-1] == counts[0]:  # until it has written meanwhile
            copy = folder / f"{len(counts)}.sqlite"
            copy_log(log, copy)
            counts.append(len(read_copy(copy)))  # raises at a gap
        assert counts == sorted(counts)
        assert counts[0] > 0
    finally:
        writer.communicate(b"end\n")
    assert writer.returncode == 0  # and the writer never noticed


WRITER = """
import sys, threading
from pathlib import Path
from table_assist.game.events import Discarded
from table_assist.record.log import Entry, Source
from table_assist.record.store import Store
from table_assist.tiles.tile import Tile
stop = threading.Event()
threading.Thread(target=lambda: (sys.stdin.readline(), stop.set()), daemon=True).start()
with Store(Path(sys.argv[1])) as store:
    seq = 0
    while not stop.is_set():
        seq += 1
        store.append([Entry(seq, 1.0, Source.CAMERA, Discarded(0, Tile.M1))])
        if seq == 5:
            print("begun", flush=True)
        stop.wait(0.002)
"""


def test_a_copy_made_while_this_program_writes_holds_whole_transactions(folder: Path) -> None:
    with Store(folder / "log.sqlite") as store:
        record = Record(store, lambda: NOW)
        stop = threading.Event()

        def write() -> None:
            while not stop.is_set():
                for _ in range(3):
                    record.append(Discarded(0, Tile.M1), Source.CAMERA)
                record.save()

        thread = threading.Thread(target=write)
        thread.start()
        try:
            for number in range(10):
                store.copy_to(folder / f"{number}.sqlite")
        finally:
            stop.set()
            thread.join()
    for number in range(10):
        assert len(read_copy(folder / f"{number}.sqlite")) % 3 == 0


def test_what_is_not_there_is_told_and_the_rest_is_packed(folder: Path) -> None:
    (folder / "table.toml").write_text(SETTINGS + '[eyes]\nset = "home"\n', encoding="utf-8")
    made = make_backup(folder / "table.toml", folder / "a.tablebackup", now_s=NOW)
    assert [member.kind for member in made.contents.members] == ["settings"]
    assert any("no log" in line for line in made.contents.missing)
    assert any("no set" in line for line in made.contents.missing)
    (folder / "table.toml").write_text("[broken", encoding="utf-8")
    broken = make_backup(folder / "table.toml", folder / "b.tablebackup", now_s=NOW)
    assert len(broken.contents.members) == 1
    assert "no TOML" in broken.contents.missing[0]


def test_a_damaged_log_is_no_backup(folder: Path) -> None:
    log = folder / "table-assist.sqlite"
    play(log, hands=60)
    content = bytearray(log.read_bytes())
    content[3 * 4096 : 4 * 4096] = bytes(4096)
    log.write_bytes(content)
    with pytest.raises(StoreError, match=r"damaged|cannot be"):
        make_backup(folder / "table.toml", folder / "a.tablebackup", now_s=NOW)
    assert not (folder / "a.tablebackup").exists()


@pytest.fixture
def backup(folder: Path) -> Path:
    play(folder / "table-assist.sqlite")
    return make_backup(folder / "table.toml", folder / "a.tablebackup", now_s=NOW).path


def test_any_changed_byte_is_found_before_anything_is_written(backup: Path, tmp_path: Path) -> None:
    spoil(backup, "log/table-assist.sqlite")
    with pytest.raises(BackupError, match=r"log/table-assist\.sqlite .* was changed"):
        restore(backup, tmp_path / "new", now_s=NOW)
    assert not (tmp_path / "new").exists()


def test_random_damage_never_restores_something_else(backup: Path, tmp_path: Path) -> None:
    whole = backup.read_bytes()
    chance = random.Random(7)
    expected = {member.name: member.sha256 for member in verify(backup).members}
    for _ in range(150):
        spoiled = bytearray(whole)
        for _ in range(chance.randint(1, 4)):
            spoiled[chance.randrange(len(spoiled))] ^= 1 << chance.randrange(8)
        backup.write_bytes(spoiled[: chance.choice((None, chance.randrange(len(whole))))])
        try:
            found = verify(backup)
        except BackupError:
            continue
        assert {member.name: member.sha256 for member in found.members} == expected


def test_what_was_added_to_a_backup_is_refused(backup: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(backup, "a") as archive:
        archive.writestr("extra", b"x")
    with pytest.raises(BackupError, match="extra"):
        restore(backup, tmp_path / "new", now_s=NOW)


@pytest.mark.parametrize("home", ["../evil", "/etc/evil", "a/../../evil", "C:\\evil", ""])
def test_a_backup_cannot_write_outside_of_its_folder(
    backup: Path, tmp_path: Path, home: str
) -> None:
    with zipfile.ZipFile(backup) as archive:
        content = {each: archive.read(each) for each in archive.namelist()}
    manifest = json.loads(content[BACKUP_MANIFEST])
    manifest["members"][0]["home"] = home
    del content[BACKUP_SIGNATURE]  # who forges a backup has no key of this installation
    content[BACKUP_MANIFEST] = json.dumps(manifest).encode()
    with zipfile.ZipFile(backup, "w") as archive:
        for name, data in content.items():
            archive.writestr(name, data)
    with pytest.raises(BackupError, match="leads out"):
        restore(backup, tmp_path / "new", now_s=NOW)


def test_nothing_is_overwritten_unasked_and_nothing_is_lost(backup: Path, folder: Path) -> None:
    log = folder / "table-assist.sqlite"
    play(folder / "newer.sqlite", hands=1)
    newer = (folder / "newer.sqlite").read_bytes()
    log.write_bytes(newer)
    with pytest.raises(BackupError, match="there already"):
        restore(backup, folder, now_s=NOW)
    assert log.read_bytes() == newer
    done = restore(backup, folder, now_s=NOW, force=True)
    assert done.kept is not None
    assert (done.kept / log.name).read_bytes() == newer
    assert len(folded(log).history) == 3


def test_a_write_ahead_log_of_the_old_log_does_not_get_into_the_restored_one(
    backup: Path, folder: Path
) -> None:
    wal = folder / "table-assist.sqlite-wal"
    wal.write_bytes(b"of another log")
    done = restore(backup, folder, now_s=NOW, force=True)
    assert not wal.exists()
    assert done.kept is not None
    assert (done.kept / wal.name).exists()


def test_evidence_is_packed_when_asked_for_and_never_stands_beside_another_log(
    folder: Path,
) -> None:
    log, pictures = folder / "table-assist.sqlite", folder / "table-assist.sqlite.evidence.sqlite"
    play(log)
    store = EvidenceStore(pictures)
    store.keep([(EvidenceMoment(2, 1), b"")], t=NOW, jpeg=b"first", readings="{}")
    plain = make_backup(folder / "table.toml", folder / "a.tablebackup", now_s=NOW)
    whole = make_backup(folder / "table.toml", folder / "b.tablebackup", now_s=NOW, evidence=True)
    store.keep([(EvidenceMoment(5, 2), b"")], t=NOW, jpeg=b"later", readings="{}")
    store.close()
    assert not plain.contents.of_kind("evidence")
    assert whole.contents.of_kind("evidence")
    restore(plain.path, folder, now_s=NOW, force=True)
    assert not pictures.exists()
    restore(whole.path, folder, now_s=NOW + 5, force=True)
    again = EvidenceStore(pictures)
    try:
        assert again.get("e2") is not None
        assert again.get("e5") is None
    finally:
        again.close()


SWALLOWS = """
    CREATE TRIGGER t BEFORE INSERT ON entries WHEN NEW.seq > 3 BEGIN SELECT RAISE(IGNORE); END;
"""
OTHERWISE = """
    DROP TRIGGER t;
    CREATE TABLE kept AS SELECT * FROM entries;
    DROP TABLE entries;
    CREATE TABLE entries (seq INTEGER PRIMARY KEY, line TEXT, seal TEXT, CHECK (seq < 9999));
    INSERT INTO entries SELECT * FROM kept;
    DROP TABLE kept;
"""


def run_in(log: Path, script: str) -> None:
    database = sqlite3.connect(log)
    database.executescript(script)
    database.close()


def test_a_strangers_log_is_taken_as_rows(folder: Path, tmp_path: Path) -> None:
    """The attack: a restored log swallows later hands while all says that it is well."""
    log = folder / "table-assist.sqlite"
    play(log)
    run_in(log, SWALLOWS)
    with pytest.raises(StoreError, match="holds a trigger"):
        Store(log)
    run_in(log, OTHERWISE)
    packed, there = folder / "x.tablebackup", tmp_path / "there"
    make_backup(folder / "table.toml", packed, now_s=NOW)
    restore(packed, there, now_s=NOW)
    database = sqlite3.connect(there / "table-assist.sqlite")
    (made,) = database.execute("SELECT sql FROM sqlite_master WHERE name='entries'").fetchone()
    database.close()
    assert "CHECK" not in made
    assert folded(there / "table-assist.sqlite").entries


def test_what_is_written_is_counted(folder: Path) -> None:
    log = folder / "table-assist.sqlite"
    entries = play(log).entries
    with Store(log) as store:
        store.load()
        store._db.executescript(SWALLOWS)  # nobody else can while it is open
        with pytest.raises(StoreError, match="does not stand there"):
            store.append([replace(entries[-1], seq=len(entries) + 1)])


def test_a_running_table_is_not_restored_over(backup: Path, folder: Path) -> None:
    running = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(folder / "b.sqlite")],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    assert running.stdout is not None
    try:
        assert running.stdout.readline() == b"begun\n"
        (folder / "table.toml").write_text(SETTINGS + '[log]\npath = "b.sqlite"\n', "utf-8")
        file = make_backup(folder / "table.toml", folder / "b.tablebackup", now_s=NOW).path
        with pytest.raises(BackupError, match="running table"):
            restore(file, folder, now_s=NOW, force=True)
    finally:
        running.communicate(b"end\n")


def test_a_log_from_elsewhere_is_restored_beside_the_settings_which_then_name_it(
    folder: Path, tmp_path: Path
) -> None:
    far = tmp_path / "far" / "evening.sqlite"
    record = play(far)
    text = f'# far\n[log]\npath = "{far.as_posix()}"  # there\n'
    (folder / "table.toml").write_text(text, encoding="utf-8")
    made = make_backup(folder / "table.toml", folder / "a.tablebackup", now_s=NOW)
    done = restore(made.path, tmp_path / "new", now_s=NOW)
    assert done.changed == ("log.path",)
    config = load_config(tmp_path / "new" / "table.toml")
    assert Path(config.log.path).parent == tmp_path / "new"
    assert folded(Path(config.log.path)).state == record.state
    assert "# there" in (tmp_path / "new" / "table.toml").read_text(encoding="utf-8")


def test_the_own_tile_set_goes_back_to_the_sets_and_what_a_table_learnt_beside_its_log(
    folder: Path, tmp_path: Path
) -> None:
    own = tmp_path / "home" / "table-assist" / "sets" / "home.v2.npz"
    learnt = folder / "far.sqlite.sets" / "camera" / "home.v2.npz"
    for each in (own, learnt, learnt.parents[1] / "not a camera" / "x.npz"):
        each.parent.mkdir(parents=True)
        each.write_bytes(each.parent.name.encode())
    play(folder / "far.sqlite")
    text = SETTINGS + '[eyes]\nset = "home.v2"\n[log]\npath = "far.sqlite"\n'
    (folder / "table.toml").write_text(text, encoding="utf-8")
    made = make_backup(folder / "table.toml", folder / "a.tablebackup", now_s=NOW)
    own.unlink()
    restore(made.path, tmp_path / "new", now_s=NOW)
    assert own.read_bytes() == b"sets"
    assert (tmp_path / "new" / learnt.relative_to(folder)).read_bytes() == b"camera"


def automatic(folder: Path, clock: list[float], more: str = "") -> Automatic:
    (folder / "table.toml").write_text(SETTINGS + more, encoding="utf-8")
    return Automatic(folder / "table.toml", load_config(folder / "table.toml"), lambda: clock[0])


def test_one_backup_a_day_and_only_so_many_are_kept(folder: Path) -> None:
    clock = [NOW]
    play(folder / "table-assist.sqlite")
    daily = automatic(folder, clock, "[backup]\nkeep = 3\n")
    assert daily.is_due()
    for _ in range(5):
        assert daily.make(DAILY) is not None
        assert not daily.is_due()
        clock[0] += 86_400
        assert daily.is_due()
    assert daily.make(AFTER_GAME) is not None
    kept = daily.kept(DAILY)
    assert len(kept) == 3
    assert [read_contents(path).made_s for path in kept] == [
        NOW + day * 86_400 for day in (2, 3, 4)
    ]
    assert len(daily.kept(AFTER_GAME)) == 1  # each occasion has its own
    assert not automatic(folder, clock, '[backup]\nfolder = ""\n').is_due()


def test_a_log_of_an_older_format_is_backed_up_before_it_is_opened(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(folder / "table-assist.sqlite")
    assert schema_of(folder / "table-assist.sqlite") == automatic_module.LOG_SCHEMA
    table_service = automatic(folder, [NOW])
    monkeypatch.setattr(automatic_module, "LOG_SCHEMA", automatic_module.LOG_SCHEMA + 1)
    made = table_service.before_start()
    assert made is not None
    assert made.contents.reason == BEFORE_MIGRATION
    assert made.contents.facts["hands"] == 3


def test_another_program_version_begins_with_a_backup(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(folder / "table-assist.sqlite")
    clock = [NOW]
    first = automatic(folder, clock).before_start()
    assert first is not None  # nobody knows which program wrote the log
    assert first.contents.reason == BEFORE_VERSION
    assert automatic(folder, clock).before_start() is None
    clock[0] += 60
    monkeypatch.setattr(automatic_module, "program_version", lambda: "99.0")
    assert automatic(folder, clock).before_start() is not None


def test_a_backup_that_cannot_be_made_is_told_and_stops_nothing(folder: Path) -> None:
    play(folder / "table-assist.sqlite")
    (folder / "backups").write_text("a file where the folder should be")
    table_service = automatic(folder, [NOW])
    assert table_service.make(DAILY) is None
    assert "cannot be written" in table_service.trouble
    table_service.config = replace(
        table_service.config,
        backup=replace(table_service.config.backup, folder=str(folder / "elsewhere")),
    )
    assert table_service.make(DAILY) is not None
    assert table_service.trouble == ""
