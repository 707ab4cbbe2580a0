"""A sentence or a name in every language that the table speaks.

English and Chinese stand side by side in the code, as templates: ``Words("{who} draws",
"{who}摸牌", who=name)``. What is put in may be words themselves, which then speak the sentence's
language. Other languages are catalogues (`catalogue.py`), found by what stands here.
A name in braces that is not given stays as it is: a page fills it in, or `Words.filled` does.
"""

import re
import tomllib
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Any, Self

from table_assist.languages.catalogue import catalogues

_SLOT = re.compile(r"\{(\w+)\}")
_LEFTWARD = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)


def isolated(text: str) -> str:
    """What is written from right to left, so that it turns nothing that stands beside it."""
    return f"\u2068{text}\u2069" if _LEFTWARD.search(text) else text


class Words:
    """The same thing in every language; two are equal that say the same in English and Chinese."""

    __slots__ = ("_en", "_given", "_zh")
    __match_args__ = ("en", "zh")

    def __init__(self, en: str, zh: str, **given: object) -> None:
        self._en, self._zh, self._given = en, zh, given

    @property
    def en(self) -> str:
        """In English."""
        return self.said("en")

    @property
    def zh(self) -> str:
        """In Chinese, as it is written on the mainland."""
        return self.said("zh")

    def said(self, language: str) -> str:
        """In the language: ``en``, ``zh`` or a catalogue's tag."""
        template = self._template(language)
        if not self._given:
            return template
        return _SLOT.sub(lambda slot: self._filling(slot, language), template)

    def filled(self, **given: object) -> "Words":
        """The same with more filled in."""
        return Words(self._en, self._zh, **self._given, **given)

    def map(self, change: Callable[[str], str]) -> "Words":
        """Every language, each changed alike."""
        return Changed(self, lambda text, _: change(text))

    def _template(self, language: str) -> str:
        if language == "en":
            return self._en
        if language == "zh":
            return self._zh
        if self._en == self._zh:  # a name, a number, a sign
            return self._en
        catalogue = catalogues()[language]
        found = catalogue.template(self._en, self._zh)
        return self._template(catalogue.fallback) if found is None else found

    def _filling(self, slot: re.Match[str], language: str) -> str:
        if slot[1] not in self._given:
            return slot[0]
        value = self._given[slot[1]]
        return isolated(value.said(language) if isinstance(value, Words) else str(value))

    def __str__(self) -> str:
        return self.en

    def __repr__(self) -> str:
        return f"Words(en={self.en!r}, zh={self.zh!r})"

    def __bool__(self) -> bool:
        return bool(self._en or self._zh)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Words) and (self.en, self.zh) == (other.en, other.zh)

    def __hash__(self) -> int:
        return hash((self.en, self.zh))


class Plural(Words):
    """A sentence about a number, ``{n}``: English has two forms, other languages what they have.

    >>> Plural(1, "{n} bird", "{n} birds", "{n}只鸟").en
    '1 bird'
    """

    __slots__ = ("_many", "_number")

    def __init__(self, number: int, one: str, many: str, zh: str, /, **given: object) -> None:
        super().__init__(one, zh, n=number, **given)
        self._number, self._many = number, many

    def filled(self, **given: object) -> "Words":
        """The same with more filled in."""
        more = {**self._given, **given}
        del more["n"]
        return Plural(self._number, self._en, self._many, self._zh, **more)

    def _template(self, language: str) -> str:
        if language == "en":
            return self._en if self._number == 1 else self._many
        if language == "zh":
            return self._zh
        catalogue = catalogues()[language]
        found = catalogue.template(self._en, self._zh, self._many, self._number)
        return self._template(catalogue.fallback) if found is None else found


class Joined(Words):
    """Several words one after the other."""

    __slots__ = ("_between", "_parts")

    def __init__(self, parts: Iterable[Words], between: Words) -> None:
        super().__init__("", "")
        self._parts, self._between = tuple(parts), between

    def said(self, language: str) -> str:
        """In the language."""
        between = self._between.said(language).removeprefix("{one}").removesuffix("{next}")
        return between.join(part.said(language) for part in self._parts)

    def filled(self, **given: object) -> Words:
        """The same with every part filled in."""
        return Joined([part.filled(**given) for part in self._parts], self._between)

    def __bool__(self) -> bool:
        return any(self._parts)


class Changed(Words):
    """Words of which the text is changed, whatever the language."""

    __slots__ = ("_change", "_words")

    def __init__(self, words: Words, change: Callable[[str, str], str]) -> None:
        super().__init__("", "")
        self._words, self._change = words, change

    def said(self, language: str) -> str:
        """In the language."""
        return self._change(self._words.said(language), language)

    def filled(self, **given: object) -> Words:
        """The same with more filled in."""
        return Changed(self._words.filled(**given), self._change)

    def __bool__(self) -> bool:
        return bool(self._words)


