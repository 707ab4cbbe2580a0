"""Standings are what the entries say, and add up to zero."""

from collections.abc import Iterable
from pathlib import Path
from random import Random

import pytest
from flask import Flask
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import update

from table_assist.club.hub.database import entries
from table_assist.club.hub.desk import PeopleError, all_acts, hall
from table_assist.club.hub.ledger import Ledger
from table_assist.club.hub.people import (
    all_players,
    begin_session,
    correct,
    read_players,
    take_players,
)
from table_assist.club.hub.undoing import undo
from table_assist.club.orders import Order, OrderKind
from table_assist.club.standing import Folding, IsOrdered, ToldStanding
from table_assist.game.events import Penalised, SeatsChanged, Settled
from table_assist.game.fold import apply
from table_assist.game.people import by_person
from table_assist.game.state import TableState
from table_assist.languages.words import NOTHING, Words
from table_assist.record.log import Entry, Source, effective
from tests.stages.club_table import ClubTable, give_order, joined, sent_up
from tests.stages.evenings import RULE_SETS, handler_of, mistake, played, record_of

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


@settings(max_examples=12, deadline=None)
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
