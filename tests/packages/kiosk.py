"""The kiosk's own command on a screen that is only in memory: does the page fill it?

`python -m tests.packages.kiosk` needs root, cage, Xwayland and Chromium; part of `make packages`.
The command is the unit's; only a door for looking into Chromium is added. What the compositor draws
is not looked at: without a graphics card it shows nothing.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from playwright.sync_api import sync_playwright

from tests.packages.wheels import ROOT
from tests.stages.free_port import free_port

UNIT = ROOT / "tools" / "deb" / "table-assist-kiosk.service"
NEEDED = ("cage", "Xwayland", "chromium")
START_S = 60.0
NOBODY = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]


def unit_command(page: str, door: int) -> list[str]:
    """What systemd would start, with the door."""
    text = UNIT.read_text(encoding="utf-8")
    line, named = (
        re.search(rf"^{name}=(.*)$", text, re.M) for name in ("ExecStart", "Environment")
    )
    assert line is not None
    assert named is not None
    name, _, value = named[1].partition("=")
    *words, address = shlex.split(line[1].replace(f"${{{name}}}", value))
    shown = address.replace("http://127.0.0.1:8000/", page)
    assert shown.endswith("/tv")
    return [*words, f"--remote-debugging-port={door}", shown]


@contextmanager
def table(port: int) -> Iterator[str]:
    """A simulated table's page."""
    words = [sys.executable, "-m", "table_assist", "demo", "--port", str(port), "--seed", "5"]
    with subprocess.Popen(words, stdout=subprocess.DEVNULL) as program:
        try:
            page = f"http://127.0.0.1:{port}/"
            until(page)
            yield page
        finally:
            program.terminate()


@contextmanager
def screen(command: list[str], home: Path) -> Iterator[None]:
    """The command as a user without rights, on a screen in memory."""
    shutil.chown(home, "nobody", "nogroup")
    env = {
        "PATH": "/usr/bin:/bin", "HOME": str(home), "XDG_RUNTIME_DIR": str(home),
        "WLR_BACKENDS": "headless", "WLR_RENDERER": "pixman", "WLR_LIBINPUT_NO_DEVICES": "1",
    }  # fmt: skip
    with subprocess.Popen([*NOBODY, *command], env=env, stderr=subprocess.DEVNULL) as program:
        try:
            yield
        finally:
            program.terminate()


def until(address: str) -> None:
    """Wait until it answers."""
    end_s = time.monotonic() + START_S
    while True:
        try:
            urlopen(address, timeout=5).close()
            return
        except (URLError, OSError):
            if time.monotonic() > end_s:
                raise
            time.sleep(0.3)


def main() -> None:
    """Start it, look, print one JSON line."""
    missing = [name for name in NEEDED if shutil.which(name) is None]
    if missing or os.geteuid():
        sys.exit(f"The kiosk was not tried: it takes root and {', '.join(missing or NEEDED)}.")
    door = free_port()
    with (
        tempfile.TemporaryDirectory(prefix="kiosk-", dir="/var/tmp") as home,
        table(free_port()) as page,
        screen(unit_command(page, door), Path(home)),
    ):
        until(f"http://127.0.0.1:{door}/json/version")
        with sync_playwright() as playwright:
            browser = playwright.chromium.connect_over_cdp(f"http://127.0.0.1:{door}")
            shown = browser.contexts[0].pages[0]
            shown.get_by_text("Seat 1").first.wait_for()
            size = shown.evaluate("[innerWidth, innerHeight, screen.width, screen.height]")
            seen = shown.evaluate("document.visibilityState")
            assert size[:2] == size[2:], f"the page has {size[:2]} of the screen's {size[2:]}"
            assert seen == "visible", seen
    print(json.dumps({"kiosk": "fills the screen", "size": size[:2]}))


if __name__ == "__main__":
    main()
