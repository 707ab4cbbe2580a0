"""A hub whose database was set back gives nobody's points to others, and learns what it lost."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from flask import Flask
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Engine, delete, select, update

from table_assist.club.acts import CountsFor
from table_assist.club.hub.archive import archive_lines, rebuild, write_archive
from table_assist.club.hub.database import (
    LARGEST_WHOLE,
    HubError,
    drawn,
    entries,
    hub_key,
    logs,
    open_base,
    orders,
)
from table_assist.club.hub.desk import hall, open_alarms, rule, send_out
from table_assist.club.hub.ledger import Ledger, heads_hold, latest_heads, note_heads, ratings
from table_assist.club.hub.people import (
    all_players,
    all_sessions,
    begin_session,
    shown_name,
    take_players,
)
from table_assist.club.hub.seats import accept, seat, seat_four, stand_in
from table_assist.club.orders import Order, OrderKind
from table_assist.club.standing import PlayedStretch
from table_assist.club.uplink import Uplink
from table_assist.languages.words import NOTHING
from tests.stages.club_table import ClubTable, give_order, joined, sent_up, uplink_of
from web.club.app import close_club_app, create_club_app

OF_BEFORE = "name,number\nAnna,1\nBert,2\nCora,3\nDirk,4\n"
OF_MONDAY = "name,number,hidden\nEmil,5,\nFred,6,\nGina,7,yes\nHans,8,\nIna,9,\n"
OF_TUESDAY = "name,number\nXaver,91\nYlva,92\nZoe,93\nWim,94\n"


@pytest.fixture
def table(tmp_path: Path) -> ClubTable:
    return ClubTable(tmp_path / "table.sqlite")


def made_of(lines: list[str], path: Path) -> Flask:
    base = open_base(str(path))
    rebuild(base, lines)
    return create_club_app(base)


def closed(app: Flask) -> None:
    close_club_app(app)


def of_numbers(base: Engine, *numbers: str) -> list[int]:
    by_number = {row.number: row.id for row in all_players(base)}
    return [by_number[number] for number in numbers]


def standing(base: Engine, session: int) -> list[tuple[str, int, int, int]]:
    """As everybody sees it; of a hidden name the number."""
    return [
        (shown_name(each), each.points, each.hands, each.wins)
        for each in Ledger(base).standing(session)
    ]


def monday(app: Flask, uplink: Uplink, table: ClubTable) -> int:
    """A round with a stand-in whose points count for the other one; the session's number."""
    base, key = app.extensions["base"], app.extensions["hub_key"]
    take_players(base, OF_MONDAY, "Ada")
    session = begin_session(base, "Monday", "Ada")
    emil, fred, gina, hans, ina = of_numbers(base, "5", "6", "7", "8", "9")
    accept(base, session, 1, (((emil, fred, gina, hans),),), "Ada")
    seat(base, key, session, 1, "Ada")
    sent_up(uplink)
    table.play(7)
    stand_in(base, key, session, fred, ina, (1, 1), CountsFor.REPLACED, "Ada")
    sent_up(uplink)
    table.play(7, hands=2)
    rule(base, key, hall(base)[0].id, 0, (-3, 1, 1, 1), "late", "Bo")
    sent_up(uplink)
    sent_up(uplink)  # what became of the ruling
    uplink.stop()
    return session


def test_nobody_gets_points_of_an_evening_that_the_database_lost(
    table: ClubTable, app: Flask, tmp_path: Path
) -> None:
    base = app.extensions["base"]
    uplink = joined(table, app)
    take_players(base, OF_BEFORE, "Ada")
    day_old = list(archive_lines(base))
    session = monday(app, uplink, table)
    was = standing(base, session)
    assert {name for name, *_ in was} == {"Emil", "Fred", "7", "Hans"}

    hub = made_of(day_old, tmp_path / "restored.sqlite")
    again = hub.extensions["base"]
    take_players(again, OF_TUESDAY, "Ada")  # before any table has come back
    tuesday = begin_session(again, "Tuesday", "Ada")
    known = {row.id for row in all_players(again)}
    sent_up(uplink_of(table, hub))
    assert standing(again, tuesday) == []
    # Both may have begun within a second, in which chance orders them.
    assert sorted(row.name for row in all_sessions(again)) == [f"#{session}", "Tuesday"]
    assert standing(again, session) == was
    lost = {row.name for row in all_players(again) if row.id not in known}
    assert lost == {"Emil", "Fred", "7", "Hans", "Ina"}  # a hidden name is in no log
    assert sorted(row.kind for row in open_alarms(again)) == ["set back", "unknown order"]
    closed(hub)


