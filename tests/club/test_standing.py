"""Standings are what the entries say, and add up to zero."""

import json
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from flask import Flask
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import func, select, update

from table_assist.club.calling import CallError
from table_assist.club.hub.database import entries, files, pieces
from table_assist.club.hub.database import tables as hub_tables
from table_assist.club.hub.desk import PeopleError, all_acts, hall, refused_so_far
from table_assist.club.hub.ledger import Ledger
from table_assist.club.hub.people import (
    all_players,
    begin_session,
    correct,
    read_players,
    take_players,
)
from table_assist.club.hub.undoing import undo
from table_assist.club.orders import Order, OrderKind, kept_orders
from table_assist.club.sending import FILE_PURPOSE, Sending, whole_hands
from table_assist.club.standing import Folding, IsOrdered, ToldStanding
from table_assist.game.events import Attested, HandStarted, Penalised, SeatsChanged, Settled
from table_assist.game.fold import apply
from table_assist.game.people import by_person
from table_assist.game.state import TableState
from table_assist.languages.words import NOTHING, Words
from table_assist.live.manifest import program_version
from table_assist.record.dispute.file import pack_dispute, read_dispute
from table_assist.record.log import Entry, Source, effective
from tests.club.test_acts import Evening
from tests.club.test_way import line_of
from tests.stages.club_table import ClubTable, HallLine, give_order, joined, sent_up
from tests.stages.evenings import RULE_SETS, handler_of, mistake, played, record_of
from web.club import files_api
from web.club.files_api import opened
from web.pages.dispute_page import dispute_page

CSV = "number,name\n" + "".join(f"{n},Player {n}\n" for n in range(1, 9))


def everybody(_: Order) -> bool:
    return True


def told_by(entries: Iterable[Entry], is_ordered: IsOrdered) -> ToldStanding:
    """A log that is folded whole."""
    folding = Folding(is_ordered)
    folding.add(tuple(entries))
    return folding.told


@pytest.mark.parametrize("rules", RULE_SETS)
def test_points_are_those_of_the_table(rules: str) -> None:
    record = record_of(played(rules, 3, 3))
    told = told_by(record.entries, everybody)
    points = [sum(each) for each in zip(*(each.points for each in told.stretches), strict=True)]
    moved = [sum(each) for each in zip(*(row[1] for row in record.history), strict=True)]
    assert points == moved
    assert tuple(points) == by_person(record.state.scores, record.state.people)
    assert told.uneven == ()
    assert sum(each.hands for each in told.stretches) == len(record.history)


def test_a_player_keeps_the_points_when_seats_change(tmp_path: Path, app: Flask) -> None:
    base, key = app.extensions["base"], app.extensions["hub_key"]
    take_players(base, CSV)
    session = begin_session(base, "Monday")
    table = ClubTable(tmp_path / "table.sqlite")
    uplink = joined(table, app)
    seats = {"session": session, "round": 1, "players": [5, 6, 7, 8], "names": ["", "", "", ""]}
    give_order(base, key, [hall(base)[0].id], OrderKind.SEATS, seats, "Ada")
    sent_up(uplink)
    table.play(1)
    table.tell(SeatsChanged((3, 0, 1, 2)))
    table.tell(Penalised((-6, 2, 2, 2), Words("late", "迟到")))
    sent_up(uplink)
    ledger = {place.player: place.points for place in Ledger(base).standing(session)}
    people, scores = table.snapshot.state.people, table.snapshot.state.scores
    assert people != (0, 1, 2, 3)
    assert ledger == {5 + people[seat]: scores[seat] for seat in range(4)}
    assert all(row.holds for row in Ledger(base).reconciled())


