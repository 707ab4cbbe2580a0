"""The command line: what a command needs is imported when it is asked for.

So that the tiles of a picture are read without waiting for the dashboard, the rules and the board.
"""

import argparse
import gc
import logging
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from importlib import import_module
from typing import TextIO, cast

from table_assist.cli import short
from table_assist.cli.arguments import parse_arguments
from table_assist.cli.door import Door, one_line
from table_assist.languages.catalogue import of_terminal
from table_assist.languages.words import Words
from table_assist.trust.installation import without_secrets

# The ways to begin that `table-assist` alone offers on a terminal, one of them a key away.

_ASK = Words("A number, or Enter to leave: ", "输入数字，或按回车离开：")
MOST_TRIES = 5


@dataclass(frozen=True, slots=True)
class StartOffer:
    """One way to begin.

    Attributes:
        arguments: of the command line.
    """

    says: Words
    arguments: tuple[str, ...]


OFFERS = (
    StartOffer(
        Words("Keep the score with phones: no camera, no board", "只用手机计分（无须摄像头和板）"),
        ("score",),
    ),
    StartOffer(
        Words("Set up a table with a camera, and follow it", "设置有摄像头的牌桌并开始"),
        ("run",),
    ),
    StartOffer(
        Words("Show me: four simulated players at a simulated table", "演示：四位模拟玩家的牌桌"),
        ("demo",),
    ),
    StartOffer(Words("Examine this machine and its table", "检查本机和牌桌"), ("doctor",)),
)


def offer(say: Callable[[str], None], language: str) -> None:
    """The ways to begin, in six lines."""
    say(Words("What shall we do?", "想做什么？").said(language))
    for number, way in enumerate(OFFERS, 1):
        say(f"  {number}  {way.says.said(language)}  (table-assist {' '.join(way.arguments)})")
    say(Words("All commands: table-assist --help", "全部命令：table-assist --help").said(language))


def choose(
    ask: Callable[[str], str], say: Callable[[str], None], language: str
) -> tuple[str, ...] | None:
    """Ask which way to begin; its arguments, or None for none."""
    offer(say, language)
    for _ in range(MOST_TRIES):
        try:
            said = ask(_ASK.said(language)).strip()
        except (EOFError, KeyboardInterrupt):
            return None
        if not said:
            return None
        if said.isascii() and said.isdigit() and 1 <= int(said) <= len(OFFERS):
            return OFFERS[int(said) - 1].arguments
        say(Words("There is no such number.", "没有这个数字。").said(language))
    return None


class _WithoutSecrets(logging.Formatter):
    """Addresses that a library quotes, in a traceback too, are written without their secrets."""

    def format(self, record: logging.LogRecord) -> str:
        return without_secrets(super().format(record))

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802
        """One line: nothing that is quoted begins another."""
        return one_line(super().formatMessage(record))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit code: 0 done, 1 something failed, 2 cannot be done."""
    # Read when numpy is loaded. Its threads spin for each other beside those that read pictures:
    # one alone learns a set in a tenth of the time.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    out, err = cast(TextIO, Door(sys.stdout)), cast(TextIO, Door(sys.stderr))
    with redirect_stdout(out), redirect_stderr(err):
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
    """``command`` of ``cli/demo.py`` for ``demo``, or a function of ``cli/short.py``."""
    own = getattr(short, options.command, None)
    # Loaded modules stay: to look for garbage among them, now or later, takes time for nothing.
    gc.disable()
    try:
        command: Callable[[argparse.Namespace], int] = (
            own or import_module(f"table_assist.cli.{options.command}").command
        )
    finally:
        gc.freeze()
        gc.enable()
    return command
