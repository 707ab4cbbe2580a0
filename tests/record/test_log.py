"""The log: entries as text and back, retraction, correction, and the file."""

import sqlite3
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_assist.game.events import Discarded, Event, HandStarted, Settled, WallExhausted
from table_assist.game.fold import replay
from table_assist.game.question import QuestionId
from table_assist.game.state import TableState
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
from table_assist.record.store import Store, StoreError
from table_assist.rules.registry import find_rules, rule_sets
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile
from table_assist.twin.play.hand import play_hand

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


def test_a_killed_program_loses_nothing_that_was_saved(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    program = f"""
import os
from pathlib import Path
from table_assist.game.events import Discarded, HandStarted
from table_assist.record.log import Source
from table_assist.record.record import Record
from table_assist.record.store import Store
from table_assist.tiles.tile import Tile
record = Record(Store(Path({str(path)!r})), lambda: 1.0)
record.append(HandStarted(1, "changsha", 1, 55), Source.BOARD)
record.append(Discarded(1, Tile.S5), Source.CAMERA)
record.save()
os.kill(os.getpid(), 9)
"""
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == -9
    with Store(path) as store:
        record = Record(store, lambda: 2.0)
    events = [HandStarted(1, "changsha", 1, 55), Discarded(1, Tile.S5)]
    assert record.state == replay(events)


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
