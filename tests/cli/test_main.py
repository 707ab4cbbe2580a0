"""The command line as a user meets it: what goes wrong is one sentence, and what works, works."""

import argparse
import ctypes
import json
import signal
import socket
import subprocess
import sys
import urllib.request
import zipfile
from io import BytesIO, TextIOWrapper
from pathlib import Path

import cv2
import numpy as np
import pytest

from table_assist.cli.door import Door
from table_assist.cli.main import main
from table_assist.record.store import Store
from tests.stages.drawn_hands import draw_row
from tests.stages.repository_tool import free_port

Said = pytest.CaptureFixture[str]


def complaint(capsys: Said, *arguments: str) -> str:
    """What the command says when it cannot be done."""
    assert main(arguments) == 2
    captured = capsys.readouterr()
    lines = captured.err.strip().splitlines()
    assert lines[-1].startswith("table-assist: ")
    assert "Traceback" not in captured.err
    return lines[-1]


def test_what_is_no_picture_is_named(tmp_path: Path, capsys: Said) -> None:
    text = tmp_path / "notes.jpg"
    text.write_text("no picture")
    assert "notes.jpg" in complaint(capsys, "read", str(text))
    empty = tmp_path / "empty.jpg"
    empty.touch()
    assert "empty" in complaint(capsys, "check", str(empty))
    assert "missing.jpg" in complaint(capsys, "read", str(tmp_path / "missing.jpg"))
    assert "folder" in complaint(capsys, "read", str(tmp_path))


def test_one_bad_picture_does_not_stop_the_others(tmp_path: Path, capsys: Said) -> None:
    good = tmp_path / "good.png"
    cv2.imwrite(str(good), np.full((200, 200, 3), 90, np.uint8))
    assert main(["read", "--json", str(tmp_path / "bad.png"), str(good)]) == 2
    captured = capsys.readouterr()
    (line,) = captured.out.splitlines()
    told = json.loads(line)
    assert (told["picture"], told["size"], told["tiles"]) == (str(good), [200, 200], [])
    assert "bad.png" in captured.err


def test_an_unknown_rule_set_is_answered_with_those_there_are(tmp_path: Path, capsys: Said) -> None:
    said = complaint(capsys, "check", str(tmp_path / "x.jpg"), "--rules", "riichi")
    assert "no rule set riichi" in said
    assert "changsha" in said


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ("[camera", "no TOML"),
        ('[camera]\nsource = "missing.mp4"', "missing.mp4"),
        ('[log]\npath = "/dev/null/log.sqlite"', "/dev/null/log.sqlite"),
    ],
)
def test_broken_settings_are_one_sentence(
    settings: str, named: str, tmp_path: Path, capsys: Said
) -> None:
    path = tmp_path / "table.toml"
    path.write_text(settings)
    assert named in complaint(capsys, "run", "--no-recovery", "--config", str(path), "--port", "0")


def test_a_taken_port_is_one_sentence_and_nothing_keeps_running(
    tmp_path: Path, capsys: Said
) -> None:
    path = tmp_path / "table.toml"
    path.write_text("")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        said = complaint(capsys, "run", "--config", str(path), "--port", port)
    assert port in said
    with Store(tmp_path / "table-assist.sqlite") as store:  # the log was let go
        assert store.load() == ()


def test_faces_that_are_missing_are_named(tmp_path: Path, capsys: Said) -> None:
    said = complaint(capsys, "demo", "--faces", str(tmp_path))
    assert "lacks 123456789m" in said


@pytest.mark.slow
def test_a_tile_set_that_nobody_made_known_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Said
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert "'bamboo'" in complaint(capsys, "demo", "--set", "bamboo")


@pytest.mark.parametrize(
    "arguments", [["demo", "--speed", "0"], ["check", "x", "--dealer", "4"], ["juggle"], []]
)
def test_options_that_make_no_sense_exit_with_2(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2


@pytest.mark.slow
def test_a_drawn_hand_is_read_judged_and_drawn_over(tmp_path: Path, capsys: Said) -> None:
    picture, overlay = tmp_path / "hand.png", tmp_path / "over.png"
    cv2.imwrite(str(picture), draw_row("123m 456m 789s 555p 88s"))
    code = main(["check", str(picture), "--overlay", str(overlay)])
    said = capsys.readouterr().out
    assert "tiles and dice read" in said
    assert "seat 0" in said
    assert code == 0, said
    assert "A WIN" in said
    assert cv2.imread(str(overlay)) is not None


def test_an_overlay_that_cannot_be_written_is_named(tmp_path: Path, capsys: Said) -> None:
    picture = tmp_path / "hand.png"
    cv2.imwrite(str(picture), np.full((100, 100, 3), 90, np.uint8))
    said = complaint(capsys, "read", str(picture), "--overlay", str(tmp_path / "no" / "x.png"))
    assert "x.png" in said
    assert "ending" in complaint(capsys, "read", str(picture), "--overlay", "x.juggle")


def table(url: str) -> dict[str, object]:
    with urllib.request.urlopen(f"{url}api/table", timeout=10) as answer:
        view: dict[str, object] = json.load(answer)
    return view


OLD = Path(__file__).parents[1] / "fixtures" / "before_the_move" / "dispute.zip"
EVIL = "x.\r\x1b[2K\x1b[1A\x1b[2Kok  all is well\x1b]0;me\x07\n\rok \x9b2K\u202e"


def test_a_console_without_chinese_letters_ends_no_command() -> None:
    behind = TextIOWrapper(BytesIO(), "cp1252")
    print("中 é", file=Door(behind), end="")
    behind.seek(0)
    assert behind.read() == r"\u4e2d é"


def test_a_forged_file_cannot_erase_what_is_said_of_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "forged.zip"
    with zipfile.ZipFile(OLD) as old, zipfile.ZipFile(path, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name == "dispute.json":
                manifest = json.loads(content)
                manifest["sha256"][EVIL] = "0" * 64
                content = json.dumps(manifest).encode()
            new.writestr(name, content)
    assert main(["verify", str(path)]) == 1
    said = capsys.readouterr().out
    assert "NO" in said
    assert all(line[:2] in ("ok", "NO", "--") and line[4:].strip() for line in said.splitlines())
    assert not set(said) & set("\r\x1b\x07\x9b\u202e")
    assert main(["verify", str(tmp_path / "\x1b[2Kno.zip")]) == 2
    assert "\x1b" not in capsys.readouterr().err


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


def test_a_request_to_end_is_heard_while_the_program_looks_whether_one_came() -> None:
    """The handler interrupts the look itself, with the lock of the event in its hand."""
    looking = """
import os, threading
from table_assist.cli.door import end_asked
for _ in range(20):
    stop = end_asked()
    threading.Timer(0.01, os.kill, (os.getpid(), 15)).start()
    while not stop.wait(0): pass
"""
    subprocess.run([sys.executable, "-c", looking], check=True, timeout=60)


def test_reading_a_picture_starts_without_the_dashboard_and_the_board() -> None:
    code = (
        "import sys; before = set(sys.modules); "
        "from table_assist.cli.main import main; main(['read', 'none.jpg']); "
        "print([m for m in ('flask', 'uvicorn', 'serial', 'sqlite3', 'table_assist.rules.judge')"
        " if m in sys.modules.keys() - before])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_what_is_no_users_error_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    from table_assist.cli import main as app

    def fail(_: argparse.Namespace) -> int:
        raise ZeroDivisionError

    monkeypatch.setattr(app, "_command_of", lambda _: fail)
    with pytest.raises(ZeroDivisionError):
        app.main(["rules"])
