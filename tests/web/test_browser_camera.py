"""A phone as the table's camera, in a real browser whose camera films the simulated table."""

import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from table_assist.game.events import Settled
from table_assist.game.state import Phase
from table_assist.live.camera_service import CameraService, calibration_file
from table_assist.live.corners import CornersFrom, FoundCorners, keep_corners
from table_assist.live.phones import Phones
from table_assist.record.snapshot import SourceHealth
from table_assist.rules.registry import find_rules
from table_assist.twin.evening import play_evening
from table_assist.twin.lens import Lens
from table_assist.twin.render import Renderer
from table_assist.twin.scene import Scene
from table_assist.twin.table import tapped
from table_assist.upkeep.demo import make_renderer
from table_assist.upkeep.running import Running, open_table
from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.read import Reader, open_reader
from tests.conftest import ARGUMENTS, CHROMIUM
from tests.stages.dealt import LAID
from tests.stages.drawn_hands import serious
from tests.stages.linked_board import VirtualBoard
from tests.stages.phone import Film, film_arguments
from tests.stages.repository_tool import free_port
from web import create_app
from web.access.pairing_sessions import PAIRING_COOKIE
from web.access.roles import Role
from web.authority import Tls, own, own_names
from web.serve import Serving, serve

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
TIMEOUT_MS = 30_000
LOOKED_MS = 5 * TIMEOUT_MS
WEIGHT_LIMIT = 300_000
LENS = Lens(size_wh=(1280, 720), px_per_mm=0.85)
SEED = 3
SHORT_HAND = 205  # the shortest of three hundred hands that are won
FASTER = 2.0
SETTINGS = '[camera]\nsource = "phone"\n[seats]\nnames = ["Ana", "Ben", "Chen", "Dai"]\n'


@pytest.fixture(scope="module")
def renderer() -> Renderer:
    return make_renderer(find_rules("changsha"), seed=SEED, lens=LENS)


@pytest.fixture(scope="module")
def scenes() -> list[Scene]:
    steps = play_evening(SEED, find_rules("changsha"), hands=1)
    return [step.scene for _, step in zip(range(60), steps, strict=False)]


@pytest.fixture(scope="module")
def reader() -> Reader:
    return open_reader()


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Film:
    return Film(tmp_path_factory.mktemp("film") / "table.y4m", LENS.size_wh)


@pytest.fixture(scope="module")
def phone_browser(browser: Browser, film: Film) -> Iterator[Browser]:
    """A browser of its own: its camera is chosen where it is started."""
    running = browser.browser_type.launch(
        executable_path=str(CHROMIUM), args=[*ARGUMENTS, *film_arguments(film)]
    )
    yield running
    running.close()


class Site:
    """A followed table and its address, which may be ended and begun again."""

    def __init__(
        self, folder: Path, reader: Reader, more: str = "", tls: Tls | None = None
    ) -> None:
        self.settings = folder / "table.toml"
        self.settings.write_text(SETTINGS + more, encoding="utf-8")
        self._reader = reader
        self._tls = tls
        self.port = free_port()
        self.phones = Phones()
        self.begin()

    def begin(self) -> None:
        self.phones = Phones()
        self.running: Running = open_table(
            self.settings, eyes=lambda _: self._reader, phones=self.phones
        )
        cameras = CameraService(self.phones, lambda: self.running.config)
        devices = self.settings.with_suffix(".devices.json")
        self.app = create_app(self.running.table, devices=devices, cameras=cameras)
        self.running.table.start()
        self.serving: Serving = serve(self.app, port=self.port, tls=self._tls, tls_port=0)
        self.port = self.serving.port

    def end(self) -> None:
        self.serving.close()
        self.running.table.stop()

    @property
    def url(self) -> str:
        return self.serving.tls_url or self.serving.url

    @property
    def health(self) -> SourceHealth:
        known = self.running.table.snapshot.health
        return next((each for each in known if each.name == "camera"), SourceHealth("camera", ""))

    @property
    def is_read(self) -> bool:
        """Whether the table is seen; "idle" asks who deals what has lain there for a while."""
        return self.health.status in ("live", "idle")

    def wait_for(self, holds: Callable[[], object], what: str) -> None:
        ends = time.monotonic() + TIMEOUT_MS / 1000
        while not holds():
            assert time.monotonic() < ends, f"not {what}: {self.health}"
            time.sleep(0.05)


