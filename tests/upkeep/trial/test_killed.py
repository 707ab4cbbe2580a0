"""A trial whose program was killed goes on at its step, and its log and recordings are whole."""

import signal
import subprocess
import sys
from pathlib import Path

from table_assist.capture.reading import load_recording
from table_assist.record.export import read_log
from table_assist.upkeep.trial.progress import folded, read_facts
from table_assist.upkeep.trial.table import LOG_NAME
from tests.stages.free_port import free_port
from tests.stages.keeping_table import wait_for

PATIENCE_S = 240.0  # the machine may be busy


def begin(folder: Path) -> subprocess.Popen[bytes]:
    """The program's own trial at a drawn table."""
    return subprocess.Popen(
        [
            sys.executable, "-m", "table_assist", "trial", "--demo", "--headless", "--acts", "set",
            "--rules", "wanzhou", "--speed", "50", "--folder", str(folder),
            "--port", str(free_port()),
        ],
        stdout=subprocess.PIPE,
    )  # fmt: skip


def step(folder: Path) -> int:
    return folded(read_facts(folder)).step if (folder / "trial.jsonl").exists() else 0


def test_a_killed_trial_is_taken_up_again_and_ends_with_its_report(tmp_path: Path) -> None:
    with begin(tmp_path) as killed:
        wait_for(lambda: step(tmp_path) >= 2, PATIENCE_S)
        killed.send_signal(signal.SIGKILL)
    reached, entries = step(tmp_path), read_log(tmp_path / LOG_NAME)
    assert not (tmp_path / "report.json").exists()
    with begin(tmp_path) as again:
        out, _ = again.communicate(timeout=PATIENCE_S)
    assert again.returncode == 0, out
    marks = folded(read_facts(tmp_path)).marks
    assert [marked.step for marked in marks] == list(range(len(marks)))
    assert len(marks) > reached, "it went on"
    assert (tmp_path / "report.json").exists()
    assert read_log(tmp_path / LOG_NAME)[: len(entries)] == entries, "nothing is lost"
    assert [load_recording(tmp_path / f"recording-{part}").is_whole for part in (1, 2)] == [
        False,
        True,
    ]
