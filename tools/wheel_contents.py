"""The content of the wheel, and its places: everything lies inside ``table_assist/``.

In the repository, the dashboard (`web/`), the board's line (`firmware_bridge/`) and the networks
(`models/weights/`) have folders of their own at the top. Installed like that, they would be
packages called ``web`` and ``models`` among everybody else's. So the wheel has them under
``table_assist``, and their imports are rewritten while they are copied, as pip does with what it
vendors. Only module names in import statements change, so lines keep their numbers; what could
break silently (a module named in a text, a bare ``import web``) stops the build. `setup.py` uses
this; developers keep working on the folders as they are.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

HOUSE = "table_assist"
MOVED = ("web", "firmware_bridge")  # packages of the repository that move into the house
# Files that go along beside Python files: patterns of paths in the repository.
DATA = (
    "table_assist/following/told_scale.json",
    "table_assist/club/designs.json",
    "table_assist/languages/*.po",
    "table_assist/rules/house/shown/*.jsonl",
    "table_assist/**/*.toml",
    "table_assist/twin/rasters/*.png",
    "web/words.toml",
    "web/templates/*.html",
    "web/static/**/*",
    "firmware_bridge/vectors.json",
    "firmware_bridge/device/*.hex",
    "firmware_bridge/device/Makefile",
    "firmware_bridge/device/core/*",
    "firmware_bridge/device/uno_retrofit/*",
    "models/README.md",
    "models/weights/*",
    "docs/table.example.toml",
    "docs/log.schema.json",
    "docs/board/*.svg",
)
_OURS = "|".join(MOVED)
_NAMES_A_MODULE = re.compile(rf"({_OURS})(\.[a-z_]\w*)+")


class CannotMoveError(Exception):
    """A file uses a moved package in a way that a copy elsewhere would break."""


@dataclass(frozen=True, slots=True)
class Shipped:
    """One file of the wheel: its path there, and where it comes from."""

    target: PurePosixPath
    source: Path

    def content(self) -> bytes:
        """The written bytes.

        Raises:
            CannotMoveError: see `moved`.
        """
        raw = self.source.read_bytes()
        if self.source.suffix != ".py":
            return raw
        return moved(raw.decode("utf-8"), str(self.source)).encode("utf-8")


def contents(root: Path) -> Iterator[Shipped]:
    """Every file of the wheel, by the repository's folder."""
    packages = (HOUSE, *MOVED)
    code = (path for package in packages for path in (root / package).rglob("*.py"))
    data = (path for pattern in DATA for path in root.glob(pattern) if path.is_file())
    for path in sorted({*code, *data}):
        there = PurePosixPath(path.relative_to(root).as_posix())
        inside = there if there.parts[0] == HOUSE else PurePosixPath(HOUSE, there)
        yield Shipped(inside, path)


def moved(text: str, name: str = "<text>") -> str:
    """The text of a module with its imports of moved packages as they are in the wheel.

    >>> moved("from web.view import views")
    'from table_assist.web.view import views'

    Raises:
        CannotMoveError: the module could not be rewritten so that it means the same.
    """
    if not any(each in text for each in MOVED):
        return text
    lines = text.splitlines(keepends=True)
    for node in ast.walk(ast.parse(text, name)):
        if isinstance(node, ast.ImportFrom) and _is_moved(node.module or ""):
            _put(lines, node.lineno, rf"(\bfrom\s+)({_OURS})\b")
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if _is_moved(alias.name):
                    if alias.asname is None:
                        raise CannotMoveError(f"{name}:{node.lineno}: import {alias.name} as ...")
                    _put(lines, alias.lineno, rf"(\bimport\s+|,\s*|^\s*)({_OURS})\b")
        elif isinstance(node, ast.Call):
            _refuse_names(node, name)
    return "".join(lines)


def _is_moved(module: str) -> bool:
    return module.split(".")[0] in MOVED


def _put(lines: list[str], number: int, pattern: str) -> None:
    line, count = re.subn(pattern, rf"\1{HOUSE}.\2", lines[number - 1], count=1)
    if count != 1:
        raise CannotMoveError(f"line {number}: {lines[number - 1].strip()} is split")
    lines[number - 1] = line


def _refuse_names(call: ast.Call, name: str) -> None:
    for value in call.args:
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            text = value.value
            if text in MOVED or _NAMES_A_MODULE.fullmatch(text):
                raise CannotMoveError(
                    f"{name}:{value.lineno}: {text!r} names a package that moves; use __name__"
                )