def test_an_order_that_the_hub_did_not_sign_enters_nobody(table: ClubTable, app: Flask) -> None:
    """A table may write into its log what it likes."""
    base, key = app.extensions["base"], app.extensions["hub_key"]
    uplink = joined(table, app)
    content = {"session": 77, "round": 1, "players": [1, 2, 3, 4], "names": list("abcd")}
    order = Order("0" * 32, OrderKind.SEATS, content, "nobody")
    table.vouch(order.signed(table.key, table.key.public).as_event())
    table.vouch(order.signed(key, "another table").as_event())
    sent_up(uplink)
    assert (list(all_players(base)), list(all_sessions(base)), list(open_alarms(base))) == (
        [],
        [],
        [],
    )


def test_orders_of_an_earlier_version_are_entered_with_what_they_say(
    table: ClubTable, app: Flask
) -> None:
    base, key = app.extensions["base"], app.extensions["hub_key"]
    uplink = joined(table, app)
    content = {"session": 3, "round": 1, "players": [5, 6, 7, 8], "names": list("abcd")}
    give_order(base, key, [hall(base)[0].id], OrderKind.SEATS, content, "Ada")
    uplink.turn()
    with base.begin() as connection:
        connection.execute(delete(orders))
    table.play(7)
    sent_up(uplink)
    assert [(row.id, row.name) for row in all_sessions(base)] == [(3, "#3")]
    assert [(row.id, row.name, row.number) for row in all_players(base)] == [
        (5, "a", "#5"), (6, "b", "#6"), (7, "c", "#7"), (8, "d", "#8"),
    ]  # fmt: skip


def test_a_running_hub_folds_anew_what_its_database_lost(table: ClubTable, app: Flask) -> None:
    """An asynchronous standby was promoted: entries are gone, and come again from the table."""
    base, ledger = app.extensions["base"], Ledger(app.extensions["base"])
    take_players(base, OF_BEFORE, "Ada")
    session = begin_session(base, "Monday", "Ada")
    uplink = joined(table, app)
    four = tuple(of_numbers(base, "1", "2", "3", "4"))
    seat_four(base, app.extensions["hub_key"], session, 1, hall(base)[0].id, four, "Ada")
    sent_up(uplink)
    table.play(7, hands=2)
    sent_up(uplink)
    points = {each.player: each.points for each in ledger.standing(session)}
    with base.begin() as connection:
        seal = connection.execute(select(entries.c.seal).where(entries.c.seq == 30)).scalar_one()
        connection.execute(delete(entries).where(entries.c.seq > 30))
        connection.execute(update(logs).values(have=30, seal=seal))
    (log,) = ledger.logs()
    assert (log.have, log.fault.en) == (30, "")
    table.tell()
    assert uplink.turn()
    sent_up(uplink)
    assert {each.player: each.points for each in ledger.standing(session)} == points
    assert [row.kind for row in open_alarms(base)] == ["set back"]


def test_a_table_that_was_let_in_after_the_backup_goes_on(
    table: ClubTable, app: Flask, tmp_path: Path
) -> None:
    base = app.extensions["base"]
    hub_key(base)
    day_old = list(archive_lines(base))
    uplink = joined(table, app, "Table 2")
    table.play(7)
    sent_up(uplink)
    uplink.stop()
    hub = made_of(day_old, tmp_path / "restored.sqlite")
    again = hub.extensions["base"]
    back = uplink_of(table, hub)
    table.play(7)
    sent_up(back)
    sent_up(back)
    assert [(each.name, each.have) for each in hall(again)] == [("Table 2", table.snapshot.seq)]
    assert sorted(row.kind for row in open_alarms(again)) == ["in again", "set back"]
    assert table.health is not None
    assert table.health.status == "live"
    closed(hub)


