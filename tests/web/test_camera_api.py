"""A phone that watches the table: who may send pictures, and what becomes of odd ones."""

import json
from pathlib import Path

import cv2
import pytest
from flask import Flask
from werkzeug.test import TestResponse

from table_assist.live.camera_service import CameraService, calibration_file
from table_assist.live.phones import Phones
from table_assist.rules.registry import find_rules
from table_assist.settings.config import CameraConfig, Config
from table_assist.upkeep.demo import make_renderer
from table_assist.vision.pictures.picture import Image
from table_assist.vision.table.calibration import load_calibration
from tests.stages.dealt import LAID
from tests.stages.visitor import PHONE, Visitor
from tests.stages.web_fakes import FakeTable
from web import create_app
from web.access.guard import FRAMES_AT_ONCE, FRAMES_PER_MINUTE, TOKEN_HEADER
from web.access.limits import Limiter
from web.access.roles import Role
from web.api.camera_api import MOST_FRAME_BYTES, TOLD_HEADER

TwoPictures = tuple[Image, Image]


@pytest.fixture(scope="module")
def pictures() -> TwoPictures:
    """A table with some tiles, twice."""
    renderer = make_renderer(find_rules("changsha"), seed=3)
    return renderer.picture(LAID), renderer.picture(LAID)


@pytest.fixture
def config(tmp_path: Path) -> Config:
    return Config(camera=CameraConfig(calibration=str(tmp_path / "table.calibration.json")))


@pytest.fixture
def desk(config: Config) -> CameraService:
    return CameraService(Phones(lambda: 1000.0), lambda: config)  # no picture grows old by itself


@pytest.fixture
def app(desk: CameraService) -> Flask:
    return create_app(FakeTable(), cameras=desk)


@pytest.fixture
def phone(app: Flask) -> Visitor:
    return Visitor(app, role=Role.CAMERA)


def as_jpeg(image: Image) -> bytes:
    return bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 90])[1])


def told(desk: CameraService, **more: object) -> str:
    return json.dumps({"run": desk.phones.run, "taken_ms": desk.phones.clock_ms, **more})


def send(client: Visitor, data: bytes, header: str, **headers: str) -> TestResponse:
    told_so = {TOLD_HEADER: header, **headers}
    return client.send("/api/camera/frame", data, "image/jpeg", **told_so)


def ask(client: Visitor, path: str, body: object) -> TestResponse:
    return client.post(f"/api/camera/{path}", body)


@pytest.mark.slow
def test_a_picture_is_taken_and_the_answer_says_how_soon_the_next_is_wanted(
    phone: Visitor, desk: CameraService, pictures: TwoPictures
) -> None:
    answer = send(phone, as_jpeg(pictures[0]), told(desk, battery=55, charging=False, slowed=1.2))
    assert answer.status_code == 200
    assert answer.json["every_ms"] == 1000, "nobody looks at it yet"
    desk.phones.want(busy=True)
    assert send(phone, as_jpeg(pictures[1]), told(desk)).json["every_ms"] == 100
    assert desk.phones.watching[0].name == "a phone"
    assert desk.phones.watching[0].came == 2


@pytest.mark.parametrize(
    ("role", "seat"),
    [(Role.SEAT, 1), (Role.SCORER, None), (Role.REFEREE, None), (Role.ADMIN, None)],
)
def test_nobody_but_a_camera_sends_pictures(
    app: Flask, desk: CameraService, pictures: TwoPictures, role: Role, seat: int | None
) -> None:
    other = Visitor(app, role=role, seat=seat)
    assert send(other, as_jpeg(pictures[0]), told(desk)).status_code == 403
    assert other.get("/api/camera").status_code == 403
    assert ask(other, "aim", {}).status_code == 403
    assert desk.phones.watching == ()


def test_a_stranger_and_the_machine_itself_send_none(
    app: Flask, desk: CameraService, pictures: TwoPictures
) -> None:
    assert send(Visitor(app), as_jpeg(pictures[0]), told(desk)).status_code == 403
    assert Visitor(app, PHONE).get("/api/camera").status_code == 403
    assert desk.phones.watching == ()


def test_a_camera_sees_what_everybody_sees_and_nothing_else(phone: Visitor) -> None:
    assert phone.get("/api/table").status_code == 200
    for path in ("/api/picture.jpg", "/api/evidence/e1", "/api/evidence/e1/picture.jpg"):
        assert phone.get(path).status_code == 403
    assert phone.post("/api/win", {"seat": 0}).status_code == 403


def test_a_phone_that_is_let_out_sends_no_more(
    app: Flask, phone: Visitor, desk: CameraService, pictures: TwoPictures
) -> None:
    send(phone, as_jpeg(pictures[0]), told(desk))
    device = desk.phones.watching[0].device
    token = phone.token
    app.extensions["sessions"].close(device)
    answer = send(phone, as_jpeg(pictures[0]), told(desk), **{TOKEN_HEADER: token})
    assert answer.status_code == 403
    assert desk.phones.watching == (), "its last picture is not kept as the table's"


def test_a_table_with_another_camera_takes_no_pictures(pictures: TwoPictures) -> None:
    app = create_app(FakeTable())
    answer = send(Visitor(app, role=Role.CAMERA), as_jpeg(pictures[0]), "{}")
    assert answer.status_code == 404
    assert 'source = "phone"' in answer.json["error"]["en"]


