"""Where a trial stands is what its table's log attests; nothing else keeps it."""

import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from table_assist.languages.words import Words
from table_assist.live.recorder import load_recording
from table_assist.record.export import read_log
from table_assist.rules.ruleset import RuleSet
from table_assist.upkeep.trial import script, service
from table_assist.upkeep.trial.courses import Script, TrialAct
from table_assist.upkeep.trial.script import (
    ALL_ACTS,
    Mark,
    TrialError,
    begun,
    folded,
    make_script,
    said,
)
from table_assist.upkeep.trial.service import TRIAL_LOG, TRIALS, TrialService, folder_for
from tests.stages.trial_person import NAMES, Table, rules_named
from web.view.present import event_tiles

BOTH = (TrialAct.HAND, TrialAct.TROUBLE)
MADE: dict[tuple[object, ...], Script] = {}


@pytest.fixture(autouse=True)
def _made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same seed makes the same script (test_script.py): it is made once for all desks."""

    def made(rules: RuleSet, *said: object, **more: object) -> Script:
        key = (rules.id, *said, *more.items())
        if key not in MADE:
            MADE[key] = make_script(rules, *said, **more)  # type: ignore[arg-type]
        return MADE[key]

    monkeypatch.setattr(script, "make_script", made)


def desk_at(
    folder: Path, table: Table, acts: tuple[TrialAct, ...] = ALL_ACTS, *, has_camera: bool = False
) -> TrialService:
    rules = rules_named("wanzhou")
    folder.mkdir(parents=True, exist_ok=True)
    begin = begun(rules, 1, acts, has_board=False, most=40)
    desk = TrialService(folder, rules, begin, table, NAMES, has_camera=has_camera)
    desk.start()
    return desk


def test_what_no_camera_has_seen_is_not_done_at_the_first_tap(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing, too little or before another seat: that is told; a second tap says that it lies."""
    monkeypatch.setattr(service, "SEEN_S", 0.0)
    table = Table()
    desk = desk_at(tmp_path, table, has_camera=True)
    for number, step in enumerate(desk.script.steps):
        is_seen = any(event_tiles(each) for each in step.events)
        refused = is_seen and number % 3 > 0
        for event in step.events if is_seen else ():
            table.see(replace(event, seat=3 - event.seat) if refused else event)
        told = desk.do("done", number)
        assert (told is not None) is refused, desk.script.steps[number]
        if refused:
            assert "has seen 0 of" in told.en  # type: ignore[union-attr]
            assert desk.do("done", number) is None
    assert desk.is_over


@pytest.mark.parametrize("acts", [BOTH, BOTH[:1], BOTH[1:]])
def test_abandoned_at_each_step_it_goes_on_there(
    tmp_path: Path, acts: tuple[TrialAct, ...]
) -> None:
    table = Table()
    desk = desk_at(tmp_path, table, acts)
    for number in range(len(desk.script.steps)):
        desk = desk_at(tmp_path, table, BOTH)  # what was begun is gone on with
        assert desk.script.acts == acts
        assert desk.view()["step"] == number
        assert desk.do("done", number) is None
    assert desk.view()["over"]
    keys = [key for _, key in table.told]
    assert len(keys) == len(set(keys)), "what was tapped is told once"


def test_a_trial_of_other_rules_is_not_gone_on_with(tmp_path: Path) -> None:
    table, rules = Table(), rules_named("changsha")
    desk_at(tmp_path, table)
    begin = begun(rules, 1, BOTH, has_board=False, most=40)
    with pytest.raises(TrialError, match="begun under wanzhou"):
        TrialService(tmp_path, rules, begin, table, NAMES)


def test_what_was_laid_to_its_end_is_not_gone_on_with(tmp_path: Path) -> None:
    """Who begins anew lays another trial, and is not shown the old one's report."""
    settings, table = tmp_path / "table.toml", Table()
    folder = folder_for(settings, 0.0)
    desk = desk_at(folder, table, (TrialAct.TROUBLE,))
    (folder / "log.sqlite").touch()
    for number in range(len(desk.script.steps)):
        desk.close()
        assert folder_for(settings, 9e8) == folder
        desk.do("done", number)
    desk.close()
    assert folder_for(settings, 9e8) != folder


