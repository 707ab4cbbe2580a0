"""The calibration page and what it keeps: served, guarded, driven in a real browser."""

import html
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient
from hypothesis import assume, given
from hypothesis import strategies as st
from playwright.sync_api import Browser, Page, Route, expect

from table_assist.live.corners import (
    CalibrationService,
    CornersFrom,
    FoundCorners,
    find_corners,
)
from table_assist.settings.config import CameraConfig, Config, ConfigError, load_config
from table_assist.settings.edit import calibration_of, layout_of
from table_assist.trust.installation import Address
from table_assist.twin.faces import load_faces
from table_assist.twin.lens import Lens
from table_assist.twin.looks import look_of
from table_assist.twin.render import Renderer
from table_assist.twin.scene import Scene
from table_assist.upkeep.setup.calibrate import WantedView, calibrate
from table_assist.vision.pictures.picture import Image, save_picture
from table_assist.vision.table.calibration import (
    Calibration,
    CalibrationError,
    load_calibration,
    save_calibration,
)
from table_assist.vision.table.zone_views import zone_polygons, zone_views
from table_assist.vision.table.zones import Layout, zone_at
from tests.stages.dealt import LAID
from tests.stages.keeping_table import wait_for
from web.language import page_words
from web.serve import Serving, serve
from web.setup.calibrate import create_calibrate_app

CAMERA = Lens((1280, 720), px_per_mm=0.84)
BLANK = np.full((720, 1280, 3), 100, np.uint8)
PHONE, DESK = (390, 844), (1280, 800)
MOVED = [[310, 690], [970, 690], [970, 30], [310, 30]]

FOUND: list[FoundCorners] = []


@pytest.fixture(scope="module")
def table() -> Image:
    return Renderer(load_faces(), look_of(1), CAMERA, 1).picture(LAID)


@pytest.fixture(autouse=True)
def _found_once(monkeypatch: pytest.MonkeyPatch, table: Image) -> None:
    """The table of this module's picture is looked for once for all desks."""
    if not FOUND:
        FOUND.append(find_corners(table))
    monkeypatch.setattr(
        "table_assist.live.corners.find_corners",
        lambda image, *known: FOUND[0] if image is table else find_corners(image, *known),
    )


def settings(folder: Path, text: str = "") -> Config:
    path = folder / "table.toml"
    path.write_text(text, encoding="utf-8")
    return load_config(path)


@pytest.fixture
def desk(tmp_path: Path, table: Image) -> CalibrationService:
    return CalibrationService(settings(tmp_path), table)


@pytest.fixture
def client(desk: CalibrationService) -> FlaskClient:
    return create_calibrate_app(desk).test_client()


def post(client: FlaskClient, name: str, content: object) -> tuple[int, dict[str, object]]:
    token = client.application.config["TABLE_TOKEN"]
    answer = client.post(f"/api/calibrate/{name}", json=content, headers={"X-Table-Token": token})
    return answer.status_code, answer.get_json()


# -- the zones -------------------------------------------------------------------------------------


@given(st.floats(-399, 399), st.floats(-399, 399), st.sampled_from([0.0, 36.0, 62.0]))
def test_a_drawn_zone_is_the_zone_that_tiles_in_it_are_counted_to(
    x: float, y: float, well: float
) -> None:
    layout = Layout(well=well)
    inside = [zone for zone, corners in zone_polygons(layout).items() if _holds(corners, x, y)]
    assume(inside)
    assert inside == [zone_at(x, y, layout)]


def _holds(corners: tuple[tuple[float, float], ...], x: float, y: float) -> bool:
    """Well within a convex polygon, whichever way round it goes."""
    turns = [
        ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / float(np.hypot(bx - ax, by - ay))
        for (ax, ay), (bx, by) in zip(corners, (*corners[1:], corners[0]), strict=True)
    ]
    return min(turns) > 0.01 or max(turns) < -0.01


