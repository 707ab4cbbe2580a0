"""Seats: a draw with its defects before it is accepted, rounds as they are planned, tables told."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from flask import Blueprint, Flask, Response, current_app

from table_assist.club.balanced import balanced
from table_assist.club.hub.desk import hall
from table_assist.club.hub.ledger import Ledger
from table_assist.club.hub.numbers import MOST
from table_assist.club.hub.people import all_players, all_sessions
from table_assist.club.hub.plans import accept, planned, seat
from table_assist.club.hub.roster import roster_of
from table_assist.club.seating import (
    LEAST,
    SeatingError,
    by_interval,
    by_swiss,
    defects,
    drawn,
    sitting_out,
)
from table_assist.club.winds import Plan
from table_assist.club.written import read_plan
from web.access import guard
from web.access.asker import BODY_LIMIT
from web.access.roles import Role, require, viewer
from web.answers import json_answer
from web.api.bodies import Field, choice, flag, optional, takes, text, whole
from web.api.json_schema import list_of, whole_number
from web.club.shared import base, csv_answer
from web.club.words import HALL, SEATING
from web.pages.shell import render
from web.refusal import refuse

blueprint = Blueprint("seating", __name__)

MOST_SEATS = 400 * 40  # of a plan
BALANCED_S = 20.0
MOST_CSV = 60_000
KINDS = ("balanced", "random", "swiss", "interval")
_TABLE = list_of(whole_number(1, MOST), 4, 4)
_PLAN = list_of(list_of(_TABLE, 1, MOST_SEATS // 4), 1, MOST_SEATS // 4)


def init_app(app: Flask) -> None:
    """Give the app its seats."""
    app.register_blueprint(blueprint)


@blueprint.get("/seating")
@require(Role.TELEVISION)
def page() -> str:
    """The page of the seats, large: for the television and for paper."""
    return render("hall_seating.html", words={**HALL, **SEATING}, view="seating")


@blueprint.get("/api/seating/<number:session>")
@require(Role.TELEVISION)
def seating(session: int) -> Response:
    """The rounds of a session: for each table the four players, East first."""
    name, rounds = rounds_of(session)
    return json_answer({"name": name, "rounds": rounds})


@blueprint.get("/api/seating/<number:session>.csv")
@require(Role.TELEVISION)
def seating_csv(session: int) -> Response:
    """The same for a spreadsheet."""
    rows = [
        (each["round"], table["table"], *table["players"])
        for each in rounds_of(session)[1]
        for table in each["tables"]
    ]
    return csv_answer(("round", "table", "east", "south", "west", "north"), rows)


def rounds_of(session: int) -> tuple[str, list[dict[str, Any]]]:
    """A session's name and its rounds; hidden players by their numbers, for everybody."""
    engine = base()
    name = next((row.name for row in all_sessions(engine) if row.id == session), None)
    if name is None:
        refuse(404, "There is no such session.", "没有此场次。")
    names = {row.id: row.number if row.hidden else row.name for row in all_players(engine)}
    tables, roster = [each.name for each in hall(engine)], roster_of(engine, session)
    return name, [
        {"round": each.round, "seated": each.seated, "tables": [
            {"table": tables[n] if n < len(tables) else str(n + 1),
             "players": [names.get(roster.sits_for(player, each.round) or 0, "–")
                         for player in row]}
            for n, row in enumerate(each.tables)
        ]}
        for each in planned(engine, session)
    ]  # fmt: skip


