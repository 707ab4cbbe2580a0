"""The first minutes: what is offered, what shells complete."""

import json
import os
import pty
import re
import resource
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from table_assist.cli.arguments import parse_arguments
from table_assist.cli.main import OFFERS, choose
from table_assist.cli.score import settings_for
from table_assist.game.events import Penalised
from table_assist.languages.catalogue import LANGUAGES, of_terminal
from table_assist.record.export import read_log
from table_assist.settings.config import ConfigError, load_config
from table_assist.tiles.tile import parse_tiles
from tests.stages.visitor import page_token
from tests.web.test_photo import as_jpeg, ask_of, name_unread, photograph

COMMAND = [sys.executable, "-m", "table_assist"]


def answers(*said: str) -> Iterator[str]:
    yield from said


def chosen(*typed: str, language: str = "en") -> tuple[tuple[str, ...] | None, str]:
    told: list[str] = []
    left = answers(*typed)

    def ask(words: str) -> str:
        told.append(words)
        try:
            return next(left)
        except StopIteration:
            raise EOFError from None

    return choose(ask, told.append, language), "\n".join(told)


@pytest.mark.parametrize("typed", [("",), (), ("x", "0", "9", "²", "1 2", "1")])
def test_nothing_is_begun_that_nobody_chose(typed: tuple[str, ...]) -> None:
    assert chosen(*typed)[0] is None


def test_a_slip_is_asked_about_again() -> None:
    assert chosen("7", "1")[0] == OFFERS[0].arguments


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_offer_speaks_every_language(language: str) -> None:
    said = chosen("", language=language)[1]
    for offer in OFFERS:
        assert offer.says.said(language) in said


