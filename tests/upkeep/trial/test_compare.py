"""The report tells what the twin knows: each step that was laid wrongly, and no other."""

from dataclasses import replace
from functools import cache

import pytest

from table_assist.game.events import Asked, HandShown
from table_assist.game.question import QuestionId, QuestionKind
from table_assist.languages.words import Words
from table_assist.rules.registry import rule_sets
from table_assist.upkeep.trial.report import ComparedTrial, LaidFate, TableFit, compare, fit_of
from table_assist.upkeep.trial.script import Mark, Progress
from tests.stages.laid_trial import PerfectEyes, rules_named, script
from tests.stages.simulated_trial import LaidTrial, lay_trial
from tests.stages.trial_person import Mistakes

IDS = sorted(rules.id for rules in rule_sets())


@cache
def laid(id: str, mistakes: Mistakes | None = None) -> LaidTrial:
    rules = rules_named(id)
    return lay_trial(rules, PerfectEyes(), script(id), mistakes or Mistakes())


def compared(id: str, trial: LaidTrial, progress: Progress | None = None) -> ComparedTrial:
    return compare(script(id), progress or trial.progress, trial.entries)


@pytest.mark.parametrize("id", IDS)
def test_with_eyes_that_do_not_err_all_is_right_and_nobody_is_asked(id: str) -> None:
    """But where the script itself has a tile laid in a wrong row: there the table asks."""
    trial = laid(id)
    found = compared(id, trial)
    mistake = next(at for at, step in enumerate(script(id).steps) if step.is_mistake)
    said_t = trial.progress.marks[mistake - 1].t
    assert {e.fate for e in found.judged if (e.step or 0) < mistake and e.step} == {LaidFate.RIGHT}
    assert {each.fate for each in found.judged} <= {LaidFate.RIGHT, LaidFate.VOID}, found
    assert found.settlement is not None
    assert found.settlement.fate is LaidFate.RIGHT
    assert found.questions
    assert min(t for t, _ in found.questions) >= said_t


@pytest.mark.parametrize("id", ["changchun", "changsha", "tianjin"])
def test_another_tile_than_the_scripts_is_told_with_what_lies_there(id: str) -> None:
    trial = laid(id, Mistakes(wrong_tile=4))
    (wrong,) = trial.person.wrong
    found = compared(id, trial)
    amiss = {each.step for each in found.judged if each.fate is not LaidFate.RIGHT}
    assert wrong in amiss
    told = next(each for each in found.judged if each.step == wrong)
    assert trial.person.wrong[wrong] in {str(getattr(e, "tile", "")) for e in told.recorded}


@pytest.mark.parametrize("mistakes", [Mistakes(wrong_tile=4), Mistakes(forgotten=6)])
@pytest.mark.parametrize("id", ["changchun", "classical", "tianjin"])
def test_once_the_person_admits_it_nothing_is_wrong_without_a_question(
    id: str, mistakes: Mistakes
) -> None:
    trial = laid(id, mistakes)
    marks = (
        replace(each, mark=Mark.OTHERWISE) if each.step in trial.person.wrong else each
        for each in trial.progress.marks
    )
    found = compared(id, trial, replace(trial.progress, marks=tuple(marks)))
    assert found.count(LaidFate.SILENT) == 0, found
    assert found.settlement is not None
    assert found.settlement.fate in (LaidFate.VOID, LaidFate.RIGHT)


def test_a_forgotten_discard_is_asked_about() -> None:
    trial = laid("changchun", Mistakes(forgotten=6))
    (step,) = trial.person.wrong
    fate = next(each.fate for each in compared("changchun", trial).judged if each.step == step)
    assert fate is LaidFate.ASKED


def test_a_misreading_that_nobody_asks_about_is_silent() -> None:
    """The same record beside a script that says something else."""
    trial = laid("wanzhou")
    true = script("wanzhou")
    at = next(
        n
        for n, s in enumerate(true.steps)
        if type(s.events[:1] and s.events[0]).__name__ == "Discarded"
    )
    event = true.steps[at].events[0]
    other = next(t for t in rules_named("wanzhou").kinds if t is not event.tile)  # type: ignore[union-attr]
    steps = list(true.steps)
    steps[at] = replace(steps[at], events=(replace(event, tile=other),))  # type: ignore[call-arg]
    found = compare(replace(true, steps=tuple(steps)), trial.progress, trial.entries)
    assert [each.step for each in found.judged if each.fate is LaidFate.SILENT] == [at]


def test_what_a_held_up_hand_lacks_is_asked_and_what_a_running_one_lacks_is_silent() -> None:
    """While a question holds the hand up, the table records no shown hand: people know of it."""
    trial, true = laid("wanzhou"), script("wanzhou")
    shown = next(e for e in trial.entries if isinstance(e.event, HandShown))
    rest = [e for e in trial.entries if e.seq < shown.seq]
    without = compare(true, trial.progress, rest)
    (lost,) = [e for e in without.judged if e.event == shown.event]
    assert lost.fate is LaidFate.SILENT
    melds = QuestionId(1, QuestionKind.MELD, seat=(shown.event.seat + 1) % 4)
    asked = Asked(melds, Words("These tiles fit no meld.", "这些牌不成组。"), (), blocks=True)
    doubt = replace(shown, t=rest[-1].t, event=asked)
    (lost,) = [
        e for e in compare(true, trial.progress, [*rest, doubt]).judged if e.event == shown.event
    ]
    assert lost.fate is LaidFate.ASKED


def test_wrong_without_a_question_is_never_fit_to_be_followed() -> None:
    assert fit_of(1.0, is_silent=True) is TableFit.PHOTOGRAPHS
    assert fit_of(1.0, is_silent=False) is TableFit.LIVE
    assert fit_of(0.0, is_silent=False) is TableFit.PHOTOGRAPHS
    assert fit_of(None, is_silent=False) is TableFit.UNKNOWN