@blueprint.post("/api/desk/draw")
@require(Role.ADMIN)
@takes(
    whole("session", 1, MOST),
    choice("kind", *KINDS),
    whole("rounds", 1, 40),
    text("seed", 40, least=0),
    optional(flag("sit_out"), False),
)
def draw(session: int, kind: str, rounds: int, seed: str, *, sit_out: bool) -> Response:
    """Propose seats for all who are there, with every defect counted; nothing is kept yet.

    Rounds that are planned and not seated are drawn anew. Swiss and interval make the next round
    from the standings, whatever number was asked for.

    Args:
        sit_out: where they do not fill tables of four, who sat most often sits out one round.
    """
    engine = base()
    every = planned(engine, session)
    first = max((each.round for each in every if each.seated), default=0) + 1
    before = tuple(each.tables for each in every if each.round < first)
    players = roster_of(engine, session).to_draw(first)
    out = sitting_out(players, before, seed) if sit_out and len(players) > LEAST else []
    if out and rounds > 1 and kind in ("balanced", "random"):
        raise SeatingError(
            "{count} players sit out: draw one round at a time",
            "{count} 人轮空：请逐轮排座",
            count=len(out),
        )
    there = [player for player in players if player not in out]
    plan = _plan(kind, there, rounds, seed, session, before)
    names = {row.id: row.name for row in all_players(engine)}
    return json_answer(
        {
            "first": first,
            "plan": plan,
            "out": [names[player] for player in out],
            "names": [[[names[p] for p in table] for table in each] for each in plan],
            "defects": asdict(defects((*before, *plan))),
        }
    )


@blueprint.post("/api/desk/plan/check")
@require(Role.ADMIN)
@guard.up_to(BODY_LIMIT)
@takes(whole("session", 1, MOST), text("csv", MOST_CSV))
def check(session: int, csv: str) -> Response:
    """Read a plan that was written as CSV, with its defects counted; nothing is kept yet."""
    engine = base()
    rows = all_players(engine)
    often = Counter(row.name for row in rows)
    alone = {row.name: row.id for row in rows if often[row.name] == 1}
    numbers = alone | {row.number: row.id for row in rows}
    first, plan = read_plan(csv, numbers)
    names, roster = {row.id: row.name for row in rows}, roster_of(engine, session)
    before = tuple(each.tables for each in planned(engine, session) if each.round < first)
    odd = []
    for number, each in enumerate(plan, start=first):
        there, seated = set(roster.to_draw(number)), {p for table in each for p in table}
        odd.append(
            {
                "round": number,
                "out": sorted(names[player] for player in there - seated),
                "absent": sorted(names[player] for player in seated - there),
            }
        )
    return json_answer(
        {
            "first": first, "plan": plan, "out": [],
            "rounds": [each for each in odd if each["out"] or each["absent"]],
            "names": [[[names[p] for p in table] for table in each] for each in plan],
            "defects": asdict(defects((*before, *plan))),
        }
    )  # fmt: skip


@blueprint.post("/api/desk/plan")
@require(Role.ADMIN)
@guard.up_to(BODY_LIMIT)
@takes(
    whole("session", 1, MOST),
    whole("first", 1, 999),
    Field("plan", _PLAN, lambda rows: _read_plan(rows)),
)
def keep(session: int, first: int, plan: Plan) -> Response:
    """Accept a plan from a round on."""
    if not any(row.id == session for row in all_sessions(base())):
        refuse(404, "There is no such session.", "没有此场次。")
    accept(base(), session, first, plan, viewer().by)
    return json_answer({"done": True})


@blueprint.post("/api/desk/round")
@require(Role.ADMIN)
@takes(whole("session", 1, MOST), whole("round", 1, 999))
def round_begins(session: int, round: int) -> Response:
    """Tell the tables who plays at them in this round, from their next hand on."""
    key = current_app.extensions["hub_key"]
    told = seat(base(), key, session, round, viewer().by)
    return json_answer({"told": told})


def _plan(
    kind: str, players: Sequence[int], rounds: int, seed: str, session: int, before: Plan
) -> Plan:
    if kind == "balanced":
        return balanced(players, rounds, seed, BALANCED_S)
    if kind == "random":
        return drawn(players, rounds, seed)
    ledger: Ledger = current_app.extensions["ledger"]
    ranked = [each.player for each in ledger.standing(session) if each.player in players]
    ranked += [player for player in players if player not in ranked]
    return (by_swiss(ranked, before) if kind == "swiss" else by_interval(ranked),)


def _read_plan(rows: list[list[list[int]]]) -> Plan:
    plan = tuple(tuple((a, b, c, d) for a, b, c, d in tables) for tables in rows)
    if sum(4 * len(tables) for tables in plan) > MOST_SEATS:
        refuse(400, "The plan is too long.", "座位表太长。")
    return plan
