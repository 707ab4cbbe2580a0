"""Nothing of ours needs a system of one kind: what only some have is taken away, and all runs.

No Windows and no macOS machine is here: this shows that we need nothing they lack, and not that
cameras and ports work there.
"""

import ast
import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from firmware_bridge.pseudo_terminal import SocketLine, open_line
from tests.packages.journey import WON

ROOT = Path(__file__).parents[2]
PACKAGES = ("table_assist", "web", "firmware_bridge")
GONE = ("fcntl", "pty", "tty", "termios", "resource", "pwd", "grp", "syslog", "readline")
POSIX_OS = {
    "openpty", "fork", "sync", "getuid", "geteuid", "setsid", "killpg", "statvfs", "ttyname",
    "nice", "chown", "fchmod", "getpgid", "mkfifo", "set_blocking",
}  # fmt: skip
# The one place of each matter that has its alternative, and measurements that say what they need.
MAY = {
    "firmware_bridge/pseudo_terminal.py": {"openpty", "ttyname", "set_blocking"},
    "table_assist/record/dispute/apart.py": {"nice"},
    "table_assist/record/private.py": {"geteuid"},
    "bench/live/kill.py": {"fork"},
    "bench/live/record.py": {"nice"},
}
# Runs before the program: our imports of those modules fail as they do on Windows. Libraries and
# Python itself keep theirs: those that they have for Windows are not here.
WITHOUT = f"""
import builtins, os, sys
OURS, GONE = {PACKAGES!r}, {GONE!r}
real = builtins.__import__
def without(name, globals=None, locals=None, fromlist=(), level=0):
    asks = ((globals or {{}}).get("__name__") or "").split(".")[0]
    if asks in OURS and name.split(".")[0] in GONE:
        raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
    return real(name, globals, locals, fromlist, level)
builtins.__import__ = without
for name in ("openpty", "fork", "ttyname", "geteuid", "nice", "sync"):
    if hasattr(os, name):
        delattr(os, name)
"""
IMPORT_ALL = """
import importlib, pkgutil
for package in map(importlib.import_module, OURS):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if module.name != "table_assist.__main__":
            importlib.import_module(module.name)
"""
MAIN = "from table_assist.cli.main import main; sys.exit(main(sys.argv[1:]))"
# A virtual board behind a socket; the link connects, and what the board says arrives.
BOARD = """
import queue
from firmware_bridge.events import Key, KeyPressed
from firmware_bridge.link import Link, LinkUp
from firmware_bridge.receiver import Reading
from firmware_bridge.simulator import VirtualBoard
with VirtualBoard() as board:
    assert board.port.startswith("socket://127.0.0.1:"), board.port
    items = queue.SimpleQueue()
    link = Link(board.port, items.put)
    link.start()
    while not isinstance(items.get(timeout=30), LinkUp):
        pass
    board.press(2, Key.WIN)
    while not (isinstance(item := items.get(timeout=30), Reading)
               and item.content == KeyPressed(2, Key.WIN)):
        pass
    link.stop()
print("heard")
"""


def without(code: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT + code, *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=200,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_module_is_imported_where_those_are_missing() -> None:
    without(IMPORT_ALL)


def test_a_hand_is_judged_there() -> None:
    assert "WIN" in without(MAIN, "judge", "--rules", "changsha", "--self-drawn", WON)


def test_a_virtual_board_is_heard_over_a_socket() -> None:
    assert without(BOARD) == "heard\n"


def test_a_machine_that_gives_out_no_terminals_has_a_socket(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a container without /dev/pts; a path that is taken is still a fault."""
    taken = tmp_path / "taken"
    taken.touch()
    with pytest.raises(FileExistsError):
        open_line(str(taken))

    def refuse() -> tuple[int, int]:
        raise OSError(errno.ENODEV, "No such device")

    monkeypatch.setattr(os, "openpty", refuse)
    line = open_line(str(tmp_path / "port"))
    try:
        assert line.url.startswith("socket://127.0.0.1:")
    finally:
        line.close()


def test_a_socket_line_serves_one_program_after_another() -> None:
    import socket

    line = SocketLine()
    host, port = line.url.removeprefix("socket://").split(":")
    try:
        for said in (b"one", b"two"):
            with socket.create_connection((host, int(port))) as program:
                program.sendall(said)
                heard = b""
                while heard != said:
                    heard += line.read(10)
                line.write(b"yes")
                assert program.recv(10) == b"yes"
            while line._program is not None:
                assert line.read(10) == b""
    finally:
        line.close()


@pytest.mark.parametrize("package", PACKAGES)
def test_what_only_some_systems_have_is_used_in_one_place(package: str) -> None:
    for path in (ROOT / package).rglob("*.py"):
        name = path.relative_to(ROOT).as_posix()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Attribute)
                and isinstance(node.value, ast.Name)
                and node.value.id == "os"
                and node.attr in POSIX_OS
            ):
                assert node.attr in MAY.get(name, ()), f"{name}:{node.lineno}: os.{node.attr}"


def test_no_file_has_a_name_that_windows_refuses() -> None:
    reserved = {"con", "prn", "aux", "nul", *(f"{d}{n}" for d in ("com", "lpt") for n in range(10))}
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True
    ).stdout.decode()
    seen: dict[str, str] = {}
    for name in listed.rstrip("\0").split("\0"):
        for part in name.split("/"):
            assert not set(part) & set('<>:"\\|?*'), name
            assert part.split(".")[0].lower() not in reserved, name
            assert not part.endswith((".", " ")), name
        assert seen.setdefault(name.lower(), name) == name, "two names differ by case alone"
        assert len(name) < 200, name
