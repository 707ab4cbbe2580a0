"""A player's own page: sessions, rounds, won hands, luck, rating; as JSON and CSV as well."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from flask import Blueprint, Flask, Response

from table_assist.club.acts import Roster
from table_assist.club.career import BEST, Career, DrawnHand, WonHand, career
from table_assist.club.hub.people import all_players
from table_assist.club.hub.pictures import kept_pictures
from table_assist.club.hub.roster import roster_of
from table_assist.club.standing import PlayedStretch
from table_assist.contract.view import words_view
from web.access.roles import Role, require
from web.answers import json_answer
from web.club.shared import (
    Names,
    base,
    csv_answer,
    ledger,
    name_of,
    names,
    shown_series,
    shown_sessions,
)
from web.club.standings_pages import rated_now
from web.club.words import HALL, PLAYER, STANDINGS
from web.pages.shell import render
from web.refusal import refuse

blueprint = Blueprint("player", __name__)
LATEST = 200  # won hands that the page gets; the CSV has all


def init_app(app: Flask) -> None:
    """Give the app its pages."""
    app.register_blueprint(blueprint)


@blueprint.get("/player/<number:player>")
@require(Role.TELEVISION)
def page(player: int) -> str:
    """The page of one player's record in the club."""
    _person(player)
    words = {**HALL, **STANDINGS, **PLAYER}
    return render("hall_player.html", words=words, view="player", player=player)


@blueprint.get("/api/players")
@require(Role.TELEVISION)
def everybody() -> Response:
    """Everybody whom the club knows, by name; of hidden ones the number."""
    return json_answer({"players": [{"player": id, "name": name} for id, name in _by_name()]})


@blueprint.get("/api/players.csv")
@require(Role.TELEVISION)
def everybody_csv() -> Response:
    """The same for a spreadsheet."""
    return csv_answer(("player", "name"), _by_name())


@blueprint.get("/api/player/<number:player>")
@require(Role.TELEVISION)
def player_json(player: int) -> Response:
    """A player's sessions, rounds, won hands and luck in what is published, and the rating."""
    person = _person(player)
    known, done = names(), career_of(player)
    pictures = kept_pictures(base())
    won = [won_view(each, known, pictures) for each in done.won]
    latest = sorted(won, key=lambda each: -each["t"])
    return json_answer(
        {
            "player": player,
            "name": name_of(person),
            "sessions": sessions_of(player),
            "series": _series_of(player),
            "rounds": [asdict(each) for each in done.rounds],
            "luck": asdict(done.luck),
            "best": won[:BEST],
            "won": latest[:LATEST],
            "rating": rating_of(player),
        }
    )


@blueprint.get("/api/player/<number:player>.csv")
@require(Role.TELEVISION)
def player_csv(player: int) -> Response:
    """Every hand that the player has won, for a spreadsheet."""
    _person(player)
    known = names()
    rows = [
        (
            view["session"], view["round"], view["table"], view["hand"], round(view["t"]),
            view["points"], {True: "drawn", False: "given", None: ""}[view["self_drawn"]],
            view["giver"] or "", " ".join(view["tiles"]), view["winning"] or "",
            " ".join("".join(meld) for meld in view["melds"]),
            "; ".join(words["en"] for words in view["worth"]),
        )
        for view in (won_view(each, known, {}) for each in career_of(player).won)
    ]  # fmt: skip
    head = (
        "session", "round", "table", "hand", "t", "points", "how", "giver", "tiles", "winning",
        "melds", "worth",
    )  # fmt: skip
    return csv_answer(head, rows)


def career_of(player: int) -> Career:
    """In the sessions that the viewer may see."""
    rosters = {row.id: roster_of(base(), row.id) for row in shown_sessions()}
    played = [
        (log, stretch, _credited(rosters[stretch.session], stretch))
        for log in ledger().logs()
        for stretch in log.told.stretches
        if stretch.session in rosters
    ]
    return career(player, played)


def _credited(roster: Roster, stretch: PlayedStretch) -> tuple[int, ...]:
    return tuple(roster.credited(player, stretch.round) for player in stretch.players)


def sessions_of(player: int) -> list[dict[str, Any]]:
    """The player's line in each standing that the viewer may see, the newest first."""
    found = []
    for row in shown_sessions():
        places = ledger().standing(row.id)
        for number, place in enumerate(places, start=1):
            if place.player == player:
                found.append(
                    {
                        "session": row.id, "name": row.name, "place": number, "of": len(places),
                        "points": place.points, "corrected": place.corrected,
                        "hands": place.hands, "wins": place.wins, "best": place.best,
                    }
                )  # fmt: skip
    return found


def rating_of(player: int) -> dict[str, Any] | None:
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


def won_view(
    hand: WonHand, known: Names, pictures: Mapping[tuple[int, int], int]
) -> dict[str, Any]:
    """A won hand as JSON; names as the viewer may see them.

    Args:
        pictures: their numbers, by log and entry.
    """
    won = hand.won
    who = [known.get(player, f"#{player}") for player in hand.players]
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
        "paid": [
            {"name": name, "points": moved}
            for name, moved in zip(who, won.moved, strict=True)
            if moved < 0
        ],
        "moved": [
            {"name": name, "points": moved} for name, moved in zip(who, won.moved, strict=True)
        ],
        "winner": won.winner,
        "name": who[won.winner],
        "tiles": [str(tile) for tile in _last_apart(hand)],
        "winning": None if won.winning is None else str(won.winning),
        "melds": [[str(tile) for tile in meld] for meld in won.melds],
        "worth": [words_view(words) for words in won.worth],
        "picture": pictures.get((hand.log, won.shown)),
    }


def drawn_view(hand: DrawnHand, known: Names) -> dict[str, Any]:
    """A hand that nobody won as JSON, with the same fields as far as they mean something."""
    drawn = hand.drawn
    who = [known.get(player, f"#{player}") for player in hand.players]
    return {
        "table": hand.table,
        "hand": drawn.hand,
        "entry": drawn.seq,
        "t": drawn.t,
        "moved": [
            {"name": name, "points": moved} for name, moved in zip(who, drawn.moved, strict=True)
        ],
        "winner": None,
    }


def _last_apart(hand: WonHand) -> list[Any]:
    """The concealed tiles in order, without the winning one."""
    tiles = sorted(hand.won.concealed)
    if hand.won.winning in tiles:
        tiles.remove(hand.won.winning)
    return tiles


def _series_of(player: int) -> list[dict[str, Any]]:
    found = []
    for each, sessions in shown_series():
        places = ledger().standing(*sessions)
        found += [
            {
                "series": each.id, "name": each.name, "place": number, "of": len(places),
                "points": place.points, "hands": place.hands, "wins": place.wins,
            }
            for number, place in enumerate(places, start=1)
            if place.player == player
        ]  # fmt: skip
    return found


def _by_name() -> list[tuple[int, str]]:
    return sorted(names().items(), key=lambda each: (each[1], each[0]))


def _person(player: int) -> Any:
    for row in all_players(base()):
        if row.id == player:
            return row
    refuse(404, "The club knows no such player.", "没有此选手。")
