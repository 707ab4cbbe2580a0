"""No option that nothing reads: what a table agrees on makes a difference somewhere."""

import ast
from functools import cache
from pathlib import Path

import pytest

import table_assist
import web
from table_assist.rules.registry import find_rules, rule_sets
from table_assist.rules.sets.classical.limits import SPECIAL_HANDS


@cache
def read_names() -> frozenset[str]:
    """Every name by which some code looks an option up."""
    found = set()
    for package in (table_assist, web):
        for path in sorted(Path(*package.__path__).rglob("*.py")):
            found |= {_looked_up(node) for node in ast.walk(ast.parse(path.read_text()))}
    return frozenset(found)


def _looked_up(node: ast.AST) -> str:
    """``options["name"]`` or ``chosen.get("name")``; empty for anything else."""
    key: ast.AST | None = None
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        key = node.slice
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
        key = node.args[0] if node.func.attr == "get" else None
    return key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else ""


def unread(id: str) -> list[str]:
    """Options of more than one value that nothing looks up."""
    special = {hand.option for hand in SPECIAL_HANDS}
    return [
        option.name
        for option in find_rules(id).options
        if len(option.values) > 1 and option.name not in read_names() | special
    ]


@pytest.mark.parametrize("id", [rules.id for rules in rule_sets()])
def test_something_reads_every_option(id: str) -> None:
    assert unread(id) == []


def test_a_name_that_is_only_listed_is_not_read() -> None:
    assert "announce_fishing" in read_names()
    assert "no_such_option" not in read_names()
    assert _looked_up(ast.parse('chosen["a"] = 1').body[0].targets[0]) == ""  # type: ignore[attr-defined]
