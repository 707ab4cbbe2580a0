"""The report tells what the twin knows: each step that was laid wrongly, and no other."""

import gc
import sqlite3
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType

import pytest

from table_assist.game.events import Asked, HandShown
from table_assist.game.question import QuestionId, QuestionKind
from table_assist.languages.words import Words
from table_assist.live.live_table import LiveTable
from table_assist.live.replay_folder import replay_folder
from table_assist.record.export import read_log
from table_assist.rules.registry import rule_sets
from table_assist.upkeep.trial.courses import Instruction, Script, TrialAct
from table_assist.upkeep.trial.report import (
    FILES,
    ComparedTrial,
    LaidFate,
    TableFit,
    compare,
    fit_of,
)
from table_assist.upkeep.trial.script import Mark, Progress
from table_assist.upkeep.trial.service import TRIAL_LOG
from table_assist.vision.reading.read import Reader
from tests.stages.keeping_table import wait_for
from tests.stages.trial_person import (
    NEAR,
    SHORTEST,
    LaidTrial,
    Mistakes,
    PerfectEyes,
    TrialDemo,
    lay_trial,
    rules_named,
    script,
)
from tests.test_layers import MODULES, imports

IDS = sorted(rules.id for rules in rule_sets())


@cache
def laid(id: str, mistakes: Mistakes | None = None) -> LaidTrial:
    rules = rules_named(id)
    return lay_trial(rules, PerfectEyes(), script(id), mistakes or Mistakes())


def compared(id: str, trial: LaidTrial, progress: Progress | None = None) -> ComparedTrial:
    return compare(script(id), progress or trial.progress, trial.entries)


@pytest.mark.parametrize("id", IDS)
def test_with_eyes_that_do_not_err_all_is_right_and_nobody_is_asked(id: str) -> None:
    """Also where the script has a tile laid in a wrong row: it is of whose turn it was."""
    found = compared(id, laid(id))
    assert {each.fate for each in found.judged} == {LaidFate.RIGHT}, found
    assert found.settlement is not None
    assert found.settlement.fate is LaidFate.RIGHT
    assert found.questions == ()


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


ACTS = (TrialAct.HAND,)
HASTE = 100.0  # times as fast as a person; the eyes still see every step
# One discard is another tile than was said, one is forgotten, and an arm stays over a row.
MISTAKES = Mistakes(wrong_tile=1, forgotten=4, arm_stays=6)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, reader: Reader) -> TrialDemo:
    """One trial from the first step to the report, with a person's mistakes."""
    folder = tmp_path_factory.mktemp("whole")
    demo = TrialDemo(
        rules_named("wanzhou"),
        folder / "trial",
        seed=1,
        acts=ACTS,
        most=SHORTEST,
        speed=HASTE,
        mistakes=MISTAKES,
        reader=reader,
        lens=NEAR,
    )
    with demo:
        wait_for(lambda: demo.is_over, timeout_s=600.0)
        assert blind(demo.table, demo.desk.script)
        told = {row["step"] for row in demo.desk.view()["report"]["not_right"]}
        page = (demo.desk.report_file("report.html") or Path()).read_text(encoding="utf-8")
        assert "data:image/jpeg" in page
        assert "://" not in page  # "http" alone may be part of a picture
        assert len(demo.person.wrong) == 2
        assert set(demo.person.wrong) <= told, "each is told, with its picture"
        for wrong in demo.person.wrong:
            assert demo.desk.do("admit", wrong) is None
            assert demo.desk.progress.marks[wrong].mark is Mark.OTHERWISE
        demo.desk.view()
    return demo


def blind(table: LiveTable, script: Script) -> bool:
    """Whether no way leads from the table to a script or a step of one."""
    seen: set[int] = set()
    left: list[object] = [table]
    while left:
        one = left.pop()
        if id(one) in seen or isinstance(one, ModuleType | type):
            continue
        seen.add(id(one))
        if isinstance(one, Script | Instruction) or one is script:
            return False
        inside = one.__closure__ if isinstance(one, FunctionType) else gc.get_referents(one)
        left += [
            each for each in inside or () if not isinstance(each, dict) or "__name__" not in each
        ]
    return True


def test_the_report_tells_what_the_twin_knows(whole: TrialDemo) -> None:
    after = whole.desk.view()["report"]
    assert after["events"][LaidFate.SILENT] == 0, "nor did the arm make anything wrong unasked"
    for name in FILES:
        assert whole.desk.report_file(name) is not None


def test_without_the_script_the_recording_leads_to_the_same_log(
    whole: TrialDemo, reader: Reader
) -> None:
    """What follows had all it knew from pictures and taps: a replay has nothing else."""
    folder = Path(whole.desk.view()["folder"])
    compared = replay_folder(folder / "recording-1", lambda config: reader)
    assert compared.is_same, list(compared.lines())


def test_the_log_of_the_trial_is_its_own(whole: TrialDemo) -> None:
    folder = Path(whole.desk.view()["folder"])
    assert read_log(folder / TRIAL_LOG)
    with sqlite3.connect(folder / TRIAL_LOG) as log:
        assert log.execute("pragma integrity_check").fetchone() == ("ok",)


def test_nothing_that_follows_a_table_imports_a_script() -> None:
    """Of all that a followed table brings in nothing knows of trials, bots or the twin."""
    left, seen = ["table_assist.live.live_table"], set[str]()
    while left:
        module = left.pop()
        if module in seen or module not in MODULES:
            continue
        seen.add(module)
        names = imports(MODULES[module])
        left += [name if name in MODULES else name.rpartition(".")[0] for name in names]
    assert len(seen) > 100
    assert not [name for name in seen if name.split(".")[1:2] in (["trial"], ["twin"], ["play"])]
