"""The numbered rules of a rule set, restated in a sentence each: what its printed sheet tells."""

from dataclasses import dataclass

from table_assist.rules.words import Words


@dataclass(frozen=True, slots=True)
class Law:
    """One numbered rule.

    Attributes:
        number: as in the rules specification: ``CS-21a``.
        source: the document's sections; one that says ``not in the document`` is marked so.
        pattern: the pattern that the sentence explains; none for any other rule.
    """

    number: str
    words: Words
    source: str
    pattern: str = ""
