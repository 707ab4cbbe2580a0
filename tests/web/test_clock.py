"""The clock of a table without a hub: set on a phone, seen and heard by all."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from bench.live.evening import Clock
from table_assist.live.live_table import LiveTable
from table_assist.settings.config import Config, LogConfig
from tests.stages.faded import serious
from tests.stages.free_port import free_port
from tests.stages.web_fakes import Evening, FakeTable, opened
from web import create_app
from web.serve import serve

PHONE = {"width": 390, "height": 844}
HEAR = "window.said = []; speechSynthesis.speak = ({ text }) => said.push(text);"


@pytest.fixture
def clock() -> Clock:
    return Clock(1_700_000_000.0)


@pytest.fixture
def seat(browser: Browser, tmp_path: Path, clock: Clock) -> Iterator[Page]:
    """A phone at a table that nobody follows."""
    config = Config(log=LogConfig(str(tmp_path / "log.sqlite")))
    table = LiveTable(config, camera=None, reader=None, now=clock)
    table.start()
    app = create_app(table)
    app.extensions["clock"].now = clock
    serving = serve(app, port=free_port())
    context = browser.new_context(viewport=PHONE, locale="en-GB")
    context.add_init_script(HEAR)
    page = context.new_page()
    page.clock.install(time=clock.t)
    page.goto(f"{serving.url}seat/1")
    yield page
    context.close()
    serving.close()
    table.stop()


def test_a_phone_sets_it_and_it_is_told_by_colour_words_and_voice(seat: Page, clock: Clock) -> None:
    seat.locator("#signals summary").click()
    seat.locator("#signals input[name=caller]").check()
    seat.wait_for_function("() => said.length === 1")  # as it will sound
    seat.locator("#clock summary").click()
    expect(seat.locator("#clock [type=submit]")).to_be_enabled()
    assert serious(seat) == []
    seat.clock.pause_at(clock.t + 3600)  # from here on only this test moves the page's time
    seat.locator("#clock [name=evening]").fill("6")
    seat.locator("#clock [type=submit]").click()
    line = seat.locator("#clock li")
    expect(line).to_have_count(1)
    expect(line).to_contain_text("Evening")
    seat.clock.run_for(61_000)
    expect(line.locator("b")).to_have_text("4:59")
    assert seat.evaluate("said.at(-1)") == "Evening: 5 minutes left"
    seat.clock.run_for(250_000)
    expect(line).to_have_class("short")
    seat.clock.run_for(60_000)
    expect(line).to_have_class("over")
    expect(line).to_contain_text("time is over")
    assert seat.evaluate("said.at(-1)") == "Evening: time is over"
    assert seat.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_it_stands_and_goes_on_and_is_there_after_a_reload(seat: Page, clock: Clock) -> None:
    seat.locator("#clock summary").click()
    seat.locator("#clock [name=round]").fill("50")
    seat.locator("#clock [type=submit]").click()
    expect(seat.locator("#clock li")).to_contain_text("Round")
    clock.t += 600
    seat.locator("#clock summary").click()
    seat.locator("#clock .pause").click()
    expect(seat.locator("#clock .stands")).to_have_text("The clock stands")
    expect(seat.locator("#clock b")).to_have_text("40:00")
    clock.t += 3600
    seat.reload()
    expect(seat.locator("#clock b")).to_have_text("40:00")
    expect(seat.locator("#clock [name=round]")).to_have_value("50")


def test_what_is_typed_before_its_script_is_there_is_kept(seat: Page, clock: Clock) -> None:
    held: list[Route] = []
    seat.route("**/clock.js*", lambda route: held.append(route))
    with seat.expect_request("**/clock.js*"):
        seat.locator("#clock summary").click()
    seat.locator("#clock [name=round]").fill("50")
    with seat.expect_response("**/api/clock"):  # it says that none is set
        held[0].continue_()
    seat.evaluate("fetch('/api/clock').then((reply) => reply.json())")  # the first one is read
    seat.locator("#clock [type=submit]").click()
    expect(seat.locator("#clock li")).to_contain_text("Round")


def test_who_thinks_is_told_how_long(browser: Browser, clock: Clock) -> None:
    from table_assist.game.events import ClockSet

    evening = opened(Evening())
    evening.do(ClockSet(think_s=20))
    table = FakeTable(evening.snapshot())
    app = create_app(table)
    known = app.extensions["clock"]
    known.now = lambda: table.snapshot.entries[-2].t + 5  # its latest move is before the clock
    serving = serve(app, port=free_port())
    page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    page.goto(f"{serving.url}tv?lang=zh")
    expect(page.locator("#clock li")).to_contain_text("思考")
    assert page.request.get(f"{serving.url}api/clock").json()["turn"]["left_s"] == 15.0
    page.context.close()
    serving.close()
