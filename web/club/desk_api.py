"""The staff's desk: tables, calls, rulings, players, clock, plan, and taking it all back."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from flask import Blueprint, Response, current_app
from sqlalchemy import Engine, select

from table_assist.club.acts import ActKind, CountsFor, DeskAct
from table_assist.club.hub import desk, people
from table_assist.club.hub.database import LARGEST_WHOLE, now_at, read, tables
from table_assist.club.hub.desk import GRAVE, all_acts, open_link
from table_assist.club.hub.ledger import Ledger, Sum, heads_hold
from table_assist.club.hub.people import all_players, all_sessions
from table_assist.club.hub.rounds import alarm_late, place
from table_assist.club.hub.seats import seat_four
from table_assist.club.hub.undoing import undo
from table_assist.languages.words import Words, isolated, phrase, words_view
from web.access import guard
from web.access.limits import REQUEST_LIMIT
from web.access.pairing_sessions import NAME_LIMIT
from web.access.roles import Role, require, viewer
from web.answers import MOST_INT, json_answer
from web.api.bodies import flag, four, takes, text, whole
from web.club import shared
from web.club.shared import (
    CLUB_COOKIE,
    PLAYER,
    ROUND_FIELD,
    SESSION,
    TABLE,
    Told,
    base,
    hub_key,
    picked,
    wrong_now,
)
from web.language import page_words
from web.refusal import refuse

# With what the act's content holds, names instead of numbers.
_SENTENCES = {
    ActKind.ENTER: phrase("desk_api.players_enter_from_round"),
    ActKind.ABSENT: Words("{who} is not there {when}", "{when} {who} 缺席"),
    ActKind.HERE: Words("{who} is there from round {first} on", "{who} 从第 {first} 轮起到场"),
    ActKind.STAND_IN: phrase("desk_api.plays_for_the_points"),
    ActKind.EXTRA: Words("{table} has {minutes} minutes more", "{table} 加时 {minutes} 分钟"),
    ActKind.PROFILE: phrase("desk_api.all_tables_play"),
    ActKind.PLACE: phrase("desk_api.stands_in_row_column"),
    ActKind.FINISH: phrase("desk_api.round_is_finished_although"),
    ActKind.CORRECT: Words("{who} {points}: {reason}", "{who} {points}：{reason}"),
    ActKind.SEATS: Words("at {table} sit {who}", "{table} 入座：{who}"),
    ActKind.ROUND: phrase("desk_api.round_seated_at_tables"),
    ActKind.PLAN: Words("rounds {first} to {last} planned", "排座：第 {first} 至 {last} 轮"),
    ActKind.MESSAGE: Words("told all tables: {content}", "通知所有牌桌：{content}"),
    ActKind.RULING: phrase("desk_api.ruling"),
    ActKind.LET_IN: Words("{table} let in", "接纳 {table}"),
    ActKind.SEND_OUT: Words("{table} let go", "移除 {table}"),
    ActKind.LIST: phrase("desk_api.players_added_changed"),
    ActKind.BEGIN: Words("session {content} begun", "建立场次 {content}"),
    ActKind.SERIES: Words("{content} made of sessions", "建立赛事或赛季 {content}"),
    ActKind.GO: Words("goes to the call at {table}", "前往 {table} 的呼叫"),
    ActKind.DONE: Words("the call at {table} is done", "{table} 的呼叫已处理完"),
    ActKind.PICTURE: phrase("desk_api.picture_of_hand"),
    ActKind.ALARM: Words("an alarm seen to", "已处理一项警报"),
    ActKind.UNDO: Words("taken back", "撤销"),
}
_STARTS = Words("the clock starts with {minutes} minutes", "开始计时：{minutes} 分钟")
_GOES_ON = Words("the clock goes on at {minutes} minutes", "继续计时：剩 {minutes} 分钟")
_STANDS = Words("the clock stands at {minutes} minutes", "暂停计时：剩 {minutes} 分钟")
_AGREED = Words("round {round} is finished; every table agrees", "第 {round} 轮结束，各桌一致")


@dataclass(frozen=True, slots=True)
class Names:
    """The names of players, tables and sessions, by their numbers."""

    players: Mapping[int, str]
    tables: Mapping[int, str]
    sessions: Mapping[int, str]

    def player(self, number: int) -> str:
        """A player's name."""
        return self.players.get(number, f"#{number}")

    def table(self, number: int) -> str:
        """A table's name; of one that was let go its number."""
        return self.tables.get(number, f"#{number}")


def rounds(content: Mapping[str, Any]) -> Words:
    """From which round to which.

    >>> rounds({"first": 2, "last": 0}).en
    'from round 2 on'
    """
    first, last = content["first"], content["last"]
    if not last:
        return Words("from round {first} on", "从第 {first} 轮起", first=first)
    if last == first:
        return Words("in round {first}", "第 {first} 轮", first=first)
    return Words("in rounds {first} to {last}", "第 {first} 至 {last} 轮", first=first, last=last)


