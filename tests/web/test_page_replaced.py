"""A picture is taken while the program starts anew and the page is replaced: it is not lost."""

from pathlib import Path

from playwright.sync_api import Browser, Route, expect

from tests.stages.simavr import device
from tests.web.test_photo import PHONE, as_jpeg, photograph, table_of
from web import create_app
from web.serve import serve

PICTURE = {"name": "hand.jpg", "mimeType": "image/jpeg"}
AS_IT_GOES = "addEventListener('pagehide', () => { sessionStorage.inert = document.body.inert; })"


def test_a_picture_taken_as_the_page_is_replaced_is_read(browser: Browser, tmp_path: Path) -> None:
    table = table_of(tmp_path, "changchun")
    table.start()
    first = serve(create_app(table), port=0)
    held: list[Route] = []
    with device(browser, PHONE, "en-GB", touched=True) as context:
        page = context.new_page()
        page.goto(f"{first.url}seat/1")
        expect(page.locator("#mine .won")).to_be_visible()
        # It is kept; the page asks whether the table can be reached, and gets no answer any more.
        page.route("**/api/me", lambda route: route.continue_() if held else held.append(route))
        picture = as_jpeg(photograph("123m456p789s111s2s", "2s"))
        page.locator("#mine .won input").set_input_files({**PICTURE, "buffer": picture})
        while not held:
            page.wait_for_timeout(20)
        first.close()
        second = serve(create_app(table), port=first.port)
        page.wait_for_url("**/photo")
        page.locator("#whose .choices button").first.tap()
        expect(page.locator("#hand .piece").first).to_be_visible()
    second.close()
    table.stop()


def test_a_page_that_is_replaced_takes_no_tap_any_more(browser: Browser, tmp_path: Path) -> None:
    table = table_of(tmp_path, "changchun")
    table.start()
    first = serve(create_app(table), port=0)
    with device(browser, PHONE, "en-GB", touched=True) as context:
        page = context.new_page()
        page.goto(f"{first.url}seat/1")
        expect(page.locator("#mine .won")).to_be_visible()
        token = page.locator("meta[name=table-token]").get_attribute("content") or ""
        page.evaluate(AS_IT_GOES)
        first.close()
        second = serve(create_app(table), port=first.port)
        expect(page.locator("meta[name=table-token]")).not_to_have_attribute("content", token)
        assert page.evaluate("sessionStorage.inert") == "true"
        expect(page.locator("body:not([inert]):not(.connecting)")).to_have_count(1)
    second.close()
    table.stop()
