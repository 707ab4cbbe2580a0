"""Answers that overtake each other, and pages that change under a finger."""

import pytest
from playwright.sync_api import APIResponse, Page, Route, expect

from table_assist.game.events import Discarded
from table_assist.languages.words import Words
from table_assist.record.commands import Correct, EndHand, StartHand
from table_assist.record.snapshot import SourceHealth
from table_assist.tiles.tile import Tile
from tests.stages.keeping_table import wait_for
from tests.stages.web_fakes import Evening, FakeTable, asked, expect_commands, opened
from tests.web.conftest import Living
from web.serve import Serving

NO_BOARD = SourceHealth("board", "none", Words("No board is set up.", "未设置电路板。"))


@pytest.fixture
def table() -> FakeTable:
    return FakeTable()


def open_page(page: Page, url: str) -> None:
    """Until its scripts have drawn it: before, its buttons do nothing."""
    page.goto(url)
    expect(page.locator("body:not(.connecting)")).to_have_count(1)


def held(page: Page, path: str) -> list[Route]:
    """The requests to a path, which wait until a test lets them go on."""
    found: list[Route] = []
    page.route(path, lambda route: found.append(route))
    return found


def come(page: Page, routes: list[Route], count: int) -> None:
    """Wait until so many have been asked."""
    wait_for(lambda: page.evaluate("true") and len(routes) == count)


def answered(page: Page, path: str, route: Route) -> None:
    """Let it go on, and the page take its answer in."""
    with page.expect_response(path) as found:
        route.continue_()
    found.value.finished()
    page.evaluate("new Promise((done) => setTimeout(done, 100))")


def test_seals_that_come_late_accuse_nobody(living: Living, page: Page) -> None:
    """The page asked after one hand, again after two, and the first answer came last."""
    table, serving = living
    late: list[tuple[Route, APIResponse]] = []

    def one_is_late(route: Route) -> None:
        if late:
            route.continue_()
        else:
            late.append((route, route.fetch()))

    for command in (StartHand(0), EndHand()):
        assert table.submit(command) is None
    page.route("**/api/seals", one_is_late)
    open_page(page, f"{serving.url}scorer")
    wait_for(lambda: page.evaluate("true") and bool(late))
    for command in (StartHand(1), EndHand()):
        assert table.submit(command) is None
    line = page.locator("#seals")
    expect(line).to_contain_text("this device keeps: 2. The record agrees")
    route, answer = late[0]
    with page.expect_response("**/api/seals"):
        route.fulfill(response=answer)
    page.evaluate("new Promise((done) => setTimeout(done, 100))")
    expect(line).to_contain_text("this device keeps: 2. The record agrees")
    expect(line).not_to_have_class("alarm")


def test_what_a_face_would_change_is_told_of_the_tile_that_is_asked_about(
    page: Page, table: FakeTable, serving: Serving
) -> None:
    evening = opened().do(Discarded(0, Tile.P5)).do(Discarded(1, Tile.S1))
    table.publish(evening.snapshot())
    open_page(page, f"{serving.url}scorer")
    routes = held(page, "**/api/preview")
    picker = page.locator("#picker")
    six = picker.get_by_role("button", name="6 dots")
    for seat in (0, 1):
        page.locator(f"#table .seat[data-seat='{seat}'] .river .tile").click()
        six.click()
        come(page, routes, seat + 1)
        if seat == 0:
            picker.locator(".close").click()
    answered(page, "**/api/preview", routes[0])
    expect(picker.locator(".accept")).to_be_disabled()
    answered(page, "**/api/preview", routes[1])
    picker.locator(".accept").click()
    expect(picker).to_be_hidden()
    expect_commands(table, Correct(evening.entries[-1].seq, Discarded(1, Tile.P6)))


