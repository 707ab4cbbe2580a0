"""Whatever is refused in a browser is a page in the reader's language, with a way out."""

from pathlib import Path

import pytest
from flask import Flask

from table_assist.club.hub.database import open_base
from table_assist.languages.catalogue import LANGUAGES
from tests.stages.web_fakes import FakeTable, opened
from web import create_app
from web.club.app import close_club_app, create_club_app

PHONE = {"REMOTE_ADDR": "192.168.1.20"}
Way = tuple[str, str, dict[str, str], int]
WAYS: list[Way] = [
    ("GET", "/nothing", {}, 404),
    ("GET", "/me", {}, 404),  # it is /api/me that exists
    ("GET", "/admin/backup/nothing", {}, 404),
    ("GET", "/broken", {}, 500),
    ("POST", "/", {}, 405),
    ("GET", "/", {"Host": "elsewhere.example"}, 421),
]
AT_A_TABLE: list[Way] = [
    ("POST", "/worth", {}, 405),
    ("GET", "/worth", {}, 403),
    ("GET", "/seat/9", {}, 403),
    ("GET", "/overlay?delay=soon", {}, 400),
]
IN_A_HALL: list[Way] = [("GET", "/player/999", {}, 404), ("GET", "/desk", {}, 403)]


@pytest.fixture
def table() -> Flask:
    return create_app(FakeTable(opened().snapshot()))


@pytest.fixture
def hall(tmp_path: Path) -> Flask:
    return create_club_app(open_base(str(tmp_path / "club.sqlite")))


@pytest.mark.parametrize("tag", LANGUAGES)
@pytest.mark.parametrize("where", ["table", "hall"])
def test_a_refusal_is_a_page_with_a_way_out(
    where: str, tag: str, request: pytest.FixtureRequest
) -> None:
    app: Flask = request.getfixturevalue(where)
    app.add_url_rule("/broken", view_func=lambda: str(1 // 0))
    client = app.test_client()
    for method, path, headers, status in WAYS + (AT_A_TABLE if where == "table" else IN_A_HALL):
        accepted = {"Accept": "text/html", "Accept-Language": tag, **headers}
        answer = client.open(path, method=method, headers=accepted, environ_overrides=PHONE)
        assert (answer.status_code, answer.mimetype) == (status, "text/html"), path
        page = answer.text
        assert 'class="main button" href="/"' in page
        assert 'name="viewport"' in page
        assert f'<html lang="{LANGUAGES[tag]}">' in page
        sentence = page.split("<p>")[1]
        assert any("\u3040" <= letter <= "\u9fff" for letter in sentence) is (tag != "en"), path
    if where == "hall":
        close_club_app(app)
