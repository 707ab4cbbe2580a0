"""The unit of docs/ holds together: systemd understands it, and it is hardened."""

import re
import shlex
import subprocess
from pathlib import Path

from table_assist.cli.arguments import parse_arguments

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
