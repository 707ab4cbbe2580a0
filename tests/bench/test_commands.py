"""Every measurement's help ends with its examples, and each of them does what it says."""

import os
import shlex
from pathlib import Path

import pytest

from bench.__main__ import build_parser, main
from bench.examples import EXAMPLES
from table_assist.cli.examples import commands_of

# What takes minutes on a busy machine: `make packages` runs them too.
MINUTES = ("perft", "eyes", "calibration", "phones", "live", "secrecy", "load", "trials")
RUN = [
    pytest.param(line, marks=pytest.mark.slow)
    for told in EXAMPLES.values()
    for line in dict.fromkeys(told)
    if os.environ.get("EVERY_EXAMPLE") or not line.startswith(MINUTES)
]


def test_every_help_ends_with_its_examples() -> None:
    below = commands_of(build_parser())
    assert set(below) == set(EXAMPLES)
    for name, command in below.items():
        lines = dict.fromkeys(EXAMPLES[name])
        assert command.format_help().endswith(
            "".join(f"  python -m bench {line}\n" for line in lines)
        )


@pytest.mark.timeout(1800 if os.environ.get("EVERY_EXAMPLE") else 300)
@pytest.mark.parametrize("line", RUN)
def test_an_example_does_what_it_says(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(shlex.split(line)) == 0


def test_what_cannot_be_done_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["live", "replay", "--folder", "nowhere"]) == 2
    assert "there is no folder 'nowhere'" in capsys.readouterr().err


def test_whoever_mistypes_is_told_what_was_probably_meant(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        main(["hnds"])
    assert "did you mean hands?" in capsys.readouterr().err
