"""Skimming hands that are over comes to where folding them comes to."""

import gc
import sys
from enum import Enum
from functools import reduce
from random import Random
from types import ModuleType

import pytest

from table_assist.game.events import Discarded, Event, HandStarted, Settled, WallExhausted
from table_assist.game.fold import apply, replay
from table_assist.game.state import TableState
from table_assist.record.course import skim
from table_assist.record.log import Amended, Entry, Inserted, Retracted, Source, effective
from table_assist.record.record import Record
from tests.stages.evenings import RULE_SETS, played, record_of, settled


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
