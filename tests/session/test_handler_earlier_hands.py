"""Corrections in a hand that is over: the standing moves, and nothing is settled unasked."""

from dataclasses import replace

from table_assist.game.events import BirdTurned, HandShown
from table_assist.record.commands import Change, Correct
from table_assist.record.log import Source
from table_assist.session.preview import preview
from table_assist.tiles.tile import Tile
from tests.stages.told import BO_WINS, EVE, do, earlier_hand, seq_of, shown


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
