"""The crop beside a question is asked for again where it may not be shown yet."""

from dataclasses import replace

import numpy as np
from playwright.sync_api import Browser, expect

from table_assist.contract.evidence import Evidence
from table_assist.game.events import Asked
from table_assist.game.question import QuestionId
from table_assist.languages.words import Words
from table_assist.vision.pictures.picture import jpeg
from tests.stages.web_fakes import Evening, FakeTable, played
from web import create_app
from web.serve import serve

WAIT_MS = 3_000  # as the page has it
TIMEOUT_MS = 30_000  # the machine may be busy


def test_a_crop_that_comes_later_is_shown(browser: Browser) -> None:
    evening = played(Evening())
    evening.do(
        Asked(
            QuestionId.parse("which"),
            Words("Which?", "哪张？"),
            ("7s", "9s"),
            evening.entries[-1].seq,
        )
    )
    table = FakeTable(replace(evening.snapshot(), evidence=((QuestionId.parse("which"), "e7"),)))
    serving = serve(create_app(table), port=0)
    context = browser.new_context()
    try:
        page = context.new_page()
        page.clock.install(time=0)
        page.clock.pause_at(1_000)
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        with page.expect_response("**/e7/crop.jpg", timeout=TIMEOUT_MS) as first:
            page.goto(f"{serving.url}scorer")
        assert first.value.status == 204
        crop = page.locator("#asked img.crop")
        expect(crop).to_be_hidden()
        page.wait_for_function("document.querySelector('#asked img.crop').complete")
        page.clock.run_for(WAIT_MS - 100)
        assert sum("crop.jpg" in url for url in asked) == 1, "it is not asked for all the time"
        assert said == [], "where nothing is kept no page complains"
        picture = jpeg(np.full((40, 60, 3), 200, np.uint8))
        table.kept_evidence["e7"] = Evidence("e7", 0.0, picture, "{}", picture)
        page.clock.run_for(200)
        expect(crop).to_be_visible(timeout=TIMEOUT_MS)
    finally:
        context.close()
        serving.close()
