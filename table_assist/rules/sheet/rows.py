"""The parts of a rule sheet: rows in sections, each word in English and Chinese."""

from dataclasses import dataclass

from table_assist.languages.words import Words

NOTHING = Words("", "")


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One line of the sheet; what a row does not have is empty.

    Attributes:
        id: as profiles, worked examples and answers name it.
        names: what players call it.
        value: what it counts, or an option's value in force.
        allowed: the values that an option may have.
        words: what it is, in sentences.
        source: where it stands.
        is_ours: it is not from the document.
        is_changed: an option that is not at its default.
        is_off: the options in force leave it out.
    """

    id: str = ""
    names: Words | None = None
    value: Words | None = None
    allowed: str = ""
    words: tuple[Words, ...] = ()
    source: str = ""
    is_ours: bool = False
    is_changed: bool = False
    is_off: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """Rows of one kind.

    Attributes:
        value: what their values are, as a heading.
    """

    id: str
    title: Words
    rows: tuple[SheetRow, ...]
    value: Words = NOTHING


@dataclass(frozen=True, slots=True)
class Sheet:
    """A whole rule sheet.

    Attributes:
        lead: what is in force, in sentences.
    """

    title: Words
    lead: tuple[Words, ...]
    sections: tuple[Section, ...]
