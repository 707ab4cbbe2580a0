"""The numbered rules of a rule set, restated in a sentence each: what its printed sheet tells.

A sentence says what is played: ``{draw_dealer}`` in it stands for that setting's value in words, so
it is as true under every option as under the defaults.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from table_assist.languages.words import Words
from table_assist.rules.options import At, OnlyIf, Options, in_force

_SLOT = re.compile(r"\{(\w+)\}")
# Names that stand for the same in every rule set; the sheet knows what (``sheet/in_words.py``).
COMMON = frozenset({"begins", "costs", "last_tile", "at_end"})
# The words for a name that is no setting's.
Slot = Callable[[Options], Words]
# The sentence where a setting has that value.
Instead = tuple[tuple[At, str, str], ...]


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


def law(
    number: str,
    en: str,
    zh: str,
    where: str,
    explains: str = "",
    *,
    options: tuple[str, ...] = (),
    only_if: OnlyIf = None,
    instead: Instead = (),
    slots: Mapping[str, Slot] | None = None,
) -> Law:
    """A law from its words.

    >>> law("X-01", "Any tile wins.", "任意牌可和。", "Winning").in_force({})
    True
    """
    otherwise = tuple((at, Words(said_en, said_zh)) for at, said_en, said_zh in instead)
    return Law(number, Words(en, zh), where, explains, options, only_if, otherwise, slots or {})
