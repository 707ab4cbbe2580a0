"""Setting up, repairing and keeping a table in a real browser; and the trials behind the pages."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from firmware_bridge.events import Key
from table_assist.settings.config import load_config
from table_assist.tiles.tile import parse_tiles
from table_assist.twin.faces import load_faces
from table_assist.twin.lens import Lens
from table_assist.twin.looks import look_of
from table_assist.twin.render import Renderer
from table_assist.twin.scene import Scene
from table_assist.upkeep.table_service import Mode
from table_assist.vision.pictures.picture import save_picture
from tests.stages.drawn_hands import serious
from tests.stages.keeping_table import SETTINGS, Site, run_table, wait_for
from tests.stages.linked_board import VirtualBoard
from tests.stages.simavr import PATIENCE_MS, device

PHONE, DESK = (390, 844), (1280, 860)
CAMERA = Lens((1280, 720), px_per_mm=0.84)


@pytest.fixture(autouse=True)
def _own_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    path = tmp_path / "table" / "table.toml"
    path.parent.mkdir()
    path.write_text(SETTINGS, encoding="utf-8")
    return path


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    """What a camera above the simulated table sees, three times."""
    folder = tmp_path / "pictures"
    folder.mkdir()
    image = Renderer(load_faces(), look_of(1), CAMERA, 1).picture(Scene())
    for number in range(3):
        save_picture(folder / f"{number}.png", image)
    return folder


@pytest.fixture
def desk(browser: Browser) -> Iterator[BrowserContext]:
    with device(browser, DESK, "en-GB") as context:
        yield context


@pytest.fixture
def phone(browser: Browser) -> Iterator[BrowserContext]:
    with device(browser, PHONE, "zh-CN") as context:
        yield context


def opened(context: BrowserContext, address: str) -> Page:
    page = context.new_page()
    page.goto(address)
    return page


# -- setting up ------------------------------------------------------------------------------------


def test_a_stranger_sets_a_table_up_and_plays(
    tmp_path: Path, pictures: Path, desk: BrowserContext
) -> None:
    settings = tmp_path / "new" / "table.toml"
    with run_table(settings) as site:
        page = opened(desk, site.url)
        page.get_by_role("button", name="English").click()
        page.fill("[name=source]", str(pictures))
        page.click("#try")
        expect(page.locator("#live img")).to_be_visible(timeout=PATIENCE_MS)
        assert serious(page) == []
        page.click("#next")
        with desk.expect_page() as other:
            page.click("#calibrate")
        expect(other.value.locator("#zones li").first).to_be_visible(timeout=PATIENCE_MS)
        other.value.locator("#save:not([disabled])").click()
        expect(page.locator("#corners_state")).to_have_text(
            "The table's corners are known.", timeout=PATIENCE_MS
        )
        other.value.close()
        page.click("#next")
        expect(page.locator(".seats .square img")).to_be_visible()
        for seat, name in enumerate(("Ana", "", "陈德", "Dai")):
            page.locator(f"[name=seat{seat}]").fill(name)
        page.click("#next")
        expect(page.locator("#told")).to_have_text("Every seat needs a name.")
        page.locator("[name=seat1]").fill("Ben")
        page.click("#next")
        page.select_option("#option_bird_origin", label="from the winner")
        expect(page.locator("#sheet .changed")).to_contain_text("from the winner")
        expect(page.locator("#sheet")).not_to_contain_text("_")  # no word of a file
        for _ in ("tiles", "board"):
            page.click("#next")
        expect(page.locator("#wiring")).to_be_hidden()
        page.click("#next")
        expect(page.locator("#diff")).to_contain_text('+names = ["Ana", "Ben", "陈德", "Dai"]')
        assert not settings.exists()  # nothing is written before it was shown
        page.click("#save")
        page.click("#start")
        page.wait_for_url(site.url, timeout=PATIENCE_MS)
        expect(page.locator("#scores")).to_contain_text("陈德")
        config = load_config(settings)
        assert config.rules.options == {"bird_origin": "winner"}
        assert config.camera.source.whole == str(pictures)


def test_only_the_newest_review_can_be_saved(tmp_path: Path, desk: BrowserContext) -> None:
    settings = tmp_path / "new" / "table.toml"
    with run_table(settings) as site:
        page = opened(desk, site.url)
        page.get_by_role("button", name="Score with phones").click()
        review = page.locator("#steps [data-step=review]")
        page.locator("[name=seat0]").fill("Ann")
        review.click()
        expect(page.locator("#save")).to_be_visible()

        held: list[Route] = []
        page.route("**/api/setup/preview", lambda route: held.append(route))
        for name in ("Bea", "Cho"):
            page.locator("#steps [data-step=seats]").click()
            page.locator("[name=seat0]").fill(name)
            review.click()
        expect(page.locator("#save")).to_be_hidden()  # what it would write is not known yet
        expect(page.locator("#diff")).to_be_hidden()
        wait_for(lambda: page.evaluate("true") and len(held) == 2)
        for route in reversed(held):  # the answers overtake each other
            with page.expect_response("**/api/setup/preview"):
                route.continue_()
        expect(page.locator("#diff")).to_contain_text("Cho")
        page.click("#save")
        expect(page.locator("#start")).to_be_hidden()
        wait_for(settings.exists)
        assert load_config(settings).seats.names[0] == "Cho"


def test_a_table_begins_with_phones_alone_and_gets_a_camera_later(
    tmp_path: Path, pictures: Path, desk: BrowserContext
) -> None:
    settings = tmp_path / "new" / "table.toml"
    with run_table(settings) as site:
        assert site.modes.app.config["TABLE_HOST"] == "127.0.0.1"
        page = opened(desk, site.url)
        page.get_by_role("button", name="Score with phones").click()
        expect(page.locator("#steps li:visible")).to_have_count(4)
        page.locator("[name=seat0]").fill("Ann")
        page.click("#next")
        page.select_option("[name=rules]", "wanzhou")
        page.click("#next")
        expect(page.locator("#diff")).to_contain_text('+id = "wanzhou"')
        page.click("#save")
        page.click("#start")
        page.wait_for_url(site.url, timeout=PATIENCE_MS)
        expect(page.locator("#headline")).to_have_text("Hand 1: who wins photographs it")
        assert site.modes.app.config["TABLE_HOST"] == "0.0.0.0", "phones may ask to join"
        won = [str(tile) for tile in parse_tiles("123m456m789s123p55s")]
        hand = {"seat": 1, "concealed": won, "winning_tile": "5s"}
        site.do("api/tell", {"hand": hand, "dealer": 0})
        site.do("api/settle", {"seen": site.get("api/table")["acceptance"]["seen"]})
        expect(page.locator("#history tbody tr")).to_have_count(1)
        before = site.get("api/table")

        site.become(Mode.SETUP, "api/setup/pause", {})
        corners = [list(corner) for corner in CAMERA.corners_px()]
        camera = f'\n[camera]\nsource = "{pictures}"\ncorners = {corners}\n'
        settings.write_text(settings.read_text(encoding="utf-8") + camera, encoding="utf-8")
        site.become(Mode.TABLE, "api/setup/start", {})
        after = site.get("api/table")
        assert not after["unfollowed"]
        assert (after["hand"], after["history"]) == (before["hand"], before["history"])
        assert [seat["score"] for seat in after["seats"]] == [-2, 6, -2, -2]
        assert site.modes.app.config["TABLE_HOST"] == "0.0.0.0", "the phones stay"
        site.do("api/start", {"seat": after["round"]["dealer"]})
        wait_for(lambda: site.get("api/table")["phase"] == "playing")

        def camera_status() -> str:
            health = {each["name"]: each["status"] for each in site.get("api/table")["health"]}
            return str(health.get("camera", "none"))

        wait_for(lambda: camera_status() != "none")


def test_broken_settings_are_told_on_a_phone_in_chinese_and_tried_again(
    settings: Path, phone: BrowserContext
) -> None:
    settings.write_text(SETTINGS + "[board]\nbauds = 1\n", encoding="utf-8")
    with run_table(settings) as site:
        page = opened(phone, site.url)
        expect(page.locator("#trouble .says")).to_have_text("没有名为 board.bauds 的设置项。")
        expect(page.locator("#trouble .where")).to_contain_text("第 5 行")
        assert serious(page) == []
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0  # nothing is cut off on a phone
        settings.write_text(SETTINGS + "[board]\nbaud = 9600\n", encoding="utf-8")
        page.click("#again")
        page.wait_for_url(site.url, timeout=PATIENCE_MS)
        assert site.modes.table_service.mode is Mode.TABLE


# -- keeping ---------------------------------------------------------------------------------------


def test_a_backup_goes_out_and_comes_back_through_the_page(
    settings: Path, desk: BrowserContext, tmp_path: Path
) -> None:
    with run_table(settings) as site:
        site.do("api/start", {"seat": 0})
        before = site.get("api/table")["seq"]
        page = opened(desk, f"{site.url}admin")
        expect(page.locator("#check_log")).to_have_class("good", timeout=PATIENCE_MS)
        page.click("#backup")
        row = page.locator("#backups li", has_text="by hand")
        row.evaluate("(row) => { row.kept = true; }")
        for _ in range(2):  # the page looks again every few seconds
            with page.expect_response("**/api/admin"):
                pass
        assert row.evaluate("(row) => row.kept"), "nothing goes away under a finger"
        with page.expect_download() as download:
            row.get_by_text("Download").click()
        file = tmp_path / download.value.suggested_filename
        download.value.save_as(file)
        site.do("api/end", {})
        assert site.get("api/table")["seq"] > before
        page.set_input_files("#upload", file)
        dialog = page.locator("#inside")
        expect(dialog).to_be_visible(timeout=PATIENCE_MS)
        expect(dialog).to_contain_text("Ana, Ben, 陈德, Dai")
        assert serious(page) == []
        dialog.locator(".restore").click()
        expect(dialog.locator(".restore")).to_have_text("Tap again to restore it")
        first = site.modes.serving
        dialog.locator(".restore").click()
        wait_for(lambda: site.modes.serving is not first and site.answers())
        assert site.get("api/table")["seq"] == before


def test_the_doctor_is_one_tap_away_and_speaks_of_what_is_wrong(
    settings: Path, phone: BrowserContext
) -> None:
    with run_table(settings) as site:
        page = opened(phone, f"{site.url}admin")
        expect(page.locator("#check_camera")).to_have_class("none", timeout=PATIENCE_MS)
        settings.write_text(SETTINGS + "[x]\n", encoding="utf-8")
        page.click("#examine")
        expect(page.locator("#findings .bad")).to_contain_text("x", timeout=PATIENCE_MS)
        expect(page.locator("#check_settings")).to_have_class("doubt", timeout=PATIENCE_MS)
        expect(page.locator("#check_settings .advice")).to_contain_text("重新启动")
        assert serious(page) == []
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0


# -- the trials ------------------------------------------------------------------------------------


def test_a_board_is_tried_key_by_key(settings: Path) -> None:
    with VirtualBoard() as board, run_table(settings, Mode.SETUP) as site:
        site.do("api/setup/board", {"at": board.port})
        wait_for(lambda: trial(site, "board")["state"] == "listening")
        assert "seat 1 win" in trial(site, "board")["names"]
        assert trial(site, "board")["seen"] == []
        board.press(1, Key.WIN)
        wait_for(lambda: trial(site, "board")["seen"] == ["seat 1 win"])
        site.do("api/setup/board", {"at": ""})
        assert trial(site, "board")["state"] == "idle"


def test_a_port_without_a_board_is_told(settings: Path, tmp_path: Path) -> None:
    with run_table(settings, Mode.SETUP) as site:
        site.do("api/setup/board", {"at": str(tmp_path / "nowhere")})
        wait_for(lambda: trial(site, "board")["state"] == "failed")
        (finding,) = trial(site, "board")["findings"]
        assert finding["state"] == "bad"
        assert finding["advice"]


@pytest.mark.slow
def test_a_camera_is_looked_through_and_advised_on(settings: Path, pictures: Path) -> None:
    with run_table(settings, Mode.SETUP) as site:
        assert site.post("api/setup/advice", {})[0] == 409  # there is no picture yet
        assert site.post("api/setup/calibrate", {})[0] == 409
        site.do("api/setup/camera", {"source": str(pictures)})
        wait_for(lambda: trial(site, "camera")["size"] == [1280, 720])
        assert site.read("api/setup/picture.jpg").startswith(b"\xff\xd8")
        assert site.do("api/setup/advice", {})["tiles"] >= 0
        status, answer = site.post("api/setup/camera", {"source": "no such thing"})
        assert status == 409
        assert "no such thing" in answer["error"]["en"]


def test_a_camera_that_gives_no_picture_is_on_the_console_once_a_minute(
    settings: Path, pictures: Path, desk: BrowserContext
) -> None:
    with run_table(settings, Mode.SETUP) as site:
        page = desk.new_page()
        page.clock.install(time=0)
        said: list[str] = []
        page.on("console", lambda message: said.append(message.location["url"]))
        page.route("**/api/setup/picture.jpg*", lambda route: route.fulfill(status=503))
        page.goto(f"{site.url}setup")
        page.locator("#steps [data-step=camera]").click()
        page.fill("[name=source]", str(pictures))
        page.click("#try")
        wait_for(lambda: page.evaluate("true") and len(said) > 0)
        page.clock.fast_forward(50_000)  # one every 0.4 s would have been tried
        page.clock.run_for(2_000)
        assert sum("picture.jpg" in url for url in said) == 1
        page.clock.fast_forward(10_000)
        wait_for(lambda: page.evaluate("true") and len(said) > 1)


def test_without_a_camera_nothing_is_calibrated_and_tiles_are_learnt_from_files(
    tmp_path: Path, pictures: Path, desk: BrowserContext
) -> None:
    complaints: list[str] = []
    with run_table(tmp_path / "new" / "table.toml") as site:
        page = opened(desk, site.url)
        page.on("console", lambda message: complaints.append(message.text))
        page.get_by_role("button", name="English").click()
        page.get_by_role("button", name="No camera").click()
        expect(page.locator("#steps [data-step=corners]")).to_be_hidden()
        page.click("#next")
        page.click("#next")
        assert page.locator("#options .option").count() == 6  # what people argue about
        expect(page.locator("#more_options .option").first).to_be_hidden()
        page.click("#next")
        expect(page.locator("section[data-step=tiles]")).to_be_visible()
        page.get_by_text("Enrol your own set").click()
        page.locator("#photographs").set_input_files([pictures / "0.png", pictures / "1.png"])
        expect(page.locator("#snapped")).to_have_text("2 pictures")
        page.fill("[name=set_name]", "home")
        page.click("#enrol")
        expect(page.locator("#enrol_page")).to_be_visible(timeout=PATIENCE_MS)
        expect(page.locator("#enrol_lines")).to_contain_text("Picture 2:")
        expect(page.locator("#enrol_lines")).not_to_contain_text("/")
        page.click("#forget")
        page.click("#next")
        page.click("#next")
        expect(page.locator("#review_says")).to_have_text("Everything stays as the program has it.")
        expect(page.locator("#save")).to_be_visible()
    assert complaints == []


@pytest.mark.slow
def test_pictures_of_tiles_lead_to_the_page_of_the_enrolment(
    settings: Path, pictures: Path
) -> None:
    with run_table(settings, Mode.SETUP) as site:
        assert site.post("api/setup/tiles/read", {"name": "home"})[0] == 409  # no pictures
        site.do("api/setup/camera", {"source": str(pictures)})
        wait_for(lambda: trial(site, "camera")["size"] is not None)
        assert site.do("api/setup/tiles/picture", {})["tiles"]["pictures"] == 1
        site.do("api/setup/tiles/read", {"name": "no/name"})
        wait_for(lambda: trial(site, "tiles")["state"] == "failed")
        assert "no/name" in trial(site, "tiles")["lines"][-1]["en"]
        site.do("api/setup/tiles/read", {"name": "home"})
        wait_for(lambda: trial(site, "tiles")["address"] != "")  # a person looks, and leaves
        assert site.do("api/setup/tiles/clear", {})["tiles"]["pictures"] == 0
        assert trial(site, "tiles")["state"] == "idle"


def trial(site: Site, name: str) -> dict[str, object]:
    found: dict[str, object] = site.get("api/setup/trials")[name]
    return found


# -- who may ---------------------------------------------------------------------------------------


def test_nobody_from_the_network_sets_up_or_keeps_the_table(settings: Path) -> None:
    with run_table(settings) as site:
        app = site.modes.app
        assert app is not None
        client = app.test_client()
        for path in ("setup", "admin", "metrics", "api/setup", "api/admin", "admin/backup/x"):
            far = client.get(f"/{path}", environ_base={"REMOTE_ADDR": "192.168.1.7"})
            assert far.status_code == 403, path
            passed_on = client.get(f"/{path}", headers={"X-Forwarded-For": "192.168.1.7"})
            assert passed_on.status_code == 403, path
