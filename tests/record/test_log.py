"""The log: entries as text and back, retraction, correction, and the file."""

import hashlib
import json
import shutil
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import get_args

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table_assist.cli.main import main
from table_assist.cli.modes import Modes, WantedTable
from table_assist.cli.reach import Reach
from table_assist.game.events import (
    Discarded,
    Event,
    HandStarted,
    Penalised,
    Settled,
    WallExhausted,
)
from table_assist.game.fold import replay
from table_assist.game.question import QuestionId
from table_assist.game.state import TableState
from table_assist.languages.words import Words
from table_assist.record.log import (
    Amended,
    Entry,
    Inserted,
    Retracted,
    Source,
    effective,
    entry_from_json,
    entry_to_json,
)
from table_assist.record.record import Record
from table_assist.record.seal import PublishedError, published_lines, read_published
from table_assist.record.store import MIGRATED_SUFFIX, DamagedError, Store, StoreError
from table_assist.rules.registry import find_rules, rule_sets
from table_assist.settings.trouble import TroubleKind
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile
from table_assist.twin.play.hand import play_hand
from table_assist.upkeep.backup.backup import make_backup
from table_assist.upkeep.table_service import Mode
from tools.log_schema import OUT, schema, text

seats = st.integers(0, 3)
tiles = st.sampled_from(list(Tile))
EVENTS = st.deferred(
    lambda: st.one_of(
        [
            st.builds(kind, **OVERRIDES.get(kind.__name__, {}))  # type: ignore[arg-type]
            for kind in get_args(Event)
        ]
    )
)
st.register_type_strategy(QuestionId, st.text().map(QuestionId.parse))
OVERRIDES: dict[str, dict[str, st.SearchStrategy[object]]] = {
    "Claimed": {"kind": st.sampled_from(list(MeldKind))},
    "Asked": {"if_yes": st.none() | st.builds(Discarded, seats, tiles)},
}


def entries(*events: object) -> list[Entry]:
    return [
        Entry(seq, float(seq), Source.CAMERA, event)  # type: ignore[arg-type]
        for seq, event in enumerate(events, start=1)
    ]


@given(EVENTS, st.floats(0, 1e10), st.sampled_from(list(Source)))
def test_every_entry_reads_back_as_it_was_written(event: Event, t: float, source: Source) -> None:
    entry = Entry(7, t, source, event, 0.5, "board 1 2")
    assert entry_from_json(entry_to_json(entry)) == entry
    amended = Entry(8, t, source, Amended(7, event))
    assert entry_from_json(entry_to_json(amended)) == amended


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"seq": 1}', "null"])
def test_a_line_that_is_no_entry_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"no log entry|Expecting value"):
        entry_from_json(text)


def test_an_unknown_event_is_refused_by_name() -> None:
    line = entry_to_json(entries(Discarded(0, Tile.M1))[0]).replace("Discarded", "Juggled")
    with pytest.raises(ValueError, match="Juggled"):
        entry_from_json(line)


def by_the_list(log: list[Entry]) -> list[tuple[int, Event]]:
    """What counts, by another way: a list into which each entry is put, and rules applied to it."""

    def stands(seq: int) -> bool:
        return not any(
            isinstance(later.event, Retracted) and later.event.seq == seq and stands(later.seq)
            for later in log[seq:]
        )

    places: list[int] = []
    for entry in log:
        if isinstance(entry.event, Inserted) and 0 < entry.event.before < entry.seq:
            places.insert(places.index(entry.event.before), entry.seq)
        else:
            places.append(entry.seq)
    found = []
    for seq in places:
        said = log[seq - 1].event
        if isinstance(said, Retracted | Amended) or not stands(seq):
            continue
        now: Event = said.event if isinstance(said, Inserted) else said
        for later in log[seq:]:
            if isinstance(later.event, Amended) and later.event.seq == seq and stands(later.seq):
                now = later.event.event
        found.append((seq, now))
    return found


DISCARDS = st.builds(Discarded, seats, tiles)
CHANGES = st.one_of(
    DISCARDS,
    st.builds(Retracted, st.integers(0, 14)),
    st.builds(Amended, st.integers(0, 14), DISCARDS),
    st.builds(Inserted, st.integers(0, 14), DISCARDS),
)


