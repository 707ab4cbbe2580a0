"""The staff's desk: lets tables in, seats players, answers calls, corrects, publishes."""

from flask import Blueprint, Flask, Response, current_app

from table_assist.club.hub import desk, people, telling
from table_assist.club.hub.base import now_at
from table_assist.club.hub.ledger import Ledger, Sum
from table_assist.club.hub.numbers import MOST
from table_assist.club.hub.signed_checkpoints import heads_hold
from table_assist.club.hub.staff import open_link
from table_assist.contract.view import words_view
from table_assist.languages.words import Words
from web.access import guard
from web.access.asker import BODY_LIMIT
from web.access.pairing_sessions import NAME_LIMIT
from web.access.roles import Role, require, viewer
from web.answers import MOST_INT, json_answer
from web.api.bodies import flag, four, takes, text, whole
from web.club.shared import base, hub_key
from web.club.staff import COOKIE
from web.club.words import ALARMS
from web.refusal import refuse

blueprint = Blueprint("desk", __name__)

MOST_POINTS = 1_000_000
MOST_CSV = 60_000
COOKIE_S = 86_400


def init_app(app: Flask) -> None:
    """Give the app the staff's commands."""
    app.register_blueprint(blueprint)


@blueprint.post("/api/desk/enter")
@require(Role.TELEVISION)
@takes(text("link", 100))
def enter(link: str) -> Response:
    """Come in by a link of the staff's; it opens once."""
    cookie = open_link(base(), link)
    if cookie is None:
        refuse(403, "This link opens nothing (any more).", "此链接无效或已用过。")
    answer = json_answer({"done": True})
    answer.set_cookie(
        COOKIE, cookie, max_age=COOKIE_S, httponly=True, samesite="Strict",
        secure=current_app.config.get("TABLE_TLS") is not None,
    )  # fmt: skip
    return answer


@blueprint.get("/api/desk")
@require(Role.REFEREE)
def state() -> Response:
    """Everything that the staff must see to."""
    engine, now = base(), now_at(base())
    return json_answer(
        {
            "now": now,
            "waiting": desk.waiting_tables(engine),
            "tables": [
                {"id": each.id, "name": each.name, "age_s": round(now - each.seen, 1),
                 "have": each.have, "view": dict(each.view)}
                for each in desk.hall(engine)
            ],
            "calls": [
                {"call": row.key, "table": row.name, "reason": row.reason,
                 "waits_s": round(now - row.at), "going": row.going}
                for row in desk.open_calls(engine)
            ],
            "alarms": [
                {
                    "alarm": row.id,
                    "table": row.name,
                    "says": words_view(ALARMS[row.kind]),
                    "told": row.told,
                }
                for row in desk.open_alarms(engine)
            ],
            "wrong": _wrong(),
            "refused": desk.refused_so_far(engine),
            "sessions": [
                {"id": row.id, "name": row.name, "public": row.public}
                for row in people.all_sessions(engine)
            ],
            "players": [
                {"id": row.id, "name": row.name, "number": row.number}
                for row in people.all_players(engine)
            ],
        }
    )  # fmt: skip


@blueprint.get("/api/desk/wrong")
@require(Role.REFEREE)
def wrong() -> Response:
    """Answer with the faults of databases, hub processes and clocks; it waits for none of them."""
    return json_answer({"wrong": _wrong()})


def _wrong() -> list[dict[str, str]]:
    return [words_view(each) for each in current_app.extensions["watch"].wrong]


@blueprint.post("/api/desk/let-in")
@require(Role.ADMIN)
@takes(text("code", 16), text("name", NAME_LIMIT))
def let_in(code: str, name: str) -> Response:
    """Let the table in that shows this code."""
    if not desk.let_in(base(), code.strip().upper(), name.strip(), viewer().by):
        refuse(
            409,
            "No table shows this code now. One that does within five minutes is let in.",
            "现在没有牌桌显示此代码。五分钟内出现的牌桌将被接纳。",
        )
    return _done()


@blueprint.post("/api/desk/send-out")
@require(Role.ADMIN)
@takes(whole("table", 1, MOST))
def send_out(table: int) -> Response:
    """Let a table go; what it sent stays."""
    desk.send_out(base(), table, viewer().by)
    return _done()


@blueprint.post("/api/desk/message")
@require(Role.REFEREE)
@takes(text("words", 200))
def message(words: str) -> Response:
    """Tell all tables something."""
    telling.tell_all(base(), hub_key(), words, viewer().by)
    return _done()