def test_a_dark_a_far_and_a_cut_off_zone_are_refused_with_advice(table: Image) -> None:
    calibration = Calibration(CAMERA.corners_px())
    assert all(zone.refused is None for zone in zone_views(table, calibration, Layout()))
    dark = zone_views(table // 12, calibration, Layout())
    assert all(zone.refused and "more light" in zone.refused.en for zone in dark)
    cut = Calibration(tuple((x - 400, y) for x, y in CAMERA.corners_px()))  # type: ignore[arg-type]
    troubles = [zone.refused.en for zone in zone_views(table, cut, Layout()) if zone.refused]
    assert any("outside the picture" in each for each in troubles)
    oblique = Calibration(((300.0, 710.0), (980.0, 710.0), (860.0, 150.0), (420.0, 150.0)), 540.0)
    small = [z.refused.en for z in zone_views(table, oblique, Layout(edge=720)) if z.refused]
    assert any("pixels a tile: move the camera closer" in each for each in small)


# -- keeping ---------------------------------------------------------------------------------------


def test_kept_corners_count_only_when_the_settings_name_none(
    tmp_path: Path, desk: CalibrationService
) -> None:
    assert desk.save() is None
    kept, found = calibration_of(settings(tmp_path))
    assert found is not None
    assert found.size_wh == (1280, 720)
    off = np.abs(np.array(kept.corners_px) - CAMERA.corners_px()).max()
    assert off < 6
    own = settings(tmp_path, f"[camera]\ncorners = {[list(c) for c in MOVED]}")
    assert calibration_of(own)[0].corners_px[0] == (310.0, 690.0)
    other = CalibrationService(own, desk.image)
    assert other.save() is None
    assert "delete them" in other.told


HUGE = (
    '{"version": 1, "size_wh": [1, 1], "grey_png": "'
    'Qk02AAAAAAAAADYAAAAoAAAAMHUAADB1AAABABgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}'
)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("{", "is damaged"),
        ("[]", "is damaged"),
        ('{"version": 2}', "of version 2, not 1"),
        ('{"version": 1}', "is damaged"),
        (HUGE, "more than 110 megapixels"),
    ],
)
def test_a_calibration_that_is_not_ours_is_refused(tmp_path: Path, content: str, says: str) -> None:
    path = tmp_path / "table.calibration.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(CalibrationError, match=says):
        load_calibration(path)
    with pytest.raises(ConfigError, match=says):
        calibration_of(settings(tmp_path))


def test_yes_keeps_what_is_sure_and_refuses_what_is_not(tmp_path: Path, table: Image) -> None:
    said: list[str] = []
    config = settings(tmp_path)
    save_picture(tmp_path / "blank.png", BLANK)
    assert not calibrate(WantedView(config, tmp_path / "blank.png", accept=True), said.append)
    assert "was not found" in said[-1]
    bare = Renderer(load_faces(), look_of(1), CAMERA, 1).picture(Scene())
    save_picture(tmp_path / "bare.png", bare)
    assert not calibrate(WantedView(config, tmp_path / "bare.png", accept=True), said.append)
    assert "to check its size" in said[-1]
    assert not Path(config.camera.calibration).exists()
    save_picture(tmp_path / "table.png", table)
    assert calibrate(WantedView(config, tmp_path / "table.png", accept=True), said.append)
    assert load_calibration(Path(config.camera.calibration)).size_wh == (1280, 720)


def test_the_tiles_of_a_set_have_one_size_from_then_on(
    tmp_path: Path, desk: CalibrationService
) -> None:
    """Nobody keeps another size unseen; who looks may have another set."""
    path, said = Path(desk.config.camera.calibration), list[str]()
    assert desk.save() is None
    kept = load_calibration(path)
    assert kept.tile_mm is not None
    save_calibration(path, replace(kept, tile_mm=kept.tile_mm * 1.15))
    save_picture(tmp_path / "table.png", desk.image)
    assert not calibrate(WantedView(desk.config, tmp_path / "table.png", accept=True), said.append)
    assert "another set" in said[-1]
    again = CalibrationService(desk.config, desk.image)
    assert "another set" in again.view.says.en
    assert again.save() is None
    assert not again.view.says


