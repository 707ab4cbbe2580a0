"""The languages there are, and which of them somebody means who names one."""

import locale
import os
from collections.abc import Mapping
from functools import cache

from table_assist.languages.catalogue import catalogues, tags

# Each as HTML has it.
LANGUAGES = {"en": "en", "zh": "zh-Hans"} | {tag: tag for tag in tags()}


def known(said: str) -> str | None:
    """A language by what a browser or a system calls it; None for one that there is not.

    Of ``zh-Hant-TW``, the longest name that is known from its beginning.

    >>> known("zh_TW"), known("en-GB"), known("tlh")
    ('zh-Hant', 'en', None)
    """
    parts = said.lower().replace("_", "-").split("-")
    names = ("-".join(parts[:count]) for count in range(len(parts), 0, -1))
    return next((_called()[name] for name in names if name in _called()), None)


@cache
def _called() -> Mapping[str, str]:
    """Each language by all its names, in small letters."""
    written = {said.lower(): tag for tag, said in LANGUAGES.items()}
    browsers = {
        said.lower(): tag for tag, one in catalogues().items() for said in (tag, *one.browsers)
    }
    return written | browsers | {"zh": "zh"}


def of_terminal() -> str:
    """The language of this terminal; ``en`` where it is none of ours."""
    said = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    named = next(filter(None, said), None) or locale.getlocale()[0] or ""
    named = named.partition(".")[0]
    # Windows says "Chinese (Traditional)_Taiwan.950", or "Japanese_Japan".
    english = named.lower().partition("_")[0].replace(" (traditional)", "-t")
    alias = locale.locale_alias.get(english.replace(" (simplified)", "-s"), "")
    return known(named) or known(alias.partition(".")[0]) or "en"
