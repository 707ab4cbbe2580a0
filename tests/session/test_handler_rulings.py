"""False wins and a referee's rulings: what they cost, and how they are taken back."""

from dataclasses import replace

import pytest

from table_assist.game.events import (
    Discarded,
    Penalised,
    Settled,
    WallBuilt,
    WallExhausted,
    WinRefused,
)
from table_assist.languages.words import Words
from table_assist.record.commands import Answer, Change, Correct, Insert, Undo
from table_assist.record.record import Record
from table_assist.rules.profile import plain_profile
from table_assist.session.command_handler import CommandHandler
from table_assist.session.preview import preview
from table_assist.tiles.tile import Tile
from tests.stages.evenings import NAMES
from tests.stages.told import CHANGSHA, HAND, do, handler, see, seq_of, shown, started


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