def test_a_console_a_tray_or_a_poster_is_no_table_whoever_shows_its_corners(
    tmp_path: Path,
) -> None:
    """By the tiles around it the console is as wide as a hand."""
    near = Renderer(load_faces(), look_of(1), Lens((1280, 720), px_per_mm=2.1), 1).picture(LAID)
    near = cv2.resize(near, None, fx=3, fy=3, interpolation=cv2.INTER_CUBIC)
    desk = CalibrationService(settings(tmp_path), near)
    assert desk.view.origin is not CornersFrom.FOUND
    console = (1450, 1550), (2390, 1550), (2390, 610), (1450, 610)
    desk.place(tuple((float(x), float(y)) for x, y in console))
    refused = desk.save()
    assert refused is not None
    assert "no table" in refused.en
    assert not (tmp_path / "table.calibration.json").exists()


def test_a_marked_window_counts_instead_of_the_settings_and_outlives_new_corners(
    tmp_path: Path, desk: CalibrationService
) -> None:
    config = settings(tmp_path, "[zones]\nwell = 40")
    assert CalibrationService(config, desk.image).view.well_mm == 40
    desk.mark_well(55.0)
    assert desk.save() is None
    kept = load_calibration(Path(config.camera.calibration))
    assert layout_of(config, kept.well_mm).well == 55
    later = CalibrationService(config, desk.image)
    later.place(tuple((float(x), float(y)) for x, y in MOVED))
    assert later.save() is None
    assert load_calibration(Path(config.camera.calibration)).well_mm == 55
    later.mark_well(0.0)
    assert layout_of(config, 0.0).well == later.view.well_mm == 0


# -- the answers -----------------------------------------------------------------------------------


def test_the_page_is_served_with_nothing_from_elsewhere(client: FlaskClient) -> None:
    page = client.get("/")
    assert page.status_code == 200
    assert "default-src 'none'" in page.headers["Content-Security-Policy"]
    assert "http://" not in page.get_data(as_text=True)
    assert client.get("/picture.jpg").data.startswith(b"\xff\xd8")
    view = client.get("/api/calibrate").get_json()
    assert (view["origin"], view["size"], len(view["zones"])) == ("found", [1280, 720], 18)


def test_a_command_without_the_pages_token_is_refused(client: FlaskClient) -> None:
    for name in ("corners", "well", "find", "turn", "save", "seen"):
        assert client.post(f"/api/calibrate/{name}", json={}).status_code == 403


@pytest.mark.parametrize(
    ("name", "key", "values"),
    [
        ("corners", "corners", [[], [[1, 2]] * 3, [[1]] * 4, [["1", 2]] * 4, [[True, 0]] * 4]),
        ("corners", "corners", [None, [[1e9, 0]] * 4, [5] * 4]),
        ("well", "mm", [None, True, "50", -1, 500, 1e9]),
    ],
)
def test_corners_and_a_window_that_are_none_change_nothing(
    client: FlaskClient, name: str, key: str, values: list[object]
) -> None:
    before = client.get("/api/calibrate").get_json()
    assert {post(client, name, {key: value})[0] for value in values} == {400}
    assert client.get("/api/calibrate").get_json() == before


def test_corners_that_cross_are_refused_in_words_and_not_kept(
    client: FlaskClient, desk: CalibrationService
) -> None:
    crossed = [MOVED[0], MOVED[2], MOVED[1], MOVED[3]]
    status, view = post(client, "corners", {"corners": crossed})
    assert status == 200
    refused: dict[str, str] = view["refused"]  # type: ignore[assignment]
    assert refused["en"].startswith("The corners ((310.0, 690.0)")
    assert refused["en"].endswith("do not go round the table in order.")
    assert post(client, "save", {}) == (409, {"error": refused})
    assert not Path(desk.config.camera.calibration).exists()


