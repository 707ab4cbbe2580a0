"""A house profile: a rule set and what a table has agreed on, in one TOML file.

``id``, ``name`` and ``rules`` name the profile and its rule set, ``[options]`` holds what differs
from the documents. ``load_profile(path) -> Profile``; its ``identity`` goes with every hand, so
that an old hand can be judged by the rules under which it was played, and by no others.
"""

import hashlib
import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from table_assist.languages.words import UserError
from table_assist.rules.options import OptionValue
from table_assist.rules.registry import find_rules
from table_assist.rules.ruleset import RuleSet

_PROFILE_KEYS = ("id", "name", "rules", "options", "version")
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
# Of the file's format; a later one may mean something else by the same keys.
PROFILE_VERSION = 1


class ProfileError(UserError, ValueError):
    """A profile that cannot be used; the message is one sentence naming the file and the key."""


@dataclass(frozen=True, slots=True)
class Identity:
    """The rules under which a hand was played: plain values, to be stored as they are.

    Attributes:
        profile: the profile's id; the rule set's own where the table has agreed on nothing.
        hash: of the rule set, the options in force and the profile's id.
        options: what differs from the documents, by name.
    """

    profile: str
    rules: str
    hash: str
    options: tuple[tuple[str, OptionValue], ...] = ()


@dataclass(frozen=True, slots=True)
class Profile:
    """A rule set with the house's options in force.

    Attributes:
        hash: 64 hexadecimal digits; see ``profile_hash``.
    """

    id: str
    name: str
    rules: RuleSet
    hash: str

    @property
    def identity(self) -> Identity:
        """The identity to store with every hand."""
        return Identity(self.id, self.rules.id, self.hash, tuple(sorted(differing(self.rules))))


def profile_hash(rules: RuleSet, id: str) -> str:
    """The sha256 of the rule set's id, every option in force and the profile's id.

    Neither the order of the options nor the name or the comments of a file have a part in it, nor
    has an option that came later and is at its default: a hand played before it keeps its rules.
    """
    options = dict(rules.chosen)
    for option in rules.options:
        if option.stood_for is not None and options[option.name] == option.default:
            del options[option.name]
            options.update(zip((option.name,), option.stood_for, strict=False))
    whole = {"profile": id, "rules": rules.id, "options": options}
    text = json.dumps(whole, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def differing(rules: RuleSet) -> list[tuple[str, OptionValue]]:
    """The options that are not at their default, in the rule set's order."""
    return [
        (option.name, rules.chosen[option.name])
        for option in rules.options
        if rules.chosen[option.name] != option.default
    ]


def plain_profile(rules: RuleSet, name: str = "", id: str = "") -> Profile:
    """The profile of a table that has no file: it is called like its rule set, or as the house.

    >>> plain_profile(find_rules("changsha")).id
    'changsha'
    """
    id = id or (id_of(name) if name else rules.id)
    return Profile(id, name or rules.names.en, rules, profile_hash(rules, id))


def load_profile(path: Path) -> Profile:
    """Read a profile's file.

    Raises:
        ProfileError: it cannot be read, is no TOML, or a key is missing, unknown or wrong.
    """
    try:
        with path.open("rb") as file:
            table = tomllib.load(file)
    except OSError as error:
        raise ProfileError(f"the profile {path} cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ProfileError(f"the profile {path} is no TOML: {error}") from error
    return parse_profile(table, str(path))


def read_profile(text: str) -> Profile:
    """A profile from the text of its file, such as a scanned code has.

    Raises:
        ProfileError: it is no TOML, or a key is missing, unknown or wrong.
    """
    try:
        return parse_profile(tomllib.loads(text))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ProfileError(f"the profile is no TOML: {error}") from error


def profile_text(profile: Profile) -> str:
    """The file of a profile: what differs from the documents, and nothing else.

    >>> print(profile_text(parse_profile({"id": "a", "name": "A", "rules": "tianjin"})))
    id = "a"
    name = "A"
    rules = "tianjin"
    <BLANKLINE>
    """
    rows = {"id": profile.id, "name": profile.name, "rules": profile.rules.id}
    lines = [f"{key} = {_toml(value)}" for key, value in rows.items()]
    options = [f"{name} = {_toml(value)}" for name, value in differing(profile.rules)]
    return "\n".join([*lines, *(["", "[options]"] if options else []), *options, ""])


def _toml(value: OptionValue) -> str:
    """As TOML writes it; a text of one line is written as JSON writes it."""
    return json.dumps(value, ensure_ascii=False)


def id_of(name: str) -> str:
    """An id for a profile of that name: its letters and digits.

    >>> id_of("River Club!"), id_of("河畔")
    ('river-club', 'house')
    """
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:64] or "house"


def parse_profile(table: Mapping[str, object], file: str = "") -> Profile:
    """A profile from a parsed TOML table.

    >>> parse_profile({"id": "a", "name": "A", "rules": "tianjin"}).rules.id
    'tianjin'

    Args:
        file: what the messages call it.

    Raises:
        ProfileError: a key is missing, unknown or wrong.
    """
    where = f"the profile {file}" if file else "the profile"
    version = table.get("version", PROFILE_VERSION)
    if type(version) is not int or version != PROFILE_VERSION:
        raise ProfileError(f"{where}: version is {version!r}; this program reads {PROFILE_VERSION}")
    for key in table:
        if key not in _PROFILE_KEYS:
            raise ProfileError(
                f"{where}: there is no key {key!r}; there are {', '.join(_PROFILE_KEYS)}"
            )
    id, name = _text(table, "id", where), _text(table, "name", where)
    if not _ID.fullmatch(id):
        raise ProfileError(
            f"{where}: id is {id!r}; it is up to 64 letters, digits, points, - and _"
        )
    options = table.get("options", {})
    if not isinstance(options, Mapping):
        raise ProfileError(f"{where}: options must be a table, got {options!r}")
    rules_id = _text(table, "rules", where)
    try:
        rules = find_rules(rules_id)
    except ValueError as error:
        raise ProfileError(f"{where}: rules: {error}") from error
    try:
        rules = rules.with_options(options)
    except ValueError as error:
        raise ProfileError(f"{where}: options: {error}") from error
    return Profile(id, name, rules, profile_hash(rules, id))


def choose_profile(rules: str | None, file: Path | None) -> Profile:
    """The rules that a command asks for: by a rule set's id, a profile's file, or both.

    Raises:
        ProfileError: neither is given, there is no such rule set, the file is wrong, or it is of
            another rule set.
    """
    if file is not None:
        profile = load_profile(file)
        if rules not in (None, profile.rules.id):
            raise ProfileError(
                f"the profile {file}: rules is {profile.rules.id!r}, and {rules!r} was asked for"
            )
        return profile
    if rules is None:
        raise ProfileError("name a rule set, or a profile's file")
    try:
        return plain_profile(find_rules(rules))
    except ValueError as error:
        raise ProfileError(str(error)) from error


def _text(table: Mapping[str, object], key: str, where: str) -> str:
    value = table.get(key)
    if value is None:
        raise ProfileError(f"{where}: it lacks {key!r}")
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        raise ProfileError(f"{where}: {key} must be a text of one line, got {value!r}")
    return value
