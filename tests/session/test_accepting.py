"""Who pays accepts on the own phone, and takes it back; no question is answered by who gains."""

import pytest

from table_assist.game.acceptance import AcceptedBy
from table_assist.game.question import QuestionKind
from table_assist.game.state import Phase
from table_assist.record.commands import (
    AcceptSettlement,
    Answer,
    NamePlayer,
    RaiseObjection,
    Settle,
    TellHand,
)
from table_assist.record.record import Record
from table_assist.rules.profile import plain_profile
from table_assist.rules.registry import find_rules
from table_assist.session.command_handler import CommandHandler
from tests.session.test_manual_hands import WIN, obey, told
from tests.stages.evenings import NAMES


def shown(by: AcceptedBy = AcceptedBy.PAYERS) -> tuple[CommandHandler, str]:
    """Seat 1 has won by itself and the others pay; with what the settlement is called."""
    handler = CommandHandler(
        plain_profile(find_rules("wanzhou")), NAMES, Record(None, lambda: 0.0), accepted_by=by
    )
    assert obey(handler, TellHand(WIN, dealer=0)) is None
    waits = handler.acceptance()
    assert waits is not None
    return handler, waits.settlement


def settled(handler: CommandHandler) -> bool:
    return handler.record.state.phase is Phase.SETTLED


def question(handler: CommandHandler, kind: QuestionKind) -> object:
    (asked,) = [q for q in handler.record.state.questions if q.question.kind is kind]
    return asked.question


def test_what_has_changed_since_it_was_seen_is_accepted_by_nobody() -> None:
    handler, seen = shown()
    obey(handler, AcceptSettlement(0, seen))
    obey(handler, AcceptSettlement(2, seen))
    better = told(1, "111m999m111s999s55p", "5p")
    assert obey(handler, TellHand(better)) is None
    assert "changed" in str(obey(handler, AcceptSettlement(3, seen)))
    assert "changed" in str(obey(handler, Settle(seen=seen)))
    waits = handler.acceptance()
    assert waits is not None
    assert waits.missing == 3, "an older word counts for nothing"
    assert obey(handler, Settle(seen=waits.settlement)) is None
    assert settled(handler)


@pytest.mark.parametrize(
    ("answers", "stands"),
    [
        ([], False),  # nobody accepts what somebody objects to
        ([(1, "yes")], False),  # the winner alone
        ([(1, "yes"), (3, "yes")], True),
        ([(0, "yes")], True),  # a payer
        ([(2, "yes")], True),  # the objector was wrong
    ],
)
def test_an_objection_is_not_put_aside_by_the_winner_alone(
    answers: list[tuple[int, str]], stands: bool
) -> None:
    handler, _ = shown()
    obey(handler, RaiseObjection(2))
    asked = question(handler, QuestionKind.OBJECTION)
    for seat, answer in answers:
        assert obey(handler, Answer(asked, answer, seat)) is None  # type: ignore[arg-type]
    assert (handler.acceptance() is not None) is stands


def test_those_who_pay_do_not_take_the_hand_back_alone() -> None:
    handler, _ = shown()
    obey(handler, RaiseObjection(2))
    asked = question(handler, QuestionKind.OBJECTION)
    for seat in (2, 3, 0):
        assert obey(handler, Answer(asked, "no", seat)) is None  # type: ignore[arg-type]
        assert handler.record.state.shown
    assert obey(handler, Answer(asked, "no", 1)) is None  # type: ignore[arg-type]
    assert not handler.record.state.shown, "its winner agrees: it is shown once more"
    assert handler.record.state.declared == ()
    assert obey(handler, TellHand(WIN)) is None
    assert handler.acceptance() is not None


def test_a_player_is_called_as_it_says_in_both_languages_and_after_new_seats() -> None:
    handler, _ = shown()
    assert obey(handler, NamePlayer(3, " 小明0 ")) is None
    assert "called" in str(obey(handler, NamePlayer(2, "小明0")))
    obey(handler, RaiseObjection(3))
    assert "小明0 objects" in str(obey(handler, Settle()))
