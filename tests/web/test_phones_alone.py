"""Four phones and nobody at the desk: accepting, objecting, taking back, a hand nobody won."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from table_assist.game.state import Phase
from table_assist.live.live_table import LiveTable
from table_assist.record.commands import BeginGame, TellBirds, TellDraw, TellHand
from table_assist.tiles.tile import parse_tiles
from tests.session.test_manual_hands import told
from tests.web.test_sit_down import phone, table

Served = tuple[str, str, LiveTable]

__all__ = ["table"]  # the fixture
NAMES = ("Ana", "Ben", "Cai", "Dora")
WIN = told(1, "123m456m789s123p55s", "3p")
NO_WIN = told(1, "123m456m789s123p58s", "3p")


@pytest.fixture
def phones(browser: Browser, table: Served) -> Iterator[list[Page]]:
    """Of all four players, and the television as the last one."""
    url, key, _ = table
    pages = []
    for seat, name in enumerate(NAMES):
        page = phone(browser, f"{url}join#{key}")
        page.locator("#name").fill(name)
        page.locator("#pair .seats button").nth(seat).click()
        page.wait_for_url(f"**/seat/{seat}")
        pages.append(page)
    television = browser.new_context(viewport={"width": 1280, "height": 720}, locale="en-GB")
    pages.append(television.new_page())
    pages[-1].goto(f"{url}tv")
    yield pages
    for page in pages:
        page.context.close()


def test_payers_accept_the_television_counts_and_a_word_is_taken_back(
    phones: list[Page], table: Served
) -> None:
    live = table[2]
    assert live.submit(TellHand(WIN, dealer=0)) is None
    phones[2].locator("#mine .turn-birds").tap()  # the winner's phone may be gone
    for bird in ("1m", "9p"):
        phones[2].locator(f"#birds .face[data-key='{bird}']").tap()
    phones[2].locator("#birds .send").tap()
    counted = phones[4].locator("#settle .until")
    expect(counted).to_have_text("0 accepted; waits for Ana, Cai, Dora")
    expect(phones[1].locator("#mine .accept")).to_be_hidden()
    for seat, waits in ((0, "waits for Cai, Dora"), (2, "waits for Dora")):
        phones[seat].locator("#mine .accept").tap()
        expect(counted).to_contain_text(waits)
    phones[0].locator("#mine .withdraw").tap()
    expect(counted).to_have_text("1 accepted; waits for Ana, Dora")
    phones[0].locator("#mine .accept").tap()
    phones[3].locator("#mine .accept").tap()
    expect(phones[3].locator("#mine .points")).to_have_text("−1")
    assert live.snapshot.state.phase is Phase.SETTLED
    said = {e.by for e in live.entries() if type(e.event).__name__ == "Agreed"}
    assert {by.partition(" (seat ")[0] for by in said} == {"Ana", "Cai", "Dora"}
    expect(phones[1].locator("#mine .won")).to_be_visible()  # the next win may be the same player's
    phones[3].locator("#mine .withdraw").tap()
    expect(phones[3].locator("#mine .points")).to_have_text("0")
    expect(phones[3].locator("#mine .accept")).to_be_visible()


def test_every_player_sees_an_objection_with_both_answers_and_what_they_do(
    phones: list[Page], table: Served
) -> None:
    live = table[2]
    assert live.submit(TellHand(NO_WIN, dealer=0)) is None
    for page in phones[:4]:
        answers = page.locator("#asked .choices button")
        expect(answers).to_have_count(2)
        boxes = [answers.nth(at).bounding_box() for at in range(2)]
        assert boxes[0] is not None
        assert boxes[1] is not None
        assert abs(boxes[0]["y"] - boxes[1]["y"]) < 2, "side by side"
        expect(page.locator("#asked .choices")).to_contain_text("A false win")
    refuse = "#asked .choices button >> nth=0"
    phones[0].locator(refuse).click()
    expect(phones[2].locator("#asked")).to_contain_text("said by Ana")
    phones[2].locator(refuse).click()
    expect(phones[2].locator("#asked")).to_contain_text("must say so")
    assert live.snapshot.state.phase is Phase.SHOWING, "both gain by it"
    phones[1].locator(refuse).click()
    expect(phones[1].locator("#asked")).to_be_hidden()
    assert [each.seat for each in live.snapshot.state.refused] == [1]


def test_nobody_holds_the_table_up_by_a_win_without_a_hand(
    phones: list[Page], table: Served
) -> None:
    live = table[2]
    assert live.submit(TellHand(WIN, dealer=0)) is None
    phones[2].wait_for_url("**/seat/2")
    said = phones[2].evaluate(
        "import('/static/ask.js').then(({ send }) => send('/api/win', { seat: 2 }))"
    )
    assert said == "Nobody follows this table: who wins photographs the hand."
    assert live.snapshot.state.declared == (1,), "who told a hand"


def test_a_hand_that_nobody_won_is_told_and_taken_back_by_phone(
    phones: list[Page], table: Served
) -> None:
    live = table[2]
    page = phones[2]
    page.locator("#mine .links a").first.click()
    page.locator("#take .drawn").click()
    page.locator("#asks .ask").nth(0).get_by_role("button", name="Ben").click()
    page.locator("#asks .ask", has_text="Who deals").get_by_role("button", name="Ana").click()
    page.locator("#asks .send").click()
    page.wait_for_url("**/seat/2")
    assert live.snapshot.state.phase is Phase.SETTLED
    phones[3].get_by_role("button", name="Somebody won").click()
    expect(phones[3].locator("#mine .withdraw")).to_be_hidden()
    assert live.snapshot.state.phase is Phase.PLAYING


def test_a_phone_begins_the_next_game_when_one_is_over(phones: list[Page], table: Served) -> None:
    live = table[2]
    assert live.submit(BeginGame(100, length=1)) is None
    assert live.submit(TellDraw(last_drawer=1, dealer=0)) is None
    mine = phones[2].locator("#mine")
    expect(mine.get_by_role("button", name="Begin a new game")).to_be_visible()
    expect(mine.get_by_role("link", name="The evening")).to_be_visible()
    expect(mine.locator(".won")).to_be_hidden()  # it would be refused
    mine.get_by_role("button", name="Begin a new game").tap()
    expect(mine.locator(".won")).to_be_visible()
    expect(mine.locator(".next-game")).to_be_hidden()
    assert not live.snapshot.state.game_over
    assert (live.snapshot.state.game.points, live.snapshot.state.game.length) == (100, 1)


SCREENS = [(1280, 720), (1920, 1080), (3840, 2160), (1080, 1920)]


@pytest.mark.parametrize("hand", [WIN, NO_WIN], ids=["a win", "no win"])
@pytest.mark.parametrize("screen", SCREENS, ids=str)
def test_the_television_shows_the_whole_result_on_any_screen(
    browser: Browser, table: Served, screen: tuple[int, int], hand: object
) -> None:
    """Nothing is cut off, no number is broken, and its letters can be read from three metres."""
    url, _, live = table
    assert live.submit(TellHand(hand, dealer=0)) is None  # type: ignore[arg-type]
    live.submit(TellBirds(parse_tiles("1m9p")))
    width, height = screen
    context = browser.new_context(viewport={"width": width, "height": height}, locale="en-GB")
    page = context.new_page()
    page.goto(f"{url}tv")
    expect(page.locator("#verdict .win")).to_be_visible()
    page.wait_for_function("document.querySelector('#verdict').style.getPropertyValue('--scale')")
    outside = page.evaluate(
        """() => [...document.querySelectorAll('#verdict :is(li, h3, .tile, b)')]
        .filter((each) => each.offsetParent !== null)
        .filter((each) => {
          const { left, top, right, bottom } = each.getBoundingClientRect();
          return left < 0 || top < 0 || right > innerWidth + 1 || bottom > innerHeight + 1;
        }).map((each) => each.textContent)"""
    )
    assert outside == []
    assert page.locator("#table").is_hidden()
    # 0.2 degrees at three metres, on a screen of 43 inches: a fiftieth of its height.
    letters = page.locator("#verdict .win h3").evaluate(
        "e => parseFloat(getComputedStyle(e).fontSize)"
    )
    assert letters >= height / 50
    numbers = page.locator("#verdict b")
    assert all("\\n" not in each for each in numbers.all_inner_texts())


@pytest.mark.parametrize("width", [360, 390])
def test_no_number_of_the_standing_breaks_or_leaves_its_box(
    browser: Browser, table: Served, width: int
) -> None:
    url, key, live = table
    assert live.submit(BeginGame(123_456)) is None
    assert live.submit(TellHand(WIN, dealer=0)) is None
    live.submit(TellBirds(parse_tiles("1m9p")))
    page = phone(browser, f"{url}join#{key}")
    page.set_viewport_size({"width": width, "height": 640})
    page.locator("#pair .seats button").first.click()
    page.wait_for_url("**/seat/0")
    for place in ("#scores b.num", "#mine .points"):
        numbers = page.locator(place)
        expect(numbers.first).to_contain_text("123456")
        for at in range(numbers.count()):
            lines, leaves = numbers.nth(at).evaluate(
                """(each) => {
                  const range = document.createRange();
                  range.selectNodeContents(each);
                  const box = range.getBoundingClientRect();
                  const around = each.parentElement.getBoundingClientRect();
                  return [range.getClientRects().length, box.right - around.right > 1];
                }"""
            )
            assert (lines, leaves) == (1, False)
