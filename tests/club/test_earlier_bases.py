"""What a club kept by an earlier version has its place in the form of today."""

import json
from pathlib import Path

from sqlalchemy import BigInteger, Engine, inspect, select, text

from table_assist.club.acts import ActKind
from table_assist.club.hub.archive import archive_lines, rebuild
from table_assist.club.hub.database import _engine, drawn, hub_key, metadata, open_base, orders
from table_assist.club.hub.desk import all_acts, hall
from table_assist.club.hub.people import all_players, begin_session
from table_assist.club.orders import Order, OrderKind
from table_assist.trust.installation import key_of_secret, new_secret

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
            given = {"id": number, "key": order.key, "order": json.dumps(order.as_row())}
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
