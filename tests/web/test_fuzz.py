"""Every endpoint from its own description: no fault, and no change by who may not make one."""

import os
import random
import threading
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest
import schemathesis
from flask import Flask
from schemathesis import Case, GenerationMode

from table_assist.game.events import Settled, WallExhausted
from table_assist.game.state import TableState
from table_assist.record.dispute.file import read_dispute
from table_assist.record.dispute.verify import Rejudged, verify
from table_assist.record.evidence import Evidence
from table_assist.record.log import Source
from table_assist.record.record import Record
from table_assist.record.snapshot import Snapshot
from table_assist.rules.profile import plain_profile
from table_assist.rules.registry import find_rules
from table_assist.session.session import Session
from table_assist.twin.play.hand import play_hand
from tests.stages.web_fakes import SessionTable, described, drawn, operations, said_of, send, sender
from web import create_app
from web.access.pairing_sessions import PAIRING_COOKIE
from web.access.roles import Role
from web.api import openapi
from web.pages import dispute_page
from web.view.secrecy import TREASURE_HIDDEN

pytestmark = pytest.mark.slow

NAMES = ("Ana", "Ben", "陈德", "Dai")
schemathesis.serializer.alias("application/zip", "application/octet-stream")
# TABLE_ASSIST_FUZZ=5 sends five times as many; with -s the last test says how many.
MANY = int(os.environ.get("TABLE_ASSIST_FUZZ", "1"))
EXAMPLES = {GenerationMode.POSITIVE: 4 * MANY, GenerationMode.NEGATIVE: 3 * MANY}


class Table(SessionTable[Session]):
    """A real session in its thread, in the middle of a hand; a `LiveTable`."""

    def __init__(self) -> None:
        rules = find_rules("changchun")
        first, state = play_hand(rules, TableState(), random.Random(3))
        second, _ = play_hand(rules, state, random.Random(4))
        record = Record(None, lambda: 1_700_000_000.0)
        for event in (*first, *second[: len(second) // 2]):
            if not isinstance(event, Settled | WallExhausted) or event is first[-1]:
                record.append(event, Source.CAMERA)
        self.session = Session(plain_profile(rules), NAMES, record, now=lambda: 1_700_000_000.0)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self.session.run, args=(self._stop,), daemon=True)
        self._thread.start()

    @property
    def snapshot(self) -> Snapshot:
        return self.session.snapshot

    @property
    def version(self) -> int:
        return self.session.version

    def wait(self, after: int, timeout_s: float) -> Snapshot | None:
        return self.session.wait(after, timeout_s)

    def evidence(self, id: str) -> Evidence | None:
        return Evidence(id, 0.0, b"jpeg", "{}", b"crop") if id.isalnum() else None

    def close(self) -> None:
        self._stop.set()
        self._thread.join()


@dataclass
class House:
    table: Table
    app: Flask
    sent: int = 0
    reached: dict[str, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))

    def headers(self, role: Role) -> dict[str, str]:
        """Those of a viewer with the role that has just come in."""
        sessions = self.app.extensions["sessions"]
        if role is Role.TELEVISION:
            return sender(self.app)
        seat = 1 if role is Role.SEAT else None
        cookie = sessions.open(role, seat, "a phone", since=0.0)
        return sender(self.app, f"{PAIRING_COOKIE}={cookie}")

    def kept(self) -> tuple[object, ...]:
        """What a command could change."""
        sessions = self.app.extensions["sessions"]
        return len(self.table.entries()), sessions.devices and len(sessions.devices)


def make_house() -> House:
    table = Table()
    app = create_app(table)
    for name in ("offers", "asks", "all_asks"):
        app.extensions[name].burst = app.extensions[name].per_minute = 1e9
    app.config["TABLE_POSTS"].burst = app.config["TABLE_POSTS"].per_minute = 1e9
    return House(table, app)


@pytest.fixture(scope="module")
def house() -> Iterator[House]:
    made = make_house()
    with pytest.MonkeyPatch.context() as patch:  # a process for each of them would take long
        patch.setattr(dispute_page, "verify_apart", check_here)
        yield made
    made.table.close()


def check_here(path: Path, noted: str) -> list[Rejudged]:
    return list(verify(read_dispute(path), noted))


@cache
def schema() -> schemathesis.BaseSchema:
    house = make_house()
    house.table.close()
    return described(house.app)


def test_the_description_names_every_endpoint_under_api(house: House) -> None:
    rules = {rule.rule for rule in house.app.url_map.iter_rules() if rule.rule.startswith("/api/")}
    assert len(openapi.describe(house.app)["paths"]) == len(rules)
    assert ("POST", "/api/undo") in {
        (method.upper(), path) for method, path in operations(schema())
    }


@pytest.mark.parametrize("role", list(Role))
@pytest.mark.parametrize(("method", "path"), operations(schema()))
def test_an_endpoint_keeps_to_its_description(
    house: House, role: Role, method: str, path: str
) -> None:
    operation = schema()[path][method]
    said = said_of(house.app, method, path)
    may = role.includes(Role(said.role))
    headers = house.headers(role)
    for mode, examples in EXAMPLES.items():
        if mode is GenerationMode.NEGATIVE and not (may and said.takes_a_body):
            continue  # nothing to get wrong, or nobody there who may

        @drawn(operation, mode, examples if may else 2)
        def check(case: Case) -> None:
            before = house.kept()
            status, kind, content = send(house.app, case, headers)
            house.sent += 1
            house.reached[path][status] += may
            assert status < 500, content
            assert b"fault of this program" not in content
            if status not in (404, 405, 308):
                assert status in said.statuses, (status, content)
            if not may:
                hidden = (
                    TREASURE_HIDDEN.en.encode() in content
                )  # from all, before anybody's role is asked
                assert hidden or status in (403, 404, 405, 308), (status, content)
                assert house.kept() == before
            if status in said.statuses - {200, 204}:
                assert kind == "application/json"

        check()


def test_the_cases_got_beyond_the_guard(house: House) -> None:
    assert len(house.reached) == len({path for _, path in operations(schema())})
    for path, seen in house.reached.items():
        assert seen.keys() - {403}, f"{path} was only ever refused"
    assert sum(seen[200] for seen in house.reached.values()) > 60


def test_the_table_still_answers_after_all_that(house: House) -> None:
    client = house.app.test_client()
    assert client.get("/api/table").status_code == 200
    assert house.table.session.waiting == 0
    print(f"{house.sent} requests")
