"""The installation's fingerprint: in every file that leaves the table, to be compared."""

import json
import zipfile
from pathlib import Path

import pytest

from table_assist.cli.main import main
from table_assist.record.store import Store
from table_assist.trust.installation import fingerprint_here
from table_assist.upkeep.backup.packing import read_contents
from tests.evidence.dispute.test_dispute import evening


@pytest.fixture
def table(tmp_path: Path) -> Path:
    with Store(tmp_path / "table-assist.sqlite") as store:
        store.append(evening("wanzhou", hands=1))
    settings = tmp_path / "table.toml"
    settings.write_text('[rules]\nid = "wanzhou"\n', encoding="utf-8")
    return settings


def test_every_file_names_the_installation(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own, config = fingerprint_here(), ["--config", str(table)]
    assert len(own.split()) == 8
    dispute = tmp_path / "d.zip"
    assert main(["dispute", "1", str(dispute), *config]) == 0
    assert own in capsys.readouterr().out
    with zipfile.ZipFile(dispute) as archive:
        assert json.loads(archive.read("dispute.json"))["installation"] == own
        assert own in archive.read("dispute.html").decode()
    backup = tmp_path / "b.tablebackup"
    assert main(["backup", str(backup), *config]) == 0
    assert read_contents(backup).facts["installation"] == own
    capsys.readouterr()
    assert main(["restore", str(backup)]) == 0
    assert f"Signed by the installation {own}." in capsys.readouterr().out
