"""JSON in and out: what a command holds, what the API says, how it says no; and the table."""

import json
from typing import TypeVar

from flask import Response, current_app, request
from werkzeug.exceptions import HTTPException

from table_assist.languages.words import Words, words_view
from table_assist.live.live_table import LiveTable
from web import language
from web.refusal import refusal_page, refusal_words

Part = TypeVar("Part")
MOST_INT, MOST_NUMBER = (1 << 31) - 1, (1 << 53) - 1


def to_json(view: object) -> str:
    """Compact JSON in one line."""
    return json.dumps(
        view, ensure_ascii=False, separators=(",", ":"), allow_nan=False, default=words_view
    )


def json_answer(view: object, status: int = 200) -> Response:
    """The view as a response that nobody may keep."""
    answer = file_answer(to_json(view), "application/json")
    answer.status_code = status
    return answer


def file_answer(content: bytes | str, kind: str, name: str = "") -> Response:
    """Content of this type that nobody may keep; with a name it is a file to save."""
    headers = {"Cache-Control": "no-store"}
    if name:
        headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return Response(content, 200, headers, kind)


def error_answer(error: HTTPException) -> Response:
    """A refusal in one sentence: JSON under /api; elsewhere a page for browsers, else text."""
    words = refusal_words(error)
    status = error.code or 500
    if request.path.startswith("/api/"):
        answer = refusal_answer(words, status)
    elif "text/html" in request.headers.get("Accept", ""):
        answer = Response(
            refusal_page(words, language.chosen_language()), status, mimetype="text/html"
        )
    else:
        answer = Response(f"{words.en}\n{words.zh}\n", status, mimetype="text/plain")
    for name, value in error.get_headers():
        if name == "Allow":  # which methods there are: HTTP wants it beside a 405
            answer.headers[name] = value
    return answer


def refusal_answer(words: Words, status: int = 409, **more: object) -> Response:
    """A refusal as JSON: ``error`` holds the sentence."""
    return json_answer({"error": words_view(words)} | more, status)


def of_app(kind: type[Part], name: str) -> Part:
    """The running app's part of this name and kind."""
    found: Part = current_app.extensions[name]
    return found


def the_table() -> LiveTable:
    """The table that this app serves."""
    return of_app(LiveTable, "table")


def any_table() -> LiveTable | None:
    """The same; None while none is followed, as in the assistant."""
    found: LiveTable | None = current_app.extensions.get("table")
    return found
