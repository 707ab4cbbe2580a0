"""A release is the same bytes whoever builds it, and says what it is made of."""

import hashlib
import io
import sys
import tarfile
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

from tests.stages.repository_tool import tool_named

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
