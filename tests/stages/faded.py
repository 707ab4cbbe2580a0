"""A page that has come to rest."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

BEGINS_MS = 100  # what a change of the page sets going begins with the next picture
_MOVING = """() => Promise.all(document.getAnimations()
  .filter(({ effect, playState }) =>
    playState === "running" && effect.getComputedTiming().endTime < Infinity)
  .map(({ finished }) => finished.catch(() => {})))"""


def faded_in(page: Page) -> None:
    """Wait until what fades in has its colours, however slow the machine is."""
    page.wait_for_timeout(BEGINS_MS)
    page.evaluate(_MOVING)


def serious(page: Page) -> list[str]:
    """What axe-core finds that keeps somebody out, once the page has come to rest."""
    faded_in(page)
    return [
        f"{each['id']}: {node['html'][:160]}: {node['failureSummary'][:200]}"
        for each in Axe().run(page).response["violations"]
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"][:3]
    ]
