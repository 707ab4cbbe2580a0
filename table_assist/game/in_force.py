"""The rule set that a hand is played under, from what the log says of it."""

from functools import cache

from table_assist.game.state import TableState
from table_assist.rules.options import OptionValue
from table_assist.rules.registry import find_rules
from table_assist.rules.ruleset import RuleSet


def rules_in_force(state: TableState) -> RuleSet:
    """The rule set of the hand with its options.

    Raises:
        ValueError: there is no such rule set (any more), or it has no such option.
    """
    return _rules(state.rules, state.options)


@cache
def _rules(id: str, options: tuple[tuple[str, OptionValue], ...]) -> RuleSet:
    return find_rules(id).with_options(dict(options))
