"""False wins and a referee's rulings: what they cost, and how they are taken back."""

from dataclasses import replace

import pytest

from table_assist.contract.commands import (
    Answer,
    Change,
    Correct,
    Insert,
    Rule,
    Undo,
)
from table_assist.game.events import (
    Discarded,
    IrregularityNoted,
    Penalised,
    Ruled,
    Settled,
    WallBuilt,
    WallExhausted,
    WinRefused,
)
from table_assist.languages.words import Words
from table_assist.record.record import Record
from table_assist.rules.play_rules import DeadHand
from table_assist.rules.profile import plain_profile
from table_assist.session.command_handler import CommandHandler
from table_assist.session.preview import preview
from table_assist.tiles.tile import Tile
from tests.stages.evenings import NAMES
from tests.stages.told import (
    BO_WINS,
    CHANGSHA,
    HAND,
    do,
    earlier_hand,
    handler,
    see,
    seq_of,
    shown,
    started,
)

# -- false wins ------------------------------------------------------------------------------------


@pytest.fixture
def refused() -> CommandHandler:
    """Bo's win is refused, and costs what the house agreed."""
    agreed = CHANGSHA.with_options({"false_win_penalty": "custom", "false_win_amount": 5})
    profile = plain_profile(agreed).identity
    first = started(hash=profile.hash, options=profile.options)
    at = handler(agreed, WallBuilt(), first, *HAND[2:4], shown(tiles="234m 567p 111s 556s 88p"))
    assert do(at, Answer(at.record.state.questions[0].question, "yes")) == ""
    assert at.record.state.scores == (5, -15, 5, 5)
    return at


def test_a_refusal_taken_back_takes_its_penalty_and_its_answer_along(
    refused: CommandHandler,
) -> None:
    assert do(refused, Undo(seq_of(refused, WinRefused))) == ""
    assert refused.record.state.scores == (0, 0, 0, 0)
    assert [str(q.question)[:14] for q in refused.record.state.questions] == ["hand-1-refuse-"]
    taken_back = refused.record.seq - 2
    assert do(refused, Undo(taken_back)) == ""
    assert refused.record.state.scores == (5, -15, 5, 5)


def test_in_a_log_of_an_earlier_version_the_penalty_goes_with_its_refusal(
    refused: CommandHandler,
) -> None:
    old = [replace(entry, cause=0, by="") for entry in refused.record.entries]
    at = CommandHandler(refused.profile, NAMES, Record(None, lambda: 1.0, old))
    assert do(at, Undo(seq_of(at, WinRefused))) == ""
    assert at.record.state.scores == (0, 0, 0, 0)


def test_a_refusal_that_was_forgotten_costs_what_it_costs_at_the_table(
    refused: CommandHandler,
) -> None:
    at = CommandHandler(
        refused.profile, NAMES, Record(None, lambda: 1.0, refused.record.entries[:4])
    )
    see(at, Discarded(1, Tile.M9))
    assert do(at, Insert(at.record.seq, WinRefused(1, ("structure",)))) == ""
    assert at.record.state.scores == (5, -15, 5, 5)


# -- rulings ---------------------------------------------------------------------------------------


def test_a_ruling_moves_points_says_why_and_can_be_taken_back_whole() -> None:
    at = handler(CHANGSHA, *HAND[:3])
    ruling = Rule(2, "long_hand", (4, 4, -12, 4), Words("Fifteen tiles", "十五张"), DeadHand.LONG)
    assert do(at, ruling) == ""
    state = at.record.state
    assert (state.scores, state.seats[2].dead) == ((4, 4, -12, 4), DeadHand.LONG)
    said = [event for _, event in at.record.counting[-2:]]
    assert said == [
        IrregularityNoted(2, "long_hand", DeadHand.LONG),
        Penalised((4, 4, -12, 4), Words("Fifteen tiles", "十五张")),
    ]
    assert do(at, Undo(at.record.seq - 1)) == ""
    assert (at.record.state.scores, at.record.state.seats[2].dead) == ((0, 0, 0, 0), None)


@pytest.mark.parametrize("irregularity", ["", "long_hand"])
def test_a_ruling_without_points_is_a_ruling_and_no_penalty_of_nothing(irregularity: str) -> None:
    at = handler(CHANGSHA, *HAND[:3])
    before = at.record.state
    assert do(at, Rule(2, irregularity, (0, 0, 0, 0), Words("Play goes on", "继续"))) == ""
    said = [event for _, event in at.record.counting[3:]]
    noted = [IrregularityNoted(2, irregularity)] if irregularity else []
    assert said == [*noted, Ruled(2, Words("Play goes on", "继续"))]
    assert at.record.state.scores == before.scores
    assert do(at, Undo(4)) == ""
    assert at.record.state == before


def test_a_ruling_on_an_earlier_hand_counts_there() -> None:
    at = earlier_hand()
    end = seq_of(at, Settled)
    assert do(at, Rule(3, "", (3, 3, 3, -9), Words("Late", "迟"), before=end)) == ""
    assert at.record.history == [(1, BO_WINS, (-4, 22, -3, -15))]


@pytest.mark.parametrize(
    ("ruling", "why"),
    [
        (Rule(2, "juggling", (0, 0, 0, 0), Words("so", "是")), "no irregularity 'juggling'"),
        (Rule(2, "", (1, 0, 0, 0), Words("so", "是")), "do not add up"),
        (Rule(4, "", (0, 0, 0, 0), Words("so", "是")), "no seat 4"),
        (Rule(2, "", (1, -1, 0, 0), Words(" ", "")), "needs a reason"),
        (Rule(2, "", (0, 0, 0, 0), Words("so", "是"), DeadHand.LONG), "say which"),
        (Rule(2, "", (1, -1, 0, 0), Words("so", "是"), before=99), "entry 99 does not count"),
    ],
)
def test_a_ruling_that_says_nothing_clear_is_refused(ruling: Rule, why: str) -> None:
    at = handler(CHANGSHA, *HAND[:3])
    assert why in do(at, ruling)
    assert at.record.seq == 3


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (Correct(99, Discarded(0, Tile.M1)), "entry 99 does not count"),
        (Correct(3, Discarded(0, Tile.M1)), "says so already"),
        (Correct(3, Discarded(5, Tile.M1)), "no seat 5"),
        (Correct(3, Settled((0,), (1, 0, 0, 0), 0)), "do not add up"),
        (Insert(0, WallExhausted(0, (0, 0, 2, -1))), "do not add up"),
        (Insert(0, Penalised((1, 0, 0, 0), Words("so", "是"))), "do not add up"),
        (Insert(0, Discarded(9, Tile.M1)), "no seat 9"),
        (Insert(77, Discarded(0, Tile.M1)), "entry 77 does not count"),
        (Undo(0), "entry 0 does not count"),
    ],
)
def test_a_change_that_cannot_be_is_refused(command: object, why: str) -> None:
    at = handler(CHANGSHA, *HAND[:3])
    assert why in do(at, command)
    assert preview(at, command) == at.execute(command)  # type: ignore[arg-type]
    assert at.record.seq == 3


def test_a_preview_names_what_the_rules_forbid() -> None:
    at = handler(CHANGSHA, *HAND[:3])
    change = preview(at, Insert(0, Discarded(3, Tile.M2)))
    assert isinstance(change, Change)
    assert Words("By the rules this cannot be: out of turn.", "按规则不应如此：未轮到。") in (
        change.sentences
    )
