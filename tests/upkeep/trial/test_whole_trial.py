"""A whole trial with drawn pictures and the trained eyes, which know nothing of the script."""

import gc
import sqlite3
from pathlib import Path
from types import FunctionType, ModuleType

import pytest

from table_assist.live.live_table import LiveTable
from table_assist.live.replay_folder import replay_folder
from table_assist.record.export import read_log
from table_assist.twin.lens import Lens
from table_assist.upkeep.trial.courses import Instruction, Script, TrialAct
from table_assist.upkeep.trial.report import FILES, LaidFate
from table_assist.upkeep.trial.script import Mark
from table_assist.upkeep.trial.service import LOG
from table_assist.vision.reading.read import Reader, open_reader
from tests.stages.keeping_table import wait_for
from tests.stages.laid_trial import SHORTEST, rules_named
from tests.stages.trial_demo import TrialDemo
from tests.stages.trial_person import Mistakes
from tests.test_layers import MODULES, imports

ACTS = (TrialAct.HAND,)
HASTE = 100.0  # times as fast as a person; the eyes still see every step
NEAR = Lens((1280, 720), 0.87)  # a small picture is read in half the time
# One discard is another tile than was said, one is forgotten, and an arm stays over a row.
MISTAKES = Mistakes(wrong_tile=1, forgotten=4, arm_stays=6)


@pytest.fixture(scope="module")
def reader() -> Reader:
    return open_reader(threads=1)


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
        assert "http" not in page
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
    assert read_log(folder / LOG)
    with sqlite3.connect(folder / LOG) as log:
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
