"""Every measurement's help ends with its examples, and each of them does what it says."""

import json
import os
import shlex
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from bench.__main__ import EXAMPLES, build_parser, main
from table_assist.cli.arguments import commands_of

# What takes minutes on a busy machine: `make packages` runs them too.
MINUTES = ("perft", "eyes", "calibration", "live")
GOLDEN = Path(__file__).parents[1] / "golden" / "changsha.jsonl"
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
    shutil.copy(GOLDEN, "mine.jsonl")
    # In a thread of its own: a browser's test before it leaves a running loop in this one.
    with ThreadPoolExecutor(1) as alone:
        assert alone.submit(main, shlex.split(line)).result() == 0


def test_what_cannot_be_done_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["live", "replay", "--folder", "nowhere"]) == 2
    assert "there is no folder 'nowhere'" in capsys.readouterr().err


def test_whoever_mistypes_is_told_what_was_probably_meant(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        main(["hnds"])
    assert "did you mean hands?" in capsys.readouterr().err


def test_cases_pass_fail_and_count(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = {
        "id": "mine-1",
        "ruleset": "changsha",
        "kind": "bird",
        "given": {"dealer": 0, "winner": 1, "discarder": 2, "birds": ["2m", "9p"]},
        "expect": {"hits": 1},
    }
    path = tmp_path / "mine.jsonl"
    path.write_text(json.dumps(case) + "\n")
    assert main(["cases", str(path)]) == 0
    assert "1 passed, 0 failed" in capsys.readouterr().out
    case["expect"] = {"hits": 2}
    path.write_text(json.dumps(case) + "\n" + '{"id": "mine-2", "kind": "juggle"}\n')
    assert main(["cases", "--json", str(path)]) == 1
    captured = capsys.readouterr()
    rows = [json.loads(line) for line in captured.out.splitlines()]
    assert [(row["id"], row["ok"]) for row in rows] == [("mine-1", False), ("mine-2", False)]
    assert rows[0]["expected"] == {"hits": 2}
    assert rows[0]["got"]["hits"] == 1
    assert "0 passed, 2 failed" in captured.err


def test_no_cases_at_all_are_no_success(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    assert main(["cases", str(empty)]) == 1
    assert main(["cases", str(tmp_path / "missing.jsonl")]) == 2
    assert "missing.jsonl cannot be read" in capsys.readouterr().err
