"""No value of a setting says, or pays, what nobody has read: see `meanings`."""

import pytest

from table_assist.rules.registry import rule_sets
from table_assist.rules.ruleset import RuleSet
from tests.rules.meanings import FOLDER, meanings


@pytest.mark.parametrize("rules", rule_sets(), ids=lambda rules: rules.id)
def test_each_value_of_a_setting_says_and_pays_what_was_read_together(rules: RuleSet) -> None:
    read = (FOLDER / f"{rules.id}.txt").read_text(encoding="utf-8")
    assert meanings(rules) == read, (
        f"{rules.id}: write it again with `python -m tests.rules.meanings`, and read what changed: "
        "do the words still say what the hand shows?"
    )
