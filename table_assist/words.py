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

    def __bool__(self) -> bool:
        return bool(self.en or self.zh)

    def map(self, change: Callable[[str], str]) -> "Words":
        """Both languages, each changed alike."""
        return Words(change(self.en), change(self.zh))


NOTHING = Words("", "")


class UserError(Exception):
    """What a person can put right; the message is one sentence."""


class SaidError(UserError):
    """The same in both languages."""

    def __init__(self, en: str, zh: str) -> None:
        super().__init__(en)
        self.words = Words(en, zh)


class WordsError(SaidError, ValueError):
    """The same of a value that cannot be."""


def words_of(error: Exception) -> Words:
    """What an error says; of one that says it in English alone the detail stays as it is."""
    return error.words if isinstance(error, SaidError) else Words(str(error), f"错误 {error}")
