"""For every eye and ear, in a real browser: large, aloud, remembered, there when offline."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from table_assist.game.events import Discarded
from table_assist.tiles.tile import Tile
from tests.stages.drawn_hands import faded_in, serious
from tests.stages.web_fakes import Evening, FakeTable, asked, opened, played, settled, won
from web.serve import Serving

PHONE = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "color_scheme": "dark",
}
BEN = 1
HEAR = """
window.said = { voice: [], notes: [] };
speechSynthesis.speak = ({ text, lang }) => said.voice.push([lang, text]);
Notification.requestPermission = async () => "granted";
Object.defineProperty(Notification, "permission", { get: () => "granted" });
ServiceWorkerRegistration.prototype.showNotification = async (_, { body }) => {
  said.notes.push(body);
};
"""
Opening = Callable[..., Page]


@pytest.fixture
def look(browser: Browser, serving: Serving) -> Opening:

    def open_page(path: str = f"seat/{BEN}", **options: object) -> Page:
        page = browser.new_context(**{**PHONE, "locale": "en-GB", **options}).new_page()
        page.add_init_script(HEAR)
        page.goto(serving.url + path)
        expect(page.locator("body:not(.connecting)")).to_have_count(1)
        return page

    return open_page


def choose(page: Page, *names: str) -> None:
    page.locator("#eyes summary").click()
    for name in names:
        page.locator(f"#eyes input[name={name}]").check()


def test_who_is_remembered_finds_the_own_choices_on_another_phone(look: Opening) -> None:
    first = look()
    choose(first, "large", "still")
    first.locator("#eyes select").select_option("5")
    first.locator("#eyes .remember").click()
    expect(first.locator("#eyes .remember")).to_have_text("Ben is remembered")
    first.locator("#eyes input[name=strong]").check()  # what is chosen later is kept, too
    second = look()
    expect(second.locator("html")).to_have_attribute("data-eyes", "large strong still")
    size = second.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)")
    assert size == 20
    own = "getComputedStyle(document.querySelector('#scores .seat-1')).getPropertyValue('--seat')"
    second.wait_for_function(f"() => {own}.trim() === '#b79af0'")
    other = look("seat/2")
    assert other.evaluate("document.documentElement.dataset.eyes") is None
    other.wait_for_function(f"() => {own}.trim() === '#b79af0'")  # the colour is for everybody


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("scene", ["asked", "settled"])
def test_large_letters_and_strong_contrast_fit_and_axe_finds_nothing(
    look: Opening, table: FakeTable, theme: str, scene: str
) -> None:
    evening = played(opened(Evening()))
    evening = asked(evening) if scene == "asked" else settled(won(evening, "2p 1s"))
    table.publish(evening.snapshot())
    page = look(f"seat/{BEN}?theme={theme}")
    choose(page, "large", "strong", "still")
    page.locator("#signals summary").click()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    faded_in(page)
    assert serious(page) == []


def test_the_caller_says_discards_and_results_and_readers_are_told_the_same(
    look: Opening, table: FakeTable
) -> None:
    page = look()
    page.locator("#signals summary").click()
    page.locator("#signals input[name=caller]").check()
    page.wait_for_function("() => said.voice.length === 1")  # as it will sound
    evening = opened(Evening())
    table.publish(evening.do(Discarded(0, Tile.M9)).snapshot())
    expect(page.locator("#aloud")).to_have_text("Ana discards 9 characters.")
    page.wait_for_function("() => said.voice.length === 2")
    assert page.evaluate("said.voice.at(-1)") == ["en-GB", "Ana discards 9 characters."]
    evening = settled(won(played(opened(Evening())), "2p 1s"))
    table.publish(evening.snapshot())
    expect(page.locator("#aloud")).to_contain_text("Ben won. ")
    page.wait_for_function("() => said.voice.length === 3")
    told = page.evaluate("said.voice.at(-1)[1]")
    for name, moved in zip(table.snapshot.names, evening.state.last_transfers, strict=True):
        if moved:
            assert f"{name} {moved:+d}".replace("-", "−") in told


def test_a_phone_that_nobody_looks_at_notifies_of_the_own_question_alone(
    look: Opening, table: FakeTable
) -> None:
    page = look()
    page.locator("#signals summary").click()
    page.locator("#signals input[name=notify]").check()
    page.wait_for_function("() => (localStorage.getItem('table-signals') ?? '').includes('notify')")
    table.publish(asked(played(opened(Evening()))).snapshot())
    expect(page.locator("#asked")).to_be_visible()
    assert page.evaluate("said.notes") == [], "it is looked at"
    page.evaluate("Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })")
    table.publish(opened(Evening()).snapshot())
    expect(page.locator("#asked")).to_be_hidden()
    table.publish(asked(played(opened(Evening()))).snapshot())
    question = page.locator("#asked .text").text_content
    page.wait_for_function("() => said.notes.length === 1")
    assert page.evaluate("said.notes[0]") == question()


def test_the_app_opens_without_the_server_with_the_last_state(
    look: Opening, serving: Serving, table: FakeTable
) -> None:
    page = look()
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()  # now the worker sees the page
    expect(page.locator("#mine .own .name")).to_have_text("Ben")
    page.reload()
    expect(page.locator("#mine .own .name")).to_have_text("Ben")
    page.wait_for_function("() => caches.match('/last').then((kept) => kept !== undefined)")
    score = page.locator("#mine .points").text_content()
    serving.close()
    page.goto(serving.url)  # as the icon on the home screen does
    expect(page.locator("#mine .own .name")).to_have_text("Ben")
    expect(page.locator("#mine .points")).to_have_text(score or "")
    expect(page.locator("#line")).to_have_class("line alarm")


def test_seats_are_told_apart_without_colours(look: Opening) -> None:
    page = look()
    marks = page.locator("#scores .name").evaluate_all(
        "(names) => names.map((name) => getComputedStyle(name, '::before').content)"
    )
    assert len({mark.split("/")[0].strip() for mark in marks}) == 4
