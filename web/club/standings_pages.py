"""Standings, ratings, players, pictures of won hands and seals: pages, JSON, CSV, paper."""

import base64
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import datetime
from functools import partial
from itertools import chain
from typing import Any

from flask import Blueprint, Response, current_app
from sqlalchemy import select

from table_assist.club.hub.database import LARGEST_WHOLE, pictures, read, read_one, tables
from table_assist.club.hub.files import kept_pictures, remove_picture
from table_assist.club.hub.ledger import (
    Chains,
    LedgerPlace,
    Rated,
    Says,
    compared,
    is_seal,
    ratings,
)
from table_assist.club.hub.people import all_players, begin_season, begin_series
from table_assist.club.hub.seats import roster_of
from table_assist.club.standing import BEST, Career, DrawnHand, WonHand, career
from table_assist.languages.words import Words, phrase, words_view
from web.access.roles import Role, require
from web.answers import MOST_INT, file_answer
from web.api.bodies import text, whole, wholes
from web.club import shared
from web.club.seating_api import rounds_of
from web.club.shared import (
    Listed,
    Names,
    Rows,
    Told,
    base,
    behind,
    ledger,
    name_of,
    names,
    notes,
    picked,
    series_standing,
    session_standing,
    shown_series,
    shown_sessions,
)
from web.language import chosen_language, page_words
from web.pages.shell import Grid, Line, Part, Signatures, printed, render
from web.refusal import refuse
from web.view.vocabulary import signed

blueprint = Blueprint("standings", __name__)
does = partial(shared.does, blueprint)
shown = partial(shared.shown, blueprint)
listed = partial(shared.listed, blueprint)
CSV_COLUMNS = ("place", "player", "points", "corrected", "hands", "wins", "best")


@listed("/api/sessions", "session", "name", "public")
def sessions() -> Listed:
    """The sessions whose standings one may see, the newest first."""
    found = shown_sessions()
    return {"sessions": picked(found, "id", "name", "public")}, (
        (row.id, row.name, int(row.public)) for row in found
    )


@listed("/api/standings/<number:session>", *CSV_COLUMNS)
def session_standings(session: int) -> Listed:
    """A session's players, the best first: points, hands and wins, as the tables' logs say."""
    name, places, odd = session_standing(session)
    return _told({"session": session, "name": name}, places, odd)


@listed("/api/series", "series", "name", "sessions")
def all_of_them() -> Listed:
    """Tournaments and seasons, the newest first, each with the sessions that one may see."""
    every = shown_series()
    told = picked((each for each, _ in every), "id", "name", "since", "until")
    found = [row | {"sessions": of} for row, (_, of) in zip(told, every, strict=True)]
    return {"series": found}, ((each.id, each.name, " ".join(map(str, of))) for each, of in every)


@listed("/api/series/<number:series>", *CSV_COLUMNS)
def series_standings(series: int) -> Listed:
    """The players of a tournament or season, over all its sessions, the best first."""
    name, places, odd = series_standing(series)
    return _told({"series": series, "name": name}, places, odd)


@listed("/api/ratings", "place", "player", "rating", "games")
def rated() -> Listed:
    """Everybody's rating by openskill over all published sessions, the best first."""
    people = {row.id: name_of(row) for row in all_players(base())}
    found = [
        {
            "player": each.player, "name": people[each.player], "rating": round(each.shown, 2),
            "games": each.games,
        }
        for each in rated_now()
        if each.player in people
    ]  # fmt: skip
    rows = (
        (place, row["name"], row["rating"], row["games"])
        for place, row in enumerate(found, start=1)
    )
    return {"players": found}, rows


does(
    "series", Role.ADMIN, begin_series, text("name", 80), wholes("sessions", 0, 500, LARGEST_WHOLE),
    tells="series",
)  # fmt: skip
does(
    "season", Role.ADMIN, begin_season, text("name", 80), text("first", 20), text("last", 20),
    tells="series",
)  # fmt: skip


def rated_now() -> list[Rated]:
    """Ratings over the published sessions, the best first."""
    public = {row.id for row in shown_sessions() if row.public}
    memory: dict[object, list[Rated]] = current_app.extensions.setdefault("rated", {})
    key = (ledger().version, frozenset(public))  # read first: the stretches may be newer
    found = memory.get(key)
    if found is None:
        found = ratings(ledger().stretches(public))
        memory.clear()
        memory[key] = found
    return found


