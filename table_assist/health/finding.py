"""A finding on one thing: how it is, since when, and what to do. Doctor and health page."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from table_assist.languages.words import SaidError, Words, same, unended


class State(StrEnum):
    """How a thing is."""

    GOOD = "good"
    DOUBT = "doubt"  # it may be meant so, or will become bad
    BAD = "bad"
    NONE = "none"  # there is nothing to look at


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at.

    Attributes:
        id: such as ``camera``; also its anchor on the page.
        says: how it is, in one sentence.
        advice: what to do about it, in one sentence; None when nothing is to be done.
        since_s: when it became so, seconds since the epoch; 0 if nobody kept it.
    """

    id: str
    state: State
    says: Words
    advice: Words | None = None
    since_s: float = 0.0


_MARKS = {State.GOOD: "✓", State.DOUBT: "?", State.BAD: "✗", State.NONE: "·"}
_WIDTH = 9


def finding_lines(finding: Finding, language: str = "en") -> list[str]:
    """A finding for people at a terminal.

    Args:
        language: as `Words.said` has it.

    >>> finding_lines(Finding("port", State.GOOD, Words("There it is.", "有。")))
    ['✓ port     There it is.']
    """
    says: str = finding.says.said(language)
    lines = [f"{_MARKS[finding.state]} {finding.id:<{_WIDTH}}{says}"]
    if finding.advice is not None:
        lines.append(f"  {'':<{_WIDTH}}→ {finding.advice.said(language)}")
    return lines


def as_said(error: Exception | str) -> Words:
    """Another part's error in its own words."""
    said = error.words if isinstance(error, SaidError) else same(str(error))
    return Words("{text}.", "{text}。", text=unended(said))


def is_well(findings: Iterable[Finding]) -> bool:
    """Nothing is bad."""
    return all(finding.state is not State.BAD for finding in findings)
