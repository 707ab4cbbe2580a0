"""Skimming hands that are over comes to where folding them comes to."""

import gc
import io
import resource
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import replace
from enum import Enum
from functools import reduce
from pathlib import Path
from random import Random
from types import ModuleType

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_assist.game.events import ClockSet, Discarded, Event, HandStarted, Settled, WallExhausted
from table_assist.game.fold import apply, replay
from table_assist.game.state import TableState
from table_assist.record.course import skim
from table_assist.record.dispute.file import DISPUTE_LOG, DISPUTE_MANIFEST
from table_assist.record.log import Amended, Entry, Inserted, Retracted, Source, effective
from table_assist.record.record import Record
from table_assist.tiles.tile import Tile
from table_assist.upkeep.backup.packing import BACKUP_MANIFEST
from tests.stages.evenings import IDS, RULE_SETS, evening, played, record_of, settled
from web.api.clock_api import TableClock, clock_of


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULE_SETS)
def test_where_a_hand_starts_skimming_and_folding_agree_whatever_was_missed(rules: str) -> None:
    """Events are left out, doubled and mixed up: none may outlive its hand unnoticed."""
    for seed in range(12):
        random = Random(seed)
        events = list(played(rules, seed % 4, 3))
        for _ in range(seed):
            at = random.randrange(1, len(events))
            how = random.randrange(3)
            if how == 0 and not isinstance(events[at], HandStarted):
                del events[at]
            elif how == 1:
                events.insert(random.randrange(at, len(events)), events[at])
            elif not isinstance(events[at], HandStarted):
                events.insert(random.randrange(at, len(events)), events.pop(at))
        starts = [i for i, event in enumerate(events) if isinstance(event, HandStarted)]
        for start in starts:
            before = events[: start + 1]
            assert reduce(skim, before, TableState()) == replay(before), seed


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["changsha", "classical"])
def test_a_record_changed_anywhere_is_what_its_events_fold_to(rules: str) -> None:
    events = settled(played(rules, 5, 3))
    record, random = record_of(events), Random(rules)
    for _ in range(25):
        at = random.randint(1, record.seq)
        change = random.choice(
            (
                Retracted(at),
                Amended(at, random.choice(events[:-1])),
                Inserted(at, random.choice(events[:-1])),
            )
        )
        record.append(change, Source.PERSON)
        assert record.state == replay(event for _, event in record.counting)
        fresh = Record(None, lambda: 1.0, record.entries)
        assert (record.state, record.history) == (fresh.state, fresh.history)
        assert record.starts == fresh.starts
        assert record.counting == effective(record.entries)
        assert len(record.counting) == sum(
            record.place(seq) is not None for seq in range(record.seq + 2)
        )
        assert record.copy().until(record.seq).counting == record.counting
        assert all(record.event(seq) is event for seq, event in record.counting)


def test_a_change_in_the_last_hand_folds_only_that_hand_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """However long the evening is: what counts is counted, and not the clock."""
    events = settled(played("changsha", 5, 3)) * 30
    log = record_of(events)
    folded = 0

    def counted(state: TableState, event: Event) -> TableState:
        nonlocal folded
        folded += 1
        return apply(state, event)

    monkeypatch.setattr("table_assist.record.record.apply", counted)
    monkeypatch.setattr("table_assist.record.course.apply", counted)
    last = next(log.spans(len(events) - 1))
    log.append(Retracted(last.seq + 3), Source.PERSON)
    assert folded <= len(events) - last.first
    folded = 0
    discard = next(seq for seq, event in log.counting if isinstance(event, Discarded))
    log.append(Retracted(discard), Source.PERSON)
    assert folded < 10  # the next hand begins as it did, and so does all that follows
    end = next(seq for seq, event in log.counting if isinstance(event, Settled | WallExhausted))
    log.append(Retracted(end), Source.PERSON)
    assert folded < len(events) / 4  # of the hands that are over only what outlives them
    assert log.state == replay(event for _, event in log.counting)


@pytest.mark.parametrize("at", [2, 40])
def test_play_before_any_hand_was_begun_settles_nothing_twice(at: int) -> None:
    """The first hand's start is taken back, and its settlement was entered twice."""
    events = settled(played("changsha", 5, 3))
    end = next(i for i, event in enumerate(events) if isinstance(event, Settled))
    record = record_of((*events[: at + 1], events[end], *events[at + 1 :]))
    start = next(seq for seq, event in record.counting if isinstance(event, HandStarted))
    record.append(Retracted(start), Source.PERSON)
    assert record.state == replay(event for _, event in record.counting)


