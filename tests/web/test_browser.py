"""The page in a real browser: Debian's headless Chromium on the scripted table."""

import re
import time

import pytest
from playwright.sync_api import Page, expect

from table_assist.game.events import Asked, BirdTurned, Discarded
from table_assist.game.question import QuestionId
from table_assist.languages.words import NOTHING, Words
from table_assist.record.commands import Answer, DeclareWin, EndHand, StartHand, Undo
from table_assist.record.log import Source
from table_assist.record.snapshot import SourceHealth
from table_assist.tiles.tile import SUITED, Tile
from tests.stages.web_fakes import (
    Evening,
    FakeTable,
    asked,
    expect_commands,
    healthy,
    opened,
    played,
    settled,
    won,
)
from tests.web.conftest import Look, Visit
from web import create_app
from web.serve import serve

PHONE, LAPTOP, TELEVISION = (360, 740), (1280, 800), (1920, 1080)


@pytest.fixture
def visit(look: Look) -> Look:
    """Opens the page before anything has happened."""

    def open_page(size: tuple[int, int] = LAPTOP, **options: object) -> Visit:
        visit = look("", None, size, **options)
        expect(visit.page.locator("#headline")).to_have_text("Waiting for a wall")
        return visit

    return open_page


def scores(page: Page) -> list[str]:
    return page.locator("#scores b").all_text_contents()


def test_a_hand_is_played_and_its_settled_scores_are_read_off_the_page(visit: Look) -> None:
    here = visit()
    page, evening = here.page, opened()
    here.show(evening)
    expect(page.locator("#headline")).to_have_text("Ana discards")
    expect(page.locator("#table .count strong")).to_have_text("55")
    here.show(played(evening))
    expect(page.locator("[data-seat='0'] .meld")).to_have_count(2)
    here.show(won(evening))
    expect(page.locator("#verdict h3").first).to_contain_text("Ben wins")
    expect(page.locator(".payments b")).to_have_text("2")
    for bird, points in ((Tile.P2, "4"), (Tile.S8, "4")):
        here.show(evening.do(BirdTurned(bird)))
        expect(page.locator(".payments b")).to_have_text(points)
    here.show(settled(evening))
    expect(page.locator("#headline")).to_have_text("Hand 1 is settled")
    assert scores(page) == ["−4", "4", "0", "0"]
    assert page.locator(".bird.done").count() == 2
    assert page.locator(".bird .effect").all_text_contents() == [
        "2 dots names Ben: payments ×2",
        "8 bamboo names Dai: no change",
    ]
    page.wait_for_timeout(1000)  # the birds have turned
    here.show(opened(evening, hand=2, dealer=1))
    expect(page.locator("#headline")).to_have_text("Ben discards")
    assert scores(page) == ["−4", "4", "0", "0"]
    expect(page.locator("#history tbody tr")).to_have_count(1)
    expect(page.locator("#verdict")).to_be_hidden()
    assert here.complaints == []


def test_without_a_board_people_press_the_keys_on_the_page(visit: Look) -> None:
    here = visit()
    here.show(opened())
    panel = here.page.locator("#keys")
    expect(panel).to_be_hidden()
    none = SourceHealth("board", "none", Words("No board is set up.", "未设置电路板。"))
    here.show(Evening(), health=(none,))
    panel.get_by_role("button", name="Ben").click()
    here.show(opened(), health=(none,))
    expect(panel).to_contain_text("Who declares a win?")
    panel.get_by_role("button", name="Dai").click()
    end = panel.get_by_role("button", name="The hand ends")
    end.click()
    panel.get_by_role("button", name="Tap again").click()
    expect(end).to_be_visible()
    expect_commands(here.table, StartHand(1), DeclareWin(3), EndHand())


def test_of_many_choices_the_likeliest_are_shown_and_the_others_on_request(visit: Look) -> None:
    here = visit()
    evening = opened().do(Discarded(0, Tile.UNKNOWN), Source.CAMERA)
    faces = tuple(str(tile) for tile in SUITED)
    evening.do(
        Asked(QuestionId.parse("which"), Words("Which?", "哪张？"), faces, evening.entries[-1].seq)
    )
    here.show(evening)
    choices = here.page.locator("#asked .choices button")
    expect(choices).to_have_count(4)
    here.page.get_by_role("button", name="Another tile").click()
    expect(choices).to_have_count(27)
    choices.nth(26).click()
    expect_commands(here.table, Answer(QuestionId.parse("which"), "9s"))


