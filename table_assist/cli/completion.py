"""The script by which a shell completes our commands: made of the parser, static from then on."""

import argparse

import shtab

from table_assist.cli.arguments import build_parser


def command(options: argparse.Namespace) -> int:
    """As ``table-assist completion``; returns the exit code."""
    print(shtab.complete(build_parser(), shell=options.shell))
    return 0
