"""No process that has threads or a network is copied: processes are started anew.

In a copy a garbage collection may destroy a network's session, which waits for threads that are not
there: a run stood still at 99 % for half an hour.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = ("table_assist", "web", "firmware_bridge", "bench", "models", "tools", "tests")
# It refuses to where there are threads, and has no network.
MAY_FORK = {"tests/kills/kill.py"}
COPY = {"os.fork", "os.forkpty", "pty.fork", "multiprocessing.Process", "multiprocessing.Pool"}
STARTERS = {"ProcessPoolExecutor", "concurrent.futures.ProcessPoolExecutor"}


def forks(source: str) -> Iterator[str]:
    """What copies its process: `os.fork`, the context of that name, and the default."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            given = [ast.unparse(each) for each in node.args]
            given += [ast.unparse(keyword.value) for keyword in node.keywords]
            if copies(called, given):
                yield ast.unparse(node)


def copies(called: str, given: list[str]) -> bool:
    """Whether a call does, by its arguments."""
    if called.endswith("get_context"):
        return given != ["'spawn'"]
    has_context = any("context" in each for each in given)
    return called in COPY or (called in STARTERS and not has_context)


def sources() -> list[Path]:
    paths = (path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
    return [path for path in paths if "build" not in path.parts]


def test_no_process_is_copied() -> None:
    found = {
        name: copies
        for path in sources()
        if (name := path.relative_to(ROOT).as_posix()) not in MAY_FORK
        and (copies := list(forks(path.read_text(encoding="utf-8"))))
    }
    assert found == {}
    assert len(sources()) > 800


@pytest.mark.parametrize(
    "line",
    [
        "os.fork()",
        "multiprocessing.get_context('fork')",
        "multiprocessing.get_context()",
        "ProcessPoolExecutor(2)",
        "multiprocessing.Process(target=f).start()",
    ],
)
def test_a_copy_is_found(line: str) -> None:
    assert list(forks(line))


@pytest.mark.parametrize(
    "line", ["ProcessPoolExecutor(2, get_context('spawn'))", "context.Process(target=f)"]
)
def test_a_process_that_is_started_anew_is_none(line: str) -> None:
    assert not list(forks(line))
