"""What an examination found: one line each, and what to do about it."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


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
        advice: what to do about it, in one sentence; empty when all is well.
    """

    what: str
    verdict: Verdict
    says: str
    advice: str = ""


_MARKS = {Verdict.GOOD: "✓", Verdict.DOUBT: "?", Verdict.BAD: "✗"}
_WIDTH = 9


def finding_lines(finding: Finding) -> list[str]:
    """A finding for people.

    >>> finding_lines(Finding("port", Verdict.GOOD, "There it is."))
    ['✓ port     There it is.']
    """
    lines = [f"{_MARKS[finding.verdict]} {finding.what:<{_WIDTH}}{finding.says}"]
    if finding.advice:
        lines.append(f"  {'':<{_WIDTH}}→ {finding.advice}")
    return lines


def is_well(findings: Iterable[Finding]) -> bool:
    """Nothing is bad."""
    return all(finding.verdict is not Verdict.BAD for finding in findings)
