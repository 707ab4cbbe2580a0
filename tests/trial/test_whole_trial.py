"""A whole trial with drawn pictures and the trained eyes, which know nothing of the script."""

import gc
import shutil
import sqlite3
from pathlib import Path
from types import FunctionType, ModuleType

import pytest

from models import trials
from table_assist.cli.main import main
from table_assist.live.live_table import LiveTable
from table_assist.live.replay_folder import replay_folder
from table_assist.record.export import read_log
from table_assist.trial.compare import Fate
from table_assist.trial.desk import REPORT_FILES
from table_assist.trial.instruction import Act, Instruction, Script
from table_assist.trial.person import Mistakes
from table_assist.trial.progress import Mark
from table_assist.trial.table import LOG_NAME, TrialDemo
from table_assist.vision.reading.read import Reader, open_reader
from tests.stages.keeping_table import wait_for
from tests.stages.laid_trial import SHORTEST, rules_named
from tests.test_layers import MODULES, imports

ACTS = (Act.SET, Act.HAND)
HASTE = 100.0  # times as fast as a person; the eyes still see every step
WRONG_TILE = 1


@pytest.fixture(scope="module")
def reader() -> Reader:
    return open_reader(threads=1)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, reader: Reader) -> TrialDemo:
    """One trial from the first step to the report: one discard is another tile than was said."""
    folder = tmp_path_factory.mktemp("whole")
    demo = TrialDemo(
        rules_named("wanzhou"),
        folder / "trial",
        seed=1,
        acts=ACTS,
        most=SHORTEST,
        speed=HASTE,
        mistakes=Mistakes(wrong_tile=WRONG_TILE),
        reader=reader,
    )
    with demo:
        wait_for(lambda: demo.is_over, timeout_s=600.0)
        demo.desk.view()
        assert blind(demo.table, demo.desk.script)
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
    view = whole.desk.view()["report"]
    (wrong,) = whole.person.wrong
    told = {row["step"]: row for row in view["not_right"]}
    assert wrong in told
    assert told[wrong]["fate"] in (Fate.SILENT, Fate.WRONG, Fate.ASKED)
    assert whole.desk.do("admit", wrong) is None
    after = whole.desk.view()["report"]
    assert after["events"][Fate.SILENT] == 0
    assert whole.desk.progress.marks[wrong].mark is Mark.OTHERWISE
    assert after["faces"]["laid"] == 27
    assert after["faces"]["wrong"] == 0
    assert after["picture"]["tile_mm"] == pytest.approx(26.0, abs=1.0)
    for name in REPORT_FILES:
        assert whole.desk.report_file(name) is not None
    page = (whole.desk.report_file("report.html") or Path()).read_text(encoding="utf-8")
    assert "data:image/jpeg" in page or not after["not_right"]
    assert "http" not in page


def test_without_the_script_the_recording_leads_to_the_same_log(
    whole: TrialDemo, reader: Reader
) -> None:
    """What follows had all it knew from pictures and taps: a replay has nothing else."""
    folder = Path(whole.desk.view()["folder"])
    compared = replay_folder(folder / "recording-1", lambda config: reader)
    assert compared.is_same, list(compared.lines())


def test_a_contributed_trial_shows_nothing_beyond_the_tables_edge_and_is_measured_anew(
    whole: TrialDemo, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = Path(whole.desk.view()["folder"])
    packed = tmp_path / "home" / "first.trial.zip"
    packed.parent.mkdir()
    assert (
        main(["contribute", str(folder), "--licence", "CC0-1.0", "--yes", "--out", str(packed)])
        == 0
    )
    assert "Nothing is sent" in capsys.readouterr().out
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trials, "open_reader", lambda own_set: open_reader(threads=1))
        (table,) = trials.tables(packed.parent)
    assert table.rules == "wanzhou"
    assert sum(table.faces) == 27
    assert table.events[-1] <= 1, "what was laid otherwise was admitted, or is told"
    shutil.unpack_archive(packed, tmp_path / "inside", "zip")
    from table_assist.vision.pictures.picture import load_picture

    image = load_picture(next((tmp_path / "inside" / "steps").glob("*.jpg")))
    assert image[:, :20].max() == 0
    assert image.max() > 100
    text = "".join(
        path.read_text("utf-8") for path in (tmp_path / "inside").rglob("*.json*") if path.is_file()
    )
    assert "simulated" not in text


def test_the_log_of_the_trial_is_its_own(whole: TrialDemo) -> None:
    folder = Path(whole.desk.view()["folder"])
    assert read_log(folder / LOG_NAME)
    with sqlite3.connect(folder / LOG_NAME) as log:
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


def test_the_walk_finds_a_script_where_there_is_one() -> None:
    class Table:
        def __init__(self) -> None:
            script = Script("wanzhou", 1, (), False, ())
            self.hidden = [lambda: script]

    assert not blind(Table(), Script("", 0, (), False, ()))  # type: ignore[arg-type]