def test_a_correction_that_is_answered_late_closes_no_other_question(
    page: Page, table: FakeTable, serving: Serving
) -> None:
    table.publish(opened().do(Discarded(0, Tile.P5)).do(Discarded(1, Tile.S1)).snapshot())
    open_page(page, f"{serving.url}scorer")
    routes = held(page, "**/api/correct")
    picker = page.locator("#picker")
    page.locator("#table .seat[data-seat='0'] .river .tile").click()
    picker.get_by_role("button", name="6 dots").click()
    picker.locator(".accept").click()
    come(page, routes, 1)
    expect(picker.locator(".accept")).to_be_disabled()  # nobody accepts it twice
    picker.locator(".close").click()
    page.locator("#table .seat[data-seat='1'] .river .tile").click()
    answered(page, "**/api/correct", routes[0])
    expect(picker).to_be_visible()


# A finger that is on its way lands on the first answer as soon as there is one.
EARLY = """() => new MutationObserver((_, watching) => {
  const answer = document.querySelector('#asked .choices button');
  if (answer === null) return;
  watching.disconnect();
  answer.click();
  document.body.classList.add('tapped');
}).observe(document.getElementById('asked'), { childList: true, subtree: true })"""


def test_a_tap_in_the_moment_in_which_a_question_appears_does_not_answer_it(
    page: Page, table: FakeTable, serving: Serving
) -> None:
    table.publish(opened().snapshot())
    open_page(page, f"{serving.url}scorer")
    page.evaluate(EARLY)
    table.publish(asked(opened()).snapshot())
    expect(page.locator("body.tapped")).to_have_count(1)
    answer = page.locator("#asked .choices button").first
    expect(answer).to_be_enabled()
    answer.click()
    wait_for(lambda: page.evaluate("true") and len(table.commands) > 0)
    assert len(table.commands) == 1, "the second tap, and not the first"


def test_a_question_that_is_asked_again_is_on_its_way_to_nobody(
    page: Page, table: FakeTable, serving: Serving
) -> None:
    table.publish(asked(opened()).snapshot())
    open_page(page, f"{serving.url}scorer")
    card = page.locator("#asked")
    card.get_by_role("button", name="8 bamboo").first.click()
    expect(card.locator(".problem")).to_have_text("Sending …")
    table.publish(opened().snapshot())
    expect(card).to_be_hidden()
    table.publish(asked(opened()).snapshot())  # its answer was taken back
    expect(card).to_be_visible()
    expect(card.locator(".problem")).to_be_empty()


def test_who_presses_to_deal_declares_no_win_where_the_hand_begins_under_the_finger(
    page: Page, table: FakeTable, serving: Serving
) -> None:
    table.publish(Evening().snapshot(health=(NO_BOARD,)))
    open_page(page, f"{serving.url}scorer")
    panel = page.locator("#keys")
    expect(panel).to_contain_text("Who is the dealer?")
    panel.get_by_role("button", name="Ben").hover()
    page.mouse.down()
    table.publish(opened().snapshot(health=(NO_BOARD,)))  # another one has pressed already
    expect(panel).to_contain_text("Who declares a win?")
    panel.get_by_role("button", name="Ben").hover()  # wherever it has moved to
    page.mouse.up()
    page.evaluate("new Promise((done) => setTimeout(done, 100))")
    assert table.commands == []


def test_the_code_that_was_asked_for_last_is_shown(
    page: Page, table: FakeTable, serving: Serving
) -> None:
    table.publish(opened().snapshot())
    open_page(page, f"{serving.url}scorer")
    page.locator("#open-phones").click()
    routes = held(page, "**/api/pair/offer")
    for place in (0, 1):
        page.locator("#phones .roles button").nth(place).click()
    come(page, routes, 2)
    for route in reversed(routes):
        answered(page, "**/api/pair/offer", route)
    expect(page.locator("#phones .code b")).to_have_text("Ben")


def test_one_tap_of_each_of_two_hands_declares_no_win(
    page: Page, table: FakeTable, serving: Serving
) -> None:
    table.publish(opened().snapshot())
    open_page(page, f"{serving.url}seat/1")
    win = page.locator("#mine .win")
    win.click()
    expect(win).to_have_text("Tap again: I win")
    table.publish(Evening().snapshot())
    expect(win).to_be_disabled()
    table.publish(opened(hand=2).snapshot())
    win.click()
    expect(win).to_have_text("Tap again: I win")
    assert table.commands == []
