"""Corrections in a hand that is over: the standing moves, and nothing is settled unasked."""

from dataclasses import replace

from table_assist.contract.commands import (
    Answer,
    Change,
    Correct,
    EndHand,
    Insert,
    Settle,
    Undo,
)
from table_assist.game.events import (
    BirdTurned,
    HandAbandoned,
    HandShown,
    HandStarted,
    Settled,
    WallBuilt,
)
from table_assist.game.state import Phase
from table_assist.record.log import Source
from table_assist.session.preview import preview
from table_assist.tiles.tile import Tile
from tests.stages.told import (
    BO_WINS,
    CHANGSHA,
    EVE,
    HAND,
    NEXT,
    do,
    earlier_hand,
    handler,
    see,
    seq_of,
    settle,
    shown,
)


def test_a_bird_put_right_in_an_earlier_hand_moves_the_standing_and_nothing_else() -> None:
    at = earlier_hand()
    assert at.record.state.scores == BO_WINS
    bird = seq_of(at, BirdTurned)
    table = at.record.state
    # The 2m names Bo: his payments are doubled (CS-26, CS-27).
    assert do(at, Correct(bird, BirdTurned(Tile.M2))) == ""
    assert at.record.history == [(1, (-14, 38, -12, -12), (-14, 38, -12, -12))]
    assert at.record.state == replace(
        table, scores=(-14, 38, -12, -12), last_transfers=(-14, 38, -12, -12)
    )
    made = at.record.entries[-2:]
    assert [entry.by for entry in made] == [EVE, EVE]
    assert [entry.source for entry in made] == [Source.PERSON, Source.RULES]
    assert made[1].cause == made[0].seq


def test_a_hand_that_no_longer_wins_counts_as_given_up_and_is_told() -> None:
    at = earlier_hand()
    hand = seq_of(at, HandShown)
    wrong = shown(tiles="234m 567p 111s 556s 88p")
    change = preview(at, Correct(hand, wrong))
    assert isinstance(change, Change)
    assert (change.scores_after, change.unsettled) == ((0, 0, 0, 0), (1,))
    assert any("not settled any more" in words.en for words in change.sentences)
    assert do(at, Correct(hand, wrong)) == ""
    assert at.record.state.scores == (0, 0, 0, 0)
    (question,) = at.record.state.questions
    assert "hand 1 cannot be settled" in question.text.en
    assert do(at, Correct(hand, shown())) == ""
    assert (at.record.state.scores, at.record.state.questions) == (BO_WINS, ())


def test_the_question_about_an_earlier_hand_outlives_the_next_deal() -> None:
    at = earlier_hand()
    do(at, Correct(seq_of(at, HandShown), shown(tiles="234m 567p 111s 556s 88p")))
    see(at, HandAbandoned(), WallBuilt(), HandStarted(3, "changsha", 1, 55))
    assert len(at.record.state.questions) == 1


def test_a_settlement_taken_back_in_an_earlier_hand_is_asked_for_not_made_again() -> None:
    at = earlier_hand()
    assert do(at, Undo(seq_of(at, Settled))) == ""
    assert at.record.state.scores == (0, 0, 0, 0)
    (question,) = at.record.state.questions
    assert "{1} +19" in question.text.en
    assert do(at, Answer(question.question, "yes")) == ""
    assert at.record.history == [(1, BO_WINS, BO_WINS)]
    assert at.record.state.questions == ()
    assert at.record.state.hand == 2
    assert at.record.state.phase is Phase.PLAYING


def test_the_last_hand_of_a_finished_game_can_be_taken_back() -> None:
    at = handler(CHANGSHA, *HAND)
    see(at, Settled((1,), BO_WINS, 1, game_over=True), source=Source.RULES)
    assert at.record.state.game_over
    assert do(at, Undo(at.record.seq)) == ""
    assert (at.record.state.game_over, at.record.state.phase) == (False, Phase.SHOWING)
    assert do(at, Settle()) == ""
    assert at.record.state.scores == BO_WINS


def test_what_a_referee_settled_by_hand_is_asked_about_not_overruled() -> None:
    at = earlier_hand()
    agreed = Settled((1,), (-10, 30, -10, -10), 1)
    assert do(at, Correct(seq_of(at, Settled), agreed)) == ""
    assert do(at, Correct(seq_of(at, BirdTurned), BirdTurned(Tile.M2))) == ""
    assert at.record.state.scores == (-10, 30, -10, -10)
    (question,) = at.record.state.questions
    assert do(at, Answer(question.question, "yes")) == ""
    assert at.record.state.scores == (-14, 38, -12, -12)
    # What follows the rules again is settled again without asking.
    assert do(at, Correct(seq_of(at, BirdTurned), BirdTurned(Tile.M4))) == ""
    assert (at.record.state.scores, at.record.state.questions) == (BO_WINS, ())


def test_a_hand_abandoned_before_its_settlement_is_settled_once_it_is_recorded() -> None:
    """The dome was opened before the camera could read the hand."""
    at = handler(CHANGSHA, *HAND[:4])
    see(at, HandAbandoned(), WallBuilt(), source=Source.BOARD)
    see(at, *NEXT[1:])
    abandoned = seq_of(at, HandAbandoned)
    assert do(at, Insert(abandoned, shown())) == ""
    assert at.record.state.scores == (0, 0, 0, 0)
    assert "Not all birds" in do(at, Settle(1))
    assert do(at, Insert(abandoned, BirdTurned(Tile.M3))) == ""
    assert do(at, Insert(abandoned, BirdTurned(Tile.M4))) == ""
    assert at.record.history == [(1, BO_WINS, BO_WINS)]
    assert do(at, Undo(at.record.seq - 1)) == ""
    assert at.record.history == [(1, (0, 0, 0, 0), (0, 0, 0, 0))]


def test_a_hand_that_people_gave_up_is_not_settled_behind_their_backs() -> None:
    at = handler(CHANGSHA, *HAND[:-1])
    assert do(at, EndHand()) == ""
    see(at, *NEXT)
    assert do(at, Insert(seq_of(at, HandAbandoned), BirdTurned(Tile.M4))) == ""
    assert at.record.state.scores == (0, 0, 0, 0)
    (question,) = at.record.state.questions
    assert do(at, Answer(question.question, "no")) == ""
    assert at.record.state.scores == (0, 0, 0, 0)
    assert do(at, Settle(1)) == ""
    assert at.record.state.scores == BO_WINS
    assert "is settled" in do(at, Settle(1))
    assert "no hand 7" in do(at, Settle(7))


def test_a_tile_put_right_on_the_table_opens_a_hand_that_no_longer_wins() -> None:
    at = settle(handler(CHANGSHA, *HAND))
    wrong = shown(tiles="234m 567p 111s 556s 88p")
    assert do(at, Correct(seq_of(at, HandShown), wrong)) == ""
    assert (at.record.state.phase, at.record.state.scores) == (Phase.SHOWING, (0, 0, 0, 0))
    (question,) = at.record.state.questions
    assert "does not win" in question.text.en
