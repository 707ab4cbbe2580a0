"""A hub writes to the newest server alone, and the desk is told what is wrong with the others."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from random import Random
from secrets import token_hex

import pytest
from flask import Flask
from sqlalchemy import Engine, select, text
from sqlalchemy.exc import OperationalError, SQLAlchemyError

from bench.club.tables import LoadTable
from table_assist.club.hub.base import open_base
from table_assist.club.hub.collector import Collector
from table_assist.club.hub.desk import ask_in, let_in
from table_assist.club.hub.fence import Fence, SeenServer
from table_assist.club.hub.intake import Sent, take
from table_assist.club.hub.pulse import alive
from table_assist.club.hub.schema import tables
from table_assist.club.hub.watch import Watch, faults
from table_assist.club.wire import Batch, HubReply
from tests.stages.postgres import PAIR, Cluster, address_of, replicated


@pytest.fixture
def pair() -> Iterator[tuple[Cluster, Cluster]]:
    with replicated() as made:
        yield made


def port_of(base: Engine) -> int:
    with base.connect() as connection:
        return int(connection.execute(text("SELECT inet_server_port()")).scalar_one())


def said_by(watch: Watch) -> str:
    watch.check()
    return " ".join(each.en for each in watch.wrong)


def test_a_primary_that_was_left_captures_no_hub(pair: tuple[Cluster, Cluster]) -> None:
    """Neither over connections that were open, nor after a start, nor when it comes back."""
    old, new = pair
    where = address_of(old, new)
    base = open_base(where)
    watch, table = Watch(base), LoadTable(0, token_hex(16), [], Random(5))
    ask_in(base, table.key.public, "CODE")
    assert let_in(base, "CODE", "Table 1")
    assert (port_of(base), said_by(watch)) == (old.port, "")

    new.promote()  # the network was cut: the old primary lives
    wrong = said_by(watch)
    assert f"127.0.0.1:{old.port} was left for a newer server" in wrong
    table.make(None)
    sent = Sent(table.key.public, Batch(table.epoch, 1, 0, tuple(table.rows)))
    (answer,) = take(base, [sent])
    assert (answer.said, answer.have) == (HubReply.KEPT, 1)
    assert port_of(base) == new.port

    old.kill()
    assert "does not answer" in said_by(watch)
    old.start(PAIR)
    started = open_base(where)  # which names the old one first
    assert (port_of(base), port_of(started)) == (new.port, new.port)
    assert f"127.0.0.1:{old.port} was left" in said_by(Watch(started))
    new.kill()
    said_by(watch)
    with pytest.raises(Exception, match="left for a newer server"):
        port_of(base)
    assert "No database server of the club may be written" in said_by(watch)
    base.dispose()
    started.dispose()

    alone = Fence(old.address(), 4)  # what a hub sees that never heard of the new one
    (seen,) = alone.inspect()
    assert (seen.wants_standby, seen.standbys) == (True, 0)
    (wrong_there,) = faults([seen], alone.newest, seen.now_s)
    assert "waits with every commit for a standby" in wrong_there.en


@pytest.mark.parametrize("where", ["postgresql"], indirect=True)
def test_a_hub_that_stops_a_moment_after_its_start_is_missed(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its first sign of life comes at once."""
    for each in ("EVERY_S", "BEAT_S"):
        monkeypatch.setattr(f"table_assist.club.hub.watch.{each}", 3600.0)
    base = open_base(where)
    watch = Watch(base)
    watch.start("club1:8000")
    until = time.monotonic() + 60
    while not (there := hubs_of(base)):
        assert time.monotonic() < until
        time.sleep(0.02)
    assert there == ["club1:8000"]
    watch.close()
    assert not hubs_of(base), "it was stopped by its people"
    base.dispose()


def hubs_of(base: Engine) -> list[str]:
    with base.connect() as connection:
        return alive(connection)


@pytest.mark.parametrize("where", ["postgresql"], indirect=True)
def test_only_its_own_tables_wait_for_a_hub_that_was_stopped(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It holds their rows, until PostgreSQL ends its transaction."""
    base, frozen = open_base(where), open_base(where)
    of = {name: LoadTable(0, token_hex(16), [], Random(5)) for name in ("A", "B")}
    for name, table in of.items():
        table.make(None)
        ask_in(base, table.key.public, name)
        assert let_in(base, name, name)
    monkeypatch.setattr("table_assist.club.hub.collector.HELD_S", 60.0)
    collector = Collector(base)

    def bring(name: str) -> int:
        batch = Batch(of[name].epoch, 1, 0, tuple(of[name].rows))
        return collector.submit(Sent(of[name].key.public, batch)).have

    held = frozen.connect()
    held.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))
    held.execute(select(tables).where(tables.c.name == "A").with_for_update())
    with ThreadPoolExecutor(2) as pool:
        waits, comes = (pool.submit(bring, name) for name in ("A", "B"))
        assert comes.result() == 1
        assert not waits.done()
        held.rollback()
        assert waits.result() == 1
    stopped = frozen.connect()
    stopped.execute(select(tables).where(tables.c.name == "A").with_for_update())
    until = time.monotonic() + 40
    while not stopped.invalidated:  # PostgreSQL ends it, and nothing of it is stored
        assert time.monotonic() < until
        time.sleep(3.5)
        with suppress(SQLAlchemyError):
            stopped.execute(select(tables.c.id))
    for line in (held, stopped):
        line.close()
    collector.close()
    base.dispose()
    frozen.dispose()


def test_what_is_wrong_is_told_at_the_desk(app: Flask, where: str) -> None:
    watch = app.extensions["watch"]
    watch.check()
    assert app.test_client().get("/api/desk").get_json()["wrong"] == []
    watch._seen = tuple(faults([SeenServer("db1:5432", True, 2, now_s=9.0)], 2, 19.4))
    (told,) = app.test_client().get("/api/desk").get_json()["wrong"]
    assert told["en"] == "This hub's clock is +10 s apart from that of db1:5432: set it."


def test_it_is_told_where_no_database_answers(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """A desk that waited for the database said nothing for a minute, at a full disk."""
    app.extensions["watch"]._seen = tuple(faults([SeenServer("db1:5432")], 2, 0.0))

    def away(*_: object, **__: object) -> None:
        raise OperationalError("SELECT 1", None, Exception("away"))

    monkeypatch.setattr(app.extensions["base"], "connect", away)
    client = app.test_client()
    assert client.get("/api/desk").status_code == 503
    told = client.get("/api/desk/wrong").get_json()["wrong"]
    assert [each["en"] for each in told] == [
        "No database server of the club may be written: tables play on, and wait.",
        "db1:5432 does not answer.",
    ]


def test_two_servers_of_one_timeline_are_told() -> None:
    seen = [
        SeenServer("a", True, 2, now_s=1.0),
        SeenServer("b", True, 2, now_s=1.0),
        SeenServer("c", True),
    ]
    (told,) = faults(seen, 2, 1.0)
    assert told.en == "a, b may be written, all of them: stop all but one."
