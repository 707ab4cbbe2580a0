"""A phone's seals compared at the hub: the page that a phone opens with them, and the answer."""

from flask import Blueprint, Flask, Response, current_app

from table_assist.club.hub.seals import Chains, Says, compared, is_seal
from web.access.roles import Role, require
from web.answers import MOST_INT, json_answer
from web.club.shared import base
from web.club.words import HALL, SEALS
from web.pages.shell import render
from web.refusal import refuse

blueprint = Blueprint("seals", __name__)


def init_app(app: Flask) -> None:
    """Give the app the page."""
    app.extensions["chains"] = Chains(app.extensions["base"])
    app.register_blueprint(blueprint)


@blueprint.get("/seals")
@require(Role.TELEVISION)
def page() -> str:
    """Compares the seals behind the address's #, which a phone's own page has put there."""
    return render("hall_seals.html", words={**HALL, **SEALS}, view="seals")


@blueprint.get("/api/seals/<table>/<log>/<int:seq>/<seal>")
@require(Role.TELEVISION)
def seal_of(table: str, log: str, seq: int, seal: str) -> Response:
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
    return json_answer({"says": says})
