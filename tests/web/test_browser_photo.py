"""The pages for photographs over TLS, in a real browser with a camera: a frame to aim at; their
weight, and axe-core's findings."""

from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from table_assist.live.live_table import LiveTable
from table_assist.vision.pictures.picture import Image
from tests.conftest import ARGUMENTS, CHROMIUM
from tests.stages.drawn_hands import serious
from tests.stages.phone import Film, film_arguments
from tests.web.test_photo import as_jpeg, photograph, table_of
from web import create_app
from web.authority import own, own_names
from web.serve import serve

SIZE = (1280, 720)
WON, WINS_ON = "123m456m789s123p5s", "5s"
WEIGHT_LIMIT = 300_000
TIMEOUT_MS = 20_000
FELT = (70, 110, 40)


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Film:
    return Film(tmp_path_factory.mktemp("film") / "hand.y4m", SIZE)


@pytest.fixture(scope="module")
def phones(browser: Browser, film: Film) -> Iterator[Browser]:
    """A browser whose camera films the hand."""
    running = browser.browser_type.launch(
        executable_path=str(CHROMIUM), args=[*ARGUMENTS, *film_arguments(film)]
    )
    yield running
    running.close()


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveTable]:
    made = table_of(tmp_path_factory.mktemp("table"), "changsha")
    made.start()
    yield made
    made.stop()


@pytest.fixture(scope="module")
def address(table: LiveTable, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the pages are over TLS."""
    tls = own(tmp_path_factory.mktemp("tls"), own_names([]))
    serving = serve(create_app(table), port=0, tls=tls, tls_port=0)
    yield serving.tls_url
    serving.close()


@pytest.fixture
def opened(phones: Browser, address: str) -> Iterator[Callable[..., Page]]:
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def open_page(path: str, **options: object) -> Page:
        shape = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
        context = phones.new_context(
            **{"locale": "en-GB", **shape, **options}, ignore_https_errors=True
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(TIMEOUT_MS)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(f"{address}{path}")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not complaints


def filmed(hand: Image) -> Image:
    """The hand on the middle of the felt, as large as the picture allows."""
    scale = 0.9 * SIZE[0] / hand.shape[1]
    hand = cv2.resize(hand, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    image = np.full((SIZE[1], SIZE[0], 3), FELT, np.uint8)
    top, left = (SIZE[1] - hand.shape[0]) // 2, (SIZE[0] - hand.shape[1]) // 2
    image[top : top + hand.shape[0], left : left + hand.shape[1]] = hand
    return image


def test_a_frame_says_what_is_wrong_and_when_it_is_sharp(
    opened: Callable[..., Page], film: Film
) -> None:
    hand = filmed(photograph(WON, WINS_ON))
    film.show(np.asarray(hand // 6, np.uint8))
    page = opened("photo", viewport={"width": 844, "height": 390})
    page.locator("#whose button", has_text="Bo").tap()
    page.locator("#take .aim").tap()
    verdict = page.locator("#aim p")
    expect(verdict).to_have_text("Too dark: more light.")
    film.show(np.asarray(cv2.GaussianBlur(hand, (0, 0), 7), np.uint8))
    expect(verdict).to_contain_text("Not sharp yet")
    film.show(np.full_like(hand, 255))
    expect(verdict).to_contain_text("Glare")
    film.show(np.full_like(hand, FELT))
    expect(verdict).to_contain_text("Closer")
    film.show(hand)
    expect(verdict).to_have_text("Now! Sharp and still.")
    page.locator("#aim .main").tap()
    expect(page.locator("#hand .piece").first).to_be_visible()
    read = page.locator("#hand .piece").count()
    assert read >= 12
    expect(page.locator("#aim")).to_have_count(0)
    page.locator("#hand .aim").tap()
    page.locator("#aim .quiet").tap()
    expect(page.locator("#aim")).to_have_count(0)
    assert page.locator("#hand .piece").count() == read, "nothing was taken"


@pytest.mark.parametrize(
    ("path", "language", "theme"), [("photo", "zh", "dark"), ("worth", "en", "light")]
)
def test_the_pages_are_light_and_open_to_everybody(
    opened: Callable[..., Page], tmp_path: Path, path: str, language: str, theme: str
) -> None:
    picture = tmp_path / "hand.jpg"
    picture.write_bytes(as_jpeg(photograph(WON, WINS_ON)))
    page = opened(path, locale={"en": "en-GB", "zh": "zh-CN"}[language], color_scheme=theme)
    page.locator("#whose button", has_text="Bo").tap()
    assert serious(page) == []
    page.set_input_files("#take .camera input", picture)
    expect(page.locator("#hand .piece")).to_have_count(14)
    page.locator("#asks .ask .choices button").first.tap()
    page.locator("#hand .piece").first.tap()
    faces = page.locator("#faces .rows .face")
    expect(faces).to_have_count(27)  # nobody is offered a face that this set does not have
    assert serious(page) == []
    weights = page.evaluate(
        "performance.getEntries().filter((entry) => 'decodedBodySize' in entry"
        " && !entry.name.startsWith('blob:')).map((entry) => entry.decodedBodySize)"
    )
    assert 0 < sum(weights) < WEIGHT_LIMIT
    for width, height in ((320, 640), (390, 844), (844, 390), (1024, 768)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, (width, height)
