"""A script is a legal course for one person, in plain words, and its seed makes it again."""

import re

import pytest

from table_assist.game.events import Discarded, Settled
from table_assist.game.fold import apply
from table_assist.game.irregular import irregularities
from table_assist.game.outcome import end_of_hand, settled_event
from table_assist.game.state import TableState
from table_assist.rules.registry import rule_sets
from table_assist.twin.scene import PlacedTile
from table_assist.upkeep.trial.courses import TrialAct
from table_assist.upkeep.trial.script import make_script
from tests.stages.both_languages import is_in_both
from tests.stages.laid_trial import rules_named, script

IDS = sorted(rules.id for rules in rule_sets())
NOTATION = re.compile(r"\b[1-9][mpsfq]\b|\bpung\b|\bchow\b|UNKNOWN|Tile")


@pytest.mark.parametrize("id", IDS)
def test_every_event_of_it_is_allowed_and_the_hand_is_settled_as_the_rules_say(id: str) -> None:
    state, ended = TableState(), []
    for step in script(id).steps:
        if step.act is TrialAct.TROUBLE:
            break
        for event in step.events:
            assert not irregularities(state, event), (step.says.en, event)
            if isinstance(event, Settled):
                assert settled_event(end_of_hand(state)).transfers == event.transfers
                ended.append(event)
            state = apply(state, event)
    assert len(ended) == 1
    assert ended[0].winners


@pytest.mark.parametrize("id", IDS)
def test_each_step_is_said_in_both_languages_without_notation(id: str) -> None:
    for step in script(id).steps:
        assert is_in_both(step.says), step.says
        assert not NOTATION.search(step.says.en), step.says.en


def test_a_step_lays_what_it_says() -> None:
    lying: tuple[PlacedTile, ...] = ()
    for step in script("changchun").steps:
        new = [tile.tile for tile in step.look.scene.tiles if tile not in lying]
        if step.events and isinstance(step.events[0], Discarded):
            assert new == [step.events[0].tile] == list(step.tiles)
        lying = step.look.scene.tiles


def test_the_same_seed_makes_the_same_script_and_another_one_another() -> None:
    rules = rules_named("wanzhou")
    assert make_script(rules, 1) == script("wanzhou", 1)
    assert make_script(rules, 2).steps != script("wanzhou", 1).steps


def test_where_no_tile_may_be_taken_back_nobody_does() -> None:
    rules = rules_named("classical")
    said = {
        choice: " ".join(
            step.says.en
            for step in make_script(
                rules.with_options({"discard_takeback": choice}), 1, (TrialAct.TROUBLE,)
            ).steps
        )
        for choice in ("never", "until_claimed")
    }
    assert "take it back" not in said["never"]
    assert "take it back" in said["until_claimed"]


def test_at_a_board_the_keys_are_pressed_there() -> None:
    with_board = make_script(rules_named("wanzhou"), 1, (TrialAct.HAND,), has_board=True)
    keys = [step.key for step in with_board.steps if step.key]
    assert {key for _, key in keys} >= {"win"}
    assert all(not step.taps for step in with_board.steps if step.key)
