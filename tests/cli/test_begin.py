"""The first minutes: what is offered, what shells complete."""

import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from table_assist.cli.arguments import parse_arguments
from table_assist.cli.main import OFFERS, choose
from table_assist.languages.catalogue import LANGUAGES, of_terminal

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
    for words, wanted in ((["calib"], "calibrate"), (["demo", "--head"], "--headless")):
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
