"""What the README and the example settings say is so."""

import re
import shlex
from pathlib import Path

import pytest

from table_assist.cli.arguments import parse_arguments
from table_assist.settings.build import rules_of, watcher_of
from table_assist.settings.config import load_config
from table_assist.vision.reading.read import open_reader

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^\.venv/bin/table-assist (.+?)(?:\s+#.*)?$", README, re.MULTILINE)


def test_the_readme_names_commands() -> None:
    assert len(COMMANDS) >= 5


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_of_the_readme_is_understood(command: str) -> None:
    assert parse_arguments(shlex.split(command)).command == command.split()[0]


def test_the_example_settings_are_a_table() -> None:
    config = load_config(ROOT / "docs" / "table.example.toml")
    assert rules_of(config).id == "changsha"
    watcher_of(config, open_reader(threads=1))


def test_the_makefile_has_the_readmes_two_commands() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"^make (\w+)", README, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
