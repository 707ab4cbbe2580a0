"""A phone becomes the table's camera while the table is set up, and goes on when it is followed."""

import http.client
import json
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import pytest
from playwright.sync_api import Browser, expect

from table_assist.cli.main import main
from table_assist.cli.reach import Reach
from table_assist.rules.registry import find_rules
from table_assist.twin.lens import Lens
from table_assist.twin.scene import Scene
from table_assist.upkeep.demo import make_renderer
from table_assist.upkeep.table_service import Mode
from tests.stages.drawn_hands import serious
from tests.stages.keeping_table import SETTINGS, Site, run_table, wait_for
from tests.stages.repository_tool import free_port
from tests.stages.visitor import page_token
from web.access.pairing_sessions import PAIRING_COOKIE
from web.api.camera_api import TOLD_HEADER

ELSEWHERE = {"X-Forwarded-For": "192.0.2.9"}  # makes a request one of the network
LENS = Lens(size_wh=(1280, 720), px_per_mm=0.85)


class Phone:
    """Asks as a phone of the network does."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.cookies: dict[str, str] = {}

    def ask(
        self, method: str, path: str, body: bytes = b"", **headers: str
    ) -> tuple[int, bytes, dict[str, str]]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        given = {"Cookie": cookie, **ELSEWHERE, **headers}
        connection.request(method, path, body or None, given)
        answer = connection.getresponse()
        content = answer.read()
        for name, value in answer.getheaders():
            found = re.match(r"(\w+)=([^;]*)", value) if name.lower() == "set-cookie" else None
            if found:
                self.cookies[found[1]] = found[2]
        connection.close()
        return answer.status, content, dict(answer.getheaders())

    @property
    def token(self) -> str:
        return page_token(self.ask("GET", "/camera")[1].decode())

    def post(self, path: str, content: object) -> tuple[int, Any]:
        headers = {"Content-Type": "application/json", "X-Table-Token": self.token}
        status, answer, _ = self.ask("POST", path, json.dumps(content).encode(), **headers)
        return status, json.loads(answer)

    def send(self, jpeg: bytes) -> int:
        """A picture of now; of one that came too late, the next."""
        headers = {"Content-Type": "image/jpeg", "X-Table-Token": self.token}
        while True:
            state = json.loads(self.ask("GET", "/api/camera")[1])
            told = json.dumps({"run": state["run"], "taken_ms": state["now_ms"]})
            given = {**headers, TOLD_HEADER: told}
            status, answer, _ = self.ask("POST", "/api/camera/frame", jpeg, **given)
            if status != 409 or not json.loads(answer).get("late"):
                return status


@pytest.fixture(scope="module")
def jpegs() -> list[bytes]:
    renderer = make_renderer(find_rules("changsha"), seed=3, lens=LENS)
    return [bytes(cv2.imencode(".jpg", renderer.picture(Scene()))[1]) for _ in range(3)]


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    settings = tmp_path / "table.toml"
    settings.write_text(SETTINGS + '[camera]\nsource = "phone"\n', encoding="utf-8")
    with run_table(settings, Mode.SETUP, reach=Reach("0.0.0.0", port=free_port())) as running:
        yield running


def let_in(site: Site, phone: Phone) -> None:
    """By a code of the machine's, and the machine's yes."""
    offered = site.do("api/pair/offer", {"role": "camera"})
    status, asked = phone.post("/api/pair/ask", {"code": offered["code"], "name": "Shelf"})
    assert status == 200
    (waiting,) = site.get("api/pair/waiting")["waiting"]
    assert (waiting["number"], waiting["name"]) == (asked["number"], "Shelf")
    site.do("api/pair/decide", {"request": waiting["request"], "allow": True})
    assert phone.post("/api/pair/enter", {})[0] == 200
    assert any(name.startswith(PAIRING_COOKIE) for name in phone.cookies)


@pytest.mark.slow
def test_a_phone_is_let_in_calibrated_and_enrols_while_the_table_is_set_up(
    site: Site, jpegs: list[bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    phone = Phone(site.modes.serving.port)  # type: ignore[union-attr]
    let_in(site, phone)
    assert phone.send(jpegs[0]) == 200
    trial = site.do("api/setup/camera", {"source": "phone"})["camera"]
    assert trial["source"] == "phone"
    assert phone.send(jpegs[1]) == 200
    wait_for(lambda: site.get("api/setup/trials")["camera"]["size"] == [1280, 720])
    assert site.read("api/setup/picture.jpg")[:2] == b"\xff\xd8"
    assert phone.post("/api/camera/aim", {})[1]["says"]["en"] == "Hold it still."
    assert phone.send(jpegs[2]) == 200
    assert phone.post("/api/camera/aim", {})[1]["origin"] == "doubted", "no tile lies there"
    assert phone.post("/api/camera/keep", {})[1]["placed"] is True
    assert site.get("api/setup")["kept"] is True
    assert phone.post("/api/camera/tiles/take", {}) == (200, {"pictures": 1})
    assert site.get("api/setup/trials")["tiles"]["pictures"] == 1
    site.become(Mode.TABLE, "api/setup/start", {})
    assert phone.send(jpegs[0]) == 200, "it was let in, and stays so"

    def is_live() -> bool:
        phone.send(jpegs[int(time.monotonic() * 10) % 3])
        health = {each["name"]: each["status"] for each in site.get("api/table")["health"]}
        return bool(health.get("camera") == "live")

    wait_for(is_live)
    settings = site.modes.table_service.settings
    main(["doctor", "--config", str(settings), "--seconds", "0"])
    assert "Shelf is let in, calibrated on" in capsys.readouterr().out


def test_the_assistant_shows_a_code_for_the_phone_asks_and_shows_its_picture(
    site: Site, jpegs: list[bytes], browser: Browser
) -> None:
    phone = Phone(site.modes.serving.port)  # type: ignore[union-attr]
    page = browser.new_page(viewport={"width": 1280, "height": 900}, locale="en-GB")
    page.set_default_timeout(30_000)
    try:
        page.goto(f"{site.url}setup")
        page.locator("[data-step=camera]").first.click()
        page.get_by_role("button", name="A phone").click()
        expect(page.locator("#phone .code svg")).to_be_visible()
        code = page.locator("#phone .code svg").get_attribute("aria-label").split("/")[-1]
        number = phone.post("/api/pair/ask", {"code": code, "name": "Lamp"})[1]["number"]
        expect(page.locator("#phone .waiting")).to_contain_text("Lamp wants to be the camera")
        expect(page.locator("#phone .waiting .number")).to_have_text(number)
        page.get_by_role("button", name="Let in").click()
        expect(page.locator("#phone .waiting li")).to_have_count(0)
        assert phone.post("/api/pair/enter", {})[0] == 200
        for jpeg in jpegs:
            phone.send(jpeg)
        expect(page.locator("#live img")).to_be_visible()
        expect(page.locator("#camera_state")).to_have_text("1280 × 720 pixels")
        assert serious(page) == []
    finally:
        page.close()


@pytest.mark.parametrize(
    "path",
    ["setup", "admin", "api/setup", "api/admin", "api/setup/picture.jpg", "metrics", "api/devices"],
)
def test_nothing_else_of_setting_up_is_for_the_network(site: Site, path: str) -> None:
    phone = Phone(site.modes.serving.port)  # type: ignore[union-attr]
    assert phone.ask("GET", f"/{path}")[0] == 403
    let_in(site, phone)
    assert phone.ask("GET", f"/{path}")[0] == 403
    assert phone.post("/api/setup/start", {})[0] == 403
    assert phone.post("/api/pair/offer", {"role": "camera"})[0] == 403
    assert phone.ask("GET", "/")[2]["location"] == "/camera"


def test_the_doctor_says_what_a_table_that_phones_watch_lacks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = tmp_path / "table.toml"
    settings.write_text('[camera]\nsource = "phone"\n', encoding="utf-8")
    main(["doctor", "--config", str(settings), "--seconds", "0"])
    assert "none is let in as a camera" in capsys.readouterr().out
    row = {"id": "ab12ab12ab12", "role": "camera", "name": "Lamp", "until": 4e9}
    devices = settings.with_suffix(".devices.json")
    devices.write_text(json.dumps({"devices": [row]}), encoding="utf-8")
    main(["doctor", "--config", str(settings), "--seconds", "0"])
    assert "Lamp does not know where the table is" in capsys.readouterr().out
