"""Skimming hands that are over comes to where folding them comes to."""

from random import Random

import pytest

from table_assist.game.events import Event, HandStarted
from table_assist.game.fold import apply, replay
from table_assist.game.log import Amended, Inserted, Retracted, Source
from table_assist.game.record import Record
from table_assist.game.skim import skim_all
from table_assist.game.state import TableState
from tests.evenings import RULE_SETS, played, record_of, settled


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
            assert skim_all(events[: start + 1]) == replay(events[: start + 1]), seed


@pytest.mark.parametrize("rules", ["changsha", "classical"])
def test_a_record_changed_anywhere_is_what_its_events_fold_to(rules: str) -> None:
    events = settled(played(rules, 5, 3))
    record, random = record_of(events), Random(rules)
    for _ in range(60):
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

    monkeypatch.setattr("table_assist.game.record.apply", counted)
    monkeypatch.setattr("table_assist.game.skim.apply", counted)
    last = next(log.spans(len(events) - 1))
    log.append(Retracted(last.seq + 3), Source.PERSON)
    assert folded <= len(events) - last.first
    folded = 0
    log.append(Retracted(5), Source.PERSON)
    assert folded < len(events) / 4  # of the hands that are over only what outlives them
    assert log.state == replay(event for _, event in log.counting)
