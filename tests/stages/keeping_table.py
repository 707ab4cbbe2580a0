"""A table that is run in its modes, in a thread, and asked over HTTP as its pages would."""

import contextlib
import json
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from table_assist.cli.modes import Modes, WantedTable
from table_assist.cli.reach import Reach
from table_assist.upkeep.running import Running, open_table
from table_assist.upkeep.table_service import Mode
from table_assist.upkeep.trial.service import FULL_TRIAL, TrialWanted
from tests.stages.repository_tool import free_port
from tests.stages.visitor import page_token

WAIT_S = 60.0
NAMES = '["Ana", "Ben", "陈德", "Dai"]'
SETTINGS = f"# Our table; keep this line\n[seats]\nnames = {NAMES}\n"


class Site:
    """One address, whatever answers there."""

    def __init__(self, modes: Modes) -> None:
        self.modes = modes
        self.said: list[str] = []

    @property
    def url(self) -> str:
        assert self.modes.serving is not None
        return self.modes.serving.url

    def get(self, path: str) -> Any:
        """The JSON there."""
        return json.loads(self.read(path))

    def read(self, path: str) -> bytes:
        with urllib.request.urlopen(self.url + path, timeout=WAIT_S) as answer:
            content: bytes = answer.read()
        return content

    def post(self, path: str, content: object) -> tuple[int, Any]:
        token = page_token(self.read("setup").decode())
        request = urllib.request.Request(
            self.url + path,
            json.dumps(content).encode(),
            {"Content-Type": "application/json", "X-Table-Token": token},
        )
        try:
            with urllib.request.urlopen(request, timeout=WAIT_S) as answer:
                return answer.status, json.loads(answer.read())
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.loads(error.read())

    def do(self, path: str, content: object) -> Any:
        """Post what must be done."""
        status, answer = self.post(path, content)
        assert status == 200, answer
        return answer

    def become(self, mode: Mode, path: str, content: object) -> None:
        """Post what leads to another mode, and wait until it is there."""
        before = self.modes.serving
        self.do(path, content)
        wait_for(lambda: self.modes.serving is not before and self.modes.table_service.mode is mode)
        wait_for(self.answers)

    def answers(self) -> bool:
        try:
            return not self.get("api/admin")["switching"]
        except (OSError, ValueError):
            return False


def wait_for(condition: Callable[[], bool], timeout_s: float = WAIT_S) -> None:
    """Until it is so."""
    deadline = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < deadline, "it never came to be so"
        time.sleep(0.02)


@contextlib.contextmanager
def run_table(
    settings: Path,
    mode: Mode = Mode.TABLE,
    opened: Callable[..., Running] = open_table,
    reach: Reach | None = None,
    trial: TrialWanted = FULL_TRIAL,
) -> Iterator[Site]:
    """A table in a thread; ended when the test is."""
    said: list[str] = []
    reach = reach or Reach(port=free_port())  # every mode is served there
    modes = Modes(
        WantedTable(settings, reach, mode=mode, trial=trial), said.append, open_running=opened
    )
    site = Site(modes)
    site.said = said
    stop = threading.Event()
    failed: list[BaseException] = []

    def run() -> None:
        try:
            modes.run(stop)
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=run, name="modes")
    thread.start()
    try:
        wait_for(lambda: bool(failed) or (modes.serving is not None and site.answers()))
        assert not failed, failed
        yield site
    finally:
        stop.set()
        thread.join(WAIT_S)
    assert not thread.is_alive()
    assert not failed, failed
