"""Setting up and keeping, asked anything that their description allows, and what it does not."""

import threading
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import requests
import schemathesis
from flask import Flask
from schemathesis import GenerationMode

from table_assist.live.phones import Phones
from table_assist.upkeep.setup import trials
from table_assist.upkeep.setup.assistant import Assistant
from table_assist.upkeep.table_service import Mode, TableService
from tests.stages.web_fakes import drawn
from web import create_app
from web.access import guard
from web.access.guard import TOKEN_HEADER
from web.api import openapi
from web.setup.setup_app import add_keeping

pytestmark = pytest.mark.slow

EXAMPLES = {GenerationMode.POSITIVE: 8, GenerationMode.NEGATIVE: 5}


def make_app(settings_file: Path) -> tuple[Flask, Assistant]:
    table_service = TableService(settings_file)
    table_service.mode = Mode.SETUP
    assistant = Assistant(table_service, Phones())
    return add_keeping(create_app(None), assistant, table_service), assistant


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    folder = tmp_path_factory.mktemp("fuzz")
    (folder / "table.toml").write_text("# ours\n", encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(folder))
        patch.setattr(trials, "find_cameras", lambda without=(): {})
        made, assistant = make_app(folder / "table.toml")
        yield made
        assistant.close()
    for thread in threading.enumerate():
        if thread.name == "doctor":
            thread.join(60)


@cache
def described() -> schemathesis.BaseSchema:
    return schemathesis.openapi.from_dict(openapi.describe(make_app(Path("table.toml"))[0]))


def operations() -> list[tuple[str, str]]:
    """Those of setting up and keeping; a phone's are tried in `test_fuzz`."""
    found = [result.ok() for result in described().get_all_operations()]
    known = [(each.method, each.path, each.definition.raw["operationId"]) for each in found]
    return [(method, path) for method, path, id in known if id.startswith(("setup_", "admin_"))]


@pytest.mark.parametrize(("method", "path"), operations())
def test_nothing_makes_it_fail_and_nobody_else_may(app: Flask, method: str, path: str) -> None:
    operation = described()[path][method]
    definition = openapi.describe(app)["paths"][path][method]
    known = {int(code) for code in definition["responses"]}
    assert definition["x-role"] == "admin"
    with app.test_request_context("/"):
        token = guard.token()
    for mode, examples in EXAMPLES.items():
        if mode is GenerationMode.NEGATIVE and "requestBody" not in definition:
            continue

        @drawn(operation, mode, examples)
        def check(case: schemathesis.Case) -> None:
            prepared = case.as_transport_kwargs(base_url="http://127.0.0.1")
            sent = {**prepared.get("headers", {}), TOKEN_HEADER: token}
            request = requests.Request(**{**prepared, "headers": sent}).prepare()
            for address, expected in (("127.0.0.1", known | {404, 405}), ("192.0.2.9", {403, 405})):
                answer = app.test_client().open(
                    request.path_url,
                    method=request.method,
                    headers=list(request.headers.items()),
                    data=request.body,
                    base_url="http://127.0.0.1",
                    environ_base={"REMOTE_ADDR": address},
                )
                assert answer.status_code in expected, answer.get_data()

        check()
