"""How far a trial is: what the person did is a fact, and where it stands is a fold over the facts.

The facts lie in a file of their own, ``trial.jsonl``, each on disk before it is acknowledged. A
trial that broke off goes on where that file ends.
"""

import json
import os
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from table_assist.languages.words import SaidError
from table_assist.record.json_rows import from_row, to_row
from table_assist.rules.options import OptionValue
from table_assist.rules.ruleset import RuleSet
from table_assist.upkeep.trial.instruction import TrialAct

LOG = "trial.jsonl"


class TrialError(SaidError):
    """A trial that cannot be begun or gone on with; the message is one sentence."""


class Mark(StrEnum):
    """The outcome of a step."""

    DONE = "done"
    SKIPPED = "skipped"
    OTHERWISE = "otherwise"  # something else was laid: its truth does not count


@dataclass(frozen=True, slots=True)
class Begun:
    """A trial began, with the script that these make again."""

    t: float
    rules: str
    options: tuple[tuple[str, OptionValue], ...]
    seed: int
    acts: tuple[str, ...]
    has_board: bool
    most: int


@dataclass(frozen=True, slots=True)
class Marked:
    """A step is over; the next one begins."""

    t: float
    step: int
    mark: Mark


@dataclass(frozen=True, slots=True)
class Admitted:
    """The person says afterwards that a step was laid otherwise: the table saw it right."""

    t: float
    step: int


@dataclass(frozen=True, slots=True)
class WentBack:
    """The step before is to be done once more."""

    t: float


@dataclass(frozen=True, slots=True)
class Paused:
    """Nobody lays anything for a while."""

    t: float


@dataclass(frozen=True, slots=True)
class WentOn:
    """The pause is over, or the program was started again."""

    t: float


@dataclass(frozen=True, slots=True)
class Ended:
    """The trial is over, whatever is left of it."""

    t: float


Fact = Begun | Marked | Admitted | WentBack | Paused | WentOn | Ended
_KINDS: dict[str, type] = {
    kind.__name__: kind for kind in (Begun, Marked, Admitted, WentBack, Paused, WentOn, Ended)
}


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a trial stands.

    Attributes:
        marks: what became of the steps so far, and when; the next one is current.
        shown_t: since when the current step is shown.
    """

    begun: Begun | None = None
    marks: tuple[Marked, ...] = ()
    shown_t: float = 0.0
    is_paused: bool = False
    is_over: bool = False

    @property
    def step(self) -> int:
        """The current one, from 0."""
        return len(self.marks)


def fold(progress: Progress, fact: Fact) -> Progress:
    """The next state; it never refuses."""
    match fact:
        case Begun(t):
            return Progress(fact, shown_t=t)
        case Marked(t):
            return replace(progress, marks=(*progress.marks, fact), shown_t=t, is_paused=False)
        case Admitted(_, step):
            marks = (
                replace(each, mark=Mark.OTHERWISE) if each.step == step else each
                for each in progress.marks
            )
            return replace(progress, marks=tuple(marks))
        case WentBack(t):
            return replace(progress, marks=progress.marks[:-1], shown_t=t, is_paused=False)
        case Paused():
            return replace(progress, is_paused=True)
        case WentOn(t):
            return replace(progress, is_paused=False, shown_t=t)
        case Ended():
            return replace(progress, is_over=True, is_paused=False)


def folded(facts: Iterable[Fact]) -> Progress:
    """Where they lead to."""
    progress = Progress()
    for fact in facts:
        progress = fold(progress, fact)
    return progress


def read_facts(folder: Path) -> list[Fact]:
    """The facts in the trial's file; a last line that breaks off was never acknowledged.

    None where the program was killed before the first.

    Raises:
        TrialError: there is no such file, or a line before the last is damaged.
    """
    path = folder / LOG
    try:
        lines = path.read_bytes().split(b"\n")[:-1]
    except OSError as error:
        raise TrialError("{folder} holds no trial", "{folder} 里没有试局", folder=folder) from error
    facts: list[Fact] = []
    for number, line in enumerate(lines, start=1):
        try:
            row = json.loads(line)
            facts.append(from_row(_KINDS[row["type"]], row))
        except (ValueError, KeyError, TypeError) as error:
            raise TrialError(
                "line {number} of {path} is damaged: {error}",
                "{path} 第 {number} 行已损坏：{error}",
                number=number,
                path=path,
                error=error,
            ) from error
    if facts and not isinstance(facts[0], Begun):
        raise TrialError(
            "{path} does not say what trial it is", "{path} 没有写明是哪次试局", path=path
        )
    return facts


class Journal:
    """Writes the facts of one trial. From any thread.

    Raises:
        TrialError: the file is damaged, or holds another trial than the one that is to begin.
    """

    def __init__(self, folder: Path, now: Callable[[], float]) -> None:
        self._path = folder / LOG
        self._now = now
        self._lock = threading.Lock()
        facts: list[Fact] = []
        if self._path.exists():
            _cut_half_a_line(self._path)
            facts = read_facts(folder)
        self.progress = folded(facts)

    def write(self, make: Callable[[float], Fact]) -> Progress:
        """Put a fact on disk; where the trial stands then.

        Raises:
            OSError: it cannot be written.
        """
        with self._lock:
            fact = make(self._now())
            line = json.dumps(to_row(fact), ensure_ascii=False, separators=(",", ":"))
            with self._path.open("ab") as file:
                file.write(f"{line}\n".encode())
                file.flush()
                os.fsync(file.fileno())
            self.progress = fold(self.progress, fact)
            return self.progress


def _cut_half_a_line(path: Path) -> None:
    """Cut off half a line that a kill left: nobody was told of it."""
    data = path.read_bytes()
    whole = data.rfind(b"\n") + 1
    if whole < len(data):
        with path.open("r+b") as file:
            file.truncate(whole)


def begun(
    rules: RuleSet, seed: int, acts: Sequence[TrialAct], *, has_board: bool, most: int
) -> Begun:
    """The fact that says which trial it is."""
    options = tuple(sorted(rules.chosen.items()))
    return Begun(0.0, rules.id, options, seed, tuple(map(str, acts)), has_board, most)
