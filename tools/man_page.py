"""The manual page, made of the parser: `python tools/man_page.py > table-assist.1`.

`setup.py` makes it while the wheel is built, so that it says what this version does.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))

from table_assist.cli.arguments import build_parser  # noqa: E402
from table_assist.cli.examples import EXAMPLES, commands_of  # noqa: E402
from table_assist.parts import VERSION  # noqa: E402


def page() -> str:
    """The whole page as roff."""
    return "\n".join(_lines(build_parser())) + "\n"


def _lines(parser: argparse.ArgumentParser) -> Iterator[str]:
    yield f'.TH TABLE-ASSIST 1 "" "table-assist {VERSION}" "User Commands"'
    yield ".SH NAME"
    yield f"table-assist \\- {_text(parser.description or '')}"
    yield ".SH SYNOPSIS"
    yield ".B table-assist\n.I COMMAND\n[options]"
    yield ".SH DESCRIPTION"
    yield "Without a command, it offers on a terminal what one can begin with."
    yield "A command says how it is used with\n.BR \\-\\-help ."
    yield ".SH COMMANDS"
    for name, command, said in _commands(parser):
        yield f".SS {_text(name)}"
        yield _text(said)
        yield from _options(command)
        for example in dict.fromkeys(EXAMPLES.get(name, ())):
            yield f".PP\n.EX\ntable\\-assist {_text(example)}\n.EE"
    yield ".SH EXIT STATUS"
    yield "0: done; 1: something failed, or does not hold; 2: cannot be done."
    yield ".SH FILES"
    yield ".TP\n.I table.toml\nThe settings of a table."
    yield ".TP\n.I table\\-assist.sqlite\nIts log: what happened, in order."


def _commands(
    parser: argparse.ArgumentParser, before: str = ""
) -> Iterator[tuple[str, argparse.ArgumentParser, str]]:
    """Every command with its full name and what it does, those below another after it."""
    says = {
        choice.dest: choice.help or ""
        for action in parser._actions
        if isinstance(action, argparse._SubParsersAction)
        for choice in action._choices_actions
    }
    for name, command in commands_of(parser).items():
        full = f"{before} {name}".strip()
        yield full, command, f"{says.get(name, '')}.".capitalize()
        yield from _commands(command, full)


def _options(parser: argparse.ArgumentParser) -> Iterator[str]:
    for action in parser._actions:
        if isinstance(action, argparse._HelpAction | argparse._SubParsersAction):
            continue
        names = ", ".join(action.option_strings) or str(action.metavar or action.dest)
        value = action.metavar or ("" if action.nargs == 0 else action.dest.upper())
        shown = f"{names} {value}" if action.option_strings and action.nargs != 0 else names
        yield f".TP\n.B {_text(shown)}"
        yield _text((action.help or "").replace("%%", "%")) or "\\&"


def _text(text: str) -> str:
    """Plain text as roff: nothing in it is a request."""
    safe = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    return f"\\&{safe}" if safe.startswith(".") else safe


if __name__ == "__main__":
    print(page(), end="")
