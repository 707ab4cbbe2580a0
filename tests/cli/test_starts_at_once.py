"""Commands that need no picture and no page load neither: they answer at once."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

OLD = Path(__file__).parents[1] / "fixtures" / "before_the_move"
HEAVY = ["flask", "cv2", "onnxruntime", "numpy", "uvicorn", "web"]
# Of our own and the libraries' together; a page needs some 1,300.
MOST_MODULES = 450
SAY = f"""
import contextlib, io, json, sys
from table_assist.cli.main import main
with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
    try:
        code = main(sys.argv[1:])
    except SystemExit as ended:
        code = ended.code
print(json.dumps([code, len(sys.modules), [name for name in {HEAVY} if name in sys.modules]]))
"""


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (0, ["--help"]),
        (0, ["--version"]),
        (0, ["rules", "changsha"]),
        (0, ["judge", "--rules", "changsha", "--self-drawn", "123m 456m 789s 555p 88s"]),
        (1, ["verify", str(OLD / "dispute.zip")]),
        (0, ["export", str(OLD / "evening.sqlite"), "--format", "log"]),
        (2, ["verify", "no-such-file.zip"]),
        (2, ["export", "no-such-file.sqlite"]),
    ],
    ids=lambda each: each[0] if isinstance(each, list) else f"ends with {each}",
)
def test_it_loads_no_page_and_no_network(code: int, words: list[str]) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", SAY, *words], capture_output=True, text=True, check=True
    )
    ended, modules, heavy = json.loads(ran.stdout)
    assert heavy == []
    assert ended == code
    assert modules < MOST_MODULES