def _told(head: Told, places: list[LedgerPlace], odd: list[Told]) -> Listed:
    """The players, and what their points add up to: 0 where every correction is balanced.

    In the rows the notes stand below, in the players' column.
    """
    figures = picked(places, "player", *CSV_COLUMNS[2:])
    found = [row | {"name": name_of(each)} for row, each in zip(figures, places, strict=True)]
    rows: Rows = [
        (place, row["name"], *(row[name] for name in CSV_COLUMNS[2:]))
        for place, row in enumerate(found, start=1)
    ]
    total = sum(each.points for each in places)
    told = {**head, "foreign": odd, "sum": total, "players": found, "behind": behind()}
    return told, chain(rows, (("", words.en) for words in notes(odd)))


LATEST_WON = 200  # won hands that the page gets; the CSV has all


@blueprint.get("/player/<number:player>")
@require(Role.TELEVISION)
def player_page(player: int) -> str:
    """The page of one player's record in the club."""
    _person(player)
    words = page_words("hall", "standings", "player")
    return render("hall_player.html", words=words, view="player", player=player)


@listed("/api/players", "player", "name")
def everybody() -> Listed:
    """Everybody whom the club knows, by name; of hidden ones the number."""
    found = sorted(names().items(), key=lambda each: (each[1], each[0]))
    return {"players": [{"player": id, "name": name} for id, name in found]}, found


@listed(
    "/api/player/<number:player>", "session", "round", "table", "hand", "t", "points", "how",
    "giver", "tiles", "winning", "melds", "worth",
)  # fmt: skip
def player_record(player: int) -> Listed:
    """A player's sessions, rounds, won hands and luck in what is published, and the rating.

    The rows are every hand that the player has won.
    """
    person = _person(player)
    known, done = names(), career_of(player)
    kept = kept_pictures(base())
    won = [won_view(each, known, kept) for each in done.won]
    latest = sorted(won, key=lambda each: -each["t"])
    told = {
        "player": player,
        "name": name_of(person),
        "sessions": sessions_of(player),
        "series": _lines(
            player, [({"series": each.id, "name": each.name}, of) for each, of in shown_series()]
        ),
        "rounds": [asdict(each) for each in done.rounds],
        "luck": asdict(done.luck),
        "best": won[:BEST],
        "won": latest[:LATEST_WON],
        "rating": rating_of(player),
    }
    rows = (
        (
            view["session"], view["round"], view["table"], view["hand"], round(view["t"]),
            view["points"], {True: "drawn", False: "given", None: ""}[view["self_drawn"]],
            view["giver"] or "", " ".join(view["tiles"]), view["winning"] or "",
            " ".join("".join(meld) for meld in view["melds"]),
            "; ".join(words["en"] for words in view["worth"]),
        )
        for view in won
    )  # fmt: skip
    return told, rows


def career_of(player: int) -> Career:
    """In the sessions that the viewer may see."""
    rosters = {row.id: roster_of(base(), row.id) for row in shown_sessions()}
    played = [
        (log, stretch, tuple(roster.credited(player, stretch.round) for player in stretch.players))
        for log in ledger().logs()
        for stretch in log.told.stretches
        if (roster := rosters.get(stretch.session)) is not None
    ]
    return career(player, played)


def sessions_of(player: int) -> list[Told]:
    """The player's line in each standing that the viewer may see, the newest first."""
    rows = [({"session": row.id, "name": row.name}, [row.id]) for row in shown_sessions()]
    return _lines(player, rows, "corrected", "best")


def _lines(player: int, rows: Iterable[tuple[Told, list[int]]], *more: str) -> list[Told]:
    """The player's line in the standing of each, with its place and how many there are."""
    found = []
    for head, sessions in rows:
        places = ledger().standing(*sessions)
        for number, place in enumerate(places, start=1):
            if place.player == player:
                own = {name: getattr(place, name) for name in ("points", "hands", "wins", *more)}
                found.append({**head, "place": number, "of": len(places), **own})
    return found


