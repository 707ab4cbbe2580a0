"""A trial whose program was killed goes on at its step, and its log and recordings are whole."""

import signal
import subprocess
import sys
from pathlib import Path

from table_assist.capture.recorder import load_recording
from table_assist.record.export import read_log
from table_assist.upkeep.trial.script import folded
from table_assist.upkeep.trial.service import LOG

PATIENCE_S = 240.0  # the machine may be busy


def begin(folder: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "tests.stages.trial_demo", str(folder)]
    return subprocess.Popen(command, stdout=subprocess.PIPE)


def test_a_killed_trial_is_taken_up_again_and_ends_with_its_report(tmp_path: Path) -> None:
    with begin(tmp_path) as killed:
        assert killed.stdout is not None
        reached = next(step for step in map(int, killed.stdout) if step >= 2)
        killed.send_signal(signal.SIGKILL)
    entries = read_log(tmp_path / LOG)
    assert folded(entries).step >= reached, "what was shown as done is on disk"
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
