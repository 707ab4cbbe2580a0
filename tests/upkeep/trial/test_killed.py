"""A trial whose program was killed goes on at its step, and its log and recordings are whole."""

import signal
import subprocess
import sys
from pathlib import Path

from table_assist.capture.reading import load_recording
from table_assist.record.export import read_log
from table_assist.upkeep.trial.marks import folded
from table_assist.upkeep.trial.service import LOG
from tests.stages.keeping_table import wait_for

PATIENCE_S = 240.0  # the machine may be busy


def begin(folder: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "tests.stages.trial_demo", str(folder)]
    return subprocess.Popen(command, stdout=subprocess.PIPE)


def step(folder: Path) -> int:
    return folded(read_log(folder / LOG)).step if (folder / LOG).exists() else 0


def test_a_killed_trial_is_taken_up_again_and_ends_with_its_report(tmp_path: Path) -> None:
    with begin(tmp_path) as killed:
        wait_for(lambda: (tmp_path / LOG).exists(), PATIENCE_S)
        wait_for(lambda: step(tmp_path) >= 2, PATIENCE_S)
        killed.send_signal(signal.SIGKILL)
    reached, entries = step(tmp_path), read_log(tmp_path / LOG)
    assert not (tmp_path / "report.json").exists()
    with begin(tmp_path) as again:
        out, _ = again.communicate(timeout=PATIENCE_S)
    assert again.returncode == 0, out
    marks = folded(read_log(tmp_path / LOG)).marks
    assert [marked.step for marked in marks] == list(range(len(marks)))
    assert len(marks) > reached, "it went on"
    assert (tmp_path / "report.json").exists()
    assert read_log(tmp_path / LOG)[: len(entries)] == entries, "nothing is lost"
    assert [load_recording(tmp_path / f"recording-{part}").is_whole for part in (1, 2)] == [
        False,
        True,
    ]
