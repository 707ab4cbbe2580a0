"""A program that is asked to end does, whichever of its threads the request reaches."""

import ctypes
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.stages.free_port import free_port


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_hub_ends_though_the_request_reached_another_thread(
    number: signal.Signals, tmp_path: Path
) -> None:
    """The system chooses the thread; Python's handlers run in the first one alone."""
    command = ["club", "--base", str(tmp_path / "club.sqlite"), "--port", str(free_port())]
    with subprocess.Popen(
        [sys.executable, "-m", "table_assist", *command], stdout=subprocess.PIPE, text=True
    ) as hub:
        try:
            assert hub.stdout is not None
            assert "The club" in hub.stdout.readline()
            threads = sorted(int(each.name) for each in Path(f"/proc/{hub.pid}/task").iterdir())
            thread = threads[-1]
            assert thread != hub.pid, "the hub has no second thread"
            libc = ctypes.CDLL(None, use_errno=True)
            assert libc.tgkill(hub.pid, thread, number) == 0, ctypes.get_errno()
            assert hub.wait(60) == 0
        finally:
            hub.kill()
