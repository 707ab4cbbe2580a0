"""Every measurement's help ends with its examples, and each of them does what it says."""

import hashlib
import json
import os
import shlex
import shutil
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from bench import BenchError
from bench.__main__ import EXAMPLES, build_parser, main
from bench.cases.run import run_case, run_file
from bench.live.hands import WantedHands, eyes_for
from bench.live.measure import dresses_for, read_as_told
from bench.live.rates import MeasuredRates, load_rates
from bench.reading import table_scenes, timed
from models.world import WorldLooks
from table_assist.cli.arguments import commands_of
from table_assist.rules.registry import rule_sets
from table_assist.vision.reading.readings import Readings, box_readings
from table_assist.vision.reading.recognise import Candidate, Name
from table_assist.vision.reading.weights import WEIGHTS
from table_assist.vision.table.calibration import Calibration
from table_assist.vision.table.zones import Layout, ZoneKind, zone_at

# What takes minutes on a busy machine: `make packages` runs them too.
MINUTES = ("eyes", "calibration", "live")
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


def test_the_best_run_and_the_spread_are_told() -> None:
    waits = iter([0.0, 0.03, 0.01, 0.02])  # the first warms up and does not count
    timing = timed(lambda: time.sleep(next(waits)), 3)
    assert timing.runs == 3
    assert 10 <= timing.best_ms <= timing.median_ms <= timing.worst_ms
    assert timing.median_ms >= 20
    assert timing.worst_ms >= 30
    assert timing.cpu_ms < timing.best_ms, "waiting takes no processor"


def test_the_table_is_in_play_and_one_discard_of_it_comes_and_goes() -> None:
    scene, other = table_scenes()
    (discard,) = set(scene.tiles) - set(other.tiles)
    assert zone_at(discard.x_mm, discard.y_mm, Layout()).kind is ZoneKind.RIVER
    assert len(other.tiles) == len(scene.tiles) - 1
    assert len(scene.tiles) > 60
    assert scene.covers == other.covers == ()


MEASURED = {looks: load_rates(looks) for looks in (WorldLooks.USUAL, WorldLooks.WORLD)}


@pytest.mark.parametrize("measured", MEASURED.values(), ids=MEASURED)
def test_the_rates_are_those_of_todays_networks(measured: MeasuredRates) -> None:
    """New networks err in another way: ``python -m bench live measure`` finds out how."""
    files = sorted(WEIGHTS.glob("*.onnx"))
    shas = [hashlib.sha256(each.read_bytes()).hexdigest()[:12] for each in files]
    assert measured.networks == " ".join(shas)


def test_held_out_tables_are_neither_measured_nor_modelled() -> None:
    with pytest.raises(BenchError, match="nothing is tuned by them"):
        dresses_for(WorldLooks.HELD_OUT, None)
    with pytest.raises(BenchError, match="--eyes real"):
        eyes_for(WantedHands(1, looks=WorldLooks.HELD_OUT))


class CarelessReader:
    """Reads backs in a row, and two more where nothing lies."""

    def read(self, window: np.ndarray, *, of_a_table: bool) -> Readings:
        boxes = [(100 + 40 * i, 300, 126 + 40 * i, 335) for i in range(12)]
        names = [Name("back", 0.97, (Candidate("back", 0.97),))] * len(boxes)
        return box_readings((800, 800), np.array(boxes, np.float32), names)


def test_cloth_that_the_program_knows_is_no_error_of_its_eyes() -> None:
    """Backs between the ends of the walls, which the watcher leaves out, were counted as seen: of
    200 hands with modelled eyes two in a hundred had a question about a wall that is too long."""
    window = np.full((800, 800, 3), (62, 104, 42), np.uint8)
    for left in range(100, 500, 40):
        window[300:335, left : left + 26] = (42, 138, 214)
    calibration = Calibration(((0, 800), (800, 800), (800, 0), (0, 0)))
    told = read_as_told(CarelessReader(), window, calibration, None, 26.0)  # type: ignore[arg-type]
    assert len(told) == 10
    assert told.polygons[:, :, 0].max() < 490


FILE = Path(__file__).parents[1] / "golden" / "courses.jsonl"
ROWS = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("case", ROWS, ids=[row["id"] for row in ROWS])
def test_the_course_of_a_hand_is_the_books(case: dict[str, object]) -> None:
    result = run_case(case)
    assert result.ok, (case["why"], result.expected, result.got)


def test_the_file_runs_as_a_whole_and_no_id_is_there_twice() -> None:
    results = run_file(FILE)
    assert len(results) == len(ROWS)
    assert max(Counter(result.id for result in results).values()) == 1
    assert {row["ruleset"] for row in ROWS} == {rules.id for rules in rule_sets()}


@pytest.mark.parametrize(
    ("events", "why"),
    [
        ([], "a course has a list of events"),
        ([7], "7 is no event"),
        ([{"type": "Discarded", "seat": 0}], "Discarded cannot be read"),
        ([{"type": "Sneezed"}], "no event"),
    ],
)
def test_a_course_that_cannot_be_read_fails_and_says_why(events: list[object], why: str) -> None:
    case = {
        "ruleset": "changsha",
        "kind": "course",
        "given": {"events": events},
        "expect": {"flags": {}},
    }
    result = run_case(case)
    assert not result.ok
    assert why in str(result.got["error"])


def test_a_course_runs_under_the_options_it_names() -> None:
    case = next(row for row in ROWS if row["id"] == "cc-course-ready-kong-forbidden")
    options = {"ready_concealed_kong": "allowed"}
    result = run_case(case | {"given": case["given"] | {"options": options}})
    assert not result.ok
    assert result.got["flags"] == {}
