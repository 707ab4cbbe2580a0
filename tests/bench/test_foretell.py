"""A long measurement that was stopped goes on where it was."""

import json
from pathlib import Path

import pytest

from bench import foretell
from bench.foretell import ForetoldRow, run

GOOD = ForetoldRow(
    "from above/felt ×1", "wanzhou", {"right": 40}, 1.0, False, (1.0, 0, 0.5), (1.0, 0, 1.0)
)


def test_tables_that_are_kept_are_not_measured_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    measured: list[int] = []

    def measure(tables: range, seed: int) -> list[ForetoldRow]:
        measured.extend(tables)
        return [GOOD]

    monkeypatch.setattr(foretell, "measure_tables", measure)
    kept = tmp_path / "kept.jsonl"
    assert run(range(3), 1, kept=kept) == 0
    with kept.open("a", encoding="utf-8") as file:
        file.write('{"number": 3, "seed": 1, "ta')  # a kill left half a line
    for _ in range(2):
        assert run(range(5), 1, kept=kept) == 0
    assert measured == [0, 1, 2, 3, 4]
    summary = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert summary["tables"] == 5
    assert summary["evenings"] == {"live": 5}
