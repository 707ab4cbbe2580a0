"""The page that checks a dispute: `table-assist verify`'s own words; no file harms the table."""

import io
import json
import time
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Browser, Page, expect

from table_assist.cli.main import main
from table_assist.live.live_table import LiveTable
from table_assist.live.phones import Phones
from table_assist.record.dispute.apart import verify_apart
from table_assist.record.dispute.file import DISPUTE_LOG, DisputeError, read_dispute
from table_assist.record.dispute.verify import verify
from table_assist.record.seal import SHOWN_LETTERS
from table_assist.record.store import Store
from table_assist.settings.config import Config, LogConfig, RulesConfig, SeatsConfig
from table_assist.trust.installation import open_key
from table_assist.upkeep.setup.assistant import Assistant
from table_assist.upkeep.table_service import TableService
from tests.evidence.dispute.test_dispute import evening, won
from tests.stages.drawn_hands import serious
from tests.stages.simavr import PATIENCE_MS, device
from tests.stages.visitor import page_token
from tests.stages.web_fakes import FakeTable
from web import bridge, create_app
from web.access.guard import TOKEN_HEADER
from web.access.pairing_sessions import PAIRING_COOKIE, PairingSessions
from web.access.roles import Role
from web.language import page_words
from web.pages import dispute_page
from web.serve import Serving, serve
from web.setup.setup_app import add_keeping

NAMES = ("Ana", "Ben", "陈德", "Dai")
EVENING = evening("wanzhou")
HAND = won(EVENING)


@dataclass
class Desk:
    table: LiveTable
    serving: Serving

    def get(self, path: str) -> bytes:
        with urllib.request.urlopen(self.serving.url + path, timeout=30) as answer:
            content: bytes = answer.read()
        return content

    def send(self, path: str, content: bytes, kind: str = "application/zip") -> tuple[int, bytes]:
        token = page_token(self.get("verify").decode())
        headers = {"Content-Type": kind, TOKEN_HEADER: token}
        request = urllib.request.Request(self.serving.url + path, content, headers)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read()

    @property
    def seal(self) -> str:
        hands = self.table.hand_seals()[1]
        return next(each.seal for each in hands if each.hand == HAND)[:SHOWN_LETTERS]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    log = tmp_path_factory.mktemp("table") / "log.sqlite"
    with Store(log) as store:
        store.append(EVENING)
    config = Config(
        rules=RulesConfig(id="wanzhou"), seats=SeatsConfig(NAMES), log=LogConfig(str(log))
    )
    table = LiveTable(config, camera=None, reader=None, vouches=open_key().public)
    table.start()
    serving = serve(create_app(table), port=0)
    yield Desk(table, serving)
    serving.close()
    table.stop()


@pytest.fixture
def file(desk: Desk, tmp_path: Path) -> Path:
    path = tmp_path / "dispute.zip"
    path.write_bytes(desk.get(f"api/disputes/{HAND}/file"))
    return path


def changed(file: Path) -> bytes:
    """Somebody has changed points in the file's log."""
    out = io.BytesIO()
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            new.writestr(name, content.replace(b'"dealer":', b'"dealer": '))
    return out.getvalue()


@pytest.mark.parametrize("noted", ["", "seal", "0123456789abcdef", "12"])
def test_the_page_says_what_the_command_says(
    desk: Desk, file: Path, noted: str, capsys: pytest.CaptureFixture[str]
) -> None:
    noted = desk.seal if noted == "seal" else noted
    status, content = desk.send(f"api/verify?seal={noted}", file.read_bytes())
    answer = json.loads(content)
    code = main(["verify", str(file), "--seal", noted])
    printed = [row.split(maxsplit=1) for row in capsys.readouterr().out.splitlines()]
    assert status == 200
    assert answer["ok"] == (code == 0) == (noted in ("", desk.seal))
    assert [[row["mark"], row["text"]["en"]] for row in answer["findings"]] == printed
    main(["verify", str(file), "--seal", noted, "--lang", "zh"])
    chinese = [row.split(maxsplit=1)[1] for row in capsys.readouterr().out.splitlines()]
    assert [row["text"]["zh"] for row in answer["findings"]] == chinese


def test_the_table_s_own_record_is_checked(desk: Desk) -> None:
    body = json.dumps({"hand": HAND, "seal": desk.seal}).encode()
    status, content = desk.send("api/verify/hand", body, "application/json")
    said = [row["text"]["en"] for row in json.loads(content)["findings"]]
    assert status == 200
    assert any(f"Hand {HAND} has the seal {desk.seal}" in each for each in said)
    missing = desk.send("api/verify/hand", b'{"hand": 99, "seal": ""}', "application/json")
    assert missing[0] == 404


