"""Scores kept by photographs: no camera above the table, no board, nothing to set up."""

import argparse
import json
from pathlib import Path

from table_assist.cli.modes import WantedTable, run
from table_assist.cli.reach import reach_of
from table_assist.rules.registry import find_rules
from table_assist.settings.config import Config, ConfigError

USUAL_NAMES = Config().seats.names


def command(options: argparse.Namespace) -> int:
    """As ``table-assist score``; returns the exit code."""
    settings: Path = options.config
    if settings.exists():
        print(f"The evening in {settings} goes on, with the names and rules that stand there.")
    else:
        settings.write_text(settings_for(options.rules, options.names), encoding="utf-8")
        print(f"Settings: {settings}")
    return run(WantedTable(settings, reach_of(options)))


def settings_for(rules: str, names: str) -> str:
    """The settings of a table that only phones look at.

    >>> print(settings_for("tianjin", "Ann, Bo"))
    [rules]
    id = "tianjin"
    <BLANKLINE>
    [seats]
    names = ["Ann", "Bo", "Seat 3", "Seat 4"]
    <BLANKLINE>

    Raises:
        ConfigError: there is no such rule set, or there are more than four names.
    """
    try:
        known = find_rules(rules).id
    except ValueError as error:
        raise ConfigError(f"--rules: {error}") from error
    given = [name.strip() for name in names.split(",") if name.strip()]
    if len(given) > len(USUAL_NAMES):
        raise ConfigError(f"--names: {len(given)} names are given; four people play")
    seated = [*given, *USUAL_NAMES[len(given) :]]
    listed = ", ".join(json.dumps(name, ensure_ascii=False) for name in seated)
    return f'[rules]\nid = "{known}"\n\n[seats]\nnames = [{listed}]\n'