def rating_of(player: int) -> Told | None:
    """With its course; None for who has not played in what is published."""
    for place, each in enumerate(rated_now(), start=1):
        if each.player == player:
            return {
                "place": place,
                "rating": round(each.shown, 2),
                "games": each.games,
                "course": [
                    {"session": step.session, "round": step.round, "rating": round(step.shown, 2)}
                    for step in each.course
                ],
            }
    return None


def won_view(hand: WonHand, known: Names, pictures: Mapping[tuple[int, int], int]) -> Told:
    """A won hand as JSON; names as the viewer may see them.

    Args:
        pictures: their numbers, by log and entry.
    """
    won = hand.won
    who = [known.get(player, f"#{player}") for player in hand.players]
    # The concealed tiles in order, without the winning one
    tiles = sorted(won.concealed)
    if won.winning in tiles:
        tiles.remove(won.winning)
    moved = _moved(who, won.moved)
    return {
        "table": hand.table,
        "session": hand.session,
        "round": hand.round,
        "hand": won.hand,
        "entry": won.seq,
        "t": won.t,
        "points": hand.points,
        "self_drawn": won.self_drawn,
        "giver": None if won.giver is None else who[won.giver],
        "paid": [each for each in moved if each["points"] < 0],
        "moved": moved,
        "winner": won.winner,
        "name": who[won.winner],
        "tiles": [str(tile) for tile in tiles],
        "winning": None if won.winning is None else str(won.winning),
        "melds": [[str(tile) for tile in meld] for meld in won.melds],
        "worth": [words_view(words) for words in won.worth],
        "picture": pictures.get((hand.log, won.shown)),
    }


def drawn_view(hand: DrawnHand, known: Names) -> Told:
    """A hand that nobody won as JSON, with the same fields as far as they mean something."""
    drawn = hand.drawn
    who = [known.get(player, f"#{player}") for player in hand.players]
    return {
        "table": hand.table,
        "hand": drawn.hand,
        "entry": drawn.seq,
        "t": drawn.t,
        "moved": _moved(who, drawn.moved),
        "winner": None,
    }


def _moved(who: Iterable[str], moved: Iterable[int]) -> list[Told]:
    return [{"name": name, "points": each} for name, each in zip(who, moved, strict=True)]


def _person(player: int) -> Any:
    for row in all_players(base()):
        if row.id == player:
            return row
    refuse(404, "The club knows no such player.", "没有此选手。")


@blueprint.get("/api/picture/<int:picture>.jpg")
@require(Role.TELEVISION)
def content(picture: int) -> Response:
    """The picture of a hand that was won in what the viewer may see."""
    own = select(pictures).where(pictures.c.id == picture)
    row = read_one(base(), own) if picture <= MOST_INT else None
    sessions = {each.id for each in shown_sessions()}
    # Whether its entry still shows a hand won in a session that the viewer may see
    is_seen = row is not None and any(
        won.shown == row.entry
        for log in ledger().logs()
        if log.id == row.log
        for stretch in log.told.stretches
        if stretch.session in sessions
        for won in stretch.won
    )
    if row is None or not is_seen:
        refuse(404, "There is no such picture.", "没有此照片。")
    return file_answer(base64.b64decode(row.content), "image/jpeg")


@shown("/api/desk/pictures", Role.REFEREE)
def latest_pictures() -> Told:
    """The latest that have come."""
    query = (
        select(pictures.c.id, pictures.c.hand, pictures.c.at, tables.c.name)
        .join(tables, tables.c.id == pictures.c.table_id)
        .order_by(pictures.c.id.desc())
        .limit(50)
    )
    rows = read(base(), query)
    return {"pictures": [
            {"picture": id, "table": name, "hand": n, "at": at} for id, n, at, name in rows
        ]}  # fmt: skip


does("picture/remove", Role.ADMIN, remove_picture, whole("picture", 1, MOST_INT))


