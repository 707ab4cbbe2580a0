"""What the club's doctor says of a database, and that every sentence is about something real."""

import json
import shutil
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import BigInteger, Engine, inspect, select, text

from table_assist.cli.club import certificate_finding
from table_assist.cli.main import main
from table_assist.club.acts import ActKind
from table_assist.club.hub.archive import archive_lines, examine, rebuild, write_archive
from table_assist.club.hub.database import (
    SERVER,
    _engine,
    drawn,
    hub_key,
    metadata,
    open_base,
    orders,
)
from table_assist.club.hub.desk import all_acts, hall
from table_assist.club.hub.people import all_players, begin_session
from table_assist.club.orders import Order, OrderKind
from table_assist.health.checks import State
from table_assist.trust.installation import key_of_secret, new_secret
from tests.stages.club_table import Cluster, address_of, replicated
from web.authority import CERTIFICATE, CERTIFICATE_LASTS, own


@pytest.fixture
def pair() -> Iterator[tuple[Cluster, Cluster]]:
    with replicated() as made:
        yield made


def said(where: str, backups: Path | None = None) -> dict[str, list[tuple[State, str]]]:
    found: dict[str, list[tuple[State, str]]] = {}
    for each in examine(where, backups):
        found.setdefault(each.id, []).append((each.state, each.says.en))
    return found


def test_a_file_has_a_disk_and_needs_backups(tmp_path: Path) -> None:
    where = tmp_path / "club.sqlite"
    assert said(str(where)) == {"database": [(State.BAD, f"There is no {where}.")]}
    assert not where.exists()
    base = open_base(str(where))
    assert said(str(where))["backup"] == [(State.BAD, "No backup is known.")]
    write_archive(base, tmp_path / "club.jsonl")
    assert said(str(where))["backup"] == [(State.GOOD, "The newest backup is 0.0 days old.")]
    assert said(str(where))["database"] == [(State.GOOD, "It can be used; 0 tables are in.")]
    assert main(["club", "doctor", "--base", str(where)]) == 0
    base.dispose()


def test_backups_may_lie_elsewhere(tmp_path: Path) -> None:
    where, folder = str(tmp_path / "club.sqlite"), tmp_path / "backups"
    open_base(where).dispose()
    folder.mkdir()
    (folder / "monday").touch()
    assert said(where, folder)["backup"][0][0] is State.GOOD
    assert main(["club", "doctor", "--base", where, "--backups", str(folder)]) == 0


def test_of_two_servers_each_is_told(pair: tuple[Cluster, Cluster], tmp_path: Path) -> None:
    primary, standby = pair
    where = address_of(primary, standby)
    open_base(where).dispose()
    told = said(where)
    assert told["primary"][0][0] is told["standby"][0][0] is State.GOOD
    assert "servers" not in told
    standby.kill()
    told = said(where)
    assert [state for state, _ in told["servers"]] == [State.BAD] * len(told["servers"])
    assert f"127.0.0.1:{standby.port} does not answer." in [each for _, each in told["servers"]]
    standby.start("-c fsync=off")
    primary.kill()
    told = said(where)
    assert "No database server of the club may be written" in str(told["servers"])
    assert "all of them" not in str(told)
    standby.promote()
    told = said(where)
    assert "wait for no standby" in told["primary"][0][1]
    assert f"127.0.0.1:{standby.port}: fsync is off" in str(told["servers"])


def test_hubs_are_told_by_their_connections(
    pair: tuple[Cluster, Cluster], monkeypatch: pytest.MonkeyPatch
) -> None:
    where = address_of(*pair)
    open_base(where).dispose()
    assert said(where)["hubs"] == [(State.DOUBT, "0 hubs are connected: none.")]
    with monkeypatch.context() as patch:
        patch.setitem(SERVER, "application_name", "table-assist club1:7")
        base = open_base(where)
    assert said(where)["hubs"] == [(State.GOOD, "1 hubs are connected: club1:7.")]
    base.dispose()


