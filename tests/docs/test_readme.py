"""What the README and the example settings say is so."""

import re
import shlex
from dataclasses import fields
from pathlib import Path

import pytest

from table_assist.cli.arguments import parse_arguments
from table_assist.settings.build import rules_of, watcher_of
from table_assist.settings.config import Config, load_config
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


def test_the_example_settings_show_every_setting() -> None:
    """In force or as a remark; README calls the file so."""
    example = (ROOT / "docs" / "table.example.toml").read_text(encoding="utf-8")
    shown = dict(re.findall(r"^\[(\w+)\]\n(.*?)(?=^\[|\Z)", example, re.MULTILINE | re.DOTALL))
    for section in fields(Config):
        named = set(re.findall(r"^(?:# )?(\w+) = ", shown[section.name], re.MULTILINE))
        assert named == {key.name for key in fields(section.type)}, section.name


def test_the_makefile_has_the_readmes_two_commands() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"^make (\w+)", README, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_the_quick_tests_of_the_makefile_are_there() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    told = makefile.partition("QUICK := ")[2].partition("\n\n")[0]
    folders = re.search(r"addprefix tests/,([a-z/ \\\n]+)\)", told)
    files = re.search(r"test_,([a-z. ]+)\)", told)
    assert folders is not None
    assert files is not None
    for folder in folders[1].replace("\\", " ").split():
        assert list((ROOT / "tests" / folder).glob("test_*.py")), folder
    for file in files[1].split():
        assert (ROOT / "tests" / "firmware_bridge" / f"test_{file}").exists(), file
