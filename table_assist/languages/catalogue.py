"""A language beyond English and Chinese: one file, ``table_assist/languages/TAG.po``.

The file is gettext's: translators' tools open it. An entry is found by its English (``msgid``),
and by its Chinese beside it (``msgctxt``) where one English sentence has two Chinese ones. It is
read as it lies there, so that nothing has to be built first; ``tools/languages.py`` writes it.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from gettext import c2py
from pathlib import Path

FOLDER = Path(__file__).parent
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
    return tuple(sorted(path.stem for path in FOLDER.glob("*.po")))


@cache
def catalogues() -> Mapping[str, Catalogue]:
    """The same with what stands in each, by its tag."""
    return {tag: read(FOLDER / f"{tag}.po") for tag in tags()}


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