def test_turning_makes_the_next_side_seat_0s_and_four_turns_change_nothing(
    client: FlaskClient,
) -> None:
    first = client.get("/api/calibrate").get_json()["corners"]
    turned = [post(client, "turn", {})[1]["corners"] for _ in range(4)]
    assert turned[0] == [*first[1:], first[0]]
    assert turned[3] == first


def test_a_table_that_was_not_found_must_be_shown_first(tmp_path: Path) -> None:
    desk = CalibrationService(settings(tmp_path), BLANK)
    refused = desk.save()
    assert refused is not None
    assert "drag the four corners" in refused.en
    desk.place(tuple((float(x), float(y)) for x, y in MOVED))
    assert desk.save() is None


def test_the_page_speaks_the_language_that_the_assistant_was_set_to(client: FlaskClient) -> None:
    client.set_cookie("language", "zh-Hant")
    page = client.get("/").get_data(as_text=True)
    assert 'data-language="zh-Hant"' in page
    assert page_words("calibrate")["title"].said("zh-Hant") in html.unescape(page)


# -- a browser -------------------------------------------------------------------------------------


@pytest.fixture
def served(desk: CalibrationService) -> Iterator[Serving]:
    serving = serve(create_calibrate_app(desk), port=0)
    yield serving
    serving.close()


def opened(browser: Browser, serving: Serving, size: tuple[int, int], **how: object) -> Page:
    page = browser.new_page(viewport={"width": size[0], "height": size[1]}, **how)  # type: ignore[arg-type]
    page.goto(serving.url)
    expect(page.locator(".zone")).to_have_count(18)
    return page


def test_a_corner_is_dragged_nudged_and_kept(
    browser: Browser, served: Serving, desk: CalibrationService
) -> None:
    page = opened(browser, served, DESK, locale="en-GB")
    handle = page.locator(".corner").nth(1)
    box = handle.locator(".dot").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    before = desk.view.corners
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 12, y + 2, steps=3)
    page.mouse.up()
    expect(page.locator("#origin")).to_have_class("person")
    scale = 1280 / page.locator("#drawn").evaluate("e => e.getBoundingClientRect().width")
    expect(page.locator(".zone")).to_have_count(18)
    page.wait_for_function("document.querySelector('#save').disabled === false")
    wanted = pytest.approx(12 * scale, abs=2 * scale)
    # The corners on the way are tried, too.
    wait_for(lambda: page.evaluate("true") and desk.view.corners[1][0] - before[1][0] == wanted)
    assert desk.view.corners[0] == pytest.approx(before[0], abs=0.06)
    dragged = desk.view.corners[1]
    page.keyboard.press("ArrowLeft")
    nudged = pytest.approx(dragged[0] - 1, abs=0.06)
    wait_for(lambda: page.evaluate("true") and desk.view.corners[1][0] == nudged)
    page.click("#save")
    expect(page.locator("#refused")).to_have_text("Saved. You can close this page.")
    kept = load_calibration(Path(desk.config.camera.calibration))
    assert kept.calibration.corners_px[1] == pytest.approx(desk.view.corners[1], abs=0.06)


def test_a_finger_drags_a_corner_under_which_the_page_stays_and_a_lens_shows_it(
    browser: Browser, served: Serving, desk: CalibrationService
) -> None:
    page = opened(browser, served, PHONE, locale="en-GB", has_touch=True, is_mobile=True)
    frame, before = page.locator("#drawn").bounding_box(), desk.view.corners[0]
    assert frame is not None
    scale = 1280 / frame["width"]
    x, y = frame["x"] + before[0] / scale, frame["y"] + before[1] / scale
    finger = page.context.new_cdp_session(page)
    for step in range(11):
        kind = "touchMove" if step else "touchStart"
        at = [{"x": x + 3 * step, "y": y - 2 * step}]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})
    expect(page.locator("#lens")).to_be_visible()
    assert page.locator("#drawn").bounding_box() == frame
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    wanted = pytest.approx((before[0] + 30 * scale, before[1] - 20 * scale), abs=scale)
    wait_for(lambda: page.evaluate("true") and desk.view.corners[0] == wanted)
    expect(page.locator("#lens")).to_be_hidden()


