"""The referee's desk: a hand with everything that speaks for it, rulings, and its file."""

from flask import Blueprint, Flask, Response, current_app

from table_assist.contract.table_source import TableSource
from table_assist.evidence.dispute.hand import NoSuchHandError, hands_of
from web.access.roles import Role, require, viewer
from web.answers import json_answer
from web.pages.dispute_pack import drawn, packed
from web.pages.dispute_view import dispute_view
from web.pages.referee_words import REFEREE
from web.pages.shell import render
from web.refusal import RefusedRequest, refuse
from web.secrecy.secrecy_served import shown_evidence
from web.view.names import person_names

blueprint = Blueprint("referee", __name__)


def init_app(app: Flask) -> None:
    """Give the app its referee's desk; the table is there already."""
    app.register_blueprint(blueprint)


@blueprint.get("/referee")
@require(Role.REFEREE)
def desk() -> str:
    """Hands to look into, with what was decided in each."""
    return render("referee.html", view="referee", words=REFEREE)


@blueprint.get("/api/disputes")
@require(Role.REFEREE)
def hands() -> Response:
    """The numbers of the hands that were begun, the latest first."""
    return json_answer({"hands": list(reversed(hands_of(_source().entries())))})


@blueprint.get("/api/disputes/<int:hand>")
@require(Role.REFEREE)
def dispute(hand: int) -> Response:
    """Everything about a hand: decisions, evidence, verdicts, rules, and who changed what."""
    source = _source()
    try:
        view = dispute_view(source.entries(), hand, person_names(source.snapshot))
    except NoSuchHandError as error:
        raise RefusedRequest(404, error.words) from error
    pictures = {f"e{seq}" for seq in view["seqs"] if source.evidence(f"e{seq}") is not None}
    for entry in view["entries"]:
        id = f"e{entry['seq']}"
        entry["evidence"] = id if id in pictures else None
    del view["seqs"]
    return json_answer(view)


@blueprint.get("/api/disputes/<int:hand>/file")
@require(Role.REFEREE)
def dispute_file(hand: int) -> Response:
    """The hand in one file, which `table-assist verify` judges again; its pictures are kept."""
    content = packed(_source(), hand, overlay=drawn, hold=True)
    headers = {
        "Cache-Control": "no-store",
        "Content-Disposition": f'attachment; filename="dispute-hand-{hand}.zip"',
    }
    return Response(content, 200, headers, "application/zip")


@blueprint.get("/api/evidence/<id>/overlay.jpg")
@require(Role.SEAT)
def overlay(id: str) -> Response:
    """The picture that was kept as evidence, with what was read in it."""
    found = shown_evidence(_source(), id, viewer())
    if found is None or not found.jpeg:
        refuse(404, "There is no picture to be seen here now.", "现在没有可看的画面。")
    return Response(drawn(found), 200, {"Cache-Control": "no-store"}, "image/jpeg")


def _source() -> TableSource:
    source: TableSource = current_app.extensions["table"]
    return source
