"""What a person is told is done is on disk: the program itself, a log that cannot be written."""

import json
import os
import re
import resource
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from table_assist.game.events import Penalised
from table_assist.record.export import read_log

ROOM = 300_000  # bytes that a file may have: SQLite's write-ahead log is full after some commands
ENDS_S = 30


@dataclass
class Person:
    """Somebody at the table's own machine, with a page open."""

    url: str
    token: str = ""

    def open_page(self) -> None:
        with urllib.request.urlopen(self.url, timeout=ENDS_S) as answer:
            self.token = re.search(r'name="table-token" content="([^"]+)"', answer.read().decode())[
                1
            ]  # type: ignore[index]

    def give(
        self, name: str, body: dict[str, object], key: str = ""
    ) -> tuple[int, dict[str, object]]:
        headers = {"Content-Type": "application/json", "X-Table-Token": self.token}
        if key:
            headers["Idempotency-Key"] = key
        request = urllib.request.Request(
            f"{self.url}api/{name}", json.dumps(body).encode(), headers, method="POST"
        )
        try:
            with urllib.request.urlopen(request, timeout=ENDS_S) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)

    def table(self) -> dict[str, object]:
        with urllib.request.urlopen(f"{self.url}api/table", timeout=ENDS_S) as answer:
            found: dict[str, object] = json.load(answer)
            return found


def ruling(points: int) -> dict[str, object]:
    return {
        "seat": 0,
        "irregularity": "",
        "transfers": [-points, points, 0, 0],
        "reason": {"en": f"ruling of {points}", "zh": ""},
        "dead": None,
    }


def _little_room() -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (ROOM, ROOM))


@contextmanager
def program(folder: Path, *, little_room: bool) -> Iterator[tuple[subprocess.Popen[str], Person]]:
    (folder / "table.toml").write_text("", encoding="utf-8")
    arguments = ["run", "--config", str(folder / "table.toml"), "--port", "0"]
    running = subprocess.Popen(
        [sys.executable, "-m", "table_assist", *arguments],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONDONTWRITEBYTECODE": "1"},
        preexec_fn=_little_room if little_room else None,
    )
    try:
        assert running.stdout is not None
        first = next(line for line in running.stdout if "http" in line)
        person = Person(re.search(r"http://\S+/", first)[0])  # type: ignore[index]
        person.open_page()
        yield running, person
    finally:
        running.kill()
        running.wait(ENDS_S)
        assert running.stdout is not None
        running.stdout.close()


def until_full(person: Person) -> tuple[list[int], int]:
    """Rulings until one is not kept: those that were called done, and that one."""
    assert person.give("start", {"seat": 0})[0] == 200
    done = []
    for points in range(1, 400):
        status, answer = person.give("rule", ruling(points), key=f"ruling-{points:020}")
        if status != 200:
            assert (status, answer["saved"]) == (503, False), answer
            assert "not saved" in str(answer["error"])
            return done, points
        done.append(points)
    pytest.fail("the disk never was full")


def kept(folder: Path) -> list[int]:
    entries = read_log(folder / "table-assist.sqlite")
    return [e.event.transfers[1] for e in entries if isinstance(e.event, Penalised)]


@pytest.mark.slow
def test_what_was_called_done_is_there_after_a_kill_and_nothing_else_was_called_done(
    tmp_path: Path,
) -> None:
    with program(tmp_path, little_room=True) as (running, person):
        done, refused = until_full(person)
        again = person.give("rule", ruling(refused), key=f"ruling-{refused:020}")
        assert again[0] == 503, "it is asked for again, and is still not on disk"
        log = next(s for s in person.table()["health"] if s["name"] == "log")  # type: ignore[attr-defined]
        assert log["status"] == "lost"
        assert "not saved" in log["said"]["en"]
        assert str(tmp_path) not in json.dumps(log), "where the log lies is nobody's business"
        running.kill()
        running.wait(ENDS_S)
    assert kept(tmp_path) == done


@pytest.mark.slow
def test_a_stop_with_something_unsaved_says_so_and_fails(tmp_path: Path) -> None:
    with program(tmp_path, little_room=True) as (running, person):
        until_full(person)
        running.terminate()
        assert running.stdout is not None
        said = running.stdout.read()
        assert running.wait(ENDS_S) == 1
    assert "NOT SAVED" in said


@pytest.mark.slow
def test_a_ruling_that_is_asked_for_again_is_made_once(tmp_path: Path) -> None:
    with program(tmp_path, little_room=False) as (running, person):
        assert person.give("start", {"seat": 0})[0] == 200
        key = "0123456789abcdef"
        assert person.give("rule", ruling(100), key) == (200, {"ok": True})
        assert person.give("rule", ruling(100), key) == (200, {"ok": True, "before": True})
        assert person.give("rule", ruling(7), key) == (200, {"ok": True}), "another command"
        assert person.give("rule", ruling(100), "short")[0] == 400
        running.terminate()
        assert running.wait(ENDS_S) == 0
    assert kept(tmp_path) == [100, 7]
    with program(tmp_path, little_room=False) as (_, person):
        again = person.give("rule", ruling(100), key)
        assert again == (200, {"ok": True, "before": True}), "a new program knows it too"
    assert kept(tmp_path) == [100, 7]