@pytest.fixture
def site(tmp_path: Path, reader: Reader) -> Iterator[Site]:
    found = Site(tmp_path, reader)
    yield found
    found.end()


class PhonePage:
    """The page on a phone that was let in, and what nobody asked it for."""

    def __init__(self, context: BrowserContext, site: Site, name: str = "Shelf") -> None:
        token = site.app.extensions["sessions"].open(Role.CAMERA, None, name, since=0.0)
        context.add_cookies([{"name": PAIRING_COOKIE, "value": token, "url": site.url}])
        self.page: Page = context.new_page()
        self.page.set_default_timeout(TIMEOUT_MS)
        self.complaints: list[str] = []
        self.under_way = self.most_under_way = 0
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self._count(request.url, 1))
        self.page.on("requestfinished", lambda request: self._count(request.url, -1))
        self.page.on("requestfailed", lambda request: self._count(request.url, -1))
        self.page.goto(f"{site.url}camera")

    def _count(self, url: str, by: int) -> None:
        if url.endswith("/api/camera/frame"):
            self.under_way += by
            self.most_under_way = max(self.most_under_way, self.under_way)

    def begin(self) -> None:
        self.page.locator("#begin button").tap()
        expect(self.page.locator("#state")).to_contain_text("Watching")

    def place(self) -> None:
        self.page.locator("#tasks .place").tap()
        # "Hold it still" until the next picture was looked at: another phone's reading delays it.
        verdict = expect(self.page.locator("#verdict"))
        verdict.to_have_text("Now! Sharp and still.", timeout=LOOKED_MS)
        self.page.locator("#aiming .keep").tap()
        expect(self.page.locator("#aiming")).to_be_hidden()


Opening = Callable[..., PhonePage]


@pytest.fixture
def opened(phone_browser: Browser, site: Site) -> Iterator[Opening]:
    with ExitStack() as stack:

        def open_page(**options: object) -> PhonePage:
            context = phone_browser.new_context(**{"locale": "en-GB", **PHONE, **options})
            stack.callback(context.close)
            return PhonePage(context, site)

        yield open_page


def test_two_phones_are_placed_over_tls_and_what_lies_on_the_table_is_read_through_both(
    phone_browser: Browser,
    tmp_path: Path,
    reader: Reader,
    film: Film,
    renderer: Renderer,
    scenes: list[Scene],
) -> None:
    film.show(renderer.picture(LAID))
    with ExitStack() as stack:
        site = Site(tmp_path, reader, tls=own(tmp_path / "tls", own_names([])))
        stack.callback(site.end)
        contexts = [
            phone_browser.new_context(**PHONE, locale="en-GB", ignore_https_errors=True)
            for _ in range(2)
        ]
        for context in contexts:
            stack.callback(context.close)
        shelf, lamp = (
            PhonePage(context, site, name)
            for context, name in zip(contexts, ("Shelf", "Lamp"), strict=True)
        )
        assert site.url.startswith("https://")
        watch_together(site, film, renderer, scenes, shelf, lamp)


