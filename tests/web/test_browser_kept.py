"""Who taps again because no answer came gives the same command, not another one."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route, expect

from table_assist.game.events import HandStarted
from table_assist.live.live_table import LiveTable
from table_assist.record.store import Store, StoreError
from table_assist.settings.config import Config, LogConfig
from web import create_app
from web.serve import serve

TIMEOUT_MS = 30_000  # the machine may be busy


def test_a_second_tap_after_a_lost_answer_starts_no_second_hand_and_says_so(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = LiveTable(Config(log=LogConfig(str(tmp_path / "log.sqlite"))), camera=None, reader=None)
    table.start()
    serving = serve(create_app(table), port=0)
    context = browser.new_context(locale="en-GB")
    try:
        page = context.new_page()
        keys = []

        def lose(route: Route) -> None:
            keys.append(route.request.headers["idempotency-key"])
            if len(keys) == 1:
                route.fetch()  # it arrives, and the answer does not come back
                route.abort()
            else:
                route.continue_()

        page.route("**/api/end", lose)
        page.goto(f"{serving.url}scorer")
        page.locator("#keys .seats button").first.click(timeout=TIMEOUT_MS)
        end = page.locator("#keys .end")
        expect(end).to_be_visible(timeout=TIMEOUT_MS)
        line = page.locator("#line")
        post = 'import("/static/ask.js").then((ask) => ask.post("/api/end", {}))'
        assert page.evaluate(post)["error"]
        assert page.evaluate(post)["before"] is True
        expect(line).to_have_text("This was already done the first time.", timeout=TIMEOUT_MS)
        assert keys[0] == keys[1]
        assert sum(isinstance(e.event, HandStarted) for e in table.entries()) == 1
        # A log that cannot be written is on every page until it can be.
        append = Store.append

        def full(self: Store, entries: object) -> None:
            raise StoreError("the log x cannot be written: disk is full", "disk is full")

        monkeypatch.setattr(Store, "append", full)
        start = 'import("/static/ask.js").then((ask) => ask.post("/api/start", { seat: 1 }))'
        assert page.evaluate(start)["saved"] is False
        expect(line).to_contain_text("not saved (disk is full)", timeout=TIMEOUT_MS)
        monkeypatch.setattr(Store, "append", append)
        assert page.evaluate(start)["before"] is True
        expect(line).not_to_contain_text("not saved", timeout=TIMEOUT_MS)
        assert sum(isinstance(e.event, HandStarted) for e in table.entries()) == 2
    finally:
        context.close()
        serving.close()
        table.stop()
