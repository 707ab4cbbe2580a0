"""The crop beside a question is asked for again where it may not be shown yet."""

from dataclasses import replace

import numpy as np
from playwright.sync_api import Browser, expect

from table_assist.contract.evidence import Evidence
from table_assist.game.events import Asked
from table_assist.game.question import QuestionId
from table_assist.vision.pictures.picture import jpeg
from table_assist.words import Words
from tests.stages.web_fakes import Evening, FakeTable, played
from web import create_app
from web.serve import serve

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
        with page.expect_response("**/e7/crop.jpg", timeout=TIMEOUT_MS) as first:
            page.goto(f"{serving.url}scorer")
        assert first.value.status == 204
        crop = page.locator("#asked img.crop")
        expect(crop).to_be_hidden()
        picture = jpeg(np.full((40, 60, 3), 200, np.uint8))
        table.kept_evidence["e7"] = Evidence("e7", 0.0, picture, "{}", picture)
        expect(crop).to_be_visible(timeout=TIMEOUT_MS)
    finally:
        context.close()
        serving.close()
