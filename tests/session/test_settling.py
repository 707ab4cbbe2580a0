"""What is settled, what waits, and what a settlement that was taken back pays."""

import pytest

from firmware_bridge.events import DiceReport as BoardDice
from firmware_bridge.events import Key, KeyPressed, WallReady
from table_assist.contract.commands import Answer, Insert, Settle, StartHand, TellBirds, Undo
from table_assist.contract.snapshot import SourceHealth
from table_assist.game.doubt import Doubt
from table_assist.game.events import (
    Asked,
    BirdTurned,
    Discarded,
    HandShown,
    Settled,
    WinRefused,
)
from table_assist.game.people import giver
from table_assist.game.question import QuestionId
from table_assist.game.state import Phase
from table_assist.languages.words import Words
from table_assist.record.log import Source
from table_assist.session.books import asked_of
from table_assist.session.questions import (
    about_corrected,
    about_surplus_birds,
)
from table_assist.session.session import WITHOUT_A_PERSON
from table_assist.tiles.tile import Tile, parse_tiles
from table_assist.vision.table.observation import Observation
from tests.following.test_infer import river, shown, tile
from tests.stages.plain_session import RULES, command, hear, record, session, shown_hand, turn_birds


def test_a_hand_that_does_not_win_is_refused_only_by_a_person() -> None:
    table = session()
    shown_hand(table, "234m 567p 111s 556s 88p")
    (question,) = table.snapshot.state.questions
    assert "does not win" in question.text.en
    assert "{1}" in question.text.en
    assert table.snapshot.state.phase is Phase.SHOWING
    command(table, Answer(question.question, "yes"))
    assert table.snapshot.state.phase is Phase.PLAYING
    assert table.snapshot.state.refused == (WinRefused(1, ("structure",)),)


def test_a_refused_win_costs_what_the_house_agreed() -> None:
    agreed = {"false_win_penalty": "custom", "false_win_amount": 5}
    table = session(RULES.with_options(agreed))
    shown_hand(table, "234m 567p 111s 556s 88p")
    command(table, Answer(table.snapshot.state.questions[0].question, "yes"))
    assert table.snapshot.state.scores == (5, -15, 5, 5)
    assert table.snapshot.state.phase is Phase.PLAYING


def test_a_win_waits_for_its_birds() -> None:
    table = session()
    shown_hand(table, "234m 567p 111s 555s 88p")
    snapshot = table.snapshot
    assert snapshot.state.phase is Phase.SHOWING
    assert [(seat, verdict.valid) for seat, verdict in snapshot.verdicts] == [(1, True)]


@pytest.mark.parametrize("accepts", [StartHand(0), Settle()])
def test_a_settlement_that_is_not_sure_is_accepted_by_who_goes_on_and_keeps_its_sureness(
    accepts: StartHand | Settle,
) -> None:
    table = session()
    shown_hand(table, "234m 567p 111s 555s 88p")
    birds = [tile(face, 30, d, 0, confidence=0.98) for face, d in ((Tile.M3, -20), (Tile.M4, 25))]
    lying = [*river(0, "1m"), *shown(1, "234m 567p 111s 555s 8p", apart="8p"), *birds]
    for _ in range(3):
        table.process(Observation(0.0, tuple(lying)))
    found = table.snapshot.sureness
    assert found is not None
    assert table.snapshot.state.phase is Phase.SHOWING
    command(table, accepts)
    (entry,) = (each for each in record(table).entries if isinstance(each.event, Settled))
    assert 0.9 < entry.confidence == found.probability < WITHOUT_A_PERSON


def test_what_was_taken_back_is_not_settled_again_where_people_say_no() -> None:
    table = session()
    shown_hand(table, "234m 567p 111s 555s 88p")
    turn_birds(table, Tile.M3, Tile.M4)
    assert command(table, Undo(record(table).seq)) is None
    (question,) = table.snapshot.state.questions
    assert command(table, Answer(question.question, "no")) is None
    state = table.snapshot.state
    assert (state.scores, state.shown, state.questions) == ((0, 0, 0, 0), (), ())
    record(table).append(
        HandShown(1, parse_tiles("234m 567p 111s 555s 88p"), Tile.P8, True), Source.CAMERA
    )
    table.process(SourceHealth("camera", "live"))
    assert table.snapshot.state.phase is Phase.SHOWING
    assert table.snapshot.state.questions, "shown once more, it is asked anew"