def test_a_refused_answer_says_why_and_can_be_given_again(visit: Look) -> None:
    here = visit()
    here.table.refusal = Words("That tile lies there four times already.", "该牌已有四张。")
    here.show(asked(opened()))
    card = here.page.locator("#asked")
    card.get_by_role("button", name="6 bamboo").first.click()
    expect(card.locator(".problem")).to_have_text(here.table.refusal.en)
    card.get_by_role("button", name="No").click()
    expect(card.locator(".problem")).to_have_text(here.table.refusal.en)
    assert [command.answer for command in here.table.commands] == ["6s", "no"]


def test_an_entry_is_taken_back_by_two_taps(visit: Look) -> None:
    here = visit()
    evening = opened().do(Discarded(0, Tile.P5))
    here.show(evening)
    button = here.page.locator("#events ol li").first.locator("button")
    button.click()
    expect(button).to_have_text("Take back?")
    assert here.table.commands == []
    button.click()
    expect(button).to_have_text("↶")
    expect_commands(here.table, Undo(evening.entries[-1].seq))


def test_names_and_texts_are_never_markup(visit: Look) -> None:
    here = visit()
    nasty = "<img src=x onerror=alert(1)><b>Ana</b>"
    here.show(asked(opened(Evening(names=(nasty, "&amp;", "'\"", "</script>")))))
    expect(here.page.locator(".plate .name").first).to_have_text(nasty)
    expect(here.page.locator("#table [data-seat='1'] .name")).to_have_text("&amp;")
    assert here.page.locator("img[src='x'], #events b").count() == 0
    assert here.complaints == []


def test_a_lost_stream_is_said_and_comes_back(visit: Look) -> None:
    here = visit()
    here.show(opened())
    expect(here.page.locator("#headline")).to_have_text("Ana discards")
    port = here.serving.port
    here.serving.close()
    expect(here.page.locator("#line")).to_contain_text("Connection lost")
    expect(here.page.locator("body.lost")).to_have_count(1)
    expect(here.page.locator("#health .word").first).to_have_text("not known")
    before = here.page.locator("#line").text_content()
    expect(here.page.locator("#line")).not_to_have_text(before)  # its age is ticking
    again = FakeTable(opened(hand=9, dealer=3).snapshot())
    restarted = serve(create_app(again), port=port)
    expect(here.page.locator("#line")).to_have_text("Changsha, hand 9")
    expect(here.page.locator("body.lost")).to_have_count(0)
    restarted.close()


def test_health_tells_the_worst_and_its_age_ticks(visit: Look) -> None:
    here = visit()
    page, now = here.page, time.time()
    ill = (
        SourceHealth("camera", "covered", Words("dark", "被遮挡"), now - 12),
        SourceHealth("board", "lost", NOTHING, now - 300),
        SourceHealth("log", "live", NOTHING, now),
    )
    here.show(opened(), health=ill)
    line = page.locator("#line")
    expect(line).to_have_text(
        "Nothing is recorded: The camera sees nothing. "
        "Take away what covers the lens, or switch the light on."
    )
    expect(line).to_have_class("line alarm stopped")
    assert line.evaluate("it => it.scrollWidth <= it.clientWidth"), "what to do can be read whole"
    expect(page.locator("#health .covered .word")).to_have_text("covered")
    expect(page.locator("#health .lost .age")).to_have_text("5 min")
    age = page.locator("#health .covered .age")
    before = age.text_content()
    expect(age).not_to_have_text(before)


def test_that_nothing_is_recorded_is_said_as_long_as_it_lasts_and_not_of_a_moment(
    visit: Look,
) -> None:
    here = visit()
    line, now = here.page.locator("#line"), time.time()
    idle = SourceHealth("camera", "idle", Words("Say who deals.", "请说明谁坐庄。"), now)
    here.show(opened(), health=(idle, *healthy(now)[1:]))
    expect(line).to_have_text("Nothing is recorded: Say who deals.")
    expect(here.page.locator("#picture")).to_have_attribute("open", "")  # it shows why
    expect(line).to_have_class("line alarm stopped")
    none = SourceHealth("board", "none", Words("No board is set up.", "未设置电路板。"))
    here.show(Evening(), health=(idle, none))
    line.get_by_role("link").click()  # to where a dealer's tap goes on with the hand
    expect(here.page.locator("#keys")).to_be_in_viewport()
    full = SourceHealth("log", "lost", Words("2 entries are not saved.", "2 条未存。"), now)
    here.show(opened(), health=(idle, full))
    expect(line).to_contain_text("2 entries are not saved. Make room")
    here.show(opened(), health=healthy(time.time()))
    expect(line).to_have_class("line")
    here.show(opened(), health=(SourceHealth("camera", "lost", NOTHING, time.time() + 4),))
    expect(here.page.locator("#health .camera .word")).to_have_text("live")
    expect(line).to_have_class("line alarm stopped", timeout=20_000)  # it lasts


