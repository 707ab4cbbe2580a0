"""The list of what the desk did, and taking it back."""

from flask import Blueprint, Flask, Response, current_app
from sqlalchemy import Engine, select

from table_assist.club.acts import ActKind, DeskAct
from table_assist.club.hub.acts import all_acts
from table_assist.club.hub.base import reading
from table_assist.club.hub.numbers import MOST
from table_assist.club.hub.people import all_players, all_sessions
from table_assist.club.hub.schema import tables
from table_assist.club.hub.undoing import undo
from table_assist.contract.view import words_view
from web.access.roles import Role, require, viewer
from web.answers import json_answer
from web.api.bodies import takes, whole
from web.club.act_words import Names, words_of_act
from web.club.shared import base
from web.refusal import refuse

blueprint = Blueprint("acts", __name__)

SHOWN = 100  # the latest
# The acts of a referee, who may take them back.
REFEREES = (ActKind.MESSAGE, ActKind.RULING, ActKind.GO, ActKind.DONE)


def init_app(app: Flask) -> None:
    """Give the app its list."""
    app.register_blueprint(blueprint)


@blueprint.get("/api/desk/acts")
@require(Role.REFEREE)
def acts() -> Response:
    """Answer with the acts, the latest first, by whom, and those taken back by whom."""
    engine, may = base(), viewer().may(Role.ADMIN)
    names, every = names_of(engine), all_acts(engine)
    by_id = {each.id: each for each in every}
    shown = list(reversed(every))[:SHOWN]
    return json_answer({"acts": [_row(each, by_id, names, may=may) for each in shown]})


@blueprint.post("/api/desk/undo")
@require(Role.REFEREE)
@takes(whole("act", 1, MOST))
def take_back(act: int) -> Response:
    """Take one of them back; that is an act itself."""
    engine, extensions = base(), current_app.extensions
    done = next((each for each in all_acts(engine) if each.id == act), None)
    if done is not None and done.kind not in REFEREES and not viewer().may(Role.ADMIN):
        refuse(403, "A director takes this back.", "此项须由管理员撤销。")
    undo(engine, extensions["hub_key"], extensions["ledger"], act, viewer().by)
    return json_answer({"done": True})


def names_of(base: Engine) -> Names:
    """The names of everything."""
    with reading(base) as connection:
        rows = connection.execute(select(tables.c.id, tables.c.name)).all()
    return Names(
        {row.id: row.name for row in all_players(base)},
        {row.id: row.name for row in rows},
        {row.id: row.name for row in all_sessions(base)},
    )


def _row(act: DeskAct, by_id: dict[int, DeskAct], names: Names, *, may: bool) -> dict[str, object]:
    of = by_id.get(act.undoes or 0)
    said = words_of_act(act if of is None else of, names)
    return {
        "act": act.id, "kind": act.kind, "says": words_view(said), "by": act.by, "at": act.at,
        "undone": act.undone, "undoes": act.undoes,
        "may_undo": act.stands and (may or act.kind in REFEREES),
    }  # fmt: skip
