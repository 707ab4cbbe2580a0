"""The code's sentences: every one that stands in it in English and Chinese.

A pair of literals side by side is a sentence, in a call or in a row of a table: ``Words("East",
"东")``. `Plural` has two in English. Rule books and pages have theirs in data.
"""

import ast
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
HOUSES = ("table_assist", "web")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of the code.

    Attributes:
        many: the English for any number but one; empty where no number is in it.
    """

    en: str
    zh: str
    many: str


def sentences() -> Iterator[Sentence]:
    """Every sentence, in the order of files and lines; one that is said twice comes twice."""
    for path in sources():
        for en, zh, many in pairs(ast.parse(path.read_text(encoding="utf-8"))):
            yield Sentence(en, zh, many)
    for path in sorted((ROOT / "table_assist").rglob("*.toml")):
        for en, zh in in_data(tomllib.loads(path.read_text("utf-8"))):
            yield Sentence(en, zh, "")
    for page in tomllib.loads((ROOT / "web" / "words.toml").read_text("utf-8")).values():
        yield from (Sentence(en, zh, "") for en, zh in page.values())


def in_data(data: Any) -> Iterator[tuple[str, str]]:
    """The sentences of a rule book: what it calls ``en`` and ``zh``, and pairs in its lists."""
    if isinstance(data, dict):
        if "en" in data:
            yield data["en"], data["zh"]
        data = list(data.values())
    elif isinstance(data, list):
        for en, zh in pairwise(data):
            if isinstance(zh, str) and is_chinese(zh):
                yield en, zh
    for each in data if isinstance(data, list) else ():
        yield from in_data(each)


def sources() -> Iterator[Path]:
    """Every file of the program."""
    for house in HOUSES:
        yield from sorted((ROOT / house).rglob("*.py"))


def pairs(tree: ast.AST) -> Iterator[tuple[str, str, str]]:
    """English, Chinese, and the English for many; as they stand."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            given = list(node.args)
            if called(node) == "Plural":
                _, one, many, zh = map(text_of, given[:4])
                yield str(one), str(zh), str(many)
            else:
                yield from _beside(given, is_words=called(node) == "Words")
        elif isinstance(node, ast.Tuple | ast.List):
            yield from _beside(node.elts, is_words=False)


def _beside(row: list[ast.expr], *, is_words: bool) -> Iterator[tuple[str, str, str]]:
    for one, other in pairwise(row):
        for en, zh in _ways(one, other):
            if (is_chinese(zh) and not is_chinese(en)) or (is_words and en != zh):
                yield en, zh, ""


def _ways(one: ast.expr, other: ast.expr) -> Iterator[tuple[str, str]]:
    """A pair, or each of two where a condition chooses."""
    if isinstance(one, ast.IfExp) and isinstance(other, ast.IfExp):
        yield from _ways(one.body, other.body)
        yield from _ways(one.orelse, other.orelse)
    en, zh = text_of(one), text_of(other)
    if en is not None and zh is not None:
        yield en, zh


def called(node: ast.Call) -> str:
    """The last name of what is called."""
    return node.func.attr if isinstance(node.func, ast.Attribute) else ast.unparse(node.func)


def text_of(node: ast.AST) -> str | None:
    """A literal's text."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def is_chinese(text: str) -> bool:
    """Whether something in it is Chinese, punctuation too."""
    return any("\u3000" <= char <= "\u9fff" or "\uff00" <= char <= "\uffef" for char in text)


# --- As catalogues have it

Key = tuple[str, str, str]  # Chinese where the English alone does not say which, English, plural
SLOT = re.compile(r"\{(\w*)\}")


@cache
def wanted() -> dict[Key, list[Sentence]]:
    """The entries that a catalogue must have, and the sentences of each.

    What is alike in English and Chinese is alike everywhere: a name, a sign.
    """
    every = [each for each in sentences() if each.en != each.zh]
    chinese: dict[tuple[str, str], set[str]] = {}
    for each in every:
        chinese.setdefault((each.en, each.many), set()).add(each.zh)
    found: dict[Key, list[Sentence]] = {}
    for each in every:
        context = each.zh if len(chinese[each.en, each.many]) > 1 else ""
        found.setdefault((context, each.en, each.many), []).append(each)
    return found


def slots_fit(key: Key, zh: str, translated: str) -> bool:
    """Whether a translation fills in what English and Chinese both do, and nothing else than they.

    >>> slots_fit(("", "{who} draws.", ""), "{who}摸牌。", "{who}がツモ。")
    True
    """
    said = [set(SLOT.findall(text)) for text in (key[1], key[2] or key[1], zh)]
    return set.intersection(*said) <= set(SLOT.findall(translated)) <= set.union(*said)
