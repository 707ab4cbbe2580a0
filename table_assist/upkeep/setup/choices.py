"""The assistant's choices: the values there are now, rule sets with their options, sheets."""

import hashlib
from collections.abc import Callable, Mapping

from table_assist.contract.view import View, words_view
from table_assist.rules.options import Option
from table_assist.rules.profile import plain_profile
from table_assist.rules.registry import find_rules
from table_assist.rules.sheet.sheet import make_sheet
from table_assist.settings.build import profile_of
from table_assist.settings.config import Config, ConfigError


def digest_of(text: str) -> str:
    """By which a page tells that the file was changed behind its back."""
    return hashlib.sha256(text.encode("utf-8", errors="replace")).hexdigest()[:16]


def sheet_view(rules: str, options: Mapping[str, object]) -> View:
    """The rule sheet with these options.

    Raises:
        ValueError: no such rule set or option.
    """
    sheet = make_sheet(plain_profile(find_rules(rules).with_options(options)))
    return {
        "title": words_view(sheet.title),
        "lead": [words_view(each) for each in sheet.lead],
        "sections": [
            {
                "title": words_view(section.title),
                "rows": [
                    {
                        "id": row.id,
                        "names": None if row.names is None else words_view(row.names),
                        "value": None if row.value is None else words_view(row.value),
                        "words": [words_view(each) for each in row.words],
                        "changed": row.is_changed,
                        "off": row.is_off,
                    }
                    for row in section.rows
                ],
            }
            for section in sheet.sections
        ],
    }


def values_view(config: Config, tell: Callable[[str], str] = str) -> View:
    """The settings' values that a form may change.

    Args:
        config: the settings.
        tell: makes of an address what may be shown.
    """
    try:
        chosen = dict(profile_of(config).rules.chosen)
    except ConfigError:
        chosen = {}
    return {
        "seats": {"names": list(config.seats.names)},
        "rules": {
            "id": config.rules.id,
            "profile": config.rules.profile,
            "name": config.rules.name,
            "house": config.rules.house,
            "options": dict(config.rules.options),
            "chosen": chosen,
        },
        "camera": {
            "source": tell(config.camera.source.whole),
            "corners": bool(config.camera.corners),
        },
        "eyes": {"set": config.eyes.set, "learns": config.eyes.learns},
        "board": {"port": tell(config.board.port.whole)},
    }


def rules_view(id: str) -> View:
    """A rule set with what a house may agree on."""
    rules = find_rules(id)
    return {
        "id": rules.id,
        "names": words_view(rules.names),
        "options": [_option_view(option) for option in rules.options_as_asked],
        "argued": len(rules.argued),
    }


def _option_view(option: Option) -> View:
    is_range = isinstance(option.values, range)
    return {
        "name": option.name,
        "default": option.default,
        "values": None if is_range else list(option.values),
        "said": [] if is_range else [words_view(option.say(value)) for value in option.values],
        "least": option.values[0] if is_range else None,
        "most": option.values[-1] if is_range else None,
        "words": words_view(option.words),
        "source": option.source,
    }
