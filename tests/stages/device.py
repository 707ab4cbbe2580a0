"""Somebody's browser, of which whoever leaves it learns that a page's script failed."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, BrowserContext

PATIENCE_MS = 30_000


@contextmanager
def device(
    browser: Browser, size: tuple[int, int], locale: str, *, touched: bool = False
) -> Iterator[BrowserContext]:
    """A browser's context of its own, on a phone if it is touched.

    Inside an event of Playwright's nothing may be raised: it would end the connection to the
    browser for all tests after it.
    """
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        locale=locale,
        accept_downloads=True,
        has_touch=touched,
        is_mobile=touched,
    )
    context.set_default_timeout(PATIENCE_MS)
    failures: list[str] = []
    context.on("weberror", lambda error: failures.append(str(error.error)))
    yield context
    context.close()
    assert failures == []