def test_a_camera_that_fell_silent_is_not_called_live(visit: Look) -> None:
    here = visit()
    silent = SourceHealth("camera", "live", NOTHING, time.time() - 60)
    here.show(opened(), health=(silent, *healthy(time.time())[1:]))
    expect(here.page.locator("#health .stale .word")).to_have_text("stale")
    expect(here.page.locator("#line")).to_have_text("Camera: stale")


def test_a_clock_that_is_wrong_does_not_change_an_age(visit: Look) -> None:
    here = visit()
    page = here.page
    here.show(opened(), health=(SourceHealth("camera", "live", NOTHING, time.time() - 5),))
    page.clock.set_system_time(time.time() - 7200)  # the phone is two hours behind
    page.reload()
    expect(page.locator("#health .live .age")).to_have_text(re.compile(r"^[1-9]\d*(\.\d)? s$"))


@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=str)
def test_nothing_jumps_while_a_hand_is_played(visit: Look, size: tuple[int, int]) -> None:
    here = visit(size)
    page, evening = here.page, opened()
    here.show(evening)
    expect(page.locator("#headline")).to_have_text("Ana discards")
    page.evaluate(
        # Newest first, the list of events moves by nature, and so does a hand that lays a meld.
        "window.shift = 0; new PerformanceObserver((list) => list.getEntries()"
        ".filter(({sources}) => sources.some(({node}) =>"
        " !node?.parentElement?.closest('#events, .side')))"
        ".forEach((entry) => { window.shift += entry.value; })).observe({type: 'layout-shift'})"
    )
    for number in range(12):
        here.show(evening.do(Discarded(number % 4, Tile(number))))
        expect(page.locator(".river .tile")).to_have_count(number + 1)
    here.show(asked(evening))
    expect(page.locator("#asked")).to_be_visible()
    here.show(played(opened()))
    expect(page.locator(".meld")).to_have_count(3)
    page.wait_for_timeout(200)
    assert page.evaluate("window.shift") < 0.1


def test_a_bird_turns_when_it_comes_and_lies_still_for_who_comes_later(visit: Look) -> None:
    here = visit()
    evening = won(opened())
    here.show(evening)
    expect(here.page.locator(".bird")).to_have_count(2)
    here.show(evening.do(BirdTurned(Tile.P2)))
    expect(here.page.locator(".flip.turning")).to_have_count(1)
    here.page.reload()
    expect(here.page.locator(".flip.turned")).to_have_count(1)
    expect(here.page.locator(".flip.turning")).to_have_count(0)


def test_nothing_moves_for_who_wants_no_motion(visit: Look) -> None:
    here = visit(reduced_motion="reduce")
    evening = won(opened())
    here.show(evening)
    expect(here.page.locator(".bird")).to_have_count(2)
    here.show(evening.do(BirdTurned(Tile.P2)))
    expect(here.page.locator(".flip.turning")).to_have_count(1)
    assert here.page.evaluate("document.getAnimations().length") == 0


def test_the_camera_chip_opens_the_picture(visit: Look) -> None:
    here = visit()
    here.show(opened())
    # A picture of one black pixel.
    here.table.jpeg = bytes.fromhex(
        "ffd8ffe000104a46494600010100000100010000ffdb004300ffffffffffffffffffffffffffffffffffffffff"
        "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
        "ffffffc0000b080001000101011100ffc40014000100000000000000000000000000000000ffc4001410010000"
        "0000000000000000000000000000ffda0008010100003f00d2cf20ffd9"
    )
    here.page.locator("#health button").click()
    expect(here.page.locator("#picture img")).to_be_visible()
    here.page.locator("#picture summary").click()
    expect(here.page.locator("#picture img")).to_be_hidden()
    assert any("/api/picture.jpg" in each.url for each in here.requests)


def test_a_page_from_an_earlier_run_renews_itself(visit: Look) -> None:
    here = visit()
    token = here.page.locator("meta[name=table-token]").get_attribute("content")
    port = here.serving.port
    here.serving.close()
    table = FakeTable(asked(opened()).snapshot())
    restarted = serve(create_app(table), port=port)
    expect(here.page.locator("#asked")).to_be_visible()
    expect(here.page.locator("meta[name=table-token]")).not_to_have_attribute("content", token)
    with here.page.expect_response("**/api/answer"):
        here.page.get_by_role("button", name="6 bamboo").first.click()
    expect_commands(table, Answer(QuestionId.parse("tile-1"), "6s"))
    restarted.close()
