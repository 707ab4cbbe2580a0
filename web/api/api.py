"""JSON in and out: the view, pictures, evidence, and the commands of people at the table."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from flask import Blueprint, Flask, Response, current_app
from werkzeug.exceptions import HTTPException

from table_assist.contract.change import Change
from table_assist.contract.commands import Command, NotKeptError, key_of
from table_assist.contract.secret import has_secret
from table_assist.contract.table_source import TableSource
from table_assist.contract.view import words_view
from table_assist.game.people import Names
from table_assist.game.state import SEATS
from table_assist.languages.words import Words
from table_assist.record.seal import SHOWN
from web.access.roles import Role, require, role_words, viewer
from web.answers import error_answer, json_answer, refusal_answer, to_json
from web.api import openapi
from web.api.bodies import BodyError, choice, mapping, read_fields, takes
from web.api.command_key import key_given
from web.api.commands import BY_NAME, SPECS, Spec
from web.api.stream import asked_delay
from web.api.viewers import Viewers
from web.refusal import RefusedRequest, refuse
from web.secrecy.secrecy import masked
from web.secrecy.secrecy_commands import withheld, withheld_preview
from web.secrecy.secrecy_served import shown_evidence, shown_picture
from web.view.learn_view import learn_view
from web.view.names import with_placeholders
from web.view.present import present

blueprint = Blueprint("api", __name__, url_prefix="/api")


def init_app(app: Flask, source: TableSource) -> None:
    """Give the app its API; errors under /api are one sentence as JSON."""
    app.extensions["table"] = source
    app.register_blueprint(blueprint)
    app.register_error_handler(HTTPException, error_answer)


@blueprint.get("/table")
@require(Role.TELEVISION)
def table() -> Response:
    """The view of the newest snapshot, or of one so many seconds ago, as the viewer may know it."""
    who, delay = viewer(), asked_delay()
    viewers: Viewers = current_app.extensions["viewers"]
    snapshot = viewers.behind(delay).source.snapshot if delay else _source().snapshot
    if snapshot is None:
        refuse(
            404,
            "Nothing that was asked for is {delay} s old yet: ask again then.",
            "尚无 {delay} 秒前的数据，请稍后再试。",
            delay=delay,
        )
    return json_answer(present(masked(snapshot, who), who))


@blueprint.get("/picture.jpg")
@require(Role.SEAT)
def picture() -> Response:
    """The camera's latest picture; what is secret is black in it."""
    return _jpeg(shown_picture(_source(), viewer()))


@blueprint.get("/learn/<int:seat>")
@require(Role.SEAT)
def learn(seat: int) -> Response:
    """Answer with the own seat's choices now and why not the rest, with the rule sheet's words."""
    who = viewer()
    if seat not in SEATS or who.seat not in (None, seat):
        refuse(403, "This phone learns for its own seat alone.", "这部手机只为自己的座位讲解。")
    return json_answer(learn_view(masked(_source().snapshot, who), seat))


@blueprint.get("/evidence/<id>")
@require(Role.SEAT)
def evidence(id: str) -> Response:
    """Answer with the readings of the picture that a question or an entry rests on."""
    found = shown_evidence(_source(), id, viewer())
    if found is None:
        refuse(404, "There is no such evidence (any more).", "没有这份画面证据（或已删除）。")
    return json_answer(
        {
            "id": found.id,
            "t": found.t,
            "readings": found.readings,
            "picture": bool(found.jpeg),
            "crop": bool(found.crop),
        }
    )


@blueprint.get("/evidence/<id>/picture.jpg")
@require(Role.SEAT)
def evidence_picture(id: str) -> Response:
    """The whole picture that was kept as evidence."""
    found = shown_evidence(_source(), id, viewer())
    return _jpeg(None if found is None else found.jpeg)


@blueprint.get("/evidence/<id>/crop.jpg")
@require(Role.SEAT)
def evidence_crop(id: str) -> Response:
    """The part of the picture that is in question."""
    found = shown_evidence(_source(), id, viewer())
    if found is None or not found.crop:
        return Response(status=204)  # usual where nobody kept a picture: no page need complain
    return _jpeg(found.crop)


