"""An archive from which a hub is made again, signed heads of each minute, and ratings."""

import json
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import update

from table_assist.club.hub.archive import archive_lines, rebuild, write_archive
from table_assist.club.hub.database import HubError, entries, hub_key, open_base
from table_assist.club.hub.desk import hall
from table_assist.club.hub.ledger import Ledger, heads_hold, latest_heads, note_heads, ratings
from table_assist.club.hub.people import begin_session, take_players
from table_assist.club.orders import OrderKind
from table_assist.club.standing import PlayedStretch
from table_assist.languages.words import NOTHING
from tests.stages.club_table import ClubTable, give_order, joined, sent_up, uplink_of
from web.club.app import close_club_app, create_club_app

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
