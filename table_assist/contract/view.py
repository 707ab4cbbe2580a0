"""The values that a page is given, in the shape of JSON."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from table_assist.languages.words import Words

View = dict[str, Any]
_BESIDE: ContextVar[str] = ContextVar("beside", default="")


def words_view(words: Words) -> View:
    """English, Chinese, and the language that is spoken beside them; the page chooses."""
    view = {"en": words.en, "zh": words.zh}
    beside = _BESIDE.get()
    if beside:
        view[beside] = words.said(beside)
    return view


def speak(language: str) -> None:
    """This thread answers in that language, too, from now on."""
    _BESIDE.set("" if language in ("en", "zh") else language)


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """The same for a while."""
    before = _BESIDE.get()
    speak(language)
    try:
        yield
    finally:
        _BESIDE.set(before)
