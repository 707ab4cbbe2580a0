"""Classical > General 5: the players say on the page where they sit in the new round."""

import pytest
from playwright.sync_api import expect

from table_assist.contract.commands import ChangeSeats
from tests.stages.web_fakes import expect_commands
from tests.web.conftest import Look
from tests.web.test_browser import PHONE, PICTURES
from tests.web.test_browser import visit as visit
from tests.web.test_new_seats import MOVED, ROUND_OVER, table_after

_ASKED = {"en": "A new round: who sits where now?", "zh": "新的一圈：现在谁坐哪里？"}
_FIRST = {"en": "Where Ana sat", "zh": "Ana原来的座位"}
LOST = "Failed to load resource: net::ERR_FAILED"
FINGER = 40  # px: high enough to be hit


@pytest.mark.parametrize("language", ["en", "zh"])
def test_people_say_where_they_sit_now(visit: Look, language: str) -> None:
    here = visit(PHONE)
    page = here.page
    if language == "zh":
        page.locator("#language").select_option("zh")
    here.table.publish(table_after(*ROUND_OVER))
    form = page.locator("#seating")
    expect(form).to_be_visible()
    expect(page.locator("#before .words")).to_have_text(_ASKED[language])
    expect(form.locator(".stakes span").first).to_have_text(_FIRST[language])
    for select in form.locator("select").all():
        box = select.bounding_box()
        assert box is not None
        assert box["height"] >= FINGER
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=PICTURES / f"seats-{language}.png", full_page=True)
    for place, player in enumerate(("2", "0", "1")):
        form.locator(".stakes select").nth(place).select_option(player)
    form.locator("[name=east]").select_option("2")
    form.locator("button").click()
    expect_commands(here.table, ChangeSeats((2, 0, 1, 3), 2))
    here.table.publish(table_after(*ROUND_OVER, MOVED))
    expect(form).to_be_hidden()
    # The scores went along: Ana lost 10, Ben won 30, wherever they sit.
    expect(page.locator("#scores b")).to_have_text(["−10", "−10", "30", "−10"])
    assert here.complaints == []


def test_a_part_of_the_page_that_did_not_come_is_fetched_again(visit: Look) -> None:
    """The program may be away for a moment: it begins again with other settings."""
    here = visit()
    for part in ("keys", "before"):
        here.page.route(f"**/{part}.js", lambda route: route.abort(), times=1)
    here.table.publish(table_after(*ROUND_OVER))
    here.page.reload()
    expect(here.page.locator("#before")).to_be_visible()
    expect(here.page.locator("#keys")).to_be_visible()
    assert {each.split(" (")[0] for each in here.complaints} <= {LOST}, "no script failed"
