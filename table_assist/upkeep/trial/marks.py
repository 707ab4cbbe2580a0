"""How far a trial is: a fold over what its table's log attests under the kind ``trial``."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from table_assist.game.events import Attested
from table_assist.languages.words import SaidError
from table_assist.record.log import Entry
from table_assist.rules.ruleset import RuleSet
from table_assist.upkeep.trial.instruction import Script, TrialAct
from table_assist.upkeep.trial.script import make_script

KIND = "trial"
BEGUN = "begun"
SAYS = ("done", "otherwise", "skip", "back", "pause", "go_on", "end", "admit")


class TrialError(SaidError):
    """A trial that cannot be begun or gone on with; the message is one sentence."""


class Mark(StrEnum):
    """The outcome of a step."""

    DONE = "done"
    SKIPPED = "skip"
    OTHERWISE = "otherwise"  # something else was laid: its truth does not count


@dataclass(frozen=True, slots=True)
class Marked:
    """A step is over; the next one begins."""

    t: float
    step: int
    mark: Mark


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a trial stands.

    Attributes:
        begun: which trial it is, as `begun` says; empty before it has begun.
        marks: what became of the steps so far, and when; the next one is current.
        since: when the first step was shown.
    """

    begun: tuple[str, ...] = ()
    marks: tuple[Marked, ...] = ()
    since: float = 0.0
    is_paused: bool = False
    is_over: bool = False

    @property
    def step(self) -> int:
        """The current one, from 0."""
        return len(self.marks)


def begun(
    rules: RuleSet, seed: int, acts: Sequence[TrialAct], *, has_board: bool, most: int
) -> Attested:
    """The attestation that says which trial it is, so that its script can be made again."""
    options = json.dumps(dict(sorted(rules.chosen.items())))
    board = "board" if has_board else ""
    return Attested(KIND, (BEGUN, rules.id, options, str(seed), " ".join(acts), board, str(most)))


def said(what: str, step: int = 0) -> Attested:
    """The attestation of what a person says, one of `SAYS`."""
    return Attested(KIND, (what, str(step)))


def folded(entries: Iterable[Entry]) -> Progress:
    """Where the log's attestations lead to; what says nothing is passed over."""
    progress = Progress()
    for entry in entries:
        event = entry.event
        if isinstance(event, Attested) and event.kind == KIND and event.fields:
            progress = _next(progress, entry.t, event.fields)
    return progress


def _next(progress: Progress, t: float, fields: tuple[str, ...]) -> Progress:
    what, step = fields[0], fields[1] if fields[1:] else "0"
    match what:
        case "begun":
            return Progress(fields[1:], since=t)
        case "done" | "skip" | "otherwise":
            marks = (*progress.marks, Marked(t, progress.step, Mark(what)))
            return replace(progress, marks=marks, is_paused=False)
        case "admit":
            marks = tuple(
                replace(each, mark=Mark.OTHERWISE) if str(each.step) == step else each
                for each in progress.marks
            )
            return replace(progress, marks=marks)
        case "back":
            return replace(progress, marks=progress.marks[:-1], is_paused=False, is_over=False)
        case "pause" | "go_on":
            return replace(progress, is_paused=what == "pause")
        case "end":
            return replace(progress, is_over=True, is_paused=False)
        case _:
            return progress


def script_of(progress: Progress, rules: RuleSet) -> Script:
    """The script of a trial, made again.

    Args:
        rules: the table's now.

    Raises:
        TrialError: none was begun, or under other rules.
    """
    if len(progress.begun) != 6:
        raise TrialError("this log holds no trial", "此日志里没有试局")
    id, options, seed, acts, board, most = progress.begun
    if id != rules.id or json.loads(options) != dict(rules.chosen):
        raise TrialError.told("other_options", rules=id)
    wanted = tuple(map(TrialAct, acts.split()))
    return make_script(rules, int(seed), wanted, has_board=bool(board), most=int(most))
