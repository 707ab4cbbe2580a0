"""The players of a session: entered, late, absent, and who stands in for whom."""

from flask import Blueprint, Flask, Response

from table_assist.club.acts import CountsFor, Roster
from table_assist.club.hub.numbers import MOST
from table_assist.club.hub.people import all_players
from table_assist.club.hub.plans import planned
from table_assist.club.hub.roster import come_back, enter, miss, roster_of, stand_in
from table_assist.contract.view import words_view
from web.access.roles import Role, require, viewer
from web.answers import json_answer
from web.api.bodies import choice, takes, whole, wholes
from web.club.act_words import rounds
from web.club.shared import base, hub_key

blueprint = Blueprint("roster", __name__)

MOST_ROUND = 999
MOST_PLAYERS = 5000


def init_app(app: Flask) -> None:
    """Give the app its rosters."""
    app.register_blueprint(blueprint)


@blueprint.get("/api/desk/roster/<number:session>")
@require(Role.REFEREE)
def roster(session: int) -> Response:
    """Everybody of a session: whether they are there in the round that is due, and who sits."""
    engine = base()
    found = roster_of(engine, session)
    seated = [each.round for each in planned(engine, session) if each.seated]
    due = max(seated, default=0) + 1
    rows = [_row(found, row.id, row.name, due) for row in all_players(engine)]
    names = {row.id: row.name for row in all_players(engine)}
    return json_answer(
        {
            "now": due - 1,
            "players": rows,
            "missing": (4 - len(found.to_draw(due)) % 4) % 4,
            "can_play": len(found.to_draw(due)),
            "stand_ins": [
                {
                    "player": names.get(each.player, ""), "by": names.get(each.by, ""),
                    "when": words_view(rounds(
                        {"first": each.first, "last": each.last if each.last <= MOST_ROUND else 0}
                    )),
                    "for_replaced": each.counts_for is CountsFor.REPLACED,
                }
                for each in found.stand_ins
            ],
        }
    )  # fmt: skip


def _row(found: Roster, player: int, name: str, due: int) -> dict[str, object]:
    first = found.first_of(player)
    return {
        "player": player, "name": name, "first": first if first <= MOST_ROUND else 0,
        "absent": found.is_absent(player, due), "absent_now": found.is_absent(player, due - 1),
        "sits": found.sits_for(player, due),
    }  # fmt: skip


@blueprint.post("/api/desk/entrants")
@require(Role.ADMIN)
@takes(
    whole("session", 1, MOST),
    wholes("players", 1, MOST_PLAYERS, MOST),
    whole("first", 1, MOST_ROUND),
)
def enters(session: int, players: list[int], first: int) -> Response:
    """Players belong to a session from a round on; before anybody was entered all do."""
    enter(base(), session, players, first, viewer().by)
    return json_answer({"done": True})


@blueprint.post("/api/desk/absent")
@require(Role.ADMIN)
@takes(
    whole("session", 1, MOST),
    whole("player", 1, MOST),
    whole("first", 1, MOST_ROUND),
    whole("last", 0, MOST_ROUND),
)
def absent(session: int, player: int, first: int, last: int) -> Response:
    """A player is not there from one round to another (0: until further notice)."""
    miss(base(), session, player, first, last, viewer().by)
    return json_answer({"done": True})


@blueprint.post("/api/desk/here")
@require(Role.ADMIN)
@takes(whole("session", 1, MOST), whole("player", 1, MOST), whole("first", 1, MOST_ROUND))
def here(session: int, player: int, first: int) -> Response:
    """A player is there from a round on, and sits in person."""
    come_back(base(), hub_key(), session, player, first, viewer().by)
    return json_answer({"done": True})


@blueprint.post("/api/desk/stand-in")
@require(Role.ADMIN)
@takes(
    whole("session", 1, MOST),
    whole("player", 1, MOST),
    whole("by", 1, MOST),
    whole("first", 1, MOST_ROUND),
    whole("last", 0, MOST_ROUND),
    choice("counts_for", *CountsFor),
)
def stands_in(
    session: int, player: int, by: int, first: int, last: int, counts_for: str
) -> Response:
    """Somebody plays for a player; at a table that sits already, from its next hand on."""
    stand_in(
        base(),
        hub_key(),
        session,
        player,
        by,
        (first, last),
        CountsFor(counts_for),
        viewer().by,
    )
    return json_answer({"done": True})