@pytest.mark.slow
@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is no dispute file"),
        (b"no archive at all", "is no dispute file"),
        ("bomb", "is too large"),
        ("deep", "is damaged"),
    ],
)
def test_what_is_no_dispute_is_refused_in_one_sentence(
    desk: Desk, content: bytes | str, said: str
) -> None:
    if isinstance(content, str):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(DISPUTE_LOG, b"\n" * 400_000)
            deep = b"[" * 100_000
            archive.writestr("dispute.json", b" " * 700_000_000 if content == "bomb" else deep)
        content = out.getvalue()
    status, answer = desk.send("api/verify", content)
    error = json.loads(answer)["error"]
    assert (status, said in error["en"]) == (422, True), error
    assert error["zh"] != error["en"]
    assert str(Path.home()) not in error["en"]
    assert "tmp" not in error["en"]


def test_strangers_check_nothing_here(desk: Desk, file: Path) -> None:
    request = urllib.request.Request(desk.serving.url + "verify", headers={"Via": "1.1 x"})
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request, timeout=30)
    refused.value.close()
    assert refused.value.code == 403
    assert desk.send("api/verify", file.read_bytes(), "text/plain")[0] == 415


def test_a_file_that_takes_too_long_is_left(file: Path) -> None:
    before = time.monotonic()
    with pytest.raises(DisputeError, match="that was not enough"):
        verify_apart(file, longest_s=0.05)
    assert time.monotonic() - before < 20


def test_a_file_that_takes_too_much_memory_harms_nobody(file: Path, tmp_path: Path) -> None:
    large = tmp_path / "large.zip"
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(large, "w", zipfile.ZIP_DEFLATED) as new:
        new.writestr("dispute.json", old.read("dispute.json"))
        new.writestr(DISPUTE_LOG, (b" " * 600 + b"\n") * 100_000)
    with pytest.raises(DisputeError, match="takes too much") as said:
        verify_apart(large, memory_bytes=150_000_000)
    assert said.value.words.zh.startswith("此文件过大")


def test_a_check_apart_finds_what_a_check_here_finds(file: Path) -> None:
    assert verify_apart(file) == list(verify(read_dispute(file)))


def test_few_files_are_checked_at_once(desk: Desk, file: Path) -> None:
    places = desk.serving._app.extensions["checking"]
    for _ in range(dispute_page.READERS_AT_ONCE):
        assert places.acquire(blocking=False)
    try:
        assert desk.send("api/verify", file.read_bytes())[0] == 503
    finally:
        places.release(dispute_page.READERS_AT_ONCE)
    assert desk.send("api/verify", file.read_bytes())[0] == 200


