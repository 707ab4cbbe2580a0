"""What somebody does with a fresh installation, by the installed program alone.

`python -m tests.packages.journey PROGRAM PICTURE` goes through it in an empty folder of its own;
the tests and `make packages` use it. PICTURE shows a drawn winning hand (`wheels.py` draws it).
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.stages.linked_board import VirtualBoard

STEP_S = 240.0
START_S = 90.0
SHORT_HAND = "205"  # of the simulated table
WON = "123m 456m 789s 555p 88s"


@dataclass
class Journey:
    """One installation that is tried out.

    Attributes:
        program: how it is called: `table-assist`, or a root and a user before it.
        folder: empty at the beginning; its files are seen by the program under the same name.
        took_s: how long each step took.
        patience_s: for each command.
    """

    program: Sequence[str]
    picture: Path
    folder: Path
    took_s: dict[str, float] = field(default_factory=dict)
    patience_s: float = STEP_S

    def run(self, *arguments: str, code: int = 0) -> str:
        """What the command says."""
        done = subprocess.run(
            [*self.program, *arguments],
            cwd=self.folder,
            env=self.environment(),
            capture_output=True,
            text=True,
            timeout=self.patience_s,
        )
        assert done.returncode == code, (arguments, done.returncode, done.stdout, done.stderr)
        assert "Traceback" not in done.stderr, done.stderr
        return done.stdout

    def environment(self) -> dict[str, str]:
        """Nothing of the developer's: no paths to a clone, no home with tile sets."""
        kept = {"PATH", "LANG", "TERM", "TMPDIR", "SYSTEMROOT"}
        own = {name: value for name, value in os.environ.items() if name in kept}
        home = str(self.folder / "home")
        return {**own, "HOME": home, "XDG_DATA_HOME": home, "PYTHONUNBUFFERED": "1"}

    @contextmanager
    def running(self, *arguments: str) -> Iterator["subprocess.Popen[str]"]:
        """A command that goes on until it is told to end; it must end well."""
        program = subprocess.Popen(
            [*self.program, *arguments],
            cwd=self.folder,
            env=self.environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            yield program
        finally:
            program.send_signal(signal.SIGTERM)
            program.communicate(timeout=START_S)


def version(journey: Journey) -> None:
    """Version, commit and both networks."""
    told = journey.run("--version").splitlines()
    assert [line.split()[0] for line in told] == [
        "table-assist",
        "commit",
        "detector",
        "recogniser",
    ]
    assert told[1] != "commit unknown"


def read(journey: Journey) -> None:
    """The drawn hand, tile by tile."""
    told = json.loads(journey.run("read", "--json", str(journey.picture)))
    assert len(told["tiles"]) == 14, told


def check(journey: Journey) -> None:
    """The first verdict on a photograph."""
    assert "A WIN" in journey.run("check", str(journey.picture), "--rules", "changsha")


def judge(journey: Journey) -> None:
    """A typed hand, and the sheets of all rule sets."""
    assert "WIN" in journey.run("judge", "--rules", "changsha", "--self-drawn", WON)
    for rules in ("changchun", "changsha", "wanzhou", "tianjin", "classical"):
        assert len(journey.run("rules", rules).splitlines()) > 20


def demo(journey: Journey) -> None:
    """The simulated table is followed: what its camera sees is read."""
    with journey.running("demo", "--port", "0", "--seed", SHORT_HAND, "--speed", "2") as program:
        url = address(program, "Dashboard: ")
        wait(lambda: b'"Discarded"' in fetch(f"{url}api/table"), "a discard")


def score(journey: Journey) -> None:
    """The page for phones answers."""
    with journey.running(
        "score", "--host", "127.0.0.1", "--port", "0", "--names", "Ann"
    ) as program:
        url = address(program, "Dashboard: ")
        page = fetch(url).decode()
        assert "<html" in page
        assert fetch(f"{url}static/table.js")
        assert "Ann" in fetch(f"{url}api/table").decode()


def run(journey: Journey) -> None:
    """A table with a virtual board: what the board says reaches the page."""
    with VirtualBoard() as board:
        settings = journey.folder / "board.toml"
        settings.write_text(f"[board]\nport = {json.dumps(board.port)}\n", encoding="utf-8")
        with journey.running("run", "--config", str(settings), "--port", "0") as program:
            url = address(program, "Dashboard: ")
            wait(lambda: _health(url).get("board") == "live", "the board")


def _health(url: str) -> dict[str, str]:
    told = json.loads(fetch(f"{url}api/table"))["health"]
    return {each["name"]: each["status"] for each in told}


def firmware(journey: Journey) -> None:
    """The hex is there, and is ours."""
    told = journey.run(
        "firmware", "flash", "--dry-run", "--port", "/dev/none", "--avrdude", "avrdude"
    )
    assert "flash:w:" in told
    assert "uno_retrofit.hex:i" in told


STEPS = (version, read, check, judge, score, run, firmware, demo)


def travel(journey: Journey, steps: Sequence[Callable[[Journey], None]] = STEPS) -> None:
    """Go through the steps and note how long each took."""
    for step in steps:
        began_s = time.monotonic()
        step(journey)
        journey.took_s[step.__name__] = round(time.monotonic() - began_s, 1)


def address(program: "subprocess.Popen[str]", before: str) -> str:
    """What follows those words in a line that the program prints."""
    assert program.stdout is not None
    for line in program.stdout:
        if line.startswith(before):
            return line.removeprefix(before).split()[0]
    raise AssertionError(f"it ended without saying {before!r}")


def fetch(url: str) -> bytes:
    """The body of an answer."""
    with urllib.request.urlopen(url, timeout=10) as answer:
        body: bytes = answer.read()
    return body


def wait(is_so: Callable[[], bool], what: str) -> None:
    """Until it is so."""
    ends_s = time.monotonic() + START_S
    while not is_so():
        assert time.monotonic() < ends_s, f"{what} did not come"
        time.sleep(0.2)


def main() -> None:
    """Try the program of the command line."""
    *program, picture = sys.argv[1:]
    with tempfile.TemporaryDirectory(prefix="journey-") as folder:
        journey = Journey(program, Path(picture).resolve(), Path(folder))
        travel(journey)
    print(json.dumps(journey.took_s))


if __name__ == "__main__":
    main()