def test_five_tables_stand_as_their_ledgers_after_every_hand(tmp_path: Path, app: Flask) -> None:
    base, key = app.extensions["base"], app.extensions["hub_key"]
    ledger, session = Ledger(base), begin_session(base, "Evening")
    evening = []
    for number, rules in enumerate(RULE_SETS):
        table = ClubTable(tmp_path / f"{rules}.sqlite", rules)
        uplink = joined(table, app, rules)
        here = next(each.id for each in hall(base) if each.name == rules)
        ids = [4 * number + seat + 1 for seat in range(4)]
        seats = {"session": session, "round": 1, "players": ids, "names": []}
        give_order(base, key, [here], OrderKind.SEATS, seats, "Ada")
        sent_up(uplink)
        evening.append((table, uplink, ids))
    for hand in range(2):
        for table, uplink, ids in evening:
            table.play(7)
            sent_up(uplink)
            points = {place.player: place.points for place in ledger.standing(session)}
            state = table.snapshot.state
            assert state.hand == hand + 1
            scores = by_person(state.scores, state.people)
            assert [points[id] for id in ids] == list(scores)
    assert all(row.holds for row in ledger.reconciled())
    assert sum(place.points for place in ledger.standing(session)) == 0


def test_a_hand_that_somebody_changed_at_the_hub_is_found(tmp_path: Path, app: Flask) -> None:
    base = app.extensions["base"]
    table = ClubTable(tmp_path / "table.sqlite")
    uplink = joined(table, app, "Table 1")
    table.play(1)
    sent_up(uplink)
    ledger = Ledger(base)
    assert [log.fault for log in ledger.logs()] == [NOTHING]
    with base.begin() as connection:
        line = next(line for seq, line, _ in table.store.rows_after(10, 1))
        forged = line.replace('"t":17', '"t":18')
        assert forged != line
        connection.execute(update(entries).where(entries.c.seq == 11).values(line=forged))
    rows = {row.what.en: row.holds for row in ledger.reconciled()}
    assert not rows["Table 1"]


def test_corrections_have_reasons_and_are_undone(app: Flask) -> None:
    base = app.extensions["base"]
    take_players(base, CSV)
    session = begin_session(base, "Monday")
    first, second, *_ = all_players(base)
    correct(base, session, first.id, -30, "late", "Ada")
    correct(base, session, second.id, 30, "late", "Ada")
    ledger = Ledger(base)
    assert [place.points for place in ledger.standing(session)] == [30, -30]
    assert all(row.holds for row in ledger.reconciled())
    wrong = next(each for each in all_acts(base) if each.content.get("points") == -30)
    undo(base, app.extensions["hub_key"], ledger, wrong.id, "Bo")
    assert [place.points for place in ledger.standing(session)] == [30]
    assert not all(row.holds for row in ledger.reconciled())
    with pytest.raises(PeopleError):
        correct(base, session, 999, 1, "x", "Ada")


def test_a_list_of_players_is_taken_whole_or_not_at_all(app: Flask) -> None:
    base = app.extensions["base"]
    assert take_players(base, CSV) == (8, 0)
    assert take_players(base, "姓名,编号\n甲,1\n乙,99\n") == (1, 1)
    assert {row.number: row.name for row in all_players(base)}["1"] == "甲"
    for wrong in ("", "a,b\n1,2\n", "name\nAda\nAda\n", f"name\n{'x' * 81}\n", 'name\n"\0"\n'):
        with pytest.raises(PeopleError):
            take_players(base, wrong)
    assert len(all_players(base)) == 9


def test_damaged_orders_seat_nobody() -> None:
    order = Order(
        "0" * 32, OrderKind.SEATS, {"session": 1, "round": 1, "players": [1, 2]}
    ).as_event()
    told = told_by([Entry(1, 1.0, Source.RULES, order)], everybody)
    assert told.stretches == ()
    assert read_players("name\nAda\n") == [("Ada", "Ada", False)]


@settings(max_examples=12)
@given(st.sampled_from(RULE_SETS), st.integers(0, 10_000), st.lists(st.integers(1, 90)))
def test_a_log_that_grows_is_told_as_the_whole(rules: str, seed: int, steps: list[int]) -> None:
    made = mistake(played(rules, seed, 3), Random(seed))
    record = record_of(made.events)
    handler_of(rules, record).execute(made.remedy)
    folding, at = Folding(everybody), 0
    for step in [*steps, len(record.entries)]:
        if not folding.add(record.entries[at : at + step]):
            folding = Folding(everybody)
            assert folding.add(record.entries[: at + step])
        at += step
        assert folding.told == told_by(record.entries[:at], everybody)


