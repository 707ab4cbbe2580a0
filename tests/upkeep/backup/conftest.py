"""A home of its own, and a table's folder with the settings that the test file names."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _own_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))


@pytest.fixture
def folder(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    made = tmp_path / "table"
    made.mkdir()
    (made / "table.toml").write_text(request.module.SETTINGS, encoding="utf-8")
    return made
