"""A table in play and its pages, where a test file says no other."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser, Page, Request, expect

from table_assist.live.live_table import LiveTable
from table_assist.record.snapshot import Snapshot
from table_assist.settings.config import Config, LogConfig
from tests.stages.repository_tool import free_port
from tests.stages.web_fakes import Evening, FakeTable, opened
from web import create_app
from web.access.pairing_sessions import PAIRING_COOKIE
from web.access.roles import Role
from web.serve import Serving, serve

Living = tuple[LiveTable, Serving]


@pytest.fixture
def table() -> FakeTable:
    return FakeTable(opened().snapshot())


@pytest.fixture
def app(table: FakeTable) -> Flask:
    return create_app(table)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def serving(app: Flask) -> Iterator[Serving]:
    running = serve(app, port=0)
    yield running
    running.close()


@pytest.fixture(autouse=True)
def _pages_end_with_their_test(request: pytest.FixtureRequest) -> Iterator[None]:
    yield
    if "browser" in request.fixturenames:
        for context in request.getfixturevalue("browser").contexts:
            context.close()


@pytest.fixture
def living(tmp_path: Path) -> Iterator[Living]:
    """A table that keeps a log, and its pages."""
    table = LiveTable(Config(log=LogConfig(str(tmp_path / "log.sqlite"))), camera=None, reader=None)
    table.start()
    running = serve(create_app(table), port=0)
    yield table, running
    running.close()
    table.stop()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(locale="en-GB", viewport={"width": 1280, "height": 800})
    complaints: list[str] = []
    found = context.new_page()
    found.set_default_timeout(30_000)
    found.on("pageerror", lambda error: complaints.append(str(error)))
    yield found
    context.close()
    assert complaints == []


@dataclass
class Visit:
    """One page on a scripted table, and what it did that nobody asked for."""

    page: Page
    table: FakeTable
    serving: Serving
    complaints: list[str] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)

    def show(self, evening: Evening, **changes: object) -> None:
        self.table.publish(evening.snapshot(**changes))


Look = Callable[..., Visit]


@pytest.fixture
def look(browser: Browser) -> Iterator[Look]:
    servers: list[Serving] = []
    errors: list[str] = []

    def open_page(
        path: str,
        snapshot: Snapshot | None = None,
        size: tuple[int, int] = (1280, 800),
        *,
        host: str = "127.0.0.1",
        role: Role | None = None,
        **options: object,
    ) -> Visit:
        table = FakeTable(snapshot)
        app = create_app(table, host)
        servers.append(serve(app, host, free_port()))
        url = f"http://127.0.0.1:{servers[-1].port}/"
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]}, **{"locale": "en-GB", **options}
        )
        if role is not None:
            token = app.extensions["sessions"].open(role, None, "a phone", since=0.0)
            context.add_cookies([{"name": PAIRING_COOKIE, "value": token, "url": url}])
        visit = Visit(context.new_page(), table, servers[-1])
        page = visit.page
        page.set_default_timeout(30_000)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: visit.complaints.append(message.text))
        page.on("request", lambda request: visit.requests.append(request))
        page.goto(url + path)
        expect(page.locator("body:not(.connecting)")).to_have_count(1)
        return visit

    yield open_page
    for context in browser.contexts:
        context.close()
    for server in servers:
        server.close()
    assert errors == []
