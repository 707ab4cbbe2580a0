"""What is changed later comes to what it had come to, had it been right from the start."""

from dataclasses import replace
from random import Random

import pytest

from table_assist.game.fold import replay
from table_assist.game.question import QuestionKind
from table_assist.game.state import TableState
from table_assist.record.commands import Answer, Change, Undo
from table_assist.session.command_handler import YES
from table_assist.session.preview import preview
from tests.stages.evenings import RULE_SETS, handler_of, mistake, played, record_of, settled

pytestmark = pytest.mark.slow

EVENINGS, HANDS = 7, 2


def told(state: TableState) -> TableState:
    return replace(state, questions=())


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_mistake_put_right_later_leaves_no_trace_in_the_points(rules: str) -> None:
    """The oracle is the log in which it was right from the start, folded and settled afresh."""
    changed = 0
    for seed in range(EVENINGS):
        events = settled(played(rules, seed, HANDS))
        right = record_of(events)
        assert right.state == replay(events)
        wrong = mistake(events, Random(seed))
        handler = handler_of(rules, record_of(wrong.events))
        changed += handler.record.history != right.history
        assert handler.execute(wrong.remedy, "Eve (referee)") is None
        # Accept what is asked about hands that are over
        for asked in handler.record.state.questions:
            if asked.question.kind is QuestionKind.LATER and asked.if_yes is not None:
                assert handler.execute(Answer(asked.question, YES)) is None
        assert handler.record.history == right.history, (seed, wrong.remedy)
        assert told(handler.record.state) == told(right.state), (seed, wrong.remedy)
    assert changed  # or nothing was put to the test


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_change_undone_is_as_if_it_never_was_and_undone_twice_as_if_never_undone(
    rules: str,
) -> None:
    for seed in range(EVENINGS):
        events = settled(played(rules, seed, HANDS))
        wrong = mistake(events, Random(seed))
        handler = handler_of(rules, record_of(wrong.events))
        record = handler.record
        before, history = record.state, list(record.history)
        first = record.seq + 1
        assert handler.execute(wrong.remedy) is None
        after, changed = record.state, list(record.history)
        again = record.seq + 1
        assert handler.execute(Undo(first)) is None
        assert (record.state, record.history) == (before, history), (seed, wrong.remedy)
        assert handler.execute(Undo(again)) is None
        assert (record.state, record.history) == (after, changed), (seed, wrong.remedy)


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_preview_says_what_then_happens_and_records_nothing(rules: str) -> None:
    for seed in range(EVENINGS):
        events = settled(played(rules, seed, HANDS))
        wrong = mistake(events, Random(seed))
        handler = handler_of(rules, record_of(wrong.events))
        entries, was = handler.record.seq, dict((h[0], h[1]) for h in handler.record.history)
        change = preview(handler, wrong.remedy)
        assert handler.record.seq == entries
        assert isinstance(change, Change)
        assert change.scores_before == handler.record.state.scores
        assert handler.execute(wrong.remedy) is None
        assert change.scores_after == handler.record.state.scores
        now = {h[0]: h[1] for h in handler.record.history}
        differ = {hand for hand in was.keys() | now.keys() if was.get(hand) != now.get(hand)}
        assert {hand.hand for hand in change.hands} == differ
        assert [(h.before, h.after) for h in change.hands] == [
            (was.get(h.hand), now.get(h.hand)) for h in change.hands
        ]
        assert all(words.en and words.zh for words in change.sentences)
