"""Changing single keys of a settings file; everything else in it stays byte for byte.

What a person wrote beside the changed keys (comments, order, keys of a later version) is theirs.
The file before the change is kept beside the new one.
"""

import difflib
import os
import tomllib
from collections.abc import Mapping, MutableMapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.exceptions import ParseError, TOMLKitError
from tomlkit.toml_document import TOMLDocument

from table_assist.languages.words import UserError, WordsError
from table_assist.settings.config import Config, decoded, no_toml, parse_config
from table_assist.trust.address import without_secrets


class StaleError(WordsError):
    """The file was changed behind the page's back."""


PREVIOUS = ".previous"  # behind the file's own name
KEPT = 5  # earlier versions beside the file


@dataclass(frozen=True, slots=True)
class Removed:
    """The key goes, and its default counts."""


REMOVED = Removed()
# By section and key, as ("camera", "source").
Changes = Mapping[tuple[str, str], object]


class EditError(UserError, ValueError):
    """The change cannot be made; the message is one sentence."""


def edit(text: str, changes: Changes) -> str:
    r"""The text with these keys changed.

    >>> edit("# mine\n[board]\nbaud = 9600 # slow\n", {("board", "baud"): 115200})
    '# mine\n[board]\nbaud = 115200 # slow\n'

    Raises:
        EditError: the text is no TOML, or a section in it is no table.
    """
    try:
        document = tomlkit.parse(text)
        for (section, key), value in changes.items():
            _change(document, section, key, value)
        edited = tomlkit.dumps(document)
        if not text:
            edited = edited.lstrip("\n")
    except (ParseError, TOMLKitError) as error:
        raise EditError(f"the settings are no TOML: {error}") from error
    # Nothing but the changes may have changed: the writer's own mistakes are found here
    try:
        expected, found = tomllib.loads(text), tomllib.loads(edited)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise EditError(f"the settings would be no TOML any more: {error}") from error
    for (section, key), value in changes.items():
        if isinstance(value, Removed):
            expected.get(section, {}).pop(key, None)
        else:
            expected.setdefault(section, {})[key] = value
    if found != expected:
        raise EditError("the settings are written in a way that cannot be changed by form")
    return edited


def differing(before: str, after: str, name: str = "") -> tuple[str, ...]:
    """The lines that differ, as a unified diff without the lines' ends; addresses hide secrets."""
    lines = before.splitlines(), after.splitlines()
    found = difflib.unified_diff(*lines, name, name, lineterm="", n=2)
    return tuple(without_secrets(line) for line in found)


def check(text: str, folder: Path) -> Config:
    """The settings that the text stands for.

    Raises:
        ConfigError: it is no TOML, or a key is unknown or wrong.
    """
    try:
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise no_toml(f"the settings are no TOML: {error}", error) from error
    return parse_config(table, folder)


def write(path: Path, text: str) -> None:
    """Replace the file, whole or not at all; what was there is kept as its previous version.

    Raises:
        EditError: it cannot be written; the file is as it was.
    """
    beside = path.with_name(f".{path.name}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with beside.open("w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            if path.read_bytes() == beside.read_bytes():
                beside.unlink()
                return
            beside.chmod(path.stat().st_mode & 0o777)
            names = _previous_names(path)
            for older, newer in zip(reversed(names), reversed(names[:-1]), strict=False):
                if newer.exists():
                    newer.replace(older)
            copy = names[0].with_name(f".{names[0].name}.new")
            copy.write_bytes(path.read_bytes())
            copy.replace(names[0])
        beside.replace(path)
    except OSError as error:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise EditError(
            f"the settings {path} cannot be written: {(error.strerror or str(error)).lower()}"
        ) from error


def previous_versions(path: Path) -> tuple[Path, ...]:
    """The earlier versions beside the file, the newest first."""
    return tuple(each for each in _previous_names(path) if each.is_file())


def read_text(path: Path) -> str:
    """The file's text with its line ends as they are; empty where no file can be read.

    What is no UTF-8 is shown by the replacement character, so that a person can repair it.
    """
    try:
        return decoded(path.read_bytes(), errors="replace")
    except OSError:
        return ""


def _previous_names(path: Path) -> Sequence[Path]:
    first = path.with_name(path.name + PREVIOUS)
    return [first, *(path.with_name(f"{path.name}{PREVIOUS}.{n}") for n in range(2, KEPT + 1))]


def _change(document: TOMLDocument, section: str, key: str, value: object) -> None:
    table: Any = document.get(section)
    if table is None:
        if isinstance(value, Removed):
            return
        table = tomlkit.table()
        if document.as_string().strip():
            document.add(tomlkit.nl())
        document.add(section, table)
        table = document[section]
    if not isinstance(table, MutableMapping):
        raise EditError(f"{section} must be a table, got {table!r}")
    if isinstance(value, Removed):
        if key in table:
            del table[key]
        return
    old = table.get(key)
    if isinstance(value, Mapping) and isinstance(old, MutableMapping):
        for name in [name for name in old if name not in value]:
            del old[name]
        for name, each in value.items():
            _set(old, name, each)
        return
    _set(table, key, value)


def _set(table: Any, key: str, value: object) -> None:
    """A value that stays the same keeps its own way of being written."""
    if key in table:
        old = table[key].unwrap()
        if old == value and type(old) is type(value):
            return
    if isinstance(value, Mapping):
        inline = tomlkit.inline_table()
        inline.update(value)
        table[key] = inline
    else:
        table[key] = tomlkit.item(value)


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