def watch_together(
    site: Site,
    film: Film,
    renderer: Renderer,
    scenes: list[Scene],
    phone: PhonePage,
    other: PhonePage,
) -> None:
    phone.begin()
    site.wait_for(lambda: "show it on its own screen" in site.health.says.en, "told to show it")
    assert site.health.status == "unread", "a picture of which nobody knows the place is not read"
    phone.place()
    other.begin()
    other.place()
    site.wait_for(lambda: site.is_read, "read")
    site.wait_for(
        lambda: all(f"{name}: " in site.health.figures.en for name in ("Shelf", "Lamp")), "told"
    )
    board = next(scene for scene in reversed(scenes) if scene.tiles)
    film.show(renderer.picture(board))
    lies = face_up(renderer, board)
    assert lies.total() >= 10
    site.wait_for(lambda: not lies - seen(site), "read as it lies")
    assert phone.most_under_way == other.most_under_way == 1
    assert not phone.complaints + other.complaints
    phone.page.close()  # its owner takes it away: the other one is enough
    site.wait_for(lambda: "Shelf has given no picture" in site.health.says.en, "told to be gone")
    site.wait_for(lambda: not lies - seen(site), "read as it lies by the other one")
    assert site.is_read


@pytest.mark.alone  # it keeps nearly people's pace, with networks that read
def test_a_hand_is_followed_through_the_page_to_the_ledger(
    phone_browser: Browser, film: Film, reader: Reader, tmp_path: Path
) -> None:
    """A short hand, somewhat faster than people play, with the board's keys and dice."""
    rules = find_rules("changsha")
    renderer = make_renderer(rules, seed=SHORT_HAND, lens=LENS)
    steps = list(play_evening(SHORT_HAND, rules, hands=1))
    film.show(renderer.picture(LAID))
    with VirtualBoard(seed=SHORT_HAND) as board, ExitStack() as stack:
        more = f'[board]\nport = "{board.port}"\n[rules]\nsettle_after_s = 1\n'
        site = Site(tmp_path, reader, more)
        stack.callback(site.end)
        context = phone_browser.new_context(**PHONE, locale="en-GB")
        stack.callback(context.close)
        phone = PhonePage(context, site)
        phone.begin()
        phone.place()
        film.show(renderer.picture(Scene()))
        site.wait_for(lambda: site.is_read, "read")
        table = site.running.table
        for step in steps:
            for command in step.commands:
                said = tapped(command, table.snapshot.state)
                if said is not None:
                    table.submit(said, "people")
            film.show(renderer.picture(step.scene))
            for signal in step.signals:
                board.happen(signal)
            time.sleep(step.seconds / FASTER)
        site.wait_for(lambda: table.snapshot.state.phase is Phase.SETTLED, "settled")
        true = next(each for step in steps for each in step.events if isinstance(each, Settled))
        assert table.snapshot.state.scores == true.transfers
        assert phone.most_under_way == 1


def seen(site: Site) -> Counter[str]:
    """The faces by which everything is judged."""
    shot = site.running.table.eyes.shot()
    if shot is None or shot.observation is None:
        return Counter()
    return Counter(str(tile.tile) for tile in shot.observation.tiles if tile.tile.is_face)


def face_up(renderer: Renderer, scene: Scene) -> Counter[str]:
    boxes = renderer.true_boxes(scene, least_visible=0.9)
    return Counter(box.label for box in boxes if box.label != "back" and box.label[0] != "d")


def known(site: Site, renderer: Renderer) -> Image:
    """The table as each phone's pictures show it, after its place in them was kept."""
    picture, config = renderer.picture(LAID), site.running.config
    found = FoundCorners(LENS.corners_px(), CornersFrom.PERSON)
    for device, _ in site.app.extensions["sessions"].devices:
        keep_corners(config, picture, found, calibration_file(config, device.id))
    return picture


def test_a_phone_goes_on_by_itself_after_a_restart_of_the_program(
    opened: Opening, site: Site, film: Film, renderer: Renderer
) -> None:
    phone = opened()
    film.show(known(site, renderer))
    phone.begin()
    site.end()
    expect(phone.page.locator("#state")).to_contain_text("does not answer")
    site.begin()
    expect(phone.page.locator("#state")).to_contain_text("Watching")
    site.wait_for(lambda: site.is_read, "read")  # its place is known still
    assert not phone.complaints