def test_a_hand_that_ended_without_a_settlement_is_settled_where_it_was_not_given_up() -> None:
    table = session()
    shown_hand(table, "234m 567p 111s 555s 88p")
    bird = record(table).append(BirdTurned(Tile.M3), Source.CAMERA)
    hear(table, WallReady())
    (question,) = table.snapshot.state.questions
    assert "cannot be settled" in (command(table, Answer(question.question, "no")) or "")
    assert command(table, Insert(bird, BirdTurned(Tile.M3))) is None
    assert table.snapshot.state.scores == (-7, 19, -6, -6)
    assert table.snapshot.state.questions == (), "settled, nothing is left to be asked"


def test_a_won_hand_that_a_new_wall_ended_is_settled_by_a_no() -> None:
    table = session()
    shown_hand(table, "234m 567p 111s 555s 88p")
    for _ in range(2):
        record(table).append(BirdTurned(Tile.M3), Source.CAMERA)
    hear(table, WallReady())
    (question,) = table.snapshot.state.questions
    assert command(table, Answer(question.question, "no")) is None
    assert table.snapshot.state.scores == (-7, 19, -6, -6)


# -- what must never be silently wrong -------------------------------------------------------------


def test_a_hand_is_not_taken_for_won_on_a_tile_before_the_last() -> None:
    """Chen's discard is steady together with the hand of Du who wins on it."""
    table = session()
    hear(table, WallReady(), BoardDice(0, (1, 2)))
    record(table).append(Discarded(0, Tile.M1), Source.CAMERA)
    record(table).append(Discarded(1, Tile.S5), Source.CAMERA)
    hear(table, KeyPressed(3, Key.WIN))
    lying = [*river(0, "1m"), *river(1, "5s"), *river(2, "1m"), *shown(3, "23m 567p 111s 555s 88p")]
    table.process(Observation(0.0, tuple(lying)))
    (hand,) = table.snapshot.state.shown
    assert record(table).state.last_discard == (2, Tile.M1)
    assert hand.winning_tile is Tile.M1


def test_a_discard_seen_after_the_hand_was_shown_holds_the_settlement() -> None:
    table = session()
    shown_hand(table, "234m 567p 111s 555s 88p")
    late = [*river(0, "1m"), *river(2, "9p"), *shown(1, "234m 567p 111s 555s 8p", apart="8p")]
    birds = [tile(Tile.M3, 30, -20, 0), tile(Tile.M4, 30, 25, 0)]
    for _ in range(3):
        table.process(Observation(0.0, (*late, *birds)))
    assert table.snapshot.state.phase is Phase.SHOWING
    assert [str(q.question) for q in table.snapshot.state.questions] == ["hand-1-late-2-1"]
    command(table, Answer(QuestionId.parse("hand-1-late-2-1"), "yes"))
    assert command(table, Settle()) is None
    assert table.snapshot.state.phase is Phase.SETTLED


def test_open_doubts_about_the_hand_hold_its_settlement() -> None:
    table = session()
    shown_hand(table, "234m 567p 111s 555s 88p")
    seq = record(table).seq
    doubtful = Asked(
        QuestionId.parse("hand-1-irregular-9"), Words("?", "?"), ("yes", "no"), about=seq
    )
    record(table).append(doubtful, Source.RULES)
    turn_birds(table, Tile.M3, Tile.M4)
    assert table.snapshot.state.phase is Phase.SHOWING
    command(table, Answer(QuestionId.parse("hand-1-irregular-9"), "yes"))
    assert table.snapshot.state.phase is Phase.SETTLED


def test_birds_seen_otherwise_than_recorded_are_asked_about() -> None:
    table = session()
    shown_hand(table, "234m 567p 111s 555s 88p")
    record(table).append(BirdTurned(Tile.M2), Source.CAMERA)
    lying = [*river(0, "1m"), *shown(1, "234m 567p 111s 555s 8p", apart="8p")]
    birds = [tile(Tile.M3, 30, -20, 0), tile(Tile.M4, 30, 25, 0)]
    for _ in range(3):
        table.process(Observation(0.0, (*lying, *birds)))
    assert table.snapshot.state.phase is Phase.SHOWING
    assert any("birds" in str(q.question) for q in table.snapshot.state.questions)

    answer = next(q for q in table.snapshot.state.questions if "birds" in str(q.question))
    assert command(table, Answer(answer.question, "no")) is None
    assert table.snapshot.state.birds == ()
    assert table.snapshot.state.shown == ()


