"""The hub's prints: standings, seats, a player's certificate."""

from datetime import datetime
from typing import Any

from flask import Blueprint

from table_assist.club.hub.ledger import LedgerPlace
from table_assist.languages.words import Words, phrase
from web.access.roles import Role, require
from web.club.seating_api import rounds_of
from web.club.shared import (
    foreign,
    foreign_in_series,
    name_of,
    names,
    notes,
    series_standing,
    session_standing,
)
from web.club.standings_pages import career_of, sessions_of
from web.language import chosen_language
from web.pages.shell import Grid, Line, Part, Signatures, printed
from web.refusal import refuse
from web.view.vocabulary import signed

blueprint = Blueprint("print", __name__)
_WINDS = ("東", "南", "西", "北")

_STANDINGS, _SEATS = Words("Standings", "排名"), Words("Seats", "座位")
_COLUMNS = (
    Words("Player", "选手"), Words("Points", "分数"), Words("Hands", "局数"),
    Words("Wins", "胡牌"), Words("Best hand", "最大一局"),
)  # fmt: skip
_ROUND = Words("Round {n}", "第 {n} 轮")
_CERTIFICATE = Words("Certificate", "成绩证书")
_PLACE = Words("{place} of {of}", "{of} 人中第 {place} 名")
_RESULT = phrase("print_pages.points_hands_played_won")
_SHEET = Words("Score sheet", "成绩单")
_ROUNDS = (
    Words("Round", "轮"), Words("Table", "牌桌"), Words("Points", "分数"), Words("Hands", "局数"),
    Words("Wins", "胡牌"),
)  # fmt: skip
_SUM = Words("Together", "合计")
_CORRECTED = Words("Corrected by the directors", "管理员更正")
_ZERO = Words("All points together: {n}.", "全部分数合计：{n}。")
_PRINTED = Words("Printed {when} from the tables' own records.", "依据各桌记录，打印于 {when}。")


@blueprint.get("/print/standings/<number:session>")
@require(Role.TELEVISION)
def session(session: int) -> str:
    """A session's standings."""
    return _standing(*session_standing(session), foreign(session))


@blueprint.get("/print/series/<number:series>")
@require(Role.TELEVISION)
def series(series: int) -> str:
    """The standings of a tournament or season."""
    return _standing(*series_standing(series), foreign_in_series(series))


@blueprint.get("/print/seating/<number:session>")
@require(Role.TELEVISION)
def seats(session: int) -> str:
    """The seats of every round."""
    name, rounds = rounds_of(session)
    parts: list[Part] = []
    for each in rounds:
        rows = [[table["table"], *table["players"]] for table in each["tables"]]
        parts.append(Line(_in(_ROUND.filled(n=each["round"])), "head"))
        parts.append(Grid(["", *_WINDS], rows, left=range(5), is_whole=True))
    return _paper(f"{_in(_SEATS)} · {name}", parts)


@blueprint.get("/print/player/<number:player>/<number:session>")
@require(Role.TELEVISION)
def certificate(player: int, session: int) -> str:
    """A player's result in a session, to sign, with every round below it."""
    done = next((each for each in sessions_of(player) if each["session"] == session), None)
    name = names().get(player)
    if done is None or name is None:
        refuse(404, "This player has no such result (yet).", "该选手没有此成绩（或尚未公布）。")
    rows: list[list[object]] = [
        [each.round, each.table, signed(each.points), each.hands, each.wins]
        for each in career_of(player).rounds
        if each.session == session
    ]
    if done["corrected"]:
        rows.append(["", _in(_CORRECTED), signed(done["corrected"]), "", ""])
    points = signed(done["points"])
    rows.append(["", _in(_SUM), points, done["hands"], done["wins"]])
    parts: list[Part] = [
        Line(name, "large"),
        Line(done["name"], "centred"),
        Line("", "centred", lead=_in(_PLACE.filled(place=done["place"], of=done["of"]))),
        Line(_in(_RESULT.filled(points=points, hands=done["hands"], wins=done["wins"])), "centred"),
        Signatures(["", ""]),
        Line(_in(_SHEET), "head"),
        Grid([_in(each) for each in _ROUNDS], rows, left=(1,), has_sum=True),
    ]
    return _paper(_in(_CERTIFICATE), parts)


def _standing(name: str, places: list[LedgerPlace], odd: list[dict[str, Any]]) -> str:
    rows = [
        [number, name_of(each), signed(each.points), each.hands, each.wins, each.best or ""]
        for number, each in enumerate(places, start=1)
    ]
    total = sum(each.points for each in places)
    parts: list[Part] = [
        Grid(["", *(_in(each) for each in _COLUMNS)], rows, left=(1,)),
        *(Line(_in(each), "small") for each in (_ZERO.filled(n=signed(total)), *notes(odd))),
    ]
    return _paper(f"{_in(_STANDINGS)} · {name}", parts)


def _paper(title: str, parts: list[Part]) -> str:
    when = _in(_PRINTED.filled(when=f"{datetime.now():%Y-%m-%d %H:%M}"))
    return printed(title, [*parts, Line(when, "small")])


def _in(words: Words) -> str:
    return words.said(chosen_language())
