"""JSON in and out: what a command holds, what the API says, and how it says no."""

import json

from flask import Response, abort, request
from werkzeug.exceptions import HTTPException


def to_json(view: object) -> str:
    """Compact JSON in one line."""
    return json.dumps(view, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def json_answer(view: object, status: int = 200) -> Response:
    """The view as a response that nobody may keep."""
    return Response(to_json(view), status, {"Cache-Control": "no-store"}, "application/json")


def error_answer(error: HTTPException) -> Response:
    """A refusal in one sentence: JSON under /api, text elsewhere."""
    sentence = error.description or error.name
    status = error.code or 500
    if request.path.startswith("/api/"):
        answer = json_answer({"error": sentence}, status)
    else:
        answer = Response(f"{sentence}\n", status, mimetype="text/plain")
    for name, value in error.get_headers():
        if name == "Allow":  # which methods there are: HTTP wants it beside a 405
            answer.headers[name] = value
    return answer


def both_languages_error(error: HTTPException) -> Response:
    """As `error_answer`, for the pages at set-up, which want each sentence in both languages."""
    if not request.path.startswith("/api/"):
        return error_answer(error)
    sentence = error.description or error.name
    return json_answer({"error": {"en": sentence, "zh": sentence}}, error.code or 500)


def json_object() -> dict[str, object]:
    """The request's JSON object; abort where it is none."""
    body = request.get_json(silent=True)
    if not isinstance(body, dict):
        abort(400, "A command must be a JSON object.")
    return body