@shown("/api/seals/<table>/<log>/<int:seq>/<seal>", Role.TELEVISION)
def seal_of(table: str, log: str, seq: int, seal: str) -> Told:
    """Whether the hub's entry of this number has a seal that begins so: agrees, differs, unknown.

    The log is named by how its first entry's seal begins. Every seal of it is reckoned anew from
    the entries that the hub holds, so that one that only says what is wanted is found out.
    """
    if not (is_seal(seal) and is_seal(log) and is_seal(table) and seq <= MOST_INT):
        refuse(400, "A seal has 16 to 64 letters of 0-9 and a-f.", "封印为 16 至 64 个 0-9、a-f。")
    says, number = compared(base(), table, log, seq, seal)
    chains: Chains = current_app.extensions["chains"]
    if says is Says.AGREES and not chains.holds(number, seq):
        says = Says.DIFFERS
    return {"says": says}


_WIND_GLYPHS = ("東", "南", "西", "北")

_STANDINGS, _SEATS_WORD = Words("Standings", "排名"), Words("Seats", "座位")
_SHOWN_COLUMNS = (
    Words("Player", "选手"), Words("Points", "分数"), Words("Hands", "局数"),
    Words("Wins", "胡牌"), Words("Best hand", "最大一局"),
)  # fmt: skip
_PLACE = Words("{place} of {of}", "{of} 人中第 {place} 名")
_RESULT = phrase("standings_pages.points_hands_played_won")
_ROUNDS = (
    Words("Round", "轮"), Words("Table", "牌桌"), Words("Points", "分数"), Words("Hands", "局数"),
    Words("Wins", "胡牌"),
)  # fmt: skip
_CORRECTED = Words("Corrected by the directors", "管理员更正")
_ZERO = Words("All points together: {n}.", "全部分数合计：{n}。")
_PRINTED_WHEN = Words(
    "Printed {when} from the tables' own records.", "依据各桌记录，打印于 {when}。"
)


@blueprint.get("/print/standings/<number:session>")
@require(Role.TELEVISION)
def session(session: int) -> str:
    """A session's standings."""
    return _standing(*session_standing(session))


@blueprint.get("/print/series/<number:series>")
@require(Role.TELEVISION)
def series(series: int) -> str:
    """The standings of a tournament or season."""
    return _standing(*series_standing(series))


@blueprint.get("/print/seating/<number:session>")
@require(Role.TELEVISION)
def seats(session: int) -> str:
    """The seats of every round."""
    name, rounds = rounds_of(session)
    parts: list[Part] = []
    for each in rounds:
        rows = [[table["table"], *table["players"]] for table in each["tables"]]
        parts.append(Line(_in(Words("Round {n}", "第 {n} 轮", n=each["round"])), "head"))
        parts.append(Grid(["", *_WIND_GLYPHS], rows, left=range(5), is_whole=True))
    return _paper(f"{_in(_SEATS_WORD)} · {name}", parts)


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
    rows.append(["", _in(Words("Together", "合计")), points, done["hands"], done["wins"]])
    parts: list[Part] = [
        Line(name, "large"),
        Line(done["name"], "centred"),
        Line("", "centred", lead=_in(_PLACE.filled(place=done["place"], of=done["of"]))),
        Line(_in(_RESULT.filled(points=points, hands=done["hands"], wins=done["wins"])), "centred"),
        Signatures(["", ""]),
        Line(_in(Words("Score sheet", "成绩单")), "head"),
        Grid([_in(each) for each in _ROUNDS], rows, left=(1,), has_sum=True),
    ]
    return _paper(_in(Words("Certificate", "成绩证书")), parts)


def _standing(name: str, places: list[LedgerPlace], odd: list[Told]) -> str:
    rows = [
        [number, name_of(each), signed(each.points), each.hands, each.wins, each.best or ""]
        for number, each in enumerate(places, start=1)
    ]
    total = sum(each.points for each in places)
    parts: list[Part] = [
        Grid(["", *(_in(each) for each in _SHOWN_COLUMNS)], rows, left=(1,)),
        *(Line(_in(each), "small") for each in (_ZERO.filled(n=signed(total)), *notes(odd))),
    ]
    return _paper(f"{_in(_STANDINGS)} · {name}", parts)


def _paper(title: str, parts: list[Part]) -> str:
    when = _in(_PRINTED_WHEN.filled(when=f"{datetime.now():%Y-%m-%d %H:%M}"))
    return printed(title, [*parts, Line(when, "small")])


def _in(words: Words) -> str:
    return words.said(chosen_language())
