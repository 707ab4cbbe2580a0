"""A whole trial at a simulated table, as fast as it can: the twin lays, the session follows.

The session gets looks and taps. The script stays with the person, and with who compares.
"""

from collections.abc import Callable
from dataclasses import dataclass

from bench.live.evening import EveningTable
from bench.live.eyes import StandInEyes
from table_assist.record.log import Entry
from table_assist.rules.ruleset import RuleSet
from table_assist.upkeep.trial.instruction import Script
from table_assist.upkeep.trial.person import NO_MISTAKES, Mistakes, TrialPerson
from table_assist.upkeep.trial.progress import Fact, Mark, Marked, Progress, begun, folded

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
    rules: RuleSet,
    eyes: StandInEyes,
    script: Script,
    mistakes: Mistakes = NO_MISTAKES,
    after: Callable[[int, float], None] = lambda step, t: None,
) -> LaidTrial:
    """Lay every step before these eyes.

    Args:
        after: is told of each step that was laid, and when.
    """
    table = EveningTable(rules, eyes, seed=script.seed)
    person = TrialPerson(script, mistakes)
    begin = begun(rules, script.seed, script.acts, has_board=script.has_board, most=0)
    facts: list[Fact] = [begin]
    for number, step in enumerate(script.steps):
        table.watch(person.moments(number), step.taps)
        table.clock.t += TAP_S
        facts.append(Marked(table.clock.t, number, Mark.DONE))
        after(number, table.clock.t)
    return LaidTrial(folded(facts), tuple(table.record.entries), person)