def test_a_table_that_was_let_go_stays_out_and_nobody_has_anothers_ticket(
    table: ClubTable, app: Flask, tmp_path: Path
) -> None:
    base = app.extensions["base"]
    uplink = joined(table, app)
    send_out(base, hall(base)[0].id)
    sent_up(uplink)
    assert table.health is not None
    assert (table.health.status, hall(base)) == ("lost", [])
    thief = ClubTable(tmp_path / "thief.sqlite")
    stolen = replace(uplink.membership, salt="a1")
    sent_up(uplink_of(thief, app, stolen))
    assert hall(base) == []


def test_a_table_of_the_version_before_gets_its_ticket_and_an_old_file_is_read(
    table: ClubTable, app: Flask
) -> None:
    joined(table, app).stop()
    file = table.path.with_suffix(".club.json")
    kept = json.loads(file.read_text())
    del kept["ticket"]
    file.write_text(json.dumps(kept))
    uplink = uplink_of(table, app)
    sent_up(uplink)
    assert uplink.membership.ticket


@given(st.integers(0, LARGEST_WHOLE - (1 << 13)), st.integers(0, 2**31 - 1))
def test_numbers_grow_and_fit_every_reader(newest: int, seconds: int) -> None:
    number = drawn(newest, 1_735_689_600.0 + seconds)
    assert newest < number <= LARGEST_WHOLE


CSV = "number,name\n1,Ann\n2,Bo\n3,陈\n4,Du\n"


def evening(app: Flask, folder: Path) -> ClubTable:
    base = app.extensions["base"]
    take_players(base, CSV)
    table, session = ClubTable(folder / "table.sqlite"), begin_session(base, "Monday")
    uplink = joined(table, app)
    seats = {"session": session, "round": 1, "players": [1, 2, 3, 4], "names": []}
    give_order(base, app.extensions["hub_key"], [hall(base)[0].id], OrderKind.SEATS, seats, "Ada")
    sent_up(uplink)
    table.play(1, hands=2)
    sent_up(uplink)
    uplink.stop()
    return table


def test_a_hub_that_is_made_of_an_archive_goes_on(app: Flask, tmp_path: Path) -> None:
    table = evening(app, tmp_path)
    base, file = app.extensions["base"], tmp_path / "club.jsonl"
    lines = write_archive(base, file)
    assert file.stat().st_mode & 0o077 == 0
    with pytest.raises(HubError, match="exists"):
        write_archive(base, file)
    # Onto the other database, so that each is made of the other's archive.
    again = open_base(str(tmp_path / "again.sqlite"))
    assert rebuild(again, file.read_text("utf-8").splitlines()) == lines - 1
    assert list(archive_lines(again))[1:] == list(archive_lines(base))[1:]
    assert Ledger(again).standing(1) == Ledger(base).standing(1)
    other = create_club_app(again)
    assert hub_key(again).public == app.extensions["hub_key"].public
    uplink = uplink_of(table, other)
    table.play(1)
    sent_up(uplink)
    assert Ledger(again).logs()[0].have == table.record.seq
    with pytest.raises(HubError, match="empty"):
        rebuild(again, file.read_text("utf-8").splitlines())
    close_club_app(other)


def test_an_archive_fills_an_empty_hub_of_either_kind(where: str, tmp_path: Path) -> None:
    source = create_club_app(open_base(str(tmp_path / "source.sqlite")))
    evening(source, tmp_path)
    made = open_base(where)
    rebuild(made, archive_lines(source.extensions["base"]))
    assert Ledger(made).standing(1) == Ledger(source.extensions["base"]).standing(1)
    assert take_players(made, "number,name\n5,Eve\n") == (1, 0), "numbers go on after the archive's"
    close_club_app(source)
    made.dispose()


