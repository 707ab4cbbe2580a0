"""The command line: each command is a module of its own, imported when it is asked for.

So that the tiles of a picture are read without waiting for the dashboard, the rules and the board.
"""

import argparse
import gc
import logging
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module
from typing import TextIO, cast

from table_assist.cli.arguments import parse_arguments
from table_assist.cli.begin import choose, offer
from table_assist.cli.door import Door, one_line
from table_assist.languages.tags import of_terminal
from table_assist.trust.address import without_secrets


class _WithoutSecrets(logging.Formatter):
    """Addresses that a library quotes, in a traceback too, are written without their secrets."""

    def format(self, record: logging.LogRecord) -> str:
        return without_secrets(super().format(record))

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802
        """One line: nothing that is quoted begins another."""
        return one_line(super().formatMessage(record))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit code: 0 done, 1 something failed, 2 cannot be done."""
    out, err = cast(TextIO, Door(sys.stdout)), cast(TextIO, Door(sys.stderr))
    with redirect_stdout(out), redirect_stderr(err):
        return _run(arguments)


def _run(arguments: Sequence[str] | None) -> int:
    if arguments is None and len(sys.argv) == 1:
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            offer(print, of_terminal())
            return 2  # as for any call that says nothing of what is to be done
        arguments = choose(input, print, of_terminal())
        if arguments is None:
            return 0
    options = parse_arguments(arguments)
    if logging.lastResort is not None:
        logging.lastResort.setFormatter(_WithoutSecrets())
    try:
        return _command_of(options)(options)
    except BrokenPipeError:
        return 1
    except Exception as error:
        from table_assist.cli.errors import USER_ERRORS, sentence

        if not isinstance(error, USER_ERRORS):
            raise
        said = without_secrets(sentence(error, getattr(options, "lang", "en")))
        print(one_line(f"table-assist: {said}"), file=sys.stderr)
        return 2


def _command_of(options: argparse.Namespace) -> Callable[[argparse.Namespace], int]:
    """``cli/judge.py`` for ``judge``."""
    # Loaded modules stay: to look for garbage among them, now or later, takes time for nothing.
    gc.disable()
    try:
        command: Callable[[argparse.Namespace], int] = import_module(
            f"table_assist.cli.{options.command}"
        ).command
    finally:
        gc.freeze()
        gc.enable()
    return command
