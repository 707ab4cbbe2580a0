"""What developers measure."""

import argparse
import json
from collections.abc import Mapping

from table_assist.languages.words import UserError
from table_assist.rules.registry import find_rules, rule_sets
from table_assist.rules.ruleset import RuleSet


class BenchError(UserError):
    """Something cannot be measured; the message is one sentence."""


def report(row: Mapping[str, object], *, as_json: bool) -> None:
    """Print a result: all of it as JSON, or its plain figures on one line."""
    plain = (f"{name} {value}" for name, value in row.items() if not isinstance(value, dict | list))
    print(json.dumps(row, ensure_ascii=False) if as_json else "; ".join(plain), flush=True)


def sets_of(options: argparse.Namespace) -> list[RuleSet]:
    """The rule sets that were asked for; all of them, where none was."""
    wanted = options.rules or ["all"]
    return list(rule_sets()) if "all" in wanted else [find_rules(id) for id in wanted]