def test_an_archive_that_was_changed_is_refused_whole(app: Flask, tmp_path: Path) -> None:
    evening(app, tmp_path)
    lines = list(archive_lines(app.extensions["base"]))
    at = next(n for n, line in enumerate(lines) if '"in":"entries"' in line and "Discarded" in line)
    row = json.loads(lines[at])
    row["row"]["line"] = row["row"]["line"].replace('"seat":', '"seat": ')
    for number, wrong in enumerate((json.dumps(row), "{", '{"in":"staff","row":{}}')):
        other = open_base(str(tmp_path / f"other{number}.sqlite"))
        with pytest.raises(HubError):
            rebuild(other, [*lines[:at], wrong, *lines[at + 1 :]])
        assert len(list(archive_lines(other))) == 1
        other.dispose()


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        ("players", "name", "\ud800"), ("players", "name", None), ("players", "id", 10**30),
        ("players", "hidden", "maybe"), ("players", "name", [1]), ("tables", "view", "{not"),
        ("sessions", "begun", float("inf")), ("orders", "order", "["), ("orders", "table_id", 77),
    ],
)  # fmt: skip
def test_a_value_that_is_none_refuses_an_archive_in_one_sentence(
    app: Flask, tmp_path: Path, table: str, column: str, value: object
) -> None:
    evening(app, tmp_path)
    rows = [json.loads(line) for line in archive_lines(app.extensions["base"])]
    at = next(n for n, row in enumerate(rows) if row.get("in") == table)
    rows[at]["row"][column] = value
    other = open_base(str(tmp_path / "other.sqlite"))
    with pytest.raises(HubError, match="line"):
        rebuild(other, map(json.dumps, rows))
    assert len(list(archive_lines(other))) == 1
    other.dispose()


def test_an_archive_needs_the_hubs_key_and_text(app: Flask, tmp_path: Path) -> None:
    evening(app, tmp_path)
    lines = list(archive_lines(app.extensions["base"]))
    other = open_base(str(tmp_path / "other.sqlite"))
    with pytest.raises(HubError, match="key"):
        rebuild(other, [line for line in lines if '"in":"about"' not in line])
    (tmp_path / "club.jsonl").write_bytes(b"\xff\xfe")
    file = (tmp_path / "club.jsonl").open(encoding="utf-8")
    with file, pytest.raises(HubError, match="no text"):
        rebuild(other, file)
    other.dispose()


def test_heads_are_noted_and_hold_the_hub_to_its_entries(app: Flask, tmp_path: Path) -> None:
    evening(app, tmp_path)
    base, key = app.extensions["base"], app.extensions["hub_key"]
    for now in (60.0, 61.0, 120.0):
        note_heads(base, key, now)
    assert heads_hold(base, key) == (2, NOTHING)
    latest = latest_heads(base)
    assert latest is not None
    assert latest["minute"] == 2
    (log,) = Ledger(base).logs()
    with base.begin() as connection:
        connection.execute(update(entries).where(entries.c.seq == log.have).values(seal="0" * 64))
    assert heads_hold(base, key)[1].en == f"entry {log.have} is not the one noted in minute 1"


def test_who_wins_more_is_rated_higher() -> None:
    def game(n: int, *points: int) -> PlayedStretch:
        return PlayedStretch(1, n, (1, 2, 3, 4), list(points), hands=4, ended_t=float(n))

    found = ratings([game(n, 30, 10, -10, -30) for n in range(5)])
    assert [each.player for each in found] == [1, 2, 3, 4]
    assert all(each.games == 5 for each in found)
    assert ratings([PlayedStretch(0, 0, (0, 0, 0, 0), hands=3)]) == []


def test_the_clocks_of_tables_order_no_ratings() -> None:
    """A table that was a day ahead in the first round changes nobody's rating."""

    def rated(first_ended_t: float) -> list[tuple[int, float]]:
        rounds = [
            PlayedStretch(1, 2, (1, 2, 3, 4), [-30, -10, 10, 30], hands=1, ended_t=2000.0),
            PlayedStretch(1, 1, (1, 2, 3, 4), [30, 10, -10, -30], hands=1, ended_t=first_ended_t),
        ]
        return [(each.player, each.shown) for each in ratings(rounds)]

    assert rated(1000.0) == rated(1000.0 + 86_400)