def test_what_is_saved_is_where_the_corners_are_now(
    browser: Browser, served: Serving, desk: CalibrationService
) -> None:
    page = opened(browser, served, DESK, locale="en-GB")
    before = desk.view.corners[1][0]
    late: list[Route] = []
    page.route("**/api/calibrate/corners", lambda route: late.append(route))
    page.locator(".corner").nth(1).focus()
    page.keyboard.press("Shift+ArrowLeft")
    page.click("#save")
    wait_for(lambda: page.evaluate("true") and bool(late))
    late[0].continue_()
    expect(page.locator("#refused")).to_have_text("Saved. You can close this page.")
    kept = load_calibration(Path(desk.config.camera.calibration))
    assert kept.calibration.corners_px[1][0] == pytest.approx(before - 10, abs=0.06)


# Of each corner what is found where its middle is, and whether that is itself.
COVERED = """[...document.querySelectorAll('.corner')].map((corner) => {
  const { x, y, width, height } = corner.querySelector('.dot').getBoundingClientRect();
  const found = document.elementFromPoint(x + width / 2, y + height / 2);
  return corner.contains(found) ? '' : found?.outerHTML.slice(0, 60) ?? 'out of view';
}).filter(Boolean)"""


@pytest.mark.parametrize("language", ["en-GB", "zh-CN"])
def test_no_corner_lies_under_a_bar_or_out_of_view(
    browser: Browser, served: Serving, language: str
) -> None:
    page = opened(browser, served, DESK, locale=language)
    for width, height in ((360, 640), (390, 844), (844, 390), (1280, 720), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(COVERED) == [], (width, height)


@pytest.mark.parametrize(("grey", "is_shown"), [(BLANK, False), (BLANK // 12, True)])
def test_why_corners_cannot_be_kept_stands_once_on_the_page(
    browser: Browser, tmp_path: Path, grey: Image, is_shown: bool
) -> None:
    desk = CalibrationService(settings(tmp_path), grey)
    if is_shown:
        desk.place(tuple((float(x), float(y)) for x, y in MOVED))
    serving = serve(create_calibrate_app(desk), port=0)
    page = browser.new_page(locale="en-GB")
    page.goto(serving.url)
    told = "Too dark: more light, or a longer exposure." if is_shown else desk.view.says.en
    expect(page.get_by_text(told, exact=True)).to_have_count(1)
    expect(page.locator("#save")).to_be_disabled()
    expect(page.locator("#zones p.refused")).to_have_count(18 * is_shown)
    serving.close()


def test_the_command_ends_when_the_page_has_saved(
    tmp_path: Path, table: Image, browser: Browser
) -> None:
    save_picture(tmp_path / "table.png", table)
    said: list[str] = []
    shown = threading.Event()

    def say(text: str) -> None:
        said.append(text)
        shown.set()

    wanted = WantedView(replace(settings(tmp_path)), tmp_path / "table.png")
    command = threading.Thread(target=calibrate, args=(wanted, say))
    command.start()
    assert shown.wait(30)
    page = browser.new_page()
    page.goto(said[0].split("corners: ")[1].split("  ")[0])
    page.click("#save")
    command.join(20)
    assert not command.is_alive()
    assert "are kept in" in said[-1]


def test_without_a_place_to_keep_them_there_is_nothing_to_do() -> None:
    with pytest.raises(ConfigError, match=r"camera\.calibration is missing"):
        calibrate(WantedView(Config(camera=CameraConfig(Address("0")))), print)
