"""Pictures of the club's best hands: shown to everybody, deleted at the desk."""

import base64

from flask import Blueprint, Flask, Response

from table_assist.club.hub.pictures import listed_pictures, picture_row, remove_picture
from web.access.roles import Role, require, viewer
from web.answers import MOST_INT, json_answer
from web.api.bodies import takes, whole
from web.club.shared import base, ledger, shown_sessions
from web.refusal import refuse

blueprint = Blueprint("pictures", __name__)


def init_app(app: Flask) -> None:
    """Give the app its pictures."""
    app.register_blueprint(blueprint)


@blueprint.get("/api/picture/<int:picture>.jpg")
@require(Role.TELEVISION)
def content(picture: int) -> Response:
    """The picture of a hand that was won in what the viewer may see."""
    row = picture_row(base(), picture) if picture <= MOST_INT else None
    if row is None or not _is_seen(row.log, row.entry):
        refuse(404, "There is no such picture.", "没有此照片。")
    headers = {"Cache-Control": "no-store"}
    return Response(base64.b64decode(row.content), 200, headers, "image/jpeg")


@blueprint.get("/api/desk/pictures")
@require(Role.REFEREE)
def pictures() -> Response:
    """The latest that have come."""
    return json_answer({"pictures": listed_pictures(base())})


@blueprint.post("/api/desk/picture/remove")
@require(Role.ADMIN)
@takes(whole("picture", 1, MOST_INT))
def removes(picture: int) -> Response:
    """Delete one for good."""
    remove_picture(base(), picture, viewer().by)
    return json_answer({"done": True})


def _is_seen(log: int, entry: int) -> bool:
    """Whether the entry still shows a hand won in a session that the viewer may see."""
    sessions = {row.id for row in shown_sessions()}
    return any(
        won.shown == entry
        for each in ledger().logs()
        if each.id == log
        for stretch in each.told.stretches
        if stretch.session in sessions
        for won in stretch.won
    )