@given(st.lists(CHANGES, max_size=14))
def test_any_chain_of_changes_counts_as_in_a_corrected_list(events: list[object]) -> None:
    log = entries(*events)
    assert list(effective(log)) == by_the_list(log)


def test_an_entry_of_an_earlier_version_is_read_and_written_as_it_was() -> None:
    line = (
        '{"seq":3,"t":12.5,"source":"camera","confidence":0.9,"origin":"board A 7",'
        '"event":{"type":"Discarded","seat":2,"tile":"5m"}}'
    )
    entry = entry_from_json(line)
    assert entry == Entry(3, 12.5, Source.CAMERA, Discarded(2, Tile.M5), 0.9, "board A 7")
    assert entry_to_json(entry) == line


def test_who_gave_a_command_and_what_followed_from_it_are_kept() -> None:
    entry = Entry(9, 1.0, Source.PERSON, Inserted(4, Discarded(1, Tile.M2)), 1.0, "", "Eve", 8)
    assert entry_from_json(entry_to_json(entry)) == entry


def test_a_settlement_taken_back_takes_its_points_back() -> None:
    record = Record(None, lambda: 0.0)
    record.append(HandStarted(1, "changsha", 0, 55), Source.BOARD)
    seq = record.append(Settled((0,), (3, -1, -1, -1), 0), Source.RULES)
    record.append(Retracted(seq), Source.PERSON)
    assert record.state.scores == (0, 0, 0, 0)
    assert record.retracted_settlements() == 1


def test_a_log_of_an_earlier_version_goes_on_and_keeps_its_rows(tmp_path: Path) -> None:
    """As written before commands had a name and entries a cause: nothing must be migrated."""
    path = tmp_path / "log.sqlite"
    old = [
        '{"seq":1,"t":1.0,"source":"board","confidence":1.0,"origin":"board A 1","event":'
        '{"type":"HandStarted","hand":1,"rules":"changsha","dealer":2,"wall_left":55,"dead":0,'
        '"prevailing":"E","first_east":2,"profile":"","hash":"","options":[],"hands":[]}}',
        '{"seq":2,"t":2.0,"source":"rules","confidence":1.0,"origin":"","event":{"type":"Asked",'
        '"question":"hand-1-odd","text":["?","?"],"choices":["yes"],"about":0,"if_yes":null,'
        '"blocks":false}}',
        '{"seq":3,"t":3.0,"source":"person","confidence":1.0,"origin":"","event":'
        '{"type":"Retracted","seq":2}}',
    ]
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE entries (seq INTEGER PRIMARY KEY, line TEXT NOT NULL)")
        db.executemany("INSERT INTO entries VALUES (?, ?)", list(enumerate(old, start=1)))
        db.execute("PRAGMA user_version=1")
    db.close()
    with Store(path) as store:
        record = Record(store, lambda: 9.0)
        assert (record.state.dealer, record.state.questions) == (2, ())
        record.append(Inserted(2, Discarded(2, Tile.M1)), Source.PERSON, by="Eve", cause=3)
        record.save()
    with sqlite3.connect(path) as db:
        lines = [line for (line,) in db.execute("SELECT line FROM entries ORDER BY seq")]
    db.close()
    assert lines[:3] == old
    with Store(path) as store:
        again = Record(store, lambda: 9.0)
    assert again.entries[3].by == "Eve"
    assert again.state.seats[2].river == (Tile.M1,)


def test_what_led_to_a_fault_is_forgotten_unless_it_is_on_disk(tmp_path: Path) -> None:
    with Store(tmp_path / "log.sqlite") as store:
        record = Record(store, lambda: 1.0)
        record.append(HandStarted(1, "changsha", 0, 55), Source.BOARD)
        record.save()
        before = record.state
        record.append(Discarded(0, Tile.M1), Source.PERSON)
        record.append(Retracted(1), Source.PERSON)
        record.forget(1)
        assert (record.seq, record.state, record.is_saved) == (1, before, True)
        with pytest.raises(ValueError, match="entry 1 is on disk"):
            record.forget(0)
        record.append(Discarded(0, Tile.M2), Source.PERSON)
        record.save()
        assert store.load() == tuple(record.entries)


