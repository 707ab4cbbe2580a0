"""The hand on the referee's desk is the one that was chosen last, whichever answer comes first."""

from pathlib import Path

from playwright.sync_api import Browser, Route, expect

from table_assist.contract.commands import EndHand, StartHand
from table_assist.live.live_table import LiveTable
from table_assist.settings.config import Config, LogConfig
from tests.stages.keeping_table import wait_for
from web import create_app
from web.serve import serve

TIMEOUT_MS = 30_000  # the machine may be busy


def test_a_late_answer_does_not_take_the_chosen_hand_off_the_desk(
    browser: Browser, tmp_path: Path
) -> None:
    table = LiveTable(Config(log=LogConfig(str(tmp_path / "log.sqlite"))), camera=None, reader=None)
    table.start()
    serving = serve(create_app(table), port=0)
    context = browser.new_context()
    late: list[Route] = []
    try:
        for _ in range(2):
            assert table.submit(StartHand(0)) is None
            assert table.submit(EndHand()) is None
        page = context.new_page()
        # The hand that the page opens with.
        page.route("**/api/disputes/2", lambda route: late.append(route))
        with page.expect_request("**/api/disputes/2", timeout=TIMEOUT_MS):
            page.goto(f"{serving.url}referee")
        with page.expect_response("**/api/disputes/1", timeout=TIMEOUT_MS):
            page.locator("#hands").select_option("1")
        file = page.locator("#file")
        expect(file).to_have_attribute("href", "/api/disputes/1/file", timeout=TIMEOUT_MS)
        with page.expect_response("**/api/disputes/2", timeout=TIMEOUT_MS):
            late[0].continue_()
        page.evaluate("new Promise(requestAnimationFrame)")
        expect(page.locator("#hands")).to_have_value("1")
        expect(file).to_have_attribute("href", "/api/disputes/1/file")
        # Nor does a list that was asked for before the choice.
        page.unroute("**/api/disputes/2")
        lists: list[Route] = []
        page.route("**/api/disputes", lambda route: lists.append(route))
        page.locator("#refresh").click()
        page.route("**/api/disputes/2", lambda route: lists.append(route))
        page.locator("#hands").select_option("2")
        wait_for(lambda: page.evaluate("true") and len(lists) == 2)
        page.unroute("**/api/disputes/2")
        for route in lists:
            with page.expect_response(route.request.url, timeout=TIMEOUT_MS):
                route.continue_()
        expect(file).to_have_attribute("href", "/api/disputes/2/file", timeout=TIMEOUT_MS)
        expect(page.locator("#hands")).to_have_value("2")
    finally:
        context.close()
        serving.close()
        table.stop()
