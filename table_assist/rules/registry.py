"""Finds the rule sets: whatever lies in ``rules/sets`` holds one, as ``RULES``.

A small one is a file of that folder; one of several files is a folder with a ``rules.py``.
"""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from table_assist.rules import sets
from table_assist.rules.ruleset import RuleSet


@cache
def rule_sets() -> tuple[RuleSet, ...]:
    """All rule sets, by id, at their default options. A module without ``RULES`` is an error."""
    found: list[RuleSet] = []
    for module in iter_modules(sets.__path__):
        name = f"{sets.__name__}.{module.name}"
        found.append(import_module(f"{name}.rules" if module.ispkg else name).RULES)
    return tuple(sorted(found, key=lambda rules: rules.id))


def find_rules(id: str) -> RuleSet:
    """The rule set of that id, in whichever letters it is written.

    Raises:
        ValueError: there is none.
    """
    for rules in rule_sets():
        if rules.id == id.lower():
            return rules
    known = ", ".join(rules.id for rules in rule_sets())
    raise ValueError(
        f"there is no rule set {id}; there are {known}. CONTRIBUTING.md says how one is added"
    )
