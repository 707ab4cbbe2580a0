"""What a club kept by an earlier version has its place in the form of today."""

import json
from pathlib import Path

from sqlalchemy import Engine, insert, select, text

from table_assist.club.acts import ActKind
from table_assist.club.hub.acts import all_acts
from table_assist.club.hub.archive import archive_lines, rebuild
from table_assist.club.hub.base import _engine, _migrate, hub_key, open_base
from table_assist.club.hub.schema import orders, tables
from table_assist.club.orders import Order, OrderKind
from table_assist.trust.installation import key_of_secret, new_secret


def test_corrections_of_before_are_on_the_list(where: str) -> None:
    engine = _engine(where)
    with engine.connect() as connection:
        _migrate(connection, to="2")  # the version before
    with engine.begin() as connection:
        connection.execute(text("INSERT INTO sessions VALUES (1, 'Monday', 0, :no)"), {"no": False})
        connection.execute(text("INSERT INTO players VALUES (1, 'Ann', '1', :no)"), {"no": False})
        for id, undone in ((1, ""), (2, "Bo")):
            connection.execute(
                text("INSERT INTO corrections VALUES (:id, 1, 1, -5, 'late', 'Ada', 9, :undone)"),
                {"id": id, "undone": undone},
            )
    engine.dispose()
    engine = open_base(where)
    (kept,) = all_acts(engine)
    assert (kept.kind, kept.by, kept.content["correction"]) == (ActKind.CORRECT, "Ada", 1)
    engine.dispose()


def test_orders_of_before_have_their_kind(where: str, tmp_path: Path) -> None:
    """In a database of the form before, and in an archive of such a one."""
    engine = _engine(where)
    with engine.connect() as connection:
        _migrate(connection, to="6")  # the version before
    key, given = key_of_secret(new_secret()), list[Order]()
    table = {"id": 1, "key": key.public, "name": "A", "state": "in", "code": "", "turn": 0,
             "seen": 0.0, "changed": 0, "view": "{}"}  # fmt: skip
    with engine.begin() as connection:
        connection.execute(insert(tables).values(**table))
        for number, kind in enumerate((OrderKind.SEATS, OrderKind.PICTURE, OrderKind.MESSAGE)):
            given.append(Order(f"{number:032x}", kind, {"en": '"kind": "clock"'}, "Ada"))
            connection.execute(
                text("INSERT INTO orders VALUES (:id, :key, 1, :order, 9, 0, '')"),
                {"id": number + 1, "key": given[-1].key, "order": json.dumps(given[-1].as_row())},
            )
    engine.dispose()
    engine = open_base(where)
    assert kinds_in(engine) == [each.kind for each in given]
    hub_key(engine)  # an archive has it
    rows = [json.loads(line) for line in archive_lines(engine)]
    for row in rows:
        if row.get("in") == "orders":
            del row["row"]["kind"]
    again = open_base(str(tmp_path / "again.sqlite"))
    rebuild(again, map(json.dumps, rows))
    assert kinds_in(again) == [each.kind for each in given]
    again.dispose()
    engine.dispose()


def kinds_in(engine: Engine) -> list[str]:
    with engine.connect() as connection:
        return list(connection.execute(select(orders.c.kind).order_by(orders.c.id)).scalars())
