"""The numbered rules of a rule set, restated in a sentence each: what its printed sheet tells."""

from dataclasses import dataclass

from table_assist.rules.options import Options, OptionValue
from table_assist.words import Words


@dataclass(frozen=True, slots=True)
class Law:
    """One numbered rule.

    Attributes:
        number: as in the rules specification: ``CS-21a``.
        source: the document's sections; one that says ``not in the document`` or ``(silent)`` is
            marked so.
        explains: the pattern or condition that the sentence is about; none for any other rule.
        options: the settings that bear on it.
        only_if: it is played only where that setting has that value.
    """

    number: str
    words: Words
    source: str
    explains: str = ""
    options: tuple[str, ...] = ()
    only_if: tuple[str, OptionValue] | None = None

    def in_force(self, options: Options) -> bool:
        """Whether it is played under these settings."""
        return self.only_if is None or options[self.only_if[0]] == self.only_if[1]


def law(
    number: str,
    en: str,
    zh: str,
    where: str,
    explains: str = "",
    *,
    options: tuple[str, ...] = (),
    only_if: tuple[str, OptionValue] | None = None,
) -> Law:
    """A law from its words.

    >>> law("X-01", "Any tile wins.", "任意牌可和。", "Winning").in_force({})
    True
    """
    return Law(number, Words(en, zh), where, explains, options, only_if)
