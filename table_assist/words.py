"""A sentence or a name in the two languages the table speaks."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Words:
    """The same thing in English and Chinese."""

    en: str
    zh: str

    def __str__(self) -> str:
        return self.en

    def map(self, change: Callable[[str], str]) -> "Words":
        """Both languages, each changed alike."""
        return Words(change(self.en), change(self.zh))
