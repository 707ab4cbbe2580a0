"""The API: what comes out, what goes in, and who may put it there."""

import json
import re
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import Browser, Page, Route, expect

from bench.live.evening import Clock
from table_assist.game.question import QuestionId
from table_assist.languages.words import Words
from table_assist.live.live_table import LiveTable
from table_assist.record.commands import Answer
from table_assist.record.snapshot import Snapshot
from table_assist.settings.config import Config, LogConfig
from tests.stages.drawn_hands import serious
from tests.stages.keeping_table import wait_for
from tests.stages.on_paper import english
from tests.stages.repository_tool import free_port
from tests.stages.visitor import page_token
from tests.stages.web_fakes import Evening, FakeTable, asked, empty_snapshot, opened, played
from tests.web.test_stream import Viewer
from web import create_app
from web.access.guard import COMMAND_LIMIT, TOKEN_HEADER
from web.api.stream import LONGEST_STREAM_DELAY_S, NOTHING_YET, TablePast, Viewers
from web.serve import serve

ANSWER = {"question": "tile-1", "answer": "6s"}


@pytest.fixture
def table() -> FakeTable:
    return FakeTable(asked(opened()).snapshot())


def post(client: FlaskClient, path: str, body: object, **headers: str):
    sent = {
        TOKEN_HEADER: page_token(client.get("/").text),
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
    headers = {TOKEN_HEADER: page_token(client.get("/").text)}
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
    headers = {TOKEN_HEADER: page_token(client.get("/").text)}
    body = json.dumps(ANSWER)
    reply = client.post("/api/answer", data=body, content_type=kind, headers=headers)
    assert (reply.status_code, table.commands) == (415, [])


def test_a_command_has_a_size_limit(client: FlaskClient, table: FakeTable) -> None:
    reply = post(client, "/api/answer", {**ANSWER, "more": "x" * COMMAND_LIMIT})
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


def numbered(seq: int) -> Snapshot:
    return replace(empty_snapshot(), seq=seq)


class Quiet(FakeTable):
    """Publishes nothing by itself: what is kept, a test keeps."""

    def wait(self, after: int, timeout_s: float) -> Snapshot | None:
        threading.Event().wait(3600)
        return None


@given(
    steps=st.lists(st.floats(0.0, 40.0), max_size=40),
    delays=st.lists(st.integers(1, LONGEST_STREAM_DELAY_S), min_size=1, max_size=3),
)
def test_the_newest_that_is_old_enough_is_shown_and_nothing_younger(
    steps: list[float], delays: list[int]
) -> None:
    clock = Clock(1000.0)
    past = TablePast(Quiet(numbered(0)), clock)
    late = [past.behind(delay) for delay in delays]
    published: list[tuple[float, int]] = []
    for version, step in enumerate(steps):
        clock.t += step
        past.keep(version, numbered(version))
        published.append((clock.t, version))
        for each in late:
            old = [v for at, v in published if at <= clock.t - each.delay_s]
            assert each.version == (old[-1] if old else NOTHING_YET)
            assert (each.snapshot.seq if each.snapshot else NOTHING_YET) == each.version


def test_only_what_may_still_be_shown_is_kept() -> None:
    clock = Clock(1000.0)
    past = TablePast(Quiet(numbered(0)), clock)
    past.behind(10)
    for version in range(1000):
        clock.t += 1
        past.keep(version, numbered(version))
    assert len(past._past.kept) <= 12


def test_a_stream_comes_late_by_a_real_clock() -> None:
    table = FakeTable(opened().snapshot())
    app = create_app(table)
    viewers: Viewers = app.extensions["viewers"]
    viewers.beat_s = 0.2
    begun = time.monotonic()
    earliest = time.time() - 1
    viewer = Viewer(app.test_client(), "/api/stream?delay=1")
    hello = viewer.next("hello")
    assert earliest - 0.01 <= hello.data["now"] <= time.time() - 1 + 0.01
    first = viewer.next("view")
    assert time.monotonic() - begun >= 1
    assert first.data["questions"] == []
    told_s = time.monotonic()
    table.publish(asked(played(opened())).snapshot())
    second = viewer.next("view")
    assert second.data["questions"]
    assert 1 <= time.monotonic() - told_s < 10
    viewer.close()
    assert viewers.count == 0
    viewers.end_all()


def test_a_stream_beats_while_nothing_is_old_enough() -> None:
    app = create_app(FakeTable(opened().snapshot()))
    viewers: Viewers = app.extensions["viewers"]
    viewers.beat_s = 0.0
    viewer = Viewer(app.test_client(), f"/api/stream?delay={LONGEST_STREAM_DELAY_S}")
    assert [viewer.next().event for _ in range(3)] == ["hello", "beat", "beat"]
    viewer.close()
    viewers.end_all()


def test_a_table_is_asked_for_late() -> None:
    table = FakeTable(opened().snapshot())
    app = create_app(table)
    clock = Clock(1000.0)
    app.extensions["viewers"].now = clock
    client = app.test_client()

    def late(after_s: float) -> Any:
        clock.t += after_s
        return client.get("/api/table?delay=1")

    refused = late(0)
    assert refused.status_code == 404
    assert "1 s old" in json.loads(refused.data)["error"]["en"]
    wait_for(lambda: late(0.5).status_code == 200)
    assert late(0).json["questions"] == []
    table.publish(asked(played(opened())).snapshot())
    assert client.get("/api/table").json["questions"]
    assert late(0.9).json["questions"] == []
    wait_for(lambda: late(0.2).json["questions"])
    app.extensions["viewers"].end_all()


@pytest.mark.parametrize("said", ["-1", "301", "1.5", "abc", "", "٣", "0x10", "1e2", "9999999999"])
@pytest.mark.parametrize("path", ["/api/stream", "/api/table", "/overlay", "/obs"])
def test_a_delay_that_is_none_is_refused(said: str, path: str) -> None:
    app = create_app(FakeTable())
    answer = app.test_client().get(path, query_string={"delay": said})
    assert answer.status_code == 400
    assert b"0 to 300" in answer.data


def test_viewers_of_one_delay_share_their_views_and_leave_nothing() -> None:
    app = create_app(FakeTable(opened().snapshot()))
    viewers: Viewers = app.extensions["viewers"]
    one, other = (Viewer(app.test_client(), "/api/stream?delay=1") for _ in range(2))
    assert viewers.behind(1) is viewers.behind(1)
    assert viewers.count == 2
    one.close()
    other.close()
    del one, other
    assert viewers.count == 0
    viewers.end_all()


PHONE = {"width": 390, "height": 844}
HEAR = "window.said = []; speechSynthesis.speak = ({ text }) => said.push(text);"


@pytest.fixture
def clock() -> Clock:
    return Clock(1_700_000_000.0)


@pytest.fixture
def seat(browser: Browser, tmp_path: Path, clock: Clock) -> Iterator[Page]:
    """A phone at a table that nobody follows."""
    config = Config(log=LogConfig(str(tmp_path / "log.sqlite")))
    table = LiveTable(config, camera=None, reader=None, now=clock)
    table.start()
    app = create_app(table)
    app.extensions["clock"].now = clock
    serving = serve(app, port=free_port())
    context = browser.new_context(viewport=PHONE, locale="en-GB")
    context.add_init_script(HEAR)
    page = context.new_page()
    page.clock.install(time=clock.t)
    page.goto(f"{serving.url}seat/1")
    expect(page.locator("body.connecting")).to_have_count(0)  # what is pressed no longer moves
    yield page
    serving.close()
    table.stop()


def test_a_phone_sets_it_and_it_is_told_by_colour_words_and_voice(seat: Page, clock: Clock) -> None:
    seat.locator("#signals summary").click()
    seat.locator("#signals input[name=caller]").check()
    seat.wait_for_function("() => said.length === 1")  # as it will sound
    seat.locator("#clock summary").click()
    expect(seat.locator("#clock [type=submit]")).to_be_enabled()
    assert serious(seat) == []
    seat.clock.pause_at(clock.t + 3600)  # from here on only this test moves the page's time
    seat.locator("#clock [name=evening]").fill("6")
    seat.locator("#clock [type=submit]").click()
    line = seat.locator("#clock li")
    expect(line).to_have_count(1)
    expect(line).to_contain_text("Evening")
    seat.clock.run_for(61_000)
    expect(line.locator("b")).to_have_text("4:59")
    assert seat.evaluate("said.at(-1)") == "Evening: 5 minutes left"
    seat.clock.run_for(250_000)
    expect(line).to_have_class("short")
    seat.clock.run_for(60_000)
    expect(line).to_have_class("over")
    expect(line).to_contain_text("time is over")
    assert seat.evaluate("said.at(-1)") == "Evening: time is over"
    assert seat.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_it_stands_and_goes_on_and_is_there_after_a_reload(seat: Page, clock: Clock) -> None:
    seat.locator("#clock summary").click()
    seat.locator("#clock [name=round]").fill("50")
    seat.locator("#clock [type=submit]").click()
    expect(seat.locator("#clock li")).to_contain_text("Round")
    clock.t += 600
    seat.locator("#clock summary").click()
    seat.locator("#clock .pause").click()
    expect(seat.locator("#clock .stands")).to_have_text("The clock stands")
    expect(seat.locator("#clock b")).to_have_text("40:00")
    clock.t += 3600
    seat.reload()
    expect(seat.locator("#clock b")).to_have_text("40:00")
    expect(seat.locator("#clock [name=round]")).to_have_value("50")


def test_what_is_typed_before_its_script_is_there_is_kept(seat: Page, clock: Clock) -> None:
    held: list[Route] = []
    seat.route("**/clock.js*", lambda route: held.append(route))
    with seat.expect_request("**/clock.js*"):
        seat.locator("#clock summary").click()
    seat.locator("#clock [name=round]").fill("50")
    with seat.expect_response("**/api/clock"):  # it says that none is set
        held[0].continue_()
    seat.evaluate("fetch('/api/clock').then((reply) => reply.json())")  # the first one is read
    seat.locator("#clock [type=submit]").click()
    expect(seat.locator("#clock li")).to_contain_text("Round")


def test_who_thinks_is_told_how_long(browser: Browser, clock: Clock) -> None:
    from table_assist.game.events import ClockSet

    evening = opened(Evening())
    evening.do(ClockSet(think_s=20))
    table = FakeTable(evening.snapshot())
    app = create_app(table)
    known = app.extensions["clock"]
    known.now = lambda: table.snapshot.entries[-2].t + 5  # its latest move is before the clock
    serving = serve(app, port=free_port())
    page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    page.goto(f"{serving.url}tv?lang=zh")
    expect(page.locator("#clock li")).to_contain_text("思考")
    assert page.request.get(f"{serving.url}api/clock").json()["turn"]["left_s"] == 15.0
    serving.close()
