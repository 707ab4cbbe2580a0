"""How fast simulated hands are played, and whether all end."""

import argparse
import sys

from bench import hands
from table_assist.rules.registry import rule_sets
from table_assist.twin.play.watch import BrokenError


def command(options: argparse.Namespace) -> int:
    """As ``python -m bench hands``; returns the exit code."""
    ids = options.rules or [rules.id for rules in rule_sets()]
    try:
        for played in hands.bench_hands(ids, max(1, options.hands), options.seed, hands.cores()):
            print(played.line, flush=True)
    except (ValueError, BrokenError) as error:
        print(f"table-assist: {error}", file=sys.stderr)
        return 1 if isinstance(error, BrokenError) else 2
    return 0
