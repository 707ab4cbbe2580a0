"""Simulated players break the rules on request, and the truth says what came of it."""

from collections import Counter
from functools import cache

import pytest

from table_assist.contract.commands import Answer
from table_assist.game.events import Event, HandShown, Settled, WallExhausted, WinRefused
from table_assist.game.fold import apply
from table_assist.game.irregular import Irregularity, irregularities
from table_assist.game.outcome import end_of_hand
from table_assist.game.question import QuestionId, QuestionKind
from table_assist.game.state import TableState
from table_assist.rules.registry import find_rules
from table_assist.tiles.melds import MeldKind
from table_assist.twin.evening import play_evening
from table_assist.twin.play.mischief import Mischief
from table_assist.twin.scene import Pose
from table_assist.twin.table import TableStep
from tests.stages.evenings import IDS, SEED, read

WILD_EVENING = Mischief(
    false_wins=0.04, wrong_chows=0.06, draws_out_of_turn=0.04, false_starts=0.1, second_draws=0.01
)
HANDS = 4
everywhere = pytest.mark.parametrize("rules", IDS)


@cache
def wild(rules: str) -> tuple[TableStep, ...]:
    return tuple(play_evening(SEED, find_rules(rules), hands=HANDS, mischief=WILD_EVENING))


def truth(steps: tuple[TableStep, ...]) -> list[Event]:
    return [event for step in steps for event in step.events]


@everywhere
def test_the_wildest_hand_still_settles_from_the_truth_alone(rules: str) -> None:
    ended, state, game = 0, TableState(), 1
    for step in wild(rules):
        assert sum(t.pieces for t in step.scene.tiles) in (0, find_rules(rules).tiles_in_wall)
        if step.game != game:
            state, game = TableState(), step.game
        for event in step.events:
            if isinstance(event, Settled | WallExhausted):
                assert end_of_hand(state).total == event.transfers
                ended += 1
            state = apply(state, event)
    assert ended == HANDS


@everywhere
def test_a_false_win_is_shown_refused_and_taken_up_again(rules: str) -> None:
    steps = wild(rules)
    refused = [i for i, s in enumerate(steps) if any(isinstance(e, WinRefused) for e in s.events)]
    assert refused
    for at in refused:
        (event,) = (e for e in steps[at].events if isinstance(e, WinRefused))
        shown = [e for e in truth(steps[: at + 1]) if isinstance(e, HandShown)][-1]
        assert shown.seat == event.seat
        assert event.refusals
        poses = {tile.pose for tile in read(steps[at].scene).hands[event.seat]}
        assert poses == {Pose.FACE_UP}
        after = {tile.pose for tile in read(steps[at + 1].scene).hands[event.seat]}
        assert after == {Pose.STANDING}
        (answer,) = steps[at].commands
        assert isinstance(answer, Answer)
        assert answer.question == QuestionId(steps[at].hand, QuestionKind.REFUSE, event.seat)


@everywhere
def test_what_was_irregular_is_confirmed_by_the_people(rules: str) -> None:
    state, game, found = TableState(), 1, Counter[Irregularity]()
    steps = wild(rules)
    for number, step in enumerate(steps):
        if step.game != game:
            state, game = TableState(), step.game
        for event in step.events:
            odd = irregularities(state, event)
            found.update(odd)
            if odd:
                says = [c for later in steps[number : number + 3] for c in later.commands]
                assert Answer(QuestionId(step.hand, QuestionKind.IRREGULAR), "yes") in says, (
                    step.text
                )
            state = apply(state, event)
    assert found[Irregularity.OUT_OF_TURN]
    if MeldKind.CHOW in find_rules(rules).meld_kinds:
        assert found[Irregularity.CHOW_NOT_FROM_LEFT]