@pytest.mark.parametrize("turned", ["2m 6m", "2m 5m", "2m ?"])
def test_birds_that_a_player_told_settle_unasked_once_they_are_seen_so(turned: str) -> None:
    table = session()
    shown_hand(table, "234m 567p 111s 555s 88p")
    told = TellBirds(parse_tiles("2m 6m"))
    assert table._handler.execute(told, giver("Bo", 1, "b0b0")) is None
    lying = [*river(0, "1m"), *shown(1, "234m 567p 111s 555s 8p", apart="8p")]
    where = ((-20, 0), (25, 0))
    birds = [tile(each, 30, *at) for each, at in zip(parse_tiles(turned), where, strict=True)]
    table.process(Observation(0.0, lying))
    assert table.snapshot.state.phase is Phase.SHOWING, "it waits for all payers"
    table.process(Observation(1.0, (*lying, *birds)))
    is_so = turned == "2m 6m"
    assert (table.snapshot.state.phase is Phase.SETTLED) is is_so


def test_a_tile_that_a_player_named_settles_unasked_once_it_is_read_so() -> None:
    table = session()
    shown_hand(table, "34m 567p 111s 555s 88p ?")
    (asked,) = table.snapshot.state.questions
    for seat in (1, 0):
        named = Answer(asked.question, "2m", seat)
        assert table._handler.execute(named, giver("x", seat, "a")) is None
    turn_birds(table, Tile.M3, Tile.M4)
    assert table.snapshot.state.phase is Phase.SHOWING, "it waits for all payers"
    lying = [*river(0, "1m"), *shown(1, "234m 567p 111s 555s 8p", apart="8p")]
    birds = [tile(Tile.M3, 30, -20, 0), tile(Tile.M4, 30, 25, 0)]
    table.process(Observation(1.0, (*lying, *birds)))
    assert table.snapshot.state.phase is Phase.SETTLED


@pytest.mark.parametrize(
    "doubt",
    [
        about_corrected(1, HandShown(1, parse_tiles("234m 567p 111s 555s 88p"), Tile.P8, True)),
        about_surplus_birds(1),
    ],
    ids=lambda doubt: str(doubt.question),
)
def test_what_is_shown_can_be_refused_as_well_as_let_stand(doubt: Doubt) -> None:
    for answer, hands in (("yes", 1), ("no", 0)):
        table = session()
        shown_hand(table, "234m 567p 111s 555s 88p")
        record(table).append(asked_of(doubt), Source.RULES)
        assert command(table, Answer(doubt.question, answer)) is None
        assert len(table.snapshot.state.shown) == hands
        assert not any(q.question == doubt.question for q in table.snapshot.state.questions)


def test_a_settlement_made_again_pays_what_is_shown_now() -> None:
    table = session()
    shown_hand(table, "234m 567p 111s 555s 88p")
    wrong = record(table).append(BirdTurned(Tile.M2), Source.CAMERA)
    turn_birds(table, Tile.M3)
    settled = record(table).seq
    # The 2m names Bo: his payments are doubled (CS-26, CS-27).
    assert table.snapshot.state.scores == (-14, 38, -12, -12)
    assert command(table, Undo(settled)) is None
    (stale,) = table.snapshot.state.questions
    assert command(table, Undo(wrong)) is None
    assert table.snapshot.state.questions == ()
    turn_birds(table, Tile.M4)
    assert "not open" in (command(table, Answer(stale.question, "yes")) or "")
    (question,) = table.snapshot.state.questions
    assert command(table, Answer(question.question, "yes")) is None
    assert table.snapshot.state.scores == (-7, 19, -6, -6)


def test_an_unread_bird_is_asked_for_and_refuses_nothing() -> None:
    table = session()
    shown_hand(table, "234m 567p 111s 555s 88p")
    turn_birds(table, Tile.UNKNOWN, Tile.M3)
    (question,) = table.snapshot.state.questions
    assert "bird" in question.text.en
    assert command(table, Answer(question.question, "4m")) is None
    assert table.snapshot.state.scores == (-7, 19, -6, -6)


def test_the_verdict_stays_on_view_after_the_settlement() -> None:
    table = session()
    shown_hand(table, "234m 567p 111s 555s 88p")
    turn_birds(table, Tile.M3, Tile.M4)
    table.process(SourceHealth("camera", "live", last_t=99.0))
    assert table.snapshot.settlement is not None
    assert table.snapshot.settlement.payments == (-7, 19, -6, -6)
