"""Nothing of ours needs a system of one kind: what only some have is taken away, and all runs.

No Windows and no macOS machine is here: this shows that we need nothing they lack, and not that
cameras and ports work there.
"""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

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
# A board behind a socket; the link connects, and what the board says arrives.
BOARD = """
import queue, socket
from firmware_bridge.events import Key, KeyPressed
from firmware_bridge.frames import encode
from firmware_bridge.link import Link
from firmware_bridge.messages import PROTOCOL, Event, Hello, to_frame
from firmware_bridge.receiver import Reading
boot, pressed, items = "A1B2C3D4", KeyPressed(2, Key.WIN), queue.SimpleQueue()
with socket.create_server(("127.0.0.1", 0)) as server:
    link = Link(f"socket://127.0.0.1:{server.getsockname()[1]}", items.put)
    link.start()
    board, _ = server.accept()
said = Hello(1, boot, 1, 1, PROTOCOL, "test-1", ("KEY",)), Event(1, boot, 1, pressed)
item = None
while not (isinstance(item, Reading) and item.content == pressed):
    board.sendall(b"".join(encode(to_frame(each)) for each in said))
    try:
        item = items.get(timeout=0.5)
    except queue.Empty:
        pass  # what came as the port was opened is not heard
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


def test_a_board_is_heard_over_a_socket() -> None:
    assert without(BOARD) == "heard\n"


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
