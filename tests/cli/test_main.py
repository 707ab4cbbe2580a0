"""The command line as a user meets it: what goes wrong is one sentence, and what works, works."""

import json
import socket
import urllib.request
from pathlib import Path

import cv2
import numpy as np
import pytest

from table_assist.cli.main import main
from table_assist.record.store import Store
from tests.stages.drawn_hands import draw_row

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
    said = complaint(capsys, "demo", "--headless", "--faces", str(tmp_path))
    assert "lacks 123456789m" in said


@pytest.mark.slow
def test_a_tile_set_that_nobody_made_known_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Said
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert "'bamboo'" in complaint(capsys, "demo", "--headless", "--set", "bamboo")


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
