"""What several tests share: Debian's headless Chromium, and which of them run side by side."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

CHROMIUM = Path("/usr/bin/chromium")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if not CHROMIUM.exists():
        pytest.fail(f"no browser at {CHROMIUM}: apt-get install chromium")
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=str(CHROMIUM), args=ARGUMENTS)
        yield running
        running.close()


# They build the firmware for this machine, all in the same folder.
BUILDING = "the native build"
BUILDERS = ("native_board", "firmware_bridge.simavr")


@pytest.hookimpl(tryfirst=True)  # before xdist notes the groups
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Where tests run side by side, those of a file stay in one process, the slow files first."""
    if not hasattr(config, "workerinput"):
        return
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)
    builds = {path: _builds(path) for path in {item.path for item in items}}
    for item in items:
        group = BUILDING if builds[item.path] else str(item.path)
        item.add_marker(pytest.mark.xdist_group(group))


def _builds(path: Path) -> bool:
    return path.suffix == ".py" and any(each in path.read_text("utf-8") for each in BUILDERS)
