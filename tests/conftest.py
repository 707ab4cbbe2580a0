"""What several tests share: a home of their own, Chromium, and which of them run side by side."""

import gc
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from flask import Flask
from hypothesis import HealthCheck, settings
from jinja2 import FileSystemBytecodeCache
from playwright.sync_api import Browser, expect, sync_playwright
from werkzeug.routing import Rule

if TYPE_CHECKING:
    from table_assist.vision.reading.read import Reader

os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # for tests that load ONNX Runtime themselves
# Each read when its library is loaded. Threads that wait for each other spin: where others work
# beside, a set is learnt in a tenth of the time by one.
os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OPENCV_FOR_THREADS_NUM"] = "1"
ROOT = Path(__file__).parents[1]
# Chromium's engine without its windows: the same pages for half of the work.
CHROMIUM = Path("/usr/bin/chromium-headless-shell")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--font-render-hinting=none",  # letters as wide as in a window
]
# How long an example takes is no property: one is late because the machine stands still.
settings.register_profile(
    "untimed", settings.default, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("untimed")
expect.set_options(timeout=30_000)  # a page that is late is no wrong one, whichever file is alone


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if not CHROMIUM.exists():
        pytest.fail(f"no browser at {CHROMIUM}: apt-get install chromium-headless-shell")
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=str(CHROMIUM), args=ARGUMENTS)
        # What moves is drawn sixty times a second: a third of the work of seven pages.
        running.new_context = partial(running.new_context, reduced_motion="reduce")
        yield running
        running.close()


@pytest.fixture(scope="session")
def reader() -> "Reader":
    """The program's own networks, opened once."""
    from table_assist.vision.reading.read import open_reader

    return open_reader(threads=1)


# Each test has an app of its own: its templates and its addresses are compiled once.
Flask.jinja_options = {"bytecode_cache": FileSystemBytecodeCache()}
_compile, _addresses = Rule._compile_builder, dict[object, Callable[..., tuple[str, str]]]()


def _compiled(rule: Rule, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
    key = rule.rule, rule.subdomain, str(rule.defaults), append_unknown
    if key not in _addresses:
        _addresses[key] = _compile(rule, append_unknown)
    return _addresses[key]


Rule._compile_builder = _compiled  # type: ignore[assignment, method-assign]
_HOME = pytest.StashKey[str]()


def pytest_configure(config: pytest.Config) -> None:
    """Keys and tile sets that tests make are not their developer's: some are made on import."""
    # Started in the background by a script they ignore it; what they start must not.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if not hasattr(config, "workerinput"):  # Traditional Chinese, as a build makes it
        subprocess.run([sys.executable, ROOT / "tools" / "traditional.py"], check=True)
    config.stash[_HOME] = os.environ["XDG_DATA_HOME"] = tempfile.mkdtemp(prefix="table-assist-")


def pytest_sessionstart() -> None:
    """All modules stay to the end of the run: nobody looks among them for what is not used."""
    gc.disable()


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


def pytest_unconfigure(config: pytest.Config) -> None:
    shutil.rmtree(config.stash[_HOME], ignore_errors=True)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Whatever opens a browser is slow. Where files run side by side, the slow ones begin."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.slow)
    if hasattr(config, "workerinput"):
        slow = {item.path for item in items if item.get_closest_marker("slow")}
        items.sort(key=lambda item: item.path not in slow)