def test_what_is_kept_of_the_entries_are_the_entries() -> None:
    events = settled(played("changsha", 5, 3))
    entries = [
        Entry(
            seq, seq / 7, source, event, 1 / seq, f"board a {seq}" * (seq % 3 > 0), "Eve", seq - 1
        )
        for seq, event in enumerate((*events, Retracted(3), Amended(4, events[8])), start=1)
        for source in (list(Source)[seq % 4],)
    ]
    kept = Record(None, lambda: 1.0, entries).entries
    assert kept == entries
    assert (kept[-1], kept[3:9]) == (entries[-1], entries[3:9])
    assert kept.until(7) == entries[:7]
    assert kept.origins(5) == [entry.origin for entry in entries if entry.origin][-5:]
    with pytest.raises(ValueError, match=f"entry {len(entries) + 1} is missing: 3 comes next"):
        kept.append(entries[2])


def test_an_evening_of_two_hundred_hands_takes_some_megabytes() -> None:
    """However many hands were played: of what is over the entries are kept, and nothing beside."""
    hand = settled(played("changsha", 5, 3))
    few, many = (record_of(hand * times) for times in (1, 41))
    more = _bytes(many.entries, many.counting) - _bytes(few.entries, few.counting)
    assert more / (many.seq - few.seq) < 300


def _bytes(*kept: object) -> int:
    """Of everything that is held, each object once."""
    waiting, seen = list(kept), dict[int, object]()
    while waiting:
        each = waiting.pop()
        if id(each) not in seen and not isinstance(each, type | ModuleType | Enum):
            seen[id(each)] = each
            waiting += gc.get_referents(each)
    return sum(sys.getsizeof(each) for each in seen.values())


def log(*said: tuple[float, object]) -> TableClock:
    return clock_of(
        Entry(seq, t, Source.PERSON, event)  # type: ignore[arg-type]
        for seq, (t, event) in enumerate(said, start=1)
    )


def left(clock: TableClock, now: float) -> tuple[float | None, float | None]:
    running = clock.running
    return clock.evening.left(now, running=running), clock.round.left(now, running=running)


def hand(number: int, wind: Tile = Tile.EAST, first: int = 0) -> HandStarted:
    return HandStarted(number, "changsha", 0, 55, prevailing=wind, first_east=first)


def test_without_a_word_there_is_no_clock() -> None:
    assert not log((0.0, hand(1))).is_set
    assert left(log((0.0, hand(1))), 99.0) == (None, None)


def test_the_evening_runs_and_a_round_begins_with_its_first_hand() -> None:
    clock = log((100.0, ClockSet(7200, 600)), (200.0, hand(1)), (300.0, hand(2)))
    assert left(clock, 400.0) == (6900.0, 300.0)
    clock = log(
        (100.0, ClockSet(7200, 600)), (200.0, hand(1)), (300.0, hand(2, Tile.SOUTH)),
    )  # fmt: skip
    assert left(clock, 400.0) == (6900.0, 500.0)
    assert left(clock, 1000.0)[1] == -100.0


def test_what_is_set_anew_begins_anew_and_the_rest_goes_on() -> None:
    clock = log((0.0, ClockSet(1000, 600)), (100.0, ClockSet(1000, 300, 20)))
    assert left(clock, 150.0) == (850.0, 250.0)
    assert clock.think_s == 20


def test_a_word_that_is_taken_back_does_not_count() -> None:
    assert not log((0.0, ClockSet(1000)), (5.0, Retracted(1))).is_set


@given(st.lists(st.integers(0, 500), min_size=1, max_size=12))
def test_while_it_stands_no_time_goes(waits: list[int]) -> None:
    now, ran, said = 0.0, 0, [(0.0, ClockSet(9000))]
    for number, wait in enumerate(waits):
        now += wait
        ran += wait if number % 2 == 0 else 0
        said.append((now, ClockSet(9000, running=number % 2 == 1)))
    clock = log(*said)
    assert clock.evening.left(now, running=clock.running) == 9000 - ran


MB = 1_000_000
# A process that has the program loaded, and may have so much more and no more.
LIMITED = """
import resource, sys
from pathlib import Path
from table_assist.cli.main import main
import table_assist.record.dispute.verify, table_assist.upkeep.backup.restore
import table_assist.cli.judge_photo, table_assist.vision.reading.overlay
import table_assist.cli.errors, table_assist.vision.enrolment.files as files
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 300_000_000, used + 300_000_000))
if sys.argv[1] == "set":
    try:
        files.load_samples("bomb", Path(sys.argv[2]))
    except Exception as error:
        sys.exit(f"{type(error).__name__}: {error}")
if sys.argv[1] == "picture":
    from table_assist.vision.pictures.picture import load_picture
    sys.exit(load_picture(Path(sys.argv[2])).shape != (5000, 9000, 3))
sys.exit(main(sys.argv[1:]))
"""


