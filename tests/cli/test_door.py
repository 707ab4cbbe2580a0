"""What stands in somebody's file does not steer the terminal that shows it."""

import json
import zipfile
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from table_assist.cli.door import Door
from table_assist.cli.main import main

OLD = Path(__file__).parents[1] / "fixtures" / "before_the_move" / "dispute.zip"
EVIL = "x.\r\x1b[2K\x1b[1A\x1b[2Kok  all is well\x1b]0;me\x07\n\rok \x9b2K\u202e"


def test_a_console_without_chinese_letters_ends_no_command() -> None:
    behind = TextIOWrapper(BytesIO(), "cp1252")
    print("中 é", file=Door(behind), end="")
    behind.seek(0)
    assert behind.read() == r"\u4e2d é"


def test_a_forged_file_cannot_erase_what_is_said_of_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "forged.zip"
    with zipfile.ZipFile(OLD) as old, zipfile.ZipFile(path, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name == "dispute.json":
                manifest = json.loads(content)
                manifest["sha256"][EVIL] = "0" * 64
                content = json.dumps(manifest).encode()
            new.writestr(name, content)
    assert main(["verify", str(path)]) == 1
    said = capsys.readouterr().out
    assert "NO" in said
    assert all(line[:2] in ("ok", "NO", "--") and line[4:].strip() for line in said.splitlines())
    assert not set(said) & set("\r\x1b\x07\x9b\u202e")
    assert main(["verify", str(tmp_path / "\x1b[2Kno.zip")]) == 2
    assert "\x1b" not in capsys.readouterr().err