@pytest.mark.parametrize("rules", RULE_SETS)
def test_won_hands_are_those_that_a_whole_fold_has(rules: str) -> None:
    entries = record_of(played(rules, 5, 8)).entries
    won = [each for stretch in told_by(entries, everybody).stretches for each in stretch.won]
    state, found = TableState(), []
    for _, event in effective(entries):
        before, state = state, apply(state, event)
        if isinstance(event, Settled):
            for seat in event.winners:
                shown = next(each for each in before.shown if each.seat == seat)
                given = before.given_up
                giver = None if shown.self_drawn or given is None else before.people[given[0]]
                melds = tuple(each.tiles + each.supplements for each in before.seats[seat].melds)
                found.append((state.people[seat], shown.concealed, giver, melds))
    assert found
    assert [(w.winner, w.concealed, w.giver, w.melds) for w in won] == found
    assert all(each.worth for each in won)


@pytest.fixture
def evening(app: Flask, where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Evening:
    if where.startswith("postgresql"):  # beside the other, a process for each file shows no more
        here = lambda module, path, seal: opened(read_dispute(path), seal)  # noqa: E731
        monkeypatch.setattr(files_api, "looked_at_apart", here)
    made = Evening(app, tmp_path, tables=1, players=4)
    table, uplink = made.tables[0], made.uplinks[0]

    def pack(entries: Sequence[Entry], hand: int, pictures: bool) -> bytes:
        page = partial(dispute_page, made_t=1.0, signer=table.key.fingerprint)
        return pack_dispute(
            entries, hand, made_t=1.0, program=program_version(), page=page, key=table.key
        )

    uplink._files = Sending(pack, uplink._line, table.key, app.extensions["hub_key"].public)
    table.play(2)
    made.up()
    return made


def listed(evening: Evening) -> dict[str, Any]:
    (row,) = evening.director.get("/api/desk/files").get_json()["files"]
    return dict(row)


def asked(evening: Evening, hand: int = 1) -> None:
    evening.do("file/ask", table=hall(evening.base)[0].id, hand=hand)
    evening.up()


def said_of(evening: Evening, file: int) -> dict[str, list[str]]:
    status, said = evening.director.give("/api/desk/file/verify", file=file, seal="")
    assert status == 200, said
    found: dict[str, list[str]] = {"ok": [], "NO": [], "--": []}
    for row in said["findings"]:  # type: ignore[attr-defined]
        found[row["mark"]].append(row["text"]["en"])
    return found


def test_a_file_opens_at_the_hub_as_at_the_table(evening: Evening) -> None:
    asked(evening)
    row = listed(evening)
    answer = kept_orders(evening.tables[0].entries())[-1].answer
    assert (answer["digest"], answer["size"]) == (row["digest"], row["size"])
    found = said_of(evening, row["file"])
    assert found["NO"] == []
    for sentence in (
        "Signed by Table 1's own key.",
        "It is of hand 1, as asked.",
        "Its log is the one that the club holds.",
    ):
        assert sentence in found["ok"]
    page = evening.director.get(f"/api/desk/file/{row['file']}/hand")
    assert "Hand 1" in page.text
    assert "sandbox" in page.headers["Content-Security-Policy"]
    whole = evening.director.get(f"/api/desk/file/{row['file']}/dispute.zip").data
    assert len(whole) == row["size"]
    assert evening.director.get(f"/api/desk/file/{row['file']}/evidence/x.jpg").status_code == 404
    assert evening.director.get("/desk/file/99").status_code == 404
    assert evening.director.get(f"/desk/file/{row['file']}").status_code == 200


def test_the_file_of_a_hand_that_is_played_waits_and_tells_nothing_of_the_next(
    evening: Evening,
) -> None:
    table = evening.tables[0]
    second = len(table.record.entries)
    table.play(2)
    played = [each.event for each in table.record.entries[second:]]
    # A third hand is dealt and goes on.
    dealt = next(n for n, each in enumerate(played) if isinstance(each, HandStarted))
    start = [each for each in played[: dealt + 1] if not isinstance(each, Attested)]
    third = [
        HandStarted(**{**_fields(each), "hand": 3}) if isinstance(each, HandStarted) else each
        for each in start
    ]
    table.tell(*third)  # type: ignore[arg-type]
    assert table.snapshot.state.is_running
    asked(evening, hand=3)
    assert (listed(evening)["file"], listed(evening)["refused"]) == (None, "")
    with evening.base.connect() as connection:
        assert connection.execute(select(func.count()).select_from(pieces)).scalar_one() == 0
    evening.do("file/ask", table=hall(evening.base)[0].id, hand=2)
    evening.up()
    newest = evening.director.get("/api/desk/files").get_json()["files"][0]
    assert newest["hand"] == 2
    free = whole_hands(table.snapshot, table.entries())
    found = said_of(evening, newest["file"])
    assert found["NO"] == []
    packed = evening.director.get(f"/api/desk/file/{newest['file']}/dispute.zip").data
    (evening.tables[0].path.parent / "got.zip").write_bytes(packed)
    from table_assist.record.dispute.file import read_dispute

    assert len(read_dispute(evening.tables[0].path.parent / "got.zip").entries) == free


def _fields(event: HandStarted) -> dict[str, Any]:
    return {name: getattr(event, name) for name in event.__match_args__}


def test_a_hand_that_never_was_is_refused(evening: Evening) -> None:
    asked(evening, hand=9)
    evening.up()
    assert listed(evening)["refused"] == "there is no hand 9"
    assert evening.director.give("/api/desk/file/ask", table=99, hand=1)[0] == 409


def test_a_file_whose_answer_is_lost_is_whole_in_the_end(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("table_assist.club.sending.PIECE_BYTES", 1000)
    line, uplink = line_of(evening.uplinks[0]), evening.uplinks[0]
    evening.do("file/ask", table=hall(evening.base)[0].id, hand=1)
    calls = 0
    ask = line.ask

    def faulty(path: str, body: bytes | None = None, signature: bytes = b"") -> tuple[str, bytes]:
        nonlocal calls
        if path.endswith("/file"):
            calls += 1
            line.fault = {3: "after", 6: "before"}.get(calls, "")
        return ask(path, body, signature)

    monkeypatch.setattr(line, "ask", faulty)
    for _ in range(4):
        try:
            sent_up(uplink)
        except CallError:
            continue
    assert calls > 8
    row = listed(evening)
    assert said_of(evening, row["file"])["NO"] == []


def test_nobody_sends_what_was_not_asked_for(evening: Evening, tmp_path: Path) -> None:
    app, table = evening.app, evening.tables[0]
    line = HallLine(app)

    def send(head: dict[str, Any], content: bytes, key: Any = None) -> None:
        body = json.dumps(head).encode() + b"\n" + content
        line.ask("/api/uplink/file", body, (key or table.key).sign(FILE_PURPOSE, body))

    head = {"order": "0" * 32, "digest": "0" * 64, "size": 3, "at": 0}
    evening.do("file/ask", table=hall(evening.base)[0].id, hand=1)
    (order,) = [row for row in _orders(evening) if row["kind"] == OrderKind.DISPUTE]
    for wrong in (
        {**head, "order": order["key"], "size": 30_000_000},
        {**head, "order": order["key"], "at": 3},
        {**head, "order": order["key"], "digest": "x"},
        {**head, "order": 7},
        head,
    ):
        with pytest.raises(CallError, match="400"):
            send(wrong, b"abc")
    from table_assist.trust.installation import key_of_secret, new_secret

    with pytest.raises(CallError, match="400"):
        send({**head, "order": order["key"]}, b"abc", key_of_secret(new_secret()))
    # Bytes that are not what their digest says are forgotten again.
    send({**head, "order": order["key"]}, b"abc")
    with evening.base.connect() as connection:
        assert connection.execute(select(func.count()).select_from(files)).scalar_one() == 0
    assert refused_so_far(evening.base)["malformed"] == 6


def _orders(evening: Evening) -> list[dict[str, Any]]:
    rows = evening.director.get("/api/desk/orders").get_json()["orders"]
    return [json.loads(row["order"]) for row in rows]


def test_a_file_that_another_key_signed_is_told(evening: Evening) -> None:
    asked(evening)
    with evening.base.begin() as connection:
        connection.execute(update(hub_tables).values(key="f" * 64))
        connection.execute(update(files).values(hand=2))
    found = said_of(evening, listed(evening)["file"])
    assert "It is not signed by Table 1's key." in found["NO"]
    assert "It is not of hand 2, which was asked for." in found["NO"]