def test_a_certificate_is_told_before_it_runs_out(tmp_path: Path) -> None:
    now = datetime.now(UTC)
    assert own(tmp_path, ["localhost"], now=now).context is not None
    file = tmp_path / CERTIFICATE
    states = [
        certificate_finding(file, now + later).state
        for later in (
            timedelta(),
            CERTIFICATE_LASTS - timedelta(days=10),
            CERTIFICATE_LASTS + timedelta(days=1),
        )
    ]
    assert states == [State.GOOD, State.DOUBT, State.BAD]
    shutil.rmtree(tmp_path)
    assert certificate_finding(file, now).state is State.BAD


FORM_2 = Path(__file__).parents[1] / "fixtures" / "club" / "form_2.sql"
KINDS = (OrderKind.SEATS, OrderKind.PICTURE, OrderKind.MESSAGE)


def kept_in_form_2(where: str) -> None:
    """A table, a player, a session, two corrections of which one stands, three orders."""
    engine, key = _engine(where), key_of_secret(new_secret()).public
    tables = FORM_2.read_text("utf-8")
    if engine.dialect.name == "postgresql":
        tables = tables.replace("( id INTEGER NOT NULL", "( id SERIAL")
    with engine.begin() as connection:
        for statement in filter(str.strip, tables.split(";\n")):
            connection.exec_driver_sql(statement)
        given = {"no": False, "key": key}
        for statement in (
            "INSERT INTO alembic_version VALUES ('2')",
            "INSERT INTO sessions VALUES (1, 'Monday', 0, :no)",
            "INSERT INTO players VALUES (1, 'Ann', '1', :no)",
            "INSERT INTO corrections VALUES (1, 1, 1, -5, 'late', 'Ada', 9, '')",
            "INSERT INTO corrections VALUES (2, 1, 1, -5, 'late', 'Ada', 9, 'Bo')",
            "INSERT INTO tables VALUES (1, :key, 'A', 'in', '', NULL, 0, 0, 0, '{}')",
        ):
            connection.execute(text(statement), given)
        for number, kind in enumerate(KINDS, start=1):
            order = Order(f"{number:032x}", kind, {"en": '"kind": "clock"'}, "Ada")
            given = {"id": number, "key": order.key, "order": json.dumps(asdict(order))}
            new = "INSERT INTO orders VALUES (:id, :key, 1, :order, 9, 0, '')"
            connection.execute(text(new), given)
    engine.dispose()


def test_a_base_of_an_early_form_has_the_form_of_today(where: str, tmp_path: Path) -> None:
    kept_in_form_2(where)
    open_base(where).dispose()
    engine = open_base(where)  # once more: nothing is done twice
    (kept,) = all_acts(engine)
    assert (kept.kind, kept.by, kept.content["correction"]) == (ActKind.CORRECT, "Ada", 1)
    assert [each.name for each in hall(engine)] == ["A"]
    assert kinds_in(engine) == list(KINDS)
    for table in metadata.sorted_tables:
        there = inspect(engine).get_columns(table.name)
        assert {each["name"] for each in there} == set(table.c.keys())
        if engine.dialect.name == "postgresql":
            wide = {each["name"] for each in there if str(each["type"]) == "BIGINT"}
            assert wide == {each.name for each in table.c if isinstance(each.type, BigInteger)}
    assert begin_session(engine, "Tuesday") > drawn(0, 1_750_000_000.0), "a number has room"

    hub_key(engine)  # an archive has it
    rows = [json.loads(line) for line in archive_lines(engine)]
    for row in rows:
        if row.get("in") == "orders":
            del row["row"]["kind"]  # an archive of then
    again = open_base(str(tmp_path / "again.sqlite"))
    rebuild(again, map(json.dumps, rows))
    assert kinds_in(again) == list(KINDS)
    assert [row.name for row in all_players(again)] == ["Ann"]
    again.dispose()
    engine.dispose()


def kinds_in(engine: Engine) -> list[str]:
    with engine.connect() as connection:
        return list(connection.execute(select(orders.c.kind).order_by(orders.c.id)).scalars())