NOTHING = Words("", "")
NONE = Words("none", "无")
# How one thing stands before the next.
COMMA = Words("{one}, {next}", "{one}，{next}")
LISTED = Words("{one}, {next}", "{one}、{next}")  # between things of one kind
AND = Words("{one} and {next}", "{one}、{next}")
OR = Words("{one} or {next}", "{one}或{next}")
SEMICOLON = Words("{one}; {next}", "{one}；{next}")
SPACED = Words("{one} {next}", "{one} {next}")
PLUS = Words("{one} + {next}", "{one} + {next}")
SPACE = Words("{one} {next}", "{one}{next}")  # between sentences


def joined(parts: Iterable[Words], between: Words = LISTED) -> Words:
    """Several words as one; what is empty is left out."""
    return Joined([part for part in parts if part], between)


def same(text: str) -> Words:
    """Words that are alike in every language: a name, a number, a code."""
    return Words(text, text)


def capitalised(words: Words) -> Words:
    """The same at the beginning of a sentence."""
    return words.map(lambda text: text[:1].upper() + text[1:])


def with_value(name: Words, value: int) -> Words:
    """A name and its value."""
    return Words("{name} {value}", "{name} {value}", name=name, value=value)


def unended(words: Words) -> Words:
    """A sentence without its full stop, to go on in another."""
    return words.map(lambda text: text.rstrip(".。"))


def called(words: Words, name: str, by: Words) -> Words:
    """The same with another word for a name in it."""
    return Changed(words, lambda text, language: text.replace(name, by.said(language)))


def with_players(words: Words, names: Iterable[Words]) -> Words:
    """The same with names for ``{0}``, ``{1}``, …."""
    given = {str(seat): name for seat, name in enumerate(names)}
    return Changed(
        words,
        lambda text, language: _SLOT.sub(
            lambda slot: isolated(given[slot[1]].said(language)) if slot[1] in given else slot[0],
            text,
        ),
    )


def player_at(seat: int | None) -> str:
    """Where the name of who sits there belongs: a page fills it in."""
    return f"{{{seat}}}"


class UserError(Exception):
    """An error that a person can put right; the message is one sentence."""


@cache
def _read(file: str) -> dict[str, dict[str, tuple[str, str]]]:
    return tomllib.loads(Path(__file__).with_name(file).read_text("utf-8"))


def phrase(name: str, /, **given: object) -> Words:
    """What `phrases.toml` has under ``module.name``, filled in."""
    module, _, kind = name.partition(".")
    en, zh = _read("phrases.toml")[module][kind]
    return Words(en, zh, **given)


class SaidError(UserError):
    """The same in every language, as `Words` has it."""

    def __init__(self, en: str, zh: str, /, **given: object) -> None:
        self.words = Words(en, zh, **given)
        super().__init__(self.words.en)

    @classmethod
    def told(cls, kind: str, /, **given: object) -> Self:
        """The error of a kind, which `errors.toml` has under its class, filled in."""
        return cls(*_read("errors.toml")[cls.__name__][kind], **given)

    @classmethod
    def of(cls, words: Words) -> Self:
        """The error that says these words."""
        error = cls(words.en, words.zh)
        error.words = words
        return error


class WordsError(SaidError, ValueError):
    """The same of a value that cannot be."""


def words_of(error: Exception) -> Words:
    """The error's words; of one that says it in English alone the detail stays as it is."""
    if isinstance(error, SaidError):
        return error.words
    return Words("{error}", "错误 {error}", error=error)


UNSHOWN = Words(
    "a name has a letter that is seen, and no control characters, turned directions or braces",
    "名字须有可见的字，且不含控制字符、文字方向控制符或花括号",
)
# They turn or isolate what stands beside them, or end the line.
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029")
_BLANK = frozenset("\u115f\u1160\u3164\uffa0\u2800")  # letters by kind, and yet nothing is seen


def clean_name(text: str) -> str:
    r"""The name as it is written, without what stands around it; empty where it cannot be shown.

    Joiners, the ideographic space, and combining and right-to-left marks belong to a name.

    >>> clean_name(" Ann "), clean_name("Bob\u202egnp"), clean_name("\u200b\u200b")
    ('Ann', '', '')
    """
    name = text.strip()
    kinds = [unicodedata.category(each) for each in name]
    if (
        any(kind in ("Cc", "Cs", "Cn") for kind in kinds)
        or _TURNING & set(name)
        or set("{}") & set(name)
    ):
        return ""
    seen = (kind[0] in "LNPS" for kind, each in zip(kinds, name, strict=True) if each not in _BLANK)
    return name if any(seen) else ""


View = dict[str, Any]
_SPACED_BY: ContextVar[str] = ContextVar("beside", default="")


def words_view(words: Words) -> View:
    """English, Chinese, and the language that is spoken beside them; the page chooses."""
    view = {"en": words.en, "zh": words.zh}
    beside = _SPACED_BY.get()
    if beside:
        view[beside] = words.said(beside)
    return view


def speak(language: str) -> None:
    """This thread answers in that language, too, from now on."""
    _SPACED_BY.set("" if language in ("en", "zh") else language)


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """The same for a while."""
    before = _SPACED_BY.get()
    speak(language)
    try:
        yield
    finally:
        _SPACED_BY.set(before)
