"""A finding on one thing: how it is, since when, and what to do. Doctors and the health page."""

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path

from table_assist.languages.words import Words, unended, words_of


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


@cache
def _rows() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads(Path(__file__).with_name("findings.toml").read_text("utf-8"))


def found(which: str, **given: object) -> Finding:
    """The finding of that name.

    Args:
        which: a thing and a line of it in `findings.toml`, such as ``camera.lost``.
        given: fills both sentences; an error stands for its own words.
    """
    thing, line = which.split(".")
    state, en, zh, *advice = _rows()[thing][line]
    filled = {
        name: unended(words_of(value)) if isinstance(value, Exception) else value
        for name, value in given.items()
    }
    told = Words(*advice).filled(**filled) if advice else None
    return Finding(thing, State(state), Words(en, zh, **filled), told)


_MARKS = {State.GOOD: "✓", State.DOUBT: "?", State.BAD: "✗", State.NONE: "·"}
_WIDTH = 9


def finding_lines(finding: Finding, language: str = "en") -> list[str]:
    """A finding for people at a terminal.

    Args:
        language: as `Words.said` has it.

    >>> finding_lines(found("picture.covered"))
    ['✗ picture  Nothing can be seen.', '           → Uncover the lens.']
    """
    lines = [f"{_MARKS[finding.state]} {finding.id:<{_WIDTH}}{finding.says.said(language)}"]
    if finding.advice is not None:
        lines.append(f"  {'':<{_WIDTH}}→ {finding.advice.said(language)}")
    return lines


def is_well(findings: Iterable[Finding]) -> bool:
    """Nothing is bad."""
    return all(finding.state is not State.BAD for finding in findings)
