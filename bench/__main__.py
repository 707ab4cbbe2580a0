"""`python -m bench WHAT`: what developers measure, in a checkout; the wheel does not have it."""

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module

from bench.arguments import add_bench
from bench.examples import EXAMPLES
from table_assist.cli.arguments import Parser
from table_assist.cli.errors import USER_ERRORS, sentence
from table_assist.cli.examples import add_examples


def build_parser() -> argparse.ArgumentParser:
    """All measurements with their options, words and examples."""
    parser = Parser(prog="python -m bench", description="Measure the program, in a checkout.")
    add_bench(parser)
    add_examples(parser, EXAMPLES)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure; returns the exit code: 0 all holds, 1 something does not, 2 cannot be done."""
    options = build_parser().parse_args(arguments)
    try:
        return int(import_module(f"bench.commands.{options.bench}").command(options))
    except USER_ERRORS as error:
        print("bench:", sentence(error, "en"), file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