def _sentence(act: DeskAct) -> Words:
    content = act.content
    match act.kind:
        case ActKind.CLOCK:
            return _STARTS if content["starts"] else _GOES_ON if content["running"] else _STANDS
        case ActKind.PUBLISH:
            if content["public"]:
                return Words("standings shown to everybody", "公布排名")
            return Words("standings held back", "暂不公布排名")
        case ActKind.FINISH if not content["reason"]:
            return _AGREED
        case kind:
            return _SENTENCES[kind]


def _told(act: DeskAct, names: Names) -> dict[str, object]:
    """What an act's sentence is filled with."""
    content = act.content
    told: dict[str, object] = dict(content)
    for key, name in (("player", "who"), ("by", "by")):
        if key in content:
            told[name] = names.player(content[key])
    if "table" in content:
        told["table"] = names.table(content["table"])
    told["content"] = content.get("name", content.get("words", content.get("hand")))
    match act.kind:
        case ActKind.ENTER:
            told |= _several(map(names.player, content["players"]))
        case ActKind.SEATS:
            told["who"] = ", ".join(isolated(names.player(each)) for each in content["players"])
        case ActKind.LIST:
            new, changed = content["new"], content["changed"]
            renamed = [
                f"{isolated(before[0])} → {isolated(after[0])}"
                if before[0] != after[0]
                else after[0]
                for _, before, after in changed
            ]
            told |= _several([name for _, name in new] + renamed)
            told |= {"count": len(new), "count_2": len(changed)}
        case ActKind.ABSENT | ActKind.STAND_IN:
            told["when"] = rounds(content)
            is_for_other = content.get("counts_for") == CountsFor.REPLACED
            told["for_whom"] = told["who"] if is_for_other else told.get("by")
        case ActKind.CLOCK:
            told["minutes"] = max(0, round(content["left_s"] / 60))
        case ActKind.EXTRA:
            told["minutes"] = content["seconds"] // 60
        case ActKind.PROFILE:
            told |= {"content": Words(content["en"], content["zh"]), "sign": content["hash"][:8]}
        case ActKind.CORRECT:
            told["points"] = f"{content['points']:+d}"
        case ActKind.RULING:
            told["points"] = " ".join(f"{n:+d}" if n else "0" for n in content["transfers"])
        case ActKind.ROUND:
            told["tables"] = len(content["tables"])
        case ActKind.PLAN:
            told["last"] = content["first"] + content["rounds"] - 1
    return told


def _several(names: Iterable[str]) -> dict[str, object]:
    every = list(names)
    return {
        "count": len(every),
        "who": ", ".join(map(isolated, every[:6])) + (" …" if len(every) > 6 else ""),
    }


blueprint = Blueprint("desk", __name__)
command = partial(shared.command, blueprint)
does = partial(shared.does, blueprint)
shown = partial(shared.shown, blueprint)

MOST_POINTS = 1_000_000
MOST_CSV = 60_000
COOKIE_S = 86_400


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
        CLUB_COOKIE, cookie, max_age=COOKIE_S, httponly=True, samesite="Strict",
        secure=current_app.config.get("TABLE_TLS") is not None,
    )  # fmt: skip
    return answer


@shown("/api/desk", Role.REFEREE)
def state() -> Told:
    """Everything that the staff must see to."""
    engine, now = base(), now_at(base())
    alarm_late(engine, shared.ledger())
    return {
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
                "says": words_view(page_words("alarms")[row.kind]),
                "told": row.told,
                "grave": row.kind in GRAVE,
            }
            for row in desk.open_alarms(engine)
        ],
        "wrong": list(map(words_view, wrong_now())),
        "refused": desk.refused_so_far(engine),
        "sessions": picked(people.all_sessions(engine), "id", "name", "public"),
        "players": picked(people.all_players(engine), "id", "name", "number"),
    }  # fmt: skip


@shown("/api/desk/wrong", Role.REFEREE)
def wrong() -> Told:
    """Answer with the faults of databases, hub processes and clocks; it waits for none of them."""
    return {"wrong": list(map(words_view, wrong_now()))}


@command("let-in", Role.ADMIN, text("code", 16), text("name", NAME_LIMIT))
def let_in(code: str, name: str) -> None:
    """Let the table in that shows this code."""
    if not desk.let_in(base(), code.strip().upper(), name.strip(), viewer().by):
        refuse(409, "No table shows this code now.", "现在没有牌桌显示此代码。")


does("send-out", Role.ADMIN, desk.send_out, TABLE)
does("message", Role.REFEREE, desk.tell_all, text("words", 200))


@command(
    "ruling",
    Role.REFEREE,
    TABLE,
    whole("seat", 0, 3),
    four("transfers", -MOST_POINTS, MOST_POINTS),
    text("reason", 200),
)
def ruling(table: int, seat: int, transfers: tuple[int, ...], reason: str) -> None:
    """Have a table carry out a ruling; its log holds it with the hub's signature."""
    if sum(transfers):
        refuse(400, "The four points must add up to 0.", "四家分数之和须为 0。")
    desk.rule(base(), hub_key(), table, seat, transfers, reason, viewer().by)


