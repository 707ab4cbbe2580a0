"""How well a trial foretells an evening."""

import argparse

from bench.foretell import run


def command(options: argparse.Namespace) -> int:
    """As ``python -m bench trials``; returns the exit code."""
    tables = range(options.first, options.first + options.tables)
    return run(tables, options.seed, kept=options.keep)