def test_a_second_program_cannot_open_the_same_log(tmp_path: Path) -> None:
    with Store(tmp_path / "log.sqlite") as store:
        store.append(entries(WallExhausted(0)))
        with pytest.raises(StoreError, match="another program has it open"):
            Store(tmp_path / "log.sqlite")


def test_a_file_that_is_no_log_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("not a log " * 100)
    with pytest.raises(StoreError, match=r"notes\.txt"):
        Store(path)
    assert path.read_text() == "not a log " * 100


def test_another_programs_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite"
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE recipes (name TEXT)")
    db.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="another program's database"):
        Store(path)
    assert path.read_bytes() == before


def test_a_log_with_a_hole_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    with Store(path) as store:
        store.append(entries(WallExhausted(0), WallExhausted(0), WallExhausted(0)))
    with sqlite3.connect(path) as db:
        db.execute("DELETE FROM entries WHERE seq = 2")
    db.close()
    with Store(path) as store, pytest.raises(StoreError, match="lacks entry 2"):
        store.load()


class FullDisk(Store):
    """A store whose disk is full until it is told otherwise."""

    full = True

    def append(self, entries: object) -> None:
        if self.full:
            raise StoreError("the log x cannot be written: disk full")
        super().append(entries)  # type: ignore[arg-type]


def test_on_a_full_disk_play_goes_on_and_is_written_later(tmp_path: Path) -> None:
    with FullDisk(tmp_path / "log.sqlite") as store:
        record = Record(store, lambda: 0.0)
        record.append(HandStarted(1, "changsha", 0, 55), Source.BOARD)
        record.save()
        assert "disk full" in record.trouble
        assert not record.is_saved
        assert record.state.hand == 1
        store.full = False
        record.append(Discarded(0, Tile.M1), Source.CAMERA)
        record.save()
        assert record.is_saved
        assert not record.trouble
        assert len(store.load()) == 2


@pytest.mark.parametrize("rules_id", [rules.id for rules in rule_sets()])
def test_a_hand_whose_beginning_was_taken_back_can_be_read(rules_id: str) -> None:
    events, _ = play_hand(find_rules(rules_id), TableState(), Random(5))
    begun = next(i for i, event in enumerate(events) if isinstance(event, HandStarted))
    entries = [Entry(i, 0.0, Source.CAMERA, event) for i, event in enumerate(events, start=1)]
    taken_back = Entry(len(entries) + 1, 0.0, Source.PERSON, Retracted(begun + 1))
    record = Record(None, lambda: 0.0, [*entries, taken_back])
    assert record.state.hand == 0
    again = Entry(len(entries) + 2, 0.0, Source.PERSON, Retracted(taken_back.seq))
    assert Record(None, lambda: 0.0, [*entries, taken_back, again]).state == replay(events)


TESTS = Path(__file__).parents[1]
GOLDEN = TESTS / "golden" / "log" / "evening.jsonl"
EVENING = TESTS / "fixtures" / "before_the_move" / "evening.sqlite"
NAMES = ("Seat A", "Seat B", "座位丙", "Seat D")
LINES = GOLDEN.read_text(encoding="utf-8").splitlines()
VALIDATOR = jsonschema_rs.validator_for(schema())


def chain(path: Path) -> list[tuple[str, str]]:
    with Store(path, reads_only=True) as store:
        return store.chain()


def test_the_golden_file_is_what_an_old_evening_exports_to() -> None:
    assert list(published_lines(chain(EVENING), NAMES))[1:] == LINES[1:]
    found = read_published(LINES)
    with Store(EVENING, reads_only=True) as store:
        assert found.entries == store.load(), "corrections after the hand are in it"
    assert found.names == NAMES


def test_the_schema_is_made_of_the_events_of_today() -> None:
    assert OUT.read_text(encoding="utf-8") == text(), "python tools/log_schema.py"


def test_every_line_is_as_the_schema_says() -> None:
    for line in LINES:
        VALIDATOR.validate(json.loads(line))


