"""Languages by their tags; beyond English and Chinese a file ``table_assist/languages/TAG.po``.

The file is gettext's: translators' tools open it. An entry is found by its English (``msgid``),
and by its Chinese beside it (``msgctxt``) where one English sentence has two Chinese ones. It is
read as it lies there, so that nothing has to be built first; ``tools/languages.py`` writes it.
"""

import json
import locale
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from gettext import c2py
from pathlib import Path

CATALOGUES = Path(__file__).parent
Key = tuple[str, str, str]  # Chinese where the English alone does not say which, English, plural


@dataclass(frozen=True)
class Catalogue:
    """One language.

    Attributes:
        tag: as HTML has it, ``zh-Hant``.
        name: as its speakers call it.
        browsers: what browsers call it besides the tag.
        fallback: ``en`` or ``zh``: what is said where an entry is missing.
        plural: which form a number takes.
    """

    tag: str
    name: str
    browsers: tuple[str, ...]
    fallback: str
    plural: Callable[[int], int] = field(repr=False)
    _text: str = field(repr=False)

    @cached_property
    def entries(self) -> Mapping[Key, tuple[str, ...]]:
        """The forms of each key, one for each plural; read when first asked for."""
        blocks = self._text.split("\n\n")[1:]
        return {key: forms for key, forms in map(_entry, blocks) if key[1] and all(forms)}

    def template(self, en: str, zh: str, many: str = "", number: int = 1) -> str | None:
        """This language's template for the sentence; None where its file lacks it."""
        found = self.entries.get((zh, en, many)) or self.entries.get(("", en, many))
        return found[self.plural(number)] if found else None


def tags() -> tuple[str, ...]:
    """Every language that has a file; no file is read."""
    return tuple(sorted(path.stem for path in CATALOGUES.glob("*.po")))


@cache
def catalogues() -> Mapping[str, Catalogue]:
    """The same with what stands in each, by its tag."""
    return {tag: read(CATALOGUES / f"{tag}.po") for tag in tags()}


def read(path: Path) -> Catalogue:
    """The catalogue in the file.

    Raises:
        KeyError: its head does not say what it must.
    """
    text = path.read_text(encoding="utf-8")
    _, (said, *_) = _entry(text.split("\n\n", 1)[0])
    head = dict(line.split(": ", 1) for line in said.splitlines())
    rule = head["Plural-Forms"].partition("plural=")[2].rstrip("; ")
    return Catalogue(
        path.stem,
        head["X-Name"],
        tuple(head["X-Browsers"].split()),
        head["X-Fallback"],
        c2py(rule),
        text,
    )


def _entry(block: str) -> tuple[Key, tuple[str, ...]]:
    # An entry's fields; remarks and entries struck out (``#~``) are none
    lines = block.splitlines()
    said: dict[str, str] = {}
    name = ""
    for line in lines:
        if line and not line.startswith("#"):
            if not line.startswith('"'):
                name, _, line = line.partition(" ")
            said[name] = said.get(name, "") + json.loads(line)
    forms = tuple(text for name, text in said.items() if name.startswith("msgstr"))
    return (said.get("msgctxt", ""), said.get("msgid", ""), said.get("msgid_plural", "")), forms


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
