"""What the choices refuse a bot is flagged at the table; what they allow is not."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table_assist.rules.registry import find_rules, rule_sets
from tests.accountant.audit import options_for
from tests.differential.compare import Compared, play

IDS = [rules.id for rules in rule_sets()]
# More by `python -m tests.differential`.
HANDS, STATES = 4, 3


@settings(max_examples=4 * len(IDS), derandomize=True)
@given(id=st.sampled_from(IDS), seed=st.integers(0, 1 << 40))
def test_what_bots_are_refused_is_flagged_and_what_they_may_do_is_not(id: str, seed: int) -> None:
    options = options_for(find_rules(id), Random(f"{seed} options"))
    compared = play(id, f"{id} {seed}", options, states=STATES)
    assert dict(compared.examples) == {}


@pytest.mark.parametrize("id", IDS)
def test_deeds_of_every_kind_are_tried(id: str) -> None:
    whole = Compared()
    for number in range(HANDS):
        whole.add(play(id, f"{id} kinds {number}", {}, states=6))
    assert whole.faults.total() == 0, whole.examples
    assert {"Discarded", "WinDeclared + HandShown claimed"} <= set(whole.refused)
    assert "Discarded" in whole.allowed
    assert whole.refused.total() > whole.allowed.total()


def test_who_has_just_discarded_may_not_put_that_tile_to_its_own_egg() -> None:
    """Found by the comparison above: out of turn, and the own discard is nobody's to take back."""
    compared = play("changchun", "changchun 91", {}, states=3)
    assert compared.examples == {}
