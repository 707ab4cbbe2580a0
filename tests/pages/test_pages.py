"""On a small phone nothing is too small to tap or leaves the screen; no name turns another."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.pages.shown import LEFTWARD, PAGES, Shown, Stages, looked_at
from tests.stages.drawn_hands import faded_in

FINGER_PX = 44
# What can be tapped, with the label around it; links in a sentence are as high as its lines,
# and tiles on the felt are drawn to scale (each event has a button beside it);
# of the tapped hand's keyboard nine stand in a row: 31 wide where the screen has 360.
SMALL = """(least) => [...document.querySelectorAll(
  'button, a.button, nav a, .links a, select, textarea, input:not([type=hidden]), summary')]
  .map((each) => each.closest('label') ?? each)
  .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.closest('.unseen')
    && getComputedStyle(each).pointerEvents !== 'none'
    && !each.matches('#table button, #pad .face'))
  .map((each) => [each, each.getBoundingClientRect()])
  .filter(([, { width, height }]) => width > 1 && Math.min(width, height) < least - 0.5)
  .map(([each, { width, height }]) =>
    `${each.outerHTML.slice(0, 90)} ${Math.round(width)} x ${Math.round(height)}`)"""


# Text with the name in it that nothing keeps apart from what stands beside it.
BARE = """name => [...document.querySelectorAll("body *")].flatMap((each) => [...each.childNodes])
  .filter((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue.includes(name))
  .filter((node) => !node.parentElement.closest("svg, option, script"))
  .filter((node) => {
    const alone = (each) => each.textContent.trim() === name;
    if (!alone(node)) return node.nodeValue.replaceAll(`\\u2068${name}\\u2069`, "").includes(name);
    let each = node.parentElement;
    const apart = ({ unicodeBidi, display }) => unicodeBidi === "isolate" || display !== "inline";
    while (!apart(getComputedStyle(each))) each = each.parentElement;
    return !alone(each);
  }).map((node) => node.parentElement.outerHTML)"""


@pytest.fixture(scope="module")
def stages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stages]:
    made = Stages(tmp_path_factory.mktemp("pages"))
    yield made
    made.close()


@pytest.mark.parametrize("shown", PAGES, ids=lambda shown: shown.name)
def test_fingers_reach_everything_and_nothing_leaves_the_screen(
    browser: Browser, stages: Stages, shown: Shown
) -> None:
    with looked_at(browser, stages, shown, "zh", "dark") as page:
        page.set_viewport_size({"width": 360, "height": 640})
        page.reload()  # what folds on a phone is folded from the start
        page.locator("body:not(.connecting)").wait_for(state="attached")
        for step in shown.steps:
            page.locator(step).first.click()
        faded_in(page)
        assert page.evaluate(SMALL, FINGER_PX) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        assert page.evaluate(BARE, LEFTWARD) == []
        page.set_viewport_size({"width": 320, "height": 640})
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        assert page.evaluate("document.documentElement.scrollWidth") <= 320


# A list that opens shows what was chosen on one line, and cuts off what is longer.
CUT = """() => [...document.querySelectorAll('select')].filter((each) => each.checkVisibility())
  .flatMap((each) => {
    const { font, paddingLeft, paddingRight } = getComputedStyle(each);
    const pen = document.createElement('canvas').getContext('2d');
    pen.font = font;
    const arrow = 20;
    const room = each.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - arrow;
    return [...each.options].map(({ label }) => label)
      .filter((label) => pen.measureText(label).width > room);
  })"""


@pytest.mark.parametrize("name", ["rules", "setup-rules", "desk"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_choice_of_a_list_is_cut_off(
    browser: Browser, stages: Stages, name: str, language: str
) -> None:
    shown = next(each for each in PAGES if each.name == name)
    with looked_at(browser, stages, shown, language, "light") as page:
        page.evaluate("document.querySelectorAll('details').forEach((each) => each.open = true)")
        sets = page.locator("#set, select[name=rules]").locator("visible=true")
        ids = sets.locator("option").evaluate_all("all => all.map((each) => each.value)")
        for id in ids or [""]:
            if id:
                sets.select_option(id)
                page.wait_for_load_state("networkidle")
            for width, height in ((360, 640), (390, 844), (1280, 720)):
                page.set_viewport_size({"width": width, "height": height})
                assert page.evaluate(CUT) == [], (id, width)
                assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize(("name", "button"), [("seat", ".win"), ("seat-alone", ".won")])
def test_on_a_phone_that_lies_on_its_side_a_win_can_be_said_without_scrolling(
    browser: Browser, stages: Stages, name: str, button: str
) -> None:
    shown = next(each for each in PAGES if each.name == name)
    with looked_at(browser, stages, shown, "en", "light") as page:
        page.set_viewport_size({"width": 844, "height": 390})
        expect(page.locator(f"#mine {button}")).to_be_in_viewport(ratio=1)
        assert page.evaluate(SMALL, FINGER_PX) == []
