"""The bridge stands alone: it knows no game, and its core has no port, no clock, no thread."""

import ast
from pathlib import Path

import pytest

import firmware_bridge.frames

PACKAGE = Path(firmware_bridge.frames.__file__).parent
PURE = [
    "frames",
    "events",
    "messages",
    "orders",
    "clock",
    "receiver",
    "inflight",
    "faults",
]
PURE_MAY_IMPORT = {
    "abc",
    "functools",
    "itertools",
    "re",
    "binascii",
    "dataclasses",
    "enum",
    "collections",
    "typing",
    "random",
}


def imported(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    return names


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: path.stem)
def test_nothing_of_the_table_is_imported(path: Path) -> None:
    assert not {name for name in imported(path) if name.split(".")[0] in ("table_assist", "web")}


@pytest.mark.parametrize("module", PURE)
def test_the_core_has_no_port_no_clock_and_no_thread(module: str) -> None:
    for name in imported(PACKAGE / f"{module}.py"):
        parts = name.split(".")
        assert parts[0] in PURE_MAY_IMPORT | {"queue"} or parts[-1] in PURE, name
