"""The wheel holds all that the program needs, inside one package, and means the same there."""

import ast
from pathlib import Path

import pytest

from tools.wheel_contents import HOUSE, MOVED, CannotMoveError, contents, moved

ROOT = Path(__file__).parents[2]
SHIPPED = {shipped.source for shipped in contents(ROOT)}
# What lies in the packages' folders and is not for those who install the program.
LEFT_OUT = {"firmware_bridge/device/build", "firmware_bridge/device/simavr/build", "__pycache__"}


def test_everything_is_in_one_package() -> None:
    assert {shipped.target.parts[0] for shipped in contents(ROOT)} == {HOUSE}


def test_two_files_do_not_want_one_place() -> None:
    targets = [shipped.target for shipped in contents(ROOT)]
    assert len(set(targets)) == len(targets) > 600


@pytest.mark.parametrize("package", [HOUSE, *MOVED, "models/weights"])
def test_no_file_of_the_packages_is_forgotten(package: str) -> None:
    """A new kind of file beside the code is named in `DATA`, or here."""
    for path in (ROOT / package).rglob("*"):
        relative = path.relative_to(ROOT).as_posix()
        if path.is_file() and not any(part in relative for part in LEFT_OUT):
            assert path in SHIPPED, f"{relative} would be missing in the wheel"


def test_no_import_of_a_moved_package_is_left() -> None:
    for shipped in contents(ROOT):
        if shipped.source.suffix != ".py":
            continue
        for node in ast.walk(ast.parse(shipped.content())):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                assert name.split(".")[0] not in MOVED, (shipped.target, name)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("from web import serve\n", "from table_assist.web import serve\n"),
        (
            "from web.api import (\n    api,\n)\n",
            "from table_assist.web.api import (\n    api,\n)\n",
        ),
        ("import web.serve as s\n", "import table_assist.web.serve as s\n"),
        (
            "def f():\n    from firmware_bridge import link\n",
            "def f():\n    from table_assist.firmware_bridge import link\n",
        ),
        ("from webcolors import names\n", "from webcolors import names\n"),
        ("x = 1  # from web import y\n", "x = 1  # from web import y\n"),
    ],
)
def test_imports_are_rewritten_and_nothing_else(before: str, after: str) -> None:
    assert moved(before) == after


@pytest.mark.parametrize(
    "text",
    ["import web\n", "import web.serve\n", 'Flask("web")\n', 'import_module("web.serve")\n'],
)
def test_what_could_break_unseen_stops_the_build(text: str) -> None:
    with pytest.raises(CannotMoveError):
        moved(text)


def test_the_version_stands_in_one_place() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert 'dynamic = ["version"]' in project
    assert 'version = { attr = "table_assist.parts.VERSION" }' in project
