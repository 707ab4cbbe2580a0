"""What the person did is on disk before it is acknowledged, and a trial goes on where it was."""

import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_assist.languages.words import Words
from table_assist.upkeep.trial import service as desk_module
from table_assist.upkeep.trial.instruction import TrialAct
from table_assist.upkeep.trial.progress import (
    LOG,
    Admitted,
    Begun,
    Ended,
    Fact,
    Journal,
    Mark,
    Marked,
    Paused,
    TrialError,
    WentBack,
    WentOn,
    begun,
    folded,
    read_facts,
)
from table_assist.upkeep.trial.script import ALL, make_script
from table_assist.upkeep.trial.service import TrialService
from table_assist.upkeep.trial.table import TRIALS, folder_for
from tests.stages.laid_trial import NAMES, Table, rules_named, script

BEGUN = Begun(0.0, "wanzhou", (), 1, ("set",), False, 40)
FACTS = st.one_of(
    st.builds(Marked, st.floats(0, 9e9), st.integers(0, 99), st.sampled_from(Mark)),
    st.builds(WentBack, st.floats(0, 9e9)),
    st.builds(Paused, st.floats(0, 9e9)),
    st.builds(WentOn, st.floats(0, 9e9)),
    st.builds(Admitted, st.floats(0, 9e9), st.integers(0, 99)),
    st.builds(Ended, st.floats(0, 9e9)),
)


def desk_at(
    folder: Path, table: Table, acts: tuple[TrialAct, ...] = (TrialAct.SET, TrialAct.TROUBLE)
) -> TrialService:
    rules = rules_named("wanzhou")
    begin = begun(rules, 1, acts, has_board=False, most=40)
    return TrialService(folder, rules, begin, table, lambda *_: {"seen": "so"}, NAMES)


@given(st.lists(FACTS, max_size=30))
def test_what_is_read_again_is_what_was_written(
    tmp_path_factory: pytest.TempPathFactory, facts: list[Fact]
) -> None:
    folder = tmp_path_factory.mktemp("trial")
    journal = Journal(folder, lambda: 0.0)
    for fact in (BEGUN, *facts):
        journal.write(lambda t, fact=fact: fact)  # type: ignore[misc]
    assert read_facts(folder) == [BEGUN, *facts]
    assert Journal(folder, lambda: 0.0).progress == journal.progress == folded([BEGUN, *facts])


def test_abandoned_at_each_step_of_each_act_it_goes_on_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk_module, "make_script", cache(make_script))
    table = Table()
    steps = len(desk_at(tmp_path, table, ALL).script.steps)
    for number in range(steps):
        desk = desk_at(tmp_path, table, ALL)  # as if the program were started again
        assert desk.view()["step"] == number
        if number:  # and what was done last can still be taken back and done again
            desk.do("back", number)
            desk = desk_at(tmp_path, table, ALL)
            assert desk.view()["step"] == number - 1
            assert desk.do("otherwise" if number % 2 else "done", number - 1) is None
        assert desk_at(tmp_path, table, ALL).do("done", number) is None
    last = desk_at(tmp_path, table, ALL)
    assert last.view()["report"] == {"seen": "so"}
    assert [marked.step for marked in last.progress.marks] == list(range(steps))
    keys = {key for _, key in table.told}
    taps = sum(len(step.taps) for step in last.script.steps)
    assert len(keys) == taps > 0, "what is told twice has the same key, and counts once"