def test_an_old_picture_is_refused_with_the_table_s_clock(
    phone: Visitor, desk: CameraService, pictures: TwoPictures
) -> None:
    late = told(desk, taken_ms=desk.phones.clock_ms - 5000)
    answer = send(phone, as_jpeg(pictures[0]), late)
    assert answer.status_code == 409
    assert answer.json["late"] is True
    assert answer.json["run"] == desk.phones.run
    assert "5.0 s old" in answer.json["error"]["en"]
    assert desk.phones.watching[0].newest is None


@pytest.mark.parametrize(
    "header",
    [
        "",
        "[]",
        "{}",
        "not json",
        "[" * 300,
        '{"run":"x"}',
        '{"run":1,"taken_ms":1}',
        '{"run":"x","taken_ms":-1}',
        '{"run":"x","taken_ms":NaN}',
        '{"run":"x","taken_ms":1,"battery":101}',
        '{"run":"x","taken_ms":1,"battery":true}',
        '{"run":"x","taken_ms":1,"pressure":"boiling"}',
        '{"run":"x","taken_ms":1,"charging":3}',
        '{"run":"x","taken_ms":1,"lost":"' + 500 * "x" + '"}',
    ],
)
def test_an_odd_word_of_a_phone_is_refused(
    phone: Visitor, desk: CameraService, pictures: TwoPictures, header: str
) -> None:
    assert send(phone, as_jpeg(pictures[0]), header).status_code == 400
    assert desk.phones.watching == ()


def test_what_is_no_picture_of_a_usual_size_is_refused(phone: Visitor, desk: CameraService) -> None:
    refused = send(phone, b"no picture", told(desk))
    assert refused.status_code == 422
    assert "sent what is no JPEG" in refused.json["error"]["en"]
    assert "不是 JPEG" in refused.json["error"]["zh"]
    assert send(phone, bytes(MOST_FRAME_BYTES + 1), told(desk)).status_code == 413
    other = phone.send("/api/camera/frame", b"x", "image/png")
    assert other.status_code == 415
    foreign = send(phone, b"x", told(desk), Origin="http://evil.example")
    assert foreign.status_code == 403


def test_pictures_faster_than_any_phone_s_are_held_back(
    app: Flask, phone: Visitor, desk: CameraService
) -> None:
    app.config["TABLE_FRAMES"] = Limiter(FRAMES_AT_ONCE, FRAMES_PER_MINUTE, lambda: 0.0)
    codes = [send(phone, b"x", told(desk)).status_code for _ in range(int(FRAMES_AT_ONCE) + 5)]
    assert codes[0] == 422
    assert codes[-1] == 429


def test_a_phone_shows_where_the_table_is_and_gets_only_places_back(
    phone: Visitor, desk: CameraService, config: Config, pictures: TwoPictures
) -> None:
    assert ask(phone, "aim", {}).status_code == 409, "no picture has come"
    send(phone, as_jpeg(pictures[0]), told(desk))
    assert ask(phone, "aim", {}).json["says"]["en"] == "Hold it still."
    assert ask(phone, "keep", {}).status_code == 409, "nothing was aimed at"
    send(phone, as_jpeg(pictures[1]), told(desk))
    aimed = ask(phone, "aim", {}).json
    assert (aimed["good"], aimed["origin"]) == (True, "found")
    turned = ask(phone, "turn", {}).json
    assert turned["corners"][0] == aimed["corners"][1]
    moved = [[x + 3, y] for x, y in aimed["corners"]]
    assert ask(phone, "corners", {"corners": moved}).json["origin"] == "person"
    answer = ask(phone, "keep", {})
    assert answer.json["placed"] is True
    device = desk.phones.watching[0].device
    kept = load_calibration(calibration_file(config, device))
    assert [list(each) for each in kept.calibration.corners_px] == moved
    assert desk.phones.watching[0].placed == 1, "who follows the table is told"


def test_corners_that_show_no_table_are_not_kept(
    phone: Visitor, desk: CameraService, config: Config, pictures: TwoPictures
) -> None:
    for image in pictures:
        send(phone, as_jpeg(image), told(desk))
        ask(phone, "aim", {})
    small = [[100, 200], [200, 200], [200, 100], [100, 100]]
    aimed = ask(phone, "corners", {"corners": small}).json
    assert not aimed["good"]
    assert "move the camera closer" in aimed["says"]["en"]
    assert ask(phone, "keep", {}).status_code == 409
    for odd in ([], [[1, 2]] * 3, [[1, 2, 3]] * 4, [["1", 2]] * 4, [[1e9, 1]] * 4, "x"):
        assert ask(phone, "corners", {"corners": odd}).status_code == 400
    assert not calibration_file(config, desk.phones.watching[0].device).exists()


def test_tiles_are_made_known_only_while_the_table_is_set_up(phone: Visitor) -> None:
    answer = ask(phone, "tiles/take", {})
    assert answer.status_code == 409
    assert "/setup" in answer.json["error"]["en"]


def test_the_page_asks_for_the_camera_and_sends_a_camera_home_to_it(
    phone: Visitor, app: Flask
) -> None:
    page = phone.get("/camera")
    assert "camera=(self)" in page.headers["Permissions-Policy"]
    assert phone.get("/").headers["Location"] == "/camera"
    stranger = app.test_client().get("/camera", environ_base={"REMOTE_ADDR": "192.168.1.20"})
    assert "not let in as a camera" in stranger.text
    assert "<video" not in stranger.text
