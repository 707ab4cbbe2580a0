"""The languages there are, and which of them somebody means who names one."""

import locale
import os

from table_assist.languages.catalogue import catalogues

# Each as HTML has it.
LANGUAGES = {"en": "en", "zh": "zh-Hans"} | {tag: tag for tag in catalogues()}
# As it is called by who speaks it.
NAMES = {"en": "English", "zh": "简体中文"} | {tag: one.name for tag, one in catalogues().items()}
_TAGS = {said.lower(): tag for tag, said in LANGUAGES.items()} | {
    said.lower(): tag for tag, one in catalogues().items() for said in (tag, *one.browsers)
}
_TAGS["zh"] = "zh"


def known(said: str) -> str | None:
    """A language by what a browser or a system calls it; None for one that there is not.

    Of ``zh-Hant-TW``, the longest name that is known from its beginning.

    >>> known("zh_TW"), known("en-GB"), known("tlh")
    ('zh-Hant', 'en', None)
    """
    parts = said.lower().replace("_", "-").split("-")
    names = ("-".join(parts[:count]) for count in range(len(parts), 0, -1))
    return next((_TAGS[name] for name in names if name in _TAGS), None)


def of_terminal() -> str:
    """The language of this terminal; ``en`` where it is none of ours."""
    said = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    named = next(filter(None, said), None) or locale.getlocale()[0] or ""
    # Windows says "Chinese (Simplified)_China.936".
    is_chinese = named.lower().startswith("chinese")
    return "zh" if is_chinese else known(named.partition(".")[0]) or "en"


def written_small(tag: str) -> str:
    """``en`` or ``zh``: of what has Latin and simplified Chinese letters only."""
    return tag if tag in ("en", "zh") else catalogues()[tag].fallback