@pytest.mark.parametrize(
    ("named", "language"),
    [
        ("zh_CN.UTF-8", "zh"),
        ("zh_TW.UTF-8", "zh-Hant"),
        ("ja_JP.UTF-8", "ja"),
        ("en_GB.UTF-8", "en"),
        ("C", "en"),
        ("Chinese (Simplified)_China.936", "zh"),
        ("Chinese (Traditional)_Taiwan.950", "zh-Hant"),
        ("Japanese_Japan.932", "ja"),
        ("English_United Kingdom.1252", "en"),
    ],
)
def test_the_terminals_language_counts(
    named: str, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", named)
    assert of_terminal() == language


def test_a_terminal_is_offered_what_to_do() -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen(COMMAND, stdin=theirs, stdout=theirs, stderr=theirs) as program:
        os.close(theirs)
        seen = b""
        while b"leave: " not in seen and "离开：".encode() not in seen:
            seen += os.read(ours, 1000)
        os.write(ours, b"\n")
    os.close(ours)
    assert program.returncode == 0
    assert b"table-assist demo" in seen


def test_a_script_without_a_command_is_told_and_fails() -> None:
    done = subprocess.run(COMMAND, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == 2
    assert "All commands: table-assist --help" in done.stdout


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_completion_is_a_script_with_every_command(
    shell: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from table_assist.cli.short import completion

    assert completion(parse_arguments(["completion", shell])) == 0
    script = capsys.readouterr().out
    for word in ("calibrate", "firmware", "--trusted-proxy"):
        assert word in script


def test_bash_completes_a_command_and_an_option(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from table_assist.cli.short import completion

    completion(parse_arguments(["completion", "bash"]))
    (tmp_path / "completion").write_text(capsys.readouterr().out)
    for words, wanted in ((["calib"], "calibrate"), (["demo", "--cam"], "--camera")):
        typed = ["table-assist", *words]
        line = (
            f". {tmp_path}/completion; COMP_WORDS=({' '.join(typed)}); COMP_CWORD={len(words)}; "
            f"_shtab_table_assist table-assist {words[-1]} {typed[-2]}; echo ${{COMPREPLY[*]}}"
        )
        done = subprocess.run(["bash", "-c", line], capture_output=True, text=True)
        assert wanted in done.stdout.split(), done.stderr


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["runn"], "there is no command runn; did you mean run?"),
        (["firmware", "flsh"], "did you mean flash?"),
        (["judge", "--rules", "riichi", "1m"], "there are changchun, changsha, classical"),
        ([], "Keep the score with phones"),
    ],
)
def test_whoever_mistypes_is_told_what_was_probably_meant(typed: list[str], said: str) -> None:
    found = subprocess.run(
        [*COMMAND, *typed], capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False
    )
    assert found.returncode == 2
    told = found.stdout + found.stderr
    assert said in told
    assert "[" not in told.splitlines()[-1]


def test_a_rule_set_is_found_in_whichever_letters_it_is_written() -> None:
    hand = ["--rules", "Changsha", "--self-drawn", "123m 456m 789s 555p 88s"]
    found = subprocess.run([*COMMAND, "judge", *hand], capture_output=True, text=True, check=False)
    assert "A WIN" in found.stdout


STARTS_WITHIN_S = 60.0
PATIENCE_MS = 60_000
CONCEALED, WON = "123m456m789s123p5s", "5s"


@pytest.fixture
def score(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """The address, and the folder in which it runs."""
    command = [sys.executable, "-m", "table_assist", "score", "--rules", "wanzhou"]
    command += ["--names", "Ann, Bo, Chen, Du", "--port", "0", "--host", "127.0.0.1"]
    told = tmp_path / "told.txt"
    with told.open("w") as out:
        running = subprocess.Popen(
            command, cwd=tmp_path, stdout=out, stderr=subprocess.STDOUT, env=dict(os.environ)
        )
        try:
            ends = time.monotonic() + STARTS_WITHIN_S
            while not (found := re.search(r"Dashboard: (http://\S+)", told.read_text())):
                assert running.poll() is None, told.read_text()
                assert time.monotonic() < ends, told.read_text()
                time.sleep(0.1)
            yield found[1], tmp_path
        finally:
            running.send_signal(signal.SIGINT)
            running.wait(30)


def test_a_table_that_was_just_started_keeps_a_photographed_score(
    browser: Browser, score: tuple[str, Path]
) -> None:
    url, folder = score
    assert load_config(folder / "score.toml").rules.id == "wanzhou"
    picture = folder / "hand.jpg"
    picture.write_bytes(as_jpeg(photograph(CONCEALED, WON)))
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, locale="en-GB"
    )
    phone = context.new_page()
    phone.set_default_timeout(PATIENCE_MS)
    complaints: list[str] = []
    phone.on("pageerror", lambda error: complaints.append(str(error)))
    try:
        phone.goto(f"{url}seat/1")
        expect(phone.locator("#headline")).to_contain_text("who wins photographs it")
        phone.locator("#mine .won input").set_input_files(picture)
        phone.locator("#whose button", has_text="Bo").tap()
        expect(phone.locator("[data-group=hand] .piece")).to_have_count(14)
        name_unread(phone, [str(tile) for tile in parse_tiles(CONCEALED + WON)])
        phone.get_by_role("button", name="Self-drawn").tap()
        ask_of(phone, "Who deals").get_by_role("button", name="Ann").tap()
        phone.locator("#worth .send").tap()
        expect(phone.locator("#verdicts")).to_contain_text("reported by people")
        phone.locator("#settle .accept").tap()
        expect(phone.locator("#history tbody tr")).to_have_count(1)
    finally:
        context.close()
    with urllib.request.urlopen(f"{url}api/table", timeout=30) as answer:
        seats = json.load(answer)["seats"]
    assert [(seat["name"], seat["score"]) for seat in seats] == [
        ("Ann", -2), ("Bo", 6), ("Chen", -2), ("Du", -2)
    ]  # fmt: skip
    assert not complaints


def test_a_rule_set_that_is_not_there_is_refused_before_anything_is_written() -> None:
    with pytest.raises(ConfigError, match="--rules"):
        settings_for("chess", "")
    with pytest.raises(ConfigError, match="5 names"):
        settings_for("wanzhou", "a,b,c,d,e")


ROOM = 300_000  # bytes that a file may have: SQLite's write-ahead log is full after some commands
ENDS_S = 30


@dataclass
class Person:
    """Somebody at the table's own machine, with a page open."""

    url: str
    token: str = ""

    def open_page(self) -> None:
        with urllib.request.urlopen(self.url, timeout=ENDS_S) as answer:
            self.token = page_token(answer.read().decode())

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
