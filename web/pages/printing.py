"""Pages to print: a title and parts below each other. The browser makes the paper."""

from collections.abc import Sequence
from dataclasses import dataclass

from flask import render_template

from table_assist.languages.tags import LANGUAGES
from web.language import chosen_language
from web.page_words import page_words


@dataclass(frozen=True, slots=True)
class Line:
    """One paragraph.

    Attributes:
        kind: as `print.css` has it; empty for plain text.
        lead: stands before it in bold letters.
    """

    text: str
    kind: str = ""
    lead: str = ""


@dataclass(frozen=True, slots=True)
class Grid:
    """A table of figures.

    Attributes:
        left: columns that stand to the left, as words do.
        has_sum: the last row is one.
        is_whole: it is not parted between two pages.
    """

    head: Sequence[str]
    rows: Sequence[Sequence[object]]
    left: Sequence[int] = ()
    has_sum: bool = False
    is_whole: bool = False


@dataclass(frozen=True, slots=True)
class Signatures:
    """Lines to sign on, with what stands below each."""

    names: Sequence[str]


Part = Line | Grid | Signatures


def printed(title: str, parts: Sequence[Part], kind: str = "") -> str:
    """The page in the reader's language.

    Args:
        kind: ``wall`` for two columns in the largest letters that two pages hold.
    """
    language = chosen_language()
    return render_template(
        "print.html",
        language=LANGUAGES[language],
        title=title,
        parts=parts,
        kind=kind,
        button=page_words("table")["print"].said(language),
    )
