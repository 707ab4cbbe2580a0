"""The API: what comes out, what goes in, and who may put it there."""

import json
import re

import pytest
from flask.testing import FlaskClient

from table_assist.contract.commands import Answer
from table_assist.game.question import QuestionId
from table_assist.languages.words import Words
from tests.stages.both_languages import english
from tests.stages.web_fakes import Evening, FakeTable, asked, opened
from web import create_app
from web.access.guard import BODY_LIMIT, TOKEN_HEADER

ANSWER = {"question": "tile-1", "answer": "6s"}


@pytest.fixture
def table() -> FakeTable:
    return FakeTable(asked(opened()).snapshot())


def token(client: FlaskClient) -> str:
    page = client.get("/").get_data(as_text=True)
    return re.search(r'name="table-token" content="([^"]+)"', page)[1]


def post(client: FlaskClient, path: str, body: object, **headers: str):
    sent = {
        TOKEN_HEADER: token(client),
        **{name.replace("_", "-"): v for name, v in headers.items()},
    }
    return client.post(path, json=body, headers=sent)


def test_an_answer_reaches_the_session(client: FlaskClient, table: FakeTable) -> None:
    reply = post(client, "/api/answer", ANSWER)
    assert (reply.status_code, reply.json) == (200, {"ok": True})
    assert table.commands == [Answer(QuestionId.parse("tile-1"), "6s")]


def test_a_refused_command_says_why(client: FlaskClient, table: FakeTable) -> None:
    table.refusal = Words("The question was answered.", "问题已有人回答。")
    reply = post(client, "/api/answer", ANSWER)
    assert (reply.status_code, reply.json) == (
        409,
        {"error": {"en": "The question was answered.", "zh": "问题已有人回答。"}},
    )


def test_broken_json_gets_one_sentence(client: FlaskClient, table: FakeTable) -> None:
    headers = {TOKEN_HEADER: token(client)}
    reply = client.post(
        "/api/answer", data=b'{"question": ', content_type="application/json", headers=headers
    )
    assert (reply.status_code, table.commands) == (400, [])


def test_a_command_without_the_token_is_refused(client: FlaskClient, table: FakeTable) -> None:
    for headers in (
        {},
        {TOKEN_HEADER: "wrong"},
        {TOKEN_HEADER: "Ünwahr".encode().decode("latin1")},
    ):
        assert client.post("/api/answer", json=ANSWER, headers=headers).status_code == 403
    assert table.commands == []


def test_a_command_from_another_origin_is_refused(client: FlaskClient, table: FakeTable) -> None:
    for origin in ("http://evil.example", "null", "http://localhost:9999", "http://localhost.evil"):
        assert post(client, "/api/answer", ANSWER, Origin=origin).status_code == 403
    assert post(client, "/api/answer", ANSWER, Sec_Fetch_Site="cross-site").status_code == 403
    assert table.commands == []
    assert post(client, "/api/answer", ANSWER, Origin="http://localhost").status_code == 200


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_a_command_must_be_json(client: FlaskClient, table: FakeTable, kind: str) -> None:
    headers = {TOKEN_HEADER: token(client)}
    body = json.dumps(ANSWER)
    reply = client.post("/api/answer", data=body, content_type=kind, headers=headers)
    assert (reply.status_code, table.commands) == (415, [])


def test_a_command_has_a_size_limit(client: FlaskClient, table: FakeTable) -> None:
    reply = post(client, "/api/answer", {**ANSWER, "more": "x" * BODY_LIMIT})
    assert (reply.status_code, table.commands) == (413, [])
    assert english(Words(**reply.json["error"]))


def test_commands_are_not_read_from_addresses(client: FlaskClient, table: FakeTable) -> None:
    assert client.get("/api/answer?question=tile-1&answer=6s").status_code == 405
    assert english(Words(**client.get("/api/nothing").json["error"]))
    assert client.get("/nothing").mimetype == "text/plain"
    assert table.commands == []


@pytest.mark.parametrize(
    ("bound", "host", "known"),
    [
        ("127.0.0.1", "127.0.0.1:8000", True),
        ("127.0.0.1", "localhost:8000", True),
        ("127.0.0.1", "LOCALHOST", True),
        ("127.0.0.1", "[::1]:8000", True),
        ("127.0.0.1", "192.168.1.5:8000", False),
        ("127.0.0.1", "rebound.example:8000", False),
        ("127.0.0.1", "127.0.0.1.evil.example", False),
        ("127.0.0.1", "[::1", False),
        ("127.0.0.1", "", False),
        ("192.168.1.5", "192.168.1.5:8000", True),
        ("192.168.1.5", "10.0.0.1:8000", False),
        ("0.0.0.0", "192.168.1.5:8000", True),
        ("0.0.0.0", "localhost", True),
        ("0.0.0.0", "rebound.example", False),
        ("0.0.0.0", "", False),
    ],
)
def test_only_known_hosts_are_answered(bound: str, host: str, known: bool) -> None:
    client = create_app(FakeTable(), bound).test_client()
    for path in ("/", "/api/table", "/static/table.js", "/api/stream"):
        reply = client.get(path, headers={"Host": host})
        assert reply.status_code == (200 if known else 421), path
        reply.close()


def test_every_reply_carries_the_guarding_headers(client: FlaskClient) -> None:
    for path in ("/", "/api/table", "/static/table.css", "/nothing"):
        reply = client.get(path)
        headers = reply.headers
        reply.close()
        assert headers["Content-Security-Policy"].startswith("default-src 'none';")
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert "Access-Control-Allow-Origin" not in headers


def test_the_page_has_no_inline_script_or_style(client: FlaskClient) -> None:
    page = client.get("/").get_data(as_text=True)
    assert re.findall(r"<script[^>]*>([^<]*)</script>", page) == [""]
    assert not re.search(r"<style|style=|\son\w+=|javascript:", page)
    assert not re.search(r'(?:src|href)="(?:https?:)?//', page)


def test_the_picture_is_the_cameras_latest(client: FlaskClient, table: FakeTable) -> None:
    missing = client.get("/api/picture.jpg")
    assert (missing.status_code, missing.json["error"]["en"][:8]) == (404, "There is")
    table.jpeg = b"\xff\xd8 picture"
    reply = client.get("/api/picture.jpg")
    assert (reply.data, reply.mimetype) == (table.jpeg, "image/jpeg")
    assert reply.headers["Cache-Control"] == "no-store"


def test_names_stay_data(client: FlaskClient, table: FakeTable) -> None:
    name = "</script><b onclick=x>"
    table.publish(opened(Evening(names=(name, "b", "c", "d"))).snapshot())
    assert name not in client.get("/").get_data(as_text=True)
    reply = client.get("/api/table")
    assert reply.mimetype == "application/json"
    assert reply.json["seats"][0]["name"] == name
