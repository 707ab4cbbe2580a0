"""A sentence or a name in the two languages the table speaks."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Words:
    """The same thing in English and Chinese."""

    en: str
    zh: str

    def __str__(self) -> str:
        return self.en