does("call/go", Role.REFEREE, desk.go_to, text("call", 32))
does("call/over", Role.REFEREE, desk.end_call, text("call", 32))
does("alarm", Role.ADMIN, desk.see_to, whole("alarm", 1, MOST_INT))


@blueprint.post("/api/desk/players")
@require(Role.ADMIN)
@guard.up_to(REQUEST_LIMIT)
@takes(text("csv", MOST_CSV))
def players(csv: str) -> Response:
    """Add players, a line each; who has a known number is renamed."""
    new, known = people.take_players(base(), csv, viewer().by)
    return json_answer({"new": new, "known": known})


does("session", Role.ADMIN, people.begin_session, text("name", 80), tells="session")
does("publish", Role.ADMIN, people.publish, SESSION, flag("public"))
does("seats", Role.ADMIN, seat_four, SESSION, ROUND_FIELD, TABLE, four("players", 1, LARGEST_WHOLE))
does(
    "correct",
    Role.ADMIN,
    people.correct,
    SESSION,
    PLAYER,
    whole("points", -MOST_POINTS, MOST_POINTS),
    text("reason", 200),
)


@shown("/api/desk/reconciled", Role.REFEREE)
def reconciled() -> Told:
    """Answer with the sums that must be zero: all entries are read and checked anew."""
    rows = Ledger(base()).reconciled()
    minutes, fault = heads_hold(base(), hub_key())
    borne_out = phrase("desk_api.minutes_all_borne_out", minutes=minutes)
    noted = Words("noted each minute", "每分钟的记录")
    rows.append(Sum(noted, not fault, fault or borne_out))
    return {"rows": [
            {"what": words_view(each.what), "holds": each.holds, "figures": words_view(each.told)}
            for each in rows
        ]}  # fmt: skip


@shown("/api/desk/orders", Role.REFEREE)
def orders() -> Told:
    """The latest orders, with what became of them."""
    rows = desk.given_orders(base())
    return {"orders": [
            {"table": row.name, "order": row.order, "at": row.at, "entry": row.seq,
             "refused": row.refused}
            for row in rows
        ]}  # fmt: skip


ACTS_SHOWN = 100  # the latest
# The acts of a referee, who may take them back.
REFEREES = (ActKind.MESSAGE, ActKind.RULING, ActKind.GO, ActKind.DONE)


@shown("/api/desk/acts", Role.REFEREE)
def acts() -> Told:
    """Answer with the acts, the latest first, by whom, and those taken back by whom."""
    engine, may = base(), viewer().may(Role.ADMIN)
    names, every = names_of(engine), all_acts(engine)
    by_id = {each.id: each for each in every}
    rows = []
    for act in list(reversed(every))[:ACTS_SHOWN]:
        of = by_id.get(act.undoes or 0, act)
        said = _sentence(of).filled(**_told(of, names))
        if session := names.sessions.get(of.session, ""):
            said = said.map(lambda text, session=session: f"{session}: {text}")  # type: ignore[misc]
        rows.append({
            "act": act.id, "kind": act.kind, "says": words_view(said), "by": act.by, "at": act.at,
            "undone": act.undone, "undoes": act.undoes,
            "may_undo": act.stands and (may or act.kind in REFEREES),
        })  # fmt: skip
    return {"acts": rows}


@command("undo", Role.REFEREE, whole("act", 1, LARGEST_WHOLE))
def take_back(act: int) -> None:
    """Take one of them back; that is an act itself."""
    engine, extensions = base(), current_app.extensions
    done = next((each for each in all_acts(engine) if each.id == act), None)
    if done is not None and done.kind not in REFEREES and not viewer().may(Role.ADMIN):
        refuse(403, "A director takes this back.", "此项须由管理员撤销。")
    undo(engine, extensions["hub_key"], extensions["ledger"], act, viewer().by)


def names_of(base: Engine) -> Names:
    """The names of everything."""
    rows = read(base, select(tables.c.id, tables.c.name))
    return Names(
        {row.id: row.name for row in all_players(base)},
        {row.id: row.name for row in rows},
        {row.id: row.name for row in all_sessions(base)},
    )


MOST_MINUTES = 600


does("clock/start", Role.ADMIN, desk.start, whole("minutes", 1, MOST_MINUTES))
does("clock/run", Role.ADMIN, desk.pause, flag("running"))
does("clock/extra", Role.ADMIN, desk.lengthen, TABLE, whole("minutes", 1, MOST_MINUTES))


MOST_CELLS = 60  # rows, and columns


@command("place", Role.ADMIN, TABLE, whole("row", 1, MOST_CELLS), whole("column", 1, MOST_CELLS))
def places(table: int, row: int, column: int) -> None:
    """Put a table in its place; one that stands there goes where it stood."""
    place(current_app.extensions["base"], table, (row, column), viewer().by)
    current_app.extensions["hall_plan"].forget()
