"""A language beyond English and Chinese: one file, ``table_assist/languages/TAG.po``.

The file is gettext's: translators' tools open it. An entry is found by its English (``msgid``),
and by its Chinese beside it (``msgctxt``) where one English sentence has two Chinese ones. It is
read as it lies there, so that nothing has to be built first; ``tools/languages.py`` writes it.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from gettext import c2py
from pathlib import Path

FOLDER = Path(__file__).parent / "languages"
Key = tuple[str, str, str]  # Chinese where the English alone does not say which, English, plural


@dataclass(frozen=True, slots=True)
class Catalogue:
    """One language.

    Attributes:
        tag: as HTML has it, ``zh-Hant``.
        name: as its speakers call it.
        browsers: what browsers call it besides the tag.
        fallback: ``en`` or ``zh``: what is said where an entry is missing.
        entries: what stands there for each key, a form for each plural.
        plural: which form a number takes.
    """

    tag: str
    name: str
    browsers: tuple[str, ...]
    fallback: str
    entries: Mapping[Key, tuple[str, ...]] = field(repr=False)
    plural: Callable[[int], int] = field(repr=False)

    def template(self, en: str, zh: str, many: str = "", number: int = 1) -> str | None:
        """What this language says for the sentence; None where its file lacks it."""
        found = self.entries.get((zh, en, many)) or self.entries.get(("", en, many))
        return found[self.plural(number)] if found else None


@cache
def catalogues() -> Mapping[str, Catalogue]:
    """Every language that has a file, by its tag."""
    return {path.stem: read(path) for path in sorted(FOLDER.glob("*.po"))}


def read(path: Path) -> Catalogue:
    """The catalogue in the file.

    Raises:
        ValueError: it is no catalogue.
        KeyError: its head does not say what it must.
    """
    entries = {key: forms for key, forms in _entries(path) if all(forms)}
    head = dict(line.split(": ", 1) for line in entries.pop(("", "", ""))[0].splitlines())
    rule = head["Plural-Forms"].partition("plural=")[2].rstrip("; ")
    return Catalogue(
        path.stem,
        head["X-Name"],
        tuple(head["X-Browsers"].split()),
        head["X-Fallback"],
        entries,
        c2py(rule),
    )


def _entries(path: Path) -> Iterator[tuple[Key, tuple[str, ...]]]:
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        said = _fields(block.splitlines())
        if "msgid" in said:
            forms = [text for name, text in said.items() if name.startswith("msgstr")]
            key = (said.get("msgctxt", ""), said["msgid"], said.get("msgid_plural", ""))
            yield key, tuple(forms)


def _fields(lines: Iterable[str]) -> dict[str, str]:
    """An entry's fields; remarks and entries struck out (``#~``) are none."""
    said: dict[str, str] = {}
    name = ""
    for line in lines:
        if line and not line.startswith("#"):
            if not line.startswith('"'):
                name, _, line = line.partition(" ")
            said[name] = said.get(name, "") + json.loads(line)
    return said