def bomb(path: Path, members: dict[str, Callable[[], bytes] | bytes]) -> Path:
    """A small archive; a member that is a function gives a MB of itself 350 times."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, content in members.items():
            if isinstance(content, bytes):
                archive.writestr(name, content)
                continue
            with archive.open(name, "w", force_zip64=True) as target:
                for _ in range(350):
                    target.write(content())
    assert path.stat().st_size < 5 * MB
    return path


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", LIMITED, *arguments], capture_output=True, text=True, timeout=120
    )


def zeros() -> bytes:
    return b"0" * MB


def brackets() -> bytes:
    return b"[" * MB


def rows() -> bytes:
    return b"0 {}\n" * (MB // 5)


@pytest.mark.slow
@pytest.mark.parametrize(
    "members",
    [
        {DISPUTE_MANIFEST: zeros, DISPUTE_LOG: b""},
        {DISPUTE_MANIFEST: b"{}", DISPUTE_LOG: zeros},
        {DISPUTE_MANIFEST: b"{}", DISPUTE_LOG: rows},
        {DISPUTE_MANIFEST: b"[" * 2 * MB, DISPUTE_LOG: b""},
        {DISPUTE_MANIFEST: b'{"format": 1}', DISPUTE_LOG: b"0 " + b"[" * MB + b"\n"},
    ],
)
def test_a_dispute_that_unpacks_to_350_mb_is_one_sentence(
    members: dict[str, Callable[[], bytes] | bytes], tmp_path: Path
) -> None:
    done = run("verify", str(bomb(tmp_path / "d.zip", members)))
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("table-assist: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
def test_a_large_picture_in_a_dispute_is_read_piece_by_piece(tmp_path: Path) -> None:
    members = {DISPUTE_MANIFEST: b'{"format": 1}', DISPUTE_LOG: b"", "evidence/e1.jpg": zeros}
    done = run("verify", str(bomb(tmp_path / "d.zip", members)))
    assert done.returncode == 1, done.stderr
    assert "evidence/e1.jpg is not what was packed" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("manifest", [zeros, brackets, b"[" * 2 * MB])
def test_a_backup_that_unpacks_to_350_mb_is_one_sentence(
    manifest: Callable[[], bytes] | bytes, tmp_path: Path
) -> None:
    done = run("restore", str(bomb(tmp_path / "b.zip", {BACKUP_MANIFEST: manifest})))
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("table-assist: ")


@pytest.mark.slow
def test_a_tile_set_that_unpacks_to_350_mb_is_one_sentence(tmp_path: Path) -> None:
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        header, {"descr": "|u1", "fortran_order": False, "shape": (350 * MB,)}
    )
    bomb(tmp_path / "bomb.npz", {"tiles.npy": zeros})
    done = run("set", str(tmp_path))
    assert "OwnSetError: the tile set" in done.stderr
    lying = {"tiles.npy": header.getvalue() + b"0" * 100}  # says 350 MB, and has 100 bytes
    bomb(tmp_path / "bomb.npz", lying)
    assert "OwnSetError: the tile set" in run("set", str(tmp_path)).stderr
    assert resource.getpagesize()


@pytest.mark.slow
def test_a_large_picture_is_not_held_twice_while_it_is_decoded(tmp_path: Path) -> None:
    path = str(tmp_path / "plain.png")
    cv2.imwrite(path, np.zeros((5000, 9000, 3), np.uint8))  # 45 megapixels: 180 MB and 135 MB
    assert run("picture", path).returncode == 0


@pytest.mark.parametrize("rules", IDS)
def test_a_change_that_is_only_tried_leads_where_it_would_lead(rules: str) -> None:
    record = Record(None, lambda: 0.0)
    for step in evening(rules):
        for event in step.events:
            record.append(event, Source.CAMERA)
    discards = [seq for seq, event in record.counting if isinstance(event, Discarded)]
    for seq in Random(rules).sample(discards, 6):
        event = record.event(seq)
        assert isinstance(event, Discarded)
        for change in (Retracted(seq), Amended(seq, replace(event, tile=Tile.UNKNOWN))):
            other = record.copy()
            other.append(change, Source.RULES)
            assert record.state_with(change) == other.state
