"""Damage to a log is noticed wherever it is opened, and never written over."""

import shutil
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table_assist.cli.main import main
from table_assist.cli.modes import Modes, WantedTable
from table_assist.cli.reach import Reach
from table_assist.game.events import HandStarted, Penalised, Settled
from table_assist.languages.words import Words
from table_assist.record.log import Source
from table_assist.record.record import Record
from table_assist.record.store import BEFORE, DamagedError, Store, StoreError
from table_assist.settings.trouble import TroubleKind
from table_assist.upkeep.backup.backup import make_backup
from table_assist.upkeep.table_service import Mode

OLD = Path(__file__).parents[1] / "fixtures" / "before_the_move"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    (tmp_path / "table.toml").write_text("", encoding="utf-8")
    path = tmp_path / "table-assist.sqlite"
    with Store(path) as store:
        record = Record(store, lambda: 1.0)
        record.append(HandStarted(1, "changsha", 0, 55), Source.PERSON)
        record.append(Penalised((-100, 100, 0, 0), Words("a ruling", "")), Source.PERSON)
        record.append(Settled((1,), (-14, 14, 0, 0), 1), Source.RULES)
        record.save()
        store._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path


def change(path: Path, query: str) -> object:
    """What somebody does with another program; the first row that it answers."""
    database = sqlite3.connect(path, isolation_level=None)
    try:
        return database.execute(query).fetchone()
    finally:
        database.close()


def flip_a_sum(path: Path) -> None:
    """One byte: -100 becomes -900."""
    content = path.read_bytes()
    assert content.count(b"[-100,100,0,0]") == 1
    path.write_bytes(content.replace(b"[-100,100,0,0]", b"[-900,100,0,0]"))


def drop_the_last_row(path: Path) -> None:
    change(path, "DELETE FROM entries WHERE seq = 3")


def drop_a_row(path: Path) -> None:
    change(path, "DELETE FROM entries WHERE seq = 2")


def empty(path: Path) -> None:
    path.write_bytes(b"")


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:6000])


DAMAGES = (flip_a_sum, drop_the_last_row, drop_a_row, empty, cut)


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda each: each.__name__)
def test_damage_opens_the_page_that_repairs_and_nothing_is_written(
    log: Path, damage: Callable[[Path], None], capsys: pytest.CaptureFixture[str]
) -> None:
    settings_file = log.with_name("table.toml")
    made = make_backup(settings_file, log.parent / "backups" / "good.tablebackup", now_s=2.0)
    damage(log)
    for beside in ("-wal", "-shm"):
        log.with_name(log.name + beside).unlink(missing_ok=True)
    before = log.read_bytes()
    with pytest.raises(DamagedError), Store(log) as store:
        store.load()
    # The program itself: it neither starts silently nor ends in a traceback.
    said: list[str] = []
    modes = Modes(WantedTable(settings_file, Reach(port=0)), said.append)
    stop = threading.Event()
    running = threading.Thread(target=modes.run, args=(stop,))
    running.start()
    try:
        while modes.serving is None and running.is_alive():
            stop.wait(0.01)
        assert modes.table_service.mode is Mode.RECOVERY
        trouble = modes.table_service.trouble
        assert trouble is not None
        assert trouble.kind is TroubleKind.LOG_DAMAGED
        assert "good.tablebackup with 3 entries" in trouble.advice.en
        if damage in (flip_a_sum, drop_a_row):
            assert "Entries 1 to 1 are whole" in trouble.advice.en
    finally:
        stop.set()
        running.join()
    # The doctor does not call it well, and no backup is made of it.
    assert main(["doctor", "--config", str(settings_file), "--seconds", "0"]) == 1
    assert "log" in capsys.readouterr().out
    with pytest.raises(StoreError):
        make_backup(settings_file, log.parent / "bad.tablebackup", now_s=3.0)
    assert log.read_bytes() == before
    assert made.path.exists()


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_changed_letter_of_any_row_is_found(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("log") / "log.sqlite"
    with Store(path) as store:
        record = Record(store, lambda: 1.0)
        for points in range(5):
            record.append(Penalised((-points, points, 0, 0), Words("r", "")), Source.PERSON)
        record.save()
    with sqlite3.connect(path) as database:
        seq = data.draw(st.integers(1, 5))
        column = data.draw(st.sampled_from(["line", "seal"]))
        (text,) = database.execute(f"SELECT {column} FROM entries WHERE seq=?", (seq,)).fetchone()
        place = data.draw(st.integers(0, len(text) - 1))
        letter = data.draw(st.characters(codec="ascii").filter(lambda each: each != text[place]))
        changed = text[:place] + letter + text[place + 1 :]
        database.execute(f"UPDATE entries SET {column}=? WHERE seq=?", (changed, seq))
    database.close()
    with pytest.raises(DamagedError), Store(path) as store:
        store.load()


def test_a_log_on_a_disk_that_is_read_only_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "table.sqlite"
    shutil.copy(OLD / "evening.sqlite", log)
    Store(log).close()
    monkeypatch.setattr("os.access", lambda *_: False)
    with Store(log, reads_only=True) as store:
        assert len(store.chain()) == 31
        assert not [each for each in tmp_path.iterdir() if each.name.endswith("-wal")]


def test_an_old_log_is_migrated_with_the_seals_it_always_had_and_kept_as_it_was(
    tmp_path: Path,
) -> None:
    """From the state of commit 817e0b6 to now."""
    log = tmp_path / "old.sqlite"
    shutil.copy(OLD / "evening.sqlite", log)
    with Store(log, reads_only=True) as store:
        before = store.chain()
    assert len(before) == 31
    assert change(log, "PRAGMA user_version") == (1,), "only read"
    with Store(log) as store:
        assert store.chain() == before
        store.append(())
    kept = log.with_name(log.name + BEFORE.format(1))
    assert change(kept, "PRAGMA user_version") == (1,)
    with Store(kept, reads_only=True) as store:
        assert store.chain() == before
    assert change(log, "PRAGMA user_version") == (2,)


def test_a_newer_log_is_refused_in_one_sentence(log: Path) -> None:
    change(log, "PRAGMA user_version=3")
    with pytest.raises(StoreError, match="has format 3; this program knows up to 2"):
        Store(log)
