"""A release is the same bytes whoever builds it, and says what it is made of."""

import ast
import hashlib
import io
import re
import shlex
import subprocess
import sys
import tarfile
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

from table_assist.cli.arguments import parse_arguments
from tests.stages.repository_tool import tool_named
from tools.wheel_contents import HOUSE, MOVED, CannotMoveError, contents, moved

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    return tool_named("release")


@pytest.fixture(autouse=True)
def _figures_are_fresh(tool: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tool.figures, "of_readme", lambda: [])


@pytest.mark.timeout(300)
def test_built_twice_it_is_the_same(
    tool: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`release` compares two builds itself; what is not committed stays out."""
    run = tool._run
    clean = lambda *command, **how: "" if "status" in command else run(*command, **how)  # noqa: E731
    monkeypatch.setattr(tool, "_run", clean)
    tool.release(tmp_path / "out")
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert {"NOTES.md", "SHA256SUMS", "sbom.cdx.json"} < names
    assert {Path(name).suffix for name in names} > {".gz", ".whl"}
    for line in (tmp_path / "out" / "SHA256SUMS").read_text().splitlines():
        digest, name = line.split()
        assert hashlib.sha256((tmp_path / "out" / name).read_bytes()).hexdigest() == digest


def test_two_builds_that_differ_are_no_release(
    tool: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def build(folder: Path, commit: str) -> Path:
        (folder / "dist").mkdir(parents=True)
        (folder / "dist" / "file.whl").write_text(folder.name)
        return folder / "dist"

    monkeypatch.setattr(tool, "_run", lambda *command, **how: "")
    monkeypatch.setattr(tool, "build", build)
    with pytest.raises(tool.ReleaseError, match=r"these differ: file\.whl"):
        tool.release(tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_changed_file_or_a_full_folder_is_refused(
    tool: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tool, "_run", lambda *command, **how: " M README.md\n")
    with pytest.raises(tool.ReleaseError, match="commit them first"):
        tool.release(tmp_path)
    monkeypatch.setattr(tool, "_run", lambda *command, **how: "")
    (tmp_path / "old.whl").touch()
    with pytest.raises(tool.ReleaseError, match="is not empty"):
        tool.release(tmp_path)


def test_a_figure_of_another_program_is_refused(
    tool: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    figures = tool.figures
    one = replace(figures.figures()[0], depends=("rates",))
    todays = {of: figures.digest(of) for of in one.depends}
    monkeypatch.setattr(tool, "_run", lambda *command, **how: "")
    monkeypatch.setattr(tool, "build", lambda folder, commit: sys.exit("it was built"))
    for made_of, told in ((todays, "it was built"), (todays | {"rates": "0"}, one.name)):
        old = replace(one, commit="a", made_of=made_of)
        monkeypatch.setattr(figures, "of_readme", lambda old=old: [old])
        with pytest.raises((tool.ReleaseError, SystemExit), match=told):
            tool.release(tmp_path)


def test_a_source_archive_does_not_say_who_built_it_when(tool: ModuleType) -> None:
    def packed(order: list[str], who: int, when: int) -> bytes:
        told = io.BytesIO()
        with tarfile.open(fileobj=told, mode="w:gz") as archive:
            for name in order:
                member = tarfile.TarInfo(name)
                member.size, member.uid, member.mtime, member.mode = 4, who, when, 0o640
                archive.addfile(member, io.BytesIO(b"text"))
        return told.getvalue()

    one = tool.repacked(packed(["a", "b"], 0, 1), 7)
    assert one == tool.repacked(packed(["b", "a"], 1000, 2), 7)
    with tarfile.open(fileobj=io.BytesIO(one)) as archive:
        assert [(each.name, each.mtime, each.uid) for each in archive] == [("a", 7, 0), ("b", 7, 0)]


def test_the_notes_are_the_newest_versions(tool: ModuleType) -> None:
    told = tool.notes("# What changed\n\nWords.\n\n## 2.0.0\n\n- New.\n\n## 1.0.0\n\n- Old.\n")
    assert told == "## 2.0.0\n\n- New.\n"
    with pytest.raises(tool.ReleaseError):
        tool.notes("# What changed\n")


SHIPPED = {shipped.source for shipped in contents(ROOT)}
# What lies in the packages' folders and is not for those who install the program.
LEFT_OUT = {"firmware_bridge/device/build", "__pycache__"}


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


UNIT = Path(__file__).parents[2] / "docs" / "table-assist.service"
MOST_EXPOSED = 3.0


def analyzed(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["systemd-analyze", *words], capture_output=True, text=True)


def test_the_unit_is_hardened() -> None:
    done = analyzed("security", "--offline=true", str(UNIT))
    said = re.search(r"Overall exposure level for table-assist\.service: ([\d.]+)", done.stdout)
    assert said is not None, done.stderr
    assert float(said[1]) <= MOST_EXPOSED


def test_systemd_understands_every_line_of_the_unit(tmp_path: Path) -> None:
    """The program is not where the unit has it; nothing else may be complained of."""
    said = analyzed("verify", str(UNIT)).stderr.splitlines()
    assert [line for line in said if "is not executable: No such file" not in line] == []
    wrong = tmp_path / "table-assist.service"
    text = UNIT.read_text(encoding="utf-8")
    wrong.write_text(text.replace("ProtectHome=yes", "ProtectHom=yes"), encoding="utf-8")
    assert "ProtectHom" in analyzed("verify", str(wrong)).stderr, "it could have failed"


def test_the_unit_s_command_is_understood_and_writes_where_it_may() -> None:
    lines = [line.partition("=") for line in UNIT.read_text(encoding="utf-8").splitlines()]
    said = {key: value for key, _, value in lines}
    options = parse_arguments(shlex.split(said["ExecStart"])[1:])
    assert options.command == "run"
    assert str(options.config.parent) == said["WorkingDirectory"]
    assert said["WorkingDirectory"] == f"/var/lib/{said['StateDirectory']}"
