"""Every command has its module, and none is imported before it is asked for."""

import argparse
import subprocess
import sys

import pytest

from table_assist.cli.arguments import parse_arguments
from table_assist.cli.main import _command_of

COMMANDS = [
    "run", "demo", "read", "check", "calibrate", "enrol", "evaluate", "doctor", "replay",
    "export", "rules", "judge",
]  # fmt: skip


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_has_a_module(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        parse_arguments([name, "--help"])
    assert ended.value.code == 0
    assert name in capsys.readouterr().out
    assert callable(_command_of(argparse.Namespace(command=name)))


def test_reading_a_picture_starts_without_the_dashboard_and_the_board() -> None:
    code = (
        "import sys; before = set(sys.modules); "
        "from table_assist.cli.main import main; main(['read', 'none.jpg']); "
        "print([m for m in ('flask', 'uvicorn', 'serial', 'sqlite3', 'table_assist.rules.judge')"
        " if m in sys.modules.keys() - before])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_what_is_no_users_error_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    from table_assist.cli import main as app

    def fail(_: argparse.Namespace) -> int:
        raise ZeroDivisionError

    monkeypatch.setattr(app, "_command_of", lambda _: fail)
    with pytest.raises(ZeroDivisionError):
        app.main(["rules"])
