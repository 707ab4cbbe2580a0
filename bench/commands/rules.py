"""How fast hands are judged."""

import argparse
import json

from bench.rules import bench_rules, to_json
from table_assist.rules.registry import rule_sets


def command(options: argparse.Namespace) -> int:
    """As ``python -m bench rules``; returns the exit code."""
    ids = options.rules or [rules.id for rules in rule_sets()]
    for each in bench_rules(ids, max(1, options.hands)):
        text = each if isinstance(each, str) else each.line
        print(json.dumps(to_json(each)) if options.json else text, flush=True)
    return 0
