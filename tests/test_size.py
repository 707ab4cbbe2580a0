"""Nothing grows: the house is not above its ceiling, and the ceiling only falls."""

import json
import subprocess
from pathlib import Path

import pytest

from tools.size import CEILINGS, above, lowered, sizes, totals


def test_nothing_is_above_its_ceiling() -> None:
    ceiling = json.loads(CEILINGS.read_text(encoding="utf-8"))["ceiling"]
    weighed = sizes()
    assert above(ceiling, totals(weighed)) == []
    assert sum(counts["po"] for counts in weighed.values()) <= 20_000  # translations may grow


def test_the_meter_counts_what_is_there_and_refuses_a_line_too_much(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    for name, text in {
        "table_assist/a.py": 'def f() -> int:\n    """Docs."""\n    return 1  # one\n\n\nX = "s"\n',
        "web/a.css": "a {}\n",
        "bench/b.py": "def g(): ...\n",
        "tests/test_a.py": "def test_a() -> None:\n    assert True\n",
        "table_assist/ja.po": 'msgid "a"\nmsgstr "b"\n',
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    now = totals(sizes(tmp_path))
    assert now == {
        "product lines": 8,
        "functions": 1,
        "files": 1,
        "test lines": 2,
        "tokens": 17,
        "test tokens": 9,
    }
    (tmp_path / "web/a.css").write_text("a {}\nb {}\n")
    assert above(now, totals(sizes(tmp_path))) == ["product lines: 9 are 1 above the ceiling of 8"]


@pytest.mark.parametrize(("now", "room", "then"), [(7, 0, 7), (9, 0, 8), (3, 4, 7), (7, 4, 8)])
def test_a_ceiling_falls_and_never_rises(now: int, room: int, then: int) -> None:
    assert lowered({"product lines": 8}, {"product lines": now}, room) == {"product lines": then}
