"""What developers measure."""

import argparse

from table_assist.languages.words import UserError
from table_assist.rules.registry import find_rules, rule_sets
from table_assist.rules.ruleset import RuleSet


class BenchError(UserError):
    """Something cannot be measured; the message is one sentence."""


def sets_of(options: argparse.Namespace) -> list[RuleSet]:
    """The rule sets that were asked for; all of them, where none was."""
    wanted = options.rules or ["all"]
    return list(rule_sets()) if "all" in wanted else [find_rules(id) for id in wanted]
