"""The settings as they are changed from elsewhere than the table's own machine.

Paths and addresses are set at the machine: with them a stranger to it could open any file, or have
the program ask any service that it reaches. What is secret in an address is not shown elsewhere.
"""

import tomllib
from typing import Any

from table_assist.settings.edit import EditError
from table_assist.trust.address import without_secrets

SET_HERE = (
    ("camera", "source"),
    ("camera", "calibration"),
    ("board", "port"),
    ("log", "path"),
    ("rules", "profile"),
    ("backup", "folder"),
    ("mqtt", "broker"),
    ("mqtt", "ca"),
    ("mqtt", "commands"),
    ("webhook", "address"),
    ("webhook", "key"),
    ("club", "pictures"),
)


def shown_elsewhere(text: str) -> str:
    """The settings' text without what is secret in it."""
    return "".join(without_secrets(line) for line in text.splitlines(keepends=True))


def as_meant(shown: str, text: str) -> str:
    r"""The text that somebody meant who was shown it by `shown_elsewhere`, and has changed it.

    >>> as_meant("a = 'rtsp://…@x/'\nb = 2\n", "a = 'rtsp://me:pw@x/'\nb = 1\n")
    "a = 'rtsp://me:pw@x/'\nb = 2\n"
    """
    known = {without_secrets(line): line for line in text.splitlines()}
    lines = shown.splitlines(keepends=True)
    return "".join(
        known.get(bare := line.rstrip("\r\n"), bare) + line[len(bare) :] for line in lines
    )


def refuse_moves(before: str, after: str) -> None:
    """Only texts that name the same paths and addresses pass.

    Raises:
        EditError: another one is named, or the new text cannot be read.
    """
    now, then = _named(before), _named(after)
    for section, key in SET_HERE:
        if now.get((section, key)) != then.get((section, key)):
            raise EditError(f"{section}.{key} is set at the table's own machine only")


def _named(text: str) -> dict[tuple[str, str], Any]:
    try:
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise EditError(f"the settings are no TOML: {error}") from error
    sections = {name: each for name, each in table.items() if isinstance(each, dict)}
    return {(s, k): sections[s][k] for s, k in SET_HERE if s in sections and k in sections[s]}