@pytest.mark.slow
def test_a_large_file_waits_on_disk_and_commands_have_their_place(
    desk: Desk, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Long bodies take no memory; however many there are, a command still comes through."""
    kept: list[bool] = []
    made = bridge.SpooledTemporaryFile

    def watched(size: int) -> object:
        body = made(size)
        rolled = body.rollover
        body.rollover = lambda: (kept.append(True), rolled())  # type: ignore[method-assign]
        return body

    monkeypatch.setattr(bridge, "SpooledTemporaryFile", watched)
    padded = file.read_bytes() + b"\0" * 3_000_000
    status, content = desk.send("api/verify", padded)
    assert (status, kept) == (422, [True]), content
    monkeypatch.setattr(bridge, "MOST_BODIES", 0)
    assert desk.send("api/verify", file.read_bytes())[0] == 413
    body = json.dumps({"hand": HAND, "seal": ""}).encode()
    assert desk.send("api/verify/hand", body, "application/json")[0] == 200


@contextmanager
def opened(browser: Browser, desk: Desk, locale: str, width: int = 1100) -> Iterator[Page]:
    with device(browser, (width, 900), locale) as context:
        page = context.new_page()
        page.goto(desk.serving.url + "verify")
        yield page


def test_a_file_is_checked_in_a_browser(
    browser: Browser, desk: Desk, file: Path, tmp_path: Path
) -> None:
    with opened(browser, desk, "en-GB") as page:
        page.set_input_files("#file", file)
        expect(page.locator("#chosen")).to_have_text("dispute.zip")
        page.fill("#upload [name=seal]", desk.seal)
        page.click("#upload .main")
        expect(page.locator("#told")).to_have_text(page_words("verify")["verify_good"].en)
        proven = page.locator("#found [data-mark=ok]")
        expect(proven).to_contain_text(f"Hand {HAND} has the seal {desk.seal}")
        expect(page.locator("#found [data-mark='--']")).to_contain_text("wrote down the truth")
        expect(page.locator("#found [data-mark=NO]")).to_be_hidden()
        assert serious(page) == []
        page.select_option("#language", "zh")
        expect(page.locator("#told")).to_have_text(page_words("verify")["verify_good"].zh)
        expect(page.locator("#found [data-mark='--']")).to_contain_text("当初记下的就是事实")
        forged = tmp_path / "forged.zip"
        forged.write_bytes(changed(file))
        page.set_input_files("#file", forged)
        page.click("#upload .main")
        expect(page.locator("#found [data-mark=NO]")).to_contain_text("log.jsonl 与打包时不同")
        expect(page.locator("#told")).to_have_text(page_words("verify")["verify_bad"].zh)


def test_a_phone_compares_the_record_with_the_seal_that_it_has_kept(
    browser: Browser, desk: Desk
) -> None:
    with opened(browser, desk, "zh-CN", 390) as page:
        page.goto(desk.serving.url + "scorer")
        expect(page.locator("#seals")).to_contain_text("本机保存着", timeout=PATIENCE_MS)
        page.goto(desk.serving.url + "verify")
        option = page.locator(f"#kept option[value='{desk.seal}']")
        expect(option).to_have_attribute("label", f"第 {HAND} 局，本机保存")
        page.locator("#own [name=hand]").select_option(str(HAND))
        page.fill("#own [name=seal]", desk.seal)
        page.locator("#own [name=seal]").press("Enter")
        expect(page.locator("#found [data-mark=ok]")).to_contain_text(f"第 {HAND} 局的封印是")
        assert serious(page) == []


SOURCE = "rtsp://user:secret1@10.0.0.9/live?pwd=secret2"
ELSEWHERE = {"REMOTE_ADDR": "192.0.2.7"}
MOVES = {
    "camera": {"source": "http://127.0.0.1:8500/v1/agent"},
    "board": {"port": "/etc/passwd"},
}


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    path = tmp_path / "table.toml"
    path.write_text(f'# {SOURCE}\n[camera]\nsource = "{SOURCE}"\n', encoding="utf-8")
    return path


@pytest.fixture
def admin(settings: Path) -> "Admin":
    table_service = TableService(settings)
    app = create_app(FakeTable(), "0.0.0.0")
    add_keeping(app, Assistant(table_service, Phones()), table_service)
    sessions: PairingSessions = app.extensions["sessions"]
    client = app.test_client()
    client.set_cookie(
        PAIRING_COOKIE, sessions.open(Role.ADMIN, None, "a laptop", since=0.0), domain="192.0.2.1"
    )
    return Admin(client)


class Admin:
    """An admin's laptop in the network."""

    def __init__(self, client: FlaskClient) -> None:
        self._client = client
        self._token = page_token(self._get("/admin"))
        self.view = json.loads(self._get("/api/setup"))

    def _get(self, path: str) -> str:
        answer = self._client.get(
            path, headers={"Host": "192.0.2.1"}, environ_base=ELSEWHERE, base_url="http://192.0.2.1"
        )
        assert answer.status_code == 200, answer.text
        return answer.text

    def download(self, path: str, sender: str = "192.0.2.7") -> tuple[int, bytes]:
        """The status, and what is said where it is no; else the file's first letters."""
        is_own = sender == "192.0.2.7"
        client = self._client if is_own else self._client.application.test_client()
        name = "192.0.2.1" if is_own else sender
        with client.get(
            path, base_url=f"http://{name}", environ_base={"REMOTE_ADDR": sender}
        ) as answer:
            return answer.status_code, answer.data[:2] if answer.status_code == 200 else answer.data

    def post(self, path: str, **body: Any) -> tuple[int, dict[str, Any]]:
        answer = self._client.post(
            path,
            json=body,
            headers={"X-Table-Token": self._token},
            base_url="http://192.0.2.1",
            environ_base=ELSEWHERE,
        )
        return answer.status_code, json.loads(answer.text)


def test_an_admin_elsewhere_is_shown_no_password_and_keeps_it_when_saving(
    admin: Admin, settings: Path
) -> None:
    shown = json.dumps(admin.view)
    assert "secret" not in shown
    assert "10.0.0.9" in shown
    changes = {"seats": {"names": ["Ana", "Ben", "Chen", "Dai"]}}
    status, saved = admin.post("/api/setup/save", base=admin.view["base"], changes=changes)
    assert status == 200, saved
    assert "secret" not in json.dumps(saved)
    written = settings.read_text(encoding="utf-8")
    assert written.count(SOURCE) == 2
    assert "Chen" in written


@pytest.mark.parametrize("section", MOVES)
def test_an_admin_elsewhere_points_the_program_at_nothing(admin: Admin, section: str) -> None:
    key = next(iter(MOVES[section]))
    base = admin.view["base"]
    status, said = admin.post("/api/setup/preview", base=base, changes={section: MOVES[section]})
    assert (status, said["error"]["en"].split(" is set")[0]) == (409, f"{section}.{key}")
    assert admin.post("/api/setup/camera", source="/etc/passwd")[0] == 409
    assert admin.post("/api/setup/board", kind="serial", at="/etc/passwd")[0] == 409


def test_an_admin_elsewhere_gets_no_password_in_a_backup(admin: Admin, settings: Path) -> None:
    """The attack: the settings are shown without secrets, and the backup has them as they are."""
    status, made = admin.post("/api/admin/backup", evidence=False)
    assert status == 200, made
    path = f"/admin/backup/{made['name']}"
    status, content = admin.download(path)
    assert status == 409
    assert b"secret" not in content
    assert "password of a camera" in json.loads(content)["error"]["en"]
    assert admin.download(path, "127.0.0.1") == (200, b"PK")
    (settings.parent / "backups" / made["name"]).unlink()
    settings.write_text('[camera]\nsource = "rtsp://10.0.0.9/live"\n', encoding="utf-8")
    _, plain = admin.post("/api/admin/backup", evidence=True)
    assert admin.download(f"/admin/backup/{plain['name']}") == (200, b"PK")