def test_a_frozen_camera_is_stale_and_never_the_table_as_it_is(
    opened: Opening, site: Site, film: Film, renderer: Renderer
) -> None:
    phone = opened()
    film.show(known(site, renderer))
    phone.begin()
    site.wait_for(lambda: site.is_read, "read")
    film.show(renderer.picture(Scene()), frozen=True)
    site.wait_for(lambda: site.health.status == "stale", "stale")
    assert "frozen" in site.health.says.en
    film.show(renderer.picture(Scene()))
    site.wait_for(lambda: site.is_read, "read again")
    phone.page.evaluate("document.querySelector('video').srcObject.getTracks()[0].stop()")
    site.wait_for(lambda: site.health.status == "stale", "stale")
    expect(phone.page.locator("#state")).to_contain_text("stopped its camera")


def test_a_phone_that_is_let_out_is_told_and_its_pictures_are_gone(
    opened: Opening, site: Site, film: Film, renderer: Renderer
) -> None:
    film.show(renderer.picture(LAID))
    phone = opened()
    phone.begin()
    sessions = site.app.extensions["sessions"]
    sessions.close(*(device.id for device, _ in sessions.devices))
    expect(phone.page.locator("main")).to_contain_text("not let in as a camera")
    site.wait_for(lambda: site.health.status == "waiting", "without a camera")


@pytest.mark.parametrize(("language", "theme"), [("en", "dark"), ("zh", "light")])
def test_the_page_is_light_and_kept_open_to_everybody(
    opened: Opening, film: Film, renderer: Renderer, language: str, theme: str
) -> None:
    film.show(renderer.picture(LAID))
    phone = opened(locale={"en": "en-GB", "zh": "zh-CN"}[language], color_scheme=theme)
    page = phone.page
    page.locator("#begin button").tap()
    sentence = {"en": r"Watching: [1-5] pictures a second\.", "zh": "正在拍摄：每秒 [1-5] 张。"}
    expect(page.locator("#state")).to_have_text(re.compile(sentence[language]))
    page.locator("#tasks .place").tap()
    expect(page.locator("#verdict.good")).to_be_visible()
    expect(page.locator("#aim .corner")).to_have_count(4)
    assert serious(page) == []
    weights = page.evaluate(
        "performance.getEntries().filter((entry) => 'decodedBodySize' in entry"
        " && !entry.name.includes('/api/')).map((entry) => entry.decodedBodySize)"
    )
    assert 0 < sum(weights) < WEIGHT_LIMIT
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0
    assert not phone.complaints


def test_a_page_that_turns_leaves_the_picture_as_it_was(opened: Opening) -> None:
    """A browser turns its video with the page; that it does is seen by width and height."""
    turn = """async (cases) => {
      const { Eye } = await import("/static/camera_eye.js");
      const set = (of, name, value) =>
        Object.defineProperty(of, name, { value, configurable: true });
      const turned = [];
      for (const [now, kept, turns] of cases) {
        set(navigator, "userAgent", turns ? "Android" : "");
        const video = document.createElement("canvas");
        const eye = new Eye(video, document.createElement("canvas"));
        const hold = ({ angle, wide }) => {
          set(screen, "orientation", { angle });
          Object.assign(video, { videoWidth: wide ? 4 : 3, videoHeight: wide ? 3 : 4 });
        };
        hold(kept);
        eye.keepUpright();
        hold(now);
        await eye.picture();
        turned.push(eye.turned);
      }
      return turned;
    }"""
    upright, lying = {"angle": 0, "wide": False}, {"angle": 90, "wide": True}
    other, over = {"angle": 270, "wide": True}, {"angle": 180, "wide": False}
    still = {"angle": 90, "wide": False}  # a browser that does not turn it
    cases = [
        [upright, upright, True],
        [lying, upright, True],
        [other, upright, True],
        [upright, lying, True],
        [lying, other, True],
        [over, upright, True],
        [over, upright, False],
        [still, upright, True],
    ]
    assert opened().page.evaluate(turn, cases) == [0, 90, 270, 270, 180, 180, 0, 0]
