"""The numbered rules of a rule set, restated in a sentence each: what its printed sheet tells.

A sentence says what is played: ``{draw_dealer}`` in it stands for that setting's value in words, so
it is as true under every option as under the defaults.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from table_assist.languages.words import Words
from table_assist.rules.options import At, OnlyIf, Option, Options, in_force
from table_assist.rules.verdict import book_data

_SLOT = re.compile(r"\{(\w+)\}")
# Names that stand for the same in every rule set; the sheet knows what (``sheet/sheet.py``).
COMMON = frozenset({"begins", "costs", "last_tile", "at_end"})
# The words for a name that is no setting's.
Slot = Callable[[Options], Words]


@dataclass(frozen=True, slots=True)
class Law:
    """One numbered rule.

    Attributes:
        number: as in the rules specification: ``CS-21a``.
        source: the document's sections; one that says ``not in the document`` or ``(silent)`` is
            marked so.
        explains: the pattern or condition that the sentence is about; none for any other rule.
        options: the settings that bear on it, beside those that its words name.
        only_if: it is played only where that setting has that value.
        instead: what it says where a setting has another value, the first that is met.
        slots: what stands for a name in its words that is no setting's.
    """

    number: str
    words: Words
    source: str
    explains: str = ""
    options: tuple[str, ...] = ()
    only_if: OnlyIf = None
    instead: tuple[tuple[At, Words], ...] = ()
    slots: Mapping[str, Slot] = field(default_factory=dict, hash=False)

    def in_force(self, options: Options) -> bool:
        """Whether it is played under these settings."""
        return in_force(self.only_if, options)

    @property
    def bearing(self) -> frozenset[str]:
        """The settings on which it rests."""
        every = (self.words, *(words for _, words in self.instead))
        named = {name for words in every for name in _SLOT.findall(words.en + words.zh)}
        asked = {name for (name, _), _ in self.instead}
        if self.only_if is not None:
            asked.add(self.only_if[0])
        return frozenset((named - set(self.slots) - COMMON) | asked | set(self.options))

    def say(self, named: Mapping[str, Words], chosen: Options) -> Words:
        """The law's sentence at the settings in force.

        Args:
            named: what stands for each name: a setting's value in words, by the setting.
            chosen: the settings' values.
        """
        words = next((said for at, said in self.instead if in_force(at, chosen)), self.words)
        own = {name: slot(chosen) for name, slot in self.slots.items()}
        return fill(words, {**named, **own})


def fill(words: Words, named: Mapping[str, Words]) -> Words:
    """Words with what stands for the names in them.

    >>> str(fill(Words("It is {colour}.", ""), {"colour": Words("red", "")}))
    'It is red.'
    """
    return words.filled(**named)


def read_book(folder: str, **slots: Slot) -> tuple[tuple[Option, ...], tuple[Law, ...]]:
    """The settings and the laws of a rule book: ``sets/<folder>/book.toml``.

    A setting's default is its first value; ``sets/common.toml`` has what books do not say anew.

    Args:
        slots: what stands for a name in a law's words that is no setting's.
    """
    common, book = book_data("common.toml"), book_data(f"{folder}/book.toml")
    options = tuple(
        _option(name, {**common["options"].get(name, {}), **row}, book["document"], common)
        for name, row in book["options"].items()
    )
    return options, tuple(_law(number, row, slots) for number, row in book["laws"].items())


def read_asked(folder: str) -> dict[str, tuple[Words, str]]:
    """What a book asks of a hand, a call or a declaration: words and clause, by the condition."""
    book = book_data(f"{folder}/book.toml")
    return {id: (Words(en, zh), where) for id, (en, zh, where) in book["asked"].items()}


def _option(name: str, row: dict[str, Any], document: str, common: dict[str, Any]) -> Option:
    least, most = row.get("amount", (0, 0))
    values = tuple(row["values"]) if "values" in row else range(least, most + 1)
    unseen = row.get("unseen", ("", ""))
    return Option(
        name,
        values,
        row.get("default", values[0]),
        Words(row["en"], row["zh"]),
        f"{document} > {row['where']}",
        tuple(row["stood_for"]) if "stood_for" in row else None,
        {value: Words(*said) for value, said in zip(values, row.get("said", ()), strict=False)},
        Words(*(common["reasons"][unseen] if isinstance(unseen, str) else unseen)),
    )


def _law(number: str, row: dict[str, Any], slots: Mapping[str, Slot]) -> Law:
    return Law(
        number,
        Words(row["en"], row["zh"]),
        row["where"],
        row.get("explains", ""),
        tuple(row.get("options", ())),
        _at(row["only_if"]) if "only_if" in row else None,
        tuple((_at(at), Words(en, zh)) for at, en, zh in row.get("instead", ())),
        slots,
    )


def _at(only_if: tuple[str, Any]) -> At:
    name, wanted = only_if
    return name, tuple(wanted) if isinstance(wanted, list) else wanted