def test_a_trial_of_an_earlier_program_is_left_alone(tmp_path: Path) -> None:
    old = tmp_path / TRIALS / "2026-11-20-200000"
    old.mkdir(parents=True)
    (old / "log.sqlite").touch()
    (old / "trial.jsonl").touch()
    assert folder_for(tmp_path / "table.toml", 0.0) != old


@pytest.mark.parametrize("what", ["skip", "otherwise", "done"])
def test_back_takes_the_last_step_up_again(tmp_path: Path, what: str) -> None:
    desk = desk_at(tmp_path, Table())
    assert desk.do("back", 0) is None
    assert desk.do(what, 0) is None
    assert desk.do("back", 1) is None
    assert desk.view()["step"] == 0


def test_what_was_tapped_twice_counts_once(tmp_path: Path) -> None:
    desk = desk_at(tmp_path, Table())
    assert desk.do("done", 0) is None
    assert desk.do("done", 0) is None
    assert desk.view()["step"] == 1


def test_a_step_may_be_admitted_afterwards_and_strange_words_change_nothing(
    tmp_path: Path,
) -> None:
    table = Table()
    desk = desk_at(tmp_path, table)
    desk.do("done", 0)
    table.vouch(said("whatever", 7))
    assert desk.do("admit", 0) is None
    assert [marked.mark for marked in desk.progress.marks] == [Mark.OTHERWISE]


def test_what_the_table_refuses_is_said_and_the_step_stays(tmp_path: Path) -> None:
    table = Table()
    desk = desk_at(tmp_path, table, (TrialAct.TROUBLE,))
    table.refuses = Words("not now", "现在不行")
    assert desk.do("done", 0) == Words("not now", "现在不行")
    assert desk.view()["step"] == 0


def test_names_stand_where_seats_were(tmp_path: Path) -> None:
    table = Table()
    desk = desk_at(tmp_path, table)
    said = [desk.view()["says"]]
    while not desk.is_over:
        said.append(desk.view()["says"])
        desk.do("done", desk.progress.step)
    assert any(each["en"].startswith("Ann: ") for each in said)
    assert not any("{0}" in each["en"] for each in said)


def test_a_pause_is_kept(tmp_path: Path) -> None:
    desk = desk_at(tmp_path, Table())
    desk.do("pause", 0)
    assert desk.view()["paused"]


PATIENCE_S = 240.0  # the machine may be busy


def begin(folder: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "tests.stages.trial_person", str(folder)]
    return subprocess.Popen(command, stdout=subprocess.PIPE)


def test_a_killed_trial_is_taken_up_again_and_ends_with_its_report(tmp_path: Path) -> None:
    with begin(tmp_path) as killed:
        assert killed.stdout is not None
        reached = next(step for step in map(int, killed.stdout) if step >= 2)
        killed.send_signal(signal.SIGKILL)
    entries = read_log(tmp_path / TRIAL_LOG)
    assert folded(entries).step >= reached, "what was shown as done is on disk"
    assert not (tmp_path / "report.json").exists()
    with begin(tmp_path) as again:
        out, _ = again.communicate(timeout=PATIENCE_S)
    assert again.returncode == 0, out
    marks = folded(read_log(tmp_path / TRIAL_LOG)).marks
    assert [marked.step for marked in marks] == list(range(len(marks)))
    assert len(marks) > reached, "it went on"
    assert (tmp_path / "report.json").exists()
    assert read_log(tmp_path / TRIAL_LOG)[: len(entries)] == entries, "nothing is lost"
    assert [load_recording(tmp_path / f"recording-{part}").is_whole for part in (1, 2)] == [
        False,
        True,
    ]