@blueprint.post("/api/desk/ruling")
@require(Role.REFEREE)
@takes(
    whole("table", 1, MOST),
    whole("seat", 0, 3),
    four("transfers", -MOST_POINTS, MOST_POINTS),
    text("reason", 200),
)
def ruling(table: int, seat: int, transfers: tuple[int, ...], reason: str) -> Response:
    """Have a table carry out a ruling; its log holds it with the hub's signature."""
    if sum(transfers):
        refuse(400, "The four points must add up to 0.", "四家分数之和须为 0。")
    telling.rule(base(), hub_key(), table, seat, transfers, reason, viewer().by)
    return _done()


@blueprint.post("/api/desk/call/go")
@require(Role.REFEREE)
@takes(text("call", 32))
def go(call: str) -> Response:
    """Say that one goes to a table."""
    if not desk.go_to(base(), call, viewer().by):
        refuse(409, "Somebody goes already, or the call is over.", "已有人前往，或呼叫已结束。")
    return _done()


@blueprint.post("/api/desk/call/over")
@require(Role.REFEREE)
@takes(text("call", 32))
def over(call: str) -> Response:
    """Say that a call is over; the table is told."""
    desk.end_call(base(), hub_key(), call, viewer().by)
    return _done()


@blueprint.post("/api/desk/alarm")
@require(Role.ADMIN)
@takes(whole("alarm", 1, MOST_INT))
def alarm(alarm: int) -> Response:
    """Say that one has seen to an alarm; it stays on record."""
    desk.see_to(base(), alarm, viewer().by)
    return _done()


@blueprint.post("/api/desk/players")
@require(Role.ADMIN)
@guard.up_to(BODY_LIMIT)
@takes(text("csv", MOST_CSV))
def players(csv: str) -> Response:
    """Add players, a line each; who has a known number is renamed."""
    new, known = people.take_players(base(), csv, viewer().by)
    return json_answer({"new": new, "known": known})


@blueprint.post("/api/desk/session")
@require(Role.ADMIN)
@takes(text("name", 80))
def session(name: str) -> Response:
    """Begin a session or tournament."""
    return json_answer({"session": people.begin_session(base(), name, viewer().by)})


@blueprint.post("/api/desk/publish")
@require(Role.ADMIN)
@takes(whole("session", 1, MOST), flag("public"))
def publish(session: int, *, public: bool) -> Response:
    """Show a session's standings to everybody, or hold them back."""
    people.publish(base(), session, viewer().by, public=public)
    return _done()


@blueprint.post("/api/desk/seats")
@require(Role.ADMIN)
@takes(
    whole("session", 1, MOST),
    whole("round", 1, 999),
    whole("table", 1, MOST),
    four("players", 1, MOST),
)
def seats(session: int, round: int, table: int, players: tuple[int, ...]) -> Response:
    """Seat four players at a table, from its next hand on."""
    telling.seat_four(base(), hub_key(), session, round, table, players, viewer().by)
    return _done()


@blueprint.post("/api/desk/correct")
@require(Role.ADMIN)
@takes(
    whole("session", 1, MOST),
    whole("player", 1, MOST),
    whole("points", -MOST_POINTS, MOST_POINTS),
    text("reason", 200),
)
def correct(session: int, player: int, points: int, reason: str) -> Response:
    """Add points to a player's standing, with the reason."""
    people.correct(base(), session, player, points, reason, viewer().by)
    return _done()


@blueprint.get("/api/desk/reconciled")
@require(Role.REFEREE)
def reconciled() -> Response:
    """Answer with the sums that must be zero: all entries are read and checked anew."""
    rows = Ledger(base()).reconciled()
    minutes, fault = heads_hold(base(), hub_key())
    borne_out = Words(
        "{minutes} minutes, all borne out", "{minutes} 分钟，全部相符", minutes=minutes
    )
    noted = Words("noted each minute", "每分钟的记录")
    rows.append(Sum(noted, not fault, fault or borne_out))
    return json_answer(
        {"rows": [
            {"what": words_view(each.what), "holds": each.holds, "figures": words_view(each.told)}
            for each in rows
        ]}
    )  # fmt: skip


@blueprint.get("/api/desk/orders")
@require(Role.REFEREE)
def orders() -> Response:
    """The latest orders, with what became of them."""
    rows = desk.given_orders(base())
    return json_answer(
        {"orders": [
            {"table": row.name, "order": row.order, "at": row.at, "entry": row.seq,
             "refused": row.refused}
            for row in rows
        ]}
    )  # fmt: skip


def _done() -> Response:
    return json_answer({"done": True})
