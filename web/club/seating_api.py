"""Seats and rounds: rosters, draws with their defects, tables told, rounds ended, rule profiles."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict
from functools import partial

from flask import Blueprint, Response

from table_assist.club.acts import CountsFor
from table_assist.club.hub.database import LARGEST_WHOLE
from table_assist.club.hub.desk import PeopleError, hall
from table_assist.club.hub.people import all_players, all_sessions
from table_assist.club.hub.rounds import (
    ask,
    changed_since,
    finish,
    known_profiles,
    name_profile,
    profile_of,
    profile_of_file,
    stands,
)
from table_assist.club.hub.seats import (
    accept,
    come_back,
    enter,
    finished,
    miss,
    planned,
    roster_of,
    seat,
    seats_of,
    stand_in,
)
from table_assist.club.seating import (
    LEAST_SEATED,
    Plan,
    SeatingError,
    balanced,
    by_interval,
    by_swiss,
    defects,
    drawn,
    read_plan,
    sitting_out,
)
from table_assist.languages.words import words_view
from web.access import guard
from web.access.limits import REQUEST_LIMIT
from web.access.roles import Role, require, viewer
from web.answers import json_answer
from web.api.bodies import Field, choice, flag, optional, takes, text, whole, wholes
from web.api.json_schema import list_of, whole_number
from web.club import shared
from web.club.desk_api import names_of, rounds
from web.club.shared import (
    FIRST_FIELD,
    LAST_FIELD,
    MOST_ROUND,
    PLAYER,
    ROUND_FIELD,
    SESSION,
    Listed,
    Told,
    base,
    foreign,
    hub_key,
    ledger,
)
from web.refusal import refuse

blueprint = Blueprint("seating", __name__)
command = partial(shared.command, blueprint)
does = partial(shared.does, blueprint)
shown = partial(shared.shown, blueprint)
listed = partial(shared.listed, blueprint)

MOST_SEATS = 400 * 40  # of a plan
BALANCED_S = 20.0
MOST_CSV = 60_000
SEATING_KINDS = ("balanced", "random", "swiss", "interval")
_SEATS_OF_FOUR = list_of(whole_number(1, LARGEST_WHOLE), 4, 4)
_PLAN = list_of(list_of(_SEATS_OF_FOUR, 1, MOST_SEATS // 4), 1, MOST_SEATS // 4)


@listed("/api/seating/<number:session>", "round", "table", "east", "south", "west", "north")
def seating(session: int) -> Listed:
    """The rounds of a session: for each table the four players, East first."""
    name, rounds = rounds_of(session)
    rows = (
        (each["round"], table["table"], *table["players"])
        for each in rounds
        for table in each["tables"]
    )
    return {"name": name, "rounds": rounds}, rows


def rounds_of(session: int) -> tuple[str, list[Told]]:
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


@command(
    "draw",
    Role.ADMIN,
    SESSION,
    choice("kind", *SEATING_KINDS),
    whole("rounds", 1, 40),
    text("seed", 40, least=0),
    optional(flag("sit_out"), False),
)
def draw(session: int, kind: str, rounds: int, seed: str, *, sit_out: bool) -> Told:
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
    out = sitting_out(players, before, seed) if sit_out and len(players) > LEAST_SEATED else []
    if out and rounds > 1 and kind in ("balanced", "random"):
        raise SeatingError(
            "{count} players sit out: draw one round at a time",
            "{count} 人轮空：请逐轮排座",
            count=len(out),
        )
    there = [player for player in players if player not in out]
    if kind == "balanced":
        plan = balanced(there, rounds, seed, BALANCED_S)
    elif kind == "random":
        plan = drawn(there, rounds, seed)
    else:
        ranked = [each.player for each in ledger().standing(session) if each.player in there]
        ranked += [player for player in there if player not in ranked]
        plan = (by_swiss(ranked, before) if kind == "swiss" else by_interval(ranked),)
    names = {row.id: row.name for row in all_players(engine)}
    return _planned(first, plan, before, names) | {"out": [names[player] for player in out]}


def _planned(first: int, plan: Plan, before: Plan, names: Mapping[int, str]) -> dict[str, object]:
    return {
        "first": first,
        "plan": plan,
        "names": [[[names[p] for p in table] for table in each] for each in plan],
        "defects": asdict(defects((*before, *plan))),
    }


@blueprint.post("/api/desk/plan/check")
@require(Role.ADMIN)
@guard.up_to(REQUEST_LIMIT)
@takes(SESSION, text("csv", MOST_CSV))
def check(session: int, csv: str) -> Response:
    """Read a plan that was written as CSV, with its defects counted; nothing is kept yet."""
    engine = base()
    rows = all_players(engine)
    often = Counter(row.name for row in rows)
    alone = {row.name: row.id for row in rows if often[row.name] == 1}
    first, plan = read_plan(csv, alone | {row.number: row.id for row in rows})
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
    rounds = [each for each in odd if each["out"] or each["absent"]]
    return json_answer(_planned(first, plan, before, names) | {"out": [], "rounds": rounds})


@blueprint.post("/api/desk/plan")
@require(Role.ADMIN)
@guard.up_to(REQUEST_LIMIT)
@takes(SESSION, FIRST_FIELD, Field("plan", _PLAN, lambda rows: _read_plan(rows)))
def keep(session: int, first: int, plan: Plan) -> Response:
    """Accept a plan from a round on."""
    if not any(row.id == session for row in all_sessions(base())):
        refuse(404, "There is no such session.", "没有此场次。")
    accept(base(), session, first, plan, viewer().by)
    return json_answer({"done": True})


does("round", Role.ADMIN, seat, SESSION, ROUND_FIELD, tells="told")


def _read_plan(rows: list[list[list[int]]]) -> Plan:
    plan = tuple(tuple((a, b, c, d) for a, b, c, d in tables) for tables in rows)
    if sum(4 * len(tables) for tables in plan) > MOST_SEATS:
        refuse(400, "The plan is too long.", "座位表太长。")
    return plan


MOST_PLAYERS = 5000


@shown("/api/desk/roster/<number:session>", Role.REFEREE)
def roster(session: int) -> Told:
    """Everybody of a session: whether they are there in the round that is due, and who sits."""
    engine = base()
    found = roster_of(engine, session)
    seated = [each.round for each in planned(engine, session) if each.seated]
    due = max(seated, default=0) + 1
    names = {row.id: row.name for row in all_players(engine)}
    return {
        "now": due - 1,
        "players": [
            {
                "player": player, "name": name, "first": found.entered.get(player, 0),
                "absent": found.is_absent(player, due),
                "absent_now": found.is_absent(player, due - 1),
                "sits": found.sits_for(player, due),
            }
            for player, name in names.items()
        ],
        "missing": (4 - len(found.to_draw(due)) % 4) % 4,
        "can_play": len(found.to_draw(due)),
        "stand_ins": [
            {
                "player": names.get(each.player, ""), "by": names.get(each.by, ""),
                "when": words_view(rounds(
                    {"first": each.first, "last": each.last if each.last <= MOST_ROUND else 0}
                )),
                "for_replaced": each.counts_for is CountsFor.REPLACED
            }
            for each in found.stand_ins
        ],
    }  # fmt: skip


does(
    "entrants",
    Role.ADMIN,
    enter,
    SESSION,
    wholes("players", 1, MOST_PLAYERS, LARGEST_WHOLE),
    FIRST_FIELD,
)
does("absent", Role.ADMIN, miss, SESSION, PLAYER, FIRST_FIELD, LAST_FIELD)
does("here", Role.ADMIN, come_back, SESSION, PLAYER, FIRST_FIELD)


@command(
    "stand-in",
    Role.ADMIN,
    SESSION,
    PLAYER,
    whole("by", 1, LARGEST_WHOLE),
    FIRST_FIELD,
    LAST_FIELD,
    choice("counts_for", *CountsFor),
)
def stands_in(session: int, player: int, by: int, first: int, last: int, counts_for: str) -> None:
    """Somebody plays for a player; at a table that sits already, from its next hand on."""
    stand_in(
        base(), hub_key(), session, player, by, (first, last), CountsFor(counts_for), viewer().by
    )


MOST_FILE = 20_000


@shown("/api/desk/rounds/<number:session>", Role.REFEREE)
def rounds_now(session: int) -> Told:
    """The latest round that sits, table by table, and how earlier ones ended."""
    engine, names, over = base(), names_of(base()), finished(base(), session)
    seated = {each.round for each in seats_of(engine, session)}
    seated |= {each.round for each in planned(engine, session) if each.seated}
    latest = max(seated, default=0)
    tables = []
    if latest and latest not in over:
        try:
            tables = stands(engine, ledger(), session, latest)
        except PeopleError:
            tables = []  # its seats were taken back
    return {
        "round": latest,
        "tables": [
            {
                "table": each.table,
                "name": each.name,
                "agrees": not each.why_not,
                "why_not": [words_view(why) for why in each.why_not],
                "head": dict(zip(("epoch", "seq", "seal"), each.head, strict=True)),
            }
            for each in tables
        ],
        "finished": [
            {
                "round": round,
                "by": done.by,
                "at": done.at,
                "reason": done.content["reason"],
                "against": done.content["against"],
                "changed": [names.table(table) for table in changed_since(ledger(), done)],
            }
            for round, done in sorted(over.items(), reverse=True)
        ],
    }


does("round/ask", Role.ADMIN, ask, SESSION, ROUND_FIELD, tells="asked")


@command("round/finish", Role.ADMIN, SESSION, ROUND_FIELD, text("reason", 200, least=0))
def finishes(session: int, round: int, reason: str) -> None:
    """End a round: where every table agrees; else only with a reason, which stays on record."""
    given = reason.strip()
    odd = finish(base(), ledger(), session, round, given, viewer().by)
    if odd and not given:
        names = ", ".join(each.name for each in odd)
        refuse(409, "Not every table agrees: {names}.", "并非各桌一致：{names}。", names=names)


@shown("/api/desk/profiles/<number:session>", Role.REFEREE)
def profiles(session: int) -> Told:
    """By which rule profile a session is played, which there are, and hands played by another."""
    engine = base()
    wanted = profile_of(engine, session)
    return {
        "wanted": wanted and {"hash": wanted.hash, "names": words_view(wanted.names)},
        "known": [
            {"id": each.hash, "names": words_view(each.names)} for each in known_profiles(engine)
        ],
        "foreign": foreign(session),
    }


@command(
    "profile", Role.ADMIN, SESSION, text("hash", 64, least=0), text("file", MOST_FILE, least=0)
)
def profile(session: int, hash: str, file: str) -> None:
    """Name the rule profile of a session: one that is known, or a table's file; tables compare."""
    engine = base()
    if not any(row.id == session for row in all_sessions(engine)):
        refuse(404, "There is no such session.", "没有此场次。")
    wanted = profile_of_file(file) if file.strip() else None
    wanted = wanted or next((each for each in known_profiles(engine) if each.hash == hash), None)
    if wanted is None:
        refuse(404, "There is no such rule profile.", "没有此规则档。")
    name_profile(engine, hub_key(), session, wanted, viewer().by)
