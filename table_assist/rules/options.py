"""What a table may agree on, with the book's value as default; and the book's laws in words."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from table_assist.languages.words import NOTHING, Words
from table_assist.rules.verdict import book_data

OptionValue = bool | int | str
Options = Mapping[str, OptionValue]
# A setting and the value, or the values, that it must have; none for what is always in force.
At = tuple[str, OptionValue | tuple[OptionValue, ...]]
OnlyIf = At | None
YES_WORDS, NO_WORDS = Words("yes", "是"), Words("no", "否")


class OptionError(ValueError):
    """There is no such setting, or it cannot be so.

    Attributes:
        name: of the setting.
    """

    def __init__(self, sentence: str, name: str) -> None:
        super().__init__(sentence)
        self.name = name


@dataclass(frozen=True, slots=True)
class Option:
    """One setting.

    Attributes:
        values: what it may be, of one type; a ``range`` for an amount.
        words: what it decides, in a sentence.
        source: where the documents leave it open.
        stood_for: how the default stands in the identity of a profile, where hands were played
            before it was so: () for an option that came later, else the default of then.
        said: what each value means, in words that a sentence can hold; an amount says itself, and
            yes and no do.
        unseen: why no single hand shows the difference; empty where one does.
    """

    name: str
    values: tuple[OptionValue, ...] | range
    default: OptionValue
    words: Words
    source: str
    stood_for: tuple[OptionValue, ...] | None = None
    said: Mapping[OptionValue, Words] = field(default_factory=dict, hash=False)
    unseen: Words = NOTHING

    def __post_init__(self) -> None:
        if not self.allows(self.default):
            raise ValueError(f"option {self.name!r} cannot be {self.default!r}, its own default")

    def allows(self, value: object) -> bool:
        """Whether the setting may have this value; ``true`` is not 1.

        >>> Option("cards", (13, 14), 14, Words("", ""), "").allows(True)
        False
        """
        return type(value) is type(self.default) and value in self.values

    def say(self, value: OptionValue) -> Words:
        """A value in words.

        >>> str(Option("cards", (13, 14), 14, Words("", ""), "").say(13))
        '13'
        """
        if value in self.said:
            return self.said[value]
        if isinstance(value, bool):
            return YES_WORDS if value else NO_WORDS
        return Words(str(value), str(value))

    @property
    def allowed(self) -> str:
        """The values in words."""
        if isinstance(self.values, range):
            return f"a whole number from {self.values[0]} to {self.values[-1]}"
        return f"one of {', '.join(map(str, self.values))}"


def in_force(only_if: OnlyIf, options: Options) -> bool:
    """Whether something is played under these settings."""
    if only_if is None:
        return True
    name, wanted = only_if
    return options[name] in (wanted if isinstance(wanted, tuple) else (wanted,))


def defaults(options: Iterable[Option]) -> Options:
    """Every setting at its default."""
    return MappingProxyType({option.name: option.default for option in options})


def choose(
    rules_id: str, known: Iterable[Option], now: Options, values: Mapping[str, object]
) -> Options:
    """The settings after some of them are changed.

    Raises:
        OptionError: no such option, or a value that it cannot have.
    """
    by_name = {option.name: option for option in known}
    chosen = dict(now)
    for name, value in values.items():
        if name not in by_name:
            raise OptionError(
                f"no option {name!r} in {rules_id}; there are {sorted(by_name)}", name
            )
        if not by_name[name].allows(value):
            raise OptionError(
                f"option {name!r} of {rules_id} cannot be {value!r}; it is {by_name[name].allowed}",
                name,
            )
        assert isinstance(value, bool | int | str)
        chosen[name] = value
    return MappingProxyType(chosen)


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
    return options, tuple(
        Law(
            number,
            Words(row["en"], row["zh"]),
            row["where"],
            row.get("explains", ""),
            tuple(row.get("options", ())),
            _at(row["only_if"]) if "only_if" in row else None,
            tuple((_at(at), Words(en, zh)) for at, en, zh in row.get("instead", ())),
            slots,
        )
        for number, row in book["laws"].items()
    )


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


def _at(only_if: tuple[str, Any]) -> At:
    name, wanted = only_if
    return name, tuple(wanted) if isinstance(wanted, list) else wanted
