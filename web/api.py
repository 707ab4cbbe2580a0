"""JSON in and out: the view, the camera's picture, and the commands of people at the table."""

from flask import Blueprint, Flask, Response, abort, current_app, request
from werkzeug.exceptions import HTTPException

from table_assist.snapshot import Answer, Command, DeclareWin, EndHand, StartHand, Undo
from web import guard
from web.present import present
from web.source import TableSource
from web.stream import to_json

blueprint = Blueprint("api", __name__, url_prefix="/api")

TEXT_LIMIT = 200  # characters of a question's id or an answer; ours are far shorter


def init_app(app: Flask, source: TableSource) -> None:
    """Give the app its API; errors under /api are one JSON sentence."""
    app.extensions["table"] = source
    app.register_blueprint(blueprint)
    app.register_error_handler(HTTPException, _error)


@blueprint.get("/table")
def table() -> Response:
    """The view of the newest snapshot."""
    return _json(present(_source().snapshot))


@blueprint.get("/picture.jpg")
def picture() -> Response:
    """The camera's latest picture."""
    content = _source().picture()
    if content is None:
        abort(404, "There is no picture: no camera has given one yet.")
    return Response(content, 200, {"Cache-Control": "no-store"}, "image/jpeg")


@blueprint.post("/answer")
def answer() -> Response:
    """Answer an open question: ``{"question": id, "answer": one of its choices}``."""
    guard.check_post()
    return _submit(Answer(_text("question"), _text("answer")))


@blueprint.post("/undo")
def undo() -> Response:
    """Take an entry back: ``{"seq": its number}``."""
    guard.check_post()
    seq = _body().get("seq")
    if type(seq) is not int or not 0 < seq < 1 << 53:
        abort(400, f"'seq' must be an entry's number, not {str(seq)[:40]!r}.")
    return _submit(Undo(seq))


@blueprint.post("/start")
def start() -> Response:
    """Start a hand at a table without a board: ``{"seat": the dealer's}``."""
    guard.check_post()
    return _submit(StartHand(_seat()))


@blueprint.post("/win")
def win() -> Response:
    """Declare a win, as the win key would: ``{"seat": whose}``."""
    guard.check_post()
    return _submit(DeclareWin(_seat()))


@blueprint.post("/end")
def end() -> Response:
    """End the hand without a win: ``{}``."""
    guard.check_post()
    _body()
    return _submit(EndHand())


def _submit(command: Command) -> Response:
    refused = _source().submit(command)
    return _json({"ok": True}) if refused is None else _json({"error": refused}, 409)


def _text(key: str) -> str:
    value = _body().get(key)
    if not isinstance(value, str) or not value or len(value) > TEXT_LIMIT:
        abort(400, f"'{key}' must be a text of 1 to {TEXT_LIMIT} characters.")
    return value


def _seat() -> int:
    seat = _body().get("seat")
    if type(seat) is not int or not 0 <= seat <= 3:
        abort(400, f"'seat' must be 0, 1, 2 or 3, not {str(seat)[:40]!r}.")
    return seat


def _body() -> dict[str, object]:
    body = request.get_json(silent=True)
    if not isinstance(body, dict):
        abort(400, "A command must be a JSON object.")
    return body


def _source() -> TableSource:
    source: TableSource = current_app.extensions["table"]
    return source


def _json(view: object, status: int = 200) -> Response:
    return Response(to_json(view), status, {"Cache-Control": "no-store"}, "application/json")


def _error(error: HTTPException) -> Response:
    sentence = error.description or error.name
    if request.path.startswith("/api/"):
        return _json({"error": sentence}, error.code or 500)
    return Response(f"{sentence}\n", error.code or 500, mimetype="text/plain")
