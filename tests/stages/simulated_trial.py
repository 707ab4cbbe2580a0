"""A whole trial at a simulated table, as fast as it can: the twin lays, the session follows.

The session gets looks and taps. The script stays with the person, and with who compares.
"""

from dataclasses import dataclass

from bench.live.evening import EveningTable
from bench.live.eyes import StandInEyes
from table_assist.record.log import Entry
from table_assist.rules.ruleset import RuleSet
from table_assist.upkeep.trial.courses import Script
from table_assist.upkeep.trial.script import Mark, Marked, Progress
from tests.stages.trial_person import NO_MISTAKES, Mistakes, TrialPerson

TAP_S = 0.5  # from the last picture of a step until "done" is tapped


@dataclass(frozen=True, slots=True)
class LaidTrial:
    """A trial that was laid.

    Attributes:
        entries: of the session's log.
        person: knows which steps were laid wrongly.
    """

    progress: Progress
    entries: tuple[Entry, ...]
    person: TrialPerson


def lay_trial(
    rules: RuleSet, eyes: StandInEyes, script: Script, mistakes: Mistakes = NO_MISTAKES
) -> LaidTrial:
    """Lay every step before these eyes."""
    table = EveningTable(rules, eyes, seed=script.seed)
    person = TrialPerson(script, mistakes)
    marks = []
    for number, step in enumerate(script.steps):
        table.watch(person.moments(number), step.taps)
        table.clock.t += TAP_S
        marks.append(Marked(table.clock.t, number, Mark.DONE))
    return LaidTrial(Progress(marks=tuple(marks)), tuple(table.record.entries), person)
