"""The hub's endpoints from its own description: no fault, and no change by who may not make one."""

import os
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

import pytest
import schemathesis
from flask import Flask
from schemathesis import Case, GenerationMode
from sqlalchemy import func, select

from table_assist.club.hub.database import metadata, open_base, refused
from table_assist.club.hub.desk import DIRECTOR, REFEREE, make_link, open_link
from table_assist.club.hub.people import begin_session, publish, take_players
from tests.stages.club_table import ClubTable, joined, sent_up
from tests.stages.web_fakes import described, drawn, operations, said_of, send, sender
from web.access.roles import Role
from web.club.app import close_club_app, create_club_app
from web.club.shared import CLUB_COOKIE

pytestmark = pytest.mark.slow

MANY = int(os.environ.get("TABLE_ASSIST_FUZZ", "1"))
EXAMPLES = {GenerationMode.POSITIVE: 3 * MANY, GenerationMode.NEGATIVE: 2 * MANY}
ROLES = {Role.TELEVISION: "", Role.REFEREE: REFEREE, Role.ADMIN: DIRECTOR}
CSV = "number,name\n" + "".join(f"{n},Player {n}\n" for n in range(1, 9))


@dataclass
class Hall:
    app: Flask
    cookies: dict[Role, str]
    sent: int = 0
    reached: dict[str, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))

    def kept(self) -> dict[str, int]:
        """Rows of every table but what counts refusals."""
        every = [each for each in metadata.sorted_tables if each is not refused]
        with self.app.extensions["base"].connect() as connection:
            return {
                each.name: connection.execute(select(func.count()).select_from(each)).scalar_one()
                for each in every
            }


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    folder = tmp_path_factory.mktemp("hub")
    app = create_club_app(open_base(str(folder / "club.sqlite")))
    base = app.extensions["base"]
    take_players(base, CSV)
    publish(base, begin_session(base, "Monday"), public=True)
    table = ClubTable(folder / "table.sqlite")
    uplink = joined(table, app)
    table.play(1)
    sent_up(uplink)
    cookies = {
        role: f"{CLUB_COOKIE}={open_link(base, make_link(base, 'Ada', name))}" if name else ""
        for role, name in ROLES.items()
    }
    yield Hall(app, cookies)
    close_club_app(app)


@cache
def schema() -> schemathesis.BaseSchema:
    app = create_club_app(open_base(":memory:"))
    found = described(app)
    close_club_app(app)
    return found


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize(("method", "path"), operations(schema()))
def test_an_endpoint_keeps_to_its_description(
    hall: Hall, role: Role, method: str, path: str
) -> None:
    operation, said = schema()[path][method], said_of(hall.app, method, path)
    may, headers = role.includes(Role(said.role)), sender(hall.app, hall.cookies[role])
    for mode, examples in EXAMPLES.items():
        if mode is GenerationMode.NEGATIVE and not (may and said.takes_a_body):
            continue  # nothing to get wrong, or nobody there who may

        @drawn(operation, mode, examples if may else 2)
        def check(case: Case) -> None:
            before = None if may else hall.kept()
            status, kind, content = send(hall.app, case, headers)
            hall.sent += 1
            hall.reached[path][status] += may
            assert status < 500, content
            if status not in (404, 405, 308):
                assert status in said.statuses, (status, content)
            if not may:
                assert status in (403, 404, 405, 308), (status, content)
                assert hall.kept() == before
            if status in said.statuses - {200}:
                assert kind == "application/json"

        check()


def test_the_cases_got_beyond_the_guard(hall: Hall) -> None:
    for path, seen in hall.reached.items():
        assert seen.keys() - {403} or path.startswith("/api/uplink"), f"{path}: only refused"
    assert sum(seen[200] for seen in hall.reached.values()) > 40
    assert hall.app.test_client().get("/api/hall").status_code == 200
    print(f"{hall.sent} requests")