def test_a_killed_program_loses_nothing_that_it_acknowledged(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from table_assist.upkeep.trial.progress import *\n"
        f"journal = Journal(Path({str(tmp_path)!r}), lambda: 0.0)\n"
        "journal.write(lambda t: Begun(t, 'wanzhou', (), 1, ('set',), False, 40))\n"
        "for step in range(100_000):\n"
        "    journal.write(lambda t: Marked(t, step, Mark.DONE)); print(step, flush=True)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as program:
        assert program.stdout is not None
        said = [int(program.stdout.readline()) for _ in range(20)]
        program.kill()
        said += [int(line) for line in program.stdout.read().split()]
    progress = Journal(tmp_path, lambda: 0.0).progress
    assert progress.step >= said[-1] + 1
    assert [marked.step for marked in progress.marks] == list(range(progress.step))


@pytest.mark.parametrize("left", [b"", b'{"type":"Beg'])
def test_a_trial_that_was_killed_before_its_first_line_begins_there(
    tmp_path: Path, left: bytes
) -> None:
    folder = tmp_path / TRIALS / "1"
    folder.mkdir(parents=True)
    (folder / LOG).write_bytes(left)
    assert folder_for(tmp_path / "table.toml", 0.0) == folder
    journal = Journal(folder, lambda: 5.0)
    journal.write(lambda _: BEGUN)
    assert read_facts(folder) == [BEGUN]


def test_half_a_line_is_cut_off_and_a_damaged_one_is_told(tmp_path: Path) -> None:
    journal = Journal(tmp_path, lambda: 0.0)
    journal.write(lambda t: BEGUN)
    path = tmp_path / LOG
    path.write_bytes(path.read_bytes() + b'{"type": "Mark')
    assert Journal(tmp_path, lambda: 0.0).progress == folded([BEGUN])
    path.write_bytes(b"no line\n" + path.read_bytes())
    with pytest.raises(TrialError, match=r"line 1 of .* is damaged"):
        Journal(tmp_path, lambda: 0.0)


def test_a_trial_of_other_rules_is_not_gone_on_with(tmp_path: Path) -> None:
    desk_at(tmp_path, Table())
    rules = rules_named("changsha")
    begin = begun(rules, 1, (TrialAct.SET,), has_board=False, most=40)
    with pytest.raises(TrialError, match="begun under wanzhou"):
        TrialService(tmp_path, rules, begin, Table(), lambda *_: {}, NAMES)


def test_what_was_laid_to_its_end_is_not_gone_on_with(tmp_path: Path) -> None:
    """Who begins anew lays another trial, and is not shown the old one's report."""
    settings = tmp_path / "table.toml"
    folder = folder_for(settings, 0.0)
    desk = desk_at(folder, Table(), (TrialAct.SET,))
    for number in range(len(desk.script.steps)):
        desk.close()
        assert folder_for(settings, 9e8) == folder
        desk.do("done", number)
    desk.close()
    desk.close()
    assert desk.progress.is_over
    assert folder_for(settings, 9e8) != folder


@pytest.mark.parametrize("what", ["skip", "otherwise", "done"])
def test_back_takes_the_last_step_up_again(tmp_path: Path, what: str) -> None:
    desk = desk_at(tmp_path, Table())
    assert desk.do(what, 0) is None
    assert desk.do("back", 1) is None
    assert desk.view()["step"] == 0


def test_what_was_tapped_twice_counts_once(tmp_path: Path) -> None:
    desk = desk_at(tmp_path, Table())
    assert desk.do("done", 0) is None
    assert desk.do("done", 0) is None
    assert desk.view()["step"] == 1


def test_what_the_table_refuses_is_said_and_the_step_stays(tmp_path: Path) -> None:
    table = Table()
    desk = desk_at(tmp_path, table, (TrialAct.TROUBLE,))
    table.refuses = Words("not now", "现在不行")
    assert desk.do("done", 0) == Words("not now", "现在不行")
    assert desk.view()["step"] == 0


def test_names_stand_where_seats_were(tmp_path: Path) -> None:
    said = desk_at(tmp_path, Table()).view()["says"]
    assert said["en"].startswith("Ann: ")
    assert said["zh"].startswith("Ann：")


@pytest.mark.parametrize("pause", [lambda desk: desk.do("pause", 0)])
def test_a_pause_is_kept(tmp_path: Path, pause: Callable[[TrialService], object]) -> None:
    desk = desk_at(tmp_path, Table())
    pause(desk)
    assert desk.view()["paused"]
    assert script().steps[0].act is TrialAct.SET
