"""An admin elsewhere sees no password of the camera, and names no file and no address."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from table_assist.phones.phones import Phones
from table_assist.upkeep.setup.assistant import Assistant
from table_assist.upkeep.table_service import TableService
from tests.stages.web_fakes import FakeTable
from web import create_app, finish
from web.access.pairing_sessions import COOKIE, PairingSessions
from web.access.roles import Role
from web.setup.setup_app import add_keeping

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
    finish(app)
    sessions: PairingSessions = app.extensions["sessions"]
    client = app.test_client()
    client.set_cookie(
        COOKIE, sessions.open(Role.ADMIN, None, "a laptop", since=0.0), domain="192.0.2.1"
    )
    return Admin(client)


class Admin:
    """An admin's laptop in the network."""

    def __init__(self, client: FlaskClient) -> None:
        self._client = client
        page = self._get("/admin")
        self._token = re.search(r'name="table-token" content="([^"]+)"', page)[1]  # type: ignore[index]
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
    text = admin.view["text"] + '[seats]\nnames = ["Ana", "Ben", "Chen", "Dai"]\n'
    status, saved = admin.post("/api/setup/save", base=admin.view["base"], text=text)
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


def test_an_admin_elsewhere_does_not_learn_which_files_there_are(
    admin: Admin, tmp_path: Path
) -> None:
    """The attack: the check of a text said another thing of a path that exists."""
    said = []
    for path in (tmp_path, tmp_path / "nothing"):
        text = f'[camera]\nsource = "{path}"\n'
        said.append(admin.post("/api/setup/check", base=admin.view["base"], text=text))
    assert said[0] == said[1]
    for key, path in (("log", "path"), ("backup", "folder"), ("rules", "profile")):
        text = f'{admin.view["text"]}[{key}]\n{path} = "/tmp/x"\n'
        status, _ = admin.post("/api/setup/save", base=admin.view["base"], text=text)
        assert status == 409


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
