"""What an examination found: one line each, and what to do about it."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from table_assist.words import Words


class Verdict(StrEnum):
    """How a thing is."""

    GOOD = "good"
    DOUBT = "doubt"  # it may be meant so
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at.

    Attributes:
        what: such as ``board``.
        says: how it is, in one sentence.
        advice: what to do about it, in one sentence; none when all is well.
    """

    what: str
    verdict: Verdict
    says: Words
    advice: Words | None = None


_MARKS = {Verdict.GOOD: "✓", Verdict.DOUBT: "?", Verdict.BAD: "✗"}
_WIDTH = 9


def finding_lines(finding: Finding, language: str = "en") -> list[str]:
    """A finding for people.

    Args:
        language: ``en`` or ``zh``.

    >>> finding_lines(Finding("port", Verdict.GOOD, Words("There it is.", "有。")))
    ['✓ port     There it is.']
    """
    says: str = getattr(finding.says, language)
    lines = [f"{_MARKS[finding.verdict]} {finding.what:<{_WIDTH}}{says}"]
    if finding.advice is not None:
        lines.append(f"  {'':<{_WIDTH}}→ {getattr(finding.advice, language)}")
    return lines


def as_said(error: Exception | str) -> Words:
    """What another part of the program says of itself, in its own words."""
    text = str(error).rstrip(".")
    return Words(f"{text}.", f"{text}。")


def is_well(findings: Iterable[Finding]) -> bool:
    """Nothing is bad."""
    return all(finding.verdict is not Verdict.BAD for finding in findings)