@pytest.mark.parametrize(
    "event",
    [
        {"type": "Discarded", "seat": 1, "tile": "10m"},
        {"type": "Discarded", "seat": 1},
        {"type": "Discarded", "seat": 1, "tile": "1m", "colour": "red"},
        {"type": "Juggled"},
    ],
)
def test_the_schema_refuses_what_is_no_event(event: dict[str, object]) -> None:
    row = json.loads(LINES[1])
    row["entry"]["event"] = event
    assert not VALIDATOR.is_valid(row)


def test_an_unread_tile_is_said_to_be_one(tmp_path: Path) -> None:
    with Store(tmp_path / "log.sqlite") as store:
        record = Record(store, lambda: 0.0)
        record.append(HandStarted(1, "changsha", 2, 55), Source.BOARD)
        record.append(Discarded(2, Tile.UNKNOWN), Source.CAMERA)
        record.append(Settled((), (0, 0, 0, 0), 2), Source.PERSON)
        record.append(HandStarted(2, "changsha", 2, 55), Source.BOARD)
        record.append(Discarded(2, Tile.S7), Source.CAMERA)
        record.save()
        lines = list(published_lines(store.chain(), NAMES))
    assert '"tile":"?"' in lines[2]
    VALIDATOR.validate(json.loads(lines[2]))
    assert len(lines) == 4, "the second hand is not over, and is not told"
    assert len(read_published(lines).seals) == 1


def test_a_seal_can_be_checked_without_our_program() -> None:
    before = ""
    for line in LINES[1:]:
        seal, entry = line[9:73], line.partition('"entry":')[2][:-1]
        assert hashlib.sha256((before + entry).encode()).hexdigest() == seal
        before = seal


@settings(max_examples=200)
@given(st.data())
def test_no_changed_letter_passes(data: st.DataObject) -> None:
    number = data.draw(st.integers(1, len(LINES) - 1))
    line = LINES[number]
    at = data.draw(st.integers(0, len(line) - 1))
    letter = data.draw(st.sampled_from('0123456789abcdefmpsE"{}:, '))
    changed = line[:at] + letter + line[at + 1 :]
    if changed == line:
        return
    with pytest.raises(PublishedError):
        read_published([*LINES[:number], changed, *LINES[number + 1 :]])


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ([], "line 1: this is no file"),
        (["{}"], "line 1: this is no file"),
        ([LINES[0].replace('"version":1', '"version":2'), *LINES[1:]], "version is 2"),
        ([LINES[0].replace(',"Seat D"', ""), *LINES[1:]], "four names"),
        ([*LINES[:3], *LINES[4:]], "line 4"),
        ([*LINES[:2], LINES[3], LINES[2], *LINES[4:]], "line 3"),
        (LINES[:8], "within a hand"),
        ([LINES[0], "nonsense"], "line 2"),
        ([*LINES, LINES[-1]], f"line {len(LINES) + 1}"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(lines: list[str], says: str) -> None:
    with pytest.raises(PublishedError, match=says):
        read_published(lines)


def test_the_command_checks_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(GOLDEN), "--check"]) == 0
    assert "every seal fits" in capsys.readouterr().out
    bad = tmp_path / "bad.jsonl"
    bad.write_text("\n".join([*LINES[:2], LINES[3]]), encoding="utf-8")
    assert main(["export", str(bad), "--check"]) == 1
    assert "line 3" in capsys.readouterr().out
    assert main(["export", str(tmp_path / "none.jsonl"), "--check"]) == 2


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


@settings(max_examples=60)
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
    kept = log.with_name(log.name + MIGRATED_SUFFIX.format(1))
    assert change(kept, "PRAGMA user_version") == (1,)
    with Store(kept, reads_only=True) as store:
        assert store.chain() == before
    assert change(log, "PRAGMA user_version") == (2,)


def test_a_newer_log_is_refused_in_one_sentence(log: Path) -> None:
    change(log, "PRAGMA user_version=3")
    with pytest.raises(StoreError, match="has format 3; this program knows up to 2"):
        Store(log)


def test_a_log_whose_program_was_killed_as_it_was_opened_first_is_opened(tmp_path: Path) -> None:
    """Between the mark that a -wal is used and the first write to one."""
    Store(tmp_path / "log").close()
    change(tmp_path / "log", "PRAGMA journal_mode=WAL")
    Store(tmp_path / "log").close()