@blueprint.get("/seals")
@require(Role.SEAT)
def seals() -> Response:
    """The seal of each hand, which every phone keeps; none of a hand with a hidden treasure."""
    snapshot = _source().snapshot
    log, known = _source().hand_seals()
    withheld = snapshot.state.hand if has_secret(snapshot) else None
    return json_answer(
        {
            "log": log[:SHOWN],
            "withheld": withheld,
            "hands": [
                {"hand": each.hand, "seq": each.seq, "seal": each.seal[:SHOWN]}
                for each in known
                if each.hand != withheld
            ],
        }
    )


@blueprint.get("/openapi.json")
@require(Role.TELEVISION)
def description() -> Response:
    """This description."""
    return json_answer(openapi.describe(current_app))


@blueprint.post("/preview")
@require(Role.SEAT)
@takes(choice("command", *BY_NAME), mapping("body"))
def preview(command: str, body: dict[str, object]) -> Response:
    """Answer with a command's effect; nothing is recorded by asking."""
    spec = BY_NAME[command]
    try:
        made = spec.make(**read_fields(body, spec.fields))
    except BodyError as error:
        raise RefusedRequest(400, error.words) from error
    _check(spec, made)
    refused = withheld_preview(made, _source().snapshot, viewer())
    if refused:
        return refusal_answer(refused)
    change = _source().preview(made)
    if isinstance(change, Words):
        return refusal_answer(change)
    return json_answer(change_view(change, _source().snapshot.names))


def change_view(change: Change, names: Names) -> dict[str, Any]:
    """A change as JSON."""
    return {
        "scores_before": list(change.scores_before),
        "scores_after": list(change.scores_after),
        "hands": [asdict(hand) for hand in change.hands],
        "questions": [
            {
                "id": str(asked.question),
                "text": words_view(with_placeholders(asked.text, names)),
                "about": asked.about,
                "choices": list(asked.choices),
            }
            for asked in change.questions
        ],
        "unsettled": list(change.unsettled),
        "sentences": [words_view(words) for words in change.sentences],
    }


def _endpoint(spec: Spec) -> Callable[..., Response]:
    @require(spec.role)
    @takes(*spec.fields)
    def give(**given: Any) -> Response:
        who = viewer()
        command, by = spec.given_by(spec.make(**given), who, _source().snapshot), who.by
        key = key_of(command, by, key_given())
        before = _source().was_done(key)  # what was allowed and done is not judged anew
        if not before:
            _check(spec, command)
        try:
            refused = _source().submit(command, by, key)
        except NotKeptError as error:
            return refusal_answer(error.words, 503, saved=False)
        if refused is not None:
            return refusal_answer(refused)
        return json_answer({"ok": True, "before": True} if before else {"ok": True})

    give.__doc__ = spec.tells
    return give


def _check(spec: Spec, command: Command) -> None:
    """Abort where the viewer's role, or what it may not know, stands against the command."""
    who, snapshot = viewer(), _source().snapshot
    if not who.may(spec.role):
        raise RefusedRequest(403, role_words(spec.role, who.role))
    refused = spec.check(command, who, snapshot)
    if refused:
        raise RefusedRequest(403, refused)
    refused = withheld(command, snapshot, who)
    if refused:
        raise RefusedRequest(409, refused)


def _jpeg(content: bytes | None) -> Response:
    if not content:
        refuse(404, "There is no picture to be seen here now.", "现在没有可看的画面。")
    return Response(content, 200, {"Cache-Control": "no-store"}, "image/jpeg")


def _source() -> TableSource:
    source: TableSource = current_app.extensions["table"]
    return source


for each in SPECS:
    blueprint.add_url_rule(
        f"/{each.name}", endpoint=each.name, view_func=_endpoint(each), methods=["POST"]
    )

__all__ = ["blueprint", "change_view", "init_app", "to_json"]
